/* Tables of how fast collectives are: what nccl-tests and rccl-tests print, a row a size with times
 * and bandwidths out of place and in place, and the summary of DeepSpeed's communication logger.
 * A figure is a series of its size and type, with one more value for each table that has it. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum { COLUMNS = 32, GROUP_BYTES = 256, DEEPSPEED_LINES = 8, TEST_LINES = 4000 };

static const char deepspeed[] = "Comm. Op  ";

/* What a heading says of a column. */
struct heading {
	struct span name; /* of its series; "": it is no figure */
	enum measure measure;
};

struct bandwidth {
	struct reading *in;
	struct heading head[COLUMNS];
	size_t n;          /* 0: no table yet */
	bool is_deepspeed; /* cells stand apart by two blanks, and operations above their sizes */
	struct span test;  /* "all_reduce_perf", "broadcast", or "" */
	int64_t ranks;
};

/* The next cell, blanks and all in front of it taken off; ends: what it ends before. */
static bool next_cell(struct span *line, const char *ends, struct span *cell)
{
	*line = span_trim(*line);
	const char *end = memmem(line->p, line->n, ends, strlen(ends));
	*cell = end ? span_between(line->p, end) : *line;
	*line = span_from(*line, cell->n);
	return cell->n > 0;
}

static size_t cells_of(struct span line, const char *ends, struct span cell[COLUMNS])
{
	size_t n = 0;

	while (n < COLUMNS && next_cell(&line, ends, &cell[n]))
		n++;
	return n;
}

static bool is_tests_heading(struct span line)
{
	line = span_trim(line);
	return span_starts(line, "#") && span_has(line, " size ") && span_has(line, " algbw ") &&
		span_has(line, " busbw ");
}

static bool is_deepspeed_heading(struct span line)
{
	return span_starts(span_trim(line), deepspeed) && span_has(line, "(ms)");
}

/* "time   algbw   busbw #wrong", first out of place, then in place. */
static void take_tests_heading(struct bandwidth *b, struct span line)
{
	static const struct {
		const char *word, *name;
		enum measure measure;
	} words[] = {
		{ "time", "time", MEASURE_US },
		{ "cputime", "cputime", MEASURE_US },
		{ "algbw", "algbw", MEASURE_GB_PER_S },
		{ "busbw", "busbw", MEASURE_GB_PER_S },
		{ "#wrong", "wrong", MEASURE_NONE },
		{ "error", "error", MEASURE_NONE },
	};
	struct span cell[COLUMNS];
	unsigned seen[COUNT_OF(words)] = { 0 };

	b->is_deepspeed = false;
	b->n = cells_of(span_from(span_trim(line), 1), " ", cell);
	for (size_t i = 0; i < b->n; i++) {
		b->head[i] = (struct heading){ SPAN(""), MEASURE_NONE };
		for (size_t k = 0; k < COUNT_OF(words); k++)
			if (span_is(cell[i], words[k].word))
				b->head[i] = (struct heading){
					span_of(arena_printf(&b->in->mem, "%s%s",
						seen[k]++ ? "in-place " : "", words[k].name)),
					words[k].measure
				};
	}
}

/* "Comm. Op", "Message Size", "Count", "Total Latency(ms)", "tput_avg (Gbps)" */
static void take_deepspeed_heading(struct bandwidth *b, struct span line)
{
	struct span cell[COLUMNS], name, unit;

	b->is_deepspeed = true;
	b->test = SPAN("");
	b->n = cells_of(line, "  ", cell);
	for (size_t i = 0; i < b->n; i++) {
		bool is_figure = span_bracketed(cell[i], '(', &name, &unit);

		b->head[i] = (struct heading){ i < 2 ? SPAN("")
				: is_figure          ? record_text(b->in->record, name)
						     : record_text(b->in->record, cell[i]),
			is_figure ? measure_of_unit(unit) : MEASURE_COUNT };
	}
}

static void put(struct bandwidth *b, const char *group, size_t column, struct span cell)
{
	const struct heading *h = &b->head[column];
	struct series *s;
	double v = 0;

	if (h->name.n == 0)
		return;
	bool is_known = real_of(cell, &v);
	s = reading_series(b->in, h->name, span_of(group), AXIS_REPEAT, h->measure);
	reading_point(s, (double)(s->n + s->missing), is_known, v);
}

/* "8388608   2097152   float   sum   -1   91.92 ..."; false: it is no row of the table. */
static bool take_tests_row(struct bandwidth *b, struct span line)
{
	struct span cell[COLUMNS];
	char group[GROUP_BYTES];
	double size;

	if (cells_of(line, " ", cell) != b->n || !real_of(cell[0], &size))
		return false;
	int n = snprintf(group, sizeof(group), "%.*s%s", (int)MIN(b->test.n, 64), b->test.p,
		b->test.n ? " " : "");
	for (size_t i = 2; i < b->n && b->head[i].name.n == 0; i++) /* behind size and count */
		if (n < GROUP_BYTES / 2 && !span_in(cell[i], "none|-1"))
			n += snprintf(group + n, sizeof(group) - (size_t)n, "%.*s ",
				(int)MIN(cell[i].n, 16), cell[i].p);
	(void)snprintf(
		group + n, sizeof(group) - (size_t)n, "%.*s B", (int)MIN(cell[0].n, 32), cell[0].p);
	for (size_t i = 0; i < b->n; i++)
		put(b, group, i, cell[i]);
	return true;
}

/* "broadcast", or below it "2.0 KB   146   11.12 ..." */
static bool take_deepspeed_row(struct bandwidth *b, struct span line)
{
	struct span cell[COLUMNS];
	char group[GROUP_BYTES];
	bool is_row = line.n && (line.p[0] == ' ' || line.p[0] == '\t');
	size_t n = cells_of(line, "  ", cell);

	if (!is_row && n == 1)
		b->test = record_text(b->in->record, cell[0]);
	if (!is_row || n + 1 != b->n)
		return !is_row && n == 1;
	(void)snprintf(group, sizeof(group), "%.*s %.*s", (int)MIN(b->test.n, 200), b->test.p,
		(int)MIN(cell[0].n, 32), cell[0].p);
	for (size_t i = 1; i < n; i++)
		put(b, group, i + 1, cell[i]);
	return true;
}

/* "#  Rank  0 Group  0 Pid  12345 on       node1 device  0 [0x1b] NVIDIA H100 80GB HBM3" */
static void take_rank(struct bandwidth *b, struct span line)
{
	struct span before, name;

	if (b->ranks++ == 0 && span_cut(line, ']', &before, &name))
		reading_text(b->in, &b->in->record->env, SPAN("gpu_name"), span_trim(name));
}

/* Around a table: what was tested, on what, and the mean of all rows. */
static void take_comment(struct bandwidth *b, struct span line)
{
	struct span key, value;
	double v;

	line = span_trim(span_from(line, 1));
	if (span_starts(line, "Rank "))
		take_rank(b, line);
	if (!span_cut(line, ':', &key, &value))
		return;
	key = span_trim(key);
	value = span_trim(value);
	if (span_is(key, "Collective test starting"))
		b->test = record_text(b->in->record, value);
	else if (span_is(key, "Avg bus bandwidth") && real_of(span_before(value, ' '), &v))
		series_add(reading_series(b->in, SPAN("Avg bus bandwidth"), b->test, AXIS_REPEAT,
				   MEASURE_GB_PER_S),
			0, v);
	else if (span_is(key, "Out of bounds values") && real_of(span_before(value, ' '), &v))
		series_add(reading_series(b->in, SPAN("wrong"), b->test, AXIS_REPEAT, MEASURE_NONE),
			0, v);
}

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	struct bandwidth *b = ctx;
	struct span text = span_trim(line);

	if (text.n == 0)
		return TOOK;
	if (is_tests_heading(line)) {
		take_tests_heading(b, line);
	} else if (is_deepspeed_heading(line)) {
		take_deepspeed_heading(b, line);
	} else if (text.p[0] == '#') {
		take_comment(b, text);
	} else if (b->n == 0) {
		return TOOK_OTHER;
	} else if (!(b->is_deepspeed ? take_deepspeed_row : take_tests_row)(b, line)) {
		return text.p[0] >= '0' && text.p[0] <= '9' ? TOOK_ALIEN : TOOK_OTHER;
	} else {
		reading_artifact(b->in)->rows++;
	}
	return TOOK;
}

static void begin(void *state, const void *form UNUSED)
{
	((struct bandwidth *)state)->test = SPAN("");
}

static void end(void *state)
{
	const struct bandwidth *b = state;

	if (b->ranks > 0)
		reading_number(b->in, &b->in->record->config, SPAN("ranks"), MEASURE_COUNT,
			(double)b->ranks, SPAN(""));
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	for (int n = 0; n < TEST_LINES && span_line(&text, &line); n++)
		if (is_tests_heading(line) || (n < DEEPSPEED_LINES && is_deepspeed_heading(line)))
			return MATCH_STRONG;
	return MATCH_NO;
}

const struct artifact artifact_bandwidth = {
	.name = "bandwidth",
	.title = "bandwidth of collectives (table)",
	.summary = "what nccl-tests and rccl-tests print, and DeepSpeed's log of communication",
	.probe = probe,
	TAKES_LINES(struct bandwidth, take_line),
	.begin = begin,
	.end = end,
	.alien = "row{ has|s have} another number of cells than the heading",
	.other = "other line{|s}, not read",
	.none = "no row of a table of bandwidths in it",
};
