/* Histories: stores and CSV read by hand-made texts, cut at every byte; levels; what is written
 * reads back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/compare/segment.h"
#include "analyze/input/read_history.h"
#include "tests/unit/near.h"

static const char store[] =
	"{\"schema\": \"traceq.baseline/1\", \"time\": 5, \"label\": \"a \\\"b\\\"\", \"commit\": \"c1\", "
	"\"env\": {\"gpu\": \"X\"}, \"metrics\": {\"step_time\": {\"value\": 2.5, \"unit\": \"ns\", "
	"\"better\": \"lower\", \"sd\": 0.5, \"count\": 6}, \"busy\": {\"value\": 0.5, \"unit\": "
	"\"ratio\", \"better\": \"higher\", \"kind\": \"points\"}}}\n"
	"{\"schema\": \"traceq.baseline/1\", \"label\": \"\", \"accepted\": \"why\\u000a\", \"env\": {}, "
	"\"metrics\": {\"other\": {\"value\": -1000, \"kind\": \"exact points\"}}}\n";

static enum status read_store(struct history *h, const char *text, size_t n, size_t *torn)
{
	struct err e;
	enum status st;

	err_clear(&e);
	st = history_read(h, (struct span){ text, n }, "h", torn, &e);
	if (st != OK)
		assert_true(e.text[0]);
	return st;
}

/* A NUL ends no id: "a<NUL>b", "a<NUL>c" and "a" are three. */
static void a_nul_in_an_id(void **state)
{
	static const char text[] =
		"{\"schema\": \"traceq.baseline/1\", \"label\": \"x\\u0000y\", \"env\": {}, "
		"\"metrics\": {\"a\\u0000b\": {\"value\": 1}, \"a\\u0000c\": {\"value\": 2}, "
		"\"a\": {\"value\": 3}}}\n";
	struct history h;
	size_t torn;

	(void)state;
	assert_int_equal(read_store(&h, text, strlen(text), &torn), OK);
	assert_int_equal(h.nmetric, 3);
	assert_string_equal(h.metric[0].id,
		"a\xef\xbf\xbd"
		"b");
	assert_string_equal(h.metric[1].id,
		"a\xef\xbf\xbd"
		"c");
	assert_string_equal(h.run[0].label, "x\xef\xbf\xbdy");
	near(history_get(&h, 0, 2).centre, 3, 0);
	history_clear(&h);
}

static void a_store(void **state)
{
	struct history h;
	size_t torn;

	(void)state;
	assert_int_equal(read_store(&h, store, strlen(store), &torn), OK);
	assert_int_equal(h.nrun, 2);
	assert_int_equal(h.nmetric, 3);
	assert_int_equal(torn, 0);
	assert_int_equal(h.run[0].time_s, 5);
	assert_true(h.run[1].time_s == INT64_MIN);
	assert_string_equal(h.run[0].label, "a \"b\"");
	assert_string_equal(h.run[0].commit, "c1");
	assert_null(h.run[0].accepted);
	assert_string_equal(h.run[1].accepted, "why\n");
	assert_string_equal(h.run[0].condition[0].value, "X");
	assert_int_equal(h.metric[0].unit, UNIT_NS);
	assert_int_equal(h.metric[0].better, -1);
	assert_true(h.metric[1].is_points && h.metric[1].better == 1);
	assert_true(!h.metric[1].is_exact && h.metric[2].is_exact && h.metric[2].is_points);
	near(history_get(&h, 0, 0).centre, 2.5, 0);
	near(history_get(&h, 0, 0).sd, 0.5, 0);
	assert_int_equal(history_get(&h, 0, 0).count, 6);
	assert_true(isnan(history_get(&h, 0, 2).centre));
	near(history_get(&h, 1, 2).centre, -1000, 0);
	assert_true(isnan(history_get(&h, 1, 0).centre));
	history_clear(&h);
}

/* The text itself comes out again. */
static void written_again(void **state)
{
	SCOPED_STR out = { 0 };
	struct history h;
	size_t torn, i;

	(void)state;
	assert_int_equal(read_store(&h, store, strlen(store), &torn), OK);
	for (i = 0; i < h.nrun; i++)
		history_put_line(&out, &h, &h.run[i]);
	assert_string_equal(out.s, store);
	history_clear(&h);
}

/* Cut anywhere: whole lines are there, or a reason is. */
static void prefixes(void **state)
{
	size_t n, torn, first = (size_t)(strchr(store, '\n') - store) + 1;
	struct history h;

	(void)state;
	for (n = 0; n <= strlen(store); n++) {
		enum status st = read_store(&h, store, n, &torn);

		if (n >= first) {
			assert_int_equal(st, OK);
			assert_int_equal(h.nrun, n + 1 >= strlen(store) ? 2 : 1);
			assert_int_equal(torn, n > first && n + 1 < strlen(store));
		} else {
			assert_true(st != OK || (n + 1 == first && h.nrun == 1));
		}
		history_clear(&h);
	}
}

static const char csv[] = "\xef\xbb\xbf"
			  "date,commit,step_ms,\"tok,s\",note\r\n"
			  "2025-01-01,abc,1.5,100,\"a \"\"b\"\",\nc\"\r\n"
			  "2025-01-02,,,nan,x\r\n"
			  "2025-01-03,def,2,300,y";

static void csv_columns(void **state)
{
	struct history h;
	size_t torn, n;

	(void)state;
	assert_int_equal(read_store(&h, csv, strlen(csv), &torn), OK);
	assert_int_equal(h.nrun, 3);
	assert_string_equal(h.metric[0].id, "step_ms");
	assert_string_equal(h.metric[1].id, "tok,s");
	assert_string_equal(h.run[2].label, "2025-01-03");
	assert_string_equal(h.run[2].commit, "def");
	near(history_get(&h, 0, 0).centre, 1.5, 0);
	assert_true(isnan(history_get(&h, 1, 0).centre));
	assert_true(isnan(history_get(&h, 1, 1).centre));
	near(history_get(&h, 2, 1).centre, 300, 0);
	history_clear(&h);
	for (n = 0; n <= strlen(csv); n++) {
		(void)read_store(&h, csv, n, &torn);
		history_clear(&h);
	}
}

/* A level ends at a change point, and where somebody accepted a run. */
static void levels(void **state)
{
	const struct segment_options o = { 50, 0.001, 0.03, NULL };
	struct segment_series s;
	struct metricset m;
	struct history h;
	SCOPED_ARENA mem = { 0 };
	size_t i, at;

	(void)state;
	history_init(&h, "h");
	at = history_metric(&h, SPAN("step_time"));
	for (i = 0; i < 30; i++) {
		struct history_run *r = history_add(&h);

		history_set(&h, r, at,
			(struct history_value){
				(i < 12 ? 100 : 120) + (double)(i * 7 % 5) * 0.1, NAN, -1, NAN });
	}
	segment_series(&s, &h, at, &o, &mem);
	assert_int_equal(s.npoint, 1);
	assert_int_equal(segment_begin(&s, 30, 0.001), 12);
	assert_int_equal(segment_begin(&s, 12, 0.001), 0);
	segment_metricset(&m, &h, &o, &mem);
	assert_int_equal(m.v[0].n, 18);
	h.run[20].accepted = "so it is";
	segment_metricset(&m, &h, &o, &mem);
	assert_int_equal(m.v[0].n, 10);
	assert_int_equal(segment_better("tokens_per_sec"), BETTER_HIGHER);
	assert_int_equal(segment_better("step_ms"), BETTER_LOWER);
	history_clear(&h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_store),
		cmocka_unit_test(a_nul_in_an_id),
		cmocka_unit_test(written_again),
		cmocka_unit_test(prefixes),
		cmocka_unit_test(csv_columns),
		cmocka_unit_test(levels),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
