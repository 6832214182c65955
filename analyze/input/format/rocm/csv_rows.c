/*
 * Columns of rocprofv3's CSVs.
 */
#include "analyze/input/format/rocm/csv_rows.h"

#include "analyze/input/text/num.h"
#include "base/compiler.h"

static const char *const headings[ROCM_COLUMN_COUNT] = {
#define X(name, heading) heading,
	ROCM_COLUMNS(X)
#undef X
};

static bool has(const struct rocm_heading *h, enum rocm_column c)
{
	return h->at[c] != ROCM_COLUMN_ABSENT;
}

static enum rocm_table table_of(const struct rocm_heading *h)
{
	if (has(h, ROCM_NODE) && has(h, ROCM_AGENT_TYPE))
		return TABLE_AGENTS;
	if (!has(h, ROCM_START) || !has(h, ROCM_END) || !has(h, ROCM_CORRELATION))
		return TABLE_NONE;
	if (has(h, ROCM_NAME))
		return has(h, ROCM_COUNTER) ? TABLE_COUNTERS : TABLE_KERNELS;
	if (has(h, ROCM_FUNCTION))
		return TABLE_CALLS;
	if (has(h, ROCM_DIRECTION))
		return TABLE_COPIES;
	return has(h, ROCM_OPERATION) ? TABLE_ALLOCATIONS : TABLE_NONE;
}

void rocm_heading(const struct csv_row *row, struct rocm_heading *h)
{
	h->n = row->n;
	for (size_t k = 0; k < ROCM_COLUMN_COUNT; k++)
		h->at[k] = ROCM_COLUMN_ABSENT;
	for (size_t i = 0; i < row->n; i++)
		for (size_t k = 0; k < ROCM_COLUMN_COUNT; k++)
			if (h->at[k] == ROCM_COLUMN_ABSENT &&
				span_is_nocase(row->cell[i], headings[k]))
				h->at[k] = (int)i;
	h->table = table_of(h);
}

struct span rocm_cell(const struct rocm_heading *h, const struct csv_row *row, enum rocm_column c)
{
	size_t at = (size_t)h->at[c];

	return has(h, c) && at < row->n ? row->cell[at] : SPAN("");
}

int64_t rocm_number(const struct rocm_heading *h, const struct csv_row *row, enum rocm_column c)
{
	int64_t n;

	return num_i64(rocm_cell(h, row, c), &n) && n >= 0 ? n : -1;
}
