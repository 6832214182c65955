/*
 * `critical`: owners by name, and single segments.
 */
#include "analyze/answer/critical/critical.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/measure/place_id.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/compare3.h"
#include "base/ratio.h"
#include "base/saturate.h"

/* ---- owners ---- */

struct place {
	const struct critical_owner *sum;
	struct span name, op;
	enum owner owner;
};

/* The longest first; then by name. */
static int by_time(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->sum->ns != b->sum->ns)
		return compare3(b->sum->ns, a->sum->ns);
	if (a->owner != b->owner)
		return (int)a->owner - (int)b->owner;
	return span_cmp(a->name, b->name);
}

static void put_owner(const struct critical *c, struct table *t, const struct place *p)
{
	const struct interval *longest = &p->sum->longest;
	double ns = (double)p->sum->ns;

	table_row(t);
	table_int(t, COWN_NS, p->sum->ns);
	if (p->owner != OWNER_UNRECORDED)
		table_real(t, COWN_SHARE, ratio_of(ns, (double)critical_whole(c)));
	table_int(t, COWN_SEGMENTS, p->sum->segments);
	if (p->sum->total >= 0) {
		table_int(t, COWN_TOTAL, p->sum->total);
		table_real(t, COWN_OF_TOTAL, ratio_of(ns, (double)p->sum->total));
	}
	table_text(t, COWN_CLASS, span_of(owner_word(p->owner)));
	if (p->name.n)
		table_text(t, COWN_NAME, p->name);
	if (p->op.n)
		table_text(t, COWN_OP, p->op);
	table_int(t, COWN_LONGEST, longest->end - longest->start);
	table_text(t, COWN_ID, place_id(c->at->run, "path", longest->start, longest->end, t->mem));
}

void critical_put_owners(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_OWNERS]);
	struct place *v = arena_array(&c->at->mem, c->nowner, sizeof(*v));
	const sym *op = critical_ops_main(&c->ops, c->nowner, &c->at->mem);
	size_t i, n = 0;

	for (i = 0; i < c->nowner; i++) {
		const struct critical_owner *o = &c->owner[i];

		if (o->ns > 0 && filter_name(&c->at->view, o->name))
			v[n++] = (struct place){ o, critical_text(c, o->name),
				critical_text(c, op[i]), o->owner };
	}
	if (n > 1)
		qsort(v, n, sizeof(*v), by_time);
	for (i = 0; i < n && i < c->limit; i++)
		put_owner(c, t, &v[i]);
	rows_cut(t, COWN_NAME, n - i);
}

/* ---- segments ---- */

enum { PEOPLE_SEGMENTS = 40, MACHINE_SEGMENTS = 100000 };

static void put_lane(struct table *t, const struct run *r, uint32_t number)
{
	const struct lane *lane = &r->lanes.lane[number];
	struct span pid = strings_get(&r->strings, lane->pid);
	struct span tid = strings_get(&r->strings, lane->tid);

	if (r->order->device_begin[number] < r->order->device_begin[number + 1])
		table_textf(t, CSEG_LANE, "%" PRId64 ":%" PRId64, lane->device, lane->stream);
	else
		table_textf(t, CSEG_LANE, "%.*s/%.*s", (int)pid.n, pid.p, (int)tid.n, tid.p);
}

static void put_segment(struct critical *c, struct table *t, const struct critical_piece *p)
{
	const struct run *r = c->at->run;
	const struct stepstat *stat = &c->window.stat;

	table_row(t);
	table_int(t, CSEG_AT, saturate_sub(p->s.start, r->first_ns));
	table_int(t, CSEG_NS, p->s.end - p->s.start);
	if (c->window.has_steps)
		table_int(t, CSEG_STEP, r->steps->step[stat->step[stat->from + p->step]].number);
	table_text(t, CSEG_CLASS, span_of(owner_word(p->s.owner)));
	if (p->s.lane != NO_ROW)
		put_lane(t, r, p->s.lane);
	if (p->s.row != NO_ROW)
		table_text(t, CSEG_NAME, run_name(r, p->s.row));
	if (p->s.row != NO_ROW && critical_op(c, p->s.row))
		table_text(t, CSEG_OP, critical_text(c, critical_op(c, p->s.row)));
	table_int(t, CSEG_START, p->s.start);
	table_text(t, CSEG_ID, place_id(r, "path", p->s.start, p->s.end, &c->at->out->mem));
}

static bool is_wanted(struct critical *c, const struct critical_piece *p)
{
	sym name = p->s.row == NO_ROW ? 0 : c->at->run->events.name[p->s.row];

	return filter_name(&c->at->view, name);
}

void critical_put_segments(struct critical *c)
{
	struct table *t = perrun_table(c->at, &critical_docs[CRITICAL_SEGMENTS]);
	size_t i, n = 0,
		  limit = rows_limit(c->at->q, c->o->limit, PEOPLE_SEGMENTS, MACHINE_SEGMENTS);

	for (i = c->npiece; i-- > 0;) {
		if (!is_wanted(c, &c->piece[i]))
			continue;
		if (n++ < limit)
			put_segment(c, t, &c->piece[i]);
	}
	rows_cut(t, CSEG_NAME, n > limit ? n - limit : 0);
}
