#!/bin/sh
# Checks #include "..." against docs/layers.txt, and that no module includes itself by way of others.
# Why: a part can be read and tested alone only while it knows nothing of those above it.
set -u
cd "$(dirname "$0")/../.." || exit 2
files=$(find . -path ./build -prune -o -path ./.git -prune -o -path ./tests -prune -o \
	-name '*.[ch]' -print | sed 's|^\./||' | LC_ALL=C sort)

# shellcheck disable=SC2086 # file names without blanks
awk '
function inside(path, dir) { return index(path "/", dir "/") == 1 }
function layer(path,   dir, best, d) {
	dir = path
	sub(/\/[^\/]*$/, "", dir)
	best = ""
	for (d in rank)
		if (inside(dir, d) && length(d) > length(best))
			best = d
	return best
}
# The folder in dir that path lies in; "" when path lies in dir itself.
function room(path, dir,   rest) {
	rest = substr(path, length(dir) + 2)
	return rest ~ /\// ? substr(rest, 1, index(rest, "/") - 1) : ""
}
function bad(text) { print FILENAME ":" FNR ": " text; failed = 1 }
FILENAME == "docs/layers.txt" {
	if ($1 == "blind")
		for (i = 3; i <= NF; i++) {
			blind_from[++blinds] = $2
			blind_to[blinds] = $i
		}
	else if ($1 == "apart")
		apart[$2]
	else if ($0 !~ /^#/)
		for (i = 1; i <= NF; i++)
			rank[$i] = FNR
	next
}
FNR == 1 {
	from = layer(FILENAME)
	if (from == "") bad("this folder is not in docs/layers.txt")
	for (a in apart)
		if (inside(FILENAME, a) && room(FILENAME, a) == "")
			bad("goes into a folder of its own in " a)
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, part, "\"")
	target = part[2]
	to = layer(target)
	if (target !~ /\//) {          # beside the file: fixtures/ does so, being no part of traceq
		to = from
		if (from != "fixtures" && from != "capture")
			bad("include \"" target "\" by its path from the root")
	}
	if (to == "")
		bad("include of unknown folder: " target)
	else if (to != from && rank[to] >= rank[from])
		bad(from " may not include " target)
	for (i = 1; i <= blinds; i++)
		if (inside(FILENAME, blind_from[i]) && inside(target, blind_to[i]))
			bad(blind_from[i] " may not include " target)
	for (a in apart)
		if (inside(FILENAME, a) && inside(target, a) && room(FILENAME, a) != room(target, a))
			bad(a "/" room(FILENAME, a) " may not include " target)
}
END { exit failed }' docs/layers.txt $files
status=$?

# Cycles: tsort names the members of each loop.  A module is x.c and x.h; of fixtures/, which is one
# program apart, only headers are looked at.
# shellcheck disable=SC2086
loops=$(awk '
/^[ \t]*#[ \t]*include[ \t]*"/ && FILENAME !~ /^fixtures\/.*c$/ {
	split($0, part, "\"")
	me = FILENAME
	if (part[2] !~ /\//) {
		dir = me
		sub(/[^\/]*$/, "", dir)
		part[2] = dir part[2]
	}
	sub(/\.[ch]$/, "", me)
	sub(/\.[ch]$/, "", part[2])
	if (me != part[2])
		print me, part[2]
}' $files /dev/null | tsort 2>&1 >/dev/null)
if [ -n "$loops" ]; then
	echo "modules that include each other:"
	echo "$loops"
	status=1
fi
exit "$status"
