#!/usr/bin/env bash
# Fuzzers of the readers of files, with sanitizers. What they find stays in BUILD_FOLDER/found, what they learn in
# BUILD_FOLDER/corpus.
# Usage: fuzz.sh BUILD_FOLDER SECONDS [READER...]
set -euo pipefail
build=$1 seconds=$2
shift 2
clang=$(command -v clang++-14 || command -v clang++)
cmake -S tests/fuzz/engine -B "$build" -G Ninja -D CMAKE_CXX_COMPILER="$clang" >/dev/null
cmake --build "$build"
readers=("$@")
((${#readers[@]})) || mapfile -t readers < <(find tests/fuzz/seeds -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort)
mkdir -p "$build/found"
failed=0
for reader in "${readers[@]}"; do
  mkdir -p "$build/corpus/$reader"
  # What stands in these files is short; a gigabyte for one of them is a defect.
  if "$build/fuzz_$reader" -max_total_time="$seconds" -max_len=4096 -rss_limit_mb=1024 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$build/found/$reader-" "$build/corpus/$reader" "tests/fuzz/seeds/$reader" >"$build/$reader.log" 2>&1; then
    echo "$reader: $(grep -oP 'number_of_executed_units: \K.*' "$build/$reader.log") files, nothing found"
  else
    failed=1
    echo "$reader: FAILED, see $build/$reader.log"
    grep -m 3 -E 'ERROR|SUMMARY|what' "$build/$reader.log" || true
  fi
done
exit $failed
