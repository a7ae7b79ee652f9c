#!/usr/bin/env bash
# Debian packages of the command and of the library, and a smoke test of what they hold.
# Usage: deb.sh BUILD_FOLDER OUT_FOLDER
#   With INSTALL=1 the packages are also installed on this machine, tried and removed (as root).
set -euo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
rm -f "$out"/*.deb
version=$(grep -oP 'version = "\K[0-9.]+' include/microslip/version.hpp)

# The build as it is, configured for the folder of libraries that Debian has for each machine, and back.
libdir=$(grep -oP '^CMAKE_INSTALL_LIBDIR:PATH=\K.*' "$build/CMakeCache.txt")
stage=$(mktemp -d) root=$(mktemp -d)
trap 'rm -rf "$stage" "$root"; cmake -D CMAKE_INSTALL_LIBDIR="$libdir" "$build" >/dev/null' EXIT
cmake -D CMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" "$build" >/dev/null
mkdir "$stage/source"
cp -r packaging/debian "$stage/source/debian"
cat >"$stage/source/debian/changelog" <<EOF
microslip ($version) bookworm; urgency=medium

  * Changes are listed in CHANGELOG.md.

 -- The microslip authors <microslip@microslip.invalid>  $(date -R -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")
EOF
(cd "$stage/source" && MICROSLIP_BUILD=$build debian/rules binary >"$stage/log" 2>&1) || {
  tail -n 30 "$stage/log"
  exit 1
}
cp "$stage"/*.deb "$out"

# What people do first, with the command under a given prefix.
smoke() {
  local root=$1 bin=$1/usr/bin/microslip work
  work=$(mktemp -d)
  (
    cd "$work"
    "$bin" --version
    "$bin" simulate jenkins --set k=10 --set phi=1 --signal '2*sin(2*pi*t)' --until 4 --step 0.005 \
      -o record.csv
    # Into files: a pipe that grep closes early is a failure of the command that writes it.
    "$bin" loops record.csv >loops.txt && grep -q 'initial stiffness' loops.txt
    "$bin" fit record.csv --model jenkins --time-budget 5 -o fit.json >fit.txt && grep -q converged fit.txt
    gzip -k record.csv && "$bin" loops record.csv.gz -o - -q >loops.csv && grep -q microslip loops.csv
    "$bin" simulate --params fit.json --input record.csv -o again.csv --plot loop.svg -q
    "$bin" export-fmu --params fit.json -o joint.fmu && test -s joint.fmu
    test "$(find "$root/usr/share/man/man1" -name 'microslip*.1*' -size +0 | wc -l)" -ge 14
    if command -v man >/dev/null; then
      man -l "$(find "$root/usr/share/man/man1" -name 'microslip-fit.1*')" >page.txt && grep -q -e --time-budget page.txt
    fi
    bash -n "$root/usr/share/bash-completion/completions/microslip"
    test -s "$root/usr/share/zsh/vendor-completions/_microslip"
    test -s "$root/usr/share/fish/vendor_completions.d/microslip.fish"
    cat >program.cpp <<'EOF'
#include <cstdio>

#include "microslip/catalog/catalog.hpp"
#include "microslip/models/jenkins.hpp"
int main() {
  const microslip::Jenkins<double> law({.k = 2, .phi = 0.5});
  auto state = law.rest();
  std::printf("%g ", law.step(state, 1, state).force);
  // By name, from the compiled libraries.
  const auto sum = microslip::catalog::make({"jenkins(k=2,phi=0.5)+linear(k=0.25)", {}, {}});
  std::printf("%g\n", sum.run({{}, {0, 1}, {}}).f.back());
}
EOF
    export PKG_CONFIG_PATH=$root/usr/lib/$(uname -m)-linux-gnu/pkgconfig:$root/usr/lib/pkgconfig
    read -ra flags <<<"$(pkg-config --cflags --libs microslip)"
    g++ program.cpp "${flags[@]}" -o program
    test "$(./program)" = '0.5 0.75'
  )
  rm -rf "$work"
}

for package in "$out"/*.deb; do
  dpkg-deb --extract "$package" "$root"
  echo "$(basename "$package"): $(dpkg-deb --field "$package" Depends | cut -c1-100)"
done
smoke "$root"
echo "unpacked: the smoke test passed"

# The project has no mail address of its own yet, and no number in Debian's list of wishes.
lintian --allow-root --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs \
  --fail-on error "$out"/*.deb
echo "lintian found no errors"

if [[ ${INSTALL:-0} == 1 ]]; then
  apt-get install -q -y "$out"/*.deb >/dev/null
  smoke ""
  man -w microslip-fit >/dev/null 2>&1 || echo "man(1) is not installed; pages were not looked up"
  apt-get remove -q -y microslip 'libmicroslip*' python3-microslip microslip-doc >/dev/null
  echo "installed: the smoke test passed"
fi
