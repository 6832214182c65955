#!/bin/bash
# make test: runs every part and adds up to one closing line, "N passed, N failed, N skipped".
#
#   run.sh                    unit, cli, oracle, replay, fixtures
#   run.sh --only PART        one of them
#   run.sh --threads          those that start threads, for SAN=thread
#
# The Makefile says where things are: B (the variant's folder), TRACEQ, FIXTURES, SHARED, SAN.
# Every runner but a unit program ends with such a line of its own; one without it has failed.
# Failures, and everything with V=1, are shown; the rest is in $B/log.
set -u
cd "$(dirname "$0")/.." || exit 2
: "${B:=$PWD/build/release}" "${BUILD:=$PWD/build}" "${SHARED:=../shared}" "${SAN:=}"
export TRACEQ=${TRACEQ:-$B/traceq} FIXTURES=${FIXTURES:-$B/fixtures} B BUILD SAN
SHARED=$(realpath -m "$SHARED")
export SHARED

# A sanitizer's finding has an exit code of its own: 1 and 2 are answers of the program.
export ASAN_OPTIONS=exitcode=99:detect_leaks=1 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
export TSAN_OPTIONS=exitcode=99
# Sanitizers of these years cannot place their shadow under every kernel's address randomisation.
if [ -n "$SAN" ] && [ -z "${ASLR_OFF-}" ] && setarch -R true 2>/dev/null; then
	ASLR_OFF=1 exec setarch -R "$0" "$@"
fi

only='' threads=''
case ${1-} in
--only) only=$2 ;;
--threads) threads=1 ;;
esac
log=$B/log
mkdir -p "$log"
passed=0 failed=0 skipped=0

# tally PART NAME SECONDS PASSED FAILED SKIPPED LOG: adds a runner's result and prints its line.
tally() {
	local word=ok
	passed=$((passed + $4)) failed=$((failed + $5)) skipped=$((skipped + $6))
	[ "$5" = 0 ] || word=FAIL
	if [ "$word" = FAIL ] || [ -n "${V-}" ]; then
		grep -vE '^[0-9]+ passed, [0-9]+ failed' "$7" | tail -n 200
	fi
	printf '%-4s %-8s %-24s %5d passed, %d failed, %d skipped %4d s\n' \
		"$word" "$1" "$2" "$4" "$5" "$6" "$3"
}

# unit_program FILE: cmocka's TAP output is counted.
unit_program() {
	local name=${1##*/} out code p f s began=$SECONDS
	out=$log/unit-$name.log
	CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 5 300 "$1" >"$out" 2>&1 </dev/null
	code=$?
	s=$(grep -cE '^(not )?ok [0-9]+.*# SKIP' "$out")
	p=$(grep -E '^ok [0-9]+' "$out" | grep -cv '# SKIP')
	f=$(grep -E '^not ok [0-9]+' "$out" | grep -cv '# SKIP')
	if [ "$f" = 0 ] && { [ "$code" != 0 ] || [ $((p + s)) = 0 ]; }; then
		f=1
		echo "$name: exit $code, after $p tests" >>"$out"
	fi
	tally unit "$name" "$((SECONDS - began))" "$p" "$f" "$s" "$out"
}

# start PART NAME COMMAND...: a runner beside the others, as many at once as there are cores; its
# last line is its result.
started=()
start() {
	local part=$1 name=$2 out=$log/$1-$2
	shift 2
	while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
	started+=("$part $name")
	rm -f "$out.code"
	{
		SECONDS=0
		timeout -k 5 1500 "$@" >"$out.log" 2>&1 </dev/null
		echo "$? $SECONDS" >"$out.code"
	} &
}

# finish: waits for what was started and counts it.
finish() {
	local one part name code seconds
	wait
	for one in "${started[@]}"; do
		read -r part name <<<"$one"
		read -r code seconds <"$log/$part-$name.code"
		judge "$part" "$name" "$code" "$seconds"
	done
}

# judge PART NAME CODE SECONDS: what a runner that has ended left in its log.
judge() {
	local part=$1 name=$2 code=$3 out line p=0 f=0 s=0
	out=$log/$part-$name.log
	line=$(tail -n 1 "$out")
	if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]} s=${BASH_REMATCH[4]:-0}
	else
		echo "$name: no closing line" >>"$out"
		f=1
	fi
	if [ "$code" != 0 ] && [ "$f" = 0 ]; then
		f=1
		echo "$name: exit $code" >>"$out"
	fi
	[ "$f" != 0 ] || grep -E '^(skip|SKIP)' "$out"
	tally "$part" "$name" "$4" "$p" "$f" "$s" "$out"
}

# With --threads, only programs that start threads are of interest.
wanted() {
	[ -z "$threads" ] || nm "$1" 2>/dev/null | grep -q 'pthread_create\|__tsan_.*thread_create'
}

part_unit() {
	local t
	for t in tests/unit/test_*.c; do
		t=$B/unit/$(basename "$t" .c)
		[ -x "$t" ] && wanted "$t" && unit_program "$t"
	done
}
part_cli() { start cli goldens tests/cli/run.sh; }
part_fixtures() {
	[ -n "$threads" ] || start fixtures selfcheck python3 -B fixtures/selfcheck.py "$FIXTURES"
}
part_oracle() {
	local t
	for t in tests/oracle/*.py; do
		[ -z "$threads" ] || [ "$t" = tests/oracle/capture.py ] || continue
		start oracle "$(basename "$t" .py)" python3 -B "$t"
	done
}
part_replay() {
	local t name
	for t in tests/fuzz/fuzz_*.c; do
		t=$B/replay/$(basename "$t" .c)
		name=${t##*/fuzz_}
		if [ ! -x "$t" ] || ! wanted "$t"; then
			continue
		elif [ -d "tests/fuzz/corpus/$name" ]; then
			start replay "$name" "$t" "tests/fuzz/corpus/$name"
		else
			start replay "$name" "$t"
		fi
	done
}

[ -d "$SHARED" ] || echo "SKIP: no folder $SHARED: what needs its real traces is skipped"
for part in unit fixtures cli oracle replay; do
	[ -z "$only" ] || [ "$only" = "$part" ] || continue
	"part_$part"
done
finish
[ "$failed" = 0 ] || echo "logs: $log"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ $((passed + skipped)) -gt 0 ]
