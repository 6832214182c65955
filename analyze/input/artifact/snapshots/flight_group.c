/*
 * The flight recorder's process groups by name.
 */
#include "analyze/input/artifact/snapshots/flight_record.h"

struct flight_group *flight_group_of(struct flight *f, struct span name)
{
	size_t id = strings_intern(f->names, name);

	if (name.n == 0)
		id = strings_intern(f->names, SPAN(" "));
	if (id > f->ngroup) {
		f->group = arena_grow(
			&f->in->mem, f->group, f->ngroup, &f->group_cap, 16, sizeof(*f->group));
		f->group[f->ngroup++] = (struct flight_group){ .name = name, .pg_id = -1 };
	}
	return &f->group[id - 1];
}
