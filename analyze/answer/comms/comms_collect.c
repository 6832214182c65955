/* `comms`: grouping, and what hides collectives. */
#include "analyze/answer/comms/comms.h"
#include "analyze/trace/commname.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/run.h"

_Static_assert(sizeof(struct comms_key) == 3 * 8 + 6 * 4, "no padding");

static uint32_t count(struct comms *c, enum comms_what what, struct comms_key key, uint32_t row,
	const struct comm_call *call)
{
	const struct run *r = c->p->run;
	uint32_t at = groups_add(&c->groups[what], &key);
	struct comms_group *g = groups_item(&c->groups[what], at);
	nsec dur = r->events.dur[row];
	comm_bus bus = commclass_bus(call->op, call->ranks, call->bytes);

	if (g->calls.n == 0) {
		g->dtype = call->dtype_text.n > 0 ? call->dtype_text : (struct span){ 0 };
		g->kernel = r->events.name[row];
	}
	durations_add(&g->calls, dur);
	exposure_show(&c->exposure[what], at, r->events.start[row], events_end(&r->events, row));
	if (call->bytes == ARG_UNKNOWN)
		return at;
	saturate_onto(&g->sized_ns, dur);
	g->bytes += (double)call->bytes;
	if (bus == COMM_BUS_UNKNOWN)
		return at;
	saturate_onto(&g->bus_ns, dur);
	g->bus += bus;
	return at;
}

static void count_row(struct comms *c, int64_t device, uint32_t row)
{
	const struct run *r = c->p->run;
	const struct comm_call call = commclass_call(r, row);
	const struct comms_key of_lane = { .lane = r->events.lane[row] },
			       of_device = { .device = device };
	struct comms_key key = { .bytes = call.bytes,
		.ranks = call.ranks,
		.dtype = call.dtype,
		.process_group = call.group,
		.op = (uint32_t)call.op };

	if (c->by == COMMS_BY_KERNEL || call.op == COMM_UNKNOWN || !call.has_args)
		key.kernel = r->events.name[row];
	c->calls++;
	c->without_args += !call.has_args;
	(void)count(c, BY_WHAT, key, row, &call);
	(void)count(c, BY_LANE, of_lane, row, &call);
	exposure_show(&c->only_kernels, count(c, BY_DEVICE, of_device, row, &call),
		r->events.start[row], events_end(&r->events, row));
}

/* Work of any stream, step and name hides: the filters choose what is shown. */
static void hide(struct comms *c, uint32_t row)
{
	const struct events *ev = &c->p->run->events;
	nsec start = ev->start[row], end = events_end(ev, row);
	enum devclass class = classes_of(&c->classes, row);

	if (class == CLASS_COMM || class == CLASS_MEMCPY)
		return;
	for (int i = 0; i < COMMS_WHATS; i++)
		exposure_hide(&c->exposure[i], start, end);
	if (class == CLASS_COMPUTE)
		exposure_hide(&c->only_kernels, start, end);
}

static void collect_device(struct comms *c, int64_t device)
{
	const struct run *r = c->p->run;
	struct sweep sweep;
	uint32_t row;

	for (int i = 0; i < COMMS_WHATS; i++)
		exposure_init(&c->exposure[i], &c->groups[i].item, offsetof(struct comms_group, x),
			sizeof(struct comms_group));
	exposure_init(&c->only_kernels, &c->groups[BY_DEVICE].item,
		offsetof(struct comms_group, by_kernel), sizeof(struct comms_group));
	sweep_device(&sweep, r, device, &c->p->mem);
	while (sweep_next(&sweep, &row)) {
		hide(c, row);
		if (!filter_device(&c->p->view, row))
			continue;
		saturate_onto(&c->device_sum, r->events.dur[row]);
		if (classes_of(&c->classes, row) == CLASS_COMM &&
			filter_name(&c->p->view, r->events.name[row]))
			count_row(c, device, row);
	}
	for (int i = 0; i < COMMS_WHATS; i++)
		exposure_end(&c->exposure[i]);
	exposure_end(&c->only_kernels);
}

/* The records of collectives on the host: all there is of gloo's, and of traces without device. */
static void collect_host(struct comms *c)
{
	const struct run *r = c->p->run;
	bool *is_record = arena_array(&c->p->mem, r->strings.n, sizeof(*is_record));
	bool any = false;

	for (size_t i = 0; i < r->strings.n; i++) {
		is_record[i] = commname_is_record(strings_get(&r->strings, (sym)i));
		any |= is_record[i];
	}
	if (!any)
		return;
	for (size_t i = 0; i < r->events.n; i++) {
		enum kind kind = (enum kind)r->events.kind[i];
		sym name = r->events.name[i];

		if ((kind != KIND_OP && kind != KIND_ANNOTATION) || !is_record[name] ||
			!filter_host(&c->p->view, (uint32_t)i) || !filter_name(&c->p->view, name))
			continue;
		struct comms_host *h = groups_at(&c->host, &name);
		durations_add(&h->calls, r->events.dur[i]);
	}
}

/* Whether any kernel can be a collective: without one, nothing is shown and nothing hides it. */
static bool may_communicate(const struct comms *c)
{
	const struct events *ev = &c->p->run->events;

	return ANY(i, ev->n,
		ev->kind[i] == KIND_KERNEL && classes_may_be_comm(&c->classes, ev->name[i]));
}

void comms_collect(struct comms *c)
{
	static const struct comms_group fresh = { .calls = NO_DURATIONS };

	for (size_t i = 0; i < COMMS_WHATS; i++)
		groups_init(&c->groups[i], sizeof(struct comms_key), sizeof(fresh), &fresh, 0);
	groups_init(&c->host, sizeof(sym), sizeof(struct comms_host), NULL, 0);
	devices_init(&c->devices, c->p->run, &c->p->mem);
	for (size_t i = 0; i < c->devices.n && may_communicate(c); i++)
		collect_device(c, c->devices.id[i]);
	collect_host(c);
}

void comms_clear(struct comms *c)
{
	for (int i = 0; i < COMMS_WHATS; i++)
		groups_clear(&c->groups[i]);
	groups_clear(&c->host);
}
