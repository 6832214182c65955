/* A run's life: empty, filled by a reader, released. */
#include "analyze/trace/run.h"

#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/columns/record.h"

void run_init(struct run *r, unsigned needs)
{
	*r = (struct run){ .first_ns = INT64_MAX, .last_ns = INT64_MIN, .file_bytes = -1 };
	events_init(&r->events);
	args_init(&r->args, needs);
	strings_init(&r->strings, 0x7472616365710000u);
	lanes_init(&r->lanes);
	ids_init(&r->ids);
	r->meta = (struct meta){ .schema_version = -1, .rank = -1, .world_size = -1 };
	r->meta.record_shapes = r->meta.with_stack = r->meta.profile_memory = NOT_SAID;
	r->meta.with_flops = r->meta.with_modules = NOT_SAID;
	tally_init(&r->tally);
}

void run_clear(struct run *r)
{
	if (r->drop_indexes)
		r->drop_indexes(r);
	events_clear(&r->events);
	args_clear(&r->args);
	strings_clear(&r->strings);
	lanes_clear(&r->lanes);
	ids_clear(&r->ids);
	free(r->cat);
	record_free(r->record);
	digest_file_free(r->kept);
	digest_file_free(r->job);
	arena_clear(&r->mem);
	*r = (struct run){ 0 };
}

const char *run_below(const struct run *r, const char *path)
{
	size_t n = r->path ? strlen(r->path) : 0;

	if (n == 0 || !r->record || !r->record->is_folder || strncmp(path, r->path, n) != 0)
		return path;
	path += n;
	return path + (*path == '/');
}

struct span run_name(const struct run *r, size_t row)
{
	return row == NO_ROW ? SPAN("") : strings_get(&r->strings, r->events.name[row]);
}
