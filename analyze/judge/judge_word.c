/* The judge: which changes come first, and what the run is called by them. */
#include "analyze/judge/judge.h"

/* A remedy that saves so much of a step names the run before all that nobody can do. */
static const double REMEDY_MIN = 0.15;
/* Savings that differ by less than this share of the larger are alike. */
static const double ALIKE = 0.1;
/* A second word saves at least this share of the first. */
static const double SECOND_MIN = 0.5;
/* A run is healthy that is busy for this share, and where only kernels save so much. */
static const double HEALTHY_BUSY = 0.90, HEALTHY_SAVING = 0.05;
/* Nothing is judged by what saves less. */
static const double SAVING_MIN = 0.05;
/* Nor where nothing is recorded of the host for a fifth of a step: HOST tries half of that. */
static const double BLIND_MAX = 0.1;

/* ---- order ---- */

ORDER(by_saving, struct judge_row *const, compare3_down((*a)->saves, (*b)->saves), compare3(*a, *b))

ORDER(by_effort, struct judge_row *const,
	compare3(judge_doc((*a)->of)->effort, judge_doc((*b)->of)->effort),
	compare3((*a)->of == JUDGE_SYNC, (*b)->of == JUDGE_SYNC), by_saving(a, b))

void judge_sort(const struct judge_row **row, size_t n)
{
	sort_rows(row, n, sizeof(*row), by_saving);
	for (size_t end, i = 0; i < n; i = end) {
		double least = (1 - ALIKE) * (double)row[i]->saves;

		for (end = i + 1; end < n && (double)row[end]->saves >= least;)
			end++;
		sort_rows(row + i, end - i, sizeof(*row), by_effort);
	}
}

/* ---- the word ---- */

/* What odd steps are, by what most of that is: first ones are warm-up. */
static enum verdict_part part_of_odd(const struct step_kind *k)
{
	if (k && k->when == WHEN_FIRST)
		return PART_OF_STARTUP;
	return k && k->cause == GAP_CAUSE_DATA ? PART_OF_DATA : PART_OF_UNEVEN;
}

/* Fusing takes away kernels and launches: what the run hangs on.  That is launching, where launches
 * as one save half as much or more. */
static enum verdict_part part_of_fused(const struct judge *j, nsec saves)
{
	if (judge_saves(j, JUDGE_HOST) <= judge_saves(j, JUDGE_KERNELS))
		return judge_doc(JUDGE_FUSED)->part;
	return (double)judge_saves(j, JUDGE_GRAPH) >= SECOND_MIN * (double)saves ? PART_OF_LAUNCH
										 : PART_OF_HOST;
}

enum verdict_part judge_part(const struct judge *j, const struct judge_row *row)
{
	if (row->of == JUDGE_UNEVEN)
		return part_of_odd(j->window->kinds.worst);
	if (row->of == JUDGE_FUSED)
		return part_of_fused(j, row->saves);
	return judge_doc(row->of)->part;
}

/* What the host does. */
static const unsigned HOST_PARTS = 1u << PART_OF_DATA | 1u << PART_OF_MALLOC | 1u << PART_OF_HOST |
	1u << PART_OF_LAUNCH | 1u << PART_OF_UNEVEN | 1u << PART_OF_STARTUP;
/* What the GPU does that other work could hide. */
static const unsigned HIDABLE_PARTS = 1u << PART_OF_COMM | 1u << PART_OF_COPY;
static const unsigned ALL_PARTS = ~0u;

/* The best of those of a kind, with a word of these parts; NULL: there is none. */
static const struct judge_row *best_of(const struct judge *j, unsigned kinds, unsigned parts)
{
	const struct judge_row *best = NULL;

	for (EACH(const struct judge_row, row, j->row, j->n)) {
		if ((kinds >> judge_doc(row->of)->kind & 1) && row->saves > 0 &&
			(parts >> judge_part(j, row) & 1) && (!best || row->saves > best->saves))
			best = row;
	}
	return best;
}

/* Of the window; launching is the host's time. */
static double part_share(const struct judge *j, const struct verdict *v, enum verdict_part part)
{
	double ns = (double)v->ns[part];

	if (part == PART_OF_HOST || part == PART_OF_LAUNCH)
		ns = (double)v->ns[PART_OF_HOST] + (double)v->ns[PART_OF_LAUNCH];
	return ns / (double)j->window->device[v->device].ns;
}

/* Of what a row is about; what is no part of its own takes what it saves. */
static double share_of(const struct judge *j, const struct verdict *v, const struct judge_row *row)
{
	enum verdict_part part = judge_part(j, row);
	double saves = (double)row->saves / (double)j->window->device[v->device].ns;

	if (part == PART_OF_STARTUP || part == PART_OF_MALLOC || part == PART_OF_CAST ||
		row->of == JUDGE_UNEVEN || row->of == JUDGE_FUNCTION)
		return saves;
	return part == PART_OF_SYNC ? fmax(part_share(j, v, part), saves) : part_share(j, v, part);
}

/* Whether two save nearly the same, or the other more. */
static bool is_alike(const struct judge_row *row, const struct judge_row *other)
{
	return (double)other->saves >= (1 - ALIKE) * (double)row->saves;
}

/* What the host did comes before waiting behind it, where both save nearly the same, or where the
 * GPU waits longer for it, in long gaps, and it saves half as much; and so do collectives or copies
 * that are waited for, where that saves nearly the same and the GPU is idle for less. */
static const struct judge_row *before_sync(
	const struct judge *j, const struct verdict *v, const struct judge_row *row, unsigned kinds)
{
	const struct judge_row *other = best_of(j, kinds, HOST_PARTS);
	const struct judge_row *work = best_of(j, kinds, HIDABLE_PARTS);

	if (row->of != JUDGE_SYNC)
		return row;
	if (work && is_alike(row, work) &&
		part_share(j, v, judge_part(j, work)) > part_share(j, v, PART_OF_SYNC))
		row = work;
	if (!other)
		return row;
	double did = share_of(j, v, other);
	if (other->of == JUDGE_HOST)
		did = (double)v->ns[PART_OF_HOST] / (double)j->window->device[v->device].ns;
	bool is_longer = did >= part_share(j, v, PART_OF_SYNC);
	/* What is hidden whole saves just twice of what it does when it is twice as fast. */
	double least = (1 - ALIKE) * SECOND_MIN * (double)row->saves;
	return is_alike(row, other) || (is_longer && (double)other->saves >= least) ? other : row;
}

static bool is_healthy(const struct judge *j, const struct verdict *v, double whole)
{
	for (EACH(const struct judge_row, row, j->row, j->n))
		if (judge_part(j, row) != PART_OF_COMPUTE &&
			(double)row->saves >= HEALTHY_SAVING * whole)
			return false;
	return account_busy(&j->window->device[v->device]) >= HEALTHY_BUSY;
}

/* Launching is time of the host's: what takes launches away is no other word beside it. */
static bool is_launching(enum judge_change c)
{
	return c == JUDGE_HOST || c == JUDGE_GRAPH || c == JUDGE_FUSED;
}

/* The best with another word than the run's. */
static const struct judge_row *best_beside(const struct judge *j, const struct verdict *v,
	const struct judge_row *first, unsigned parts)
{
	const struct judge_row *best = NULL;

	for (EACH(const struct judge_row, row, j->row, j->n)) {
		enum verdict_part part = judge_part(j, row);

		if (part != v->part && (parts >> part & 1) &&
			row->saves > (best ? best->saves : 0) &&
			!(is_launching(first->of) && is_launching(row->of)))
			best = row;
	}
	return best;
}

/* That a call kept what the host did from being hidden comes before what else there is; what the
 * host did comes before waiting behind it, as the first word has it. */
static void set_second(const struct judge *j, struct verdict *v, const struct judge_row *first)
{
	const struct judge_row *sync = judge_row(j, JUDGE_SYNC);
	const struct judge_row *best = best_beside(j, v, first, ALL_PARTS);
	const struct judge_row *host = best_beside(j, v, first, HOST_PARTS);

	if (sync && (HOST_PARTS >> v->part & 1) && first->of != JUDGE_UNEVEN &&
		is_alike(first, sync))
		best = sync;
	else if (best && best == sync && host && is_alike(best, host))
		best = host;
	v->second = NULL;
	if (!best || (double)best->saves < SECOND_MIN * (double)first->saves)
		return;
	v->second_part = judge_part(j, best);
	v->second_share = share_of(j, v, best);
	v->second = part_verdict(v->second_part);
}

static void name_capture(struct verdict *v)
{
	v->word = part_verdict(PART_OF_STARTUP);
	v->doubt = "graphs are captured here, and none is replayed: profile their replays";
	v->second = NULL;
}

/* What the run hangs on; NULL: on nothing that is tried. */
static const struct judge_row *choose(const struct judge *j, const struct verdict *v, double whole)
{
	unsigned all = 1u << JUDGE_REMEDY | 1u << JUDGE_SENSITIVITY;
	const struct judge_row *row = best_of(j, 1u << JUDGE_REMEDY, ALL_PARTS);

	if (!row || (double)row->saves < REMEDY_MIN * whole)
		row = best_of(j, all, ALL_PARTS);
	if (!row || (double)row->saves < SAVING_MIN * whole)
		return NULL;
	return before_sync(j, v, row, all);
}

/* A remedy that saves more than what is not recorded would, were it twice as fast. */
static bool is_sure(const struct judge *j, const struct judge_row *row, double whole)
{
	return row && judge_doc(row->of)->kind == JUDGE_REMEDY &&
		(double)row->saves >= REMEDY_MIN * whole && row->saves > j->blind;
}

/* Without waiting the CPU could do beside the GPU what is not recorded of it: that is what it hangs
 * on.  Nearly all that is saved is that. */
static bool is_hidden_blind(const struct judge *j, const struct judge_row *row)
{
	return row->of == JUDGE_SYNC && 2 * (double)j->blind >= (1 - ALIKE) * (double)row->saves;
}

/* It hangs on the CPU, whatever that does; the largest part, where that is another, comes second.
 */
static void name_blind(const struct judge *j, struct verdict *v)
{
	if (v->part == PART_OF_HOST || v->part == PART_OF_LAUNCH || v->part == PART_OF_DATA)
		return;
	v->second_part = v->part;
	v->second_share = v->share;
	v->part = PART_OF_HOST;
	v->share = part_share(j, v, PART_OF_HOST);
	v->word = part_verdict(PART_OF_HOST);
	v->second = part_verdict(v->second_part);
}

static void name_by_change(const struct judge *j, struct verdict *v)
{
	double whole = v->device == SIZE_MAX ? 0 : (double)j->window->device[v->device].ns;

	if (v->device == SIZE_MAX)
		return;
	if (j->is_capture) {
		name_capture(v);
		return;
	}
	v->doubt = j->doubt;
	if (j->doubt)
		return;
	const struct judge_row *row = choose(j, v, whole);
	if ((double)j->blind > BLIND_MAX * whole && !is_sure(j, row, whole)) {
		v->doubt = "nothing is recorded of what the CPU does for too much of a step";
		if (!row || judge_saves(j, JUDGE_HOST) + j->blind >= row->saves)
			name_blind(j, v);
		return;
	}
	if (!row) {
		v->doubt = "no change saves anything";
		if (!v->is_leak && is_healthy(j, v, whole))
			v->word = verdict_healthy;
		return;
	}
	v->part = is_hidden_blind(j, row) ? PART_OF_HOST : judge_part(j, row);
	v->change = row->says;
	v->is_odd = row->of == JUDGE_UNEVEN;
	v->saves = (double)row->saves / whole;
	v->share = share_of(j, v, row);
	v->second_share = part_share(j, v, v->second_part);
	set_second(j, v, row);
	if (v->is_leak && v->part == PART_OF_COMPUTE)
		return;
	v->is_leak = false;
	v->word = is_healthy(j, v, whole) ? verdict_healthy : part_verdict(v->part);
}

void judge_name(const struct judge *j, struct verdict *v)
{
	name_by_change(j, v);
	if (v->device != SIZE_MAX)
		verdict_between(v, j->window);
}
