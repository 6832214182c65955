/*
 * `info`: cells that are left empty where the trace does not say.
 */
#include "analyze/answer/info/info.h"

void info_text(const struct info *f, struct table *t, size_t col, sym id)
{
	if (id != 0)
		table_text(t, col, strings_get(&f->at->run->strings, id));
}

void info_count(struct table *t, size_t col, int64_t v)
{
	if (v >= 0)
		table_int(t, col, v);
}
