#!/usr/bin/env bash
# The pictures of docs/gallery.md and the page itself: each picture with the command that made it.
# Usage: gallery.sh COMMAND FOLDER     by default build/release/microslip and docs/gallery
set -euo pipefail
command=${1:-build/release/microslip}
folder=${2:-docs/gallery}
cd "$(dirname "$0")/.."
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
page=$(dirname "$folder")/gallery.md

cat >"$page" <<'EOF'
# Gallery

Each picture stands below the command that made it; `make gallery` makes them again.
EOF

# show NAME TITLE COMMAND...: runs the command with --plot NAME.png, unless it writes NAME.png itself.
show() {
  local name=$1 title=$2
  shift 2
  echo "$name"
  bash -c "microslip() { '$PWD/$command' \"\$@\"; }; $*" >/dev/null
  {
    printf '\n## %s\n\n```\n%s\n```\n\n![%s](gallery/%s.png)\n' "$title" "$*" "$title" "$name"
  } >>"$page"
}

show laws 'Four laws under a load of two frequencies' \
  "microslip simulate jenkins bouc-wen iwan4 two-state --set bouc-wen.a=0 --signal '2*sin(2*pi*t)+sin(8*pi*t)' --until 2 --step 0.01 -o $work/laws.csv --plot $folder/laws.png"
show loops 'The loops of a record, without any law' \
  "microslip loops data/bolted-joint.csv --plot $folder/loops.png"
show fit 'Which law describes a record' \
  "microslip fit data/bolted-joint.csv --model iwan4,bouc-wen --plot $folder/fit.png"
show damping 'Damping ratio against amplitude' \
  "microslip damping jenkins iwan4 bouc-wen --amplitudes 0.01:10:80 --log --plot $folder/damping.png"
show decay 'A decaying motion of a slider' \
  "microslip simulate jenkins --set k=10 --signal '2*exp(-0.05*t)*sin(2*pi*t)' --until 12 --step 0.005 -o $work/decay.csv --plot $folder/decay.png"
show orbit 'A planar law along a spiral' \
  "microslip simulate bouc-wen-planar --signal 't/4*cos(t);t/4*sin(t)' --until 12 --step 0.05 -o $work/orbit.csv --plot $folder/orbit.png"

sed -i "s|$work/||g" "$page"
