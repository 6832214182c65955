/*
 * rocprofv3's statistics as CSV (--stats): kernel_stats.csv and those of other domains, one row a
 * name.  What a name is stands in no column: calls of HIP and HSA are known by how they begin,
 * ranges by the name of their file; the others are work of the device.
 */

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

static enum match probe(const struct head *h)
{
	struct csv_row row;
	struct heading columns;

	if (!csv_head(h, &row))
		return MATCH_NO;
	return columns_of(&row, &columns) ? MATCH_STRONG : MATCH_NO;
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
	const char *path = reading_artifact(in)->path, *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	return strstr(name, "marker_") || strstr(name, "rccl_") || strstr(name, "_api_");
}

static void take_row(
	struct op_rows *o, const struct heading *h, const struct csv_row *row, bool host)
{
	struct span name = row->cell[h->at[NAME]];
	size_t at = op_rows_row(o, NULL, name);
	double v;

	host |= is_call(name);
	if (at == SIZE_MAX)
		return;
	if (real_of(row->cell[h->at[CALLS]], &v))
		op_rows_add(o, at, OPS_CALLS, v, MEASURE_COUNT);
	if (!real_of(row->cell[h->at[TOTAL]], &v))
		return;
	op_rows_add(o, at, host ? OPS_CPU : OPS_DEVICE, v, MEASURE_NS);
	if (!host)
		op_rows_add(o, at, OPS_SELF_DEVICE, v, MEASURE_NS);
}

static enum status read_stats(struct reading *in, struct err *e)
{
	struct passed domains = { 0, -1 }, short_rows = { 0, -1 };
	bool host = is_of_host(in);
	struct heading h;
	struct op_rows o;
	struct csv csv;

	op_rows_open(&o, in);
	csv_open(&csv, in);
	bool known = csv_next(&csv) && columns_of(&csv.row, &h);
	while (known && csv_next(&csv)) {
		if (!csv_mend(&csv.row, h.n, h.at[NAME])) {
			passed_add(&short_rows, csv.offset);
		} else if (is_domain(csv.row.cell[h.at[NAME]])) {
			domains.n++;
		} else {
			take_row(&o, &h, &csv.row, host);
		}
	}
	if (short_rows.n && csv.lines.is_torn)
		reading_artifact(in)->is_complete = false;
	reading_passed(in, NOTE_WARNING, csv.lines.is_torn ? "torn_line" : "alien_lines",
		&short_rows, "row{|s} with too few cells, passed over");
	enum status st = csv_end(&csv, e);
	reading_artifact(in)->rows = o.rows;
	reading_passed(in, NOTE_INFO, "domain_rows", &domains,
		"row{|s} of whole domains, the sums of other files, passed over");
	op_rows_close(&o);
	if (st == OK && !known)
		return err_set(e, E_NODATA, 0, "the first line is no heading of statistics");
	return st;
}

const struct artifact artifact_rocprof_stats = {
	.name = "rocprof_stats",
	.title = "rocprofv3's statistics (CSV)",
	.summary = "kernel_stats.csv, hip_api_stats.csv and the others of rocprofv3 --stats",
	.probe = probe,
	.read = read_stats,
};
