#!/usr/bin/env bash
# The scripts of examples/study on the engines they are for: the table has to be that of one process, byte for
# byte. An engine that is missing is named and skipped.
# Usage: test-clusters.sh MICROSLIP [FOLDER OF THE PYTHON MODULE]
set -uo pipefail

microslip=$(realpath "$1") module=${2:+$(realpath "$2")}
examples=$(realpath "$(dirname "$0")/../examples/study")
place=$(mktemp -d)
chmod 755 "$place"
failed=0
daemons=()
tidy() {
  for id in ${daemons[@]+"${daemons[@]}"}; do kill "$id" 2>/dev/null; done
  for id in ${daemons[@]+"${daemons[@]}"}; do wait "$id" 2>/dev/null; done
  rm -rf "$place"
}
trap tidy EXIT

mkdir "$place/bin"
ln -s "$microslip" "$place/bin/microslip"
export PATH="$place/bin:$PATH"
cd "$place"
# Long enough for a task to be killed in the middle.
sed 's/^samples = .*/samples = 4096/; s/^step = .*/step = 0.001/' "$examples/loop-study.toml" >loop.toml
sed 's/^samples = .*/samples = 4096/; s/^step = .*/step = 0.0005/' "$examples/loop-study.toml" >long.toml
study="$place/loop.toml"
microslip study "$study" --table "$place/one.csv" --quiet || exit 1

has() {
  command -v "$2" >/dev/null && return
  echo "$1: skipped, there is no $2"
  return 1
}
enter() { rm -rf "$place/$1" && mkdir "$place/$1" && cd "$place/$1" && cp "$study" .; }
compare() {
  if cmp -s "$place/one.csv" "$2"; then
    echo "$1: the bytes of one process"
  else
    echo "$1: FAILED, the table differs or is missing"
    failed=1
  fi
}
merged() { microslip study loop.toml --merge loop.*.study --table merged.csv --quiet; }

# No engine, but what they meet: a file that may not grow, as on a full disk.
enter full
if (ulimit -f 600 && microslip study loop.toml --quiet >log 2>&1); then
  echo "A full disk: FAILED, nothing was refused"
  failed=1
else
  sed 's/^/A full disk: /' log
  microslip study loop.toml --table table.csv --quiet
  compare "A full disk, and room again" table.csv
fi

if has "GNU parallel" parallel; then
  enter parallel
  bash "$examples/parallel.sh" loop.toml 4 --jobs 2 >log 2>&1
  compare "GNU parallel" loop.csv
fi

if has "Open MPI" mpirun; then
  enter mpi
  mpirun --allow-run-as-root --oversubscribe -n 4 bash "$examples/mpi.sh" loop.toml >log 2>&1
  merged
  compare "Open MPI" merged.csv
fi

if has Snakemake snakemake; then
  enter snakemake
  snakemake --snakefile "$examples/Snakefile" --cores 2 --config study=loop.toml shards=4 >log 2>&1
  compare Snakemake loop.csv
fi

if [[ -z $module ]]; then
  echo "Dask: skipped, no folder of the Python module is given"
elif ! /usr/bin/python3 -c 'import distributed' 2>/dev/null; then
  echo "Dask: skipped, Debian's Python has no distributed"
else
  enter dask
  PYTHONPATH=$module timeout 120 /usr/bin/python3 "$examples/dask_study.py" loop.toml table.csv >log 2>&1
  merged
  compare Dask merged.csv
fi

# A cluster of this one node, with a key, sockets and ports of its own.
slurm_cluster() {
  local port=$((20000 + RANDOM % 20000))
  dd if=/dev/urandom of=key bs=1 count=1024 2>/dev/null && chmod 600 key
  munged --force --foreground --key-file="$PWD/key" --socket="$PWD/munge.sock" \
    --pid-file="$PWD/munged.pid" --log-file="$PWD/munged.log" --seed-file="$PWD/munged.seed" \
    >munged.out 2>&1 &
  daemons+=($!)
  mkdir state spool
  cat >slurm.conf <<EOF
ClusterName=one
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$PWD/munge.sock
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
MinJobAge=600
KillWait=1
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/ctld.pid
SlurmdPidFile=$PWD/slurmd.pid
SlurmctldLogFile=$PWD/ctld.log
SlurmdLogFile=$PWD/slurmd.log
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
EOF
  export SLURM_CONF=$PWD/slurm.conf
  sleep 1
  slurmctld -D -i -f "$SLURM_CONF" >ctld.out 2>&1 &
  daemons+=($!)
  slurmd -D -f "$SLURM_CONF" >slurmd.out 2>&1 &
  daemons+=($!)
  for _ in $(seq 30); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && return
    sleep 1
  done
  return 1
}
wait_for_job() { # at most this many seconds
  for _ in $(seq "$2"); do
    [[ -z $(squeue -h -j "$1" 2>/dev/null) ]] && return
    sleep 1
  done
  return 1
}

if has Slurm slurmctld && has Slurm slurmd && has Slurm munged; then
  enter slurm
  if ! slurm_cluster; then
    echo "Slurm: skipped, its daemons do not run here:" \
      "$(grep -hiE 'fatal|error' slurmd.log ctld.log slurmd.out ctld.out munged.out 2>/dev/null | head -1)"
  else
    job=$(sbatch --parsable "$examples/slurm.sh" loop.toml)
    wait_for_job "$job" 120
    merged
    compare "Slurm, 16 tasks" merged.csv
    # A node that fails: tasks that run are killed, and queued again.
    cp "$place/long.toml" loop.toml
    rm -f -- *.study merged.csv
    microslip study loop.toml --table "$place/one.csv" --quiet && rm -f loop.study
    job=$(sbatch --parsable "$examples/slurm.sh" loop.toml)
    for _ in $(seq 60); do
      running=$(squeue -h -t R -r -o %i -j "$job" | head -1)
      [[ -n $running ]] && ls loop.*.study >/dev/null 2>&1 && break
      sleep 0.2
    done
    sleep 0.5
    running=$(squeue -h -t R -r -o %i -j "$job" | head -1)
    [[ -n $running ]] && scontrol requeue "$running" && echo "Slurm: task $running was killed and queued again"
    # What waits to be tried again waits two minutes; a person says go.
    for _ in $(seq 60); do
      sleep 1
      squeue -h -r -j "$job" -t PD -o %i 2>/dev/null | while read -r id; do
        scontrol update jobid="$id" starttime=now >/dev/null 2>&1
      done
      [[ -z $(squeue -h -j "$job" 2>/dev/null) ]] && break
    done
    wait_for_job "$job" 120
    merged
    compare "Slurm, a task killed and queued again" merged.csv
  fi
fi
exit $failed
