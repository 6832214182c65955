#!/bin/bash
# run.sh TARGET...: libFuzzer programs side by side, as many at once as there are processors, each
# for FUZZ_SECS seconds, or all of them in FUZZ_TOTAL seconds together.  Seeds are in
# tests/fuzz/corpus/NAME; what a target adds goes to build/fuzz-corpus/NAME, its log and a finding
# beside that.  tests/fuzz/NAME.options has further options of it.
# By hand: keep a finding as tests/fuzz/corpus/NAME/what-it-is, smallest form (-minimize_crash=1),
# and grow the corpus with -merge=1.
set -u
export ASAN_OPTIONS=allocator_may_return_null=0:detect_leaks=1
ASAN_SYMBOLIZER_PATH=$(command -v llvm-symbolizer || compgen -G '/usr/bin/llvm-symbolizer-*' | tail -n 1)
export ASAN_SYMBOLIZER_PATH # a target may change PATH

shm=/tmp
[ -w /dev/shm ] && shm=/dev/shm
FUZZ_ROOT=$(mktemp -d "$shm/traceq-fuzz-XXXXXX") || exit 2
export FUZZ_ROOT # where targets write; one that ends in a crash leaves its files
trap 'rm -rf "$FUZZ_ROOT"' EXIT

[ $# -gt 0 ] || { echo "fuzz: no targets (tests/fuzz/fuzz_*.c)"; exit 2; }
slots=$(nproc)
secs=$FUZZ_SECS
if [ -n "${FUZZ_TOTAL-}" ]; then
	secs=$((FUZZ_TOTAL / (($# + slots - 1) / slots)))
	[ "$secs" -gt 0 ] || secs=1
fi

# fuzz_one TARGET NAME: its exit code is in NAME.exit, so that the others go on.
fuzz_one() {
	local grown=$BUILD/fuzz-corpus/$2 options=()
	mkdir -p "$grown"
	rm -f "$grown.exit"
	[ -f "tests/fuzz/$2.options" ] && read -ra options <"tests/fuzz/$2.options"
	[ -f "tests/fuzz/$2.dict" ] && options+=("-dict=tests/fuzz/$2.dict")
	set -- "$1" "$grown"
	[ -d "tests/fuzz/corpus/${2##*/}" ] && set -- "$@" "tests/fuzz/corpus/${2##*/}"
	"$1" -max_total_time="$secs" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
		-artifact_prefix="$grown-" "${options[@]}" "${@:2}" 2>"$grown.log"
	echo $? >"$grown.exit"
}

echo "fuzz: $# targets, $secs s each, $slots at once"
for target in "$@"; do
	while [ "$(jobs -rp | wc -l)" -ge "$slots" ]; do wait -n; done
	fuzz_one "$target" "${target##*/fuzz_}" &
done
wait

passed=0 failed=0
for target in "$@"; do
	name=${target##*/fuzz_} log=$BUILD/fuzz-corpus/${target##*/fuzz_}.log
	if [ "$(cat "${log%.log}.exit" 2>/dev/null)" = 0 ]; then
		passed=$((passed + 1))
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
		cover=$(sed -n 's/^#.* \(ft: [0-9]*\) .*/\1/p' "$log" | tail -n 1)
		printf '%-10s %10s runs  %s\n' "$name" "$runs" "$cover"
	else
		failed=$((failed + 1))
		echo "FAIL $name: $(sed -n 's/.*Test unit written to //p' "$log")"
		grep -v '^#\|NEW_FUNC' "$log" | tail -60
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
