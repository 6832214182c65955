/*
 * Execution traces, one after the other.
 */
#include "cmd/load/exectraces.h"

#include <stdlib.h>

#include "analyze/input/exectrace/exectrace_read.h"
#include "base/zeroed.h"

enum status exectraces_load(
	struct exectraces *x, const struct opt_list *path, const char **where, struct err *e)
{
	size_t i;

	x->v = zeroed(path->n, sizeof(*x->v));
	for (i = 0; i < path->n; i++) {
		*where = path->v[i];
		exectrace_init(&x->v[x->n++]);
		TRY(exectrace_load(&x->v[i], path->v[i], NULL, e));
	}
	*where = NULL;
	return OK;
}

void exectraces_clear(struct exectraces *x)
{
	size_t i;

	for (i = 0; i < x->n; i++)
		exectrace_clear(&x->v[i]);
	free(x->v);
	*x = (struct exectraces){ 0 };
}
