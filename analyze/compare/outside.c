/* Work outside of steps: shared out among them. */
#include "analyze/compare/outside.h"

#include "analyze/job/sides.h"
#include "analyze/measure/window.h"
#include "base/table.h"

/* Shares that are nearer are alike. */
static const double ALIKE = 0.05;

double outside_share(const struct side_run *run, size_t n)
{
	double busy = 0, all = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < run[i].nrank; k++) {
			const struct digest *d = run[i].part[k].digest;

			if (d->has_device && d->outside.busy_all == 0)
				return NAN;
			busy += (double)d->outside.busy;
			all += (double)d->outside.busy_all;
		}
	return all > 0 ? busy / all : NAN;
}

bool outside_is_much(double share)
{
	return share > WINDOW_OUTSIDE_MUCH;
}

/* A sum over the run's steps, or what it adds to one of them. */
static nsec per_step(nsec v, const struct digest *d)
{
	return v / (nsec)d->outside.nstep;
}

/* Rows count what was launched in counted steps: their share of the run's. */
static void spread_ops(struct digest *d, struct arena *mem)
{
	const double share = (double)d->nstep / (double)d->outside.nstep;
	struct digest_op *op = arena_array(mem, d->device.n, sizeof(*op));

	for (size_t i = 0; i < d->device.n; i++) {
		op[i] = d->device.v[i];
		op[i].calls = saturate_round((double)op[i].all_calls * share);
		op[i].ns = saturate_round((double)op[i].all_ns * share);
		op[i].step_ns = NULL;
		op[i].nshape = 0;
	}
	d->device.v = op;
}

static void spread_steps(struct digest *d, struct arena *mem)
{
	const struct digest_outside *o = &d->outside;
	struct digest_step *step = arena_array(mem, d->nstep, sizeof(*step));
	const nsec more = per_step(o->wall, d) + (o->wall % (nsec)o->nstep > 0);
	nsec sum = 0, calls = 0, busy = 0;

	for (EACH(const struct digest_op, op, d->device.v, d->device.n)) {
		saturate_onto(&sum, op->all_ns);
		saturate_onto(&calls, op->all_calls);
	}
	for (size_t i = 0; i < d->nstep; i++) {
		struct digest_step *s = &step[i];

		*s = d->step[i];
		busy = 0;
		for (int p = 0; p < PART_IDLE; p++) {
			saturate_onto(&s->part[p], per_step(o->part[p], d));
			saturate_onto(&busy, per_step(o->part[p], d));
		}
		nsec idle = saturate_sub(saturate_times(more, (nsec)d->ndevice), busy);
		saturate_onto(&s->part[PART_IDLE], idle);
		saturate_onto(&s->part[PART_IDLE_OUTSIDE], idle);
		s->mfu *= (double)s->wall / (double)saturate_add(s->wall, more);
		saturate_onto(&s->wall, more);
		s->device_sum = per_step(sum, d);
		s->launched = per_step(calls, d);
	}
	d->step = step;
	d->step_ns += (double)more;
	d->median += (double)more;
}

static const struct digest *spread(const struct digest *d, struct arena *mem)
{
	struct digest *out;

	if (!d->has_device || d->outside.nstep == 0)
		return d;
	out = arena_alloc(mem, sizeof(*out));
	*out = *d;
	spread_steps(out, mem);
	spread_ops(out, mem);
	return out;
}

const struct side *outside_spread(const struct side *s, struct arena *mem)
{
	struct side *out = arena_alloc(mem, sizeof(*out));

	*out = *s;
	out->run = arena_array(mem, s->nrun + s->nover, sizeof(*out->run));
	for (size_t i = 0; i < s->nrun + s->nover; i++) {
		struct side_run *run = &out->run[i];

		*run = s->run[i];
		run->part = arena_array(mem, run->n, sizeof(*run->part));
		for (size_t k = 0; k < run->n; k++) {
			run->part[k] = s->run[i].part[k];
			if (i < s->nrun)
				run->part[k].digest = spread(run->part[k].digest, mem);
		}
	}
	return out;
}

static enum status check(double base, double now, struct err *e)
{
	if (!(fabs(base - now) > ALIKE) || !outside_is_much(fmax(base, now)))
		return OK;
	(void)err_set(e, E_FORMAT, -1,
		"%.1f%% of base's GPU busy time is outside all steps, and %.1f%% of new's: by their "
		"steps they are not comparable",
		100 * base, 100 * now);
	return err_hint(e,
		"record both in the same way, with CPU and GPU activities; --allow-env steps "
		"compares them anyway");
}

enum status outside_settle(const struct side **base, const struct side **now, double kept,
	struct result *out, struct arena *mem, struct err *e)
{
	double of_now = outside_share((*now)->run, (*now)->nrun);
	double of_base = *base ? outside_share((*base)->run, (*base)->nrun) : kept;

	TRY(check(of_base, of_now, e));
	bool is_known = !isnan(of_base) && !isnan(of_now);
	if (!outside_is_much(*base ? fmax(of_base, of_now) : is_known ? of_base : of_now))
		return OK;
	if (!is_known) {
		result_note(out, NOTE_WARNING, "outside_steps", -1, -1,
			"%.1f%% of %s's GPU busy time is outside all steps and not compared",
			100 * fmax(of_base, of_now), isnan(of_now) ? "base" : "new");
		return OK;
	}
	result_note(out, NOTE_WARNING, "outside_steps", -1, -1,
		"%.1f%% of base's GPU busy time is outside all steps, and %.1f%% of new's: a step is "
		"the time of the run over its steps",
		100 * of_base, 100 * of_now);
	*now = outside_spread(*now, mem);
	if (*base)
		*base = outside_spread(*base, mem);
	return OK;
}
