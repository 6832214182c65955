/* How often `diff` is wrong, and what it finds: runs drawn as digests, through sides, contrast and
 * verdict.  The table it prints is the one of docs/statistics.md.
 *
 * A run is 12 steps of 30 ops of a millisecond.  Runs differ by a factor all ops of a run share and
 * one of each op of a run; both together have the standard deviation of the noise.  Within a run
 * the steps differ by 1 %.  Seeds are fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/compare/contrast.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/sides.h"
#include "analyze/stat/rng.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

enum { STEPS = 12, OPS = 30 };
static const size_t sizes[] = { 1, 3, 5 };
static const double WITHIN = 0.01 * 3.46410162, OP_NS = 1e6; /* evenly: sqrt(12) deviations */

/* What is drawn, and what `diff` is told. */
struct world {
	size_t runs;
	double noise;  /* between runs */
	double shared; /* its part that is the same for all ops, of its variance */
	double told;   /* --noise; NaN: nothing */
	double all;    /* ratio of new to base, of all ops */
	double first;  /* of the first op alone, besides */
};

struct rates {
	double found, opposite; /* the step is a regression; an improvement */
	double first;           /* the first op changed */
	double others;          /* of the others, those that changed */
	double judged;          /* of all ops, those a test was made of */
};

static struct digest *draw_run(struct rng *r, const struct world *w, bool is_now, struct arena *mem)
{
	struct digest *d = arena_alloc(mem, sizeof(*d));
	double common = w->noise * sqrt(w->shared) * near_normal(r);
	size_t i, k;

	d->path = d->kind = "trace";
	d->rank = d->world = d->peak_bytes = d->leaks = -1;
	d->has_events = d->has_steps = d->has_device = true;
	d->ndevice = 1;
	d->nstep = d->nstep_all = STEPS;
	d->step = arena_array(mem, STEPS, sizeof(*d->step));
	d->device.n = OPS;
	d->device.v = arena_array(mem, OPS, sizeof(*d->device.v));
	for (i = 0; i < OPS; i++) {
		struct digest_op *op = &d->device.v[i];
		double level = common + w->noise * sqrt(1 - w->shared) * near_normal(r), mean;

		if (is_now)
			level += log(w->all) + (i == 0 ? log(w->first) : 0);
		mean = OP_NS * exp(level);
		op->name = op->op = span_of(arena_printf(mem, "op%02zu", i));
		op->kind = KIND_KERNEL;
		op->place = (uint32_t)i;
		op->calls = op->all_calls = STEPS;
		op->step_ns = arena_array(mem, STEPS, sizeof(*op->step_ns));
		for (k = 0; k < STEPS; k++) {
			op->step_ns[k] = llround(mean * (1 + WITHIN * (rng_unit(r) - 0.5)));
			op->ns += op->step_ns[k];
			d->step[k].wall += op->step_ns[k];
		}
	}
	for (k = 0; k < STEPS; k++) {
		d->step[k].number = (int64_t)k;
		d->step[k].part[PART_COMPUTE] = d->step[k].device_sum = d->step[k].wall;
		d->step[k].phase[PHASE_OTHER] = d->step[k].wall;
		d->step[k].launched = OPS;
	}
	return d;
}

static struct side draw_side(struct rng *r, const struct world *w, bool is_now, struct arena *mem)
{
	struct side s = { .label = "side", .nrun = w->runs };
	size_t i;

	s.run = arena_array(mem, w->runs, sizeof(*s.run));
	for (i = 0; i < w->runs; i++) {
		struct side_part *part = arena_alloc(mem, sizeof(*part));

		*part = (struct side_part){ draw_run(r, w, is_now, mem), -1, 0 };
		s.run[i] = (struct side_run){
			.name = arena_printf(mem, "r%zu", i), .part = part, .n = 1, .nrank = 1
		};
	}
	return s;
}

static void count(struct rates *rates, const struct contrast *c)
{
	size_t i;

	rates->found += c->step.answer.verdict == DECIDED_REGRESSION;
	rates->opposite += c->step.answer.verdict == DECIDED_IMPROVEMENT;
	assert_int_equal(c->device.n, OPS);
	for (i = 0; i < c->device.n; i++) {
		bool changed = c->device.v[i].status == CONTRAST_CHANGED;

		*(i == 0 ? &rates->first : &rates->others) += changed;
		rates->judged += !isnan(c->device.v[i].p);
	}
	/* Whatever is said of it: the headline is the ledger's sum, to the nanosecond. */
	assert_true(c->step.delta == (double)(c->ledger.now - c->ledger.base));
}

static struct rates measure(const struct world *w, int times)
{
	struct contrast_options o = contrast_usual;
	struct rates rates = { 0 };
	struct arena mem = { 0 };
	struct rng r;
	int i;

	o.noise = w->told;
	rng_init(&r, RNG_SEED);
	for (i = 0; i < times; i++) {
		struct arena_mark mark = arena_mark(&mem);
		struct side base = draw_side(&r, w, false, &mem);
		struct side now = draw_side(&r, w, true, &mem);
		struct contrast c;

		contrast_init(&c, &base, &now, &o, &mem);
		contrast_find_work(&c);
		count(&rates, &c);
		arena_reset(&mem, mark);
	}
	arena_clear(&mem);
	rates.found /= times;
	rates.opposite /= times;
	rates.first /= times;
	rates.others /= (double)times * (OPS - 1);
	rates.judged /= (double)times * OPS;
	return rates;
}

static int pairs = 40; /* of a cell; as many as the first argument says */

static const double noises[] = { 0.01, 0.02, 0.04 };

/* Nothing changed: the verdict on the step is false in no more than --alpha, and so are rows. */
static void false_alarms(void **state)
{
	static const double shares[] = { 1, 0.5, 0 };
	size_t k, n, s;

	(void)state;
	print_message("nothing changed, %d pairs of sides, noise told as it is or measured:\n"
		      "runs  noise  shared  step false  rows false\n",
		pairs);
	for (k = 0; k < COUNT_OF(sizes); k++)
		for (n = 0; n < COUNT_OF(noises); n++)
			for (s = 0; s < COUNT_OF(shares); s++) {
				const struct world w = { sizes[k], noises[n], shares[s], noises[n],
					1, 1 };
				struct rates r = measure(&w, pairs);
				double rows = (r.others * (OPS - 1) + r.first) / OPS;

				print_message(
					"%zu v %zu  %3.0f %%   %4.0f %%     %5.2f %%     %5.2f %%\n",
					sizes[k], sizes[k], 100 * w.noise, 100 * w.shared,
					100 * (r.found + r.opposite), 100 * rows);
				assert_true(r.found + r.opposite <= 0.05);
				assert_true(rows <= 0.05);
				assert_true(r.judged > 0.999); /* one may be the same to the
				                                  nanosecond */
			}
}

/* Nobody says how much runs differ: the step is held against 2 %, and no row is judged. */
static void noise_unknown(void **state)
{
	size_t n;

	(void)state;
	print_message(
		"nothing changed, 1 v 1, %d pairs, noise not told:\nnoise  step false  rows judged\n",
		pairs);
	for (n = 0; n < COUNT_OF(noises); n++) {
		const struct world w = { 1, noises[n], 1, NAN, 1, 1 };
		struct rates r = measure(&w, pairs);

		print_message("%3.0f %%     %5.2f %%     %5.2f %%\n", 100 * w.noise,
			100 * (r.found + r.opposite), 100 * r.judged);
		assert_true(w.noise > NOISE_ASSUMED / 100.0 || r.found + r.opposite <= 0.05);
		assert_true(r.judged == 0 && r.first == 0 && r.others == 0);
	}
}

/* The step, and one op of thirty, grow by so much. */
static void detection(void **state)
{
	static const double effect[] = { 1.03, 1.05, 1.10 };
	size_t k, n, e;

	(void)state;
	print_message("found, %d pairs: all ops grow (step), one of 30 does (row)\n"
		      "runs  noise        +3 %%           +5 %%           +10 %%\n"
		      "               step    row     step    row     step    row\n",
		pairs / 2);
	for (k = 0; k < COUNT_OF(sizes); k++)
		for (n = 0; n < COUNT_OF(noises); n++) {
			print_message(
				"%zu v %zu  %3.0f %%   ", sizes[k], sizes[k], 100 * noises[n]);
			for (e = 0; e < COUNT_OF(effect); e++) {
				struct world w = { sizes[k], noises[n], 0.5, noises[n], effect[e],
					1 };
				struct rates step = measure(&w, pairs / 2), row;

				w.all = 1;
				w.first = effect[e];
				row = measure(&w, pairs / 2);
				print_message(
					" %5.1f %% %5.1f %%", 100 * step.found, 100 * row.first);
				assert_true(row.others <= 0.05);
				assert_true(step.opposite <= 0.025);
				/* what is far beyond the noise is found */
				if (effect[e] > 1.09 && noises[n] < 0.02)
					assert_true(step.found > 0.95 && row.first > 0.4);
			}
			print_message("\n");
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_alarms),
		cmocka_unit_test(noise_unknown),
		cmocka_unit_test(detection),
	};
	const char *asked = getenv("PAIRS");

	if (asked)
		pairs = (int)strtol(asked, NULL, 10);
	return cmocka_run_group_tests_name("contrast rates", tests, NULL, NULL);
}
