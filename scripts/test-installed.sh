#!/usr/bin/env bash
# Installs the packages and the wheel into clean Debian systems and runs the first examples of README.md, docs/python.md
# and docs/c.md there. Needs root and a mirror of Debian.
# Usage: test-installed.sh DEB_FOLDER WHEEL_FOLDER ROOT_FOLDER
set -euo pipefail
deb=$(cd "$1" && pwd) wheel=$(cd "$2" && pwd)
mkdir -p "$3"
roots=$(cd "$3" && pwd)
base=$roots/base

if [[ ! -f $base/complete ]]; then
  rm -rf "$base"
  debootstrap --variant=minbase bookworm "$base" "${MIRROR:-http://deb.debian.org/debian}" >"$roots/debootstrap.log" || {
    tail "$roots/debootstrap.log"
    exit 1
  }
  # The name servers, and a proxy where this machine has one.
  cp -L /etc/resolv.conf /etc/hosts "$base/etc/" 2>/dev/null || true
  cp /etc/apt/apt.conf.d/*proxy* "$base/etc/apt/apt.conf.d/" 2>/dev/null || true
  echo 'Dpkg::Use-Pty "0";' >"$base/etc/apt/apt.conf.d/90quiet"
  chroot "$base" apt-get update -q >/dev/null
  touch "$base/complete"
fi

# A clean system, and a shell in it.
fresh() {
  rm -rf "${roots:?}/$1"
  cp -a --reflink=auto "$base" "$roots/$1"
}
in_root() {
  local root=$roots/$1
  shift
  unshare --mount --fork bash -c 'mount -t proc proc "$0/proc" && exec chroot "$0" /bin/bash -euo pipefail -c "$1"' \
    "$root" "export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8; $*"
}

# block LANGUAGE NUMBER PAGE: a fenced part of a page.
block() {
  awk -v fence="\`\`\`$1" -v wanted="$2" \
    '$0 == "```" { inside = 0 } inside && n == wanted; $0 ~ "^```" && !inside && $0 == fence { inside = 1; ++n }' "$3"
}

fresh packages
mkdir "$roots/packages/deb"
cp "$deb"/*.deb "$roots/packages/deb"
in_root packages 'apt-get install -q -y --no-install-recommends /deb/microslip_*.deb >/dev/null 2>&1
  test "$(ldconfig -p | grep -c matio)" = 0
  microslip --version'
echo "the command: $(in_root packages "dpkg-query -W -f '\${Package}\n' | wc -l") packages with those of the system"
in_root packages 'apt-get install -q -y --no-install-recommends /deb/*.deb gcc libc6-dev pkg-config >/dev/null 2>&1'

# README.md: the table that it prints.
readme=$(grep -m 1 -oP '^\$ \Kmicroslip fit .*' README.md)
in_root packages "cd /usr/share/doc/microslip-doc && cp -r data /tmp && cd /tmp && $readme" >"$roots/readme.txt"
grep -A 3 -m 1 '^law ' README.md >"$roots/readme-expected.txt"
grep -A 3 -m 1 '^law ' "$roots/readme.txt" | diff "$roots/readme-expected.txt" -
test -s "$roots/packages/tmp/report.html"
echo "README.md: the same table"

# The module, with the command of the system, and its first example. Pictures need matplotlib, which a clean system has not.
block python 1 docs/python.md | sed '/plot()/d' >"$roots/example.py"
cat >>"$roots/example.py" <<'EOF'
assert h.f.shape == (2001,) and abs(h.f[-1] - law.simulate(np.sin(np.linspace(0, 20, 2001))).f[-1]) == 0
assert (np.diff(h.energy) >= 0).all() and 0.5 < np.max(h.f) < 1.1
print(f"docs/python.md: {np.max(h.f):.6f} at most, {h.energy[-1]:.6f} dissipated")
EOF
cp "$roots/example.py" "$roots/packages/tmp"
in_root packages 'python3 /tmp/example.py; python3 -m microslip --version'

# C, by pkg-config.
block c 1 docs/c.md >"$roots/packages/tmp/joint.c"
in_root packages 'cd /tmp && gcc -std=c11 joint.c $(pkg-config --cflags --libs microslip-c) -lm -o joint && ./joint > motion.csv'
test "$(wc -l <"$roots/packages/tmp/motion.csv")" = 21
echo "docs/c.md: $(tail -n 1 "$roots/packages/tmp/motion.csv")"

# Nothing is left behind.
in_root packages "apt-get purge -q -y microslip 'libmicroslip*' python3-microslip microslip-doc >/dev/null 2>&1
  test -z \"\$(find / -xdev -name '*microslip*' -not -path '/proc/*' -not -path '/deb/*' -not -path '/tmp/*' -not -path '/var/*')\""
echo "removed without a trace"

# The wheel, in a plain environment of a system that has none of the packages.
fresh wheel
cp "$wheel"/*.whl "$roots/wheel/tmp"
cp "$roots/example.py" "$roots/wheel/tmp"
in_root wheel 'apt-get install -q -y --no-install-recommends python3-venv python3-numpy >/dev/null 2>&1
  test -z "$(ldconfig -p | grep -E "libglog|libfmt|libceres|tomlplusplus")"
  python3 -m venv --system-site-packages /env
  /env/bin/pip install -q --no-index --no-deps /tmp/*.whl
  /env/bin/python3 /tmp/example.py
  /env/bin/microslip --version
  cd /tmp && /env/bin/microslip export-fmu jenkins --set k=1 --set phi=1 -o joint.fmu'
echo "the wheel: in a plain environment"
rm -rf "$roots/packages" "$roots/wheel"
