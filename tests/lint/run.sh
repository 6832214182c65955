#!/bin/bash
# make lint: runs each check, says what is skipped because its tool is missing.
set -u
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0 skipped=0

# lint NAME [TOOL [VERSION]]: runs tests/lint/NAME.sh if TOOL (in that major version) is here.
lint() {
	local out
	if [ $# -gt 1 ] && ! command -v "$2" >/dev/null; then
		echo "skip $1: $2 is not installed"
		skipped=$((skipped + 1))
		return
	fi
	if [ $# -gt 2 ] && ! "$2" --version | grep -q "version $3\\."; then
		echo "skip $1: the tree is checked with $2 $3, this is $("$2" --version | head -n 1)"
		skipped=$((skipped + 1))
		return
	fi
	if out=$("tests/lint/$1.sh" 2>&1); then
		echo "ok   $1"
		passed=$((passed + 1))
	else
		echo "FAIL $1"
		failed=$((failed + 1))
	fi
	[ -z "$out" ] || awk '{ print "     " $0 }' <<<"$out"
}

lint layers
lint headers
lint banned
lint text
lint shape
lint globals nm
lint circles nm
lint unused nm
lint scripts
lint tables
lint format clang-format 14
lint tidy clang-tidy
echo "lint: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
