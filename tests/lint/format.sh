#!/bin/sh
# The layout is what clang-format 14 makes of it (make format); other versions differ in details.
# Where it breaks a line of a drawing in a comment, the rest lands behind a '*' with no blank.
# Why: a diff then shows what was changed, and no review is about blanks.
set -u
cd "$(dirname "$0")/../.." || exit 2
broken=$(find base analyze report edit cmd fixtures capture tests -name '*.[ch]' -print0 2>/dev/null |
	LC_ALL=C sort -z | xargs -0 -r awk '
	FNR == 1 { open = 0 }
	open && /^[ \t]*\*[^ \t\/*]/ { print FILENAME ":" FNR ": a comment that was broken in two" }
	/^[ \t]*\/\*/ { open = 1 }
	/\*\// { open = 0 }')
[ -z "$broken" ] || { echo "$broken"; exit 1; }
found=$(find base analyze report edit cmd fixtures capture tests -name '*.[ch]' 2>/dev/null |
	LC_ALL=C sort | xargs -r clang-format --dry-run -Werror 2>&1 |
	sed -n 's/^\([^:]*\):\([0-9]*\):.*error: code should be clang-formatted.*/\1:\2/p')
[ -n "$found" ] || exit 0
echo "$found" | awk -F: '
	!($1 in n) { file[++files] = $1; first[$1] = $2 }
	{ n[$1]++ }
	END { for (i = 1; i <= files; i++) { f = file[i]; print f ":" first[f] ": " n[f] " places to format" } }'
echo "make format does it"
exit 1
