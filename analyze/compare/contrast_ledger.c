/*
 * Contrasts: the ledger of both sides, as means per step that add up to the mean step.
 *
 * The means are over steps, ranks and devices; every side is rounded to integers that add up, so
 * that the deltas do, too.
 */
#include "analyze/compare/contrast.h"

#include <math.h>

#include "analyze/compare/digest.h"
#include "analyze/compare/sides.h"

/* Sums over the traces of a side. */
struct ledger_sums {
	double part[CONTRAST_PARTS_MAX]; /* sums of ns: exact below 2^53 ns, 104 days */
	double wall;
	size_t steps; /* times devices */
};

static bool all_traces(const struct side *s, bool (*is)(const struct digest *d))
{
	size_t i, k, n = 0;

	for (i = 0; i < s->nrun; i++)
		for (k = 0; k < s->run[i].nrank; k++, n++)
			if (!is(s->run[i].part[k].digest))
				return false;
	return n > 0;
}

static bool has_steps(const struct digest *d)
{
	return d->nstep > 0;
}

static bool has_device(const struct digest *d)
{
	return d->has_device;
}

static void add_trace(struct ledger_sums *s, const struct digest *d, bool is_device)
{
	size_t weight = is_device ? d->ndevice : 1, i, p;

	s->steps += d->nstep * weight;
	for (i = 0; i < d->nstep; i++) {
		const struct digest_step *step = &d->step[i];

		s->wall += (double)step->wall * (double)weight;
		for (p = 0; is_device && p < PART_COUNT; p++)
			s->part[p] += (double)step->part[p];
		for (p = 0; !is_device && p < PHASE_COUNT; p++)
			s->part[p] += (double)step->phase[p];
	}
}

/* Means of one side's parts, rounded so that they add up: top parts to the step, details to IDLE.
 */
static int64_t means(const struct side *side, bool is_device, int64_t *out, size_t n, size_t *steps)
{
	struct ledger_sums s = { 0 };
	size_t i, k, top = is_device ? (size_t)PART_IDLE + 1 : n;
	int64_t total;

	for (i = 0; i < side->nrun; i++)
		for (k = 0; k < side->run[i].nrank; k++)
			add_trace(&s, side->run[i].part[k].digest, is_device);
	for (i = 0; i < n; i++)
		s.part[i] /= (double)s.steps;
	*steps = s.steps;
	total = llround(s.wall / (double)s.steps);
	attribution_round(s.part, top, total, out);
	if (n > top)
		attribution_round(s.part + top, n - top, out[PART_IDLE], out + top);
	return total;
}

static void name_part(struct contrast_part *p, size_t i, bool is_device)
{
#define X(name, key, word, is_idle) is_idle,
	static const bool details[] = { DIGEST_PARTS(X) };
#undef X

	if (is_device)
		*p = (struct contrast_part){ digest_part_key((enum digest_part)i),
			digest_part_word((enum digest_part)i), details[i], 0, 0 };
	else
		*p = (struct contrast_part){ phase_word((enum phase)i), phase_word((enum phase)i),
			false, 0, 0 };
}

void contrast_find_ledger(struct contrast *c)
{
	struct contrast_ledger *l = &c->ledger;
	int64_t base[CONTRAST_PARTS_MAX], now[CONTRAST_PARTS_MAX];
	size_t i;

	_Static_assert((int)PART_COUNT <= (int)CONTRAST_PARTS_MAX, "parts have room");
	_Static_assert((int)PHASE_COUNT <= (int)CONTRAST_PARTS_MAX, "phases have room");
	if (!all_traces(c->base, has_steps) || !all_traces(c->now, has_steps))
		return;
	l->is_device = all_traces(c->base, has_device) && all_traces(c->now, has_device);
	l->n = l->is_device ? (size_t)PART_COUNT : (size_t)PHASE_COUNT;
	l->base = means(c->base, l->is_device, base, l->n, &l->base_steps);
	l->now = means(c->now, l->is_device, now, l->n, &l->now_steps);
	for (i = 0; i < l->n; i++) {
		name_part(&l->part[i], i, l->is_device);
		l->part[i].base = base[i];
		l->part[i].now = now[i];
	}
}
