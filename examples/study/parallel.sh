#!/bin/bash
# A study by GNU parallel:   parallel.sh study.toml 16 [options of parallel, e.g. --sshloginfile nodes]
# Failed shards are tried again; what they stored stays.
set -eu
study=$1 shards=$2
shift 2
name=$(basename "$study" .toml)
seq "$shards" | parallel --retries 3 "$@" microslip study "$study" --shard "{}/$shards" --threads 1 --quiet
microslip study "$study" --merge "$name".*-of-"$shards".study --table "$name.csv" --report "$name.html"
