#!/usr/bin/env bash
# The package for Octave, installed into a folder of its own and tried against the command.
# Usage: octave-package.sh BUILD_FOLDER OUT_FOLDER
set -euo pipefail
build=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
version=$(grep -oP 'version = "\K[0-9.]+' include/microslip/version.hpp)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
package=$stage/microslip-$version
mkdir -p "$package/src" "$package/doc"
sed "s/@VERSION@/$version/; s/@DATE@/$(date -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" +%F)/" \
  packaging/octave/DESCRIPTION >"$package/DESCRIPTION"
cp packaging/octave/INDEX "$package"
cp LICENSE "$package/COPYING"
cp packaging/octave/Makefile examples/octave/microslip.c "$package/src"
cp examples/octave/ring_down.m docs/octave.md "$package/doc"
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner -czf "$out/microslip-$version.tar.gz" "microslip-$version"

# Against what is installed, as a person has it.
for component in runtime development; do
  cmake --install "$build" --prefix "$stage/prefix" --component $component >/dev/null
done
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$stage/prefix" -name microslip-c.pc)")
# A home of its own: what a person has installed stays as it is.
octave() { HOME=$stage octave-cli --norc --no-history --quiet --no-site-file "$@"; }
(cd "$stage" && octave --eval "pkg install '$out/microslip-$version.tar.gz'")
octave --eval "pkg load microslip
  [f, energy] = microslip ('run', 'jenkins(k=1,phi=0.5)', [0 1 -1]);
  assert (f, [0 0.5 -0.5]);
  assert (energy, [0 0.25 0.75], 1e-15);
  pkg unload microslip"
octave --eval "pkg load microslip; addpath ('$PWD/examples/octave');
  source ('$PWD/examples/octave/ring_down.m')" | tee "$stage/ring-down.txt"
grep -q dissipated "$stage/ring-down.txt"
octave --eval "pkg uninstall microslip"
echo "$out/microslip-$version.tar.gz: installed by pkg, tried, removed"
