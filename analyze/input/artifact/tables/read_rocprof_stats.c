/* rocprofv3's statistics as CSV (--stats): kernel_stats.csv and those of other domains, one row a
 * name.  What a name is stands in no column: calls of HIP and HSA are known by how they begin,
 * ranges by the name of their file.  The others are work of the device. */

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/artifact/tables/op_rows.h"
#include "analyze/input/text/num.h"

enum stats_column { NAME, CALLS, TOTAL, MEAN, PERCENTAGE, COLUMNS };

struct heading {
	size_t n, at[COLUMNS];
};

static bool columns_of(const struct csv_row *row, struct heading *h)
{
	static const char *const words[COLUMNS] = { "Name", "Calls", "TotalDurationNs", "AverageNs",
		"Percentage" };

	h->n = row->n;
	for (size_t k = 0; k < COLUMNS; k++) {
		h->at[k] = csv_column_nocase(row, words[k]);
		if (h->at[k] == SIZE_MAX)
			return false;
	}
	return true;
}

static enum match probe(const struct csv_row *row)
{
	return columns_of(row, &(struct heading){ 0 }) ? MATCH_STRONG : MATCH_NO;
}

/* Sums of whole domains, which are the sums of other files. */
static bool is_domain(struct span name)
{
	return span_in(name,
		"KERNEL_DISPATCH|HIP_API|HSA_API|MARKER_API|RCCL_API|MEMORY_COPY|"
		"MEMORY_ALLOCATION|SCRATCH_MEMORY|ROCDECODE_API|ROCJPEG_API");
}

static bool is_call(struct span name)
{
	return span_starts_in(
		name, "hip|__hip|hsa_|roctx|rocDec|rocJpeg|MEMORY_ALLOCATION_|SCRATCH_MEMORY_");
}

/* The file's name says that its rows are the host's, whatever they are called. */
static bool is_of_host(const struct reading *in)
{
	const char *path = reading_artifact(in)->path, *name = path_name(path);

	return strstr(name, "marker_") || strstr(name, "rccl_") || strstr(name, "_api_");
}

struct stats {
	struct op_rows ops;
	struct heading h;
	bool is_begun, is_known, is_of_host;
	struct passed domains;
};

static void take_figures(struct stats *g, const struct csv_row *row)
{
	struct span name = row->cell[g->h.at[NAME]];
	size_t at = op_rows_row(&g->ops, NULL, name);
	bool host = g->is_of_host || is_call(name);
	double v;

	if (at == SIZE_MAX)
		return;
	if (real_of(row->cell[g->h.at[CALLS]], &v))
		op_rows_add(&g->ops, at, OPS_CALLS, v, MEASURE_COUNT);
	if (!real_of(row->cell[g->h.at[TOTAL]], &v))
		return;
	op_rows_add(&g->ops, at, host ? OPS_CPU : OPS_DEVICE, v, MEASURE_NS);
	if (!host)
		op_rows_add(&g->ops, at, OPS_SELF_DEVICE, v, MEASURE_NS);
}

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct stats *g = ctx;

	if (!g->is_begun)
		g->is_known = columns_of(row, &g->h);
	else if (g->is_known && !csv_mend(row, g->h.n, g->h.at[NAME]))
		return TOOK_ALIEN;
	else if (g->is_known && is_domain(row->cell[g->h.at[NAME]]))
		passed_add(&g->domains, -1);
	else if (g->is_known)
		take_figures(g, row);
	g->is_begun = true;
	return TOOK;
}

static enum status read_stats(struct reading *in, struct err *e)
{
	struct stats g = { .is_of_host = is_of_host(in) };

	op_rows_open(&g.ops, in);
	enum status st =
		csv_read(in, take_row, &g, "row{|s} with too few cells, passed over", NULL, e);
	reading_artifact(in)->rows = g.ops.rows;
	reading_passed(in, NOTE_INFO, "domain_rows", &g.domains,
		"row{|s} of whole domains, the sums of other files, passed over");
	op_rows_close(&g.ops);
	if (st == OK && !g.is_known)
		return err_set(e, E_NODATA, 0, "the first line is no heading of statistics");
	return st;
}

const struct artifact artifact_rocprof_stats = {
	.name = "rocprof_stats",
	.title = "rocprofv3's statistics (CSV)",
	.summary = "kernel_stats.csv, hip_api_stats.csv and the others of rocprofv3 --stats",
	.heading = probe,
	.read = read_stats,
};
