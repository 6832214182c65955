/*
 * Functions of sampled stacks, as a table.
 */
#include "analyze/query/sampled_table.h"

#include "analyze/measure/sampled.h"
#include "analyze/query/rows.h"

static void put_row(struct table *t, const struct sampled_function *f, double all)
{
	table_row(t);
	table_real(t, SAMPLED_SELF, f->self);
	table_real(t, SAMPLED_SELF_SHARE, f->self / all);
	table_real(t, SAMPLED_TOTAL, f->total);
	table_real(t, SAMPLED_TOTAL_SHARE, f->total / all);
	table_text(t, SAMPLED_NAME,
		(struct span){ arena_copy(t->mem, f->name.p, f->name.n), f->name.n });
}

enum status sampled_put(struct perrun *at, const struct sheet *s, bool is_time, size_t limit)
{
	struct sampled found;
	struct table *t;
	size_t i, cut = 0;

	sampled_functions(s, is_time, &at->mem, &found);
	if (found.n == 0)
		return OK;
	t = perrun_table(at, &sampled_docs[is_time ? SAMPLED_BY_TIME : SAMPLED_BY_COUNT]);
	for (i = 0; i < found.n; i++) {
		bool yes;

		TRY(filter_text(at->set, found.v[i].name, &yes, at->e));
		if (!yes)
			continue;
		if (t->nrow < limit)
			put_row(t, &found.v[i], found.all);
		else
			cut++;
	}
	rows_cut(t, SAMPLED_NAME, cut);
	return OK;
}

#define TABLES_DEF "analyze/query/sampled.def"
#define TABLES_LINKAGE
#include "base/table_rows_impl.h"
