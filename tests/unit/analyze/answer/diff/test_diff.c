/*
 * `diff` on runs drawn by hand: the worked vector of the attribution, and both ends of the ledger.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/job/digest/digest.h"
#include "analyze/job/digest/digest_new.h"
#include "analyze/job/sides.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "base/opt.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

static const nsec MS = 1000000;

/* Two sides of one run each. */
struct pair {
	struct run run[2];
	struct digest *digest[2];
	struct side side[2];
	const char *batch_size[2]; /* of the configuration; NULL: it has none */
	const char *noise;         /* --noise; NULL: nobody says it */
	const char *by;            /* --by; NULL: as it is built in */
	struct arena mem;
	struct hand_answer answer;
};

static const struct filter everything;

/* What is parsed is borrowed from the words. */
static void set(void *opts, const char *key, const char *value, struct arena *mem)
{
	const struct opt_group own = { "Options", analysis_diff.options.opt,
		analysis_diff.options.n, opts };
	char *option = arena_printf(mem, "--%s=%s", key, value);
	char *argv[] = { option, option, NULL };
	const char **operand;
	size_t n;
	struct err e;

	assert_int_equal(opt_parse(&own, 1, 2, argv, &operand, &n, &e), OK);
	free(operand);
}

static void ask(struct pair *p, const struct digest_options *o)
{
	struct query q = { .side = p->side, .nside = 2, .filter = &everything };
	void *opts = calloc(1, analysis_diff.options.size);
	int i;

	assert_non_null(opts);
	arena_init(&p->mem);
	memcpy(opts, analysis_diff.options.defaults, analysis_diff.options.size);
	if (p->noise)
		set(opts, "noise", p->noise, &p->mem);
	if (p->by)
		set(opts, "by", p->by, &p->mem);
	q.opts = opts;
	p->answer = (struct hand_answer){ 0 };
	err_clear(&p->answer.err);
	result_init(&p->answer.result, "test/1");
	for (i = 0; i < 2; i++) {
		struct side_file file = { .path = i ? "new.json" : "base.json",
			.within = "t.json" };

		p->run[i].has_trace = true;
		p->run[i].path = arena_copy(&p->run[i].mem, "t.json", 6);
		index_build(&p->run[i], digest_needs(o));
		assert_int_equal(digest_new(&p->digest[i], &p->run[i], o, &p->answer.err), OK);
		if (p->batch_size[i])
			digest_condition_add(&p->digest[i]->config, &p->digest[i]->mem,
				"batch_size", span_of(p->batch_size[i]));
		file.digest = p->digest[i];
		sides_group(&p->side[i], &file, 1, &p->mem);
		p->side[i].label = i ? "new" : "base";
	}
	p->answer.status = analysis_answer(
		&analysis_diff, &q, &p->answer.result, &p->answer.exit_code, &p->answer.err);
	free(opts);
}

static void begin(struct pair *p)
{
	*p = (struct pair){ 0 };
	run_init(&p->run[0], digest_needs(&(struct digest_options){ .shapes = true }));
	run_init(&p->run[1], digest_needs(&(struct digest_options){ .shapes = true }));
}

static void end(struct pair *p)
{
	int i;

	hand_release(&p->answer);
	for (i = 0; i < 2; i++) {
		digest_free(p->digest[i]);
		run_clear(&p->run[i]);
	}
	arena_clear(&p->mem);
}

static void step(struct run *r, int number, nsec at, nsec dur)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "ProfilerStep#%d", number);
	(void)hand_event(r, KIND_ANNOTATION, hand_thread(r, 1), name, at, dur);
}

/* `calls` kernels of that name one behind the other from *kernel_at on, all launched at `at`. */
static void kernels(struct run *r, const char *name, int calls, nsec dur, nsec at, nsec *kernel_at,
	uint64_t *id)
{
	int i;

	for (i = 0; i < calls; i++, *kernel_at += dur) {
		uint32_t row = hand_launch(r, hand_thread(r, 1), hand_stream(r, 0, 7), at + 3 * i,
			*kernel_at, dur, ++*id);

		r->events.name[row] = strings_intern(&r->strings, span_of(name));
	}
}

/* The worked vector: kernels of one step, in us. */
static const struct {
	const char *name;
	int base_calls, new_calls;
	nsec base_ns, new_ns;
	int64_t delta, by_calls, by_duration;
	const char *status; /* with --noise 2% */
} rows[] = {
	{ "copy", 4, 12, 310000, 905000, 9620000, 4860000, 4760000, "changed" },
	{ "ncclAllReduce", 2, 2, 5210000, 6890000, 3360000, 0, 3360000, "changed" },
	{ "gemm", 96, 96, 118200, 119000, 76800, 0, 76800, "no change" },
	{ "softmax", 24, 0, 61000, 0, -1464000, -1464000, 0, "removed" },
	{ "triton", 0, 24, 0, 28500, 684000, 684000, 0, "new" },
	{ "flash", 24, 24, 402000, 405100, 74400, 0, 74400, "no change" },
	{ "elementwise", 410, 410, 9800, 9900, 41000, 0, 41000, "cannot tell" },
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]), STEPS = 6 };

static void draw_vector(struct pair *p)
{
	int side, s, i;

	for (side = 0; side < 2; side++) {
		uint64_t id = 0;

		for (s = 0; s < STEPS; s++) {
			nsec at = s * 100 * MS, kernel_at = at + MS / 2;

			step(&p->run[side], s, at, 90 * MS);
			for (i = 0; i < ROWS; i++)
				kernels(&p->run[side], rows[i].name,
					side ? rows[i].new_calls : rows[i].base_calls,
					side ? rows[i].new_ns : rows[i].base_ns,
					at + 1000 + 5000 * i, &kernel_at, &id);
		}
	}
}

static void test_worked_vector(void **state)
{
	const struct digest_options o = { .filter = &everything };
	const struct table *t;
	int64_t sum = 0;
	struct pair p;
	size_t i;

	(void)state;
	begin(&p);
	draw_vector(&p);
	p.noise = "2%";
	ask(&p, &o);
	assert_int_equal(p.answer.status, OK);
	t = hand_table(&p.answer, "ops");
	for (i = 0; i < ROWS; i++) {
		size_t row = hand_find(t, "name", rows[i].name);

		assert_int_not_equal(row, SIZE_MAX);
		assert_int_equal(hand_int(t, row, "delta_ns"), rows[i].delta);
		assert_int_equal(hand_int(t, row, "by_calls_ns"), rows[i].by_calls);
		assert_int_equal(hand_int(t, row, "by_duration_ns"), rows[i].by_duration);
		assert_true(span_is(hand_text(t, row, "status"), rows[i].status));
		sum += hand_int(t, row, "delta_ns");
	}
	assert_int_equal(sum, 12392200);
	/* Called equally often, after the same work: one replaced the other. */
	i = hand_find(t, "name", "softmax");
	assert_true(span_is(hand_text(t, i, "replaced"), "triton"));
	/* Nothing overlaps: the device is idle that much less, the step as long as before. */
	t = hand_table(&p.answer, "ledger");
	assert_int_equal(hand_int(t, hand_find(t, "key", "idle"), "delta_ns"), -12392200);
	assert_int_equal(hand_int(t, hand_find(t, "key", "exposed_comm"), "delta_ns"), 3360000);
	assert_int_equal(hand_int(t, hand_find(t, "key", "step"), "delta_ns"), 0);
	end(&p);
}

/* The same where nobody says how much runs differ: only what is no matter of noise is judged. */
static void test_not_judged(void **state)
{
	const struct digest_options o = { .filter = &everything };
	const struct table *t;
	struct pair p;
	size_t i;

	(void)state;
	begin(&p);
	draw_vector(&p);
	ask(&p, &o);
	t = hand_table(&p.answer, "ops");
	for (i = 0; i < ROWS; i++) {
		size_t row = hand_find(t, "name", rows[i].name);
		bool is_counted = rows[i].base_calls != rows[i].new_calls;

		assert_true(span_is(
			hand_text(t, row, "status"), is_counted ? rows[i].status : "cannot tell"));
		if (!is_counted)
			assert_true(hand_real(t, row, "runs_needed") >= 3);
	}
	end(&p);
}

/*
 *	base  step [---mm---)     mm runs as old_gemm, 40
 *	new   step [---mm------)  mm runs as new_gemm, 70: slower, and not gone
 */
static void test_other_kernels(void **state)
{
	const struct digest_options o = { .filter = &everything };
	const struct table *t;
	struct pair p;
	struct span why;
	int side, s;

	(void)state;
	begin(&p);
	for (side = 0; side < 2; side++) {
		uint64_t id = 0;

		for (s = 0; s < STEPS; s++) {
			nsec at = s * 200 * MS, kernel_at = at + 10 * MS;
			struct run *r = &p.run[side];

			step(r, s, at, (side ? 120 : 90) * MS);
			(void)hand_event(r, KIND_OP, hand_thread(r, 1), "aten::mm", at + MS, MS);
			kernels(r, side ? "new_gemm" : "old_gemm", 1, (side ? 70 : 40) * MS,
				at + MS + 10, &kernel_at, &id);
		}
	}
	p.noise = "2%";
	ask(&p, &o);
	t = hand_table(&p.answer, "ops");
	assert_int_equal(t->nrow - t->nfoot, 1);
	assert_true(span_is(hand_text(t, 0, "what"), "aten::mm"));
	assert_int_equal(hand_int(t, 0, "delta_ns"), 30 * MS);
	assert_int_equal(hand_int(t, 0, "by_calls_ns"), 0);
	assert_true(span_is(hand_text(t, 0, "status"), "changed"));
	t = hand_table(&p.answer, "kernels");
	assert_true(
		span_is(hand_text(t, hand_find(t, "name", "old_gemm"), "status"), "old kernel"));
	assert_true(
		span_is(hand_text(t, hand_find(t, "name", "new_gemm"), "status"), "new kernel"));
	why = hand_text(hand_table(&p.answer, "why"), 1, "text");
	assert_true(span_has(why,
		"compute (+30.00 ms per step): aten::mm has 1 call per step of "
		"70.00 ms each (was 40.00 ms)"));
	end(&p);
}

/*
 *	base  step [------------)          one op of 40, no device
 *	new   step [------------------)    the op takes 70
 */
static void test_cpu_only(void **state)
{
	const struct digest_options o = { .filter = &everything };
	const struct table *t;
	struct pair p;
	int side, s;

	(void)state;
	begin(&p);
	for (side = 0; side < 2; side++)
		for (s = 0; s < STEPS; s++) {
			nsec at = s * 200 * MS, dur = (side ? 70 : 40) * MS;

			step(&p.run[side], s, at, dur + 60 * MS);
			(void)hand_event(&p.run[side], KIND_OP, hand_thread(&p.run[side], 1),
				"aten::mm", at + MS, dur);
		}
	ask(&p, &o);
	assert_int_equal(p.answer.status, OK);
	t = hand_table(&p.answer, "ledger");
	assert_int_equal(hand_int(t, hand_find(t, "key", "forward"), "delta_ns"), 30 * MS);
	assert_int_equal(hand_int(t, hand_find(t, "key", "other"), "delta_ns"), 0);
	assert_int_equal(hand_int(t, hand_find(t, "key", "step"), "delta_ns"), 30 * MS);
	t = hand_table(&p.answer, "step");
	assert_true(span_is(hand_text(t, 0, "verdict"), "regression"));
	assert_float_equal(hand_real(t, 0, "change_ratio"), 0.3, 1e-12);
	assert_null(hand_table(&p.answer, "ops"));
	end(&p);
}

/* The same op with other shapes: the mix explains it, not the op. */
static void test_mix_of_shapes(void **state)
{
	const struct digest_options o = { .filter = &everything, .shapes = true };
	const struct table *t;
	struct pair p;
	size_t row;
	int side, s, i;

	(void)state;
	begin(&p);
	for (side = 0; side < 2; side++)
		for (s = 0; s < STEPS; s++) {
			nsec at = s * 200 * MS;

			step(&p.run[side], s, at, 150 * MS);
			for (i = 0; i < 10; i++) {
				struct run *r = &p.run[side];
				bool is_long = i < (side ? 8 : 2);
				uint32_t op = hand_event(r, KIND_OP, hand_thread(r, 1), "aten::mm",
					at + (1 + 10 * i) * MS, (is_long ? 6 : 1) * MS);

				hand_arg(r, op, ARG_OP_DIMS,
					(union arg_value){
						.sym = strings_intern(&r->strings,
							span_of(is_long ? "[[64, 64]]"
									: "[[8, 8]]")) });
			}
		}
	ask(&p, &o);
	t = hand_table(&p.answer, "host");
	row = hand_find(t, "name", "aten::mm");
	assert_int_equal(hand_int(t, row, "delta_ns"), 30 * MS);
	assert_int_equal(hand_int(t, row, "by_calls_ns"), 0);
	assert_int_equal(hand_int(t, row, "by_shapes_ns"), 30 * MS);
	end(&p);
}

/* By shape: a shape that both sides have is a row; those of one side alone are one, and nothing is
 * new or gone. */
static void test_other_shapes(void **state)
{
	static const char *const dims[2][3] = { { "[[8, 8]]", "[[64, 64]]", "[[32, 32]]" },
		{ "[[8, 8]]", "[[64, 65]]", "[[32, 33]]" } };
	const struct digest_options o = { .filter = &everything, .shapes = true };
	const struct table *t;
	size_t joined;
	struct pair p;
	int side, s, i;

	(void)state;
	begin(&p);
	for (side = 0; side < 2; side++)
		for (s = 0; s < STEPS; s++)
			for (i = 0; i < 3; i++) {
				struct run *r = &p.run[side];
				nsec at = s * 200 * MS;
				uint32_t op;

				if (i == 0)
					step(r, s, at, 150 * MS);
				op = hand_event(r, KIND_OP, hand_thread(r, 1), "aten::mm",
					at + (1 + 10 * i) * MS, (i + 1 + side) * MS);
				hand_arg(r, op, ARG_OP_DIMS,
					(union arg_value){ .sym = strings_intern(&r->strings,
								   span_of(dims[side][i])) });
			}
	p.by = "shape";
	ask(&p, &o);
	t = hand_table(&p.answer, "host");
	assert_int_equal(hand_int(t, hand_find(t, "dims", "[[8, 8]]"), "delta_ns"), 1 * MS);
	joined = hand_find(t, "dims", "(other shapes)");
	assert_int_not_equal(joined, SIZE_MAX);
	assert_int_equal(hand_int(t, joined, "base_ns"), 5 * MS);
	assert_int_equal(hand_int(t, joined, "delta_ns"), 2 * MS);
	assert_int_equal(hand_int(t, joined, "by_calls_ns"), 0);
	assert_int_equal(hand_find(t, "dims", "[[64, 64]]"), SIZE_MAX);
	end(&p);
}

/* Few steps: the change is there, and nothing is claimed about noise. */
static void test_few_steps(void **state)
{
	const struct digest_options o = { .filter = &everything };
	struct pair p;
	int side;

	(void)state;
	begin(&p);
	for (side = 0; side < 2; side++)
		step(&p.run[side], 0, 0, (side ? 90 : 60) * MS);
	ask(&p, &o);
	assert_true(span_is(hand_text(hand_table(&p.answer, "step"), 0, "verdict"), "cannot tell"));
	end(&p);
}

/* Configurations that differ are listed and said; those that are the same are not. */
static void test_config(void **state)
{
	const struct digest_options o = { .filter = &everything };
	const struct table *t;
	struct pair p;
	int side;

	(void)state;
	for (side = 0; side < 2; side++) {
		begin(&p);
		p.batch_size[0] = "2";
		p.batch_size[1] = side ? "1" : "2";
		step(&p.run[0], 0, 0, 60 * MS);
		step(&p.run[1], 0, 0, 60 * MS);
		ask(&p, &o);
		t = hand_table(&p.answer, "differences");
		assert_int_equal(t != NULL, side);
		if (t) {
			assert_true(span_is(hand_text(t, 0, "key"), "batch_size"));
			assert_true(span_is(hand_text(t, 0, "base"), "2"));
			assert_true(span_is(hand_text(t, 0, "new"), "1"));
			assert_int_not_equal(hand_find(hand_table(&p.answer, "why"), "text",
						     "configured differently: batch_size 2 -> 1"),
				SIZE_MAX);
		}
		end(&p);
	}
}

/* Steps of --warmup are gone from everything. */
static void test_warmup(void **state)
{
	const struct digest_options o = { .filter = &everything, .warmup = 1 };
	const struct table *t;
	struct pair p;
	int side, s;

	(void)state;
	begin(&p);
	for (side = 0; side < 2; side++)
		for (s = 0; s < 5; s++)
			step(&p.run[side], s, s * 1000 * MS, (s == 0 ? 900 : 100) * MS);
	ask(&p, &o);
	t = hand_table(&p.answer, "ledger");
	assert_int_equal(hand_int(t, hand_find(t, "key", "step"), "base_ns"), 100 * MS);
	end(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_vector),
		cmocka_unit_test(test_not_judged),
		cmocka_unit_test(test_other_kernels),
		cmocka_unit_test(test_cpu_only),
		cmocka_unit_test(test_mix_of_shapes),
		cmocka_unit_test(test_other_shapes),
		cmocka_unit_test(test_few_steps),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_warmup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
