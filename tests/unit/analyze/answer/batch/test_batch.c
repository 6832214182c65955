/* `batch` on sweeps written by hand: the documents' own figures, the laws, targets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/answer/batch/batch.h"
#include "analyze/analysis/analysis.h"
#include "analyze/stat/line.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

/* In double: cmocka's assert_float_equal compares floats. */
#define NEAR(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))

#define GIB             1073741824.0
#define MS              1e6

/* The sweep of the documents' report: size, ms a sample, its deviation, peak GiB; 10 runs. */
static const struct row {
	int64_t batch;
	double ms, std, gib;
} documents[] = { { 1, 25.34, 1.23, 2.31 }, { 8, 11.02, 0.38, 2.74 }, { 16, 9.31, 0.41, 3.21 },
	{ 32, 8.76, 0.45, 4.15 }, { 64, 7.93, 0.52, 6.02 }, { 128, 7.83, 0.55, 9.77 } };

static struct sheet *sweep(struct run *r)
{
	int a;

	run_init(r, 0);
	r->record = record_new();
	a = record_artifact(r->record, "detailed_metrics.csv", "sweep", "sweep");
	return record_sheet(r->record, a, SHEET_SWEEP);
}

static void put(struct sheet *s, const struct row *row)
{
	struct table *t = &s->table;

	assert_true(record_row(s));
	table_int(t, SWEEP_BATCH, row->batch);
	table_int(t, SWEEP_RUNS, 10);
	table_real(t, SWEEP_AT(SWEEP_LATENCY_SAMPLE, SWEEP_MEAN), row->ms * MS);
	table_real(t, SWEEP_AT(SWEEP_LATENCY_SAMPLE, SWEEP_STD), row->std * MS);
	table_real(t, SWEEP_AT(SWEEP_PEAK_GPU_BYTES, SWEEP_MEAN), row->gib * GIB);
}

static void documents_run(struct run *r)
{
	struct sheet *s = sweep(r);
	size_t i = COUNT_OF(documents);

	while (i-- > 0) /* not in order */
		put(s, &documents[i]);
}

static void ask(struct hand_answer *h, struct run *r)
{
	hand_ask(h, &analysis_batch, r, false);
	if (h->status != OK)
		fail_msg("%s", h->err.text);
}

/* 1000 / 8.76 = 114.155 +- 114.155 x 0.45 / 8.76 = 5.864; 1000 / 25.34 = 39.463 +- 1.916. */
static void delta_method(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	documents_run(&r);
	ask(&h, &r);
	t = hand_table(&h, "sizes");
	assert_int_equal(t->nrow, 6);
	assert_int_equal(hand_int(t, 0, "batch_size"), 1);
	NEAR(hand_real(t, 0, "samples_per_s"), 39.463, 5e-4);
	NEAR(hand_real(t, 0, "samples_per_s_std"), 1.916, 5e-4);
	assert_int_equal(hand_int(t, 3, "batch_size"), 32);
	NEAR(hand_real(t, 3, "samples_per_s"), 114.155, 5e-4);
	NEAR(hand_real(t, 3, "samples_per_s_std"), 5.864, 5e-4);
	NEAR(hand_real(t, 3, "latency_per_batch_ns"), 8.76 * 32 * MS, 1);
	NEAR(hand_real(t, 4, "best_ratio"), 7.83 / 7.93, 1e-9);
	assert_true(span_is(hand_text(t, 4, "mark"), "<- sweet spot"));
	assert_true(span_is(hand_text(t, 5, "mark"), "highest"));
	assert_true(span_is(hand_text(t, 0, "documents_say"), "too small"));
	assert_true(span_is(hand_text(t, 1, "documents_say"), "best balance"));
	assert_true(span_is(hand_text(t, 5, "documents_say"), "large"));
	hand_release(&h);
	run_clear(&r);
}

static void judged(struct batch *b, const struct run *r, struct arena *mem)
{
	batch_read(b, record_find_sheet(r->record, SHEET_SWEEP), mem);
	batch_judge(b, mem);
}

/* numpy.polyfit of the rows above; (0.92 x 40 - 2.266) / 0.058646 = 588.9. */
static void sweet_spot_and_laws(void **state)
{
	struct batch b = { .limit = { .epsilon = 0.05, .headroom = 0.08 } };
	SCOPED_ARENA mem = { 0 };
	struct run r;

	(void)state;
	documents_run(&r);
	judged(&b, &r, &mem);
	assert_int_equal(b.v[b.sweet].batch, 64);
	assert_int_equal(b.v[b.best].batch, 128);
	assert_int_equal(b.v[b.middle].batch, 32);
	NEAR(b.memory.intercept / GIB, 2.266193, 1e-6);
	NEAR(b.memory.slope / GIB, 0.05864596, 1e-8);
	assert_true(b.memory.r2 > 0.99999);
	NEAR(b.exponent, 0.756495, 1e-6);
	assert_string_equal(batch_exponent_word(b.exponent), "sub-linear");
	assert_int_equal(batch_largest(&b), -1);
	b.limit.capacity = (int64_t)(40 * GIB);
	assert_int_equal(batch_largest(&b), 588);
	/* 32 is 89 % of the best: within 11 %, not within 10. */
	b.limit.epsilon = 0.11;
	batch_judge(&b, &mem);
	assert_int_equal(b.v[b.sweet].batch, 32);
	b.limit.epsilon = 0.10;
	batch_judge(&b, &mem);
	assert_int_equal(b.v[b.sweet].batch, 64);
	run_clear(&r);
}

/* Limits that are given take sizes away; the best of what is left counts. */
static void limits_move_the_sweet_spot(void **state)
{
	struct batch b = { .limit = { .epsilon = 0.05, .headroom = 0.08 } };
	SCOPED_ARENA mem = { 0 };
	struct run r;

	(void)state;
	documents_run(&r);
	b.limit.capacity = (int64_t)(5 * GIB); /* 4.6 usable: 1 to 32 */
	judged(&b, &r, &mem);
	assert_int_equal(b.v[b.sweet].batch, 32);
	assert_int_equal(b.v[b.best].batch, 128);
	b.limit.capacity = 0;
	b.limit.slo = 7.9 * MS;
	b.limit.has_slo = true;
	batch_judge(&b, &mem);
	assert_int_equal(b.v[b.sweet].batch, 128);
	b.limit.slo = 5 * MS;
	batch_judge(&b, &mem);
	assert_true(b.sweet == SIZE_MAX);
	run_clear(&r);
}

static void targets_of_the_documents(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	documents_run(&r);
	ask(&h, &r);
	t = hand_table(&h, "targets");
	assert_int_equal(t->nrow, 2);
	assert_true(span_is(hand_text(t, 0, "wanted"), "at most 50.00 ms"));
	assert_true(span_is(hand_text(t, 0, "measured"), "7.930 ms"));
	assert_true(span_is(hand_text(t, 0, "met"), "met"));
	assert_true(span_is(hand_text(t, 1, "measured"), "126.1/s"));
	assert_true(span_is(hand_text(t, 1, "met"), "met"));
	assert_int_equal(hand_int(t, 1, "batch_size"), 64);
	hand_release(&h);
	run_clear(&r);
}

/* Only a throughput is known (a mock benchmark): latency follows; no law from 2 sizes. */
static void what_is_not_known_is_absent(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct sheet *s;
	struct run r;
	int64_t i;

	(void)state;
	s = sweep(&r);
	for (i = 1; i <= 2; i++) {
		assert_true(record_row(s));
		table_int(&s->table, SWEEP_BATCH, i * 4);
		table_real(&s->table, SWEEP_AT(SWEEP_SAMPLES_PER_S, SWEEP_MEAN), 10.0 / (double)i);
	}
	ask(&h, &r);
	t = hand_table(&h, "sizes");
	NEAR(hand_real(t, 0, "latency_per_sample_ns"), 1e8, 1e-3);
	NEAR(hand_real(t, 1, "latency_per_batch_ns"), 8 * 2e8, 1e-3);
	assert_false(hand_knows(t, 0, "peak_bytes"));
	assert_false(hand_knows(t, 0, "latency_std_ns"));
	assert_false(hand_knows(t, 0, "overlaps_best"));
	t = hand_table(&h, "answer");
	assert_int_equal(hand_int(t, 0, "sweet_spot"), 4);
	assert_false(hand_knows(t, 0, "memory_fixed_bytes"));
	assert_false(hand_knows(t, 0, "largest_batch"));
	assert_false(hand_knows(t, 0, "latency_exponent"));
	hand_release(&h);
	run_clear(&r);
}

static void no_sweep_is_an_error(void **state)
{
	struct hand_answer h;
	struct run r;

	(void)state;
	(void)sweep(&r);
	hand_ask(&h, &analysis_batch, &r, false);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	run_clear(&r);
	run_init(&r, 0);
	hand_ask(&h, &analysis_batch, &r, false);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	run_clear(&r);
}

/* The same rate within intervals of +- t(.975, 9) s / sqrt(10) = 0.7154 s. */
static void intervals_overlap(void **state)
{
	const struct batch_size a = { .runs = 10, .rate = 100, .rate_std = 10 };
	const struct batch_size b = { .runs = 10, .rate = 114.3, .rate_std = 10 };
	const struct batch_size c = { .runs = 10, .rate = 114.4, .rate_std = 10 };

	(void)state;
	assert_true(batch_overlap(&a, &b)); /* 2 x 7.1536 = 14.307 */
	assert_false(batch_overlap(&a, &c));
}

/* Points on a line, a horizontal one, too few; and what numpy.polyfit gives. */
static void lines(void **state)
{
	static const double x[] = { 1, 2, 3, 4 }, on[] = { 3, 5, 7, 9 }, flat[] = { 2, 2, 2, 2 },
			    off[] = { 1, 3, 2, 5 }, same[] = { 1, 1, 1, 1 };
	struct line l;

	(void)state;
	l = line_fit(x, on, 4);
	NEAR(l.slope, 2, 1e-12);
	NEAR(l.intercept, 1, 1e-12);
	NEAR(l.r2, 1, 1e-12);
	l = line_fit(x, flat, 4);
	NEAR(l.slope, 0, 1e-12);
	NEAR(l.r2, 1, 1e-12);
	l = line_fit(x, off, 4);
	NEAR(l.slope, 1.1, 1e-12);
	NEAR(l.intercept, 0, 1e-12);
	NEAR(l.r2, 1 - 2.7 / 8.75, 1e-12);
	assert_true(isnan(line_fit(same, off, 4).slope));
	assert_true(isnan(line_fit(x, off, 1).slope));
}

static void sizes_of_names(void **state)
{
	static const struct {
		const char *path;
		int64_t size;
	} cases[] = {
		{ "sweep/bs16/trace.json.gz", 16 },
		{ "trace_batch_size_32.json", 32 },
		{ "BS=8.json", 8 },
		{ "batch-64/rank0.json", 64 },
		{ "bs8/run_bs16.json", 16 }, /* the last one */
		{ "bsz128.json", 128 },
		{ "batchsize4", 4 },
		{ "b200/trace.json", -1 }, /* a GPU */
		{ "abs16.json", -1 },      /* another word */
		{ "bs16k.json", -1 },      /* another number */
		{ "bs0.json", -1 },
		{ "bs", -1 },
		{ "batch/8.json", -1 },
		{ "bs99999999999.json", -1 },
		{ "trace8.json", -1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++)
		if (batch_of_name(cases[i].path) != cases[i].size)
			fail_msg(
				"%s: %lld", cases[i].path, (long long)batch_of_name(cases[i].path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delta_method),
		cmocka_unit_test(sweet_spot_and_laws),
		cmocka_unit_test(limits_move_the_sweet_spot),
		cmocka_unit_test(targets_of_the_documents),
		cmocka_unit_test(what_is_not_known_is_absent),
		cmocka_unit_test(no_sweep_is_an_error),
		cmocka_unit_test(intervals_overlap),
		cmocka_unit_test(lines),
		cmocka_unit_test(sizes_of_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
