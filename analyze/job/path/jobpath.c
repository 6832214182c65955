/* The path of a job: the walk backwards over points and meets. */
#include "analyze/job/path/jobpath.h"

#include "analyze/job/match/collective_instances.h"
#include "analyze/job/path/rankpath.h"

struct pair_key {
	uint32_t from, to;
};

struct walk {
	struct jobpath *p;
	const struct rankpath *const *path; /* by rank; NULL: the path cannot be there */
	struct collective_instances meets;
	uint32_t **step; /* by rank and its step: the job's, or RANKPATH_NONE */
	nsec *first;     /* by rank: where its first step of the job begins, on its clock */
	struct keymap pairs;
	size_t cap;
	struct arena scratch;

	uint32_t rank, point; /* where it is */
	nsec at;              /* the same in the reference's time */
};

static nsec time_of(const struct walk *w, uint32_t rank, nsec own)
{
	return job_time(&w->p->job->rank[rank].clock, own);
}

/* ---- where it begins and ends ---- */

static void number_steps(struct walk *w)
{
	const struct job *j = w->p->job;

	w->step = arena_array(&w->scratch, j->nrank, sizeof(*w->step));
	for (size_t r = 0; r < j->nrank; r++) {
		const struct rankpath *p = w->path[r];

		if (!p)
			continue;
		w->step[r] = arena_array(&w->scratch, p->nstep, sizeof(**w->step));
		for (size_t i = 0; i < p->nstep; i++)
			w->step[r][i] = job_step_place(j, p->step[i].number);
	}
}

/* A rank's own step of that number of the job's; NULL: it has none. */
static const struct rankwork_step *own_step(
	const struct walk *w, uint32_t rank, uint32_t step, size_t *place)
{
	const struct rankpath *p = w->path[rank];

	for (size_t i = 0; i < p->nstep; i++)
		if (w->step[rank][i] == step) {
			*place = i;
			return &p->step[i];
		}
	return NULL;
}

/* The rank that ends the last step last; of equals the first. */
static void find_last(struct walk *w)
{
	struct jobpath *p = w->p;

	for (uint32_t r = 0; r < p->job->nrank; r++) {
		size_t place = 0;

		if (!w->path[r])
			continue;
		const struct rankwork_step *s = own_step(w, r, (uint32_t)p->job->nstep - 1, &place);
		if (!s || w->path[r]->end[place] == RANKPATH_NONE)
			continue;
		nsec end = time_of(w, r, s->end);
		if (p->last != JOBPATH_NOBODY && end <= p->end)
			continue;
		p->end = end;
		p->last = r;
		w->point = w->path[r]->end[place];
	}
}

static void find_first(struct walk *w)
{
	const struct job *j = w->p->job;

	w->first = arena_array(&w->scratch, j->nrank, sizeof(*w->first));
	for (uint32_t r = 0; r < j->nrank; r++) {
		size_t place;
		const struct rankwork_step *s = w->path[r] ? own_step(w, r, 0, &place) : NULL;

		w->first[r] = s ? s->start : INT64_MAX;
	}
}

/* ---- stretches ---- */

/* What owners have in a stretch becomes `ns` in all: the longest takes the difference. */
static void settle(nsec *owner, nsec ns)
{
	int most;

	for (int o = 0; o < OWNER_COUNT; o++)
		ns = saturate_sub(ns, owner[o]);
	while (ns != 0) {
		most = 0;
		for (int o = 1; o < OWNER_COUNT; o++)
			if (owner[o] > owner[most])
				most = o;
		nsec part = MAX(-owner[most], ns);
		if (part == 0)
			return;
		owner[most] += part;
		ns -= part;
	}
}

/* The stretch from w->at down to `from`; less: of its collective, what is not the path's. */
static void add_stretch(struct walk *w, const struct rankpath_point *of, nsec from, nsec less)
{
	const struct rankpath *path = w->path[w->rank];
	uint32_t step = of->step == RANKPATH_NONE ? of->step : w->step[w->rank][of->step];
	nsec owner[OWNER_COUNT] = { 0 }, ns = saturate_sub(w->at, from);
	struct jobpath *p = w->p;

	w->at = from;
	if (step == RANKPATH_NONE)
		return;
	for (uint32_t i = 0; i < of->npart; i++)
		owner[path->part[of->part + i].owner] = path->part[of->part + i].ns;
	owner[OWNER_COMM] = owner[OWNER_COMM] > less ? owner[OWNER_COMM] - less : 0;
	settle(owner, ns);
	for (int o = 0; o < OWNER_COUNT; o++)
		saturate_onto(&p->ns_of[w->rank][o], owner[o]);
	saturate_onto(&p->rank[w->rank], ns);
	saturate_onto(&p->ns, ns);
	saturate_onto(&p->step[step].ns, ns);
	saturate_onto(&p->step[step].rank[w->rank], ns);
}

static nsec part_of(const struct rankpath *path, const struct rankpath_point *p, enum owner o)
{
	return FIND_VALUE(
		i, p->npart, path->part[p->part + i].owner == o, path->part[p->part + i].ns, 0);
}

/* ---- crossings ---- */

/* Whom the collective `at` waited for, if the path went through it for longer; NULL: it goes on. */
static const struct job_arrival *whom(struct walk *w, const struct rankpath_point *of,
	const struct rankpath_point *at, const struct job_arrival **own)
{
	const struct rankpath *path = w->path[w->rank];
	nsec through = part_of(path, of, OWNER_COMM);
	const struct job_arrival *last = NULL;

	if (at->collective == RANKPATH_NONE || through == 0)
		return NULL;
	const struct collective_instance *m =
		collective_instances_find(&w->meets, w->rank, at->collective, own);
	if (m && m->is_clocked && m->last < m->n)
		last = &m->arrival[m->last];
	else if (!m || !m->is_clocked)
		saturate_onto(&w->p->unknown, through);
	if (!last || last->rank == w->rank || (*own)->wait <= 0)
		return NULL;
	if (last->start >= time_of(w, w->rank, saturate_add(at->at, through)) ||
		last->start >= w->at)
		return NULL;
	if (!w->path[last->rank] || w->path[last->rank]->start[last->collective] == RANKPATH_NONE) {
		saturate_onto(&w->p->unknown, (*own)->wait);
		return NULL;
	}
	return last;
}

static void count_crossing(struct walk *w, uint32_t to, nsec behind, uint32_t step)
{
	const struct pair_key key = { w->rank, to };
	uint32_t at = keymap_add(&w->pairs, &key);
	struct jobpath *p = w->p;

	if (at == p->ncrossing) {
		p->crossing = array_grow(p->crossing, &w->cap, at + 1, sizeof(*p->crossing));
		p->crossing[p->ncrossing++] = (struct jobpath_crossing){ w->rank, to, 0, 0 };
	}
	p->crossing[at].count++;
	p->crossing[at].behind = saturate_add(p->crossing[at].behind, behind);
	p->crossings++;
	if (step != RANKPATH_NONE)
		p->step[step].crossings++;
}

/* One stretch backwards; false: that was the last. */
static bool go(struct walk *w)
{
	const struct rankpath *path = w->path[w->rank];
	const struct rankpath_point *of = &path->point[w->point];
	const struct job_arrival *own = NULL;

	if (of->before == RANKPATH_NONE || of->at <= w->first[w->rank])
		return false;
	const struct rankpath_point *at = &path->point[of->before];
	const struct job_arrival *last = whom(w, of, at, &own);
	if (!last) {
		nsec from = time_of(w, w->rank, at->at);

		add_stretch(w, of, MIN(from, w->at), 0);
		w->point = of->before;
		return true;
	}
	count_crossing(w, last->rank, saturate_sub(last->start, own->start),
		of->step == RANKPATH_NONE ? of->step : w->step[w->rank][of->step]);
	add_stretch(w, of, last->start, saturate_sub(last->start, own->start));
	w->rank = last->rank;
	w->point = w->path[w->rank]->start[last->collective];
	return true;
}

/* ---- all of it ---- */

ORDER(by_ranks, struct jobpath_crossing, compare3(a->from, b->from), compare3(a->to, b->to))

static void put_crossings(struct walk *w, struct arena *mem)
{
	struct jobpath *p = w->p;
	struct jobpath_crossing *v = arena_array(mem, p->ncrossing, sizeof(*v));

	if (p->ncrossing > 0)
		memcpy(v, p->crossing, p->ncrossing * sizeof(*v));
	free(p->crossing);
	p->crossing = v;
	sort_rows(v, p->ncrossing, sizeof(*v), by_ranks);
}

static void init_sums(struct jobpath *p, const struct job *j, struct arena *mem)
{
	*p = (struct jobpath){
		.job = j,
		.first = JOBPATH_NOBODY,
		.last = JOBPATH_NOBODY,
		.ns_of = arena_array(mem, j->nrank, sizeof(*p->ns_of)),
		.rank = arena_array(mem, j->nrank, sizeof(*p->rank)),
		.step = arena_array(mem, j->nstep, sizeof(*p->step)),
	};
	for (size_t i = 0; i < j->nstep; i++)
		p->step[i].rank = arena_array(mem, j->nrank, sizeof(nsec));
}

/* The ranks the path can be on: those whose clocks are comparable with the reference's. */
static const struct rankpath *const *choose(
	struct walk *w, const struct rankpath *const *path, struct arena *mem)
{
	const struct job *j = w->p->job;
	const struct rankpath **v = arena_array(mem, j->nrank, sizeof(*v));

	for (size_t i = 0; i < j->nrank; i++) {
		const struct job_clock *c = &j->rank[i].clock;

		if (path[i] && c->is_known && c->island == j->rank[j->reference].clock.island)
			v[i] = path[i];
		else
			w->p->nleft++;
	}
	return v;
}

void jobpath_init(struct jobpath *p, const struct job *j, const struct rankpath *const *path,
	struct arena *mem)
{
	struct walk w = { .p = p };

	init_sums(p, j, mem);
	keymap_init(&w.pairs, sizeof(struct pair_key));
	w.path = choose(&w, path, &w.scratch);
	collective_instances_init(&w.meets, j, &w.scratch);
	number_steps(&w);
	find_first(&w);
	if (j->nstep > 0)
		find_last(&w);
	w.rank = p->last;
	w.at = p->end;
	while (p->last != JOBPATH_NOBODY && go(&w))
		;
	p->begin = w.at;
	p->first = w.rank;
	put_crossings(&w, mem);
	keymap_clear(&w.pairs);
	arena_clear(&w.scratch);
}

bool jobpath_most(const struct jobpath *p, uint32_t *rank)
{
	nsec most = 0;

	for (uint32_t r = 0; r < p->job->nrank; r++)
		if (p->rank[r] > most) {
			most = p->rank[r];
			*rank = r;
		}
	return most > 0;
}
