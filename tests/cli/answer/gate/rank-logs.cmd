# Logs that ranks of a job wrote are one run, side by side or in folders: a rank that is gone, or slower, fails
log() { # FILE MS
	mkdir -p "${1%/*}"
	for i in $(seq 30); do echo "step=$i loss=$((60 - i)).5 step_time=$(($2 + i % 2))ms"; done >"$1"
}
for r in 0 1 2 3; do
	log base/rank$r.log $((100 + 10 * r))
	log folders/rank$r/train.log $((100 + 10 * r))
done
cp -r base lost; rm lost/rank2.log
cp -r base slow; log slow/rank2.log 180
cp -r folders folders_lost; rm -r folders_lost/rank3
cp -r folders folders_slow; log folders_slow/rank1/train.log 165
run() {
	echo "== $*"
	"$TRACEQ" gate "$@" --no-config -q | grep -A1 '^FAIL\|^note' | sed 's/  \+/  /g'
	echo "exit ${PIPESTATUS[0]}"
}
run base base
run base lost
run base lost --allow-lost rank
run base slow
run folders folders_lost
run folders folders_slow
"$TRACEQ" baseline add store base --time 1767225600 -q --no-config >/dev/null
run store lost
# the rank is in the rows
rows() { # FOLDER RANK MS
	mkdir -p "$1"
	for i in $(seq 30); do echo "{\"rank\": $2, \"step\": $i, \"loss\": $((60 - i)).5, \"step_time_ms\": $3}"; done >"$1/metrics_$2.jsonl"
}
for r in 0 1 2; do rows in $r 100; rows in_slow $r $((100 + 60 * (r == 1))); done
cp -r in in_lost; rm in_lost/metrics_0.jsonl
run in in
run in in_slow
run in in_lost
cat in/*.jsonl >one.jsonl
cat in_slow/*.jsonl >one_slow.jsonl
run one.jsonl one_slow.jsonl
# as torchrun keeps what its ranks print
for r in 0 1 2; do
	log run/none_x7/attempt_0/$r/stdout.log 100
	: >run/none_x7/attempt_0/$r/stderr.log
done
cp -r run run_lost; rm -r run_lost/none_x7/attempt_0/1
run run run
run run run_lost
