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

# One test: prints "ok", "skip: why" or "FAIL" and the differences; $1 is the .cmd file, $2 a folder
# that is not there yet.
run_one() {
	local base=${1%.cmd} dir=$root/${1%/*} name work=$2 code part filled=() verdict=ok
	name=${base#tests/cli/}
	mkdir -p "$work/in" || exit 2
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
		return
	fi
	[ "$code" = 0 ] || echo "$code" >"$work/exit"
	for part in out err exit; do
		[ ! -s "$work/$part" ] || filled+=("$work/$part")
	done
	[ ${#filled[@]} = 0 ] || sed -i -e "s|$work/in|\$PWD|g" -e "s|$dir|\$T|g" "${filled[@]}"
	for part in out err exit; do
		is_as_wanted "$base.$part" "$work/$part" && continue
		if [ -n "$BLESS" ]; then
			verdict=blessed
			rm -f "$base.$part"
			[ ! -s "$work/$part" ] || cp "$work/$part" "$base.$part"
		else
			verdict=FAIL
			: >>"$work/$part"
			diff -u --new-file --label "$base.$part" --label "what came" "$base.$part" "$work/$part" \
				>>"$work/diff"
		fi
	done
	[ -e "$work/diff" ] || { echo "$verdict $name"; return; }
	{
		echo "$verdict $name"
		head -n 60 "$work/diff"
		[ "$(wc -l <"$work/diff")" -le 60 ] || echo "... $(($(wc -l <"$work/diff") - 60)) more lines"
		echo "if it should be so: tests/cli/run.sh --bless $name.cmd"
	} >"$work/report"
	cat "$work/report"
}

# is_as_wanted WANTED CAME: the same bytes; a file that is not there is empty.
is_as_wanted() {
	if [ -s "$1" ] && [ -s "$2" ]; then
		cmp -s "$1" "$2"
	else
		[ ! -s "$1" ] && [ ! -s "$2" ]
	fi
}

# run.sh --some BLESS TEST...: the part of one of the processes that run side by side.
if [ "${1-}" = --some ]; then
	BLESS=$2 n=0
	shift 2
	folder=$(mktemp -d "${TMPDIR:-/tmp}/cli.XXXXXX") || exit 2
	trap 'rm -rf "$folder"' EXIT
	for t in "$@"; do
		run_one "$t" "$folder/$((n++))"
	done
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
	xargs -d '\n' -n 4 -P "${JOBS:-2}" tests/cli/run.sh --some "$BLESS")
passed=$(grep -cE '^(ok|blessed) ' <<<"$result")
skipped=$(grep -c '^skip ' <<<"$result")
failed=$((${#tests[@]} - passed - skipped))
[ -n "${V-}" ] || result=$(grep -v '^ok ' <<<"$result")
[ -z "$result" ] || echo "$result"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
