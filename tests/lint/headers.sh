#!/bin/bash
# Each header compiles alone, twice over, and says `#pragma once`.
# x_impl.h is no header but a body that several files include after defining what it asks for; it is
# compiled with them.  CC, CPPFLAGS and WARN come from the Makefile.
# What base/base.h gives is included through it, by all of the product that stands above it.
# Why: a header that needs another before it breaks whoever includes it alone.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${CC:=cc}" "${CPPFLAGS:=-I. -D_GNU_SOURCE=1}" "${WARN:=-Wall -Wextra}"
export CC CPPFLAGS WARN

if [ "${1-}" = --one ]; then
	h=$2
	if ! grep -qx '#pragma once' "$h"; then
		echo "$h: no '#pragma once'"
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
given=$(grep -oP '^#include \S+' base/base.h)
by_name=$(grep -rnFf <(echo "$given") analyze report edit cmd --include='*.[ch]')
[ -n "$by_name" ] && found+=$'\n'"what base/base.h gives is included by it:"$'\n'"$by_name"
[ -n "$found" ] || exit 0
grep -vx bad <<<"$found"
exit 1
