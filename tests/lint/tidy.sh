#!/bin/bash
# clang-tidy over the sources, as .clang-tidy says; what was clean is looked at again only when it,
# a header or .clang-tidy has changed.  TIDY_NODES bounds what the analyzer explores of a function;
# make check-all lets it go four times as far as the gate.
# CPPFLAGS and WARN come from the Makefile.
# Why: the analyzer follows ways through a function that no test has taken.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${BUILD:=build}" "${CPPFLAGS:=-I. -D_GNU_SOURCE=1}" "${WARN:=-Wall -Wextra}"
: "${TIDY_NODES:=10000}"
export BUILD CPPFLAGS WARN TIDY_NODES
clean=$BUILD/tidy/$TIDY_NODES

# --some FILE...: of files that are clean notes that they are.  Of a bundle (tests/bundles.py), whose
# headers are read once and whose functions are known to each other, these are its files; only where one
# process finds something in many files is each looked at alone, which says whose it is.
if [ "${1-}" = --some ]; then
	shift
	flags=() options=() files=("$@")
	[[ $1 == *_avx2.c ]] && flags=(-mavx2 -mpclmul -mbmi -mbmi2)
	if [[ $1 == *.bundle.c ]]; then
		mapfile -t files < <(sed -n 's/^#include "\(.*\)"$/\1/p' "$1")
		options=(--config-file=.clang-tidy '--header-filter=.*' --checks=-bugprone-suspicious-include)
		flags=(-Wno-shadow -Wno-missing-prototypes -Xclang -analyzer-opt-analyze-headers)
	fi
	# shellcheck disable=SC2086 # lists of flags
	if out=$(clang-tidy --quiet "${options[@]}" "$@" -- $CPPFLAGS -DTRACEQ_RELEASE='"lint"' -DTRACEQ_COMMIT='"lint"' -std=c17 $WARN \
		-Wmissing-variable-declarations "${flags[@]}" \
		-Xclang -analyzer-config -Xclang "max-nodes=$TIDY_NODES" 2>/dev/null); then
		for f in "${files[@]}"; do
			mkdir -p "$clean/${f%/*}" && : >"$clean/$f.ok"
		done
	elif [[ $1 == *.bundle.c ]]; then
		"$0" --some "${files[@]}"
	elif [ $# -gt 1 ]; then
		for f; do
			"$0" --some "$f"
		done
	else
		grep -E -A 2 '(warning|error):' <<<"$out" || echo "$1: clang-tidy failed"
	fi
	exit 0
fi
newest=$(find base analyze report edit cmd fixtures capture tests .clang-tidy tests/lint/tidy.sh \
	\( -name '*.h' -o -name .clang-tidy -o -name tidy.sh \) -printf '%T@ %p\n' |
	sort -n | tail -n 1 | cut -d' ' -f2-)
# Those of the toolkit need its headers, and those with instructions of x86-64 that machine.
changed=$(find base analyze report edit cmd fixtures capture tests -name '*.c' \
	! -path 'tests/capture/toolkit/*' | LC_ALL=C sort |
	while read -r f; do
		ok=$clean/$f.ok
		[ "$ok" -nt "$f" ] && [ "$ok" -nt "$newest" ] || echo "$f"
	done)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
grep -v '_avx2\.c$\|^tests/fuzz/' <<<"$changed" | sed '/./s/^/tidy:/' | python3 -B tests/bundles.py "$work" 16 || exit 1
for bundle in "$work"/*.c; do
	[ ! -e "$bundle" ] || mv "$bundle" "${bundle%.c}.bundle.c"
done
# What goes with no other file is looked at with others by one process.
bundled=$(cat "$work"/*.bundle.c 2>/dev/null | sed -n 's/^#include "\(.*\)"$/\1/p')
found=$({
	find "$work" -name '*.bundle.c' | sort | xargs -r -P 2 -n 1 tests/lint/tidy.sh --some
	grep -v '_avx2\.c$' <<<"$changed" | grep -vxFf <(echo "$bundled") | xargs -r -P 2 -n 16 tests/lint/tidy.sh --some
	[ "$(uname -m)" != x86_64 ] || grep '_avx2\.c$' <<<"$changed" | xargs -r -P 2 -n 1 tests/lint/tidy.sh --some
})
[ -n "$found" ] || exit 0
echo "$found"
exit 1
