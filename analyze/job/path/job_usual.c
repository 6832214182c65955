/* How long the same work, and the same transfer, usually takes. */
#include "analyze/job/path/job_timing.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

/* ---- the mean of all ranks and steps ---- */

struct same_work {
	uint64_t what, stage;
};

struct mean {
	double sum, n;
};

/* Mean computing of a stage's ranks, or of all. */
static double computes(const struct timing *t, uint32_t stage)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < t->j->nrank; i++) {
		if (stage != JOB_NO_STAGE && t->f->stages.of[i] != stage)
			continue;
		sum += t->f->ledgers.v[i].part[PART_COMPUTE];
		n++;
	}
	return n > 0 ? sum / n : 0;
}

/* What the mean stage computes over what that one does. */
static double evens_out(const struct timing *t, uint32_t stage)
{
	double own = computes(t, stage);

	return t->f->stages.n > 1 && stage != JOB_NO_STAGE && own > 0
		? computes(t, JOB_NO_STAGE) / own
		: 1;
}

static void find_means(struct timing *t)
{
	SCOPED_ARENA mem = { 0 };
	struct mean *mean = arena_array(&mem, t->n, sizeof(*mean));
	uint32_t *of = arena_array(&mem, t->n, sizeof(*of));
	struct keymap same;

	keymap_init(&same, sizeof(struct same_work));
	for (size_t i = 0; i < t->n; i++) {
		of[i] = keymap_add(
			&same, &(struct same_work){ t->v[i].what, t->f->stages.of[t->v[i].rank] });
		mean[of[i]].sum += t->v[i].runs;
		mean[of[i]].n++;
	}
	for (size_t i = 0; i < same.n; i++) {
		const struct same_work *key = keymap_key(&same, (uint32_t)i);

		mean[i].sum *= evens_out(t, (uint32_t)key->stage) / mean[i].n;
	}
	for (size_t i = 0; i < t->n; i++)
		t->v[i].mean = mean[of[i]].sum;
	keymap_clear(&same);
}

/* A transfer, by what makes it the same as others. */
struct same_transfer {
	uint32_t kind, n, ordinal;
};

/* Names of groups without their numbers: "dp3" and "dp0" are there for the same thing. */
static int compare_use(struct span a, struct span b)
{
	size_t i = 0, k = 0;

	while (i < a.n || k < b.n) {
		if (i < a.n && a.p[i] >= '0' && a.p[i] <= '9')
			i++;
		else if (k < b.n && b.p[k] >= '0' && b.p[k] <= '9')
			k++;
		else if (i == a.n || k == b.n || a.p[i] != b.p[k])
			return i == a.n ? -1 : k == b.n ? 1 : compare3(a.p[i], b.p[k]);
		else {
			i++;
			k++;
		}
	}
	return 0;
}

/* A kind of a rank; `as`: the number of those that are the same. */
struct kind_of_rank {
	const struct coll_kind *kind;
	uint32_t *as;
};

static int compare_kinds(const struct coll_kind *a, const struct coll_kind *b)
{
	return COMPARE_BY(compare3(a->op, b->op), compare3(a->bytes, b->bytes),
		span_cmp(a->dtype, b->dtype), span_cmp(a->desc, b->desc),
		compare_use(a->group, b->group));
}

ORDER(by_kind, struct kind_of_rank, compare_kinds(a->kind, b->kind))

/* By rank and kind: which are the same, as a number. */
static uint32_t **number_kinds(const struct timing *t, struct arena *mem)
{
	uint32_t **as = arena_array(mem, t->j->nrank, sizeof(*as)), number = 0;
	size_t n = 0, at = 0;

	for (size_t r = 0; r < t->j->nrank; r++)
		n += t->j->rank[r].digest->collectives->nkind;
	struct kind_of_rank *v = arena_array(mem, n, sizeof(*v));
	for (size_t r = 0; r < t->j->nrank; r++) {
		const struct collectives *c = t->j->rank[r].digest->collectives;

		as[r] = arena_array(mem, c->nkind, sizeof(**as));
		for (size_t k = 0; k < c->nkind; k++)
			v[at++] = (struct kind_of_rank){ &c->kind[k], &as[r][k] };
	}
	sort_rows(v, n, sizeof(*v), by_kind);
	for (size_t i = 0; i < n; i++) {
		number += i > 0 && compare_kinds(v[i - 1].kind, v[i].kind) != 0;
		*v[i].as = number;
	}
	return as;
}

/* The mean of those that are the same. */
static void find_transfers(struct timing *t)
{
	SCOPED_ARENA mem = { 0 };
	uint32_t **kinds = number_kinds(t, &mem);
	uint32_t *of = arena_array(&mem, t->njoint, sizeof(*of));
	struct mean *mean = arena_array(&mem, t->njoint, sizeof(*mean));
	struct keymap same;

	keymap_init(&same, sizeof(struct same_transfer));
	for (size_t i = 0; i < t->njoint; i++) {
		const struct timing_joint *x = &t->joint[i];

		if (x->n == 0)
			continue;
		const struct timing_piece *p = &t->v[x->first];
		of[i] = keymap_add(&same,
			&(struct same_transfer){ kinds[p->rank][timing_collective(t, p)->kind],
				x->n, timing_ordinal(t, p) });
		mean[of[i]].sum += x->transfer;
		mean[of[i]].n++;
	}
	for (size_t i = 0; i < t->njoint; i++)
		if (t->joint[i].n > 0)
			t->joint[i].usual = mean[of[i]].sum / mean[of[i]].n;
	keymap_clear(&same);
}

void timing_find_usual(struct timing *t)
{
	find_means(t);
	find_transfers(t);
}

/* ---- held against the others of a stage ---- */

/* Where what a rank does for a collective, the one that waits for it first, or for none, is in the
 * job: as on others that do the same. */
struct place {
	uint32_t stage, ncollective, step, lane, ordinal;
};

/* What one rank does there. */
struct done {
	uint32_t rank;
	double ns; /* it takes; at the end: how many times that is as long on others */
};

/* Each rank's by place, ranks ascending: v[first[i]..end[i]). */
struct held {
	struct keymap places; /* those of changed ranks */
	uint32_t **of_lane;   /* timing_number */
	uint32_t *of; /* by piece that is a collective, behind them by rank: 1 + its place; 0 */
	uint32_t *first, *end;
	struct done *v;
};

static uint32_t lane_of(const struct timing *t, uint32_t piece)
{
	return timing_collective(t, &t->v[piece])->lane;
}

/* Of a piece: the collective that waits for it, of several that on the first lane; else that of
 * what is behind it on its stream.  A collective's is itself.  TIMING_NONE: there is none. */
static uint32_t *find_collectives(const struct timing *t)
{
	uint32_t *to = arena_array(t->mem, t->n, sizeof(*to));
	bool *is_direct = arena_array(t->mem, t->n, sizeof(*is_direct));

	for (uint32_t i = 0; i < t->n; i++)
		to[i] = t->v[i].collective ? i : TIMING_NONE;
	for (uint32_t i = (uint32_t)t->n; i-- > 0;)
		for (int k = 0; k < RANKWORK_DEPS; k++) {
			uint32_t dep = t->v[i].dep[k];

			if (dep == TIMING_NONE || t->v[dep].collective ||
				(is_direct[dep] &&
					(!t->v[i].collective ||
						lane_of(t, i) > lane_of(t, to[dep]))) ||
				(!t->v[i].collective && k > 0 && to[dep] != TIMING_NONE))
				continue;
			is_direct[dep] = t->v[i].collective;
			to[dep] = to[i];
		}
	return to;
}

static double lasts(const struct timing_piece *p)
{
	return (double)p->gap + (p->collective ? 0 : p->runs + (double)p->inner);
}

static uint32_t rank_of(const struct timing *t, uint32_t i)
{
	return i < t->n ? t->v[i].rank : i - (uint32_t)t->n;
}

/* The place of a collective's piece, or behind them of what a rank does for none. */
static struct place place_of(const struct held *h, const struct timing *t, uint32_t i)
{
	const struct timing_piece *c = i < t->n ? &t->v[i] : NULL;
	uint32_t rank = rank_of(t, i);
	struct place p = { .stage = t->f->stages.of[rank],
		.ncollective = (uint32_t)t->j->rank[rank].ncollective,
		.step = COLL_NO_STEP };

	if (!c)
		return p;
	p.step = timing_step(t, c);
	p.lane = 1 + timing_collective(t, c)->lane;
	p.ordinal = h->of_lane[rank][c->collective - 1];
	return p;
}

/* Those of changed ranks, and who else is there. */
static void find_places(struct held *h, const struct timing *t, const bool *changed)
{
	const uint32_t n = (uint32_t)(t->n + t->j->nrank);

	h->of = arena_array(t->mem, n, sizeof(*h->of));
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < n; i++) {
			if (changed[rank_of(t, i)] == (round > 0) ||
				(i < t->n && !t->v[i].collective))
				continue;
			const struct place p = place_of(h, t, i);
			h->of[i] = 1 +
				(round == 0 ? keymap_add(&h->places, &p)
					    : keymap_find(&h->places, &p));
		}
}

/* What each rank does at each place, ns by piece: several are one. */
static void gather(struct held *h, const struct timing *t, const double *ns)
{
	const uint32_t n = (uint32_t)(t->n + t->j->nrank);
	uint32_t *last = arena_array(t->mem, h->places.n, sizeof(*last));

	h->end = arena_array(t->mem, h->places.n, sizeof(*h->end));
	h->first = arena_array(t->mem, h->places.n + 1, sizeof(*h->first));
	for (uint32_t i = 0; i < n; i++)
		if (h->of[i])
			h->first[h->of[i]]++;
	for (size_t i = 0; i < h->places.n; i++) {
		h->first[i + 1] += h->first[i];
		h->end[i] = h->first[i];
	}
	h->v = arena_array(t->mem, h->first[h->places.n], sizeof(*h->v));
	for (uint32_t i = 0; i < n; i++) {
		if (!h->of[i])
			continue;
		uint32_t at = h->of[i] - 1, rank = rank_of(t, i);

		if (last[at] != rank + 1)
			h->v[h->end[at]++] = (struct done){ rank, 0 };
		last[at] = rank + 1;
		h->v[h->end[at] - 1].ns += ns[i];
	}
}

/* Those of one place: what each of changed ranks takes becomes how
 * many times that is as long on others. */
static void hold_against(struct done *v, size_t n, const bool *changed, double *others)
{
	size_t nothers = 0;

	for (size_t i = 0; i < n; i++)
		if (!changed[v[i].rank])
			others[nothers++] = v[i].ns;
	double usual = nothers > 0 ? fmax(quantile_select(others, nothers, 0.5), 0) : 0;
	for (size_t i = 0; i < n; i++)
		v[i].ns = nothers > 0 && v[i].ns > 0 ? usual / v[i].ns : NAN;
}

/* How many times what a changed rank does for a piece is as long on others. */
static double part_of(const struct held *h, uint32_t i, uint32_t rank)
{
	uint32_t at = h->of[i] - 1;

	return h->v[PARTITION_POINT(k, h->first[at], h->end[at], h->v[k].rank < rank)].ns;
}

/* What all do where changed ranks do something, held against each other. */
static void hold_all(
	struct held *h, const struct timing *t, const uint32_t *to, const bool *changed)
{
	double *ns = arena_array(t->mem, t->n + t->j->nrank, sizeof(*ns));
	double *others = arena_array(t->mem, t->j->nrank, sizeof(*others));

	for (size_t i = 0; i < t->n; i++)
		ns[to[i] == TIMING_NONE ? t->n + t->v[i].rank : to[i]] += lasts(&t->v[i]);
	find_places(h, t, changed);
	gather(h, t, ns);
	for (size_t i = 0; i < h->places.n; i++)
		hold_against(h->v + h->first[i], h->end[i] - h->first[i], changed, others);
}

double timing_find_parts(struct timing *t, const bool *changed)
{
	struct arena_mark mark = arena_mark(t->mem);
	double known = 0, all = 0;
	struct held h;

	for (size_t i = 0; i < t->n; i++)
		t->v[i].part = NAN;
	if (!ANY(r, t->j->nrank, changed[r]))
		return 0;
	const uint32_t *to = find_collectives(t);
	keymap_init(&h.places, sizeof(struct place));
	h.of_lane = timing_number(t, true, t->mem);
	hold_all(&h, t, to, changed);
	for (uint32_t i = 0; i < t->n; i++) {
		struct timing_piece *p = &t->v[i];

		if (!changed[p->rank])
			continue;
		double ns = fmax(lasts(p), 0);
		p->part = part_of(
			&h, to[i] == TIMING_NONE ? (uint32_t)t->n + p->rank : to[i], p->rank);
		all += ns;
		known += isnan(p->part) ? 0 : ns;
	}
	keymap_clear(&h.places);
	arena_reset(t->mem, mark);
	return known > 0 ? known / all : 0;
}
