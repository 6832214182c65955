/* The gate's core: what each kind of check says of a pair of sides, and what the verdict makes of
 * it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/answer/gate/gate.h"
#include "analyze/job/sides.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

#define MIB 1048576.0
#define MS  1e6
enum { RUNS_MAX = 3 };

/* One figure on both sides: a value for each run, 0 behind the last; all have `steps` values. */
struct figure {
	const char *id;
	enum unit unit;
	enum metric_better better;
	bool is_exact, is_points, is_log;
	double base[RUNS_MAX], now[RUNS_MAX]; /* NaN in front: the side does not say it */
	int64_t steps;
};

struct world {
	struct arena mem;
	struct result out;
	struct query query;
	struct gate_options o;
	struct side side;
	struct gate g;
	struct metric base, now;
	struct err err;
};

static void begin(struct world *w, enum gate_tier tier)
{
	static const char *const words[] = { "default", "smoke", "perf", "nightly" };

	*w = (struct world){ .o.tier = words[tier] };
	result_init(&w->out, "traceq.gate/1");
	w->g = (struct gate){ .query = &w->query,
		.o = &w->o,
		.out = &w->out,
		.base_side = &w->side,
		.now_side = &w->side };
	assert_int_equal(
		gate_rules_init(&w->g.rules, &w->o, NULL, INT64_MIN, &w->mem, &w->err), OK);
}

static void end(struct world *w)
{
	gate_rules_clear(&w->g.rules);
	arena_clear(&w->g.mem);
	result_clear(&w->out);
	arena_clear(&w->mem);
}

/* One metric of a side.  Values within a run spread by 1 %. */
static void put(struct world *w, struct metricset *set, struct metric *m, const struct figure *f,
	const double *v)
{
	size_t i;

	*m = (struct metric){ .id = f->id,
		.title = f->id,
		.is_log = f->is_log,
		.unit = f->unit,
		.better = f->better,
		.is_exact = f->is_exact,
		.is_points = f->is_points };
	m->sample = arena_array(&w->mem, RUNS_MAX, sizeof(*m->sample));
	for (i = 0; i < RUNS_MAX && !isnan(v[i]) && (i == 0 || v[i] != 0); i++)
		m->sample[m->n++] = (struct metric_sample){ .run = "run",
			.centre = v[i],
			.mean = v[i],
			.sd = f->is_exact ? 0 : 0.01 * v[i],
			.count = f->steps };
	set->v = m;
	set->n = m->n > 0;
}

static enum status judge(struct world *w, const struct figure *f)
{
	put(w, &w->g.base, &w->base, f, f->base);
	put(w, &w->g.now, &w->now, f, f->now);
	w->g.n = 0;
	w->g.exit_code = 0;
	return gate_judge(&w->g, &w->err);
}

static struct gate_rule *rule(struct world *w, const char *id)
{
	size_t i;

	for (i = 0; i < w->g.rules.n && strcmp(w->g.rules.v[i].id, id) != 0;)
		i++;
	assert_true(i < w->g.rules.n);
	return &w->g.rules.v[i];
}

/* The answer of the check of that id, or NULL. */
static const struct gate_answer *answer(const struct world *w, const char *id)
{
	size_t i;

	for (i = 0; i < w->g.n; i++)
		if (strcmp(w->g.answer[i].rule->id, id) == 0)
			return &w->g.answer[i];
	return NULL;
}

#define STEP_TIME(b, n)                                                           \
	{                                                                         \
		"step_time", UNIT_NS, BETTER_LOWER, false, false, false, b, n, 50 \
	}
#define ONE(x)    \
	{         \
		x \
	}
#define THREE(x, y, z)  \
	{               \
		x, y, z \
	}

/* One run a side, noise 2 %: the reach is 1.645 sqrt(2 (0.02^2 + 0.01^2 / 50)) = 0.0466; 10 % are
 * 0.0953. */
static const struct {
	enum gate_tier tier;
	struct figure f;
	enum verdict_state want;
	bool is_weak;
} cases[] = {
	{ TIER_DEFAULT, STEP_TIME(ONE(100), ONE(120)), VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT, STEP_TIME(ONE(100), ONE(113)), VERDICT_IS_NOISY, false },
	{ TIER_DEFAULT, STEP_TIME(ONE(100), ONE(107)), VERDICT_IS_PASS, true },
	{ TIER_DEFAULT, STEP_TIME(ONE(100), ONE(101)), VERDICT_IS_PASS, false },
	{ TIER_DEFAULT, STEP_TIME(ONE(100), ONE(93)), VERDICT_IS_PASS, false },
	{ TIER_DEFAULT, STEP_TIME(ONE(120), ONE(100)), VERDICT_IS_IMPROVED, false },
	{ TIER_SMOKE, STEP_TIME(ONE(100), ONE(120)), VERDICT_IS_NOISY, false },
	{ TIER_NIGHTLY, STEP_TIME(ONE(100), ONE(107)), VERDICT_IS_NOISY, false },
	/* three runs a side: what they differ by is the noise */
	{ TIER_DEFAULT, STEP_TIME(THREE(100, 101, 99), THREE(113, 114, 112)), VERDICT_IS_FAIL,
		false },
	{ TIER_DEFAULT, STEP_TIME(THREE(100, 120, 80), THREE(130, 150, 110)), VERDICT_IS_NOISY,
		false },
	/* more is better */
	{ TIER_DEFAULT,
		{ "tokens_per_sec", UNIT_NONE, BETTER_HIGHER, false, false, false, ONE(1000),
			ONE(800), 50 },
		VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT,
		{ "tokens_per_sec", UNIT_NONE, BETTER_HIGHER, false, false, false, ONE(800),
			ONE(1000), 50 },
		VERDICT_IS_IMPROVED, false },
	/* points: 5 tolerated, noise of 2 */
	{ TIER_DEFAULT,
		{ "gpu_busy", UNIT_RATIO, BETTER_HIGHER, false, true, false, ONE(0.90), ONE(0.80),
			50 },
		VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT,
		{ "gpu_busy", UNIT_RATIO, BETTER_HIGHER, false, true, false, ONE(0.90), ONE(0.86),
			50 },
		VERDICT_IS_PASS, true },
	/* counts have no noise; their check warns */
	{ TIER_DEFAULT,
		{ "launches_per_step", UNIT_COUNT, BETTER_LOWER, true, false, false, ONE(500),
			ONE(501), 50 },
		VERDICT_IS_WARN, false },
	{ TIER_DEFAULT,
		{ "launches_per_step", UNIT_COUNT, BETTER_LOWER, true, false, false, ONE(500),
			ONE(500), 50 },
		VERDICT_IS_PASS, false },
	/* 500 MiB or 20 %, whichever is less: 1200 of 10240 MiB; 190 of 1024 */
	{ TIER_DEFAULT,
		{ "peak_memory", UNIT_BYTES, BETTER_LOWER, false, false, false, ONE(10240 * MIB),
			ONE(11440 * MIB), 1 },
		VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT,
		{ "peak_memory", UNIT_BYTES, BETTER_LOWER, false, false, false, ONE(1024 * MIB),
			ONE(1214 * MIB), 1 },
		VERDICT_IS_PASS, true },
	{ TIER_SMOKE,
		{ "peak_memory", UNIT_BYTES, BETTER_LOWER, false, false, false, ONE(10240 * MIB),
			ONE(11200 * MIB), 1 },
		VERDICT_IS_PASS, true },
	/* four times as much, but not half a millisecond */
	{ TIER_DEFAULT,
		{ "exposed_comm", UNIT_NS, BETTER_LOWER, false, false, false, ONE(0.1 * MS),
			ONE(0.4 * MS), 50 },
		VERDICT_IS_PASS, false },
	{ TIER_DEFAULT,
		{ "exposed_comm", UNIT_NS, BETTER_LOWER, false, false, false, ONE(1 * MS),
			ONE(4 * MS), 50 },
		VERDICT_IS_FAIL, false },
	/* new alone */
	{ TIER_DEFAULT,
		{ "nan_steps", UNIT_COUNT, BETTER_LOWER, true, true, false, ONE(NAN), ONE(1), 1 },
		VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT,
		{ "nan_steps", UNIT_COUNT, BETTER_LOWER, true, true, false, ONE(5), ONE(0), 1 },
		VERDICT_IS_PASS, false },
	{ TIER_DEFAULT, { "leak", UNIT_COUNT, BETTER_LOWER, true, true, false, ONE(1), ONE(1), 1 },
		VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT,
		{ "leak", UNIT_COUNT, BETTER_LOWER, true, true, false, ONE(NAN), ONE(0), 1 },
		VERDICT_IS_PASS, false },
	{ TIER_DEFAULT,
		{ "loss_final", UNIT_NONE, BETTER_LOWER, false, false, false, ONE(1), ONE(2), 50 },
		VERDICT_IS_FAIL, false },
	/* no data */
	{ TIER_DEFAULT, STEP_TIME(ONE(100), ONE(NAN)), VERDICT_IS_FAIL, false }, /* lost */
	{ TIER_DEFAULT, STEP_TIME(ONE(NAN), ONE(100)), VERDICT_IS_NOTE, false },
	/* little of it: 1.5 x 0.0953 is 0.1430; ln 1.153 is 0.1424, and 0.0468 less is 0.0956 */
	{ TIER_DEFAULT,
		{ "step_time", UNIT_NS, BETTER_LOWER, false, false, false, ONE(100), ONE(200), 3 },
		VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT,
		{ "step_time", UNIT_NS, BETTER_LOWER, false, false, true, ONE(100), ONE(115.3),
			19 },
		VERDICT_IS_NOISY, false },
	{ TIER_DEFAULT,
		{ "step_time", UNIT_NS, BETTER_LOWER, false, false, true, ONE(100), ONE(115.3),
			20 },
		VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT,
		{ "step_time", UNIT_NS, BETTER_LOWER, false, false, true, ONE(100), ONE(200), 19 },
		VERDICT_IS_FAIL, false },
	{ TIER_DEFAULT,
		{ "step_time", UNIT_NS, BETTER_LOWER, false, false, true, ONE(100), ONE(200), 20 },
		VERDICT_IS_FAIL, false },
	{ TIER_SMOKE,
		{ "step_time", UNIT_NS, BETTER_LOWER, false, false, true, ONE(100), ONE(200), 10 },
		VERDICT_IS_FAIL, false },
	{ TIER_PERF,
		{ "step_time", UNIT_NS, BETTER_LOWER, false, false, true, ONE(100), ONE(200), 49 },
		VERDICT_IS_FAIL, false },
	{ TIER_NIGHTLY,
		{ "step_time", UNIT_NS, BETTER_LOWER, false, false, true, ONE(100), ONE(200), 99 },
		VERDICT_IS_FAIL, false },
};

static void verdicts(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		const struct gate_answer *a;
		enum status st;
		struct world w;

		begin(&w, cases[i].tier);
		st = judge(&w, &cases[i].f);
		a = answer(&w, cases[i].f.id);
		if (!a || a->state != cases[i].want || a->answer.is_weak != cases[i].is_weak)
			fail_msg("case %zu, %s: %s%s, expected %s%s", i, cases[i].f.id,
				a ? verdict_state_word(a->state) : "no answer",
				a && a->answer.is_weak ? ", weak" : "",
				verdict_state_word(cases[i].want),
				cases[i].is_weak ? ", weak" : "");
		assert_int_equal(w.g.n, 1); /* what neither side says is not listed */
		/* nothing but SKIP, or what new alone has, is no answer; only FAIL fails */
		bool is_none = cases[i].want == VERDICT_IS_SKIP || cases[i].want == VERDICT_IS_NOTE;
		assert_int_equal(st, is_none ? E_NODATA : OK);
		if (st == OK)
			assert_int_equal(w.g.exit_code, cases[i].want == VERDICT_IS_FAIL);
		assert_true((a && a->why) || !is_none);
		end(&w);
	}
}

/* --fail-on: from that state on. */
static void fail_on(void **state)
{
	static const struct {
		enum gate_fail_on on;
		bool noisy, warn, skip, improved, pass;
	} want[] = {
		{ FAIL_ON_FAIL, false, false, false, false, false },
		{ FAIL_ON_NOISY, true, false, false, false, false },
		{ FAIL_ON_WARN, true, true, false, false, false },
		{ FAIL_ON_SKIP, true, true, true, false, false },
	};
	struct world w;
	size_t i;

	(void)state;
	begin(&w, TIER_DEFAULT);
	for (i = 0; i < COUNT_OF(want); i++) {
		w.g.rules.fail_on = want[i].on;
		assert_true(gate_fails(&w.g, VERDICT_IS_FAIL));
		assert_int_equal(gate_fails(&w.g, VERDICT_IS_NOISY), want[i].noisy);
		assert_int_equal(gate_fails(&w.g, VERDICT_IS_WARN), want[i].warn);
		assert_int_equal(gate_fails(&w.g, VERDICT_IS_SKIP), want[i].skip);
		assert_int_equal(gate_fails(&w.g, VERDICT_IS_IMPROVED), want[i].improved);
		assert_int_equal(gate_fails(&w.g, VERDICT_IS_PASS), want[i].pass);
	}
	end(&w);
}

/* What somebody acknowledged, chose or allowed changes what a difference means. */
static void circumstances(void **state)
{
	static const struct figure slower = STEP_TIME(ONE(100), ONE(120));
	static const struct figure noisy = STEP_TIME(ONE(100), ONE(113));
	static const struct figure larger = { "peak_memory", UNIT_BYTES, BETTER_LOWER, false, false,
		false, ONE(10240 * MIB), ONE(11440 * MIB), 1 };
	struct world w;

	(void)state;
	begin(&w, TIER_DEFAULT);
	/* needed: 1 run x (0.0466 / (0.1222 - 0.0953))^2 = 3.0; one pair cannot be less */
	assert_int_equal(judge(&w, &noisy), OK);
	near(answer(&w, "step_time")->answer.needed, 4, 0);
	w.g.rules.on_estimate = true;
	assert_int_equal(judge(&w, &noisy), OK);
	assert_int_equal(w.g.exit_code, 1);
	w.g.rules.on_estimate = false;
	w.g.rules.noise = 0.001;
	assert_int_equal(judge(&w, &noisy), OK);
	assert_int_equal(w.g.exit_code, 1);
	w.g.rules.noise = 0.02;
	/* 20 % more were acknowledged; what is seen stays what it is */
	rule(&w, "step_time")->accepted = 1.20;
	assert_int_equal(judge(&w, &slower), OK);
	assert_int_equal(answer(&w, "step_time")->state, VERDICT_IS_PASS);
	near(answer(&w, "step_time")->change.ratio, 0.2, 1e-12);
	rule(&w, "step_time")->accepted = 1;
	/* other machines: speed only warns, memory is memory */
	w.g.is_foreign = true;
	assert_int_equal(judge(&w, &slower), OK);
	assert_int_equal(answer(&w, "step_time")->state, VERDICT_IS_WARN);
	assert_int_equal(judge(&w, &larger), OK);
	assert_int_equal(answer(&w, "peak_memory")->state, VERDICT_IS_FAIL);
	w.g.is_foreign = false;
	/* gate.min-steps holds for traces, too, and in the place of the tier's */
	assert_int_equal(judge(&w, &slower), OK);
	assert_null(answer(&w, "step_time")->few);
	w.g.rules.min_steps = 60;
	assert_int_equal(judge(&w, &slower), OK);
	assert_non_null(strstr(answer(&w, "step_time")->few, "50 of 60 steps"));
	rule(&w, "step_time")->level = LEVEL_OFF;
	assert_int_equal(judge(&w, &slower), E_NODATA);
	assert_int_equal(w.g.n, 0);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts),
		cmocka_unit_test(fail_on),
		cmocka_unit_test(circumstances),
	};

	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
