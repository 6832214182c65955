/*
 * Facts: which steps count, which device is looked at, its ledger and its gaps.
 */
#include "analyze/answer/diagnose/facts.h"

#include "analyze/query/shared.h"
#include "analyze/trace/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/compiler.h"
#include "base/saturate.h"

/* Narrows the view to the steps that count. */
static void choose_steps(struct facts *f)
{
	const struct steps *s = f->run->steps;
	size_t i;

	stepstat_init(&f->stat, f->run, &f->view, f->mem);
	f->has_steps = f->stat.has_steps;
	if (!f->has_steps) {
		f->nstep = 1;
		f->step_ns = s->n > 0 ? saturate_sub(s->step[0].end, s->step[0].start) : 0;
		return;
	}
	f->view.step = arena_array(f->mem, s->n, sizeof(*f->view.step));
	f->view.nstep = f->nstep = f->stat.count;
	for (i = f->stat.from; i < f->stat.from + f->stat.count; i++) {
		f->view.step[f->stat.step[i]] = true;
		saturate_onto(&f->step_ns, stepstat_dur(&f->stat, f->run, i));
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

static void choose_device(struct facts *f)
{
	nsec best = -1;
	size_t i;

	classes_init(&f->classes, f->run, f->mem);
	shared_ledgers(f->shared, &f->ledgers, f->run, &f->classes, &f->view, f->mem);
	for (i = 0; i < f->ledgers.ndevice; i++) {
		nsec busy = ledger_whole(&f->ledgers, i).busy;

		if (busy <= best || !f->ledgers.device[i].range)
			continue;
		best = busy;
		f->main = i;
	}
	f->has_device = best >= 0;
	for (i = 0; f->has_device && i < f->run->steps->n; i++) {
		struct ledger l;

		if (f->view.step && !f->view.step[i])
			continue;
		l = ledger_step(&f->ledgers, f->main, i);
		add_ledger(&f->ledger, &l);
	}
}

/* ---- gaps ---- */

struct gap_walk {
	struct facts *f;
	struct facts_sum *long_by; /* by sym: what the host did in long gaps */
	nsec *wait_by[2];          /* by sym, in gaps of class HOST, SYNC */
	nsec longest;
};

static void look_at_gap(void *ctx, const struct gap *g)
{
	struct gap_walk *w = ctx;
	struct facts_gaps *to = &w->f->gaps;
	const struct run *r = w->f->run;
	nsec len = saturate_sub(g->end, g->start);
	sym name = g->doing != NO_ROW ? r->events.name[g->doing] : 0;

	gap_sums_add(&to->sums, g);
	if (g->doing != NO_ROW && (g->cls == GAP_HOST || g->cls == GAP_SYNC)) {
		nsec *sum = &w->wait_by[g->cls == GAP_SYNC][name];

		saturate_onto(sum, len);
	}
	if (len < w->f->limits.long_gap)
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
static void keep_largest(struct facts_name *best, size_t n, struct facts_name x)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct facts_name old = best[i];

		if (x.sum.ns <= old.sum.ns)
			continue;
		best[i] = x;
		x = old;
	}
}

static void add_gaps(struct facts *f, struct gaps *g)
{
	size_t n = f->run->strings.n, k;
	struct gap_walk w = { .f = f, .longest = -1 };
	sym i;

	w.long_by = arena_array(f->mem, n, sizeof(*w.long_by));
	for (k = 0; k < COUNT_OF(w.wait_by); k++)
		w.wait_by[k] = arena_array(f->mem, n, sizeof(*w.wait_by[k]));
	f->gaps.many.row = NO_ROW;
	gaps_of_device(g, f->ledgers.device[f->main].id, look_at_gap, &w);
	f->gaps.unseen = saturate_sub(f->ledger.idle, f->gaps.sums.all_ns);
	for (i = 0; i < n; i++) {
		keep_largest(f->gaps.doing, COUNT_OF(f->gaps.doing),
			(struct facts_name){ i, w.long_by[i] });
		for (k = 0; k < COUNT_OF(w.wait_by); k++)
			keep_largest(&f->gaps.waiting[k], 1,
				(struct facts_name){ i, { 0, w.wait_by[k][i], NO_ROW } });
	}
}

/* ---- memory ---- */

enum { DEVICE_TYPE_CPU = 0 }; /* c10::DeviceType */

static void choose_curve(struct facts *f)
{
	int64_t id = f->has_device ? f->ledgers.device[f->main].id : -1;
	size_t i;

	memcurves_init(&f->memory, f->run, NULL);
	for (i = 0; i < f->memory.n; i++) {
		const struct memcurve *c = &f->memory.v[i];

		if (c->type == DEVICE_TYPE_CPU)
			continue;
		if (c->device == id) {
			f->curve = c;
			return;
		}
		if (!f->curve || c->n > f->curve->n)
			f->curve = c;
	}
}

void facts_init(struct facts *f, const struct run *r, struct shared *shared,
	const struct filter_view *view, struct facts_limits limits, struct arena *mem)
{
	struct gaps g;

	*f = (struct facts){ .run = r,
		.shared = shared,
		.mem = mem,
		.limits = limits,
		.query_view = view,
		.view = *view };
	f->has_runtime = r->kind_count[KIND_RUNTIME] > 0;
	f->has_host = f->has_runtime || r->kind_count[KIND_OP] > 0 ||
		r->kind_count[KIND_ANNOTATION] > 0 || r->order->host_begin[r->lanes.n] > 0;
	choose_steps(f);
	choose_device(f);
	gaps_init(&g, r, &f->view, GAPS_KERNEL_WAIT_NS);
	if (f->has_device) {
		facts_of_device(f);
		add_gaps(f, &g);
	}
	facts_of_host(f, g.main_lane);
	gaps_clear(&g);
	choose_curve(f);
}

void facts_clear(struct facts *f)
{
	memcurves_clear(&f->memory);
}
