#!/bin/bash
# A loop has an end besides finding what it looks for, and unknown numbers are compared by those who
# know them:
#
#   ends      `while (v[i] != x) i++`: where no x is there, it reads on behind the array.  It has a
#             bound (i < n), or what it goes over has an end that is seen (*p, x->next);
#             tests/lint/loops.awk says what is what
#   unknown   a cell of a table is NaN where it is not known, which == says is unlike all others,
#             itself too: number_same and rows_same of base/table.h, report/chart/chart_build.h
#
# A line with "lint: allow loops" in a comment is let through, with its reason there.  Before the
# tree it looks at bad examples and good ones.
# Why: an input in which the thing is missing sends such a loop beyond its array.
set -u
cd "$(dirname "$0")/../.." || exit 2

cell='(rows_number|table_number|table_number_at)[[:space:]]*\('
inside='[^();]*(\([^()]*\)[^()]*)*'

example=$(mktemp -d "${TMPDIR:-/tmp}/traceq-lint.XXXXXX") || exit 2
trap 'rm -rf "$example"' EXIT

# report WHAT: lines "FILE:N:text" of stdin, unless the line of FILE is let through.
report() {
	while IFS=: read -r f n _; do
		sed -n "${n}p" "$f" | grep -q 'lint: allow loops' && continue
		echo "$f:$n: $1: $(sed -n "${n}p" "$f" | sed 's/^[[:space:]]*//')"
	done
}

# scan FILE...: what is wrong in them.
scan() {
	local code=$example/code
	LC_ALL=C awk -v names=1 -f tests/lint/strip.awk "$@" >"$code"
	LC_ALL=C awk -f "$root/tests/lint/loops.awk" "$code" | report "ends only by finding"
	grep -E "$cell$inside\)[[:space:]]*[!=]=|[!=]=[[:space:]]*$cell|[!=]=[[:space:]]*NAN\b" "$code" |
		report "compares what may be unknown"
}

# ---- does it see anything? ----

root=$PWD
mkdir -p "$example/tests/lint"
cp tests/lint/strip.awk "$example/tests/lint"
cat >"$example/bad.c" <<'END'
	while (step[at] != rows_number(&r, i, "step"))
		at++;
	while (kind[k] != file->kind) k++;
	while (group->member[at] < m->arrival[k].rank)
		at++;
	for (i = 0; v[i].key != key; i++)
		;
	for (k = 0; !same_bytes(&answer[k], &answer[i]);)
		k++;
	while (node->place != parent)
		node--;
	while (strcmp(*word, "x") != 0)
		word++;
	for (at = &list; *at != lane;)
		at = &(*at)->next;
	while (v[to].key == v[from].key)
		to++;
	while (!is_free(m, i, kind)) {
		n++;
		i++;
	}
	while (span_eq(word[i], word[0]) || (i < n && is_blank(word[i])))
		i++;
	do
		i++;
	while (v[i] != x);
	if (rows_number(r, i, "device") == device || table_number(t, find(t, 1), "x") != 0)
		return x != NAN;
END
cat >"$example/good.c" <<'END'
	while (i < n && v[i] != x)
		i++;
	while (p < end && *p != ',') p++;
	for (i = n; i > 0 && s.p[i - 1] != '/'; i--)
		;
	while (*p && *p != ' ')
		p++;
	for (; call != NO_ROW; call = replay_up(p, call))
		n++;
	for (i = 0; table[i].word && strcmp(table[i].word, word) != 0;)
		i++;
	while (at && at->state != WANTED)
		at = at->next;
	while ((t = next(in, i)) && t->input != input)
		i++;
	do
		n = read(fd, part, sizeof(part));
	while (n < 0 && errno == EINTR);
	while (*at < axis->n && axis->x[*at] < x)
		++*at;
	while (i < a->n || k < b->n)
		take(a, &i, b, &k);
	while (!is_end(s, p))
		p++;
	while (*p != '"') /* lint: allow loops: the text ends in one */
		p++;
	if (number_same(rows_number(r, i, "device"), device) || rows_number(r, i, "n") > 0)
		return i == 0; /* while (v[i] != x) i++; */
END
seen=$(cd "$example" && scan bad.c | cut -d: -f2,3 | tr -d ' ' | cut -c1-6 | tr '\n' ' ')
want='1:ends 3:ends 4:ends 6:ends 8:ends 10:end 12:end 14:end 16:end 18:end 22:end 26:end 1:comp 27:com 28:com '
if [ "$seen" != "$want" ]; then
	echo "of bad examples this check named: $seen"
	echo "                             not: $want"
	exit 1
fi
seen=$(cd "$example" && scan good.c)
if [ -n "$seen" ]; then
	echo "of good examples this check named: $seen"
	exit 1
fi

# ---- the tree ----

mapfile -t files < <(find base analyze report edit cmd capture -name '*.[ch]' | LC_ALL=C sort)
found=$(scan "${files[@]}")
[ -z "$found" ] || echo "$found"
[ -z "$found" ]
