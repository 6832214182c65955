/* `summary`: one pass over the device rows and one over the op tree: all that is counted. */
#include "analyze/answer/summary/summary.h"

#include "analyze/analysis/shared.h"
#include "analyze/measure/host/calltree.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run_steps.h"

/* ---- one pass over the device rows, and figures of each device ---- */

/* What is known of names, calls and launches while the rows are passed. */
struct lookups {
	bool *known;   /* by sym: look_at_name was called */
	uint8_t *seen; /* by launch's side row: how often, up to 2 */
	struct tensor_cores cores;
	struct occupancy_known occupancy;
};

static void add_work(struct summary *s, uint32_t row, bool *known)
{
	const struct events *ev = &s->at->run->events;
	enum devclass k = classes_of(&s->classes, row);
	sym name = ev->name[row];
	nsec dur = ev->dur[row];

	/* The device work of a name that is seen first: what it copies, if it does. */
	if (!known[name]) {
		struct span text = strings_get(&s->at->run->strings, name);
		s->names.cls[name] = (uint8_t)k;
		if (k == CLASS_MEMCPY)
			s->names.copy[name] = (uint8_t)copyclass_of(text).direction;
		else if (k == CLASS_COMPUTE)
			s->names.copy[name] = (uint8_t)copyclass_of_kernel(text);
	}
	known[name] = true;
	saturate_onto(&s->names.device[name], dur);
	saturate_onto(&s->device_sum, dur);
	saturate_onto(&s->class_sum[k], dur);
	if (filter_device(&s->inside, row)) {
		saturate_onto(&s->names.in_steps[name], dur);
		s->class_count[k]++;
	}
	if (k == CLASS_MEMCPY)
		saturate_onto(&s->copy_sum[s->names.copy[name]], dur);
	else if (k == CLASS_COMPUTE && s->names.cls[name] == CLASS_COMPUTE)
		saturate_onto(&s->copy_kernel_sum[s->names.copy[name]], dur);
}

/* The call that launched it, once for each call; a second time it is a graph launch. */
static void add_launch(struct summary *s, uint32_t row, uint8_t *seen)
{
	const struct run *r = s->at->run;
	const struct events *ev = &r->events;
	uint32_t side = ev->args[row];
	uint32_t launch = side == NO_ARGS ? NO_ROW : r->links->launch[side - 1];

	if (launch == NO_ROW) {
		s->unlinked++;
		return;
	}
	s->names.launched[ev->name[launch]]++;
	uint8_t *times = &seen[ev->args[launch] - 1];
	if (*times == 0) {
		s->launches++;
		s->names.launches[ev->name[launch]]++;
		saturate_onto(&s->names.call[ev->name[launch]], ev->dur[launch]);
	}
	s->graph_launches += *times == 1 && !links_is_wait(run_name(r, launch));
	*times = *times < 2 ? *times + 1 : 2;
}

/* The index of a lane's device in the ledgers; SIZE_MAX when it is not looked at. */
static size_t device_of(const struct summary *s, size_t lane)
{
	size_t d = 0;

	while (d < s->ledgers.ndevice &&
		s->ledgers.device[d].id != s->at->run->lanes.lane[lane].device)
		d++;
	return d < s->ledgers.ndevice ? d : SIZE_MAX;
}

static void add_lane(struct summary *s, size_t lane, struct lookups *l)
{
	const struct run *r = s->at->run;
	const struct order *o = r->order;
	size_t d = device_of(s, lane);

	if (d == SIZE_MAX || (s->at->view.lane && !s->at->view.lane[lane]))
		return;
	s->device[d].streams++;
	for (size_t i = o->device_begin[lane]; i < o->device_begin[lane + 1]; i++) {
		uint32_t row = o->device[i];

		if (!filter_device(&s->at->view, row))
			continue;
		add_work(s, row, l->known);
		uint32_t side = r->events.args[row];
		uint32_t op = side == NO_ARGS ? NO_ROW : r->links->op[side - 1];
		if (op != NO_ROW)
			saturate_onto(&s->names.op[r->events.name[op]], r->events.dur[row]);
		if (!filter_device(&s->inside, row))
			continue;
		add_launch(s, row, l->seen);
		if (r->events.kind[row] == KIND_KERNEL)
			occupancy_add(&s->device[d].occupancy, &l->occupancy, row,
				tensor_cores_of(&l->cores, r->events.name[row]));
	}
}

void summary_collect_device(struct summary *s)
{
	const struct run *r = s->at->run;
	struct arena *mem = &s->at->mem;
	struct lookups l = { .known = arena_array(mem, r->strings.n, sizeof(*l.known)),
		.seen = arena_array(mem, r->args.n[ARGS_LAUNCH], sizeof(*l.seen)) };
	struct efficiency efficiency;

	s->device = arena_array(mem, s->ledgers.ndevice, sizeof(*s->device));
	tensor_cores_init(&l.cores, r, mem);
	occupancy_known_init(&l.occupancy, r, mem);
	size_t n = s->at->run->strings.n;
	struct summary_names *names = &s->names;
	names->device = arena_array(mem, n, sizeof(*names->device));
	names->in_steps = arena_array(mem, n, sizeof(*names->in_steps));
	names->op = arena_array(mem, n, sizeof(*names->op));
	names->annotation = arena_array(mem, n, sizeof(*names->annotation));
	names->cls = arena_array(mem, n, sizeof(*names->cls));
	names->copy = arena_array(mem, n, sizeof(*names->copy));
	names->launches = arena_array(mem, n, sizeof(*names->launches));
	names->launched = arena_array(mem, n, sizeof(*names->launched));
	names->call = arena_array(mem, n, sizeof(*names->call));
	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->order->device_begin[i] < r->order->device_begin[i + 1])
			add_lane(s, i, &l);
	/* Annotations on the devices' timelines: torch counts them as rows of the device. */
	for (EACH_OF_KIND(i, &r->events, KIND_GPU_ANNOTATION)) {
		if (!filter_device(&s->at->view, (uint32_t)i))
			continue;
		saturate_onto(&s->names.annotation[r->events.name[i]], r->events.dur[i]);
		saturate_onto(&s->annotation_sum, r->events.dur[i]);
	}
	efficiency_init(&efficiency, r, &s->inside, mem);
	for (size_t d = 0; d < s->ledgers.ndevice; d++)
		s->device[d].sm_efficiency = efficiency_of(&efficiency, s->ledgers.device[d].id);
}

double summary_kernels(const struct summary *s)
{
	double sum = 0;
	size_t n = 0;

	for (EACH(const struct account, a, s->window.device, s->window.ndevice)) {
		if (a->ns <= 0)
			continue;
		sum += (double)a->ledger.kernels / (double)a->ns;
		n++;
	}
	return n > 0 ? sum / (double)n : NAN;
}

/* ---- one pass over the op tree: CPU time by phase, and sums the documents use ---- */

struct walk {
	struct summary *s;
	struct events ev; /* the run's, at hand for every call, as the next two */
	struct calls calls;
	const uint32_t *host;
	bool takes_all; /* neither --cat nor --steps */
	struct phases phases;
	struct devtime devtime;
	bool *is_hidden;      /* by sym */
	struct callpath path; /* bits: the phase and enum node_bit; rows: of torch's table, that the
	                         time of its device work is in */
	struct host_steps steps;
};

enum node_bit { NODE_TAKEN = 1 << 8, NODE_IN_STEPS = 1 << 9, NODE_PHASE = NODE_TAKEN - 1 };

HOT_INLINE bool takes(struct walk *w, uint32_t row)
{
	return LIKELY(w->takes_all) || filter_host(&w->s->at->view, row);
}

/* Whether torch's table has the row: those that the filter takes and torch does not hide, but for
 * the one that is dropped as its parent's only child of the same name. */
HOT_INLINE int table_rows_of(struct walk *w, uint32_t place, uint32_t row)
{
	int n = takes(w, row) && !w->is_hidden[w->ev.name[row]];
	uint32_t up;

	if (w->calls.flags[place] & CALL_IS_DUP) {
		up = w->host[w->calls.parent[place]];
		n -= takes(w, up) && !w->is_hidden[w->ev.name[up]];
	}
	return n;
}

/* Of a call: its time, and what its calls take of it. */
HOT_INLINE void add_self(struct summary *s, uint32_t bits, nsec ns)
{
	if (bits & NODE_TAKEN)
		saturate_onto(&s->cpu_self, ns);
	if (bits & NODE_IN_STEPS)
		saturate_onto(&s->phase_cpu[bits & NODE_PHASE], ns);
}

/* Self times count hidden rows too, so that they add up to the roots.  Totals are torch's, which
 * sums cpu_time_total and device_time_total over all rows after its dedup: what is nested counts at
 * each level. */
static void add_call(struct walk *w, uint32_t place)
{
	struct summary *s = w->s;
	uint32_t row = w->host[place];
	struct callpath_node *node = callpath_enter(&w->path, &w->calls, place);
	nsec dur = w->ev.dur[row], device = devtime_get(&w->devtime, row);
	enum phase phase = phases_of(&w->phases, w->ev.name[row], (enum kind)w->ev.kind[row],
		(enum phase)(node[-1].bits & NODE_PHASE));
	int n = table_rows_of(w, place, row);

	node->bits = phase;
	if (takes(w, row))
		node->bits |= NODE_TAKEN | (host_steps_have(&w->steps, place) ? NODE_IN_STEPS : 0);
	add_self(s, node->bits, dur);
	add_self(s, node[-1].bits, saturate_sub(0, dur));
	node->rows = node[-1].rows + n;
	if (n)
		s->cpu_total =
			n > 0 ? saturate_add(s->cpu_total, dur) : saturate_sub(s->cpu_total, dur);
	if (device)
		saturate_onto(&s->device_total, saturate_times(device, node->rows));
	if (node->bits & NODE_IN_STEPS)
		saturate_onto(&s->phase_device[phase], device);
}

void summary_collect_host(struct summary *s)
{
	const struct run *r = s->at->run;
	struct arena *mem = &s->at->mem;
	size_t n = r->order->host_begin[r->lanes.n];
	struct walk w = { .s = s };

	if (!s->has_host)
		return;
	w.ev = r->events;
	w.calls = *r->calls;
	w.host = r->order->host;
	w.takes_all = s->at->view.kinds == KINDS_ALL && !s->at->view.step;
	w.is_hidden = arena_array(mem, r->strings.n, sizeof(*w.is_hidden));
	for (size_t i = 0; i < r->strings.n; i++)
		w.is_hidden[i] = optree_hides(strings_get(&r->strings, (sym)i));
	phases_init(&w.phases, r, mem);
	host_steps_in_view(&w.steps, &s->inside);
	shared_devtime(s->at->shared, &w.devtime, r, &s->at->view);
	for (size_t i = 0; i < n; i++)
		if (w.calls.flags[i] & CALL_IN_TREE)
			add_call(&w, (uint32_t)i);
	devtime_clear(&w.devtime);
	free(w.path.node);
}
