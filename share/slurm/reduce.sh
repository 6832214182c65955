#!/bin/bash
# The job behind the array that submit.sh submits: all digests become one file, and that is answered for.
#
#   reduce.sh OUT TRACES
#
# OUT/job.tqd, and OUT/answers/: ranks, summary, top, comms as text and JSON, report.html, and gate where
# there is a TRACEQ_BASE.  TRACES: how many digests there are to be.  Exit: 0, 1 where the gate says
# regressed, 2 where an answer is missing.
#SBATCH --job-name=traceq-answers
#SBATCH --nodes=1
#SBATCH --ntasks=1
set -euo pipefail
out=$1 want=$2
traceq=${TRACEQ:-traceq}
shopt -s nullglob
digests=("$out"/digests/*.tqd)
if [ "${#digests[@]}" != "$want" ]; then
	echo "reduce.sh: ${#digests[@]} digests of $want traces are in $out/digests" >&2
	exit 2
fi
"$traceq" digest -q "$out/digests" -o "$out/job.tqd"
mkdir -p "$out/answers"
code=0
for answer in ranks summary top comms; do
	"$traceq" "$answer" "$out/job.tqd" -o "$out/answers/$answer.txt" || code=2
	"$traceq" "$answer" -q --json "$out/job.tqd" -o "$out/answers/$answer.json" || code=2
done
"$traceq" report -q "$out/job.tqd" -o "$out/answers/report.html" || code=2
if [ -n "${TRACEQ_BASE-}" ]; then
	gate=0
	"$traceq" gate "$TRACEQ_BASE" "$out/job.tqd" -o "$out/answers/gate.txt" || gate=$?
	[ "$gate" -le "$code" ] || code=$gate
fi
exit "$code"
