/*
 * `comms`: its tables.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/comms/comms.h"
#include "analyze/analysis/perrun.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/compare3.h"
#include "base/ratio.h"
#include "base/saturate.h"

enum { PEOPLE_ROWS = 20 };
#define SHOW(column) (UINT64_C(1) << (column))
static const double ns_per_s = 1e9;

static double overlap_ratio(const struct exposure_group *x)
{
	return ratio_of((double)(x->union_ns - x->exposed_ns), (double)x->union_ns);
}

/* Groups by time, the longest first; ties by two more values. */
struct place {
	int64_t value, a, b;
	struct span name;
	uint32_t group;
};

static int compare(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	return COMPARE_BY(compare3(b->value, a->value), compare3(a->a, b->a), compare3(a->b, b->b),
		span_cmp(a->name, b->name), compare3(a->group, b->group));
}

static void sort(struct place *p, size_t n)
{
	if (n)
		qsort(p, n, sizeof(*p), compare);
}

static void put_device(struct comms *c, struct table *t, const struct place *p)
{
	const struct comms_sum *s = &c->by_device.sum[p->group];
	const struct exposure_group *x = &c->by_device.of.exposed[p->group];
	const struct exposure_group *k = &c->only_kernels[p->group];
	size_t i;

	table_row(t);
	table_int(t, CDEV_DEVICE, p->a);
	table_int(t, CDEV_CALLS, s->calls);
	table_int(t, CDEV_SUM, s->ns);
	table_int(t, CDEV_UNION, x->union_ns);
	table_int(t, CDEV_EXPOSED, x->exposed_ns);
	table_int(t, CDEV_OVERLAP, x->union_ns - x->exposed_ns);
	table_real(t, CDEV_OVERLAP_RATIO, overlap_ratio(x));
	table_int(t, CDEV_KERNEL_OVERLAP, k->union_ns - k->exposed_ns);
	table_real(t, CDEV_KERNEL_RATIO, overlap_ratio(k));
	for (i = 0; i < c->window.ndevice; i++)
		if (c->window.device[i].id == p->a)
			table_real(t, CDEV_PER_STEP,
				(double)c->window.device[i].ledger.exposed_comm /
					(double)c->window.nstep);
}

void comms_put_devices(struct comms *c)
{
	size_t n = c->by_device.of.keys.n, i;
	struct place *p = arena_array(&c->p->mem, n, sizeof(*p));
	struct table *t;

	if (n == 0)
		return;
	for (i = 0; i < n; i++)
		p[i] = (struct place){ .a = *(const int64_t *)keymap_key(
					       &c->by_device.of.keys, (uint32_t)i),
			.group = (uint32_t)i };
	sort(p, n);
	t = perrun_table(c->p, &comms_docs[COMMS_DEVICES]);
	for (i = 0; i < n; i++)
		put_device(c, t, &p[i]);
}

static void put_speed(struct table *t, const struct comms_key *key, const struct comms_sum *s)
{
	if (key->bytes != ARG_UNKNOWN)
		table_int(t, COLL_BYTES, key->bytes);
	if (s->sized_ns > 0) {
		table_real(t, COLL_ALGORITHM, s->bytes * ns_per_s / (double)s->sized_ns);
		table_real(t, COLL_ALL_BYTES, s->bytes);
	}
	if (s->bus_ns > 0)
		table_real(t, COLL_BUS, commclass_bus_rate(s->bus, s->bus_ns));
}

static void put_collective(struct comms *c, struct table *t, const struct place *p)
{
	const struct strings *names = &c->p->run->strings;
	const struct comms_key *key = keymap_key(&c->by_what.of.keys, p->group);
	const struct comms_sum *s = &c->by_what.sum[p->group];
	const struct exposure_group *x = &c->by_what.of.exposed[p->group];

	table_row(t);
	table_int(t, COLL_SUM, s->ns);
	table_int(t, COLL_EXPOSED, x->exposed_ns);
	table_int(t, COLL_CALLS, s->calls);
	table_real(t, COLL_MEAN, (double)s->ns / (double)s->calls);
	put_speed(t, key, s);
	if (s->dtype.n > 0)
		table_text(t, COLL_DTYPE, s->dtype);
	if (key->ranks != ARG_UNKNOWN)
		table_int(t, COLL_RANKS, key->ranks);
	if (key->group)
		table_text(t, COLL_GROUP, strings_get(names, key->group));
	table_text(t, COLL_OP, span_of(commclass_word((enum comm_op)key->op)));
	table_text(t, COLL_KERNEL, strings_get(names, s->kernel));
	table_real(t, COLL_SHARE, ratio_of((double)s->ns, (double)c->device_sum));
	table_int(t, COLL_UNION, x->union_ns);
	table_real(t, COLL_OVERLAP_RATIO, overlap_ratio(x));
	table_int(t, COLL_MIN, s->min);
	table_int(t, COLL_MAX, s->max);
}

static uint64_t visible_columns(const struct comms *c)
{
	uint64_t v = SHOW(COLL_SUM) | SHOW(COLL_EXPOSED) | SHOW(COLL_CALLS) | SHOW(COLL_MEAN) |
		SHOW(COLL_OP);
	bool has_args = false, has_bytes = false, several_groups = false;
	const struct comms_key *first = keymap_key(&c->by_what.of.keys, 0);
	size_t i;

	for (i = 0; i < c->by_what.of.keys.n; i++) {
		const struct comms_key *key = keymap_key(&c->by_what.of.keys, (uint32_t)i);

		has_args = has_args || key->ranks != ARG_UNKNOWN;
		has_bytes = has_bytes || key->bytes != ARG_UNKNOWN;
		several_groups = several_groups || key->group != first->group;
	}
	v |= several_groups ? SHOW(COLL_GROUP) : 0;
	v |= has_bytes ? SHOW(COLL_BYTES) | SHOW(COLL_ALGORITHM) | SHOW(COLL_BUS) : 0;
	if (c->by == COMMS_BY_KERNEL || !has_args)
		return v | SHOW(COLL_KERNEL);
	return v | SHOW(COLL_DTYPE) | SHOW(COLL_RANKS);
}

void comms_put_collectives(struct comms *c)
{
	size_t limit = rows_limit(c->p->q, c->o->limit, PEOPLE_ROWS, SIZE_MAX),
	       n = c->by_what.of.keys.n, i;
	struct place *p = arena_array(&c->p->mem, n, sizeof(*p));
	struct table *t;

	if (n == 0)
		return;
	for (i = 0; i < n; i++) {
		const struct comms_key *key = keymap_key(&c->by_what.of.keys, (uint32_t)i);

		p[i] = (struct place){ c->by_what.sum[i].ns, key->op, key->bytes,
			strings_get(&c->p->run->strings, c->by_what.sum[i].kernel), (uint32_t)i };
	}
	sort(p, n);
	t = perrun_table_seen(c->p, &comms_docs[COMMS_COLLECTIVES], visible_columns(c));
	for (i = 0; i < n && i < limit; i++)
		put_collective(c, t, &p[i]);
	rows_cut(t, COLL_OP, n - i);
}

void comms_put_streams(struct comms *c)
{
	const struct lane *lanes = c->p->run->lanes.lane;
	size_t n = c->by_lane.of.keys.n, i;
	struct place *p = arena_array(&c->p->mem, n, sizeof(*p));
	struct table *t;

	if (n == 0)
		return;
	for (i = 0; i < n; i++) {
		uint32_t lane = *(const uint32_t *)keymap_key(&c->by_lane.of.keys, (uint32_t)i);

		p[i] = (struct place){
			.a = lanes[lane].device, .b = lanes[lane].stream, .group = (uint32_t)i
		};
	}
	sort(p, n);
	t = perrun_table(c->p, &comms_docs[COMMS_STREAMS]);
	for (i = 0; i < n; i++) {
		const struct comms_sum *s = &c->by_lane.sum[p[i].group];
		const struct exposure_group *x = &c->by_lane.of.exposed[p[i].group];

		table_row(t);
		table_int(t, CSTR_DEVICE, p[i].a);
		table_int(t, CSTR_STREAM, p[i].b);
		table_int(t, CSTR_CALLS, s->calls);
		table_int(t, CSTR_SUM, s->ns);
		table_int(t, CSTR_UNION, x->union_ns);
		table_int(t, CSTR_EXPOSED, x->exposed_ns);
		table_real(t, CSTR_OVERLAP_RATIO, overlap_ratio(x));
	}
}

void comms_put_host(struct comms *c)
{
	const struct strings *names = &c->p->run->strings;
	size_t n = c->host_keys.n, i;
	struct place *p = arena_array(&c->p->mem, n, sizeof(*p));
	struct table *t;

	if (n == 0)
		return;
	for (i = 0; i < n; i++)
		p[i] = (struct place){ .value = c->host[i].cpu_ns,
			.name = strings_get(
				names, *(const sym *)keymap_key(&c->host_keys, (uint32_t)i)),
			.group = (uint32_t)i };
	sort(p, n);
	t = perrun_table(c->p, &comms_docs[COMMS_HOST]);
	for (i = 0; i < n; i++) {
		const struct comms_host *h = &c->host[p[i].group];
		enum comm_op op = commclass_of(p[i].name);

		table_row(t);
		table_int(t, CHOST_CALLS, h->calls);
		table_int(t, CHOST_CPU, h->cpu_ns);
		table_real(t, CHOST_MEAN, (double)h->cpu_ns / (double)h->calls);
		if (op != COMM_UNKNOWN)
			table_text(t, CHOST_OP, span_of(commclass_word(op)));
		table_text(t, CHOST_NAME, p[i].name);
	}
}
