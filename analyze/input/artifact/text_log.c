/*
 * Logs line by line.  A progress bar rewrites its line by carriage returns; what was written last
 * counts as a line of its own.
 */
#include "analyze/input/artifact/text_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/op_table.h"
#include "analyze/input/artifact/steps_key.h"
#include "base/ascii.h"
#include "base/compiler.h"

enum { DICT_MAX = 64 << 10, FLAGS_MAX = 256, PAIRS_MAX = 64 };

struct text_log {
	struct reading *in;
	struct op_table table;
	int64_t dicts, figures, flags, lines;
	struct label_heading heading;
	double step; /* of the newest line that named one */
	bool has_step;
};

static bool is_word(char c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '/' || c == '.' ||
		c == '-';
}

/* --- dicts --- */

/* {'loss': 0.5, ...} in the line, as JSON in *b; false when there is none. */
static bool find_dict(struct span line, struct str *b)
{
	const char *p = memmem(line.p, line.n, "{'", 2), *end = line.p + line.n;

	if (!p)
		p = memmem(line.p, line.n, "{\"", 2);
	if (!p || end - p > DICT_MAX)
		return false;
	str_reset(b);
	for (; p < end; p++)
		str_addc(b, *p == '\'' ? '"' : *p);
	return true;
}

static bool take_dict(struct text_log *g, struct span line, struct str *b)
{
	struct json_value v;
	struct span rest;

	if (!find_dict(line, b))
		return false;
	v = json_value((struct span){ b->s, b->n }, &rest);
	if (v.type != JSON_OBJECT || !jsondoc_row(g->in, v, (double)g->dicts))
		return false;
	g->dicts++;
	return true;
}

/* --- figures --- */

static void add_figure(struct text_log *g, struct span label, double v, enum measure m)
{
	struct series *s = record_series(g->in->record, g->in->artifact, label, SPAN(""));

	if (!s)
		return;
	if (s->measure != MEASURE_NONE && measure_infos[m].base == measure_infos[s->measure].base)
		v *= measure_infos[m].factor / measure_infos[s->measure].factor;
	else if (m != MEASURE_NONE)
		s->measure = m;
	s->axis = g->has_step ? AXIS_STEP : AXIS_ROW;
	series_add(s, g->has_step ? g->step : (double)s->n, v);
	g->figures++;
}

/* Pairs "loss=0.5" of a line: up to n of them. */
struct pair {
	struct span key;
	double value;
};

static size_t find_pairs(struct span line, struct pair *pair, size_t n)
{
	size_t i = 0, k = 0;

	while (i < line.n && k < n) {
		size_t from = i, to;
		enum measure m;

		while (i < line.n && is_word(line.p[i]))
			i++;
		if (i == from || i == line.n || line.p[i] != '=' || !is_letter(line.p[from])) {
			i += i == from;
			continue;
		}
		pair[k].key = (struct span){ line.p + from, i - from };
		to = ++i;
		while (i < line.n && line.p[i] != ' ' && line.p[i] != ',' && line.p[i] != ';' &&
			line.p[i] != ')' && line.p[i] != ']')
			i++;
		if (op_table_number((struct span){ line.p + to, i - to }, &pair[k].value, &m))
			k++;
	}
	return k;
}

static bool take_pairs(struct text_log *g, struct span line)
{
	struct pair pair[PAIRS_MAX];
	size_t n = find_pairs(line, pair, PAIRS_MAX), i;
	int best = 0;

	for (i = 0; i < n; i++)
		if (steps_key_rank(pair[i].key) > best) {
			best = steps_key_rank(pair[i].key);
			g->step = pair[i].value;
			g->has_step = true;
		}
	for (i = 0; i < n; i++)
		add_figure(g, pair[i].key, pair[i].value, MEASURE_NONE);
	return n > 0;
}

/* --- options --- */

/* "--profiler-wait-steps" at p, behind a blank or at the beginning. */
static bool is_flag(struct span line, size_t i)
{
	return i + 3 < line.n && line.p[i] == '-' && line.p[i + 1] == '-' &&
		is_letter(line.p[i + 2]) && (i == 0 || line.p[i - 1] == ' ');
}

static void add_flag(struct text_log *g, struct span key, struct span value)
{
	struct scalars *to = &g->in->record->config;
	struct scalar s = { .key = key, .text = value, .artifact = g->in->artifact };
	size_t i;

	for (i = 0; i < to->n; i++)
		if (to->v[i].artifact == s.artifact && span_eq(to->v[i].key, key))
			return;
	if (g->flags++ >= FLAGS_MAX)
		return;
	s.type = SCALAR_TEXT;
	if (value.n == 0)
		s = (struct scalar){ key, SCALAR_BOOL, 1, SPAN("true"), MEASURE_NONE, s.artifact };
	else if (jsondoc_number((struct json_value){ JSON_STRING, value, false }, &s.number))
		s.type = SCALAR_NUMBER;
	record_scalar(g->in->record, to, &s);
}

static struct span word_at(struct span line, size_t i, const char *until)
{
	size_t from = i;

	while (i < line.n && !strchr(until, line.p[i]))
		i++;
	return (struct span){ line.p + from, i - from };
}

static bool take_flags(struct text_log *g, struct span line)
{
	size_t i, n = 0;

	for (i = 0; i < line.n; i++) {
		struct span key, value = { "", 0 };
		size_t after;

		if (!is_flag(line, i))
			continue;
		key = word_at(line, i + 2, " =\\");
		after = i + 2 + key.n;
		if (after + 1 < line.n && line.p[after] != '\\' && !is_flag(line, after + 1))
			value = word_at(line, after + 1, " \\");
		add_flag(g, key, value);
		n++;
	}
	return n > 0;
}

/* --- lines --- */

static const char *const marks[] = { "--enable-profiling", "--enable-memory-logging",
	"--profiler-output-dir", "--profiler-wait-steps", "--profiler-warmup-steps",
	"--profiler-active-steps", "--profiler-repeat", "--memory-log-steps" };

int text_log_weight(struct span line)
{
	struct pair pair[1];
	struct span label;
	enum measure m;
	double v;
	size_t i;

	if (op_table_is_heading(line))
		return 10;
	for (i = 0; i < COUNT_OF(marks); i++)
		if (span_has(line, marks[i]))
			return 10;
	if (span_has(line, "{'loss'") || span_has(line, "{'train_") || span_has(line, "{'eval_"))
		return 10;
	if (span_starts(line, "Current memory: ") || span_starts(line, "Peak memory: "))
		return 10;
	return label_figure(line, &label, &v, &m) || find_pairs(line, pair, 1) > 0;
}

static void take_line(struct text_log *g, struct span line, struct str *scratch)
{
	struct span label;
	enum measure m;
	double v;

	g->lines++;
	if (op_table_line(&g->table, line) || take_dict(g, line, scratch))
		return;
	if (label_figure(line, &label, &v, &m))
		add_figure(g, label_below(&g->heading, line, label), v, m);
	else if (label_is_heading(&g->heading, line))
		return;
	else if (!take_flags(g, line))
		(void)take_pairs(g, line);
}

enum status text_log_read(struct reading *in, struct err *e)
{
	struct text_log g = { .in = in };
	struct str scratch = { 0 };
	struct lines lines;
	struct span line;
	enum status st;

	op_table_open(&g.table, in);
	lines_open(&lines, in);
	while (lines_next(&lines, &line)) {
		const char *cr;

		while ((cr = memchr(line.p, '\r', line.n)) != NULL) {
			take_line(&g, (struct span){ line.p, (size_t)(cr - line.p) }, &scratch);
			line.n -= (size_t)(cr + 1 - line.p);
			line.p = cr + 1;
		}
		take_line(&g, line, &scratch);
	}
	st = lines_end(&lines, e);
	lines_close(&lines);
	if (g.table.state == TABLE_ROWS) {
		reading_artifact(in)->is_complete = false;
		reading_note(in, NOTE_WARNING, "torn_table", 1, lines.offset,
			"the table of operations has no end: the text is cut off");
	}
	op_table_close(&g.table);
	str_free(&scratch);
	/* Of a table by itself its operations count, of a log its lines. */
	reading_artifact(in)->rows =
		strcmp(reading_artifact(in)->kind, "op_table") == 0 ? g.table.rows : g.lines;
	if (st == OK && g.table.tables + g.dicts + g.figures + g.flags == 0)
		return err_set(e, E_NODATA, 0,
			"no table of operations, no metrics and no options in this text");
	return st;
}
