#!/usr/bin/env bash
# docs/gallery.md and its pictures: each picture with the command that made it, as it is typed in the
# checkout. Usage: gallery.sh [COMMAND]     by default build/release/microslip
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
command=$(realpath "${1:-build/release/microslip}")
page=$root/docs/gallery.md
pictures=$root/docs/gallery
mkdir -p "$pictures"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$root/data" "$root/examples" "$work"
cd "$work"
# shellcheck disable=SC2317
microslip() { "$command" "$@"; }
export command
export -f microslip

cat >"$page" <<'TEXT'
# Gallery

Each picture stands below the command that made it, typed in the folder of the checkout; `make gallery` makes them
again. What the commands do is explained on [the pages for each task](README.md).
TEXT

# show NAME TITLE SENTENCE COMMAND: the command writes NAME.svg.
show() {
  local name=$1 title=$2 sentence=$3 typed=$4
  echo "$name"
  bash -euc "$typed" >/dev/null
  mv "$name.svg" "$pictures/"
  printf '\n## %s\n\n%s\n\n```\n%s\n```\n\n![%s](gallery/%s.svg)\n' "$title" "$sentence" "$typed" \
    "$title" "$name" >>"$page"
}

show laws 'Four laws under a load of two frequencies' \
  'All begin with slope 1 and reach the force 1; they differ in their minor loops.' \
  "microslip simulate jenkins bouc-wen iwan4 two-state --set bouc-wen.a=0 \\
  --signal '2*sin(2*pi*t)+sin(8*pi*t)' --until 2 --step 0.01 -o laws.csv --plot laws.svg"

show decay 'A slider in a decaying motion' \
  'Corners are drawn as corners, and a loop that does not close is not forced to.' \
  "microslip simulate jenkins --set k=10 --signal '2*exp(-0.05*t)*sin(2*pi*t)' \\
  --until 12 --step 0.02 -o decay.csv --plot decay.svg"

show spiral 'A planar law along a spiral' \
  'The force turns with the displacement; both components are drawn.' \
  "microslip simulate bouc-wen-planar --signal 't/4*cos(t);t/4*sin(t)' \\
  --until 12 --step 0.05 -o spiral.csv --plot spiral.svg"

show clearance 'Friction behind a clearance' \
  'A gap in front of a law: the loop is pinched.' \
  "microslip simulate 'backlash(iwan4(KT=10),gap=0.8)' --signal '(0.5+t/10)*sin(2*pi*t)' \\
  --until 10 --step 0.01 -o clearance.csv --plot clearance.svg"

show loops 'The loops of a record, without any law' \
  'Loops by amplitude, backbone, energy and damping against amplitude, Iwan density, normalised loop.' \
  'microslip loops data/bolted-joint.csv --plot loops.svg'

show fit 'Which law describes a record' \
  'Two laws fitted to the same record.' \
  'microslip fit data/bolted-joint.csv --model iwan4,bouc-wen --plot fit.svg'

show damping 'Damping ratio against amplitude' \
  'Damping ratio of the loop, damping of an oscillator with this joint, energy, stiffness.' \
  'microslip damping jenkins iwan4 bouc-wen --amplitudes 0.01:10:200 --log --plot damping.svg'

show one-joint 'Frequency response at four levels of load' \
  'A mass on a spring, a dashpot and a slipping joint. The structure file names the picture.' \
  'microslip respond examples/structures/one-joint.toml'

show ring-down 'Ring-down after a blow' \
  'Motion, energy, the loops of the joint, frequency and damping against amplitude.' \
  'microslip respond examples/structures/ring-down.toml'

show ringdown 'Two modes of one decay' \
  'Frequency and damping of each mode against amplitude, from the motion of both masses after a release.' \
  'microslip respond examples/structures/release.toml
microslip ringdown release.csv --columns x1,x2 --modes 2 --plot ringdown.svg'

show two-masses-mode 'A mode against amplitude' \
  'Frequency and damping of the first mode of two masses with two joints.' \
  'microslip respond examples/structures/two-masses.toml'

show slips 'Which slider slips when' \
  'Eight sliders in a lap joint under a load of two frequencies.' \
  "microslip simulate sliders --params examples/sliders/lap_joint.toml \\
  --signal '2*sin(t)+sin(3.7*t)' --until 12 --step 0.01 -o slips.csv --slip-map slips.svg"

show reduced 'Many sliders become a few states' \
  'A hundred sliders, reduced and compared on loads that were not used.' \
  'microslip reduce examples/reduce/random.toml -o reduced.toml --plot reduced.svg'

show lap-joint 'A lap joint from its geometry' \
  'Deformed plates, loop, slip and pressure along the overlap.' \
  'microslip joint examples/joints/bending.toml -o lap-joint.csv --plot lap-joint.svg'

show cracks 'A plate with frictional cracks' \
  'Which cracks stick, slip and open at the extremes of the load, and the loop.' \
  'microslip cracks examples/cracks/random.toml -o cracks.csv --plot cracks.svg'
