/* Members of a job: missing, foreign, doubled and unknown ranks. */
#include "analyze/job/match/rank_members.h"

#include "analyze/trace/ranklist.h"

enum { GAPS_SHOWN = 8 };

ORDER(compare, int64_t, compare3(*a, *b))

/* What most of n ascending values are; the larger of equals. */
static int64_t most_common(const int64_t *v, size_t n)
{
	size_t from = 0, best = 0;
	int64_t value = -1;

	for (size_t i = 0; i < n; i++) {
		if (v[i] != v[from])
			from = i;
		if (i - from + 1 >= best) {
			best = i - from + 1;
			value = v[i];
		}
	}
	return value;
}

static void find_world(struct members *m, const struct side_run *run, int64_t *scratch)
{
	size_t n = 0;

	for (EACH(const struct side_part, part, run->part, run->nrank))
		if (part->digest->world > 0)
			scratch[n++] = part->digest->world;
	qsort(scratch, n, sizeof(*scratch), compare);
	m->world = most_common(scratch, n);
}

static bool is_foreign(const struct members *m, const struct side_part *p)
{
	int64_t world = p->digest->world;

	return m->world > 0 && ((world > 0 && world != m->world) || p->rank >= m->world);
}

static void add_gap(struct members *m, int64_t lo, int64_t hi)
{
	if (lo > hi)
		return;
	m->gap[m->ngap++] = (struct members_gap){ lo, hi };
	saturate_onto(&m->nmissing, saturate_add(hi - lo, 1));
}

/* Gaps between n ascending, distinct ranks, and behind the last of them. */
static void find_gaps(struct members *m, const int64_t *rank, size_t n)
{
	int64_t next = 0;

	for (size_t i = 0; i < n; i++) {
		add_gap(m, next, rank[i] - 1);
		next = saturate_add(rank[i], 1);
	}
	if (n > 0)
		add_gap(m, next, m->world - 1);
}

/* Sorts the run's traces into those of the job, whose ranks are listed, and the others. */
static size_t sort_traces(struct members *m, const struct side_run *run, int64_t *rank)
{
	size_t n = 0;

	for (EACH(const struct side_part, p, run->part, run->nrank)) {
		if (is_foreign(m, p))
			m->foreign[m->nforeign++] = p;
		else if (p->rank < 0)
			m->unknown[m->nunknown++] = p;
		else
			rank[n++] = p->rank;
	}
	return ranklist_sort(rank, n);
}

/* The length of the path of a file's folder. */
static size_t folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) : 0;
}

static bool same_folder(const char *a, const char *b)
{
	size_t n = folder_of(a);

	return n == folder_of(b) && memcmp(a, b, n) == 0;
}

/* The run's trace of that rank, or NULL; they are by rank. */
static const struct side_part *find_rank(const struct side_run *run, int64_t rank)
{
	size_t low = PARTITION_POINT(i, 0, run->nrank, run->part[i].rank < rank);

	return low < run->nrank && run->part[low].rank == rank ? &run->part[low] : NULL;
}

static bool is_left_of(const struct side_run *left, const struct side_run *run)
{
	if (left->nrank == 0 || left->nrank >= run->nrank)
		return false;
	for (EACH(const struct side_part, part, left->part, left->nrank)) {
		const struct side_part *of = find_rank(run, part->rank);

		if (!of || !same_folder(of->digest->path, part->digest->path))
			return false;
	}
	return true;
}

bool members_is_leftover(const struct side *s, size_t i)
{
	return ANY(k, i, is_left_of(&s->run[i], &s->run[k]));
}

void members_set_aside(struct side *s, struct arena *mem)
{
	struct side_run *run = arena_array(mem, s->nrun, sizeof(*run));
	size_t n = 0, all = s->nrun;
	bool *is_over = arena_array(mem, all, sizeof(*is_over));

	for (size_t i = 0; i < all; i++)
		is_over[i] = members_is_leftover(s, i);
	for (size_t i = 0; i < all; i++)
		if (!is_over[i])
			run[n++] = s->run[i];
	s->nrun = n;
	for (size_t i = 0; i < all; i++)
		if (is_over[i])
			run[n++] = s->run[i];
	s->nover = all - s->nrun;
	s->run = run;
}

static void find_doubled(struct members *m, const struct side *s, size_t i, struct arena *mem)
{
	size_t cap = 0;

	for (size_t k = i + 1; k < s->nrun + s->nover; k++) {
		const struct side_run *left = &s->run[k];

		if (!is_left_of(left, &s->run[i]))
			continue;
		for (size_t p = 0; p < left->nrank; p++)
			ARENA_PUSH(mem, m->doubled, m->ndoubled, cap, &left->part[p]);
	}
}

void members_of(struct members *m, const struct side_run *run, struct arena *mem)
{
	int64_t *rank = arena_array(mem, run->nrank, sizeof(*rank));

	*m = (struct members){
		.gap = arena_array(mem, run->nrank + 1, sizeof(*m->gap)),
		.foreign = arena_array(mem, run->nrank, sizeof(const struct side_part *)),
		.unknown = arena_array(mem, run->nrank, sizeof(const struct side_part *)),
	};
	find_world(m, run, rank);
	m->nrank = sort_traces(m, run, rank);
	if (m->world > 0 || m->nrank > 1)
		find_gaps(m, rank, m->nrank);
	if (m->nrank == 0)
		m->nunknown = 0;
}

void members_init(struct members *m, const struct side *s, size_t i, struct arena *mem)
{
	members_of(m, &s->run[i], mem);
	find_doubled(m, s, i, mem);
}

void members_run(struct side_run *own, const struct members *m, const struct side_run *run,
	struct arena *mem)
{
	size_t next = 0;

	*own = *run;
	own->part = arena_array(mem, run->n, sizeof(*own->part));
	own->n = own->nrank = 0;
	for (size_t i = 0; i < run->n; i++) {
		if (next < m->nforeign && m->foreign[next] == &run->part[i]) {
			next++;
			continue;
		}
		own->part[own->n++] = run->part[i];
		own->nrank += i < run->nrank;
	}
}

bool members_are_whole(const struct members *m)
{
	return m->nmissing == 0 && m->nforeign == 0 && m->nunknown == 0 && m->ndoubled == 0;
}

void members_put_missing(struct str *b, const struct members *m)
{
	int64_t rest = m->nmissing;

	for (size_t i = 0; i < m->ngap && i < GAPS_SHOWN; i++) {
		const struct members_gap *g = &m->gap[i];

		str_addf(b, "%s%lld", i ? ", " : "", (long long)g->lo);
		if (g->hi > g->lo)
			str_addf(b, "%s%lld", g->hi == g->lo + 1 ? ", " : " to ", (long long)g->hi);
		rest -= saturate_add(g->hi - g->lo, 1);
	}
	if (rest > 0)
		str_addf(b, " and %lld more", (long long)rest);
}

void members_put_none(struct str *b, const struct members *m)
{
	str_addf(b, "no trace of %lld of %lld ranks: ", (long long)m->nmissing,
		(long long)saturate_add(m->nmissing, (int64_t)m->nrank));
	members_put_missing(b, m);
}

static bool is_member(const struct members *m, const struct side_part *p)
{
	return p->rank >= 0 && p->digest->collectives && !is_foreign(m, p);
}

bool members_job(struct side_run *own, const struct side *s, size_t i, struct arena *mem)
{
	const struct side_run *run = &s->run[i];
	struct members m;

	if (run->nrank < 2 || members_is_leftover(s, i))
		return false;
	members_init(&m, s, i, mem);
	*own = *run;
	own->part = arena_array(mem, run->nrank, sizeof(*own->part));
	own->n = 0;
	for (size_t k = 0; k < run->nrank; k++)
		if (is_member(&m, &run->part[k]))
			own->part[own->n++] = run->part[k];
	own->nrank = own->n;
	return own->n > 1;
}
