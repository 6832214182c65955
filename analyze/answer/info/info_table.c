/*
 * `info`: tables about a run, and cells that may be unknown.
 */
#include "analyze/answer/info/info.h"

struct table *info_table(const struct info *f, enum info_table table)
{
	const struct table_doc *doc = &info_docs[table];
	struct table *t = result_table(f->out, doc->id, doc->title, doc->col, doc->ncol);

	t->input = f->input;
	return t;
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
