/* Tables of statistics that benchmarks of servers print (GenAI-Perf, AIPerf): a row a figure, whose
 * name ends in its unit, "Request Latency (ms)", and may go on in the rows below; a column each
 * statistic, avg first.  Figures are called as in AIPerf's JSON: request_latency is the mean,
 * "request_latency p99" a percentile. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/head.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/figure.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum { CELLS = 16, CELL_BYTES = 96 };

struct statistics {
	struct reading *in;
	size_t ncol; /* 0: between tables */
	char *col[CELLS];
	struct str title, name; /* of the table; of the row, as far as it goes */
	double value[CELLS];    /* of the row; NAN: none */
};

/* "| a | b |", with bars of any kind; how many cells, 0 for what is no row. */
static size_t split(struct span line, struct span cell[CELLS])
{
	static const char *const bars[] = { "\xe2\x94\x82", "\xe2\x94\x83", "|" };
	size_t n = 0, i, bar = 0;

	line = span_trim(line);
	while (line.n) {
		for (i = 0, bar = 0; i < line.n && bar == 0; i += bar == 0)
			for (size_t k = 0; k < COUNT_OF(bars) && bar == 0; k++)
				bar = span_starts(span_from(line, i), bars[k]) ? strlen(bars[k])
									       : 0;
		if (bar == 0 || n > CELLS || (n == 0 && i > 0))
			return 0;
		if (n++ > 0)
			cell[n - 2] = span_trim((struct span){ line.p, i });
		line = span_from(line, i + bar);
	}
	return n ? n - 1 : 0;
}

static bool is_heading(const struct span *cell, size_t n)
{
	return n > 2 && span_in(cell[0], "Statistic|Metric") && span_is(cell[1], "avg");
}

/* "1,799.53" */
static double number_of(struct span cell)
{
	char text[CELL_BYTES];
	size_t n = 0;
	double v;

	for (size_t i = 0; i < cell.n && n < sizeof(text); i++)
		if (cell.p[i] != ',')
			text[n++] = cell.p[i];
	return n < sizeof(text) && num_f64((struct span){ text, n }, &v) ? v : NAN;
}

/* The row that is complete; tables of anything but metrics (a GPU's) are groups. */
static void put_row(struct statistics *t)
{
	struct arena_mark mark = arena_mark(&t->in->mem);
	struct span title = { t->title.s, t->title.n }, name, unit, group = SPAN("");

	if (t->name.n == 0)
		return;
	(void)span_bracketed((struct span){ t->name.s, t->name.n }, '(', &name, &unit);
	name = jsondoc_key_of_title(name, "", &t->in->mem);
	if (title.n && !span_ends(title, "Metrics"))
		group = title;
	for (size_t i = 1; i < t->ncol; i++) {
		const char *statistic = t->col[i];
		struct span key = i == 1
			? name
			: span_of(arena_printf(&t->in->mem, "%s %s", name.p, statistic));

		if (!isfinite(t->value[i]))
			continue;
		reading_repeat(t->in, key, group,
			unit.n ? measure_of_unit(unit) : measure_of_key(name), t->value[i]);
	}
	reading_artifact(t->in)->rows++;
	str_reset(&t->name);
	arena_reset(&t->in->mem, mark);
}

static void begin(struct statistics *t, const struct span *cell, size_t n)
{
	put_row(t);
	t->ncol = n;
	for (size_t i = 0; i < n; i++)
		t->col[i] = arena_copy(&t->in->mem, cell[i].p, MIN(cell[i].n, CELL_BYTES));
}

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	struct statistics *t = ctx;
	struct span cell[CELLS];
	size_t n = split(line, cell);

	line = span_trim(line);
	if (is_heading(cell, n)) {
		begin(t, cell, n);
		return TOOK;
	}
	if (n == 0 && span_starts(line, "\xe2\x94")) /* a border */
		return TOOK;
	if (n == 0 || n != t->ncol) {
		put_row(t);
		t->ncol = 0;
		if (line.n) {
			str_reset(&t->title);
			str_add(&t->title, line.p, MIN(line.n, CELL_BYTES));
		}
		return line.n ? TOOK_OTHER : TOOK;
	}
	if (ANY(i, n, i > 0 && cell[i].n > 0))
		put_row(t);
	else if (t->name.n)
		str_adds(&t->name, " ");
	str_add(&t->name, cell[0].p, MIN(cell[0].n, CELL_BYTES));
	for (size_t i = 1; i < n && ANY(k, n, k > 0 && cell[k].n > 0); i++)
		t->value[i] = number_of(cell[i]);
	return TOOK;
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line, cell[CELLS];

	while (h->form == HEAD_TEXT && span_line(&text, &line))
		if (is_heading(cell, split(line, cell)))
			return MATCH_STRONG;
	return MATCH_NO;
}

static void end(void *state)
{
	struct statistics *t = state;

	put_row(t);
	FREE_ALL(t->title.s, t->name.s);
}

const struct artifact artifact_statistics = {
	.name = "statistics",
	.title = "statistics of a benchmark, printed",
	.summary =
		"tables that GenAI-Perf and AIPerf print: a figure a row, avg, min, max, p99 ...",
	.probe = probe,
	TAKES_LINES(struct statistics, take_line),
	.end = end,
	.alien = "line{ is|s are} no row, passed over",
	.none = "no figure in it",
};
