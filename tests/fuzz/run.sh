#!/bin/bash
# run.sh TARGET...: each libFuzzer program runs FUZZ_SECS seconds.  Its seeds are in
# tests/fuzz/corpus/NAME; what it adds goes to build/fuzz-corpus/NAME, a finding beside that.
# By hand: keep a finding as tests/fuzz/corpus/NAME/what-it-is, smallest form (-minimize_crash=1),
# and grow the corpus with -merge=1.
set -u
export ASAN_OPTIONS=allocator_may_return_null=0:detect_leaks=1

[ $# -gt 0 ] || { echo "fuzz: no targets (tests/fuzz/fuzz_*.c)"; exit 2; }
passed=0 failed=0
for target in "$@"; do
	name=${target##*/fuzz_}
	grown=$BUILD/fuzz-corpus/$name
	mkdir -p "$grown"
	seeds=()
	[ -d "tests/fuzz/corpus/$name" ] && seeds=("tests/fuzz/corpus/$name")
	options=()
	[ -f "tests/fuzz/$name.dict" ] && options+=("-dict=tests/fuzz/$name.dict")
	echo "fuzz: $name, $FUZZ_SECS s"
	if "$target" -max_total_time="$FUZZ_SECS" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
		-artifact_prefix="$BUILD/fuzz-corpus/$name-" "${options[@]}" \
		"$grown" "${seeds[@]}" 2>"$grown.log"; then
		passed=$((passed + 1))
		grep -E 'number_of_executed_units|^#.*DONE' "$grown.log"
	else
		failed=$((failed + 1))
		grep -v '^#' "$grown.log" | tail -60
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
