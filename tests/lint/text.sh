#!/bin/bash
# Text that traceq did not write itself goes through report/escape.h on its way out:
#
#   door      only the files below write to a stream or a descriptor, and only those in "ready" hand
#             ready text to stdout: what comes to them is harmless already
#   escapes   nobody else writes entities, percent escapes or escapes of code points
#   raw       no format and no message appends a cell, a title, a note or a part of a verdict to its output
#             (out, b, line) as it is.  A text that is put together first and escaped as a whole has
#             another name: text, title, name
#
# A line with "lint: allow text" in a comment is let through, with its reason there.  Before the tree
# it looks at a bad example and a good one of each.
# Why: names come from inputs, and one that is printed as it is may give a terminal or a page orders.
set -u
cd "$(dirname "$0")/../.." || exit 2

# What writes bytes, and why it may: ends of renderers and messages, files of traceq's own.
doors='base/xalloc.c base/io.c capture/inject/gzout.c capture/inject/document.c capture/inject/session.c
capture/launch.c capture/seal.c cmd/baseline/baseline_store.c cmd/help/help.c cmd/mcp/message.c cmd/output.c cmd/screen.c cmd/load/progress.c
cmd/say.c cmd/sinks.c report/cells.c report/format/grid.c report/format/format_table.c report/format/format_torch.c'
# Text of our own tables, documents that a page format wrote, and two that escape what they list.
ready='cmd/output.c cmd/help/help.c cmd/version.c cmd/help/completion.c cmd/help/explain.c
cmd/report.c
cmd/plot.c cmd/capture/capture.c'
# They escape by rules of their own: a trace that is read again, a store, text of gnuplot's.
escapers='report/escape.c capture/inject/jtext.c
analyze/trace/history.c analyze/input/artifact/stacks/stack_rows.c'

writes='fwrite|fputs|fputc|putc|putchar|puts|printf|fprintf|vfprintf|vprintf|dprintf|vdprintf|write|writev|pwrite|send'
parts='s\.p|text|title|footnote|hint|message|summary|base|now|about|detail|error|label|reproduce|change|interval|tolerance'

example=$(mktemp -d "${TMPDIR:-/tmp}/traceq-lint.XXXXXX") || exit 2
trap 'rm -rf "$example"' EXIT

# report WHAT: lines "FILE:N:text" of stdin, with the line of FILE, unless it is let through there.
report() {
	while IFS=: read -r f n _; do
		sed -n "${n}p" "$f" | grep -q 'lint: allow text' && continue
		echo "$f:$n: $1: $(sed -n "${n}p" "$f" | sed 's/^[[:space:]]*//')"
	done
}

# but LIST: lines "FILE:..." of stdin whose file is not in LIST.
but() { awk -F: -v list=" ${1//$'\n'/ } " '!index(list, " " $1 " ")'; }

# Statements of stripped C, each in one line, with its file and the number of its first line.
statements() {
	awk -F: '$1 != f { f = $1; s = "" }
		{ text = substr($0, length($1 ":" $2) + 2); gsub(/^[ \t]+|[ \t]+$/, "", text) }
		text ~ /^#/ { next }
		{ if (s == "") n = $2; s = s " " text }
		text ~ /[;{}:]$/ { print f ":" n ":" s; s = "" }' "$1"
}

# scan FILE...: what is wrong in them.
scan() {
	local code=$example/code any='^[^:]*:[0-9]+:(.*[^A-Za-z0-9_.>])?'
	awk -v names=1 -f tests/lint/strip.awk "$@" >"$code"
	grep -E "$any($writes)[[:space:]]*\(" "$code" | but "$doors" | report "writes past report/escape.h"
	grep -E "^[^:]*:[0-9]+:(.*[^A-Za-z0-9_])?output_text[[:space:]]*\(" "$code" | but "$ready" |
		report "hands text to stdout as it is"
	grep -HnE '"[^"]*(&(lt|gt|amp|quot|#[0-9]+);|%%0[AD]|\\\\[ux]%0)' "$@" | but "$escapers" |
		report "escapes on its own"
	statements "$code" | grep -E '^(report/|cmd/say\.c:|cmd/load/progress\.c:)' |
		grep -vE '^report/chart/(draw/gnuplot|kind/chart)' |
		grep -E "str_add[sf]?\((out|&?b|&?line),.*(->|\.)(($parts)|(cell|input|why)\[[^]]*\])[,) ]" |
		report "appends a raw text"
}

# ---- does it see anything? ----

mkdir -p "$example/report" "$example/cmd" "$example/tests/lint"
cp tests/lint/strip.awk "$example/tests/lint"
cat >"$example/report/bad.c" <<'END'
	fprintf(out, "%s", name);
	str_add(b, v->s.p, v->s.n);
	str_addf(out, "<b>%s</b>",
		check->message);
	str_adds(&line, t->footnote);
	str_adds(out, b->cell[i]);
	str_adds(out, "&lt;");
	str_addf(out, "\\u%04x", c);
END
cat >"$example/report/good.c" <<'END'
	escape_html(out, v->s);
	str_addf(&text, "%s: %s", input, n->text); /* fprintf(out, raw) */
	str_add(out, g.text.s, g.text.n);
	str_adds(out, "</b>"); str_add(out, text->s, text->n);
	fwrite(p, 1, n, out); /* lint: allow text: an example */
END
printf '\treturn output_text(&raw);\n' >"$example/cmd/bad.c"
seen=$(cd "$example" && scan report/bad.c cmd/bad.c | cut -d: -f1,2 | tr '\n' ' ')
want='report/bad.c:1 cmd/bad.c:1 report/bad.c:7 report/bad.c:8 report/bad.c:2 report/bad.c:3 report/bad.c:5 report/bad.c:6 '
if [ "$seen" != "$want" ]; then
	echo "of a bad example this check named: $seen"
	echo "                           not: $want"
	exit 1
fi
seen=$(cd "$example" && scan report/good.c)
if [ -n "$seen" ]; then
	echo "of a good example this check named: $seen"
	exit 1
fi

# ---- the tree ----

mapfile -t files < <(find base analyze report edit cmd capture -name '*.c' | LC_ALL=C sort)
found=$(scan "${files[@]}")
[ -z "$found" ] || echo "$found"
for f in $doors $ready $escapers; do
	[ -e "$f" ] || { echo "tests/lint/text.sh: $f is not there any more"; found=$f; }
done
[ -z "$found" ]
