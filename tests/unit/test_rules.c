/*
 * Rules and `diagnose` on runs drawn by hand.  Steps take 1 ms; times below are in us.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/diagnose.h"
#include "analyze/store/index.h"
#include "analyze/store/order.h"
#include "tests/unit/handmade.h"

enum { US = 1000, STEP = 1000 * US };
#define ALL_NEEDS (NEED_LINKS | NEED_ORDER | NEED_STEPS | NEED_BYTES | NEED_MEMORY)

/* One run and where things happen. */
struct hand {
	struct run run;
	uint32_t thread, compute, other; /* a thread, two streams of device 0 */
	uint64_t correlation;
};

static void begin(struct hand *h)
{
	*h = (struct hand){ 0 };
	run_init(&h->run, ALL_NEEDS);
	h->thread = hand_thread(&h->run, 1);
	h->compute = hand_stream(&h->run, 0, 7);
	h->other = hand_stream(&h->run, 0, 20);
}

static void mark_step(struct hand *h, int i)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "ProfilerStep#%d", i);
	(void)hand_event(&h->run, KIND_ANNOTATION, h->thread, name, (nsec)i * STEP, STEP);
}

/* A call of call_ns at `at`, and what it launches. */
static uint32_t launch(struct hand *h, enum kind kind, uint32_t lane, const char *name, nsec at,
	nsec call_ns, nsec start, nsec dur)
{
	const char *call_name = kind == KIND_KERNEL ? "cudaLaunchKernel" : "cudaMemcpyAsync";
	uint32_t call = hand_event(&h->run, KIND_RUNTIME, h->thread, call_name, at, call_ns);
	uint32_t row = hand_event(&h->run, kind, lane, name, start, dur);

	h->correlation++;
	hand_ids(&h->run, call, h->correlation, 0);
	hand_ids(&h->run, row, h->correlation, 0);
	return row;
}

static uint32_t kernel(struct hand *h, nsec at, nsec start, nsec dur)
{
	return launch(h, KIND_KERNEL, h->compute, "gemm", at, US, start, dur);
}

/* What diagnose says with these options and settings. */
struct answer {
	struct result result;
	enum status status;
	int exit_code;
	struct err err;
};

static void ask(struct answer *a, struct hand *h, const struct diagnose_options *o,
	const struct settings *settings, bool for_people)
{
	const struct filter filter = { 0 };
	const struct diagnose_options none = { 0 };
	const struct run *list[] = { &h->run };
	const struct query q = { .run = list,
		.nrun = 1,
		.filter = &filter,
		.opts = o ? o : &none,
		.for_people = for_people,
		.settings = settings };

	index_build(&h->run, analysis_diagnose.needs);
	*a = (struct answer){ 0 };
	err_clear(&a->err);
	result_init(&a->result, "test/1");
	(void)result_input(&a->result, "hand.json");
	a->status = analysis_diagnose.compute(&q, &a->result, &a->exit_code, &a->err);
}

static const struct table *table_of(const struct answer *a, const char *id)
{
	size_t i;

	for (i = 0; i < a->result.ntable; i++)
		if (strcmp(a->result.table[i]->id, id) == 0)
			return a->result.table[i];
	return NULL;
}

static void expect_verdict(const struct answer *a, const char *word)
{
	struct span s = hand_text(table_of(a, "verdict"), 0, "verdict");

	if (!span_is(s, word))
		fail_msg("verdict %.*s, not %s", (int)s.n, s.p, word);
}

static size_t row_of(const struct answer *a, const char *rule)
{
	size_t row = hand_find(table_of(a, "findings"), "rule", rule);

	if (row == SIZE_MAX)
		fail_msg("no finding %s", rule);
	return row;
}

static void expect_severity(const struct answer *a, const char *rule, const char *word)
{
	struct span s = hand_text(table_of(a, "findings"), row_of(a, rule), "severity");

	if (!span_is(s, word))
		fail_msg("%s is %.*s, not %s", rule, (int)s.n, s.p, word);
}

static double number(const struct answer *a, const char *rule, const char *key)
{
	return hand_real(table_of(a, "findings"), row_of(a, rule), key);
}

static void expect_near(double got, double want)
{
	if (!(fabs(got - want) <= 1e-9 * fabs(want) + 1e-12))
		fail_msg("%.12g, not %.12g", got, want);
}

static void end(struct answer *a, struct hand *h)
{
	result_clear(&a->result);
	run_clear(&h->run);
}

/*
 *	thread    |loader 400 |L                     |loader 400 |L
 *	stream 7               |420 gemm 500  920|                |1420 gemm
 */
static void draw_loader(struct hand *h, int steps, nsec gemm)
{
	int i;

	begin(h);
	for (i = 0; i < steps; i++) {
		nsec t = (nsec)i * STEP;

		mark_step(h, i);
		(void)hand_event(&h->run, KIND_OP, h->thread,
			"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", t, 400 * US);
		(void)kernel(h, t + 410 * US, t + 420 * US, gemm);
	}
}

static void test_dataloader(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_loader(&h, 3, 500 * US);
	ask(&a, &h, NULL, NULL, false);
	assert_int_equal(a.status, OK);
	expect_verdict(&a, "dataloader-bound");
	expect_severity(&a, "G10", "CRIT");
	expect_near(number(&a, "G10", "value_ns"), 400 * US);
	expect_near(number(&a, "G10", "share_ratio"), 0.4);
	assert_int_equal(hand_int(table_of(&a, "findings"), row_of(&a, "G10"), "count"), 3);
	expect_severity(&a, "G01", "WARN");
	expect_near(number(&a, "G01", "value_ratio"), 0.5);
	expect_severity(&a, "G02", "ok"); /* the gaps are the loader's */
	expect_severity(&a, "G12", "ok");
	assert_int_equal(row_of(&a, "G10"), 0); /* worst first */
	end(&a, &h);
}

/* Device work of the step before covers the loader: it costs nothing.  Of 7 steps 5 count. */
static void test_loader_is_hidden(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_loader(&h, 7, 990 * US);
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "healthy");
	expect_severity(&a, "G10", "ok");
	expect_near(number(&a, "G10", "value_ns"), 0);
	assert_int_equal(hand_int(table_of(&a, "verdict"), 0, "steps"), 5);
	expect_near(number(&a, "G01", "value_ratio"), 0.99);
	end(&a, &h);
}

/* A short loader in a short step is a note, whatever its share. */
static void test_loader_floor(void **state)
{
	struct hand h;
	struct answer a;
	const char *t[] = { "G10.least=500us" };
	const struct diagnose_options o = { .threshold = { t, 1 } };

	(void)state;
	draw_loader(&h, 3, 500 * US);
	ask(&a, &h, &o, NULL, false);
	expect_severity(&a, "G10", "note");
	end(&a, &h);
}

/*
 *	stream 7    |gemm 0..600        |
 *	stream 20             |400 nccl or copy 900|        exposed: 600..900 = 300
 */
static void draw_exposed(struct hand *h, enum kind kind, const char *name, nsec until)
{
	int i;

	begin(h);
	for (i = 0; i < 3; i++) {
		nsec t = (nsec)i * STEP;

		mark_step(h, i);
		(void)kernel(h, t, t, 600 * US);
		(void)launch(h, kind, h->other, name, t + 10 * US, US, t + 400 * US, until - 400 * US);
		(void)kernel(h, t + 20 * US, t + until, STEP - until);
	}
}

static void test_comm(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_exposed(&h, KIND_KERNEL, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 900 * US);
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "comm-bound");
	expect_severity(&a, "G13", "WARN"); /* 30% is not above 30% */
	expect_near(number(&a, "G13", "value_ns"), 300 * US);
	expect_severity(&a, "G03", "ok");
	end(&a, &h);
	draw_exposed(&h, KIND_KERNEL, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 901 * US);
	ask(&a, &h, NULL, NULL, false);
	expect_severity(&a, "G13", "CRIT");
	end(&a, &h);
}

static void test_copies(void **state)
{
	struct hand h;
	struct answer a;
	const struct table *t;
	struct span action;

	(void)state;
	draw_exposed(&h, KIND_MEMCPY, "Memcpy HtoD (Pageable -> Device)", 950 * US);
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "copy-bound");
	expect_severity(&a, "G03", "CRIT");
	expect_near(number(&a, "G03", "value_ns"), 350 * US);
	t = table_of(&a, "findings");
	action = hand_text(t, row_of(&a, "G03"), "action");
	assert_true(span_has(action, "pin_memory"));
	expect_severity(&a, "G13", "ok");
	end(&a, &h);
}

/* Copies between devices are a note. */
static void test_peer_copies(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_exposed(&h, KIND_MEMCPY, "Memcpy PtoP (Device -> Device)", 950 * US);
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "healthy");
	expect_severity(&a, "G03", "note");
	end(&a, &h);
}

/*
 * Calls of 10 us, kernels of 2 us behind each: the device waits for the host all the time.
 *	thread    |L 10  |L 10  |
 *	stream 7      |2|    |2|
 */
static void draw_launches(struct hand *h, nsec dur)
{
	int i, k;

	begin(h);
	for (i = 0; i < 3; i++) {
		mark_step(h, i);
		for (k = 0; k < 100; k++) {
			nsec t = (nsec)i * STEP + k * 10 * US;

			(void)launch(h, KIND_KERNEL, h->compute, "tiny", t, 10 * US - 100, t + 6 * US,
				dur);
		}
	}
}

static void test_launches(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_launches(&h, 2 * US);
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "launch-bound");
	expect_severity(&a, "G09", "CRIT");
	expect_severity(&a, "G01", "CRIT");
	expect_near(number(&a, "G01", "value_ratio"), 0.2);
	expect_severity(&a, "G02", "ok"); /* the same time is not counted twice */
	assert_true(number(&a, "G09", "share_ratio") > 0.75);
	end(&a, &h);
}

/* The same calls, but kernels as long: launching is hidden and costs nothing. */
static void test_hidden_launches(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_launches(&h, 9900);
	ask(&a, &h, NULL, NULL, false);
	expect_severity(&a, "G09", "ok");
	expect_severity(&a, "G01", "ok");
	end(&a, &h);
}

static void remember(struct hand *h, nsec at, int64_t bytes, int64_t allocated)
{
	struct run *r = &h->run;
	uint32_t row = hand_event(r, KIND_MEMORY, h->thread, "[memory]", at, 0);
	size_t i = r->events.args[row] - 1;

	r->args.col[ARG_MEMORY_BYTES].i64[i] = bytes;
	r->args.col[ARG_MEMORY_DEVICE_TYPE].i64[i] = 1;
	r->args.col[ARG_MEMORY_DEVICE].i64[i] = 0;
	r->args.col[ARG_MEMORY_ALLOCATED].i64[i] = allocated;
	r->args.col[ARG_MEMORY_RESERVED].i64[i] = allocated;
}

static void test_leak(void **state)
{
	const int64_t mib = INT64_C(1) << 20;
	struct hand h;
	struct answer a;
	int i;

	(void)state;
	draw_loader(&h, 10, 990 * US);
	for (i = 0; i < 10; i++)
		remember(&h, (nsec)i * STEP + 500 * US, 3 * mib, 100 * mib + i * 3 * mib);
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "memory-leak");
	expect_severity(&a, "G14", "WARN"); /* how much memory there is, is not known */
	expect_near(number(&a, "G14", "value_bytes"), (double)(3 * mib));
	expect_severity(&a, "G11", "unknown");
	end(&a, &h);
}

/* Memory that comes and goes within a step is none. */
static void test_no_leak(void **state)
{
	const int64_t mib = INT64_C(1) << 20;
	struct hand h;
	struct answer a;
	int i;

	(void)state;
	draw_loader(&h, 10, 990 * US);
	for (i = 0; i < 10; i++) {
		remember(&h, (nsec)i * STEP + 500 * US, 3 * mib, 103 * mib);
		remember(&h, (nsec)i * STEP + 600 * US, -3 * mib, 100 * mib);
	}
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "healthy");
	expect_severity(&a, "G14", "ok");
	end(&a, &h);
}

/* What cannot be known is unknown, with a reason; the verdict says what is missing. */
static void test_unknown(void **state)
{
	static const char *const device_rules[] = { "G01", "G02", "G03", "G04", "G05", "G07", "G09",
		"G11", "G13", "G14", "Q01", "Q02" };
	static const char *const host_rules[] = { "G02", "G06", "G08", "G09", "G10", "G12", "G14",
		"Q01" };
	struct hand h;
	struct answer a;
	size_t i;

	(void)state;
	begin(&h);
	for (i = 0; i < 3; i++)
		mark_step(&h, (int)i);
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "no-device");
	assert_null(table_of(&a, "ledger"));
	for (i = 0; i < sizeof(device_rules) / sizeof(device_rules[0]); i++) {
		expect_severity(&a, device_rules[i], "unknown");
		assert_true(hand_text(table_of(&a, "findings"), row_of(&a, device_rules[i]),
				    "finding")
				    .n > 0);
		assert_false(hand_knows(table_of(&a, "findings"), row_of(&a, device_rules[i]),
			"share_ratio"));
	}
	end(&a, &h);
	begin(&h);
	for (i = 0; i < 3; i++)
		(void)hand_event(
			&h.run, KIND_KERNEL, h.compute, "gemm", (nsec)i * STEP, STEP - 10 * US);
	ask(&a, &h, NULL, NULL, false);
	expect_verdict(&a, "device-only");
	for (i = 0; i < sizeof(host_rules) / sizeof(host_rules[0]); i++)
		expect_severity(&a, host_rules[i], "unknown");
	expect_severity(&a, "G01", "ok");
	end(&a, &h);
}

/* Nothing at all. */
static void test_empty(void **state)
{
	struct hand h;
	struct answer a;
	const struct table *t;
	size_t i;

	(void)state;
	begin(&h);
	ask(&a, &h, NULL, NULL, false);
	assert_int_equal(a.status, OK);
	expect_verdict(&a, "empty");
	t = table_of(&a, "findings");
	for (i = 0; i < t->nrow; i++)
		assert_true(span_is(hand_text(t, i, "severity"), "unknown"));
	end(&a, &h);
}

/* The ledger's parts are the step, exactly; gaps by class are its idle time. */
static void test_identities(void **state)
{
	const struct facts_limits limits = { 20 * US, 10000 * US };
	const struct filter filter = { 0 };
	struct filter_set set = { 0 };
	struct filter_view view;
	struct arena mem;
	struct facts f;
	struct err e;
	struct hand h;
	nsec sum = 0;
	int k;

	(void)state;
	draw_loader(&h, 9, 333 * US + 7);
	index_build(&h.run, ALL_NEEDS);
	arena_init(&mem);
	assert_int_equal(filter_parse(&set, &filter, &e), OK);
	assert_int_equal(filter_view_init(&view, &set, &h.run, &mem, &e), OK);
	facts_init(&f, &h.run, &view, limits, &mem);
	assert_int_equal(f.nstep, 7);
	assert_int_equal(f.step_ns, 7 * STEP);
	assert_int_equal(f.ledger.total, f.step_ns);
	assert_int_equal(f.ledger.compute + f.ledger.exposed_comm + f.ledger.exposed_memcpy +
				f.ledger.idle,
		f.ledger.total);
	for (k = 0; k < GAP_CLASS_COUNT; k++)
		sum += f.gaps.sums.ns[k];
	assert_int_equal(sum, f.ledger.idle);
	assert_int_equal(f.gaps.unseen, 0);
	facts_clear(&f);
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
	ask(&a, &h, &some, NULL, false);
	assert_int_equal(table_of(&a, "findings")->nrow, 2);
	assert_int_equal(a.exit_code, 1);
	result_clear(&a.result);
	ask(&a, &h, &most, NULL, false);
	assert_int_equal(hand_find(table_of(&a, "findings"), "rule", "G10"), SIZE_MAX);
	expect_verdict(&a, "healthy");
	result_clear(&a.result);
	ask(&a, &h, &above, NULL, false);
	assert_int_equal(table_of(&a, "findings")->nrow, 3); /* G10, G01, G07 */
	result_clear(&a.result);
	ask(&a, &h, &limits, NULL, false);
	expect_severity(&a, "G10", "WARN");
	expect_severity(&a, "G01", "ok");
	assert_int_equal(a.exit_code, 0);
	result_clear(&a.result);
	ask(&a, &h, &wrong, NULL, false);
	assert_int_equal(a.status, E_USAGE);
	assert_string_equal(
		a.err.text, "unknown key 'wran' in diagnose.G10; did you mean 'warn'?");
	result_clear(&a.result);
	ask(&a, &h, &unknown, NULL, false);
	assert_int_equal(a.status, E_USAGE);
	end(&a, &h);
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
	for (; analysis_diagnose.setting(n); n++)
		row[n] = analysis_diagnose.setting(n);
	settings_init(&s, row, n);
	assert_int_equal(settings_set(&s, "diagnose.G10.crit", "60%", "file", &e), OK);
	draw_loader(&h, 3, 500 * US);
	ask(&a, &h, NULL, &s, false);
	expect_severity(&a, "G10", "WARN");
	result_clear(&a.result);
	ask(&a, &h, &o, &s, false);
	expect_severity(&a, "G10", "ok");
	settings_clear(&s);
	end(&a, &h);
}

/* Every rule is complete, and its settings are its own. */
static void test_table(void **state)
{
	size_t n, i, k;
	const struct rule *const *all = rules_all(&n);

	(void)state;
	assert_true(n <= DIAGNOSE_RULES_MAX);
	for (i = 0; i < n; i++) {
		const struct rule *r = all[i];
		char prefix[64];

		assert_true(r->word.id && r->word.text && r->word.doc && r->word.source);
		assert_true(r->verdict && r->check && r->nsetting > 0);
		(void)snprintf(prefix, sizeof(prefix), "diagnose.%s.", r->word.id);
		for (k = 0; k < r->nsetting; k++)
			assert_memory_equal(r->setting[k].key, prefix, strlen(prefix));
		for (k = 0; k < i; k++)
			assert_string_not_equal(r->word.id, all[k]->word.id);
	}
}

/* People see no line of more than 100 columns, and the rules that found nothing in one row. */
static void test_people(void **state)
{
	struct hand h;
	struct answer a;
	const struct table *t;
	size_t i, widest = 0;

	(void)state;
	draw_loader(&h, 3, 500 * US);
	ask(&a, &h, NULL, NULL, true);
	t = table_of(&a, "findings");
	for (i = 0; i < t->nrow; i++) {
		size_t n = hand_text(t, i, "finding").n;

		widest = n > widest ? n : widest;
	}
	assert_true(widest <= 66);
	assert_int_equal(hand_find(t, "rule", "G12"), SIZE_MAX);
	assert_true(span_is(hand_text(t, t->nrow - 1, "severity"), "ok"));
	assert_true(span_has(hand_text(t, t->nrow - 1, "finding"), "G12"));
	end(&a, &h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dataloader),
		cmocka_unit_test(test_loader_is_hidden),
		cmocka_unit_test(test_loader_floor),
		cmocka_unit_test(test_comm),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_peer_copies),
		cmocka_unit_test(test_launches),
		cmocka_unit_test(test_hidden_launches),
		cmocka_unit_test(test_leak),
		cmocka_unit_test(test_no_leak),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_identities),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
