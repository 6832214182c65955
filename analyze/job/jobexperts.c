/* Experts: the parts of all_to_all, added up. */
#include "analyze/job/jobexperts.h"

#include "base/base.h"

enum { PLACES_MAX = 1024 }; /* of a group; larger ones have no matrix */

/* One group whose all_to_all have parts. */
struct square {
	uint32_t group;
	size_t n;        /* ranks of the group, by its parts */
	int64_t *rank;   /* of each place in the group; -1 */
	int64_t *tokens; /* n x n: from, then to */
};

struct search {
	const struct job *j;
	struct job_experts *x;
	struct square **of; /* by group; NULL: none yet */
	double most, mean;  /* sums over meets */
	double *mean_of;    /* by rank: the mean loads of its meets */
	struct arena *mem;
};

static const struct coll_split *split_of(const struct job *j, const struct job_arrival *a)
{
	const struct collectives *c = j->rank[a->rank].digest->collectives;
	uint32_t at = job_collective(j, a)->split;

	return at ? &c->split[at - 1] : NULL;
}

/* The i-th number of "[0, 4, 8]", or -1. */
static int64_t number_at(struct span text, size_t i)
{
	size_t at = 0, seen = 0;

	while (at < text.n) {
		int64_t v = 0;
		size_t from;

		while (at < text.n && (text.p[at] < '0' || text.p[at] > '9'))
			at++;
		for (from = at; at < text.n && text.p[at] >= '0' && text.p[at] <= '9'; at++)
			v = saturate_add(saturate_times(v, 10), text.p[at] - '0');
		if (at > from && seen++ == i)
			return v;
	}
	return -1;
}

static int64_t rank_at(const struct job *j, const struct collective_instance *m, size_t n, size_t i)
{
	const struct job_group *g = &j->group[m->group];
	const struct collectives *c = j->rank[m->arrival[0].rank].digest->collectives;
	struct span ranks = c->kind[job_collective(j, &m->arrival[0])->kind].ranks;

	if (ranks.n > 0)
		return number_at(ranks, i);
	if (g->nmember == n)
		return j->rank[g->member[i]].rank;
	return -1;
}

/* The square of the meet's group; NULL where its parts are of another number of ranks, or of too
 * many. */
static struct square *square_of(struct search *f, const struct collective_instance *m, size_t n)
{
	struct square *q = f->of[m->group];

	if (n > PLACES_MAX)
		return NULL;
	if (!q) {
		q = arena_alloc(f->mem, sizeof(*q));
		*q = (struct square){
			.group = m->group,
			.n = n,
			.rank = arena_array(f->mem, n, sizeof(*q->rank)),
			.tokens = arena_array(f->mem, n * n, sizeof(*q->tokens)),
		};
		for (size_t i = 0; i < n; i++)
			q->rank[i] = rank_at(f->j, m, n, i);
		f->of[m->group] = q;
	}
	return q->n == n ? q : NULL;
}

/* A rank's place in its group, or the number of places. */
static size_t place_of(const struct square *q, const struct job *j, uint32_t rank)
{
	size_t i = 0;

	while (i < q->n && (q->rank[i] < 0 || q->rank[i] != j->rank[rank].rank))
		i++;
	return i;
}

static int64_t sum_of(const int64_t *v, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		saturate_onto(&sum, v[i]);
	return sum;
}

/* Whether all its arrivals have parts, and the largest sent and received. */
static bool look(
	const struct job *j, const struct collective_instance *m, int64_t *sent, int64_t *received)
{
	*sent = *received = 0;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct coll_split *s = split_of(j, &m->arrival[i]);

		if (!s)
			return false;
		int64_t in = sum_of(s->in, s->nin);
		int64_t out = sum_of(s->out, s->nout);
		*sent = MAX(in, *sent);
		*received = MAX(out, *received);
	}
	return true;
}

/* What a rank says of one meet, on the way to the experts or back from them. */
static void add_parts(struct search *f, const struct collective_instance *m,
	const struct job_arrival *a, bool is_back)
{
	const struct coll_split *s = split_of(f->j, a);
	size_t n = is_back ? s->nout : s->nin;
	struct square *q = square_of(f, m, n);
	size_t own = q ? place_of(q, f->j, a->rank) : 0;

	if (!q || own == q->n)
		return;
	for (size_t i = 0; i < n; i++)
		saturate_onto(&q->tokens[own * n + i], is_back ? s->out[i] : s->in[i]);
}

static void visit(struct search *f, const struct collective_instance *m)
{
	int64_t sent, received, most = 0, sum = 0;
	struct job_experts *x = f->x;

	if (!look(f->j, m, &sent, &received) || (sent == 0 && received == 0))
		return;
	x->nmeet++;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct coll_split *s = split_of(f->j, &m->arrival[i]);
		uint32_t rank = m->arrival[i].rank;
		int64_t in = sum_of(s->in, s->nin), out = sum_of(s->out, s->nout);
		int64_t load = sent > received ? in : out;

		most = MAX(load, most);
		saturate_onto(&sum, load);
		saturate_onto(&x->sent[rank], in);
		saturate_onto(&x->received[rank], out);
		saturate_onto(&x->load[rank], load);
		if (m->step != COLL_NO_STEP)
			saturate_onto(&x->by_step[(size_t)m->step * f->j->nrank + rank], load);
		add_parts(f, m, &m->arrival[i], sent > received);
	}
	f->most += (double)most;
	f->mean += (double)sum / m->n;
	for (uint32_t i = 0; i < m->n; i++)
		f->mean_of[m->arrival[i].rank] += (double)sum / m->n;
}

static void list_pairs(struct search *f)
{
	struct job_experts *x = f->x;
	size_t n = SUM(size_t, g, f->j->ngroup, f->of[g] ? f->of[g]->n * f->of[g]->n : 0);

	x->pair = arena_array(f->mem, n, sizeof(*x->pair));
	for (size_t g = 0; g < f->j->ngroup; g++) {
		const struct square *q = f->of[g];

		for (size_t i = 0; q && i < q->n * q->n; i++)
			if (q->tokens[i] > 0)
				x->pair[x->npair++] = (struct job_expert_pair){ q->group,
					q->rank[i / q->n], q->rank[i % q->n], q->tokens[i] };
	}
}

static void find_hot(struct search *f)
{
	struct job_experts *x = f->x;

	for (size_t i = 0; i < f->j->nrank; i++) {
		x->ratio[i] = ratio_of((double)x->load[i], f->mean_of[i]);
		if (x->ratio[i] > x->ratio[x->hot] || isnan(x->ratio[x->hot]))
			x->hot = (uint32_t)i;
	}
}

void job_experts_init(struct job_experts *x, const struct job *j, struct arena *mem)
{
	struct search f = { .j = j, .x = x, .mem = mem };

	*x = (struct job_experts){
		.imbalance = NAN,
		.load = arena_array(mem, j->nrank, sizeof(*x->load)),
		.ratio = arena_array(mem, j->nrank, sizeof(*x->ratio)),
		.sent = arena_array(mem, j->nrank, sizeof(*x->sent)),
		.received = arena_array(mem, j->nrank, sizeof(*x->received)),
		.by_step = arena_array(mem, j->nstep * j->nrank, sizeof(*x->by_step)),
	};
	f.of = arena_array(mem, j->ngroup, sizeof(struct square *));
	f.mean_of = arena_array(mem, j->nrank, sizeof(*f.mean_of));
	for (size_t i = 0; i < j->nmeet; i++)
		if (j->meet[i].op == COMM_ALL_TO_ALL && j->meet[i].n >= 2)
			visit(&f, &j->meet[i]);
	if (x->nmeet == 0)
		return;
	x->imbalance = f.most / f.mean;
	list_pairs(&f);
	find_hot(&f);
}
