/* What nvidia-smi prints without options, once or again and again (-l, watch): a box of two lines a
 * GPU below a line of the date. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "analyze/input/text/iso_time.h"
#include "base/base.h"

enum { CELLS = 3, LINES_LOOKED_AT = 200 };

struct plain {
	struct smi_rows rows;
	double time;  /* of the box at hand; NaN: no date is above it */
	bool has_gpu; /* the line before names one */
};

static bool is_title(struct span line)
{
	return span_starts(line, "| NVIDIA-SMI ") && span_has(line, "Driver Version:");
}

/* The text between the strokes of a line; false: there are not three. */
static bool split(struct span line, struct span cell[CELLS])
{
	if (!span_starts(line, "|"))
		return false;
	line = span_from(line, 1);
	for (size_t i = 0; i < CELLS; i++) {
		if (!span_cut(line, '|', &cell[i], &line))
			return false;
		cell[i] = span_trim(cell[i]);
	}
	return true;
}

/* "Fri Nov 28 05:14:31 2025" */
static bool take_date(struct plain *g, struct span line)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char iso[64];

	if (line.n != sizeof("Fri Nov 28 05:14:31 2025") - 1 || line.p[3] != ' ')
		return false;
	const char *at = memmem(months, sizeof(months) - 1, line.p + 4, 3);
	(void)snprintf(iso, sizeof(iso), "%.4s-%02d-%c%c %.8s", line.p + 20,
		at ? (int)(at - months) / 3 + 1 : 0, line.p[8] == ' ' ? '0' : line.p[8], line.p[9],
		line.p + 11);
	return at && iso_time(span_of(iso), &g->time);
}

/* "0  NVIDIA H100 80GB HBM3          On" */
static void take_gpu(struct plain *g, struct span cell)
{
	size_t n = FIRST(i, cell.n, !is_digit(cell.p[i]));

	if (n == 0 || n == cell.n || cell.p[n] != ' ')
		return;
	struct span name = span_trim(span_from(cell, n));
	name.n = FIRST(i, name.n, span_starts(span_from(name, i), "  "));
	g->has_gpu = smi_rows_begin(&g->rows, (struct span){ cell.p, n }, g->time);
	if (g->has_gpu)
		smi_rows_describe(&g->rows, name, SPAN(""));
}

/* The number in front of `unit`, its digits next to it. */
static void put(
	struct plain *g, struct span cell, const char *unit, const char *name, enum measure m)
{
	const char *at = memmem(cell.p, cell.n, unit, strlen(unit)), *from = at;
	double v = NAN;

	while (from && from > cell.p && is_digit(from[-1]))
		from--;
	if (from < at && !smi_cell(span_between(from, at), &v, &m))
		v = NAN;
	smi_rows_put(&g->rows, span_of(name), m, v);
}

/* "N/A   34C    P0   118W /  700W |  12345MiB /  81559MiB |  98%  Default" */
static void take_figures(struct plain *g, const struct span cell[CELLS])
{
	struct span used, total;

	if (!span_cut(cell[1], '/', &used, &total))
		total = cell[1];
	put(g, cell[0], "C ", "temperature.gpu", MEASURE_CELSIUS);
	put(g, cell[0], "W /", "power.draw", MEASURE_WATT);
	put(g, cell[1], "MiB /", "memory.used", MEASURE_MIB);
	put(g, total, "MiB", "memory.total", MEASURE_MIB);
	put(g, cell[2], "%", "utilization.gpu", MEASURE_PERCENT);
	g->has_gpu = false;
}

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	struct plain *g = ctx;
	struct span cell[CELLS];

	line = span_trim(line);
	if (line.n == 0 || line.p[0] == '+' || is_title(line) || take_date(g, line))
		return TOOK;
	if (!split(line, cell))
		return line.p[0] == '|' ? TOOK : TOOK_OTHER; /* processes */
	if (g->has_gpu && span_has(cell[1], "MiB /"))
		take_figures(g, cell);
	else
		take_gpu(g, cell[0]);
	return TOOK;
}

static void begin(void *state, const void *form UNUSED)
{
	((struct plain *)state)->time = NAN;
}

/* Weak, since logs of runs may begin with such a screen. */
static enum match probe(const struct head *h)
{
	struct span text = h->text, line;

	for (int n = 0; h->form == HEAD_TEXT && n < LINES_LOOKED_AT && span_line(&text, &line); n++)
		if (is_title(line))
			return MATCH_WEAK;
	return MATCH_NO;
}

const struct artifact artifact_smi_plain = {
	.name = "smi_plain",
	.title = "samples of nvidia-smi (plain)",
	.summary = "nvidia-smi without options, once or again and again",
	.is_log = true,
	.probe = probe,
	TAKES_LINES(struct plain, take_line),
	.begin = begin,
	.alien = SMI_ALIEN,
	.other = "line{|s} around the table, not read",
	.none = "no GPU in it",
};
