#!/bin/sh
# Sizes: a file has at most 400 lines (600 fail), a function 50 (120 fail), a line 100 columns with
# tabs of 8 (120 with a string in it, which clang-format does not break; any in fixtures/ and
# tests/, where such strings are data); each .c opens with a comment that says what it is.
# Files of tables (.def) are measured, too; nothing formats them.
set -u
cd "$(dirname "$0")/../.." || exit 2
status=0

for f in $(find base analyze report cmd fixtures capture tests -name '*.[ch]' -o -name '*.def' 2>/dev/null |
	LC_ALL=C sort); do
	case $f in
	*.c)
		head -n 1 "$f" | grep -q '^/\*' || {
			echo "$f:1: no comment that says what this file is"
			status=1
		}
		;;
	esac
	n=$(wc -l <"$f")
	if [ "$n" -gt 600 ]; then
		echo "$f: $n lines, more than 600"
		status=1
	elif [ "$n" -gt 400 ]; then
		echo "$f: $n lines, better under 400 (warning)"
	fi
	expand -t 8 "$f" | LC_ALL=C.UTF-8 awk -v f="$f" '
		{ sub(/[ ]*\\$/, "") }
		/"/ && (f ~ /^(fixtures|tests)\// || length($0) <= 120) || /https?:/ { next }
		length($0) > 100 {
			print f ":" NR ": " length($0) " columns"
			bad = 1
		}
		END { exit bad }' || status=1
	awk -f tests/lint/strip.awk "$f" | awk -v f="$f" '
		/^[A-Za-z_]/ && !/;[ \t]*$/ { first = FNR; name = $0 }
		/^\{/ { open = 1 }
		/^\}/ && open {
			open = 0
			n = FNR - first + 1
			sub(/\(.*/, "", name)
			sub(/.*[ *]/, "", name)
			if (n > 120) { print f ":" first ": " name " has " n " lines, more than 120"; bad = 1 }
			else if (n > 50) print f ":" first ": " name " has " n " lines, better under 50 (warning)"
		}
		END { exit bad }' || status=1
done
exit "$status"
