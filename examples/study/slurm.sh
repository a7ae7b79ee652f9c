#!/bin/bash
# A study as an array of 16 tasks of Slurm:   sbatch slurm.sh study.toml
# A task that was killed, or a node that failed, is put into the queue again and does what is missing.
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
#SBATCH --requeue
#SBATCH --open-mode=append
study=$1
shards=$((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1))
exec microslip study "$study" --shard "$SLURM_ARRAY_TASK_ID/$shards" --threads "$SLURM_CPUS_PER_TASK" --quiet
# After the array (sbatch --dependency=afterok:JOB):
#   microslip study study.toml --merge study.*-of-16.study --report study.html
