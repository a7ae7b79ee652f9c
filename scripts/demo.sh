#!/bin/sh
# The main job on bundled data: the loops of a bolted joint, and which law describes them. Before it,
# four laws under a load of two frequencies, whose minor loops tell the laws apart; all begin with
# slope 1 and tend to the force 1, so only their shapes differ.
#
#   scripts/demo.sh [COMMAND [FOLDER]]    by default build/release/microslip and out
set -eu
command=${1:-build/release/microslip}
out=${2:-out}
record=$(dirname "$0")/../data/bolted-joint.csv
mkdir -p "$out"

done=$out/.demo-done
fresh=true
if test -f "$done" && test -z "$(find "$command" "$record" "$0" -newer "$done")"; then
  fresh=false
  echo "Nothing has changed since $out was written; this is what it holds."
  echo
fi

simulate() {
  "$command" simulate jenkins bouc-wen iwan4 two-state \
    --set bouc-wen.a=0 \
    --signal '2*sin(2*pi*t)+sin(8*pi*t)' --until 3 --step 0.001 --period 1 "$@"
}

echo 'Four laws under u = 2 sin 2πt + sin 8πt, first slope 1, limit of the force 1:'
echo
if $fresh; then
  rm -f "$done"
  simulate -o "$out/demo-{model}.csv" --plot "$out/demo.png" > "$out/demo.txt"
  simulate -o "$out/demo.csv" --plot "$out/demo.svg" --quiet
fi
cat "$out/demo.txt"

echo
echo 'The loops of a bolted joint (synthetic: 200 sliders, noise):'
echo
$fresh && "$command" loops "$record" --plot "$out/loops.png" -o "$out/cycles.csv" > "$out/loops.txt"
head -n 12 "$out/loops.txt"
echo '...'
echo
echo 'Which law describes them (up to a minute):'
echo
$fresh && "$command" fit "$record" --time-budget 60 -o "$out/fit.json" --report "$out/report.html" \
  --plot "$out/fit.png" > "$out/fit.txt"
head -n 12 "$out/fit.txt"
echo '...'

echo
echo "report    $out/report.html"
echo "fits      $out/fit.txt, $out/fit.json, $out/fit.png"
echo "loops     $out/loops.txt, $out/cycles.csv, $out/loops.png"
echo "picture   $out/demo.png, $out/demo.svg"
echo "table     $out/demo.txt"
echo "numbers   $out/demo.csv, and each law by itself: $out/demo-jenkins.csv, ..."
touch "$done"
