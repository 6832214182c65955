/* A data set of labelled texts as CSV: how many samples and labels a run was measured on.  The
 * texts are passed over. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

/* The column that tells labels apart. */
static size_t label_of(const struct csv_row *row)
{
	static const char *const names[] = { "label_id", "labels", "label" };

	return FIND_VALUE(i, COUNT_OF(names), csv_column_nocase(row, names[i]) != SIZE_MAX,
		csv_column_nocase(row, names[i]), SIZE_MAX);
}

static enum match probe(const struct csv_row *row)
{
	if (csv_column_nocase(row, "text") == SIZE_MAX || label_of(row) == SIZE_MAX)
		return MATCH_NO;
	return csv_column_nocase(row, "label_id") == SIZE_MAX ? MATCH_FAIR : MATCH_STRONG;
}

static void put_count(struct reading *in, const char *key, int64_t n)
{
	reading_number(in, &in->record->config, span_of(key), MEASURE_COUNT, (double)n,
		span_of(arena_printf(&in->mem, "%" PRId64, n)));
}

struct dataset {
	struct reading *in;
	struct strings labels;
	size_t label; /* the column */
	bool is_begun;
};

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct dataset *d = ctx;

	if (!d->is_begun)
		d->label = label_of(row);
	else if (d->label < row->n && row->cell[d->label].n > 0)
		(void)strings_intern(&d->labels, row->cell[d->label]);
	reading_artifact(d->in)->rows += d->is_begun;
	d->is_begun = true;
	return TOOK;
}

static void begin(void *state, const void *form UNUSED)
{
	struct dataset *d = state;

	strings_init(&d->labels, (uint64_t)(uintptr_t)d->in);
}

static void end(void *state)
{
	struct dataset *d = state;

	put_count(d->in, "num_samples", reading_artifact(d->in)->rows);
	put_count(d->in, "num_labels", (int64_t)d->labels.n - 1);
	strings_clear(&d->labels);
}

const struct artifact artifact_dataset_csv = {
	.name = "dataset_csv",
	.title = "data set of labelled texts (CSV)",
	.summary = "val_df.csv: text, labels, label_id",
	.is_setup = true,
	.heading = probe,
	TAKES_ROWS(struct dataset, take_row),
	.begin = begin,
	.end = end,
};
