# What base is made of must be there: a trace, a file, a series, steps; and a run that broke fails, with the line that says so
export SOURCE_DATE_EPOCH=1767225600
log() { # LAST FILE: a step a line
	for i in $(seq "$1"); do
		echo "[2026-05-18 16:04:00] INFO step: $i loss: $(awk -v i="$i" 'BEGIN { print 8 - i / 20 }') tokens_per_sec: 7297"
	done >"$2"
}
"$FIXTURES" healthy --steps 8 --seed 1 >trace.json
mkdir base half
log 60 base/train.log
cp trace.json base/
cp base/train.log half/
run() {
	echo "== $*"
	"$TRACEQ" gate "$@" --no-config -q | grep -v '^pass\|^$\|^hidden'
	echo "exit ${PIPESTATUS[0]}"
}
run base half
run base half --allow-lost trace
run base trace.json
run base trace.json --allow-lost text_log
# a store remembers
for i in 1 2 3; do "$TRACEQ" baseline add store base --time $((1767225600 + i)) -q --no-config >/dev/null; done
run store half
# a series: the throughput is gone
sed 's/ tokens_per_sec.*//' base/train.log >silent.log
run base/train.log silent.log
run base/train.log silent.log --allow-lost tokens_per_sec
sed 's/tokens_per_sec/tps/' base/train.log >renamed.log
run base/train.log renamed.log
# ended early, without a word
log 50 short.log
run base/train.log short.log
run base/train.log short.log --allow-lost last_step
# broke
broke() { # NAME LINES
	(cat base/train.log; printf '%b\n' "$2") >"$1.log"
	run base/train.log "$1.log"
}
broke traceback 'Traceback (most recent call last):\n  File "t.py", line 1, in <module>\nValueError: no data'
broke oom '[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB'
broke watchdog '[rank1]:[E603 17:48:01 ProcessGroupNCCL.cpp:632] [Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=2)'
broke killed '/usr/bin/run: line 3: 4711 Killed'
broke teardown 'Exception ignored in: <function f>\nTraceback (most recent call last):\n  File "t.py", line 1, in f'
# goes on
(head -30 base/train.log; echo 'RuntimeError: CUDA error: an illegal memory access was encountered'; tail -30 base/train.log) >survived.log
run base/train.log survived.log
"$TRACEQ" metrics survived.log 2>&1 >/dev/null | sed 's/^traceq: //'
# all skipped
(for i in $(seq 60); do echo "OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768"; done) >>survived.log
(while read -r l; do echo "$l"; echo "OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536"; done) <base/train.log >skipped.log
run base/train.log skipped.log
"$TRACEQ" check oom.log 2>/dev/null | head -3
