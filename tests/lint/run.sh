#!/bin/bash
# make lint, or run.sh NAME... for some of it: runs the checks, two at a time, and says in order what
# each found; what is skipped because its tool is missing is said, too.  Below what fails stands why
# there is such a rule: the line "# Why: ..." on top of the check, without which it fails itself.
set -u
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0 skipped=0
found=$(mktemp -d "${TMPDIR:-/tmp}/traceq-lint.XXXXXX") || exit 2
trap 'rm -rf "$found"' EXIT
begun=()

# lint NAME [TOOL [VERSION]]: begins tests/lint/NAME.sh if it is asked for and TOOL (in that major
# version) is here.
chosen=" $* " known=' '
lint() {
	known+="$1 "
	[ "$chosen" = '  ' ] || [[ $chosen == *" $1 "* ]] || return
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
	while [ "$(jobs -rp | wc -l)" -ge 2 ]; do
		wait -n
	done
	begun+=("$1")
	{ "tests/lint/$1.sh" >"$found/$1" 2>&1 && : >"$found/$1.ok"; } &
}

# say NAME: what it found.
say() {
	local why
	why=$(sed -n '1,/^[^#]/s/^# Why: //p' "tests/lint/$1.sh")
	if [ -z "$why" ]; then
		echo "tests/lint/$1.sh does not say why: a line '# Why: ...' on top" >>"$found/$1"
		rm -f "$found/$1.ok"
	fi
	if [ -e "$found/$1.ok" ]; then
		echo "ok   $1"
		passed=$((passed + 1))
	else
		echo "FAIL $1"
		failed=$((failed + 1))
	fi
	awk '{ print "     " $0 }' "$found/$1"
	[ -e "$found/$1.ok" ] || [ -z "$why" ] || echo "     why: $why"
}

lint layers
lint headers
lint banned
lint loops
lint byhand
lint text
lint shape
lint globals nm
lint circles nm
lint unused nm
lint scripts
lint tables
lint release
lint format clang-format 14
lint casts clang-query
lint tidy clang-tidy
for name; do
	[[ $known == *" $name "* ]] || { echo "no check '$name'; there are:$known"; failed=1; }
done
wait
for name in "${begun[@]}"; do
	say "$name"
done
echo "lint: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
