/*
 * A data set of labelled texts as CSV: how many samples and labels a run was measured on.  The
 * texts are passed over.
 */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

/* The column that tells labels apart. */
static size_t label_of(const struct csv_row *row)
{
	static const char *const names[] = { "label_id", "labels", "label" };
	size_t at = SIZE_MAX;

	for (size_t i = 0; i < COUNT_OF(names) && at == SIZE_MAX; i++)
		at = csv_column_nocase(row, names[i]);
	return at;
}

static enum match probe(const struct head *h)
{
	struct csv_row row;

	if (!csv_head(h, &row))
		return MATCH_NO;
	if (csv_column_nocase(&row, "text") == SIZE_MAX || label_of(&row) == SIZE_MAX)
		return MATCH_NO;
	return csv_column_nocase(&row, "label_id") == SIZE_MAX ? MATCH_FAIR : MATCH_STRONG;
}

static void put_count(struct reading *in, const char *key, int64_t n)
{
	struct record *r = in->record;
	char text[32];
	const struct scalar s = { .key = span_of(key),
		.type = SCALAR_NUMBER,
		.number = (double)n,
		.text = { text, (size_t)snprintf(text, sizeof(text), "%" PRId64, n) },
		.measure = MEASURE_COUNT,
		.artifact = in->artifact };

	record_scalar(r, &r->config, &s);
}

static enum status read_dataset(struct reading *in, struct err *e)
{
	size_t label = SIZE_MAX;
	struct strings labels;
	struct csv csv;
	int64_t rows = 0;

	strings_init(&labels, (uint64_t)(uintptr_t)in);
	csv_open(&csv, in);
	if (csv_next(&csv))
		label = label_of(&csv.row);
	for (; csv_next(&csv); rows++)
		if (label < csv.row.n && csv.row.cell[label].n > 0)
			(void)strings_intern(&labels, csv.row.cell[label]);
	reading_artifact(in)->rows = rows;
	enum status st = csv_end(&csv, e);
	put_count(in, "num_samples", rows);
	put_count(in, "num_labels", (int64_t)labels.n - 1);
	strings_clear(&labels);
	return st;
}

const struct artifact artifact_dataset_csv = {
	.name = "dataset_csv",
	.title = "data set of labelled texts (CSV)",
	.summary = "val_df.csv: text, labels, label_id",
	.is_setup = true,
	.probe = probe,
	.read = read_dataset,
};
