#!/bin/bash
# What base/ has a word for is not written by hand again:
#
#   least     a < b ? a : b and its like: MIN, MAX, CLAMP of base/minmax.h
#   sign      (a > b) - (a < b), a < b ? -1 : a > b, and if (a != b) return a < b ? -1 : 1: compare3,
#             COMPARE_BY of base/compare3.h
#   plural    n == 1 ? "" : "s" and its like: plural, plural_s of base/plural.h
#   memory    malloc and its like, which may give NULL: base/xalloc.h, base/arena.h
#   middle    low + (high - low) / 2 of whole numbers: PARTITION_POINT of base/search.h
#
# A line with "lint: allow byhand" in a comment is let through, with its reason there.  Before the tree
# it looks at bad examples and good ones.
# Why: a form that is written in five hundred places is wrong in one of them, and hides what the line is about.
set -u
cd "$(dirname "$0")/../.." || exit 2

example=$(mktemp -d "${TMPDIR:-/tmp}/traceq-lint.XXXXXX") || exit 2
trap 'rm -rf "$example"' EXIT

before='(^|[=(,?:] ?|return )' after='([],;:)}]| :|$)'
operand='([^?:;,={}&|]*[^?:;,={}&| ])'
least="$before$operand [<>]=? $operand \\? (\\2 : \\3|\\3 : \\2)$after"
middle="(int|size_t|nsec|u?int[0-9]*_t|unsigned|long) [a-z_]+ = (\\(low? \\+ hi(gh)?\\) / 2|([a-z_]+) \\+ \\(([a-z_]+) - \\4( \\+ 1)?\\) (/ 2|>> 1));"
sign="\\(([^()?;]*[^()?; ]) > ([^?;]+)\\) - \\(\\1 < \\2\\)|$before$operand [<>] $operand \\? -1 : \\4 [<>] \\5"
sign_of_two="if \\((.*) (!=|[<>]) (.*)( \\|\\| \\1 .*)?\\) return \\1 [<>] \\3 \\? (-1 : 1|1 : -1);"
plural='[!=]= 1 \? "" : ""'
memory='(^|[^A-Za-z0-9_.>])(malloc|calloc|realloc|reallocarray|strdup|strndup|asprintf) ?\('

# report WHAT: lines "FILE:FIRST:LAST: text" of stdin, unless one of their lines in FILE is let through.
report() {
	while IFS=: read -r f first last text; do
		sed -n "${first},${last}p" "$f" | grep -q 'lint: allow byhand' ||
			echo "$f:$first: $1:$text"
	done
}

# scan FILE...: what is wrong in them.
scan() {
	awk -v names=1 -f tests/lint/strip.awk "$@" | awk -f tests/lint/statements.awk >"$example/statements"
	{ grep -E "$sign" "$example/statements"; grep -E "$sign_of_two" "$example/statements"; } | report 'compare3 of base/compare3.h'
	grep -E "$plural" "$example/statements" | report 'plural or plural_s of base/plural.h'
	grep -E "$memory" "$example/statements" | grep -vE '^base/(xalloc|zeroed)\.c:' |
		report 'base/xalloc.h or base/arena.h, which never give NULL'
	grep -E "$middle" "$example/statements" | report 'PARTITION_POINT of base/search.h'
	grep -F ' ? ' "$example/statements" | grep -E "$least" | report 'MIN, MAX or CLAMP of base/minmax.h'
}

# It finds what is bad, and nothing else.
bad() {
	printf '%s\n' "$1" >"$example/bad.c"
	[ "$(scan "$example/bad.c" | wc -l)" -eq 1 ] || { echo "byhand.sh lets pass: $1"; exit 1; }
}
good() {
	printf '%s\n' "$1" >"$example/good.c"
	[ -z "$(scan "$example/good.c")" ] || { echo "byhand.sh objects to: $1"; exit 1; }
}
bad '	n = a < b ? a : b;'
bad '	n = x->v[i].n >= most ? x->v[i].n : most;'
bad '	return f(v + 1, v > high ? high : v, 2);'
bad '	return v < low ? low : v > high ? high : v;'
bad '	n = strlen(the_first_of_both) <
		strlen(the_second) ?
		strlen(the_first_of_both) : strlen(the_second);'
bad '#define LESS(a, b) \
	((a) < (b) ? (a) : (b))'
bad '	return (a->n > b->n) - (a->n < b->n);'
bad '	return f(x, a < b ? -1 : a > b);'
bad '	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;'
bad '	if (a->v < b->v || a->v > b->v)
		return a->v > b->v ? -1 : 1;'
good '	if (a->start != b->start)
		return a->start < b->start ? -1 : 1; /* lint: allow byhand: an example */'
good '	return (a > b) - (a < c);'
good '	return d < 0 ? -1 : 1;'
bad '	str_addf(b, "%zu file%s", n, n == 1 ? "" : "s");'
bad '	say(x->n != 1 ? "are" : "is");'
good '	str_adds(b, n == 1 ? "one: " : ", "); /* lint: allow byhand: an example */'
good '	str_addf(b, "%zu file%s", n, plural_s(n));'
bad '	s->v = malloc(n);'
bad '	char *word = strndup(text, n);'
good '	char *path = malloc(n); /* lint: allow byhand: an example */'
good '	s->v = xmalloc(n);'
bad '		size_t middle = low + (high - low) / 2;'
bad '		size_t mid = (lo + hi) / 2;'
bad '		int64_t middle = from + (to - from + 1) / 2;'
good '		size_t middle = low + (high - low) / 2; /* lint: allow byhand: an example */'
good '		double mid = (lo + hi) / 2;'
good '	middle = first + (i - first) / 2;'
good '	n = a < b ? a : b; /* lint: allow byhand: an example */'
good '	n = a < b ? a : c;'
good '	n = is_new || a < b ? a : b;'
good '	n = ba < b ? a : b;'
good '	n = a < b ? a : b + 1;'
good '	n = MIN(a, b);'
good '	n = a < b ? "a < b ? a : b" : 0;'

mapfile -t files < <(git ls-files '*.c' '*.h' '*.def' | grep -vE '^(tests|fixtures|capture)/')
found=$(scan "${files[@]}")
[ -z "$found" ] && exit 0
echo "$found"
exit 1
