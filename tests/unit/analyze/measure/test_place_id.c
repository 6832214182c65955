/* Stretches: ids of gaps, pieces and steps, there and back; what is no id. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/gaps/gaps.h"
#include "analyze/measure/place_id.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS };

/*
 * The first event begins at 1000, the last one ends at 1800.
 *
 *	thread    #3 [1000 1400)      #4 [1400 1800)
 *	dev 0, 7        a [1100 1200)            c [1400 1450)   z 1500       d [1600 1700)
 *	dev 0, 9             b [1150 1300)
 *	dev 1, 7   e [1050 1060)
 *
 * Gaps of device 0: 1000, 1300, 1450, 1500 (z ends the one before), 1700, each to the next start.
 */
static void draw(struct run *r)
{
	uint32_t t, q7, q9, other;

	run_init(r, NEEDS);
	t = hand_thread(r, 1);
	q7 = hand_stream(r, 0, 7);
	q9 = hand_stream(r, 0, 9);
	other = hand_stream(r, 1, 7);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#3", 1000, 400);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#4", 1400, 400);
	(void)hand_event(r, KIND_KERNEL, q7, "a", 1100, 100);
	(void)hand_event(r, KIND_KERNEL, q9, "b", 1150, 150);
	(void)hand_event(r, KIND_KERNEL, q7, "c", 1400, 50);
	(void)hand_event(r, KIND_KERNEL, q7, "z", 1500, 0);
	(void)hand_event(r, KIND_KERNEL, q7, "d", 1600, 100);
	(void)hand_event(r, KIND_KERNEL, other, "e", 1050, 10);
	index_build(r, NEEDS);
}

static void expect(const struct run *r, const char *id, nsec start, nsec end)
{
	struct interval v = { -1, -1 };
	struct err e;

	err_clear(&e);
	assert_int_equal(place_id_find(r, id, &v, &e), OK);
	assert_int_equal(v.start, start);
	assert_int_equal(v.end, end);
}

static void refuse(const struct run *r, const char *id, enum status why)
{
	struct interval v;
	struct err e;

	err_clear(&e);
	assert_int_equal(place_id_find(r, id, &v, &e), why);
	assert_int_equal(e.status, why);
	assert_non_null(strstr(e.text, id));
	assert_true(why != E_USAGE || strstr(e.hint, "gap:0@"));
}

static void test_gaps_by_time(void **state)
{
	struct run r;

	(void)state;
	draw(&r);
	expect(&r, "gap:0@300", 1300, 1400);
	expect(&r, "gap:0@350", 1300, 1400);
	expect(&r, "gap:0@0.35us", 1300, 1400);
	expect(&r, "gap:0@350ns", 1300, 1400);
	expect(&r, "gap:0@399", 1300, 1400);
	expect(&r, "gap:0@450", 1450, 1500);
	expect(&r, "gap:0@499", 1450, 1500);
	expect(&r, "gap:0@500", 1500, 1600);
	expect(&r, "gap:0@0", 1000, 1100);
	expect(&r, "gap:0@99", 1000, 1100);
	expect(&r, "gap:0@700", 1700, 1800);
	expect(&r, "gap:0@799", 1700, 1800);
	expect(&r, "gap:1@49", 1000, 1050);
	expect(&r, "gap:1@60", 1060, 1800);
	refuse(&r, "gap:0@100", E_NODATA); /* a runs */
	refuse(&r, "gap:0@250", E_NODATA); /* b does, on another stream */
	refuse(&r, "gap:0@400", E_NODATA);
	refuse(&r, "gap:0@800", E_NODATA); /* behind the last event */
	refuse(&r, "gap:0@-1", E_NODATA);
	refuse(&r, "gap:2@300", E_NODATA);
	refuse(&r, "gap:0@9223372036854775807", E_NODATA);
	run_clear(&r);
}

static void test_pieces(void **state)
{
	struct run r;

	(void)state;
	draw(&r);
	expect(&r, "path@10+20", 1010, 1030);
	expect(&r, "G07@0.1us+10ns", 1100, 1110);
	expect(&r, "gap:0@100+7", 1100, 1107); /* with a length it is what it says */
	expect(&r, "step:3", 1000, 1400);
	expect(&r, "step:4", 1400, 1800);
	refuse(&r, "step:5", E_NODATA);
	refuse(&r, "path@900000+1", E_NODATA);
	refuse(&r, "path@-900000+1", E_NODATA);
	refuse(&r, "path@9223372036854775807+9223372036854775807", E_NODATA);
	run_clear(&r);
}

static void test_no_ids(void **state)
{
	static const char *const none[] = { "", "gap", "gap:0", "gap:@1", "gap:x@1", "gap:0@",
		"gap:0@1x", "gap:0@ms", "@1+1", "path", "path@10", "path@+1", "path@1+",
		"path@1+-1", "path@1+1+1", "path@1@1+1", "step:", "step:x", "step:3x", "3", "-",
		"gap:0@99999999999999999999", "gap:99999999999999999999@1",
		"a-word-that-is-much-longer-than-any-that-stands-in-front-of-an-id-is@1+1" };
	struct run r;
	size_t i;

	(void)state;
	draw(&r);
	for (i = 0; i < COUNT_OF(none); i++)
		refuse(&r, none[i], E_USAGE);
	run_clear(&r);
}

/* Ids that gaps get in a window, through a filter. */
struct named {
	const struct run *r;
	const struct filter_view *view;
	struct arena mem;
	struct span id[16];
	size_t n;
};

static void name_gap(void *ctx, const struct gap *g)
{
	struct named *n = ctx;

	assert_true(n->n < COUNT_OF(n->id));
	n->id[n->n++] = place_id_of_gap(n->r, n->view, 0, g, &n->mem);
}

static void name_gaps(struct named *n, const struct run *r, const struct filter *f,
	const struct interval *w, size_t nw)
{
	struct filter_set set;
	struct filter_view view;
	struct gaps g;
	struct err e;

	*n = (struct named){ .r = r, .view = &view };
	err_clear(&e);
	assert_int_equal(filter_parse(&set, f, &e), OK);
	assert_int_equal(filter_view_init(&view, &set, r, &n->mem, &e), OK);
	gaps_init(&g, r, &view, w, nw);
	gaps_of_device(&g, 0, name_gap, n);
	gaps_clear(&g);
	filter_free(&set);
	n->view = NULL;
}

static void expect_ids(struct named *n, const char *const *id, size_t nid)
{
	size_t i;

	assert_int_equal(n->n, nid);
	for (i = 0; i < nid; i++)
		assert_true(span_is(n->id[i], id[i]));
	arena_clear(&n->mem);
}

/* The window decides which gaps there are and how much of them, not what they are called. */
static void test_windows(void **state)
{
	static const char *const all[] = { "gap:0@0", "gap:0@300", "gap:0@450", "gap:0@500",
		"gap:0@700" };
	static const char *const some[] = { "gap:0@0", "gap:0@300", "gap:0@300" };
	static const char *const last[] = { "gap:0@500", "gap:0@700" };
	const struct interval whole = { 1000, 1800 };
	const struct interval parts[] = { { 1020, 1030 }, { 1310, 1320 }, { 1330, 1340 } };
	const struct interval end = { 1510, 1750 };
	const struct filter any = { 0 };
	struct named n;
	struct run r;

	(void)state;
	draw(&r);
	name_gaps(&n, &r, &any, &whole, 1);
	expect_ids(&n, all, COUNT_OF(all));
	name_gaps(&n, &r, &any, parts, COUNT_OF(parts));
	expect_ids(&n, some, COUNT_OF(some));
	name_gaps(&n, &r, &any, &end, 1);
	expect_ids(&n, last, COUNT_OF(last));
	run_clear(&r);
}

/* Of some of the work gaps are others: their ids have the length. */
static void test_some_work(void **state)
{
	static const char *const stream[] = { "gap:0@0+150", "gap:0@300+500" };
	static const char *const device[] = { "gap:0@0", "gap:0@300", "gap:0@450", "gap:0@500",
		"gap:0@700" };
	const struct interval whole = { 1000, 1800 };
	const struct filter of_stream = { .stream = "9" }, of_device = { .device = "0" };
	struct named n;
	struct run r;

	(void)state;
	draw(&r);
	name_gaps(&n, &r, &of_stream, &whole, 1);
	expect_ids(&n, stream, COUNT_OF(stream));
	name_gaps(&n, &r, &of_device, &whole, 1);
	expect_ids(&n, device, COUNT_OF(device));
	expect(&r, "gap:0@300+500", 1300, 1800);
	run_clear(&r);
}

/* A run without an event: nothing has an id, and nothing breaks. */
static void test_empty(void **state)
{
	struct run r;

	(void)state;
	run_init(&r, NEEDS);
	index_build(&r, NEEDS);
	assert_int_equal(place_id_zero(&r), 0);
	refuse(&r, "gap:0@0", E_NODATA);
	refuse(&r, "step:0@0", E_USAGE);
	refuse(&r, "path@0+1", E_NODATA);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gaps_by_time),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_no_ids),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_some_work),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
