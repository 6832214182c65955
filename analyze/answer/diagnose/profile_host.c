/*
 * A profile of the host: self times, launching calls, allocating calls, long ops, the data loader.
 */
#include "analyze/answer/diagnose/profile.h"
#include "analyze/measure/host/calltree.h"
#include "analyze/measure/device/devtime.h"
#include "analyze/measure/host/hostpath.h"
#include "analyze/measure/interval.h"
#include "analyze/measure/phase.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/links/calls.h"
#include "analyze/trace/columns/order.h"

/* What a name of a host row says. */
enum name_class { NAME_NOT_ASKED, NAME_NOTHING, NAME_LAUNCH, NAME_MALLOC, NAME_LOADER, NAME_STEP };

/* Of a call: in the data loader, which calls below inherit; in the steps; a long op below. */
enum { IN_LOADER = 1, IN_STEPS = 2, HAS_LONG = 4 };

struct host_walk {
	struct profile *p;
	struct events ev; /* the run's, at hand for every call, as the next two */
	struct calls calls;
	const uint32_t *host;
	uint32_t main_lane; /* or NO_ROW: any */
	bool has_all_kinds; /* of the host: no --cat */
	struct phases phases;
	uint8_t *of_name;            /* by sym: enum name_class */
	struct profile_sum *long_by; /* by sym */
	nsec *self_by;               /* by sym: self times in steps; NULL: nobody asks */
	struct intervals loader, mallocs;
	struct devtime devtime;
	struct host_steps steps;
	struct callpath path; /* rows: of torch's table, that the time of its device work is in;
	                         at: 1 + its index in `longs`, 0: it is in none */
	struct long_op {
		uint32_t row, bits;
	} * longs; /* in order */
	size_t nlong, long_cap;
};

static enum name_class classify(struct host_walk *w, sym name, enum kind kind)
{
	struct span text = strings_get(&w->p->run->strings, name);

	if (phases_of(&w->phases, name, KIND_ANNOTATION, PHASE_OTHER) == PHASE_DATA)
		return NAME_LOADER;
	if (span_starts(text, "ProfilerStep"))
		return NAME_STEP;
	if (kind != KIND_RUNTIME)
		return NAME_NOTHING;
	if (span_starts_in(text,
		    "cudaMalloc|cudaFree|hipMalloc|hipFree|cuMemAlloc|cuMemFree|cuMemCreate|"
		    "cuMemRelease|cudaHostAlloc|hipHostMalloc"))
		return NAME_MALLOC;
	if (span_has(text, "Launch") && !span_has(text, "HostFunc") && !span_has(text, "Attribute"))
		return NAME_LAUNCH;
	return NAME_NOTHING;
}

HOT_INLINE enum name_class class_of(struct host_walk *w, uint32_t row)
{
	const struct events *ev = &w->ev;
	uint8_t *of = &w->of_name[ev->name[row]];

	if (*of == NAME_NOT_ASKED)
		*of = (uint8_t)classify(w, ev->name[row], (enum kind)ev->kind[row]);
	return (enum name_class) * of;
}

/* Without steps the window begins at the first launch, and start-up is no part of it. */
static bool is_within(const struct profile *p, uint32_t row)
{
	const struct events *ev = &p->run->events;

	return p->has_steps ||
		(ev->start[row] < p->window.time[0].end &&
			events_end(ev, row) > p->window.time[0].start);
}

/* How long one of them ran, in the window.  Clears the set. */
static nsec in_steps(const struct profile *p, struct intervals *set)
{
	nsec sum = 0;

	intervals_unite(set);
	for (size_t k = 0; k < p->window.nstep; k++)
		saturate_onto(&sum,
			intervals_within(set, p->window.time[k].start, p->window.time[k].end));
	intervals_clear(set);
	return sum;
}

static void enter_loader(struct host_walk *w, struct callpath_node *node, uint32_t row)
{
	const struct run *r = w->p->run;

	w->p->host.has_loader = true;
	if (node->bits & IN_LOADER)
		return;
	node->bits |= IN_LOADER;
	if (!(node->bits & IN_STEPS) ||
		(w->main_lane != NO_ROW && r->events.lane[row] != w->main_lane))
		return;
	profile_sum_add(&w->p->host.loader, r, row);
	intervals_add(&w->loader, r->events.start[row], events_end(&r->events, row));
}

static void add_by_name(struct host_walk *w, struct callpath_node *node, uint32_t row)
{
	struct profile_host *h = &w->p->host;
	bool in_steps = node->bits & IN_STEPS;

	switch (class_of(w, row)) {
	case NAME_LOADER: enter_loader(w, node, row); break;
	case NAME_LAUNCH:
		if (in_steps)
			profile_sum_add(&h->launches, w->p->run, row);
		break;
	case NAME_MALLOC:
		if (in_steps && is_within(w->p, row)) {
			profile_sum_add(&h->mallocs, w->p->run, row);
			intervals_add(&w->mallocs, w->ev.start[row], events_end(&w->ev, row));
		}
		break;
	default: break;
	}
}

/* An op of some length.  What is around it has one inside. */
static void add_long(struct host_walk *w, struct callpath_node *node, uint32_t row)
{
	const struct callpath_node *first = w->path.node + 1;

	PUSH(w->longs, w->nlong, w->long_cap, (struct long_op){ row, node->bits });
	node->at = (uint32_t)w->nlong;
	while (node > first && !((--node)->bits & HAS_LONG)) {
		node->bits |= HAS_LONG;
		if (node->at)
			w->longs[node->at - 1].bits |= HAS_LONG;
	}
}

static void add_self(struct host_walk *w, uint32_t row, nsec ns)
{
	saturate_onto(&w->p->host.cpu_self, ns);
	if (w->self_by)
		saturate_onto(&w->self_by[w->ev.name[row]], ns);
}

/* Sums of all calls, whose time is none of the calls around them.  torch has one row for a call and
 * its only child of the same name, so the child's count is taken back. */
static void add_sums(struct host_walk *w, struct callpath_node *node, uint32_t row)
{
	const struct calls *c = &w->calls;
	struct profile_host *h = &w->p->host;
	nsec dur = w->ev.dur[row], device = devtime_get(&w->devtime, row);
	uint32_t place = node->place;
	int n = (node->bits & IN_STEPS) != 0;

	if (n)
		add_self(w, row, dur);
	if (node[-1].bits & IN_STEPS)
		add_self(w, w->host[node[-1].place], saturate_sub(0, dur));
	if (c->flags[place] & CALL_IS_DUP)
		n -= (node[-1].bits & IN_STEPS) != 0;
	if (n)
		h->cpu_total =
			n > 0 ? saturate_add(h->cpu_total, dur) : saturate_sub(h->cpu_total, dur);
	node->rows = node[-1].rows + n;
	if (device)
		saturate_onto(&h->device_total, saturate_times(device, node->rows));
}

static void add_call(struct host_walk *w, uint32_t place)
{
	const struct events *ev = &w->ev;
	uint32_t row = w->host[place];
	struct callpath_node *node = callpath_enter(&w->path, &w->calls, place);

	node->bits = node[-1].bits & IN_LOADER;
	if (w->has_all_kinds ? host_steps_have(&w->steps, place) : filter_host(&w->p->view, row))
		node->bits |= IN_STEPS;
	add_by_name(w, node, row);
	add_sums(w, node, row);
	if (ev->dur[row] >= w->p->limits.long_op && ev->kind[row] == KIND_OP &&
		(node->bits & IN_STEPS))
		add_long(w, node, row);
}

/* Those without another one inside.  The loader and steps are no ops. */
static void sum_long(struct host_walk *w)
{
	const struct run *r = w->p->run;
	size_t n = 0;

	for (size_t i = 0; i < w->nlong; i++) {
		uint32_t row = w->longs[i].row;

		if ((w->longs[i].bits & (HAS_LONG | IN_LOADER)) || class_of(w, row) == NAME_STEP ||
			!is_within(w->p, row))
			continue;
		profile_sum_add(&w->p->host.long_ops, r, row);
		profile_sum_add(&w->long_by[r->events.name[row]], r, row);
		w->longs[n++] = w->longs[i];
	}
	w->nlong = n;
}

/* How long one of them ran, in the window; name: of those of that name, 0: of all. */
static nsec time_of_long(const struct host_walk *w, sym name)
{
	const struct events *ev = &w->ev;
	struct intervals set = { 0 };

	for (size_t i = 0; i < w->nlong; i++) {
		uint32_t row = w->longs[i].row;

		if (!name || ev->name[row] == name)
			intervals_add(&set, ev->start[row], events_end(ev, row));
	}
	return in_steps(w->p, &set);
}

static void find_long_op(struct host_walk *w)
{
	struct profile_name *best = &w->p->host.long_op;

	for (size_t i = 0; i < w->p->run->strings.n; i++)
		if (w->long_by[i].ns > best->sum.ns)
			*best = (struct profile_name){ (sym)i, w->long_by[i] };
	best->sum.in_steps = time_of_long(w, best->name);
	w->p->host.long_ops.in_steps = time_of_long(w, 0);
}

/* How long at least one call of that name ran, in the steps, on any thread. */
static nsec time_of(const struct host_walk *w, sym name)
{
	const struct run *r = w->p->run;
	size_t n = r->order->host_begin[r->lanes.n];
	struct intervals set = { 0 };

	for (size_t i = 0; i < n; i++)
		if (w->ev.name[w->host[i]] == name)
			intervals_add(
				&set, w->ev.start[w->host[i]], events_end(&w->ev, w->host[i]));
	return in_steps(w->p, &set);
}

/* The op with most self time; steps are no op. */
static void find_top(struct host_walk *w)
{
	struct profile_name *best = &w->p->host.top;

	for (size_t i = 0; w->self_by && i < w->p->run->strings.n; i++)
		if (w->self_by[i] > best->sum.ns && w->of_name[i] != NAME_STEP)
			*best = (struct profile_name){ (sym)i,
				{ .ns = w->self_by[i], .row = NO_ROW } };
	if (best->name)
		best->sum.ns = time_of(w, best->name);
}

void profile_of_host(struct profile *p)
{
	const struct run *r = p->run;
	size_t n = r->order->host_begin[r->lanes.n];
	SCOPED_ARENA scratch = { 0 };
	struct host_walk w = { .p = p,
		.ev = r->events,
		.calls = *r->calls,
		.host = r->order->host,
		.main_lane = gap_causes_main_lane(r),
		.has_all_kinds = p->view.kinds == KINDS_ALL };

	phases_init(&w.phases, r, &scratch);
	w.of_name = arena_array(&scratch, r->strings.n, sizeof(*w.of_name));
	w.long_by = arena_array(&scratch, r->strings.n, sizeof(*w.long_by));
	if (!p->has_device)
		w.self_by = arena_array(&scratch, r->strings.n, sizeof(*w.self_by));
	host_steps_in_view(&w.steps, &p->view);
	shared_devtime(p->shared, &w.devtime, r, &p->view);
	for (size_t i = 0; i < n; i++)
		if (w.calls.flags[i] & CALL_IN_TREE)
			add_call(&w, (uint32_t)i);
	devtime_clear(&w.devtime);
	sum_long(&w);
	p->host.loader.in_steps = in_steps(p, &w.loader);
	p->host.mallocs.in_steps = in_steps(p, &w.mallocs);
	find_long_op(&w);
	find_top(&w);
	FREE_ALL(w.longs, w.path.node);
}
