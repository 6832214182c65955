#!/bin/bash
# Each header compiles alone, twice over, and its guard is its path: base/err.h has BASE_ERR_H.
# x_impl.h is no header but a body that several files include after defining what it asks for; it is
# compiled with them.  CC, CPPFLAGS and WARN come from the Makefile.
# Why: a header that needs another before it breaks whoever includes it alone.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${CC:=cc}" "${CPPFLAGS:=-I. -D_GNU_SOURCE=1}" "${WARN:=-Wall -Wextra}"
export CC CPPFLAGS WARN

if [ "${1-}" = --one ]; then
	h=$2
	want=$(tr 'a-z/.-' 'A-Z___' <<<"$h")
	guard=$(grep -m 1 -oP '^#\s*ifndef\s+\K\w+' "$h")
	if [ "$guard" != "$want" ]; then
		echo "$h: the guard is '$guard', not $want"
		echo bad
	fi
	include="#include \"$h\""
	# shellcheck disable=SC2086 # lists of flags
	printf '%s\n%s\n' "$include" "$include" |
		$CC $CPPFLAGS -std=c17 $WARN -Werror -fsyntax-only -x c - || echo bad
	exit 0
fi
: "${CC:=cc}" "${CPPFLAGS:=-I. -D_GNU_SOURCE=1}" "${WARN:=-Wall -Wextra}"
export CC CPPFLAGS WARN
found=$(find base analyze report edit cmd fixtures capture tests -name '*.h' ! -name '*_impl.h' | LC_ALL=C sort |
	xargs -r -P 2 -I{} tests/lint/headers.sh --one {} 2>&1)
[ -n "$found" ] || exit 0
grep -vx bad <<<"$found"
exit 1
