/*
 * `comms`: its tables.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/comms/comms.h"
#include "analyze/measure/saturate.h"
#include "analyze/query/columns.h"
#include "analyze/query/eachstep.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"

enum { PEOPLE_ROWS = 20 };
#define SHOW(column) (UINT64_C(1) << (column))
static const double ns_per_s = 1e9;

static const struct column devices[CDEV_COLUMNS] = {
	[CDEV_DEVICE] = COL_INT("device", "device", "The device's number.", UNIT_NONE, 0),
	[CDEV_CALLS] = COL_INT("calls", "calls", "Collectives on it.", UNIT_COUNT, 0),
	[CDEV_SUM] = COL_INT("device_sum_ns", "time", "Sum of their durations.", UNIT_NS, 0),
	[CDEV_UNION] = COL_INT(
		"union_ns", "union", "Time during which at least one collective runs.", UNIT_NS, 0),
	[CDEV_EXPOSED] = { "exposed_ns", "exposed",
		"Time during which a collective runs and no computing kernel or set does.",
		"TraceLens, exposed comm", CELL_INT, UNIT_NS, 0 },
	[CDEV_OVERLAP] = COL_INT("compute_overlap_ns", "overlap",
		"union_ns less exposed_ns: hidden by computing.", UNIT_NS, 0),
	[CDEV_OVERLAP_RATIO] = { "compute_overlap_ratio", "% overlap",
		"compute_overlap_ns over union_ns.", "HTA, get_comm_comp_overlap", CELL_REAL,
		UNIT_RATIO, 0 },
	[CDEV_KERNEL_OVERLAP] = COL_INT("kernel_overlap_ns", "by kernels",
		"The same, hidden by computing kernels alone, sets aside.", UNIT_NS, COLUMN_HIDDEN),
	[CDEV_KERNEL_RATIO] = COL_REAL("kernel_overlap_ratio", "% by kernels",
		"kernel_overlap_ns over union_ns.", UNIT_RATIO, COLUMN_HIDDEN),
	[CDEV_PER_STEP] = COL_REAL("exposed_per_step_ns", "exposed per step",
		"exposed_ns over the number of steps looked at.", UNIT_NS, 0),
};

static const struct column collectives[COLL_COLUMNS] = {
	[COLL_SUM] = COL_INT("device_sum_ns", "time", "Sum of durations.", UNIT_NS, 0),
	[COLL_EXPOSED] = COL_INT("exposed_ns", "exposed",
		"Time during which one of them runs and no computing kernel or set does.", UNIT_NS,
		0),
	[COLL_CALLS] = COL_INT("calls", "calls", "Collectives in the row.", UNIT_COUNT, 0),
	[COLL_MEAN] = COL_REAL("mean_ns", "avg", "device_sum_ns over calls.", UNIT_NS, 0),
	[COLL_BYTES] = COL_INT("bytes", "bytes",
		"The message of one call: of all ranks for all_gather, reduce_scatter, all_to_all, gather "
		"and scatter, of one for the others. Absent when the trace has no arguments.",
		UNIT_BYTES, 0),
	[COLL_ALGORITHM] = { "algorithm_bytes_per_s", "alg. bw",
		"Algorithm bandwidth: bytes over time. The time of a collective has its wait for the "
		"slowest rank in it, so this is a lower bound of what the links do. GB/s is 1e9 bytes a "
		"second.",
		"nccl-tests, doc/PERFORMANCE.md", CELL_REAL, UNIT_BYTES_PER_S, 0 },
	[COLL_BUS] = { "bus_bytes_per_s", "bus bw",
		"Bus bandwidth: algorithm bandwidth x 2(n-1)/n for all_reduce, x (n-1)/n for all_gather, "
		"reduce_scatter, all_to_all, gather, scatter, x 1 for broadcast, reduce, send, recv.",
		"nccl-tests, doc/PERFORMANCE.md", CELL_REAL, UNIT_BYTES_PER_S, 0 },
	[COLL_DTYPE] = COL_TEXT("dtype", "dtype",
		"Type of the elements: by arguments, else by the kernel's name where that has one.",
		0),
	[COLL_RANKS] = COL_INT("ranks", "ranks", "Ranks of the group.", UNIT_COUNT, 0),
	[COLL_GROUP] = COL_TEXT("group", "group", "Name of the process group.", 0),
	[COLL_OP] = COL_TEXT("collective", "collective",
		"Which one: by arguments, else by the kernel's name. send_recv: NCCL's one kernel for "
		"send, recv and all_to_all.",
		0),
	[COLL_KERNEL] =
		COL_TEXT("kernel", "kernel", "The kernel; of several the first.", COLUMN_ELASTIC),
	[COLL_SHARE] = COL_REAL("share_ratio", "%",
		"device_sum_ns over that of all device work that passes the filters, names aside.",
		UNIT_RATIO, COLUMN_HIDDEN),
	[COLL_UNION] = COL_INT("union_ns", "union", "Time during which at least one of them runs.",
		UNIT_NS, COLUMN_HIDDEN),
	[COLL_OVERLAP_RATIO] = COL_REAL("compute_overlap_ratio", "% overlap",
		"(union_ns - exposed_ns) / union_ns.", UNIT_RATIO, COLUMN_HIDDEN),
	[COLL_ALL_BYTES] = COL_REAL("all_bytes", "all bytes",
		"Sum of the messages of the calls, where known.", UNIT_BYTES, COLUMN_HIDDEN),
	[COLL_MIN] = COL_INT("min_ns", "min", "Shortest.", UNIT_NS, COLUMN_HIDDEN),
	[COLL_MAX] = COL_INT("max_ns", "max", "Longest.", UNIT_NS, COLUMN_HIDDEN),
};

static const struct column streams[CSTR_COLUMNS] = {
	[CSTR_DEVICE] = COL_INT("device", "device", "The device's number.", UNIT_NONE, 0),
	[CSTR_STREAM] = COL_INT("stream", "stream", "The stream's number.", UNIT_NONE, 0),
	[CSTR_CALLS] = COL_INT("calls", "calls", "Collectives on it.", UNIT_COUNT, 0),
	[CSTR_SUM] = COL_INT("device_sum_ns", "time", "Sum of their durations.", UNIT_NS, 0),
	[CSTR_UNION] = COL_INT(
		"union_ns", "union", "Time during which at least one of them runs.", UNIT_NS, 0),
	[CSTR_EXPOSED] = COL_INT("exposed_ns", "exposed",
		"Time during which one of them runs and no computing kernel or set does.", UNIT_NS,
		0),
	[CSTR_OVERLAP_RATIO] = COL_REAL("compute_overlap_ratio", "% overlap",
		"(union_ns - exposed_ns) / union_ns.", UNIT_RATIO, 0),
};

static const struct column host[CHOST_COLUMNS] = {
	[CHOST_CALLS] = COL_INT("calls", "calls", "Records of that name.", UNIT_COUNT, 0),
	[CHOST_CPU] = COL_INT("cpu_total_ns", "CPU time", "Sum of their durations.", UNIT_NS, 0),
	[CHOST_MEAN] = COL_REAL("mean_ns", "avg", "cpu_total_ns over calls.", UNIT_NS, 0),
	[CHOST_OP] = COL_TEXT("collective", "collective", "Which one, where the name says it.", 0),
	[CHOST_NAME] = COL_TEXT("name", "name",
		"The record: record_param_comms, nccl:..., gloo:... Of one collective there may be "
		"several.",
		COLUMN_ELASTIC),
};

const struct table_doc comms_docs[COMMS_TABLES] = {
	[COMMS_DEVICES] = { "devices", "devices", devices, CDEV_COLUMNS },
	[COMMS_COLLECTIVES] = { "collectives", "collectives", collectives, COLL_COLUMNS },
	[COMMS_STREAMS] = { "streams", "streams", streams, CSTR_COLUMNS },
	[COMMS_HOST] = { "host", "collectives on the CPU", host, CHOST_COLUMNS },
};

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static double overlap_ratio(const struct exposure_group *x)
{
	return ratio((double)(x->union_ns - x->exposed_ns), (double)x->union_ns);
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
	int c;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	if (a->b != b->b)
		return a->b < b->b ? -1 : 1;
	c = span_cmp(a->name, b->name);
	return c ? c : (a->group > b->group) - (a->group < b->group);
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
	const struct steps *steps = c->p->run->steps;

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
	if (steps && steps->source != STEPS_WHOLE && c->p->view.nstep)
		table_real(t, CDEV_PER_STEP, (double)x->exposed_ns / (double)c->p->view.nstep);
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
	t = each_table(c->p, &comms_docs[COMMS_DEVICES]);
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
		table_real(t, COLL_BUS, s->bus_bytes * ns_per_s / (double)s->bus_ns);
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
	table_real(t, COLL_SHARE, ratio((double)s->ns, (double)c->device_sum));
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
	size_t limit = each_limit(c->p, c->o->limit, PEOPLE_ROWS), n = c->by_what.of.keys.n, i;
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
	t = eachstep_table(c->p, &comms_docs[COMMS_COLLECTIVES], visible_columns(c));
	for (i = 0; i < n && i < limit; i++)
		put_collective(c, t, &p[i]);
	each_put_cut(t, COLL_OP, n - i);
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
	t = each_table(c->p, &comms_docs[COMMS_STREAMS]);
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
	t = each_table(c->p, &comms_docs[COMMS_HOST]);
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
