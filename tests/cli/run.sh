#!/bin/bash
# Golden tests of the program's output.
#
#   run.sh [--bless] [PATTERN...]       PATTERN: part of a test's path, as top/ or info/rank
#
# tests/cli/FOLDER/COMMAND/WHAT.cmd is run by bash in an empty folder, with $TRACEQ (the program),
# $FIXTURES (the generator) and $T (the test's folder); its stdout, stderr and exit code
# are those in WHAT.out, WHAT.err and WHAT.exit (absent: empty, empty, 0).  Exit code 77 means
# skipped, with the reason as the last line of stdout.  In what is compared, the paths of $T and of
# the empty folder read $T and $PWD.  --bless rewrites what differs; below a test that fails stands the
# command that does so for this test.
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
: "${TRACEQ:=$root/build/release/traceq}" "${FIXTURES:=$root/build/release/fixtures}"
export TRACEQ FIXTURES BLESS=

# One test: prints "ok", "skip: why" or "FAIL" and the differences; $1 is the .cmd file.
run_one() {
	local base=${1%.cmd} dir name work code part verdict=ok
	name=${base#tests/cli/}
	dir=$root/$(dirname "$1")
	work=$(mktemp -d "${TMPDIR:-/tmp}/traceq-cli.XXXXXX") || exit 2
	mkdir "$work/in"
	(
		cd "$work/in" && exec env -i PATH="$PATH" HOME="$work/in" LC_ALL=C.UTF-8 TERM=dumb TZ=UTC \
			TRACEQ="$TRACEQ" FIXTURES="$FIXTURES" T="$dir" \
			ASAN_OPTIONS="${ASAN_OPTIONS-}" UBSAN_OPTIONS="${UBSAN_OPTIONS-}" \
			TSAN_OPTIONS="${TSAN_OPTIONS-}" \
			timeout -k 5 "${CLI_TIMEOUT:-120}" bash "$root/$1" >../out 2>../err </dev/null
	)
	code=$?
	if [ "$code" = 77 ]; then
		echo "skip $name: $(tail -n 1 "$work/out")"
		rm -rf "$work"
		return
	fi
	[ "$code" = 0 ] || echo "$code" >"$work/exit"
	for part in out err exit; do
		[ -e "$work/$part" ] || : >"$work/$part"
		sed -i -e "s|$work/in|\$PWD|g" -e "s|$dir|\$T|g" "$work/$part"
		if [ -e "$base.$part" ]; then
			cp "$base.$part" "$work/want"
		else
			: >"$work/want"
		fi
		cmp -s "$work/want" "$work/$part" && continue
		if [ -n "$BLESS" ]; then
			verdict=blessed
			rm -f "$base.$part"
			[ -s "$work/$part" ] && cp "$work/$part" "$base.$part"
		else
			verdict=FAIL
			diff -u --label "$base.$part" --label "what came" "$work/want" "$work/$part" \
				>>"$work/diff"
		fi
	done
	{
		echo "$verdict $name"
		if [ -e "$work/diff" ]; then
			head -n 60 "$work/diff"
			[ "$(wc -l <"$work/diff")" -le 60 ] || echo "... $(($(wc -l <"$work/diff") - 60)) more lines"
			echo "if it should be so: tests/cli/run.sh --bless $name.cmd"
		fi
	} >"$work/report"
	cat "$work/report"
	rm -rf "$work"
}

if [ "${1-}" = --one ]; then
	BLESS=$3
	run_one "$2"
	exit 0
fi
if [ "${1-}" = --bless ]; then
	BLESS=1
	shift
fi
if [ ! -x "$TRACEQ" ]; then
	echo "no program '$TRACEQ': make first" >&2
	exit 2
fi
all=$(find tests/cli -name '*.cmd' | LC_ALL=C sort)
tests=()
[ -z "$all" ] || mapfile -t tests <<<"$all"
if [ $# -gt 0 ]; then
	chosen=()
	for pattern in "$@"; do
		for t in "${tests[@]}"; do
			[[ $t == *"$pattern"* ]] && chosen+=("$t")
		done
	done
	tests=("${chosen[@]}")
fi
[ ${#tests[@]} -gt 0 ] || { echo "0 passed, 0 failed, 0 skipped"; exit 0; }
result=$(printf '%s\n' "${tests[@]}" |
	xargs -P "${JOBS:-2}" -I{} tests/cli/run.sh --one {} "$BLESS")
passed=$(grep -cE '^(ok|blessed) ' <<<"$result")
skipped=$(grep -c '^skip ' <<<"$result")
failed=$((${#tests[@]} - passed - skipped))
[ -n "${V-}" ] || result=$(grep -v '^ok ' <<<"$result")
[ -z "$result" ] || echo "$result"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
