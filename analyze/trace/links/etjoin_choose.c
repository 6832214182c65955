/* Which of several execution traces is a run's: by process and rank first, then by what is found.
 *
 * Ranks of one job call the same operators in the same order, and count their calls from the same
 * number, so that what is found tells no two ranks apart. */
#include "analyze/trace/links/etjoin.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/runpath.h"
#include "base/base.h"

/* Whether a host process of the run has that number; *any: there is one that has a number. */
static bool has_process(const struct run *r, int64_t pid, bool *any)
{
	bool is_there = false;

	for (size_t i = 0; i < r->lanes.n; i++) {
		const struct lane *l = &r->lanes.lane[i];
		int64_t number = LANE_NO_NUMBER;

		if (!l->is_device && r->order->host_begin[i] < r->order->host_begin[i + 1])
			number = l->pid_number;
		*any |= number != LANE_NO_NUMBER;
		is_there |= number == pid;
	}
	return is_there;
}

static enum etjoin_owner owner_of(const struct run *r, const struct exectrace *et)
{
	int64_t rank = et->path ? runpath_rank(et->path) : -1;
	int64_t own = r->meta.rank >= 0 || !r->path ? r->meta.rank : runpath_rank(r->path);
	bool any = false, is_there;

	if (rank >= 0 && own >= 0 && rank != own)
		return ETJOIN_OTHER_RANK;
	if (et->pid > 0) {
		is_there = has_process(r, et->pid, &any);
		if (any)
			return is_there ? ETJOIN_ITS_OWN : ETJOIN_OTHER_PROCESS;
	}
	return rank >= 0 && own >= 0 ? ETJOIN_ITS_OWN : ETJOIN_ANYONE;
}

/* Names at the beginning of both paths, of that of a its folders only. */
static size_t common_folders(const char *a, const char *b)
{
	size_t n = 0;

	for (; *a && *a == *b; a++, b++)
		n += *a == '/' || *a == '!';
	return n + (*b == '\0' && (*a == '/' || *a == '!'));
}

/* Below 0: a fits better than b. */
static int by_fit(const struct etjoin *a, const struct etjoin *b)
{
	if (a->npair == 0 || b->npair == 0)
		return (a->npair == 0) - (b->npair == 0);
	return COMPARE_BY(compare3(b->near, a->near), compare3(b->by_id, a->by_id),
		compare3(b->npair, a->npair), 0);
}

/* Keeps the better of the two, the first where they are alike, and counts those. */
static struct etjoin *better(struct etjoin *best, struct etjoin *j)
{
	int order = best ? by_fit(best, j) : 1;

	if (order > 0) {
		etjoin_free(best);
		j->nalike = 1;
		return j;
	}
	if (order == 0 && best->nalike++ == 1)
		best->alike = j->et;
	etjoin_free(j);
	return best;
}

/* The best of those whose owner it is. */
static struct etjoin *best_of(struct run *r, const struct exectrace *et, size_t n,
	const enum etjoin_owner *owner, enum etjoin_owner of)
{
	struct etjoin *best = NULL;

	for (size_t i = 0; i < n; i++) {
		if (owner[i] != of)
			continue;
		struct etjoin *j = etjoin_new(r, &et[i]);
		if (et[i].is_found && r->path)
			j->near = common_folders(et[i].path, r->path);
		best = better(best, j);
	}
	if (best) {
		best->owner = of;
		best->ntried = n;
	}
	return best;
}

/* What is told where none is taken. */
static struct etjoin *none_of(const struct etjoin *of, enum etjoin_choice why)
{
	struct etjoin *j = zeroed(1, sizeof(*j));

	*j = (struct etjoin){ .et = of->et,
		.choice = why,
		.owner = of->owner,
		.ntried = of->ntried,
		.nalike = of->nalike,
		.alike = of->alike,
		.ncall = of->ncall };
	return j;
}

/* The best of those that may be the run's; NULL: all are another's, which is believed of what was
 * found. */
static struct etjoin *choose(
	struct run *r, const struct exectrace *et, size_t n, const enum etjoin_owner *owner)
{
	int least = et->is_found ? ETJOIN_ANYONE : ETJOIN_OTHER_RANK;
	struct etjoin *best = NULL;

	for (int of = ETJOIN_ITS_OWN; of >= least && (!best || best->npair == 0); of--) {
		struct etjoin *j = best_of(r, et, n, owner, (enum etjoin_owner)of);

		if (j && (!best || j->npair > 0)) {
			etjoin_free(best);
			best = j;
		} else {
			etjoin_free(j);
		}
	}
	return best;
}

void etjoin_attach(struct run *r, const struct exectrace *et, size_t n)
{
	enum etjoin_owner *owner = zeroed(n, sizeof(*owner));

	for (size_t i = 0; i < n; i++)
		owner[i] = owner_of(r, &et[i]);
	struct etjoin other = (struct etjoin){ .et = et, .owner = owner[0], .ntried = n };
	struct etjoin *best = choose(r, et, n, owner);
	free(owner);
	r->etjoin = best ? best : none_of(&other, ETJOIN_NONE);
	if (!best || !best->et->is_found || (best->npair > 0 && best->nalike == 1))
		return;
	r->etjoin = none_of(best, best->npair > 0 ? ETJOIN_SEVERAL : ETJOIN_NONE);
	etjoin_free(best);
}
