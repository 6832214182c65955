#!/bin/bash
# The first day of capture on a machine with an NVIDIA GPU: twelve steps, each with what is expected.
# From the root of a built tree:
#
#   steps.sh list           the steps and what is expected
#   steps.sh FOLDER [N...]  runs them, or those of the numbers; traces and words go to FOLDER
#
# Where a step can judge itself it prints "ok" or "FAIL", else what is to be looked at.
set -uo pipefail
T=${TRACEQ:-$PWD/build/release/traceq}
here=$(cd "$(dirname "$0")" && pwd) || exit 2
bad=0

expected() {
	case $1 in
	1) echo "driver, CUPTI's path and version, \"can be subscribed to\"; exit 0" ;;
	2) echo "all of compare.py ok; note the id of cudaLaunchKernel (211 or 505); devices not empty; tids of the system" ;;
	3) echo "100,000 empty kernels, nothing dropped, none without its call, none before it" ;;
	4) echo "20,000 kernels of 100 threads, nothing dropped" ;;
	5) echo "a program killed while it launches: the last device work ended less than 2 s before that" ;;
	6) echo "--duration 2s on the same: no kernel without times, and the program goes on" ;;
	7) echo "multiprocessing's terminate() ends a forked child at once; an epoch of a DataLoader with workers ends" ;;
	8) echo "torch.profiler for steps 50 to 60 of 200: the trace goes on, or capture says who took over and when; one libcupti in the process" ;;
	9) echo "the newest CUPTI by --cupti (TRACEQ_NEW_CUPTI=FILE): kinds accepted, work recorded" ;;
	10) echo "--kinds=+events,+memory: lines of cuda_event; no \"Event Sync\" of a query" ;;
	11) echo "2,000 graph nodes, 100 whole graphs; a window by cudaProfilerStart; 143 after SIGTERM; CUDA_VISIBLE_DEVICES= ends at once" ;;
	12) echo "as another user: recorded, or refused with a clear word, the program unharmed; then tests/capture/gpu/full.sh: below 3 % of a step, below 2 us a launch" ;;
	esac
}

judge() { # judge TEXT COMMAND...: ok when it succeeds
	local text=$1
	shift
	if "$@"; then echo "ok   $text"; else echo "FAIL $text"; bad=1; fi
}

field() { # field FILE KEY: of traceqCapture
	python3 -c 'import gzip, json, sys
print(json.load(gzip.open(sys.argv[1]))["traceqCapture"][sys.argv[2]])' "$1" "$2"
}

count() { # count FILE CAT [NAME]: slices of a category
	python3 -c 'import gzip, json, sys
e = json.load(gzip.open(sys.argv[1]))["traceEvents"]
print(sum(x["ph"] == "X" and x.get("cat") == sys.argv[2] and (len(sys.argv) < 4 or x["name"].startswith(sys.argv[3])) for x in e))' "$@"
}

# shellcheck disable=SC2317 # judge calls it
compare() { python3 "$here/compare.py" "$1.json.gz" "$1.did"; }

capture() { # capture NAME OPTIONS... -- PROGRAM...: into NAME.json.gz, NAME.did, NAME.said
	local name=$1
	shift
	rm -f "$name".json.gz* "$name".*.json.gz
	timeout 120 "$T" capture -o "$name.json.gz" "$@" >"$name.did" 2>"$name.said"
	local code=$?
	cat "$name.said"
	return "$code"
}

step() {
	case $1 in
	1) nvidia-smi && judge "capture --check" "$T" capture --check ;;
	2) capture 2 -- "$W" n=10 && judge "as the program did" compare 2 ;;
	3) capture 3 -- "$W" n=25000 t=4 && judge "as the program did" compare 3
		judge "nothing dropped" [ "$(field 3.json.gz dropped_buffers)" = 0 ] ;;
	4) capture 4 -- "$W" n=200 t=100 && judge "as the program did" compare 4
		judge "nothing dropped" [ "$(field 4.json.gz dropped_buffers)" = 0 ] ;;
	5) # shellcheck disable=SC2016 # for the inner shell
		capture 5 -- bash -c '"$1" n=100000000 & sleep 5; kill -9 $!; wait' bash "$W"
		judge "told by device work" grep -E 'ended [01]\.[0-9] s before that' 5.said ;;
	6) capture 6 --duration 2s -- timeout 6 "$W" n=100000000
		judge "no kernel without times" [ "$(field 6.json.gz incomplete)" = 0 ] ;;
	7) capture 7 -- python3 -c '
import multiprocessing, time
import torch
torch.cuda.init()
p = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
p.start(); time.sleep(0.5); p.terminate(); p.join(5)
assert not p.is_alive(), "the child survived terminate()"
data = torch.utils.data.TensorDataset(torch.zeros(1000, 4))
n = sum(1 for _ in torch.utils.data.DataLoader(data, 10, num_workers=4))
print("batches", n); assert n == 100'
		judge "exit 0" [ $? = 0 ] ;;
	8) capture 8 -- python3 -c '
import torch
x = torch.ones(1000, 1000, device="cuda")
p = torch.profiler.profile()
for step in range(200):
    if step == 50: p.start()
    if step == 60: p.stop()
    (x @ x).sum().item()
print(len({l.split()[-1] for l in open("/proc/self/maps") if "libcupti" in l}), "libcupti")'
		cat 8.did
		"$T" top 8.json.gz -n 3 ;;
	9) if [ -z "${TRACEQ_NEW_CUPTI:-}" ]; then echo "skip: TRACEQ_NEW_CUPTI names no file"; else
		capture 9 --cupti="$TRACEQ_NEW_CUPTI" -- "$W" n=10 && judge "as the program did" compare 9
	fi ;;
	10) capture 10 --kinds=+events,+memory -- "$W" n=10 spin_us=1000 && judge "as the program did" compare 10
		judge "events have times" [ "$(count 10.json.gz cuda_event)" -gt 0 ] ;;
	11) capture 11 -- "$W" n=10 graph=100 && judge "nodes" compare 11
		capture 11w --graph graph -- "$W" n=10 graph=100 && judge "whole graphs" compare 11w
		capture 11t -- "$W" n=10 end=term
		judge "143 after SIGTERM" [ $? = 143 ]
		CUDA_VISIBLE_DEVICES='' timeout 5 "$T" capture -o 11n.json.gz -- "$W" n=10
		judge "ends at once without a device" [ $? != 124 ] ;;
	12) bash "$here/smoke.sh" "$PWD/smoke" ;;
	esac
}

if [ "${1:-}" = list ]; then
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '%2d  %s\n' "$i" "$(expected "$i")"; done
	exit 0
fi
[ $# -gt 0 ] || { sed -n 's/^#   //p' "$0"; exit 2; }
mkdir -p "$1" && W=$1/work && [ "${W#/}" != "$W" ] || W=$PWD/$W
nvcc -arch=native -o "$W" "$here/work.cu" || { echo "no nvcc, or no GPU: nothing was run"; exit 2; }
cd "$1" || exit 2
shift
[ $# -gt 0 ] || set -- 1 2 3 4 5 6 7 8 9 10 11 12
for i; do
	echo "== step $i: $(expected "$i")"
	step "$i"
done
[ "$bad" = 0 ] && echo "steps: nothing failed" || echo "steps: FAILED"
exit "$bad"
