#!/bin/sh
# Sizes: a file has at most 400 lines (600 fail), a function 50 (120 fail), a line 100 columns with
# tabs of 8 (120 with a string in it, which clang-format does not break; any in fixtures/ and
# tests/, where such strings are data); each .c opens with a comment that says what it is.
# A comment begins behind /* and ends before */, where that fits.
# Files of tables (.def) are measured, too; nothing formats them.  A folder of the product has at most
# 60 files of C, and no two files of the product have one name.
# Why: what fits on a screen is understood as a whole; longer functions and lines are not.
set -u
cd "$(dirname "$0")/../.." || exit 2
status=0

files=$(find base analyze report edit cmd fixtures capture tests -name '*.[ch]' -o -name '*.def' 2>/dev/null |
	LC_ALL=C sort)

# Files and lines.
# shellcheck disable=SC2086 # names of files, without blanks
LC_ALL=C.UTF-8 awk '
	function end_of_file() {
		if (n > 600) {
			print f ": " n " lines, more than 600"
			bad = 1
		} else if (n > 400)
			print f ": " n " lines, better under 400 (warning)"
	}
	function width(s, part, k, w, i) {
		k = split(s, part, "\t")
		for (i = 1; i < k; i++) {
			w += length(part[i])
			w += 8 - w % 8
		}
		return w + length(part[k])
	}
	FNR == 1 {
		if (f)
			end_of_file()
		f = FILENAME
		if (f ~ /\.c$/ && !/^\/\*/) {
			print f ":1: no comment that says what this file is"
			bad = 1
		}
	}
	{
		n = FNR
		sub(/[ \t]*\\$/, "")
		w = width($0)
	}
	/^[ \t]*\/\*$/ { marked = FNR }
	marked && /^[ \t]*\*\/$/ {
		if (marked < FNR - 1 && before <= 97) {
			print f ":" marked ": a comment begins behind /*, and ends before */"
			bad = 1
		}
		marked = 0
	}
	marked && FNR == marked + 1 && !/^[ \t]*\* [^ \t]/ { marked = 0 }
	{ before = /^[ \t]*\*[ \t]*[^ \t]/ ? w : 100 }
	w <= 100 || /"/ && (f ~ /^(fixtures|tests)\// || w <= 120) || /https?:/ { next }
	{
		print f ":" FNR ": " w " columns"
		bad = 1
	}
	END {
		end_of_file()
		exit bad
	}' $files || status=1

# Functions.
# shellcheck disable=SC2086
awk -v names=1 -f tests/lint/strip.awk $files | awk -F: '
	$1 != f { f = $1; open = 0 }
	{ line = substr($0, length($1 ":" $2) + 2) }
	line ~ /^[A-Za-z_]/ && line !~ /;[ \t]*$/ { first = $2; name = line }
	line ~ /^\{/ { open = 1 }
	line ~ /^\}/ && open {
		open = 0
		n = $2 - first + 1
		sub(/\(.*/, "", name)
		sub(/.*[ *]/, "", name)
		if (n > 120) { print f ":" first ": " name " has " n " lines, more than 120"; bad = 1 }
		else if (n > 50) print f ":" first ": " name " has " n " lines, better under 50 (warning)"
	}
	END { exit bad }' || status=1

# Folders and names.
# shellcheck disable=SC2086
printf '%s\n' $files | awk -F/ '
	/^(fixtures|tests)\// { next }
	{
		name = $NF
		folder = substr($0, 1, length($0) - length(name) - 1)
		if (++n[folder] == 61) {
			print folder ": more than 60 files of C"
			bad = 1
		}
		if (name in home) {
			print $0 ": its name is that of " home[name] ", too"
			bad = 1
		}
		home[name] = $0
	}
	END { exit bad }' || status=1
exit "$status"
