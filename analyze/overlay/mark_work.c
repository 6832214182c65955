/* Marks as they are made, one after the other, in the arena of who gets them. */
#include "analyze/overlay/mark_work.h"

#include "analyze/analysis/shared.h"

enum { ARGS_BLOCK = 16 * MARK_ARGS };

void marking_window(struct marking *k)
{
	classes_init(&k->classes, k->run, &k->scratch);
	shared_window(NULL, &k->window, &k->ledgers, &k->waiting, k->run, &k->classes, &k->view,
		&k->scratch);
}

struct mark *marking_add(struct marking *k)
{
	struct marks *m = k->out;

	return ARENA_PUSH(k->mem, m->v, m->n, k->cap,
		(struct mark){ .row = NO_ROW, .on = NO_ROW, .device = MARK_NO_DEVICE });
}

/* Arguments of all marks stand in blocks.  Those of the newest mark are the last of the newest. */
static void add_arg(struct marking *k, struct mark_arg arg)
{
	struct mark *m = &k->out->v[k->out->n - 1];

	if (m->narg == MARK_ARGS)
		return;
	if (k->narg == k->arg_cap) {
		struct mark_arg *block = arena_array(k->mem, ARGS_BLOCK, sizeof(*block));

		if (m->narg)
			memcpy(block, m->arg, m->narg * sizeof(*block));
		m->arg = k->arg = block;
		k->narg = m->narg;
		k->arg_cap = ARGS_BLOCK;
	} else if (m->narg == 0) {
		m->arg = k->arg + k->narg;
	}
	m->narg++;
	k->arg[k->narg++] = arg;
}

void marking_text(struct marking *k, const char *key, struct span text)
{
	if (text.n)
		add_arg(k, (struct mark_arg){ .key = key, .text = text });
}

void marking_number(struct marking *k, const char *key, double v)
{
	add_arg(k, (struct mark_arg){ .key = key, .number = v });
}

void marking_flow(struct marking *k, size_t from, size_t to)
{
	struct marks *m = k->out;

	ARENA_PUSH(k->mem, m->flow, m->nflow, k->flow_cap, (struct mark_flow){ from, to });
}
