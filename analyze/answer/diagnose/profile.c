/* A profile: which steps count, which device is looked at, its ledger and its gaps. */
#include "analyze/answer/diagnose/profile.h"

#include "analyze/analysis/shared.h"
#include "analyze/trace/columns/order.h"

static void choose_window(struct profile *p)
{
	struct ledgers ledgers;

	classes_init(&p->classes, p->run, p->mem);
	shared_window(p->shared, &p->window, &ledgers, &p->waiting, p->run, &p->classes,
		p->query_view, p->mem);
	verdict_init(&p->verdict, p->run, &p->window, &p->classes, p->query_view, p->mem);
	p->view = window_view(&p->window, p->query_view);
	p->has_steps = p->window.has_steps;
	p->nstep = p->window.nstep;
	p->step_ns = p->window.ns;
	p->has_device = p->verdict.device != SIZE_MAX;
	if (!p->has_device)
		return;
	p->account = p->window.device[p->verdict.device];
	p->step_ns = p->account.ns;
}

/* ---- gaps ---- */

struct gap_walk {
	struct profile *p;
	struct gaps *gaps;
	sym step;                       /* stands for all ProfilerStep#N */
	struct profile_sum *long_by;    /* by sym: what the host did in long gaps */
	struct profile_sum *wait_by[2]; /* by sym: in gaps of the host's, of SYNC */
	nsec longest, behind_most[2];
};

static nsec host_part(const struct gap *g)
{
	nsec sum = 0;
	int k;

	for (EACH_CAUSE(left, k, g))
		if (GAP_CAUSES_HOST >> k & 1)
			saturate_onto(&sum, g->ns[k]);
	return sum - g->late_ns;
}

static void keep_worst(struct profile_worst *worst, const struct gap *g, nsec ns)
{
	if (ns > worst->ns)
		*worst = (struct profile_worst){ { g->start, g->end }, ns };
}

static void look_for_worst(struct profile_gaps *to, const struct gap *g, nsec len, nsec host)
{
	int k;

	keep_worst(&to->worst, g, len);
	keep_worst(&to->worst_host[len >= GAP_CAUSES_LONG_NS], g, host);
	for (EACH_CAUSE(left, k, g))
		keep_worst(&to->worst_of[k], g, g->ns[k]);
	keep_worst(&to->worst_of[GAP_CAUSE_SYNC], g, g->ns[GAP_CAUSE_SYNC] + g->late_ns);
}

/* Steps have one name. */
static sym name_of(struct gap_walk *w, uint32_t row)
{
	sym name = row != NO_ROW ? w->p->run->events.name[row] : 0;

	if (row == NO_ROW || !span_starts(run_name(w->p->run, row), "ProfilerStep#"))
		return name;
	if (!w->step)
		w->step = name;
	return w->step;
}

static void add_waiting(struct profile_sum *sum, nsec ns, uint32_t row)
{
	saturate_onto(&sum->ns, ns);
	sum->row = row;
}

static void add_behind(struct gap_walk *w, size_t which, nsec ns, uint32_t row)
{
	struct profile_sum *sum = &w->p->gaps.behind[which];

	saturate_onto(&sum->ns, ns);
	if (ns > w->behind_most[which]) {
		w->behind_most[which] = ns;
		sum->row = row;
	}
}

/* What the host was in, and what it was behind. */
static void add_doing(struct gap_walk *w, const struct gap *g, sym name, nsec host)
{
	nsec sync = g->ns[GAP_CAUSE_SYNC] + g->late_ns;
	bool is_data = g->cls == GAP_CAUSE_DATA;

	if (g->doing != NO_ROW && (GAP_CAUSES_HOST >> g->cls & 1) && host > 0)
		add_waiting(&w->wait_by[0][name], host, g->doing);
	if (g->held != NO_ROW) {
		uint32_t row = gaps_behind(w->gaps, g->held);

		if (sync > 0)
			add_waiting(&w->wait_by[1][w->p->run->events.name[row]], sync, row);
		if (is_data || (GAP_CAUSES_HOST >> g->cls & 1))
			add_behind(w, is_data ? 0 : 1, g->behind_ns - g->late_ns, row);
	} else if (g->doing != NO_ROW && g->cls == GAP_CAUSE_SYNC) {
		add_waiting(&w->wait_by[1][name], sync, g->doing);
	}
}

static void look_at_gap(void *ctx, const struct gap *g)
{
	struct gap_walk *w = ctx;
	struct profile_gaps *to = &w->p->gaps;
	nsec len = saturate_sub(saturate_sub(g->end, g->start), g->ns[GAP_CAUSE_UNRECORDED]);
	nsec host = host_part(g);
	sym name = name_of(w, g->doing);

	gap_sums_add(&to->sums, g);
	look_for_worst(to, g, len, host);
	to->longest = MAX(host, to->longest);
	add_doing(w, g, name, host);
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
	for (size_t i = 0; i < n; i++) {
		struct profile_name old = best[i];

		if (x.sum.ns <= old.sum.ns)
			continue;
		best[i] = x;
		x = old;
	}
}

static void add_gaps(struct profile *p, struct gaps *g)
{
	size_t n = p->run->strings.n;
	struct gap_walk w = { .p = p, .gaps = g, .longest = -1 };

	w.long_by = arena_array(p->mem, n, sizeof(*w.long_by));
	for (size_t k = 0; k < COUNT_OF(w.wait_by); k++)
		w.wait_by[k] = arena_array(p->mem, n, sizeof(*w.wait_by[k]));
	p->gaps.many.row = NO_ROW;
	g->from = step_gap_causes_notes(&p->waiting, p->account.id);
	gaps_of_device(g, p->account.id, look_at_gap, &w);
	for (sym i = 0; i < n; i++) {
		keep_largest(p->gaps.doing, COUNT_OF(p->gaps.doing),
			(struct profile_name){ i, w.long_by[i] });
		for (size_t k = 0; k < COUNT_OF(w.wait_by); k++)
			keep_largest(&p->gaps.waiting[k], 1,
				(struct profile_name){ i, w.wait_by[k][i] });
	}
}

/* ---- memory ---- */

static void choose_curve(struct profile *p)
{
	int64_t id = p->has_device ? p->account.id : -1;

	memcurves_init(&p->memory, p->run, NULL);
	for (EACH(const struct memcurve, c, p->memory.v, p->memory.n)) {
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

static void look_at_gaps(struct profile *p)
{
	struct gaps g;

	gaps_init(&g, p->run, &p->view, p->window.time, p->window.nstep);
	if (p->has_device)
		add_gaps(p, &g);
	gaps_clear(&g);
	choose_curve(p);
}

/* judge_window_fn */
static const struct window *await_window(void *ctx)
{
	struct profile *p = ctx;

	latch_wait(&p->has_window);
	return p->window.ndevice > 0 ? &p->window : NULL;
}

/* What is found side by side: p->mem is the first one's. */
enum { OF_WINDOW, OF_JUDGE, OF_ROOFS, OF_HOST, OF_DEVICE, JOBS };

/* Until there is a window, who would wait for it finds out whose calls work is of.  Where most is
 * computing the judge will ask for roofs. */
static void find_facts(void *ctx, size_t i)
{
	struct profile *p = ctx;

	if (i == OF_WINDOW) {
		choose_window(p);
		latch_open(&p->has_window);
		look_at_gaps(p);
		return;
	}
	if (i == OF_JUDGE) {
		if (p->threads > 1)
			p->owners = shared_owners(p->shared, &p->own_owners, p->run, p->query_view);
		latch_open(&p->has_owners);
		p->judge = shared_judge(p->shared, &p->own_judge, p->run, await_window, p,
			p->threads, &p->judge_mem);
		return;
	}
	latch_wait(&p->has_window);
	latch_wait(&p->has_owners);
	if (i == OF_HOST)
		profile_of_host(p);
	else if (i == OF_DEVICE && p->has_device)
		profile_of_device(p);
	else if (i == OF_ROOFS && p->verdict.part == PART_OF_COMPUTE)
		profile_of_roofs(p);
}

/* Where faster kernels save less, roofs are not worth looking for. */
static const double KERNELS_MIN = 0.05;

static bool hangs_on_kernels(const struct profile *p)
{
	return p->verdict.part == PART_OF_COMPUTE ||
		(p->judge &&
			(double)judge_saves(p->judge, JUDGE_KERNELS) >
				KERNELS_MIN * (double)p->account.ns);
}

/* Roofs are said of a run that hangs on kernels alone. */
static void settle_roofs(struct profile *p)
{
	p->hangs_on_kernels = hangs_on_kernels(p);
	if (p->hangs_on_kernels && !p->has_roofs)
		profile_of_roofs(p);
	if (!p->hangs_on_kernels)
		p->wide = (struct profile_wide){ 0 };
	else
		profile_say_roofs(p);
}

void profile_init(struct profile *p, const struct run *r, struct shared *shared,
	const struct filter_view *view, struct profile_limits limits,
	const struct peaks_given *peaks, unsigned threads, struct arena *mem)
{
	*p = (struct profile){ .run = r,
		.shared = shared,
		.mem = mem,
		.limits = limits,
		.peaks = peaks,
		.threads = parallel_threads(threads, r->events.n),
		.query_view = view,
		.view = *view };
	p->has_runtime = r->kind_count[KIND_RUNTIME] > 0;
	p->has_host = p->has_runtime || r->kind_count[KIND_OP] > 0 ||
		r->kind_count[KIND_ANNOTATION] > 0 || r->order->host_begin[r->lanes.n] > 0;
	latch_init(&p->has_window);
	latch_init(&p->has_owners);
	parallel_run(JOBS, p->threads, find_facts, p);
	latch_clear(&p->has_window);
	latch_clear(&p->has_owners);
	if (p->judge)
		judge_name(p->judge, &p->verdict);
	settle_roofs(p);
}

void profile_clear(struct profile *p)
{
	memcurves_clear(&p->memory);
	roof_owners_clear(&p->own_owners);
	judge_clear(&p->own_judge);
	arena_clear(&p->judge_mem);
}
