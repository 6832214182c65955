/* `diagnose`: identities, options, settings, the table of rules, what people see. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/analyze/answer/diagnose/drawn.h"
#include "analyze/trace/index.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

/* The ledger's parts are the steps, exactly; gaps by what was waited for are its idle time. */
static void test_identities(void **state)
{
	const struct profile_limits limits = { .long_gap = 20 * US, .long_op = 10000 * US };
	const struct filter filter = { 0 };
	struct filter_set set = { 0 };
	struct filter_view view;
	const struct ledger *l;
	struct arena mem = { 0 };
	struct profile f;
	struct err e;
	struct hand h;
	nsec sum = 0, parts = 0;
	int k;

	(void)state;
	draw_loader(&h, 9, 333 * US + 7);
	index_build(&h.run, ALL_NEEDS);
	assert_int_equal(filter_parse(&set, &filter, &e), OK);
	assert_int_equal(filter_view_init(&view, &set, &h.run, &mem, &e), OK);
	profile_init(&f, &h.run, NULL, &view, limits, NULL, 1, &mem);
	l = &f.account.ledger;
	assert_int_equal(f.nstep, 7);
	assert_int_equal(f.step_ns, 7 * STEP);
	assert_int_equal(l->total, f.step_ns);
	assert_int_equal(l->compute + l->exposed_comm + l->exposed_memcpy + l->idle, l->total);
	assert_int_equal(l->compute, 7 * (333 * US + 7));
	for (k = 0; k < GAP_CAUSE_COUNT; k++) {
		assert_int_equal(f.gaps.sums.ns[k], f.account.wait[k]);
		sum += f.gaps.sums.ns[k];
	}
	assert_int_equal(sum, l->idle);
	for (k = 0; k < PART_OF_COUNT; k++)
		parts += f.verdict.ns[k];
	assert_int_equal(parts, f.step_ns);
	profile_clear(&f);
	filter_free(&set);
	arena_clear(&mem);
	run_clear(&h.run);
}

static void test_options(void **state)
{
	const char *high[] = { "G10.crit=50%", "G01.warn=10%" }, *bad[] = { "G10.wran=5%" };
	const struct diagnose_options some = { .rules = "g10,G01", .exit_code = true };
	const struct diagnose_options most = { .rules = "-G10,-G01,-G07" };
	const struct diagnose_options above = { .min_severity = "warn" };
	const struct diagnose_options limits = { .threshold = { high, 2 }, .exit_code = true };
	const struct diagnose_options wrong = { .threshold = { bad, 1 } };
	const struct diagnose_options unknown = { .rules = "G1" };
	struct hand h;
	struct answer a;

	(void)state;
	draw_loader(&h, 3, 500 * US);
	diag_ask(&a, &h, &some, NULL, false);
	assert_int_equal(diag_table(&a, "findings")->nrow, 2);
	assert_int_equal(a.exit_code, 1);
	result_clear(&a.result);
	diag_ask(&a, &h, &most, NULL, false);
	assert_int_equal(hand_find(diag_table(&a, "findings"), "rule", "G10"), SIZE_MAX);
	diag_verdict(&a, "dataloader-bound"); /* whatever rules are looked at */
	result_clear(&a.result);
	diag_ask(&a, &h, &above, NULL, false);
	assert_int_equal(diag_table(&a, "findings")->nrow, 3); /* G10, G01, G07 */
	result_clear(&a.result);
	diag_ask(&a, &h, &limits, NULL, false);
	diag_severity(&a, "G10", "WARN");
	diag_severity(&a, "G01", "ok");
	assert_int_equal(a.exit_code, 0);
	result_clear(&a.result);
	diag_ask(&a, &h, &wrong, NULL, false);
	assert_int_equal(a.status, E_USAGE);
	assert_string_equal(a.err.text, "unknown key 'wran' in diagnose.G10; did you mean 'warn'?");
	result_clear(&a.result);
	diag_ask(&a, &h, &unknown, NULL, false);
	assert_int_equal(a.status, E_USAGE);
	diag_end(&a, &h);
}

/* Configuration is under -t. */
static void test_settings(void **state)
{
	const struct setting *row[256];
	const char *flag[] = { "G10.warn=99%" };
	const struct diagnose_options o = { .threshold = { flag, 1 } };
	struct settings s;
	struct answer a;
	struct hand h;
	struct err e;
	size_t n = 0;

	(void)state;
	for (; analysis_diagnose.options.setting(n); n++)
		row[n] = analysis_diagnose.options.setting(n);
	settings_init(&s, row, n);
	assert_int_equal(settings_set(&s, "diagnose.G10.crit", "60%", "file", &e), OK);
	draw_loader(&h, 3, 500 * US);
	diag_ask(&a, &h, NULL, &s, false);
	diag_severity(&a, "G10", "WARN");
	result_clear(&a.result);
	diag_ask(&a, &h, &o, &s, false);
	diag_severity(&a, "G10", "ok");
	settings_clear(&s);
	diag_end(&a, &h);
}

/* Every rule of a trace has what its columns want. */
static void test_table(void **state)
{
	const struct rule *r;
	size_t i;

	(void)state;
	for (i = 0; (r = rules_at(READS_RUN, i)); i++) {
		assert_true(r->verdict && r->limits);
		assert_true(r->has_saving || !r->change);
	}
	assert_true(i > 20);
}

/* People see no line of more than 100 columns, and the rules that found nothing in one row. */
static void test_people(void **state)
{
	struct hand h;
	struct answer a;
	const struct table *t;

	(void)state;
	draw_loader(&h, 3, 500 * US);
	diag_ask(&a, &h, NULL, NULL, true);
	t = diag_table(&a, "findings");
	assert_int_equal(hand_find(t, "rule", "G12"), SIZE_MAX);
	assert_true(span_is(hand_text(t, t->nrow - 1, "severity"), "ok"));
	assert_true(span_has(hand_text(t, t->nrow - 1, "finding"), "G12"));
	diag_end(&a, &h);
}

/* Without steps the run begins at the first launch: of 11 ms of allocating 1 of its 2 ms are in it;
 * what to do is said in the words of who made the trace.
 *
 *	cudaMalloc  |--- 10 ms ---|               cudaFree, cudaMalloc |1 ms|
 *	launches                     L                                    L */
static void test_allocating_run(void **state)
{
	static const char *const producers[] = { "Nsight Systems", "PyTorch (Kineto)" };
	static const char *const words[] = { "cudaMallocAsync", "PYTORCH_CUDA_ALLOC_CONF" };
	const size_t n = sizeof(producers) / sizeof(producers[0]);
	struct hand h;
	struct answer a;
	size_t i;

	(void)state;
	for (i = 0; i < n; i++) {
		draw_begin(&h);
		h.run.meta.producer = strings_intern(&h.run.strings, span_of(producers[i]));
		(void)hand_event(&h.run, KIND_RUNTIME, h.thread, "cudaMalloc", 0, 10 * STEP);
		(void)draw_kernel(&h, 20 * STEP, 20 * STEP + 10 * US, 100 * US);
		(void)hand_event(&h.run, KIND_RUNTIME, h.thread, "cudaFree", 21 * STEP, STEP / 2);
		(void)hand_event(&h.run, KIND_RUNTIME, h.thread, "cudaMalloc", 21 * STEP + STEP / 2,
			STEP / 2);
		(void)draw_kernel(&h, 22 * STEP - 20 * US, 22 * STEP - 10 * US, 10 * US);
		diag_ask(&a, &h, NULL, NULL, false);
		diag_severity(&a, "G08", "WARN");
		diag_near(diag_number(&a, "G08", "share_ratio"), 0.5);
		diag_near(diag_number(&a, "G08", "value"), 2);
		assert_true(span_has(
			hand_text(diag_table(&a, "findings"), diag_row(&a, "G08"), "action"),
			words[i]));
		diag_end(&a, &h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identities),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_people),
		cmocka_unit_test(test_allocating_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
