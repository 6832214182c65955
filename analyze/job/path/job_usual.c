/* How long the same work, and the same transfer, usually takes. */
#include "analyze/job/path/job_timing.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

/* ---- the mean of all ranks and steps ---- */

struct same_work {
	uint64_t what, stage;
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
	struct mean {
		double sum, n;
	} *mean = arena_array(t->mem, t->n, sizeof(*mean));
	uint32_t *of = arena_array(t->mem, t->n, sizeof(*of));
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

/* A transfer, and what makes it the same as others. */
struct same_transfer {
	uint32_t joint, ordinal, n;
	const struct coll_kind *kind;
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

static int compare_same(const struct same_transfer *a, const struct same_transfer *b)
{
	return COMPARE_BY(compare3(a->kind->op, b->kind->op),
		compare3(a->kind->bytes, b->kind->bytes), span_cmp(a->kind->dtype, b->kind->dtype),
		span_cmp(a->kind->desc, b->kind->desc), compare_use(a->kind->group, b->kind->group),
		compare3(a->n, b->n), compare3(a->ordinal, b->ordinal));
}

ORDER(by_same, struct same_transfer, compare_same(a, b), compare3(a->joint, b->joint))

/* The mean of those that are the same. */
static void find_transfers(struct timing *t)
{
	struct same_transfer *v = arena_array(t->mem, t->njoint, sizeof(*v));
	size_t n = 0, end;

	for (uint32_t i = 0; i < t->njoint; i++) {
		const struct timing_piece *p = &t->v[t->joint[i].first];

		if (t->joint[i].n > 0)
			v[n++] = (struct same_transfer){ i, timing_ordinal(t, p), t->joint[i].n,
				timing_kind(t, p) };
	}
	sort_rows(v, n, sizeof(*v), by_same);
	for (size_t i = 0; i < n; i = end) {
		double sum = 0;

		for (end = i; end < n && compare_same(&v[i], &v[end]) == 0; end++)
			sum += t->joint[v[end].joint].transfer;
		for (size_t k = i; k < end; k++)
			t->joint[v[k].joint].usual = sum / (double)(end - i);
	}
}

void timing_find_usual(struct timing *t)
{
	find_means(t);
	find_transfers(t);
}

/* ---- held against the others of a stage ---- */

/* What a rank does for a collective, the one that waits for it first; or for none. */
struct stretch {
	uint32_t stage, ncollective, step, lane, ordinal;
	uint32_t rank, at; /* at: the piece that is the collective; for none behind all pieces */
	double ns;         /* what it takes */
};

static uint32_t lane_of(const struct timing *t, uint32_t piece)
{
	return timing_collective(t, &t->v[piece])->lane;
}

/*
 * Of a piece: the collective that waits for it, of several that on the first lane; else that of
 * what is behind it on its stream.  A collective's is itself.  TIMING_NONE: there is none.
 */
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

static int compare_place(const struct stretch *a, const struct stretch *b)
{
	return COMPARE_BY(compare3(a->stage, b->stage), compare3(a->ncollective, b->ncollective),
		compare3(a->step, b->step), compare3(a->lane, b->lane),
		compare3(a->ordinal, b->ordinal));
}

ORDER(by_place, struct stretch, compare_place(a, b), compare3(a->rank, b->rank),
	compare3(a->at, b->at))

static double lasts(const struct timing_piece *p)
{
	return (double)p->gap + (p->collective ? 0 : p->runs + (double)p->inner);
}

/* Those of all ranks: v has room for one of each piece and rank. */
static size_t find_stretches(const struct timing *t, const double *ns, struct stretch *v)
{
	size_t n = 0;

	for (uint32_t i = 0; i < t->n + t->j->nrank; i++) {
		const struct timing_piece *c = i < t->n ? &t->v[i] : NULL;
		uint32_t rank = c ? c->rank : i - (uint32_t)t->n;

		if (c && !c->collective)
			continue;
		v[n] = (struct stretch){ .stage = t->f->stages.of[rank],
			.ncollective = (uint32_t)t->j->rank[rank].ncollective,
			.step = COLL_NO_STEP,
			.rank = rank,
			.at = i,
			.ns = ns[i] };
		if (c) {
			v[n].step = timing_step(t, c);
			v[n].lane = 1 + timing_collective(t, c)->lane;
			v[n].ordinal = t->of_lane[rank][c->collective - 1];
		}
		n++;
	}
	sort_rows(v, n, sizeof(*v), by_place);
	return n;
}

/* One rank's of v[0..n). */
static size_t rank_end(const struct stretch *v, size_t n, double *ns)
{
	size_t i;

	for (i = 0, *ns = 0; i < n && v[i].rank == v->rank; i++)
		*ns += v[i].ns;
	return i;
}

/* Those of one place, v[0..n): what each takes becomes how many times that is as long on others. */
static void hold_against(
	const struct stretch *v, size_t n, const bool *changed, double *others, double *part)
{
	size_t end, nothers = 0;
	double ns;

	for (size_t i = 0; i < n; i += end) {
		end = rank_end(v + i, n - i, &ns);
		if (!changed[v[i].rank])
			others[nothers++] = ns;
	}
	double usual = nothers > 0 ? fmax(quantile_select(others, nothers, 0.5), 0) : 0;
	for (size_t i = 0; i < n; i += end) {
		end = rank_end(v + i, n - i, &ns);
		for (size_t k = i; k < i + end; k++)
			part[v[k].at] = nothers > 0 && ns > 0 ? usual / ns : NAN;
	}
}

double timing_find_parts(struct timing *t, const bool *changed)
{
	struct arena_mark mark = arena_mark(t->mem);
	const size_t most = t->n + t->j->nrank;
	double *others = arena_array(t->mem, t->j->nrank, sizeof(*others)), known = 0, all = 0;
	double *part = arena_array(t->mem, most, sizeof(*part));
	struct stretch *v;
	size_t end, n;

	for (size_t i = 0; i < t->n; i++)
		t->v[i].part = NAN;
	if (!ANY(r, t->j->nrank, changed[r]))
		return 0;
	const uint32_t *to = find_collectives(t);
	for (size_t i = 0; i < t->n; i++)
		part[to[i] == TIMING_NONE ? t->n + t->v[i].rank : to[i]] += lasts(&t->v[i]);
	v = arena_array(t->mem, most, sizeof(*v));
	n = find_stretches(t, part, v);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && compare_place(&v[i], &v[end]) == 0; end++)
			;
		hold_against(v + i, end - i, changed, others, part);
	}
	for (size_t i = 0; i < t->n; i++) {
		struct timing_piece *p = &t->v[i];
		double ns = changed[p->rank] ? fmax(lasts(p), 0) : 0;

		if (changed[p->rank])
			p->part = part[to[i] == TIMING_NONE ? t->n + p->rank : to[i]];
		all += ns;
		known += isnan(p->part) ? 0 : ns;
	}
	arena_reset(t->mem, mark);
	return known > 0 ? known / all : 0;
}
