/* `top`: which rows, in which order, of which steps and ranks; what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "tests/unit/analyze/answer/top/top_ask.h"
#include "tests/unit/handmade.h"

/* Step 6 alone: half of the mm calls, one kernel. */
static void one_step(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	a.filter.steps = "6";
	top_training(&r);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	row = top_row(t, "mm");
	assert_int_equal(hand_int(t, row, "calls"), 1);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 10);
	assert_true(hand_real(t, row, "p95_ns") == 30);
	assert_int_equal(hand_find(t, "name", "copy"), SIZE_MAX);
	t = hand_table(&h, "device");
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 10);
	assert_int_equal(hand_int(hand_table(&h, "totals"), 0, "cpu_total_ns"), 100);
	hand_release(&h);
	run_clear(&r);
}

/* Names filter rows, not the tree, and not what 100 % is. */
static void names_filter_rows(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	a.filter.match = "^mm$";
	top_training(&r);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 2);
	assert_int_equal(hand_int(t, 0, "self_cpu_ns"), 56);
	assert_true(hand_real(t, 0, "share_ratio") == 0.28);
	assert_null(hand_table(&h, "device"));
	hand_release(&h);

	a.filter.match = "nothing";
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, OK);
	assert_true(top_has_note(&h, "no_match"));
	hand_release(&h);

	a.filter.match = "(((";
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	hand_release(&h);
	run_clear(&r);
}

/* The rows that are cut are one foot row; with the total, nothing is lost. */
static void row_limit(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	a.opts.limit = 2;
	top_training(&r);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 4);
	assert_int_equal(t->nfoot, 2);
	assert_int_equal(t->ncut, 3);
	assert_true(span_is(hand_text(t, 2, "name"), "... 3 more rows (-n 0 shows all)"));
	assert_int_equal(hand_int(t, 0, "self_cpu_ns") + hand_int(t, 1, "self_cpu_ns") +
			hand_int(t, 2, "self_cpu_ns"),
		hand_int(t, 3, "self_cpu_ns"));
	hand_release(&h);

	a.opts.limit = 0;
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 6);
	assert_int_equal(t->ncut, 0);
	hand_release(&h);
	run_clear(&r);
}

static void sorted_by(struct run *r, const char *key, const char *first)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;

	a.opts.sort = key;
	a.opts.by = "name";
	top_ask(&h, r, &a);
	assert_int_equal(h.status, OK);
	if (!span_is(hand_text(hand_table(&h, "ops"), 0, "name"), first))
		fail_msg("--sort %s: not '%s'", key ? key : "(none)", first);
	hand_release(&h);
}

static void sort_keys(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	struct run r;

	(void)state;
	top_training(&r);
	sorted_by(&r, NULL, "mm"); /* self device time */
	sorted_by(&r, "gpu", "mm");
	sorted_by(&r, "self_cuda_time_total", "mm");
	sorted_by(&r, "self_xpu_time_total", "mm");
	sorted_by(&r, "cuda_time_total", "ProfilerStep*");
	sorted_by(&r, "privateuse1_time", "ProfilerStep*"); /* 80 / 2 */
	sorted_by(&r, "cpu", "ProfilerStep*");
	sorted_by(&r, "total", "ProfilerStep*");
	sorted_by(&r, "cpu_time", "ProfilerStep*");
	sorted_by(&r, "count", "cudaLaunchKernel");
	sorted_by(&r, "name", "ProfilerStep*"); /* capitals first */
	a.opts.sort = "self_cuda_time_totl";
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	assert_non_null(strstr(h.err.hint, "'self_cuda_time_total'"));
	hand_release(&h);
	a.opts.sort = "xpu_time_totl"; /* not the CPU's, which is as near in letters */
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	assert_non_null(strstr(h.err.hint, "'cuda_time_total'"));
	hand_release(&h);
	run_clear(&r);
}

/* --rank leaves runs out; without one that is wanted there is no answer. */
static void ranks(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	struct run r;

	(void)state;
	top_training(&r);
	r.meta.rank = 3;
	a.filter.rank = "2-4";
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, OK);
	hand_release(&h);
	a.filter.rank = "0";
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	run_clear(&r);
}

/* What makes no sense together is refused. */
static void contradictions(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	struct run r;

	(void)state;
	top_training(&r);
	a.opts.tree = true;
	a.opts.by = "name";
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	hand_release(&h);
	a = top_ask_defaults();
	a.layout = TABLE_TORCH;
	a.opts.by = "stream";
	top_ask(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_step),
		cmocka_unit_test(names_filter_rows),
		cmocka_unit_test(row_limit),
		cmocka_unit_test(sort_keys),
		cmocka_unit_test(ranks),
		cmocka_unit_test(contradictions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
