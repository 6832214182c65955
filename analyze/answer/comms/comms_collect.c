/*
 * `comms`: grouping, and what hides collectives.
 */
#include <stdlib.h>

#include "analyze/answer/comms/comms.h"
#include "analyze/measure/comm/commname.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/run.h"
#include "base/minmax.h"
#include "base/saturate.h"

_Static_assert(sizeof(struct comms_key) == 2 * 8 + 4 * 4, "no padding");

static void groups_clear(struct comms_groups *g)
{
	exposure_groups_clear(&g->of);
	free(g->sum);
}

static uint32_t group_at(struct comms_groups *g, const void *key)
{
	size_t before = g->of.keys.n;
	uint32_t at = exposure_groups_at(&g->of, key);

	if (g->of.keys.n > before) {
		g->sum = array_grow(g->sum, &g->sum_cap, at + 1, sizeof(*g->sum));
		g->sum[at] = (struct comms_sum){ .min = INT64_MAX };
	}
	return at;
}

static uint32_t count(struct comms_groups *g, const void *key, const struct run *r, uint32_t row,
	const struct comm_call *call)
{
	uint32_t at = group_at(g, key);
	struct comms_sum *s = &g->sum[at];
	nsec dur = r->events.dur[row];
	comm_bus bus = commclass_bus(call->op, call->ranks, call->bytes);

	if (s->calls++ == 0) {
		s->dtype = call->dtype_text;
		s->kernel = r->events.name[row];
	}
	saturate_onto(&s->ns, dur);
	s->min = MIN(dur, s->min);
	s->max = MAX(dur, s->max);
	exposure_show(&g->of.exposure, at, r->events.start[row], events_end(&r->events, row));
	if (call->bytes == ARG_UNKNOWN)
		return at;
	saturate_onto(&s->sized_ns, dur);
	s->bytes += (double)call->bytes;
	if (bus == COMM_BUS_UNKNOWN)
		return at;
	saturate_onto(&s->bus_ns, dur);
	s->bus += bus;
	return at;
}

static void count_row(struct comms *c, struct exposure *only, int64_t device, uint32_t row)
{
	const struct run *r = c->p->run;
	const struct comm_call call = commclass_call(r, row);
	struct comms_key key = { .bytes = call.bytes,
		.ranks = call.ranks,
		.dtype = call.dtype,
		.group = call.group,
		.op = (uint32_t)call.op };
	size_t before = c->by_device.of.keys.n;
	uint32_t at;

	if (c->by == COMMS_BY_KERNEL || call.op == COMM_UNKNOWN || !call.has_args)
		key.kernel = r->events.name[row];
	c->without_args += !call.has_args;
	(void)count(&c->by_what, &key, r, row, &call);
	(void)count(&c->by_lane, &r->events.lane[row], r, row, &call);
	at = count(&c->by_device, &device, r, row, &call);
	if (c->by_device.of.keys.n > before) {
		c->only_kernels =
			array_grow(c->only_kernels, &c->only_cap, at + 1, sizeof(*c->only_kernels));
		c->only_kernels[at] = (struct exposure_group){ 0 };
		only->group = c->only_kernels;
	}
	exposure_show(only, at, r->events.start[row], events_end(&r->events, row));
}

/* Work of any stream, step and name hides: the filters choose what is shown. */
static void hide(struct comms *c, struct exposure *only, uint32_t row)
{
	const struct events *ev = &c->p->run->events;
	nsec start = ev->start[row], end = events_end(ev, row);
	enum devclass class = classes_of(&c->classes, row);

	if (class == CLASS_COMM || class == CLASS_MEMCPY)
		return;
	exposure_hide(&c->by_what.of.exposure, start, end);
	exposure_hide(&c->by_lane.of.exposure, start, end);
	exposure_hide(&c->by_device.of.exposure, start, end);
	if (class == CLASS_COMPUTE)
		exposure_hide(only, start, end);
}

static void collect_device(struct comms *c, int64_t device)
{
	const struct run *r = c->p->run;
	struct exposure only;
	struct sweep sweep;
	uint32_t row;

	exposure_groups_begin(&c->by_what.of);
	exposure_groups_begin(&c->by_lane.of);
	exposure_groups_begin(&c->by_device.of);
	exposure_init(&only, c->only_kernels);
	sweep_device(&sweep, r, device, &c->p->mem);
	while (sweep_next(&sweep, &row)) {
		hide(c, &only, row);
		if (!filter_device(&c->p->view, row))
			continue;
		saturate_onto(&c->device_sum, r->events.dur[row]);
		if (classes_of(&c->classes, row) == CLASS_COMM &&
			filter_name(&c->p->view, r->events.name[row]))
			count_row(c, &only, device, row);
	}
	exposure_end(&c->by_what.of.exposure);
	exposure_end(&c->by_lane.of.exposure);
	exposure_end(&c->by_device.of.exposure);
	exposure_end(&only);
}

/* The records of collectives on the host: all there is of gloo's, and of traces without device. */
static void collect_host(struct comms *c)
{
	const struct run *r = c->p->run;
	bool *is_record = arena_array(&c->p->mem, r->strings.n, sizeof(*is_record));
	bool any = false;
	size_t i;

	for (i = 0; i < r->strings.n; i++) {
		is_record[i] = commname_is_record(strings_get(&r->strings, (sym)i));
		any |= is_record[i];
	}
	if (!any)
		return;
	for (i = 0; i < r->events.n; i++) {
		enum kind kind = (enum kind)r->events.kind[i];
		sym name = r->events.name[i];
		size_t before;
		uint32_t at;

		if ((kind != KIND_OP && kind != KIND_ANNOTATION) || !is_record[name] ||
			!filter_host(&c->p->view, (uint32_t)i) || !filter_name(&c->p->view, name))
			continue;
		before = c->host_keys.n;
		at = keymap_add(&c->host_keys, &name);
		if (c->host_keys.n > before) {
			c->host = array_grow(c->host, &c->host_cap, at + 1, sizeof(*c->host));
			c->host[at] = (struct comms_host){ 0 };
		}
		c->host[at].calls++;
		saturate_onto(&c->host[at].cpu_ns, r->events.dur[i]);
	}
}

/* Whether any kernel can be a collective: without one, nothing is shown and nothing hides it. */
static bool may_communicate(const struct comms *c)
{
	const struct events *ev = &c->p->run->events;
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (ev->kind[i] == KIND_KERNEL && classes_may_be_comm(&c->classes, ev->name[i]))
			return true;
	return false;
}

void comms_collect(struct comms *c)
{
	const struct run *r = c->p->run;
	size_t i;

	exposure_groups_init(&c->by_what.of, sizeof(struct comms_key));
	exposure_groups_init(&c->by_lane.of, sizeof(uint32_t));
	exposure_groups_init(&c->by_device.of, sizeof(int64_t));
	keymap_init(&c->host_keys, sizeof(sym));
	devices_init(&c->devices, r, &c->p->mem);
	for (i = 0; i < c->devices.n && may_communicate(c); i++)
		collect_device(c, c->devices.id[i]);
	collect_host(c);
}

void comms_clear(struct comms *c)
{
	groups_clear(&c->by_what);
	groups_clear(&c->by_lane);
	groups_clear(&c->by_device);
	free(c->only_kernels);
	keymap_clear(&c->host_keys);
	free(c->host);
}
