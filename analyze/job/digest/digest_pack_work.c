/* What ops should cost, as bytes: sections "work" and "costs" of a record. */
#include "analyze/job/digest/digest.h"

#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/base.h"

enum { SHARES_LEAST = 2, WORK_LEAST = 6, COST_LEAST = 8, REASONS_MAX = 64 };

/* Reals of 0 or more of steps; before version 2 both of a step stand together. */
static void walk_shares(struct walk *w, struct digest *d)
{
	const size_t size = sizeof(*d->step);

	if (!walk_is_plain(w)) {
		walk_reals(w, &d->step->mfu, d->nstep, size);
		walk_reals(w, &d->step->known_ratio, d->nstep, size);
	}
	for (EACH(struct digest_step, step, d->step, d->nstep)) {
		if (walk_is_plain(w)) {
			walk_real(w, &step->mfu);
			walk_real(w, &step->known_ratio);
		}
		walk_check(w,
			step->mfu >= 0 && step->known_ratio >= 0 && !isinf(step->mfu) &&
				!isinf(step->known_ratio));
	}
}

/* What an op's times by step mostly are: those of its rows of GPU work. */
static void know_sum(struct walk *w, const struct digest *d, struct span op)
{
	int64_t *sum = arena_array(walk_scratch(w), d->nstep, sizeof(*sum));

	for (EACH(const struct digest_op, row, d->device.v, d->device.n))
		for (size_t i = 0; row->step_ns && span_eq(row->op, op) && i < d->nstep; i++)
			saturate_onto(&sum[i], row->step_ns[i]);
	walk_likely(w, sum, d->nstep, sizeof(*sum));
}

static void walk_row(struct walk *w, const struct digest *d, struct digest_work *one, size_t *left)
{
	bool has_steps = one->step_flop != NULL;

	walk_text(w, &one->op);
	walk_int(w, &one->calls, 0);
	walk_int(w, &one->known, 0);
	walk_int(w, &one->flop, 0);
	walk_int(w, &one->ns, 0);
	walk_check(w, one->known <= one->calls);
	walk_bool(w, &has_steps);
	if (!has_steps)
		return;
	know_sum(w, d, one->op);
	one->step_flop = walk_naturals(w, one->step_flop, d->nstep, left);
	one->step_ns = walk_naturals(w, one->step_ns, d->nstep, left);
}

void work_walk(struct walk *w, struct digest *d)
{
	size_t left = DIGEST_CELLS_MAX;

	if (walk_many(w, d->nstep, SHARES_LEAST) != d->nstep) {
		walk_check(w, false);
		return;
	}
	if (d->nstep > 0)
		walk_shares(w, d);
	d->work = walk_rows(w, d->work, &d->nwork, WORK_LEAST, sizeof(*d->work));
	for (EACH(struct digest_work, one, d->work, d->nwork)) {
		walk_row(w, d, one, &left);
		walk_check(w, one == d->work || span_cmp(one[-1].op, one->op) < 0);
	}
}

/* ---- calls by their arguments and their work ---- */

static void walk_busy(struct walk *w, struct digest *d)
{
	size_t left = DIGEST_CELLS_MAX;

	for (EACH(struct digest_work, work, d->work, d->nwork)) {
		bool is_known = work->step_busy != NULL;

		walk_bool(w, &is_known);
		if (is_known)
			know_sum(w, d, work->op);
		if (is_known)
			work->step_busy = walk_naturals(w, work->step_busy, d->nstep, &left);
	}
}

/* Reasons are words, which later records may have more of: then something is not known, at least.
 */
static size_t walk_reasons(struct walk *w, enum roof_reason *of)
{
	size_t n = walk_below(w, ROOF_WHY_COUNT, REASONS_MAX);

	for (size_t i = 0; i < n; i++) {
		struct span word = !w->in ? span_of(roof_reason_words[i]) : SPAN("");

		walk_text(w, &word);
		of[i] = FIND_VALUE(why, ROOF_WHY_COUNT, span_is(word, roof_reason_words[why]),
			(enum roof_reason)why, ROOF_WHY_MISFIT);
	}
	return n;
}

static void walk_cost(
	struct walk *w, struct digest_cost *c, size_t nwork, const enum roof_reason *why, size_t n)
{
	size_t work = walk_below(w, c->work, nwork);

	walk_text(w, &c->dims);
	size_t at = walk_below(w, c->why, n);
	walk_int(w, &c->flop, -1); /* not known */
	walk_int(w, &c->bytes, -1);
	walk_bool(w, &c->by_bytes);
	walk_int(w, &c->calls, 0);
	walk_int(w, &c->ns, 0);
	walk_check(w, at < n && work < nwork);
	c->work = (uint32_t)work;
	c->why = at < n ? why[at] : ROOF_WHY_MISFIT;
}

void cost_walk(struct walk *w, struct digest *d)
{
	enum roof_reason why[REASONS_MAX];
	bool is_same = walk_below(w, d->nstep, SIZE_MAX) == d->nstep &&
		walk_below(w, d->nwork, SIZE_MAX) == d->nwork;

	walk_check(w, is_same);
	if (!is_same)
		return;
	walk_busy(w, d);
	size_t n = walk_reasons(w, why);
	d->cost = walk_rows(w, d->cost, &d->ncost, COST_LEAST, sizeof(*d->cost));
	for (EACH(struct digest_cost, c, d->cost, d->ncost)) {
		walk_cost(w, c, d->nwork, why, n);
		walk_check(w, c == d->cost || c[-1].work <= c->work);
	}
}
