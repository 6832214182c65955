/*
 * `info`: tables about a run, cut to the limit of rows, and cells that may be unknown.
 */
#include "analyze/answer/info/info.h"

#include <stdint.h>

struct table *info_table(const struct info *f, enum info_table table)
{
	const struct table_doc *doc = &info_docs[table];
	struct table *t = result_table(f->out, doc->id, doc->title, doc->col, doc->ncol);

	t->input = f->input;
	return t;
}

size_t info_limit(const struct info *f, size_t people)
{
	if (f->o->limit == INFO_UNSET)
		return f->q->for_people ? people : SIZE_MAX;
	return f->o->limit <= 0 ? SIZE_MAX : (size_t)f->o->limit;
}

void info_cut(struct table *t, size_t col, size_t cut)
{
	t->ncut = cut;
	if (cut == 0)
		return;
	table_row(t);
	table_textf(t, col, "... %zu more row%s (-n 0 shows all)", cut, cut == 1 ? "" : "s");
	t->nfoot++;
}

void info_text(const struct info *f, struct table *t, size_t col, sym id)
{
	if (id != 0)
		table_text(t, col, strings_get(&f->run->strings, id));
}

void info_count(struct table *t, size_t col, int64_t v)
{
	if (v >= 0)
		table_int(t, col, v);
}
