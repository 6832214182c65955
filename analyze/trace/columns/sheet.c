/* Sheets: their tables, which sheets.def describes. */
#include "analyze/trace/columns/sheet.h"

#define TABLES_LINKAGE /* columns_... are shared */
#define TABLES_DEF     "analyze/trace/columns/sheets.def"
#include "base/table_rows_impl.h"

_Static_assert(SWEEP_COLUMNS == SWEEP_AT(SWEEP_METRICS, 0), "five columns for each metric");

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
