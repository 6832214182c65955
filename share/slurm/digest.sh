#!/bin/bash
# One task of the array that submit.sh submits: the digests of its traces.
#
#   digest.sh LIST DIGESTS
#
# Task i of n takes the lines i, i + n, ... of LIST ("NUMBER<tab>PATH").
#SBATCH --job-name=traceq-digest
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
set -euo pipefail
list=$1 digests=$2
first=$SLURM_ARRAY_TASK_MIN step=$SLURM_ARRAY_TASK_COUNT at=$SLURM_ARRAY_TASK_ID
failed=0
while IFS=$'\t' read -r number path; do
	"${TRACEQ:-traceq}" digest -q --threads 1 "$path" -o "$digests/$number.tqd" || failed=1
done < <(awk -v at=$((at - first)) -v step="$step" 'NR % step == (at + 1) % step' "$list")
exit "$failed"
