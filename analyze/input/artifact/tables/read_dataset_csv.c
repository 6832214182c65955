/*
 * A data set of labelled texts as CSV: how many samples and labels a run was measured on.  The
 * texts are passed over.
 */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/trace/columns/strings.h"
#include "base/compiler.h"

enum { NO_COLUMN = CSV_CELLS };

static size_t column_of(const struct csv_row *row, const char *name)
{
	for (size_t i = 0; i < row->n; i++)
		if (span_is_nocase(row->cell[i], name))
			return i;
	return NO_COLUMN;
}

/* The column that tells labels apart. */
static size_t label_of(const struct csv_row *row)
{
	static const char *const names[] = { "label_id", "labels", "label" };
	size_t at = NO_COLUMN;

	for (size_t i = 0; i < COUNT_OF(names) && at == NO_COLUMN; i++)
		at = column_of(row, names[i]);
	return at;
}

static enum match probe(const struct head *h)
{
	struct csv_row row;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	csv_split(h->line, ',', &row, NULL);
	if (column_of(&row, "text") == NO_COLUMN || label_of(&row) == NO_COLUMN)
		return MATCH_NO;
	return column_of(&row, "label_id") == NO_COLUMN ? MATCH_FAIR : MATCH_STRONG;
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
	size_t label = NO_COLUMN;
	struct strings labels;
	struct csv csv;
	enum status st;
	int64_t rows = 0;

	strings_init(&labels, (uint64_t)(uintptr_t)in);
	csv_open(&csv, in);
	if (csv_next(&csv))
		label = label_of(&csv.row);
	for (; csv_next(&csv); rows++)
		if (label < csv.row.n && csv.row.cell[label].n > 0)
			(void)strings_intern(&labels, csv.row.cell[label]);
	reading_artifact(in)->rows = rows;
	st = lines_end(&csv.lines, e);
	csv_close(&csv);
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
