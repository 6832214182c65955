/* Dependencies: one pass over all moments in the order of time; each becomes a node when what it
 * waits for are nodes already. */
#include "analyze/depgraph/depend.h"

#include "analyze/depgraph/critpath.h"
#include "analyze/depgraph/depend_make.h"
#include "analyze/depgraph/syncs.h"
#include "analyze/depgraph/threads.h"
#include "analyze/stat/stats.h"
#include "analyze/trace/run.h"
#include "base/base.h"

static void add_launch(struct making *m, const struct thread *th)
{
	uint32_t node = depend_add(m, &th->next, th->lane);

	m->launch[m->d->run->events.args[th->next.row] - 1] = node;
	depend_bind(m->d, node);
}

/* ---- threads that take over ---- */

enum { FIRST_NS = 1000000 }; /* a new thread begins within this of who started it */

/* Lane `lane` is busy from now on, or stops. */
static void unlink_idle(struct making *m, uint32_t lane)
{
	struct idle_thread *i = &m->idle[lane];

	if (!i->is_in)
		return;
	if (i->newer != NO_ROW)
		m->idle[i->newer].older = i->older;
	else
		m->newest = i->older;
	if (i->older != NO_ROW)
		m->idle[i->older].newer = i->newer;
	i->is_in = false;
}

static void stop(struct making *m, const struct thread *th)
{
	struct idle_thread *i = &m->idle[th->lane];

	saturate_onto(&m->busy_ns, saturate_sub(th->next.at, i->began));
	*i = (struct idle_thread){ .node = depend_add(m, &th->next, th->lane),
		.is_in = true,
		.busy_then = m->busy_ns,
		.nobody_then = m->nobody_ns,
		.newer = NO_ROW,
		.older = m->newest };
	depend_bind(m->d, i->node);
	m->nbusy--;
	if (m->newest != NO_ROW)
		m->idle[m->newest].newer = th->lane;
	m->newest = th->lane;
}

/* How long that thread was in Python functions that it began in [from, to). */
static nsec in_functions(struct making *m, uint32_t lane, nsec from, nsec to)
{
	struct pyframes *f = &m->d->what.functions;
	const struct events *ev = &m->d->run->events;
	nsec sum = 0, until = from;
	size_t begin, end;

	pyframes_of(f, lane, &begin, &end);
	begin = PARTITION_POINT(i, begin, end, ev->start[f->row[i]] < from);
	for (size_t i = begin; i < end && ev->start[f->row[i]] < to; i++) {
		nsec till = MIN(events_end(ev, f->row[i]), to);

		if (ev->start[f->row[i]] < until)
			continue;
		saturate_onto(&sum, saturate_sub(till, ev->start[f->row[i]]));
		until = till;
	}
	return sum;
}

/* Whether a thread that begins now takes over from the one that stopped last: others had been busy
 * for most of the time since it stopped itself, long stretches aside in which nothing is recorded
 * of anybody, or that one in Python; or it is the first that is seen of it.  A loader's thread
 * stops just before. */
static bool takes_over(struct making *m, uint32_t lane, nsec now)
{
	const struct idle_thread *i = &m->idle[lane];
	nsec others = saturate_sub(m->busy_ns, i->busy_then), since;

	if (m->newest == NO_ROW)
		return false;
	bool loads = m->d->what.is_loader && m->d->what.is_loader[m->newest];
	bool is_near = saturate_sub(now, m->d->node[m->idle[m->newest].node].at) <= FIRST_NS;
	if (m->d->last[lane] == NO_NODE || (loads && !is_near))
		return is_near;
	since = saturate_add(m->d->node[i->node].at, saturate_sub(m->nobody_ns, i->nobody_then));
	if (others < saturate_sub(now, since) / 2)
		saturate_onto(&others, in_functions(m, m->newest, since, now));
	return others > 0 && others >= saturate_sub(now, since) / 2;
}

static void start(struct making *m, const struct thread *th)
{
	uint32_t node;
	nsec idle = m->nbusy++ > 0 || m->newest == NO_ROW
		? 0
		: saturate_sub(th->next.at, m->d->node[m->idle[m->newest].node].at);

	saturate_onto(&m->nobody_ns, idle >= GAP_CAUSES_LONG_NS ? idle : 0);
	unlink_idle(m, th->lane);
	if (takes_over(m, th->lane, th->next.at)) {
		node = depend_add(m, &th->next, th->lane);
		m->d->node[node].from[EDGE_CAUSE] = m->idle[m->newest].node;
		depend_bind(m->d, node);
		m->d->resumes += m->d->node[node].binding == EDGE_CAUSE;
	}
	m->idle[th->lane].began = th->next.at;
}

/* ---- all of them ---- */

static void add_moment(struct making *m, const struct thread *th)
{
	switch (th->next.point) {
	case POINT_RETURN: depend_add_return(m, th); return;
	case POINT_YIELD: stop(m, th); return;
	case POINT_RESUME: start(m, th); return;
	case POINT_LAUNCH: add_launch(m, th); return;
	case POINT_WORK: depend_add_work(m, th); return;
	default: break;
	}
	uint32_t node = depend_add(m, &th->next, th->lane);
	depend_bind(m->d, node);
}

static uint32_t *nobody(size_t n)
{
	uint32_t *v = zeroed(n, sizeof(*v));

	FILL(v, n, NO_NODE);
	return v;
}

static void make(struct depend *d, const struct interval *when, struct arena *mem)
{
	const struct run *r = d->run;
	struct making m = { .d = d, .newest = NO_ROW };
	struct threads threads;
	struct thread *th;

	syncs_init(&m.syncs, r);
	full_queue_init(&m.queue, r, mem);
	m.launch = nobody(r->args.n[ARGS_LAUNCH]);
	m.replay = nobody(r->args.n[ARGS_LAUNCH]);
	m.work = nobody(r->args.n[ARGS_DEVICE]);
	m.idle = arena_array(mem, r->lanes.n, sizeof(*m.idle));
	depend_find_lanes(&m, mem);
	threads_init(&threads, r, &d->what, m.queue.depth > 0, when);
	for (; (th = threads_first(&threads)); threads_pass(&threads))
		add_moment(&m, th);
	threads_clear(&threads);
	syncs_clear(&m.syncs);
	FREE_ALL(m.launch, m.replay, m.work);
}

/* ---- floors ---- */

enum { SAMPLES = 4096, LAUNCH_NS = 5000, OWN_NS = 2000, STREAM_NS = 1000 };

struct sample {
	nsec v[SAMPLES];
	size_t n;
};

static void take(struct sample *s, nsec ns)
{
	if (s->n < SAMPLES && ns >= 0)
		s->v[s->n++] = ns;
}

static nsec quantile(struct sample *s, double q, nsec otherwise)
{
	return s->n > 0 ? saturate_whole(stats_quantile(s->v, s->n, q)) : otherwise;
}

/* The delay behind what binds. */
static nsec delay_of(const struct depend *d, uint32_t node)
{
	const struct depend_node *n = &d->node[node];

	return saturate_sub(n->at, depend_until(d, node, (enum edge)n->binding));
}

/* When a launch had taken its time by. */
static nsec launched_by(const struct depend *d, const struct depend_node *n)
{
	return saturate_add(depend_fin(d, n->from[EDGE_CAUSE]), d->floor.launch);
}

/* One of each floor. */
struct samples {
	struct sample launch, back, room, own, call, copy;
};

static void take_return(const struct depend *d, uint32_t node, struct samples *s)
{
	const struct depend_node *n = &d->node[node];

	if (n->binding == EDGE_CAUSE)
		take(n->evidence == EVIDENCE_QUEUE ? &s->room : &s->back, delay_of(d, node));
	else if (n->evidence != EVIDENCE_QUEUE)
		take(&s->own, d->run->events.dur[n->row]);
}

static void take_moment(const struct depend *d, uint32_t node, struct samples *s)
{
	const struct depend_node *n = &d->node[node];

	if (n->point == POINT_RETURN)
		take_return(d, node, s);
	else if (depend_is_work(n) && n->binding == EDGE_CAUSE)
		take(&s->launch, delay_of(d, node));
	else if (n->point == POINT_LAUNCH && !hostwhat_was_held(&d->what, n->row)) {
		take(&s->call, d->run->events.dur[n->row]);
		if (hostwhat_copies(&d->what, n->row))
			take(&s->copy, d->run->events.dur[n->row]);
	}
}

/* Behind work on its stream, of what was launched long before that ended. */
static void find_stream_floor(struct depend *d, size_t by)
{
	struct sample stream = { .n = 0 };

	for (size_t i = 0; i < d->n; i += by) {
		const struct depend_node *n = &d->node[i];

		if (depend_is_work(n) && n->binding == EDGE_PREV &&
			(n->from[EDGE_CAUSE] == NO_NODE ||
				launched_by(d, n) <= depend_until(d, (uint32_t)i, EDGE_PREV)))
			take(&stream, delay_of(d, (uint32_t)i));
	}
	d->floor.stream = quantile(&stream, 0.5, STREAM_NS);
}

/* Of nodes evenly over the run. */
static void find_floors(struct depend *d)
{
	struct samples *s = xmalloc(sizeof(*s)); /* large, and mostly unused: only counts are set */
	size_t by = d->n / (8 * (size_t)SAMPLES) + 1;

	s->launch.n = s->back.n = s->room.n = s->own.n = s->call.n = s->copy.n = 0;
	for (size_t i = 0; i < d->n; i += by)
		if (d->node[i].binding != EDGE_COUNT)
			take_moment(d, (uint32_t)i, s);
	d->floor.launch = quantile(&s->launch, 0.5, LAUNCH_NS);
	d->floor.back = quantile(&s->back, 0.5, 0);
	d->floor.room = quantile(&s->room, 0.5, 0);
	/* Some calls wait for nothing and take long all the same: cudaFree. */
	d->floor.own = quantile(&s->own, 0.1, OWN_NS);
	d->floor.call = quantile(&s->call, 0.5, OWN_NS);
	d->floor.copy = quantile(&s->copy, 0.5, d->floor.call);
	free(s);
	find_stream_floor(d, by);
}

/* Work that began later behind what it waited for than work does, while its launch was still taking
 * its time, waited for that. */
static void find_late_launches(struct depend *d)
{
	for (size_t i = 0; i < d->n; i++) {
		struct depend_node *n = &d->node[i];

		if (depend_is_work(n) && n->binding < EDGE_COUNT && n->binding != EDGE_CAUSE &&
			n->from[EDGE_CAUSE] != NO_NODE &&
			delay_of(d, (uint32_t)i) > d->floor.stream &&
			launched_by(d, n) > depend_until(d, (uint32_t)i, (enum edge)n->binding))
			n->binding = EDGE_CAUSE;
	}
}

void depend_init(struct depend *d, const struct run *r, const struct interval *when)
{
	SCOPED_ARENA scratch = { 0 };

	*d = (struct depend){ .run = r, .is_part = when != NULL };
	classes_init(&d->classes, r, &d->mem);
	hostwhat_init(&d->what, r, &d->mem);
	d->last = nobody(r->lanes.n);
	make(d, when, &scratch);
	find_floors(d);
	find_late_launches(d);
}

void depend_clear(struct depend *d)
{
	critpath_forget(d);
	FREE_ALL(d->node, d->last);
	arena_clear(&d->mem);
}
