/* Headings and rows of printed tables. */
#include "analyze/input/artifact/logs/log_table.h"

#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"

enum { CELL_MAX = 48, TITLE_LEAST = 5 };

/* By bars, else by tabs, else by blanks: how many, 0 when there are too many. */
static size_t split(struct span line, struct span cell[LOG_TABLE_CELLS], char by)
{
	size_t n = 0;

	line = span_trim(line);
	if (by == '|' && line.n && line.p[0] == '|')
		line = (struct span){ line.p + 1, line.n - 1 };
	while (line.n) {
		size_t i = FIRST(k, line.n, line.p[k] == by || (by == ' ' && line.p[k] == '\t'));

		if (n == LOG_TABLE_CELLS)
			return 0;
		if (i || by != ' ')
			cell[n++] = span_trim((struct span){ line.p, i });
		line = span_from(line, i + 1);
	}
	return n;
}

static char separator(struct span line)
{
	line = span_trim(line);
	return memchr(line.p, '|', line.n) ? '|' : memchr(line.p, '\t', line.n) ? '\t' : ' ';
}

static bool is_name(struct span cell)
{
	return cell.n > 0 && cell.n <= CELL_MAX && (is_letter(cell.p[0]) || cell.p[0] == '#') &&
		!memchr(cell.p, '=', cell.n) && !memchr(cell.p, '"', cell.n) &&
		!strchr(":.,;", cell.p[cell.n - 1]);
}

/* "Box(P" and "mAP50)" of a group in parentheses without what is not theirs. */
static struct span own_name(struct span cell)
{
	const char *open = memchr(cell.p, '(', cell.n), *close = memchr(cell.p, ')', cell.n);

	if (open && !close && open + 1 < cell.p + cell.n)
		return (struct span){ open + 1, cell.n - (size_t)(open + 1 - cell.p) };
	if (close && !open && close > cell.p)
		cell.n = (size_t)(close - cell.p);
	return cell;
}

bool log_table_heading(struct log_table *t, struct span line, bool is_title)
{
	struct span cell[LOG_TABLE_CELLS], first = span_trim(line);
	char by = separator(line);

	for (size_t i = 0; by == ' ' && i < first.n; i++)
		if (is_space_or_tab(first.p[i]))
			first.n = i;
	if (!is_title && by == ' ' && !log_word_is_count(first))
		return false; /* most lines */
	size_t n = line.n < LOG_TABLE_BYTES ? split(line, cell, by) : 0;

	if (n < (is_title                   ? TITLE_LEAST
				: by == ' ' ? 3
					    : 2) ||
		!ALL(i, n, is_name(cell[i])) || !(is_title || log_word_is_count(cell[0])))
		return false;
	memcpy(t->text, line.p, line.n);
	t->n = n;
	t->by = by;
	for (size_t i = 0; i < n; i++) {
		cell[i] = own_name(cell[i]);
		t->cell[i].at = (uint16_t)(cell[i].p - line.p);
		t->cell[i].n = (uint16_t)cell[i].n;
	}
	return true;
}

/* "1/60", "6.73G" */
static bool take_cell(struct log_pair *pair, struct span cell, struct span name)
{
	struct log_value v;
	const char *end = cell.p + cell.n;
	const char *q = log_begins_number(cell.p, end) ? log_value(&v, cell.p, end, name) : NULL;

	if (!q)
		return false;
	*pair = (struct log_pair){ .key = name,
		.at = cell.p,
		.value = v.number,
		.scale = v.scale,
		.measure = v.measure,
		.is_fixed = true };
	if (q < end && *q == '/')
		q = log_value_number(q + 1, end, &pair->total);
	return q == end;
}

/* A copy of the text among the entries' own; empty: it is full. */
static struct span keep(struct log_entries *t, struct span text)
{
	char *at = t->text + t->n;

	if (text.n > sizeof(t->text) - t->n)
		return SPAN("");
	if (text.n)
		memcpy(at, text.p, text.n);
	t->n += text.n;
	return (struct span){ at, text.n };
}

bool log_table_entry(struct log_entries *t, struct span line)
{
	struct span cell[LOG_TABLE_CELLS], name;
	struct log_pair pair;

	line = span_trim(line);
	if (!span_ends(line, "|") || split(line, cell, '|') != 2 || !is_name(cell[0]))
		return false; /* the bar in front may be the prefix's */
	if (t->n == 0)
		*t = (struct log_entries){ .n = 0 };
	if (cell[1].n == 0 && span_ends(cell[0], "/")) {
		t->section = keep(t, cell[0]);
		return true;
	}
	if (t->pairs.n == LOG_PAIRS)
		return false;
	name = keep(t, t->section);
	name.n += keep(t, cell[0]).n;
	if (!take_cell(&pair, cell[1], name))
		return false;
	pair.at = name.p; /* lines may stand at one place */
	t->pairs.v[t->pairs.n++] = pair;
	return true;
}

bool log_table_row(
	const struct log_table *t, struct span line, struct log_pairs *to, struct span *label)
{
	struct span cell[LOG_TABLE_CELLS];

	*label = SPAN("");
	if (t->n == 0 || split(line, cell, t->by) != t->n)
		return false;
	size_t from = !log_begins_number(cell[0].p, cell[0].p + cell[0].n);
	if (from)
		*label = cell[0];
	to->n = to->nsigned = to->nbare = to->nremarks = 0;
	for (size_t i = from; i < t->n; i++)
		if (cell[i].n &&
			!take_cell(&to->v[to->n++], cell[i],
				(struct span){ t->text + t->cell[i].at, t->cell[i].n }))
			return false;
	return to->n > 1;
}
