/* The list of formats, and which of them something is. */
#include "analyze/input/format/format.h"

#include "analyze/input/source/source.h"

static const struct format *const all[] = {
#define X(name) &format_##name,
	FORMATS(X)
#undef X
};

const struct format *format_of(struct span head)
{
	return FIND_VALUE(i, COUNT_OF(all), all[i]->is(head), all[i], NULL);
}

const struct format *format_find(struct source *s)
{
	struct span head;

	return source_peek(s, FORMAT_HEAD, &head, &(struct err){ 0 }) == OK ? format_of(head)
									    : NULL;
}
