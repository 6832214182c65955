/* The event table: growing columns, nothing more. */
#include "analyze/trace/columns/events.h"

void events_init(struct events *e)
{
	*e = (struct events){ 0 };
}

void events_clear(struct events *e)
{
	FREE_ALL(e->start, e->dur, e->name, e->lane, e->args, e->kind, e->flags);
	*e = (struct events){ 0 };
}

void events_reserve(struct events *e, size_t more)
{
	size_t need = e->n + more, cap = e->cap;

	if (need <= e->cap)
		return;
#define GROW(field)                                                             \
	do {                                                                    \
		cap = e->cap;                                                   \
		e->field = array_grow(e->field, &cap, need, sizeof(*e->field)); \
	} while (0)
	GROW(start);
	GROW(dur);
	GROW(name);
	GROW(lane);
	GROW(args);
	GROW(kind);
	GROW(flags);
#undef GROW
	e->cap = cap;
}

void events_drop(struct events *e)
{
	size_t to = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (e->flags[i] & EVENT_DROP)
			continue;
		e->start[to] = e->start[i];
		e->dur[to] = e->dur[i];
		e->name[to] = e->name[i];
		e->lane[to] = e->lane[i];
		e->args[to] = e->args[i];
		e->kind[to] = e->kind[i];
		e->flags[to] = e->flags[i];
		to++;
	}
	e->n = to;
}
