/*
 * A profile: which steps count, which device is looked at, its ledger and its gaps.
 */
#include "analyze/answer/diagnose/profile.h"

#include "analyze/query/shared.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/compiler.h"
#include "base/saturate.h"

/* Narrows the view to the steps that count. */
static void choose_steps(struct profile *p)
{
	const struct steps *s = p->run->steps;
	size_t i;

	stepstat_init(&p->stat, p->run, &p->view, p->mem);
	p->has_steps = p->stat.has_steps;
	if (!p->has_steps) {
		p->nstep = 1;
		p->step_ns = s->n > 0 ? saturate_sub(s->step[0].end, s->step[0].start) : 0;
		return;
	}
	p->view.step = arena_array(p->mem, s->n, sizeof(*p->view.step));
	p->view.nstep = p->nstep = p->stat.count;
	for (i = p->stat.from; i < p->stat.from + p->stat.count; i++) {
		p->view.step[p->stat.step[i]] = true;
		saturate_onto(&p->step_ns, stepstat_dur(&p->stat, p->run, i));
	}
}

static void add_ledger(struct ledger *sum, const struct ledger *l)
{
	saturate_onto(&sum->total, l->total);
	saturate_onto(&sum->compute, l->compute);
	saturate_onto(&sum->exposed_comm, l->exposed_comm);
	saturate_onto(&sum->exposed_memcpy, l->exposed_memcpy);
	saturate_onto(&sum->idle, l->idle);
	saturate_onto(&sum->busy, l->busy);
	saturate_onto(&sum->comm, l->comm);
	saturate_onto(&sum->memcpy, l->memcpy);
	saturate_onto(&sum->comm_compute, l->comm_compute);
}

static void choose_device(struct profile *p)
{
	nsec best = -1;
	size_t i;

	classes_init(&p->classes, p->run, p->mem);
	shared_ledgers(p->shared, &p->ledgers, p->run, &p->classes, &p->view, p->mem);
	for (i = 0; i < p->ledgers.ndevice; i++) {
		nsec busy = ledger_whole(&p->ledgers, i).busy;

		if (busy <= best || !p->ledgers.device[i].range)
			continue;
		best = busy;
		p->main = i;
	}
	p->has_device = best >= 0;
	for (i = 0; p->has_device && i < p->run->steps->n; i++) {
		struct ledger l;

		if (p->view.step && !p->view.step[i])
			continue;
		l = ledger_step(&p->ledgers, p->main, i);
		add_ledger(&p->ledger, &l);
	}
}

/* ---- gaps ---- */

struct gap_walk {
	struct profile *p;
	struct profile_sum *long_by; /* by sym: what the host did in long gaps */
	nsec *wait_by[2];            /* by sym, in gaps of class HOST, SYNC */
	nsec longest;
};

static void look_at_gap(void *ctx, const struct gap *g)
{
	struct gap_walk *w = ctx;
	struct profile_gaps *to = &w->p->gaps;
	const struct run *r = w->p->run;
	nsec len = saturate_sub(g->end, g->start);
	sym name = g->doing != NO_ROW ? r->events.name[g->doing] : 0;

	gap_sums_add(&to->sums, g);
	if (g->doing != NO_ROW && (g->cls == GAP_HOST || g->cls == GAP_SYNC)) {
		nsec *sum = &w->wait_by[g->cls == GAP_SYNC][name];

		saturate_onto(sum, len);
	}
	if (len < w->p->limits.long_gap)
		return;
	to->many.count++;
	saturate_onto(&to->many.ns, len);
	if (len > w->longest) {
		w->longest = len;
		to->many.row = g->doing;
	}
	if (g->doing == NO_ROW)
		return;
	w->long_by[name].count++;
	saturate_onto(&w->long_by[name].ns, len);
	w->long_by[name].row = g->doing;
}

/* Puts a name where it belongs among the n largest so far. */
static void keep_largest(struct profile_name *best, size_t n, struct profile_name x)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct profile_name old = best[i];

		if (x.sum.ns <= old.sum.ns)
			continue;
		best[i] = x;
		x = old;
	}
}

static void add_gaps(struct profile *p, struct gaps *g)
{
	size_t n = p->run->strings.n, k;
	struct gap_walk w = { .p = p, .longest = -1 };
	sym i;

	w.long_by = arena_array(p->mem, n, sizeof(*w.long_by));
	for (k = 0; k < COUNT_OF(w.wait_by); k++)
		w.wait_by[k] = arena_array(p->mem, n, sizeof(*w.wait_by[k]));
	p->gaps.many.row = NO_ROW;
	gaps_of_device(g, p->ledgers.device[p->main].id, look_at_gap, &w);
	p->gaps.unseen = saturate_sub(p->ledger.idle, p->gaps.sums.all_ns);
	for (i = 0; i < n; i++) {
		keep_largest(p->gaps.doing, COUNT_OF(p->gaps.doing),
			(struct profile_name){ i, w.long_by[i] });
		for (k = 0; k < COUNT_OF(w.wait_by); k++)
			keep_largest(&p->gaps.waiting[k], 1,
				(struct profile_name){ i, { 0, w.wait_by[k][i], NO_ROW } });
	}
}

/* ---- memory ---- */

static void choose_curve(struct profile *p)
{
	int64_t id = p->has_device ? p->ledgers.device[p->main].id : -1;
	size_t i;

	memcurves_init(&p->memory, p->run, NULL);
	for (i = 0; i < p->memory.n; i++) {
		const struct memcurve *c = &p->memory.v[i];

		if (c->type == DEVICE_TYPE_CPU)
			continue;
		if (c->device == id) {
			p->curve = c;
			return;
		}
		if (!p->curve || c->n > p->curve->n)
			p->curve = c;
	}
}

void profile_init(struct profile *p, const struct run *r, struct shared *shared,
	const struct filter_view *view, struct profile_limits limits, struct arena *mem)
{
	struct gaps g;

	*p = (struct profile){ .run = r,
		.shared = shared,
		.mem = mem,
		.limits = limits,
		.query_view = view,
		.view = *view };
	p->has_runtime = r->kind_count[KIND_RUNTIME] > 0;
	p->has_host = p->has_runtime || r->kind_count[KIND_OP] > 0 ||
		r->kind_count[KIND_ANNOTATION] > 0 || r->order->host_begin[r->lanes.n] > 0;
	choose_steps(p);
	choose_device(p);
	gaps_init(&g, r, &p->view, GAPS_KERNEL_WAIT_NS);
	if (p->has_device) {
		profile_of_device(p);
		add_gaps(p, &g);
	}
	profile_of_host(p, g.main_lane);
	gaps_clear(&g);
	choose_curve(p);
}

void profile_clear(struct profile *p)
{
	memcurves_clear(&p->memory);
}
