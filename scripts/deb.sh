#!/usr/bin/env bash
# Debian packages of the command and of the library, and a smoke test of what they hold.
# Usage: deb.sh BUILD_FOLDER OUT_FOLDER
#   With INSTALL=1 the packages are also installed on this machine, tried and removed (as root).
set -euo pipefail
build=$1 out=$2
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -f "$out"/*.deb
version=$(grep -oP 'version = "\K[0-9.]+' include/microslip/version.hpp)
printf 'microslip (%s) bookworm; urgency=medium\n\n  * Changes are listed in CHANGELOG.md.\n\n -- The microslip authors <microslip@localhost>  %s\n' \
  "$version" "$(date -R -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")" | gzip -9n >"$build/changelog.gz"
(cd "$build" && umask 022 && cpack -G DEB -B "$out" >/dev/null)
rm -rf "$out/_CPack_Packages"

# What people do first, with the command under a given prefix.
smoke() {
  local root=$1 bin=$1/usr/bin/microslip work
  work=$(mktemp -d)
  (
    cd "$work"
    "$bin" --version
    "$bin" simulate jenkins --set k=10 --set phi=1 --signal '2*sin(2*pi*t)' --until 4 --step 0.005 \
      -o record.csv
    "$bin" loops record.csv | grep -q 'initial stiffness'
    "$bin" fit record.csv --model jenkins --time-budget 5 -o fit.json | grep -q converged
    gzip -k record.csv && "$bin" loops record.csv.gz -o - -q | head -n 1 | grep -q microslip
    "$bin" simulate --params fit.json --input record.csv -o again.csv --plot loop.svg -q
    "$bin" export-fmu --params fit.json -o joint.fmu && test -s joint.fmu
    test "$(find "$root/usr/share/man/man1" -name 'microslip*.1*' -size +0 | wc -l)" -ge 14
    if command -v man >/dev/null; then
      man -l "$(find "$root/usr/share/man/man1" -name 'microslip-fit.1*')" | grep -q -e --time-budget
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

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
for package in "$out"/*.deb; do
  dpkg-deb --extract "$package" "$root"
  echo "$(basename "$package"): $(dpkg-deb --field "$package" Depends | cut -c1-100)"
done
smoke "$root"
echo "unpacked: the smoke test passed"

if command -v lintian >/dev/null; then
  lintian --suppress-tags bogus-mail-host,initial-upload-closes-no-bugs "$out"/*.deb &&
    echo "lintian found no errors" || echo "lintian found errors, see above"
fi

if [[ ${INSTALL:-0} == 1 ]]; then
  apt-get install -q -y "$out"/*.deb >/dev/null
  smoke ""
  man -w microslip-fit >/dev/null 2>&1 || echo "man(1) is not installed; pages were not looked up"
  apt-get remove -q -y microslip 'libmicroslip*' python3-microslip microslip-doc >/dev/null
  echo "installed: the smoke test passed"
fi
