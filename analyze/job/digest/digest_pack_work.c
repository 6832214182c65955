/* What ops should cost, as bytes: section "work" of a record. */
#include "analyze/job/digest/digest.h"

#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/digest/digest_wire.h"
#include "base/base.h"

enum { WORK_LEAST = 6 };

void work_pack(struct wire_out *w, const struct digest *d)
{
	wire_put_count(w, d->nstep);
	for (EACH(const struct digest_step, step, d->step, d->nstep)) {
		wire_put_real(w, step->mfu);
		wire_put_real(w, step->known_ratio);
	}
	wire_put_count(w, d->nwork);
	for (EACH(const struct digest_work, one, d->work, d->nwork)) {
		wire_put_text(w, one->op);
		wire_put_int(w, one->calls);
		wire_put_int(w, one->known);
		wire_put_int(w, one->flop);
		wire_put_int(w, one->ns);
		wire_put_bool(w, one->step_flop != NULL);
		if (!one->step_flop)
			continue;
		wire_put_column(w, one->step_flop, d->nstep, sizeof(int64_t));
		wire_put_column(w, one->step_ns, d->nstep, sizeof(int64_t));
	}
}

static double share(struct wire_in *w)
{
	double v = wire_real(w);

	if (!(v >= 0) || isinf(v)) {
		wire_fail(w);
		return 0;
	}
	return v;
}

static void take_row(struct wire_in *w, struct digest_work *one, size_t nstep, size_t *left)
{
	one->op = wire_text(w);
	one->calls = wire_natural(w);
	one->known = wire_natural(w);
	one->flop = wire_natural(w);
	one->ns = wire_natural(w);
	if (one->known > one->calls)
		wire_fail(w);
	if (!wire_bool(w))
		return;
	one->step_flop = wire_naturals(w, nstep, left);
	one->step_ns = wire_naturals(w, nstep, left);
}

void work_unpack(struct wire_in *w, struct digest *d)
{
	size_t n = wire_many(w, 16), left = DIGEST_CELLS_MAX;

	if (n != d->nstep) {
		wire_fail(w);
		return;
	}
	for (EACH(struct digest_step, step, d->step, n)) {
		step->mfu = share(w);
		step->known_ratio = share(w);
	}
	n = wire_many(w, WORK_LEAST);
	d->work = arena_array(w->mem, n, sizeof(*d->work));
	d->nwork = n;
	for (size_t i = 0; i < n && !w->is_bad; i++) {
		take_row(w, &d->work[i], d->nstep, &left);
		if (i > 0 && span_cmp(d->work[i - 1].op, d->work[i].op) >= 0)
			wire_fail(w);
	}
}

/* ---- calls by their arguments and their work, as bytes: section "costs" of a record ---- */

enum { COST_LEAST = 8 };

void cost_pack(struct wire_out *w, const struct digest *d)
{
	wire_put_count(w, d->nstep);
	wire_put_count(w, d->nwork);
	for (EACH(const struct digest_work, work, d->work, d->nwork)) {
		wire_put_bool(w, work->step_busy != NULL);
		if (work->step_busy)
			wire_put_column(w, work->step_busy, d->nstep, sizeof(int64_t));
	}
	wire_put_count(w, ROOF_WHY_COUNT);
	for (int why = 0; why < ROOF_WHY_COUNT; why++)
		wire_put_text(w, span_of(roof_reason_words[why]));
	wire_put_count(w, d->ncost);
	for (EACH(const struct digest_cost, c, d->cost, d->ncost)) {
		wire_put_count(w, c->work);
		wire_put_text(w, c->dims);
		wire_put_count(w, c->why);
		wire_put_int(w, c->flop);
		wire_put_int(w, c->bytes);
		wire_put_bool(w, c->by_bytes);
		wire_put_int(w, c->calls);
		wire_put_int(w, c->ns);
	}
}

static void take_steps(struct wire_in *w, struct digest *d)
{
	size_t left = DIGEST_CELLS_MAX;

	for (size_t i = 0; i < d->nwork && !w->is_bad; i++)
		if (wire_bool(w))
			d->work[i].step_busy = wire_naturals(w, d->nstep, &left);
}

/* Reasons are words, which later records may have more of: then something is not known, at least.
 */
static size_t take_reasons(struct wire_in *w, enum roof_reason *of, size_t most)
{
	size_t n = wire_below(w, most);

	for (size_t i = 0; i < n; i++) {
		struct span word = wire_text(w);

		of[i] = ROOF_WHY_MISFIT;
		for (int why = 0; why < ROOF_WHY_COUNT; why++)
			if (span_is(word, roof_reason_words[why]))
				of[i] = (enum roof_reason)why;
	}
	return n;
}

/* -1: not known. */
static int64_t take_known(struct wire_in *w)
{
	int64_t v = wire_int(w);

	if (v >= -1)
		return v;
	wire_fail(w);
	return 0;
}

static void take_cost(struct wire_in *w, struct digest_cost *c, size_t nwork,
	const enum roof_reason *why, size_t n)
{
	c->work = (uint32_t)wire_below(w, nwork);
	c->dims = wire_text(w);
	size_t at = wire_below(w, n);
	c->flop = take_known(w);
	c->bytes = take_known(w);
	c->by_bytes = wire_bool(w);
	c->calls = wire_natural(w);
	c->ns = wire_natural(w);
	if (at >= n || c->work >= nwork)
		wire_fail(w);
	else
		c->why = why[at];
}

void cost_unpack(struct wire_in *w, struct digest *d)
{
	enum { REASONS_MAX = 64 };
	enum roof_reason why[REASONS_MAX];
	size_t n;

	if (wire_count(w) != d->nstep || wire_count(w) != d->nwork) {
		wire_fail(w);
		return;
	}
	take_steps(w, d);
	n = take_reasons(w, why, REASONS_MAX);
	d->ncost = wire_many(w, COST_LEAST);
	d->cost = arena_array(w->mem, d->ncost, sizeof(*d->cost));
	for (size_t i = 0; i < d->ncost && !w->is_bad; i++) {
		take_cost(w, &d->cost[i], d->nwork, why, n);
		if (i > 0 && d->cost[i].work < d->cost[i - 1].work)
			wire_fail(w);
	}
}
