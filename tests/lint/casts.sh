#!/bin/bash
# A double goes to an integer through base/saturate.h alone: C says nothing of what a plain cast makes of
# NaN or of a number out of range, and numbers come from files.  A line with "lint: allow cast" in a
# comment says why it may.
# CPPFLAGS comes from the Makefile.
# Why: files hold NaN and 1e308, and what such a cast makes of them differs from machine to machine.
set -u
cd "$(dirname "$0")/../.." || exit 2
avx=''
[ "$(uname -m)" != x86_64 ] || avx='-mavx2 -mpclmul -mbmi -mbmi2'
: "${CPPFLAGS:=-I. -D_GNU_SOURCE=1}"
query=$(mktemp) || exit 2
trap 'rm -f "$query"' EXIT
cat >"$query" <<'END'
set output diag
match cStyleCastExpr(hasCastKind("CK_FloatingToIntegral"))
match callExpr(callee(functionDecl(hasAnyName("llround", "lround", "llrint", "lrint"))))
END

# casts FILE...: places of such casts, with their lines.
casts() {
	# shellcheck disable=SC2016,SC2086 # the inner shell expands; a list of flags
	printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -n 24 sh -c 'clang-query -f "$0" "$@" -- '"$CPPFLAGS"' \
		-DTRACEQ_RELEASE=\"lint\" -DTRACEQ_COMMIT=\"lint\" -std=c17 -w '"$avx"' 2>/dev/null |
			grep "binds here"' "$query" | # few lines each, so that no two are mixed
		sed -n "s|^$PWD/||; s|^\./||; s/: note: \"root\" binds here.*//p" | sort -u |
		grep -v '^base/saturate\.h:' | while IFS=: read -r f n _; do
		sed -n "${n}p" "$f" | grep -q 'lint: allow cast' ||
			echo "$f:$n: a double is cast to an integer: base/saturate.h does that for any number"
	done
}

# It finds one where there is one.
trial=$(mktemp --suffix .c) || exit 2
trap 'rm -f "$query" "$trial"' EXIT
echo 'long f(double v) { return (long)v; }' >"$trial"
[ -n "$(casts "$trial")" ] || { echo "casts.sh finds nothing in a file that has a cast"; exit 1; }

mapfile -t files < <(git ls-files 'base/*.c' 'analyze/*.c' 'report/*.c' 'edit/*.c' 'cmd/*.c')
found=$(casts "${files[@]}")
[ -z "$found" ] && exit 0
echo "$found"
exit 1
