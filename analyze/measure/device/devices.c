/* Devices by number. */
#include "analyze/measure/device/devices.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "base/table.h"

ORDER(by_id, int64_t, compare3(*a, *b))

void devices_init(struct devices *d, const struct run *r, struct arena *mem)
{
	int64_t *id = arena_array(mem, r->lanes.n, sizeof(*id));
	size_t n = 0, distinct = 0;

	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->order->device_begin[i] < r->order->device_begin[i + 1])
			id[n++] = r->lanes.lane[i].device;
	if (n)
		qsort(id, n, sizeof(*id), by_id);
	for (size_t i = 0; i < n; i++)
		if (distinct == 0 || id[distinct - 1] != id[i])
			id[distinct++] = id[i];
	*d = (struct devices){ .id = id, .n = MIN(distinct, DEVICES_MAX) };
	d->nmore = distinct - d->n;
}

size_t devices_find(const struct devices *d, int64_t id)
{
	const int64_t *at = d->n ? bsearch(&id, d->id, d->n, sizeof(id), by_id) : NULL;

	return at ? (size_t)(at - d->id) : SIZE_MAX;
}

void devices_say(struct result *out, int input, size_t n, size_t shown)
{
	if (shown < n)
		result_note(out, NOTE_WARNING, "many_devices", input, (int64_t)n,
			"%zu GPUs; figures of the first %zu only", n, shown);
}

void devices_say_streams(struct result *out, int input, size_t n, size_t shown)
{
	if (shown < n)
		result_note(out, NOTE_WARNING, "many_streams", input, (int64_t)n,
			"%zu streams; figures of the first %zu only", n, shown);
}

void devices_note(const struct devices *d, struct result *out, int input)
{
	devices_say(out, input, d->n + d->nmore, d->n);
}
