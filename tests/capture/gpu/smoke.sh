#!/bin/bash
# The first look at capture on a machine with an NVIDIA GPU (4 minutes; root for the last part).
# From the root of a built tree: bash tests/capture/gpu/smoke.sh [FOLDER for traces]
set -u
out=${1:-/tmp/traceq-smoke}
T=build/release/traceq
mkdir -p "$out"
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
nvcc -arch=native -o "$out/work" tests/capture/gpu/work.cu || exit 1
$T capture --check
failed=0

# one NAME EXIT OPTIONS -- ARGS: the program under capture, its exit status, its trace
one() {
	local name=$1 code=$2 options=()
	shift 2
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	echo "== $name"
	rm -f "$out/$name".json.gz*
	timeout 60 $T capture -o "$out/$name.json.gz" "${options[@]}" -- "$out/work" "$@" >"$out/$name.did"
	local got=$?
	[ "$got" = "$code" ] || { echo "FAIL exit $got, not $code"; failed=1; }
	if [ -e "$out/$name.json.gz" ]; then
		python3 tests/capture/gpu/compare.py "$out/$name.json.gz" "$out/$name.did" || failed=1
		$T check "$out/$name.json.gz" | head -n 5
	else
		echo "FAIL no trace"
		failed=1
	fi
}
one saxpy 0 -- n=10
one threads 0 -- n=1000 t=4
one graph 0 -- n=10 graph=100
one graph_whole 0 --graph graph -- n=10 graph=100
one spin 0 -- n=10 spin_us=1000
one nosync 0 -- n=10 end=nosync
one reset 0 -- n=10 end=reset
one exit_now 3 -- n=10 end=_exit
one kill9 137 -- n=10 end=kill9
one term 143 -- n=10 end=term
one nvml 0 --nvml 100ms -- n=10 end=hold
if [ "$(id -u)" = 0 ]; then
	echo "== not root (a tree below a home folder cannot be read by others, so copies are)"
	chmod 777 "$out"
	install -m 755 $T build/release/libtraceq-capture.so "$out"
	rm -f "$out/user.json.gz"
	if setpriv --reuid 65534 --clear-groups "$out/traceq" capture --lib "$out/libtraceq-capture.so" \
		-o "$out/user.json.gz" -- "$out/work" n=10 >"$out/user.did"; then
		if [ -e "$out/user.json.gz" ]; then
			python3 tests/capture/gpu/compare.py "$out/user.json.gz" "$out/user.did" || failed=1
		else
			echo "ok   nothing was recorded, and the program ran: why is said above"
		fi
	else
		echo "FAIL the program did not run"
		failed=1
	fi
fi
[ "$failed" = 0 ] && echo "smoke: all well" || echo "smoke: FAILED"
exit "$failed"
