#!/bin/sh
# No circle of calls between files of the product: when a calls b and b calls a, neither can be read
# without the other.  A file is its object, a call a name that another object defines.  Files that
# reach each other are one circle; those in tests/lint/circles.txt may stay, and it says why.
#
#   circles.sh --list     print the circles there are, as circles.txt has them
# Why: of two files that call each other neither can be read, tested or changed without the other.
set -u
cd "$(dirname "$0")/../.." || exit 2
objects=${BUILD:-build}/alone
sources=$(find base analyze report edit cmd capture -name '*.c' -o -path 'analyze/answer/*/*_tables.def' ! -name noise_tables.def |
	sed 's/\.def$/_def.c/' | LC_ALL=C sort)
set -- "${1-}"
for f in $sources; do
	set -- "$@" "$objects/${f%.c}.o"
	[ -e "$objects/${f%.c}.o" ] || { echo "no $objects/${f%.c}.o: make first"; exit 1; }
done
list=$1
shift

nm -A -P "$@" 2>/dev/null | awk -v skip="${#objects}" -v list="$list" '
# Marks all that can be reached from i along next_of, in seen.
function reach(i, next_of, seen,   stack, top, n, k, to) {
	stack[top = 1] = i
	while (top > 0) {
		n = split(next_of[stack[top--]], to, " ")
		for (k = 1; k <= n; k++)
			if (!(to[k] in seen)) {
				seen[to[k]]
				stack[++top] = to[k]
			}
	}
}
# The members of a circle as one line: the longest folder they share, then each from there.
function spell(n, member,   dir, i) {
	dir = member[1]
	sub(/[^\/]*$/, "", dir)
	for (i = 2; i <= n; i++)
		while (index(member[i], dir) != 1)
			sub(/[^\/]*\/$/, "", dir)
	line = dir
	for (i = 1; i <= n; i++)
		line = line " " substr(member[i], length(dir) + 1)
	return line
}
FILENAME == "tests/lint/circles.txt" {
	if ($0 !~ /^#/ && NF > 0) {
		reason = index($0, ": ")
		if (reason == 0) {
			print FILENAME ":" FNR ": a line is FOLDER FILE FILE...: REASON"
			failed = 1
		}
		listed[substr($0, 1, reason - 1)] = FNR
	}
	next
}
{
	object = substr($1, skip + 2)
	sub(/\.o:$/, "", object)
	if (!(object in number)) {
		number[object] = ++objects
		name[objects] = object
	}
	i = number[object]
	if ($3 == "U")
		wants[i] = wants[i] " " $2
	else if ($3 ~ /^[TDBRVWGS]$/)
		definer[$2] = i
}
END {
	for (i = 1; i <= objects; i++) {
		n = split(wants[i], want, " ")
		for (k = 1; k <= n; k++) {
			to = definer[want[k]]
			if (to && to != i && !((i, to) in edge)) {
				edge[i, to]
				next_of[i] = next_of[i] " " to
				before[to] = before[to] " " i
			}
		}
	}
	for (i = 1; i <= objects; i++) {
		if (i in done)
			continue
		split("", down)
		split("", up)
		reach(i, next_of, down)
		if (!(i in down))
			continue
		reach(i, before, up)
		n = 0
		for (k = i; k <= objects; k++) # in the order of the names
			if (k in down && k in up) {
				member[++n] = name[k]
				done[k]
			}
		line = spell(n, member)
		found[line]
		if (list != "")
			print line ": "
		else if (!(line in listed)) {
			print "files that call each other: " line
			failed = 1
		}
	}
	if (list == "")
		for (line in listed)
			if (!(line in found)) {
				print "tests/lint/circles.txt:" listed[line] ": no such circle now"
				failed = 1
			}
	exit failed
}' tests/lint/circles.txt -
