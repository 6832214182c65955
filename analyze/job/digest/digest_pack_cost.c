/*
 * Calls by their arguments and their work, as bytes: section "costs" of a record.
 */
#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_pack.h"
#include "analyze/trace/digest/digest_wire.h"

enum { COST_LEAST = 8 };

void cost_pack(struct wire_out *w, const struct digest *d)
{
	size_t i;
	int why;

	wire_put_count(w, d->nstep);
	wire_put_count(w, d->nwork);
	for (i = 0; i < d->nwork; i++) {
		wire_put_bool(w, d->work[i].step_busy != NULL);
		if (d->work[i].step_busy)
			wire_put_column(w, d->work[i].step_busy, d->nstep, sizeof(int64_t));
	}
	wire_put_count(w, ROOF_WHY_COUNT);
	for (why = 0; why < ROOF_WHY_COUNT; why++)
		wire_put_text(w, span_of(roof_reason_words[why]));
	wire_put_count(w, d->ncost);
	for (i = 0; i < d->ncost; i++) {
		const struct digest_cost *c = &d->cost[i];

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
	size_t i, k, cells = 0;

	for (i = 0; i < d->nwork && !w->is_bad; i++) {
		int64_t *v;

		if (!wire_bool(w))
			continue;
		cells += d->nstep;
		if (d->nstep == 0 || cells > DIGEST_CELLS_MAX ||
			(size_t)(w->end - w->at) < d->nstep) {
			wire_fail(w);
			return;
		}
		v = d->work[i].step_busy = arena_array(w->mem, d->nstep, sizeof(*v));
		wire_column(w, v, d->nstep, sizeof(*v));
		for (k = 0; k < d->nstep; k++)
			if (v[k] < 0)
				wire_fail(w);
	}
}

/* Reasons are words, which later records may have more of: then something is not known, at least.
 */
static size_t take_reasons(struct wire_in *w, enum roof_reason *of, size_t most)
{
	size_t n = wire_below(w, most), i;
	int why;

	for (i = 0; i < n; i++) {
		struct span word = wire_text(w);

		of[i] = ROOF_WHY_MISFIT;
		for (why = 0; why < ROOF_WHY_COUNT; why++)
			if (span_is(word, roof_reason_words[why]))
				of[i] = (enum roof_reason)why;
	}
	return n;
}

static int64_t at_least(struct wire_in *w, int64_t least)
{
	int64_t v = wire_int(w);

	if (v >= least)
		return v;
	wire_fail(w);
	return 0;
}

static void take_cost(struct wire_in *w, struct digest_cost *c, size_t nwork,
	const enum roof_reason *why, size_t n)
{
	size_t at;

	c->work = (uint32_t)wire_below(w, nwork);
	c->dims = wire_text(w);
	at = wire_below(w, n);
	c->flop = at_least(w, -1);
	c->bytes = at_least(w, -1);
	c->by_bytes = wire_bool(w);
	c->calls = at_least(w, 0);
	c->ns = at_least(w, 0);
	if (at >= n || c->work >= nwork)
		wire_fail(w);
	else
		c->why = why[at];
}

void cost_unpack(struct wire_in *w, struct digest *d)
{
	enum { REASONS_MAX = 64 };
	enum roof_reason why[REASONS_MAX];
	size_t n, i;

	if (wire_count(w) != d->nstep || wire_count(w) != d->nwork) {
		wire_fail(w);
		return;
	}
	take_steps(w, d);
	n = take_reasons(w, why, REASONS_MAX);
	d->ncost = wire_many(w, COST_LEAST);
	d->cost = arena_array(w->mem, d->ncost, sizeof(*d->cost));
	for (i = 0; i < d->ncost && !w->is_bad; i++) {
		take_cost(w, &d->cost[i], d->nwork, why, n);
		if (i > 0 && d->cost[i].work < d->cost[i - 1].work)
			wire_fail(w);
	}
}
