#!/bin/bash
# A double goes to an integer through base/saturate.h alone: C says nothing of what a plain cast makes of
# NaN or of a number out of range, and numbers come from files.  A line with "lint: allow cast" in a
# comment says why it may.
# CPPFLAGS comes from the Makefile.
# Why: files hold NaN and 1e308, and what such a cast makes of them differs from machine to machine.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${CPPFLAGS:=-I. -D_GNU_SOURCE=1}"
export CPPFLAGS

# --some QUERY FILE...: where there are such casts.  Of bundles that do not compile, each file is looked at alone.
if [ "${1-}" = --some ]; then
	query=$2
	shift 2
	avx=''
	[ "$(uname -m)" != x86_64 ] || avx='-mavx2 -mpclmul -mbmi -mbmi2'
	# shellcheck disable=SC2086 # lists of flags
	said=$(clang-query -f "$query" "$@" -- $CPPFLAGS -DTRACEQ_RELEASE='"lint"' -DTRACEQ_COMMIT='"lint"' -std=c17 -w $avx 2>&1)
	if [[ $1 == *.bundle.c && $said == *" error: "* ]]; then
		sed -n 's/^#include "\(.*\)"$/\1/p' "$@" | xargs "$0" --some "$query"
	else
		grep 'binds here' <<<"$said" # few lines each, so that no two are mixed
	fi
	exit 0
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cat >"$work/query" <<'END'
set output diag
match cStyleCastExpr(hasCastKind("CK_FloatingToIntegral"))
match callExpr(callee(functionDecl(hasAnyName("llround", "lround", "llrint", "lrint"))))
END

# casts FILE...: places of such casts, with their lines.
casts() {
	printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -n 6 tests/lint/casts.sh --some "$work/query" |
		sed -n "s|^$PWD/||; s|^\./||; s/: note: \"root\" binds here.*//p" | sort -u |
		grep -v '^base/saturate\.h:' | while IFS=: read -r f n _; do
		sed -n "${n}p" "$f" | grep -q 'lint: allow cast' ||
			echo "$f:$n: a double is cast to an integer: base/saturate.h does that for any number"
	done
}

# It finds one where there is one, in a bundle and in one that does not compile, too.
for i in one two; do
	echo "long $i(double v) { return (long)v; }" >"$work/$i.c"
	echo "#include \"$work/$i.c\""
done >"$work/trial.bundle.c"
{
	cat "$work/trial.bundle.c"
	echo 'int other = nothing;'
} >"$work/broken.bundle.c"
for trial in trial broken; do
	[ "$(casts "$work/$trial.bundle.c" | wc -l)" = 2 ] ||
		{ echo "casts.sh does not find the casts of two files in a bundle"; exit 1; }
done

# In bundles headers are read once for many files (tests/bundles.py); what goes with no other file stands alone.
git ls-files 'base/*.c' 'analyze/*.c' 'report/*.c' 'edit/*.c' 'cmd/*.c' >"$work/files"
sed 's/^/lint:/' "$work/files" | python3 -B tests/bundles.py "$work/bundles" 24 || exit 1
for bundle in "$work"/bundles/*.c; do
	mv "$bundle" "${bundle%.c}.bundle.c"
done
sed -n 's/^#include "\(.*\)"$/\1/p' "$work"/bundles/*.bundle.c | sort >"$work/bundled"
mapfile -t alone < <(sort "$work/files" | comm -23 - "$work/bundled")
found=$(casts "$work"/bundles/*.bundle.c "${alone[@]}")
[ -z "$found" ] && exit 0
echo "$found"
exit 1
