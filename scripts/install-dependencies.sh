#!/usr/bin/env bash
# Installs the Debian packages that are missing; with none missing it needs neither root nor network.
# Usage: install-dependencies.sh SET...   with SET one of build, test, python, format, wasm, web, web-test, deb, installed, site, fuzz, reuse, abi, peers, fem, clusters, octave
set -euo pipefail

# set    package              what it is for
packages="
build    cmake                the build
build    ninja-build          the build
build    g++                  the compiler
build    libeigen3-dev        linear algebra
build    libceres-dev         least squares; the dual number ceres::Jet
build    libsundials-dev      stiff differential equations
build    libspectra-dev       few eigenpairs of large matrices
build    libboost-math-dev    roots, quadrature, special functions
build    libcli11-dev         the command line
build    libfmt-dev           formatting of numbers and tables
build    libtomlplusplus-dev  parameter files in TOML
build    nlohmann-json3-dev   parameter files and results in JSON
build    zlib1g-dev           compressed records
build    libmatio-dev         MAT files
build    libsqlite3-dev       stores of studies
build    gnuplot-nox          pictures
test     libgtest-dev         the tests
test     gfortran             the test of the entry points for Fortran hosts
python   pybind11-dev         the Python module
python   python3-dev          the Python module
python   python3-numpy        the Python module
python   python3-pytest       the tests of the Python module and of FMUs
test     mypy                 the test of the stubs of the Python module
python   python3-matplotlib   pictures from Python
python   python3-pip          installing the module into an environment
python   python3-venv         the same
peers    python3-scipy        what make bench-python compares with
peers    python3-vtk9         reads the VTU files of a test
test     calculix-ccx         the test that compares a lap joint with CalculiX
fem      calculix-ccx         what make bench-calculix compares with
format   clang-format-14      the format check
deb      dpkg-dev             packages for Debian
deb      debhelper            the same
deb      dh-python            the same
deb      pkg-config           the smoke test of the packages
deb      lintian              the checker of Debian's packages
installed debootstrap         clean Debian systems for make test-installed
site     mkdocs               the documentation as a web site
site     mkdocs-material      the same
site     doxygen              the reference of C++
site     jupyter-nbconvert    the Python examples as notebooks
site     python3-ipykernel    the same
site     python3-matplotlib   their pictures
fuzz     clang-14             fuzzers of the readers of files
reuse    reuse                the check of licences
abi      abigail-tools        the comparison of shared libraries
test     pkg-config           the test of what is installed
wasm     emscripten           the compile check for WebAssembly
wasm     zopfli               compresses the engine of the explorer
clusters slurm-wlm            make test-clusters: a cluster of one node
clusters munge                the same
clusters parallel             make test-clusters
clusters snakemake            the same
clusters openmpi-bin          the same
clusters python3-distributed  the same
clusters python3-pandas       the same
octave   octave-dev           the mex file of Octave and its test
web      nodejs               the explorer
web      npm                  the explorer
web-test chromium             the tests of the explorer
"

names=()
while read -r set name _; do
  if [[ -n $set && " $* " == *" $set "* ]]; then names+=("$name"); fi
done <<<"$packages"
if ((${#names[@]} == 0)); then
  echo "usage: $0 SET...   with SET one of build, test, python, format, wasm, web, web-test, deb, installed, site, fuzz, reuse, abi, peers, fem, clusters, octave" >&2
  exit 2
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is not a Debian system, so nothing is installed. The build expects what these Debian" \
    "packages hold: ${names[*]}" >&2
  exit 0
fi

installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' "${names[@]}" 2>/dev/null || true)"
missing=()
for name in "${names[@]}"; do
  [[ $installed == *" installed:$name "* ]] || missing+=("$name")
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    echo "Missing packages: ${missing[*]}. Installing them needs root, and there is no sudo." >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "Installing with apt-get: ${missing[*]}"
if ! { "${as_root[@]}" apt-get update -q &&
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"; }; then
  echo "These packages are missing and could not be installed: ${missing[*]}" >&2
  exit 1
fi
