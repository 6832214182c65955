/* Sheets: their tables, which sheets.def describes. */
#include "analyze/trace/columns/sheet.h"

#define TABLES_LINKAGE /* columns_... are shared */
#define TABLES_DEF     "analyze/trace/columns/sheets.def"
#include "base/table_rows_impl.h"

_Static_assert(SWEEP_COLUMNS == SWEEP_AT(SWEEP_METRICS, 0), "five columns for each metric");

const char *const stack_unit_word[STACK_UNITS] = { "bytes", "samples", "ns" };

struct sheet *sheet_new(struct arena *mem, enum sheet_table kind, int artifact)
{
	const struct table_doc *doc = &sheet_docs[kind];
	struct sheet *s = arena_alloc(mem, sizeof(*s));

	*s = (struct sheet){ .kind = kind, .artifact = artifact };
	s->table = (struct table){ .id = doc->id,
		.title = doc->title,
		.input = -1,
		.col = doc->col,
		.ncol = doc->ncol,
		.mem = mem };
	return s;
}

enum { OF_OPS = 1, OF_KERNELS, OF_STEPS };

/* Whose row it is: calls have CPU time; where no row says any, names tell. */
static unsigned sort_of(const struct table *t, size_t row)
{
	double cpu = table_number_at(t, row, OPS_CPU), self = table_number_at(t, row, OPS_SELF_CPU);
	struct span name = table_text_at(t, row, OPS_NAME);

	if (span_starts(name, "ProfilerStep"))
		return OF_STEPS;
	if (isnan(cpu) && isnan(self))
		return span_has(name, "::") && !memchr(name.p, '<', name.n) &&
				!memchr(name.p, '(', name.n)
			? OF_OPS
			: OF_KERNELS;
	return cpu > 0 || self > 0 ? OF_OPS : OF_KERNELS;
}

bool ops_is_listed(const struct ops_sum *o, size_t row)
{
	struct span list = table_text_at(o->t, row, OPS_LIST);

	return !o->list || list.n == 0 || span_is(list, o->list);
}

bool ops_counts(const struct ops_sum *o, size_t row)
{
	return ops_is_listed(o, row) && (!o->only || sort_of(o->t, row) == o->only);
}

struct ops_sum ops_sum(const struct table *t, size_t col, const char *list)
{
	struct ops_sum o = { .t = t, .col = col, .list = list };
	double sum[OF_STEPS + 1] = { 0 };
	bool is_twice = col == OPS_SELF_DEVICE || col == OPS_DEVICE;

	for (size_t i = 0; i < t->nrow; i++) {
		double v = ops_is_listed(&o, i) ? table_number_at(t, i, col) : 0;

		sum[is_twice ? sort_of(t, i) : 0] += MAX(v, 0);
	}
	o.only = !is_twice ? 0 : sum[OF_KERNELS] > sum[OF_OPS] ? OF_KERNELS : OF_OPS;
	o.is_twice = sum[OF_OPS] > 0 && sum[OF_KERNELS] > 0;
	o.sum = sum[o.only];
	return o;
}
