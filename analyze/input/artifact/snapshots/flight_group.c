/*
 * The flight recorder's dump: its members, and process groups by name.
 */
#include "analyze/input/artifact/snapshots/flight_record.h"

#include "analyze/input/text/num.h"

compact_value flight_get(const struct flight *f, compact_value map, const char *key)
{
	return compact_get(&f->doc, map, key);
}

struct span flight_text(const struct flight *f, compact_value map, const char *key)
{
	return compact_to_text(&f->doc, flight_get(f, map, key));
}

bool flight_int(const struct flight *f, compact_value v, int64_t *i)
{
	return compact_to_int(&f->doc, v, i) || num_i64(compact_to_text(&f->doc, v), i);
}

struct flight_group *flight_group_of(struct flight *f, struct span name)
{
	size_t id = strings_intern(&f->names, name);

	if (name.n == 0)
		id = strings_intern(&f->names, SPAN(" "));
	if (id > f->ngroup) {
		f->group = arena_grow(
			&f->in->mem, f->group, f->ngroup, &f->group_cap, 16, sizeof(*f->group));
		f->group[f->ngroup++] = (struct flight_group){ .name = name, .pg_id = -1 };
	}
	return &f->group[id - 1];
}
