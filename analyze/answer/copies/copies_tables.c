/*
 * `copies`: its tables.
 */
#include <stdlib.h>
#include "analyze/analysis/perrun.h"

#include <string.h>

#include "analyze/answer/copies/copies.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/compare3.h"
#include "base/ratio.h"
#include "base/saturate.h"

enum { PEOPLE_ROWS = 15 };
#define SHOW(column) (UINT64_C(1) << (column))
static const double ns_per_s = 1e9;

static size_t nstep(const struct copies *c)
{
	const struct steps *s = c->p->run->steps;

	return s && s->source != STEPS_WHOLE ? c->p->view.nstep : 0;
}

/* Time of kernels of that sort, over all devices. */
static nsec sum_of(const struct copies *c, enum copies_what what)
{
	nsec sum = 0;
	uint32_t i;

	for (i = 0; i < c->by_kind.of.keys.n; i++) {
		const struct copies_key *key = keymap_key(&c->by_kind.of.keys, i);

		if (copies_kind_at(c, key->kind)->what == what)
			saturate_onto(&sum, c->by_kind.sum[i].ns);
	}
	return sum;
}

/* Of all devices, ns. */
static double exposed_in_steps(const struct copies *c)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < c->window.ndevice; i++)
		sum += (double)c->window.device[i].ledger.exposed_memcpy;
	return sum;
}

void copies_put_totals(struct copies *c)
{
	const struct copies_sum none = { 0 };
	const struct copies_sum *s = c->all.of.keys.n ? c->all.sum : &none;
	nsec exposed = c->all.of.keys.n ? c->all.of.exposed->exposed_ns : 0;
	struct table *t = perrun_table(c->p, &copies_docs[COPIES_TOTALS]);
	nsec cast = sum_of(c, MOVES_CAST);

	t->layout = TABLE_LIST;
	table_row(t);
	table_int(t, CTOT_CALLS, s->calls);
	table_int(t, CTOT_SUM, s->ns);
	table_real(t, CTOT_SHARE, ratio_of((double)s->ns, (double)c->device_sum));
	table_int(t, CTOT_UNION, c->all.of.keys.n ? c->all.of.exposed->union_ns : 0);
	table_int(t, CTOT_EXPOSED, exposed);
	if (c->window.ndevice > 0)
		table_real(t, CTOT_PER_STEP, exposed_in_steps(c) / (double)c->window.nstep);
	table_int(t, CTOT_CAST, cast);
	table_real(t, CTOT_CAST_SHARE, ratio_of((double)cast, (double)c->device_sum));
	table_int(t, CTOT_DEVICE_SUM, c->device_sum);
	if (c->p->q->for_people)
		table_drop_empty(t);
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
		return compare3(b->ns, a->ns);
	c = span_cmp(a->name, b->name);
	if (c == 0)
		c = memcmp(&a->kind, &b->kind, sizeof(a->kind));
	return c ? c : compare3(a->device, b->device);
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
	table_real(t, COPY_SHARE, ratio_of((double)s->ns, (double)c->device_sum));
	table_int(t, COPY_CALLS, s->calls);
	if (s->sized > 0) {
		table_int(t, COPY_BYTES, s->bytes);
		table_real(
			t, COPY_RATE, ratio_of((double)s->bytes * ns_per_s, (double)s->sized_ns));
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
			t = perrun_table_seen(c->p, &copies_docs[COPIES_COPIES], visible);
		put_copy(c, t, &p[i]);
	}
}

static void put_kernel(struct copies *c, struct table *t, const struct place *p)
{
	const struct copies_sum *s = &c->by_kind.sum[p->group];

	table_row(t);
	table_int(t, CKER_SUM, s->ns);
	table_real(t, CKER_SHARE, ratio_of((double)s->ns, (double)c->device_sum));
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
			t = perrun_table_seen(c->p, &copies_docs[COPIES_KERNELS], visible);
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
	size_t limit = rows_limit(c->p->q, c->o->limit, PEOPLE_ROWS, SIZE_MAX),
	       n = c->by_cause.of.keys.n, i;
	struct place *p = rank(c, &c->by_cause);
	struct table *t;

	if (n == 0)
		return;
	t = perrun_table(c->p, &copies_docs[COPIES_CAUSES]);
	for (i = 0; i < n && i < limit; i++)
		put_cause(c, t, &p[i]);
	rows_cut(t, CAUSE_OP, n - i);
}
