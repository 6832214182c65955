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

if [ "${1-}" = --one ]; then
	[[ $2 == tests/capture/toolkit/* ]] && exit 0 # they need the headers of a CUDA toolkit
	stamp=$clean/$2.ok
	flags=()
	[[ $2 == *_avx2.c && $(uname -m) == x86_64 ]] && flags=(-mavx2 -mpclmul -mbmi -mbmi2)
	[[ $2 == *_avx2.c && $(uname -m) != x86_64 ]] && exit 0
	# shellcheck disable=SC2086 # lists of flags
	if out=$(clang-tidy --quiet "$2" -- $CPPFLAGS -DTRACEQ_RELEASE='"lint"' -DTRACEQ_COMMIT='"lint"' -std=c17 $WARN \
		-Wmissing-variable-declarations "${flags[@]}" \
		-Xclang -analyzer-config -Xclang "max-nodes=$TIDY_NODES" 2>/dev/null); then
		mkdir -p "$(dirname "$stamp")" && : >"$stamp"
	else
		grep -E -A 2 '(warning|error):' <<<"$out" || echo "$2: clang-tidy failed"
	fi
	exit 0
fi
newest=$(find base analyze report edit cmd fixtures capture tests .clang-tidy tests/lint/tidy.sh \
	\( -name '*.h' -o -name .clang-tidy -o -name tidy.sh \) -printf '%T@ %p\n' |
	sort -n | tail -n 1 | cut -d' ' -f2-)
found=$(find base analyze report edit cmd fixtures capture tests -name '*.c' | LC_ALL=C sort |
	while read -r f; do
		ok=$clean/$f.ok
		[ "$ok" -nt "$f" ] && [ "$ok" -nt "$newest" ] || echo "$f"
	done | xargs -r -P 2 -I{} tests/lint/tidy.sh --one {})
[ -n "$found" ] || exit 0
echo "$found"
exit 1
