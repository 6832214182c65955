/*
 * `copies`: its tables.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/copies/copies.h"
#include "analyze/measure/saturate.h"
#include "analyze/query/columns.h"
#include "analyze/query/eachstep.h"
#include "analyze/query/whole.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"

enum { PEOPLE_ROWS = 15 };
#define SHOW(column) (UINT64_C(1) << (column))
static const double ns_per_s = 1e9;

static const struct column totals[CTOT_COLUMNS] = {
	[CTOT_CALLS] = COL_INT(
		"calls", "copies", "Copies; sets and copying kernels aside.", UNIT_COUNT, 0),
	[CTOT_SUM] = COL_INT("device_sum_ns", "time", "Sum of their durations.", UNIT_NS, 0),
	[CTOT_SHARE] = COL_REAL("share_ratio", "share of device time",
		"device_sum_ns over that of all device work that passes the filters.", UNIT_RATIO,
		0),
	[CTOT_UNION] = COL_INT("union_ns", "union",
		"Time during which at least one copy runs; several devices are added up.", UNIT_NS,
		COLUMN_HIDDEN),
	[CTOT_EXPOSED] = COL_INT("exposed_ns", "exposed",
		"Time during which a copy runs and no kernel, collective or set does.", UNIT_NS, 0),
	[CTOT_PER_STEP] = COL_REAL("exposed_per_step_ns", "exposed per step",
		"exposed_ns over the number of steps looked at.", UNIT_NS, 0),
	[CTOT_CAST] = COL_INT("cast_sum_ns", "casts",
		"Sum of the durations of kernels that convert a tensor to another type.", UNIT_NS,
		0),
	[CTOT_CAST_SHARE] = COL_REAL("cast_ratio", "casts' share",
		"cast_sum_ns over that of all device work that passes the filters.", UNIT_RATIO, 0),
	[CTOT_DEVICE_SUM] = COL_INT("all_device_sum_ns", "device time",
		"Sum of the durations of all device work that passes the filters, names aside.",
		UNIT_NS, COLUMN_HIDDEN),
};

static const struct column copies[COPY_COLUMNS] = {
	[COPY_SUM] = COL_INT("device_sum_ns", "time", "Sum of durations.", UNIT_NS, 0),
	[COPY_SHARE] = COL_REAL("share_ratio", "%",
		"device_sum_ns over that of all device work that passes the filters, names aside.",
		UNIT_RATIO, 0),
	[COPY_EXPOSED] = { "exposed_ns", "exposed",
		"Time during which one of these copies runs and no kernel, collective or set does. Of "
		"two kinds that run at the same time both are exposed. Absent for sets.",
		"TraceLens, exposed memcpy", CELL_INT, UNIT_NS, 0 },
	[COPY_CALLS] = COL_INT("calls", "calls", "Copies in the row.", UNIT_COUNT, 0),
	[COPY_BYTES] = COL_INT(
		"bytes", "bytes", "Sum of args.bytes; absent when none says it.", UNIT_BYTES, 0),
	[COPY_RATE] = COL_REAL("bandwidth_bytes_per_s", "bandwidth",
		"Bytes over the time of the copies that say theirs. GB/s is 1e9 bytes a second.",
		UNIT_BYTES_PER_S, 0),
	[COPY_MEAN] = COL_REAL("mean_ns", "avg", "device_sum_ns over calls.", UNIT_NS, 0),
	[COPY_DEVICE] = COL_INT("device", "device", "The device that recorded it.", UNIT_NONE, 0),
	[COPY_KIND] = COL_TEXT("kind", "kind",
		"memcpy, memset, or kernel where a copy runs as one (ROCm).", COLUMN_HIDDEN),
	[COPY_DIRECTION] = COL_TEXT("direction", "direction",
		"HtoD (host to device), DtoH, DtoD, PtoP (device to another device), HtoH; set: no copy; "
		"unknown: the name does not say.",
		0),
	[COPY_FROM] = COL_TEXT("from", "from",
		"The memory read: pageable, pinned, host (one of the two, the trace does not say which), "
		"device, array, managed.",
		0),
	[COPY_TO] = COL_TEXT("to", "to", "The memory written.", 0),
	[COPY_PER_STEP] = COL_REAL("calls_per_step", "per step",
		"Calls over the number of steps looked at.", UNIT_COUNT, COLUMN_HIDDEN),
	[COPY_UNION] = COL_INT("union_ns", "union", "Time during which at least one of them runs.",
		UNIT_NS, COLUMN_HIDDEN),
	[COPY_MIN] = COL_INT("min_ns", "min", "Shortest.", UNIT_NS, COLUMN_HIDDEN),
	[COPY_MAX] = COL_INT("max_ns", "max", "Longest.", UNIT_NS, COLUMN_HIDDEN),
	[COPY_SIZED] = COL_INT(
		"sized_calls", "sized", "Copies that say their bytes.", UNIT_COUNT, COLUMN_HIDDEN),
};

static const struct column kernels[CKER_COLUMNS] = {
	[CKER_SUM] = COL_INT("device_sum_ns", "time", "Sum of durations.", UNIT_NS, 0),
	[CKER_SHARE] = COL_REAL("share_ratio", "%",
		"device_sum_ns over that of all device work that passes the filters, names aside.",
		UNIT_RATIO, 0),
	[CKER_CALLS] = COL_INT("calls", "calls", "Kernels in the row.", UNIT_COUNT, 0),
	[CKER_MEAN] = COL_REAL("mean_ns", "avg", "device_sum_ns over calls.", UNIT_NS, 0),
	[CKER_DEVICE] = COL_INT("device", "device", "Where they ran.", UNIT_NONE, 0),
	[CKER_MOVES] = COL_TEXT("moves", "what they do",
		"cast: elements change their type; copy: the same type in another place or order "
		"(contiguous, clone, cat); cast or copy: the kernel's name does not tell (--types may). "
		"By the names of torch's kernels.",
		0),
	[CKER_PER_STEP] = COL_REAL("calls_per_step", "per step",
		"Calls over the number of steps looked at.", UNIT_COUNT, COLUMN_HIDDEN),
};

static const struct column causes[CAUSE_COLUMNS] = {
	[CAUSE_SUM] = COL_INT("device_sum_ns", "time", "Sum of durations.", UNIT_NS, 0),
	[CAUSE_EXPOSED] = COL_INT("exposed_ns", "exposed",
		"Time during which one of these copies runs and no kernel, collective or set does; "
		"absent for sets and kernels.",
		UNIT_NS, 0),
	[CAUSE_CALLS] =
		COL_INT("calls", "calls", "Copies, sets or kernels in the row.", UNIT_COUNT, 0),
	[CAUSE_BYTES] = COL_INT(
		"bytes", "bytes", "Sum of args.bytes; absent when none says it.", UNIT_BYTES, 0),
	[CAUSE_MEAN] = COL_REAL("mean_ns", "avg", "device_sum_ns over calls.", UNIT_NS, 0),
	[CAUSE_MOVES] = COL_TEXT("moves", "what",
		"Direction and memories of copies, set, or what the kernel does.", 0),
	[CAUSE_OP] = COL_TEXT(
		"op", "op", "The op that launched it; absent when none is known.", COLUMN_ELASTIC),
	[CAUSE_IS_COPY_OP] = COL_BOOL("is_copy_op", "is a copy",
		"The op exists to move or convert: aten::to, _to_copy, copy_, clone, contiguous, cat.",
		COLUMN_HIDDEN),
};

const struct table_doc copies_docs[COPIES_TABLES] = {
	[COPIES_TOTALS] = { "totals", "copies as a whole", totals, CTOT_COLUMNS },
	[COPIES_COPIES] = { "copies", "copies by kind", copies, COPY_COLUMNS },
	[COPIES_KERNELS] = { "kernels", "kernels that only move elements", kernels, CKER_COLUMNS },
	[COPIES_CAUSES] = { "ops", "ops that cause them", causes, CAUSE_COLUMNS },
};

static size_t nstep(const struct copies *c)
{
	const struct steps *s = c->p->run->steps;

	return s && s->source != STEPS_WHOLE ? c->p->view.nstep : 0;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

/* Time of kernels of that sort, over all devices. */
static nsec sum_of(const struct copies *c, enum copies_what what)
{
	nsec sum = 0;
	uint32_t i;

	for (i = 0; i < c->by_kind.of.keys.n; i++) {
		const struct copies_key *key = keymap_key(&c->by_kind.of.keys, i);

		if (copies_kind_at(c, key->kind)->what == what)
			sum = saturate_add(sum, c->by_kind.sum[i].ns);
	}
	return sum;
}

void copies_put_totals(struct copies *c)
{
	const struct copies_sum none = { 0 };
	const struct copies_sum *s = c->all.of.keys.n ? c->all.sum : &none;
	nsec exposed = c->all.of.keys.n ? c->all.of.exposed->exposed_ns : 0;
	struct table *t = each_table(c->p, &copies_docs[COPIES_TOTALS]);
	nsec cast = sum_of(c, MOVES_CAST);

	t->layout = TABLE_LIST;
	table_row(t);
	table_int(t, CTOT_CALLS, s->calls);
	table_int(t, CTOT_SUM, s->ns);
	table_real(t, CTOT_SHARE, ratio((double)s->ns, (double)c->device_sum));
	table_int(t, CTOT_UNION, c->all.of.keys.n ? c->all.of.exposed->union_ns : 0);
	table_int(t, CTOT_EXPOSED, exposed);
	if (nstep(c))
		table_real(t, CTOT_PER_STEP, (double)exposed / (double)nstep(c));
	table_int(t, CTOT_CAST, cast);
	table_real(t, CTOT_CAST_SHARE, ratio((double)cast, (double)c->device_sum));
	table_int(t, CTOT_DEVICE_SUM, c->device_sum);
	if (c->p->q->for_people)
		whole_drop_unknown(t);
}

/* Groups by time, the longest first. */
struct place {
	nsec ns;
	struct span name; /* of the op */
	struct copies_kind kind;
	int64_t device;
	uint32_t group;
};

static int compare(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	int c;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	c = span_cmp(a->name, b->name);
	if (c == 0)
		c = memcmp(&a->kind, &b->kind, sizeof(a->kind));
	return c ? c : (a->device > b->device) - (a->device < b->device);
}

static struct place *rank(struct copies *c, const struct copies_groups *g)
{
	struct place *p = arena_array(&c->p->mem, g->of.keys.n, sizeof(*p));
	bool by_cause = g == &c->by_cause;
	uint32_t i;

	for (i = 0; i < g->of.keys.n; i++) {
		const struct copies_cause *cause = keymap_key(&g->of.keys, i);
		const struct copies_key *key = keymap_key(&g->of.keys, i);

		p[i] = (struct place){ .ns = g->sum[i].ns, .group = i };
		if (by_cause)
			p[i].name = strings_get(&c->p->run->strings, cause->op);
		else
			p[i].device = key->device;
		p[i].kind = *copies_kind_at(c, by_cause ? cause->kind : key->kind);
	}
	if (g->of.keys.n)
		qsort(p, g->of.keys.n, sizeof(*p), compare);
	return p;
}

static bool is_transfer(const struct copies_kind *k)
{
	return k->what == MOVES_COPY || k->what == MOVES_SET;
}

static const char *moves_word(uint8_t what)
{
	switch (what) {
	case MOVES_SET: return "set";
	case MOVES_CAST: return "cast";
	case MOVES_LAYOUT: return "copy";
	case MOVES_UNCLEAR: return "cast or copy";
	default: return "";
	}
}

static void put_memories(struct table *t, const struct copies_kind *k)
{
	if (k->what != MOVES_COPY)
		return;
	if (k->from != COPY_MEMORY_UNKNOWN)
		table_text(t, COPY_FROM, span_of(copyclass_memory_word((enum copy_memory)k->from)));
	if (k->to != COPY_MEMORY_UNKNOWN)
		table_text(t, COPY_TO, span_of(copyclass_memory_word((enum copy_memory)k->to)));
}

static void put_copy(struct copies *c, struct table *t, const struct place *p)
{
	const struct copies_sum *s = &c->by_kind.sum[p->group];
	const struct exposure_group *x = &c->by_kind.of.exposed[p->group];
	bool is_copy = p->kind.what == MOVES_COPY;

	table_row(t);
	table_int(t, COPY_SUM, s->ns);
	table_real(t, COPY_SHARE, ratio((double)s->ns, (double)c->device_sum));
	table_int(t, COPY_CALLS, s->calls);
	if (s->sized > 0) {
		table_int(t, COPY_BYTES, s->bytes);
		table_real(t, COPY_RATE, ratio((double)s->bytes * ns_per_s, (double)s->sized_ns));
	}
	table_int(t, COPY_SIZED, s->sized);
	table_real(t, COPY_MEAN, (double)s->ns / (double)s->calls);
	table_int(t, COPY_DEVICE, p->device);
	table_text(t, COPY_KIND, span_of(kind_word((enum kind)p->kind.kind)));
	table_text(t, COPY_DIRECTION,
		span_of(is_copy ? copyclass_direction_word((enum copy_direction)p->kind.direction)
				: "set"));
	put_memories(t, &p->kind);
	if (nstep(c))
		table_real(t, COPY_PER_STEP, (double)s->calls / (double)nstep(c));
	if (is_copy) {
		table_int(t, COPY_EXPOSED, x->exposed_ns);
		table_int(t, COPY_UNION, x->union_ns);
	}
	table_int(t, COPY_MIN, s->min);
	table_int(t, COPY_MAX, s->max);
}

void copies_put_copies(struct copies *c)
{
	struct place *p = rank(c, &c->by_kind);
	uint64_t visible = SHOW(COPY_SUM) | SHOW(COPY_SHARE) | SHOW(COPY_EXPOSED) |
		SHOW(COPY_CALLS) | SHOW(COPY_BYTES) | SHOW(COPY_RATE) | SHOW(COPY_MEAN) |
		SHOW(COPY_DIRECTION) | SHOW(COPY_FROM) | SHOW(COPY_TO);
	struct table *t = NULL;
	size_t i;

	if (c->devices.n > 1)
		visible |= SHOW(COPY_DEVICE);
	for (i = 0; i < c->by_kind.of.keys.n; i++) {
		if (!is_transfer(&p[i].kind))
			continue;
		if (!t)
			t = eachstep_table(c->p, &copies_docs[COPIES_COPIES], visible);
		put_copy(c, t, &p[i]);
	}
}

static void put_kernel(struct copies *c, struct table *t, const struct place *p)
{
	const struct copies_sum *s = &c->by_kind.sum[p->group];

	table_row(t);
	table_int(t, CKER_SUM, s->ns);
	table_real(t, CKER_SHARE, ratio((double)s->ns, (double)c->device_sum));
	table_int(t, CKER_CALLS, s->calls);
	table_real(t, CKER_MEAN, (double)s->ns / (double)s->calls);
	table_int(t, CKER_DEVICE, p->device);
	table_text(t, CKER_MOVES, span_of(moves_word(p->kind.what)));
	if (nstep(c))
		table_real(t, CKER_PER_STEP, (double)s->calls / (double)nstep(c));
}

void copies_put_kernels(struct copies *c)
{
	struct place *p = rank(c, &c->by_kind);
	uint64_t visible = SHOW(CKER_SUM) | SHOW(CKER_SHARE) | SHOW(CKER_CALLS) | SHOW(CKER_MEAN) |
		SHOW(CKER_MOVES);
	struct table *t = NULL;
	size_t i;

	if (c->devices.n > 1)
		visible |= SHOW(CKER_DEVICE);
	for (i = 0; i < c->by_kind.of.keys.n; i++) {
		if (is_transfer(&p[i].kind))
			continue;
		if (!t)
			t = eachstep_table(c->p, &copies_docs[COPIES_KERNELS], visible);
		put_kernel(c, t, &p[i]);
	}
}

static void put_moves(struct table *t, const struct copies_kind *k)
{
	if (k->what != MOVES_COPY) {
		table_text(t, CAUSE_MOVES, span_of(moves_word(k->what)));
		return;
	}
	table_textf(t, CAUSE_MOVES, "%s %s -> %s",
		copyclass_direction_word((enum copy_direction)k->direction),
		copyclass_memory_word((enum copy_memory)k->from),
		copyclass_memory_word((enum copy_memory)k->to));
}

static void put_cause(struct copies *c, struct table *t, const struct place *p)
{
	const struct copies_sum *s = &c->by_cause.sum[p->group];

	table_row(t);
	table_int(t, CAUSE_SUM, s->ns);
	if (p->kind.what == MOVES_COPY)
		table_int(t, CAUSE_EXPOSED, c->by_cause.of.exposed[p->group].exposed_ns);
	table_int(t, CAUSE_CALLS, s->calls);
	if (s->sized > 0)
		table_int(t, CAUSE_BYTES, s->bytes);
	table_real(t, CAUSE_MEAN, (double)s->ns / (double)s->calls);
	put_moves(t, &p->kind);
	if (p->name.n == 0)
		return;
	table_text(t, CAUSE_OP, p->name);
	table_bool(t, CAUSE_IS_COPY_OP, copyclass_is_copy_op(p->name));
}

void copies_put_causes(struct copies *c)
{
	size_t limit = each_limit(c->p, c->o->limit, PEOPLE_ROWS), n = c->by_cause.of.keys.n, i;
	struct place *p = rank(c, &c->by_cause);
	struct table *t;

	if (n == 0)
		return;
	t = each_table(c->p, &copies_docs[COPIES_CAUSES]);
	for (i = 0; i < n && i < limit; i++)
		put_cause(c, t, &p[i]);
	each_put_cut(t, CAUSE_OP, n - i);
}
