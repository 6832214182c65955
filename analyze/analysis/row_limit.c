/* Limits of rows, and the row that stands for those left out. */
#include "analyze/analysis/row_limit.h"

#include "analyze/analysis/analysis.h"

size_t rows_limit(const struct query *q, int64_t asked, size_t people, size_t machines)
{
	if (q->is_folded)
		return machines;
	if (asked < 0)
		return q->for_people ? people : q->most ? MIN(q->most, machines) : machines;
	return asked == 0 ? SIZE_MAX : (size_t)asked;
}

void rows_cut_of(struct table *t, size_t col, size_t cut, const char *what)
{
	t->ncut = cut;
	if (cut == 0)
		return;
	table_row(t);
	table_textf(t, col, "... %zu more %s%s (-n 0 shows all)", cut, what, plural_s(cut));
	t->nfoot++;
}

void rows_cut(struct table *t, size_t col, size_t cut)
{
	rows_cut_of(t, col, cut, "row");
}

void rows_for_people(const struct query *q, struct table *t)
{
	if (q->for_people)
		table_drop_empty(t);
}
