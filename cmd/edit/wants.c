/*
 * Options that say what becomes of events.
 */
#include "cmd/edit/wants.h"

#include <stddef.h>

#include "edit/stretch.h"

#define AT(field) offsetof(struct wants, field)
static const struct opt opts[] = {
	OPT("no-python", 0, OPT_FLAG, NULL, "without Python functions", AT(no_python), NULL, NULL),
	OPT("no-args", 0, OPT_FLAG, NULL,
		"without arguments of events: small, and good for looking at only", AT(no_args),
		NULL, NULL),
	OPT("sample", 0, OPT_TEXT, "TIME",
		"of each counter one value in so much time at most: 10ms", AT(sample), NULL, NULL),
};
#undef AT

const struct opt_group wants_group = { "What becomes of it", opts, COUNT_OF(opts), NULL };

enum status wants_take(const struct wants *w, struct cut_want *want, struct cut *c, struct err *e)
{
	(void)c;
	want->no_python = w->no_python;
	want->no_args = w->no_args;
	return w->sample ? stretch_length(w->sample, "--sample", &want->sample_ns, e) : OK;
}

void wants_clear(struct cut *c)
{
	cut_clear(c);
}
