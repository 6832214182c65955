/*
 * CSV of AMD's monitors: rocm-smi --csv, amd-smi monitor --csv, amd-smi metric --csv.  A heading,
 * maybe again and again, a row a GPU; warnings stand in front.
 */
#include <inttypes.h>
#include <math.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/monitors/smi_amd.h"
#include "analyze/input/artifact/monitors/smi_rows.h"
#include "base/ascii.h"
#include "base/compiler.h"
#include "base/minmax.h"
#include "base/plural.h"

enum { LINES_LOOKED_AT = 40, COLUMNS_MAX = 512 };

struct amd_csv {
	struct reading *in;
	struct smi_rows rows;
	size_t n, gpu, time;
	const struct smi_word *word[COLUMNS_MAX];
	bool has_temperature; /* of the edge, not of the hottest place alone */
	struct untaken untaken;
	int64_t unused;
};

static const struct smi_word *word_of(bool is_rocm, struct span heading)
{
	return is_rocm ? smi_amd_rocm(heading) : smi_amd_word(heading);
}

/* The column that names the GPU; SIZE_MAX: the row is no heading. */
static size_t heading_of(const struct csv_row *row, bool *is_rocm)
{
	size_t gpu = SIZE_MAX, known = 0;

	for (size_t i = 0; i < row->n && gpu == SIZE_MAX; i++)
		if (span_is(row->cell[i], "device") || span_is(row->cell[i], "gpu"))
			gpu = i;
	if (gpu == SIZE_MAX || gpu > 2)
		return SIZE_MAX;
	*is_rocm = span_is(row->cell[gpu], "device");
	for (size_t i = 0; i < row->n; i++)
		known += word_of(*is_rocm, row->cell[i]) != NULL;
	return known > 0 ? gpu : SIZE_MAX;
}

static bool is_heading_line(struct span line)
{
	struct csv_row row;
	bool is_rocm;

	if ((!span_has(line, "device,") && !span_has(line, "gpu,")) || line.p[0] == '#')
		return false;
	csv_split(line, ',', &row, NULL);
	return heading_of(&row, &is_rocm) != SIZE_MAX;
}

static enum match probe(const struct head *h)
{
	return head_has_line(h, LINES_LOOKED_AT, is_heading_line);
}

static void take_heading(struct amd_csv *g, const struct csv_row *row, size_t gpu, bool is_rocm)
{
	bool is_metric = false;

	g->n = MIN(row->n, COLUMNS_MAX);
	g->gpu = gpu;
	g->time = SIZE_MAX;
	g->has_temperature = false;
	g->unused = 0;
	for (size_t i = 0; i < g->n; i++)
		is_metric = is_metric || span_is(row->cell[i], "gfx_activity");
	for (size_t i = 0; i < g->n; i++) {
		struct span t = row->cell[i];

		g->word[i] = word_of(is_rocm, t);
		if (is_metric && span_is(t, "mem")) /* there a temperature */
			g->word[i] = smi_amd_word(SPAN("memory_temperature"));
		if (span_is_nocase(t, "timestamp") || span_is_nocase(t, "time"))
			g->time = i;
		else if (!g->word[i] && i != gpu)
			g->unused++;
		if (g->word[i] && strcmp(g->word[i]->name, "temperature.gpu") == 0)
			g->has_temperature = true;
	}
}

static bool take_row(struct amd_csv *g, const struct csv_row *row)
{
	double time = NAN, v;

	if (g->n == 0 || row->n != g->n || !is_digit(smi_amd_gpu(row->cell[g->gpu]).p[0]) ||
		(g->time < row->n && !smi_amd_time(row->cell[g->time], &time)))
		return false;
	if (!smi_rows_begin(&g->rows, smi_amd_gpu(row->cell[g->gpu]), time))
		return true;
	for (size_t i = 0; i < g->n; i++) {
		const struct smi_word *word = g->word[i];
		enum measure m = word ? word->measure : MEASURE_NONE;
		struct span name = SPAN("temperature.gpu");

		if (!word || !smi_cell(row->cell[i], &v, &m))
			continue;
		if (g->has_temperature || strcmp(word->name, "temperature.junction") != 0)
			name = span_of(word->name);
		smi_rows_put(&g->rows, name, m, v);
	}
	return true;
}

static void say(struct amd_csv *g)
{
	reading_untaken(g->in, &g->untaken, "line{ is|s are} not like the others, passed over",
		"line{|s} before the table, not read");
	if (g->unused)
		reading_note(g->in, NOTE_INFO, "metrics_unused", g->unused, -1,
			"%" PRId64 " column%s not used: what GPUs did, took and had is", g->unused,
			plural(g->unused, " is", "s are"));
}

static enum status read_csv(struct reading *in, struct err *e)
{
	struct amd_csv *g = arena_alloc(&in->mem, sizeof(*g));
	struct untaken *not = &g->untaken;
	struct csv csv;

	memset(g, 0, sizeof(*g));
	g->in = in;
	smi_rows_open(&g->rows, in);
	csv_open(&csv, in);
	while (csv_next(&csv)) {
		bool is_rocm;
		size_t gpu = heading_of(&csv.row, &is_rocm);
		int64_t before = not ->alien.n;

		if (gpu != SIZE_MAX)
			take_heading(g, &csv.row, gpu, is_rocm);
		else if (!take_row(g, &csv.row))
			passed_add(g->n == 0 ? &not ->other : &not ->alien, csv.offset);
		not ->is_torn = csv.lines.is_torn && not ->alien.n > before;
	}
	enum status st = csv_end(&csv, e);
	reading_artifact(in)->rows = g->rows.rows;
	say(g);
	if (st == OK && g->rows.rows == 0)
		return err_set(e, E_NODATA, 0, "no sample in it: a heading only");
	return st;
}

const struct artifact artifact_smi_amd_csv = {
	.name = "smi_amd_csv",
	.title = "samples of rocm-smi or amd-smi (CSV)",
	.summary = "rocm-smi --csv, amd-smi monitor --csv, amd-smi metric --csv",
	.is_log = true,
	.probe = probe,
	.read = read_csv,
};
