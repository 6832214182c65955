/* Links where processes share correlation ids: a file of several processes, merged, in which each
 * counts from 1.  An id says little then; what a kernel's stream says of its process decides. Where
 * streams are known to be those of processes, no other process's call is a launch.
 *
 *	process 100   |launch 1|            |launch 2|
 *	process 200       |launch 1|            |launch 2|
 *	device 0                  [-- 1 --)           [-- 2 --)
 *	device 1                     [-- 1 --)           [-- 2 --) */
#include "analyze/trace/links/links.h"
#include "analyze/trace/links/links_work.h"
#include "analyze/trace/run.h"
#include "base/base.h"

/* A call that may have launched what has its id: of its process the first. */
struct candidate {
	uint32_t id, row;
	sym pid;
	nsec start;
};

/* Device work with an id. */
struct work {
	uint32_t id, side, row; /* side: 0-based */
	nsec start;
};

/* How often a lane's work is of a process. */
struct votes {
	struct keymap of; /* lane and pid: index of n */
	int64_t *n;
	size_t cap;
};

struct vote_key {
	uint32_t lane;
	sym pid;
};

struct processes {
	struct links *l;
	const struct run *run;
	struct candidate *call;
	struct work *work;
	size_t ncall, nwork;
	struct votes sure, likely;
	bool says_pid; /* device lanes' pids are those of processes, not of devices */
};

ORDER(by_process, struct candidate, compare3(a->id, b->id), compare3(a->pid, b->pid),
	compare3(a->start, b->start), compare3(a->row, b->row))

ORDER(by_call_start, struct candidate, compare3(a->id, b->id), compare3(a->start, b->start),
	compare3(a->row, b->row))

ORDER(by_work_start, struct work, compare3(a->id, b->id), compare3(a->start, b->start),
	compare3(a->row, b->row))

static sym pid_of(const struct run *r, uint32_t row)
{
	return r->lanes.lane[r->events.lane[row]].pid;
}

/* The calls, of each id and process the first, by id and start. */
static void list_calls(struct processes *p)
{
	const struct id_column c = links_ids(p->run, ARG_LAUNCH_CORRELATION);
	size_t n = 0, keep = 0;

	p->call = zeroed(c.n, sizeof(*p->call));
	for (size_t i = 0; i < c.n; i++) {
		uint32_t row = p->l->work->launch_row[i + 1];

		if (c.id[i] && row != NO_ROW)
			p->call[n++] = (struct candidate){ c.id[i], row, pid_of(p->run, row),
				p->run->events.start[row] };
	}
	qsort(p->call, n, sizeof(*p->call), by_process);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || p->call[i].id != p->call[keep - 1].id ||
			p->call[i].pid != p->call[keep - 1].pid)
			p->call[keep++] = p->call[i];
	p->ncall = keep;
	qsort(p->call, keep, sizeof(*p->call), by_call_start);
}

static void list_work(struct processes *p)
{
	const struct id_column c = links_ids(p->run, ARG_DEVICE_CORRELATION);

	p->work = zeroed(c.n, sizeof(*p->work));
	for (size_t i = 0; i < c.n; i++) {
		uint32_t row = p->l->work->device_row[i + 1];

		if (c.id[i] && row != NO_ROW)
			p->work[p->nwork++] = (struct work){ c.id[i], (uint32_t)i, row,
				p->run->events.start[row] };
	}
	if (p->nwork)
		qsort(p->work, p->nwork, sizeof(*p->work), by_work_start);
}

static void vote(struct votes *v, uint32_t lane, sym pid)
{
	const struct vote_key key = { lane, pid };
	size_t before = v->of.n;
	uint32_t at = keymap_add(&v->of, &key);

	if (v->of.n > before) {
		v->n = array_grow(v->n, &v->cap, v->of.n, sizeof(*v->n));
		v->n[at] = 0;
	}
	v->n[at]++;
}

static int64_t votes_for(struct votes *v, uint32_t lane, sym pid)
{
	const struct vote_key key = { lane, pid };
	uint32_t at = keymap_find(&v->of, &key);

	return at == KEYMAP_NONE ? 0 : v->n[at];
}

/* The calls and the work of one id. */
struct group {
	const struct candidate *call;
	const struct work *work;
	size_t ncall, nwork;
};

/* The last call that had begun when the work did; the first where none had. */
static const struct candidate *last_before(const struct group *g, nsec start)
{
	size_t i = g->ncall;

	while (i > 1 && g->call[i - 1].start > start)
		i--;
	return &g->call[i - 1];
}

/* One call had begun, alone: the others cannot have launched the work. */
static bool is_sure(const struct group *g, nsec start)
{
	return g->ncall == 1 || (g->call[0].start <= start && g->call[1].start > start);
}

/* Calls and work in their order, where there is one of these for each of those. */
static const struct candidate *in_order(const struct group *g, size_t i)
{
	return g->nwork == g->ncall && g->call[i].start <= g->work[i].start
		? &g->call[i]
		: last_before(g, g->work[i].start);
}

static void count_votes(struct processes *p, const struct group *g)
{
	for (size_t i = 0; i < g->nwork; i++) {
		uint32_t lane = p->run->events.lane[g->work[i].row];

		if (is_sure(g, g->work[i].start))
			vote(&p->sure, lane, g->call[0].pid);
		else
			vote(&p->likely, lane, in_order(g, i)->pid);
	}
}

/* The call of the process that most of the lane's work is of; NULL where two have as much. */
static const struct candidate *elected(const struct group *g, struct votes *v, uint32_t lane)
{
	const struct candidate *best = NULL;
	int64_t most = 0, second = 0;

	for (EACH(const struct candidate, candidate, g->call, g->ncall)) {
		int64_t n = votes_for(v, lane, candidate->pid);

		if (n > most) {
			second = most;
			most = n;
			best = candidate;
		} else if (n > second) {
			second = n;
		}
	}
	return most > second ? best : NULL;
}

static const struct candidate *choose(struct processes *p, const struct group *g, size_t i)
{
	const struct run *r = p->run;
	uint32_t lane = r->events.lane[g->work[i].row];

	if (is_sure(g, g->work[i].start))
		return &g->call[0];
	for (size_t k = 0; k < g->ncall && p->says_pid; k++)
		if (g->call[k].pid == r->lanes.lane[lane].pid)
			return &g->call[k];
	const struct candidate *c = elected(g, &p->sure, lane);
	c = c ? c : elected(g, &p->likely, lane);
	return c ? c : in_order(g, i);
}

/* row: of the call, or NO_ROW. */
static void link_work(struct processes *p, const struct work *w, uint32_t row)
{
	const struct events *ev = &p->run->events;
	uint32_t *launch = &p->l->launch[w->side], *fanout = p->l->work->fanout;
	bool counts = kind_is_device((enum kind)ev->kind[w->row]);

	if (counts && *launch != NO_ROW)
		fanout[ev->args[*launch] - 1]--;
	if (counts && row != NO_ROW)
		fanout[ev->args[row] - 1]++;
	*launch = row;
}

/* The call of the lane's own process, or NO_ROW. */
static uint32_t call_of_process(const struct processes *p, const struct group *g, size_t i)
{
	return FIND_VALUE(k, g->ncall, g->call[k].pid == pid_of(p->run, g->work[i].row),
		g->call[k].row, NO_ROW);
}

static void assign(struct processes *p, const struct group *g)
{
	bool exact = p->run->streams_of_processes;

	for (size_t i = 0; i < g->nwork && (exact || g->ncall > 1); i++)
		link_work(p, &g->work[i], exact ? call_of_process(p, g, i) : choose(p, g, i)->row);
}

/* Each id that calls and work have. */
static void for_each(struct processes *p, void (*fn)(struct processes *, const struct group *))
{
	size_t i = 0, k = 0;

	while (i < p->nwork && k < p->ncall) {
		uint32_t id = p->work[i].id;
		struct group g = { .work = &p->work[i] };

		k = FIRST_FROM(j, k, p->ncall, p->call[j].id >= id);
		g.call = &p->call[k];
		while (i < p->nwork && p->work[i].id == id) {
			g.nwork++;
			i++;
		}
		while (k < p->ncall && p->call[k].id == id) {
			g.ncall++;
			k++;
		}
		if (g.ncall)
			fn(p, &g);
	}
}

/* Whether each lane with such work has the pid of a process with such calls. */
static bool says_pid(const struct processes *p)
{
	bool *is_process = zeroed(p->run->strings.n, sizeof(*is_process));
	bool all = true;

	for (size_t i = 0; i < p->ncall; i++)
		is_process[p->call[i].pid] = true;
	for (size_t i = 0; i < p->nwork && all; i++)
		all = is_process[pid_of(p->run, p->work[i].row)];
	free(is_process);
	return all;
}

void links_processes(struct links *l, const struct run *r)
{
	struct processes p = { .l = l, .run = r };

	list_calls(&p);
	list_work(&p);
	p.says_pid = says_pid(&p);
	keymap_init(&p.sure.of, sizeof(struct vote_key));
	keymap_init(&p.likely.of, sizeof(struct vote_key));
	if (!r->streams_of_processes)
		for_each(&p, count_votes);
	for_each(&p, assign);
	keymap_clear(&p.sure.of);
	keymap_clear(&p.likely.of);
	FREE_ALL(p.sure.n, p.likely.n, p.call, p.work);
}
