/* Headings and rows of printed tables. */
#include "analyze/input/artifact/logs/log_table.h"

#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/trace/figure.h"
#include "base/utf8.h"

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

/* "| model | test |" */
static bool is_between_bars(struct span line)
{
	line = span_trim(line);
	return line.n > 2 && line.p[0] == '|' && line.p[line.n - 1] == '|';
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

	if (n < (is_title ? TITLE_LEAST : by == ' ' ? 3 : 2) || !ALL(i, n, is_name(cell[i])))
		return false;
	bool has_texts = !is_title && !log_word_is_count(cell[0]);
	if (has_texts && (!is_between_bars(line) || (t->n && !t->has_texts)))
		return false;
	memcpy(t->text, line.p, line.n);
	t->n = n;
	t->by = by;
	t->has_texts = has_texts;
	for (size_t i = 0; i < n; i++) {
		cell[i] = own_name(cell[i]);
		t->cell[i].at = (uint16_t)(cell[i].p - line.p);
		t->cell[i].n = (uint16_t)cell[i].n;
	}
	return true;
}

/* "1/60", "6.73G", "5000.25 +- 20.50" with the sign for that */
static bool take_cell(struct log_pair *pair, struct span cell, struct span name)
{
	const char *spread = cell.n ? memmem(cell.p, cell.n, "\xc2\xb1", 2) : NULL;
	struct log_value v;

	cell = spread ? span_trim(span_between(cell.p, spread)) : cell;
	const char *end = cell.p + cell.n;
	const char *q = log_begins_number(cell.p, end) ? log_value(&v, cell.p, end, name) : NULL;

	if (!q)
		return false;
	*pair = (struct log_pair){ .key = name,
		.at = cell.p,
		.value = v.number,
		.scale = v.scale,
		.measure = v.measure,
		.mark = v.mark,
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

static void add_label(struct log_table *t, struct span *label, struct span text)
{
	size_t blank = label->n > 0 && text.n > 0,
	       n = MIN(text.n, sizeof(t->label) - label->n - blank);

	if (blank)
		t->label[label->n] = ' ';
	memcpy(t->label + label->n + blank, text.p, n);
	*label = utf8_cut((struct span){ t->label, label->n + blank + n }, sizeof(t->label) - 1);
}

/* "8" below "batch": a whole number without a unit, whose name has no direction. */
static bool is_setting(const struct log_pair *p)
{
	return p->measure == MEASURE_NONE && p->scale == 1 && p->value == floor(p->value) &&
		figure_kind(p->key, UNIT_NONE)->better == BETTER_NONE;
}

/* Cells of a row whose texts and settings say what its figures are of. */
static bool take_texts(
	struct log_table *t, const struct span *cell, struct log_pairs *to, struct span *label)
{
	for (size_t i = 0; i < t->n; i++) {
		struct span name = { t->text + t->cell[i].at, t->cell[i].n };
		struct log_pair pair;
		bool is_number = take_cell(&pair, cell[i], name);

		if (is_number && !is_setting(&pair)) {
			pair.is_alone = true;
			to->v[to->n++] = pair;
			continue;
		}
		if (is_number)
			add_label(t, label, name);
		add_label(t, label, cell[i]);
	}
	return to->n > 0;
}

bool log_table_row(struct log_table *t, struct span line, struct log_pairs *to, struct span *label)
{
	struct span cell[LOG_TABLE_CELLS];

	*label = SPAN("");
	if (t->n == 0 || split(line, cell, t->by) != t->n)
		return false;
	to->n = to->nsigned = to->nbare = to->nremarks = 0;
	to->has_rest = false;
	if (t->has_texts)
		return is_between_bars(line) && take_texts(t, cell, to, label);
	size_t from = !log_begins_number(cell[0].p, cell[0].p + cell[0].n);
	if (from)
		*label = cell[0];
	for (size_t i = from; i < t->n; i++)
		if (cell[i].n &&
			!take_cell(&to->v[to->n++], cell[i],
				(struct span){ t->text + t->cell[i].at, t->cell[i].n }))
			return false;
	return to->n > 1;
}
