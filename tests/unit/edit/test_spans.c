/* Spans of a lane come back in order, whatever order they came in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/stat/rng.h"
#include "base/compiler.h"
#include "edit/spans.h"

static void same(const struct spanned *a, const struct spanned *b)
{
	assert_int_equal(a->start, b->start);
	assert_int_equal(a->dur, b->dur);
	assert_int_equal(a->offset, b->offset);
	assert_int_equal(a->call, b->call);
	assert_int_equal(a->what, b->what);
}

/* More than one piece, with times and calls of any size. */
static void any_order(void **state)
{
	enum { N = 20000 };
	struct spanned *v = calloc(N, sizeof(*v)), got;
	struct spans lanes[2] = { { 0 }, { 0 } };
	const struct spans *of[] = { &lanes[0], &lanes[1] };
	struct spans_reader r;
	struct rng rng;
	size_t i;

	(void)state;
	rng_init(&rng, 7);
	for (i = 0; i < N; i++) {
		v[i].start = (nsec)(rng_next(&rng) % 50000) - 1000;
		v[i].dur = (nsec)(rng_next(&rng) % 100 ? rng_next(&rng) % 64 : INT64_MAX / 2);
		v[i].offset = (int64_t)i * 300;
		v[i].call = rng_next(&rng) % 3 ? rng_next(&rng) >> rng_next(&rng) % 64 : 0;
		v[i].what = (enum span_what)(rng_next(&rng) % 4);
		v[i].lane = (uint32_t)(rng_next(&rng) % 2);
		spans_add(&lanes[v[i].lane], &v[i]);
	}
	qsort(v, N, sizeof(*v), spans_by_time);
	spans_seal(&lanes[0]);
	spans_seal(&lanes[1]);
	spans_read(&r, of, 2);
	for (i = 0; i < N; i++) {
		assert_true(spans_next(&r, &got));
		same(&got, &v[i]);
		assert_int_equal(got.lane, v[i].lane);
	}
	assert_false(spans_next(&r, &got));
	spans_read_end(&r);
	spans_clear(&lanes[0]);
	spans_clear(&lanes[1]);
	free(v);
}

static void extremes(void **state)
{
	static const struct spanned v[] = {
		{ .start = INT64_MIN, .dur = INT64_MAX, .offset = INT64_MAX, .call = UINT64_MAX },
		{ .start = 0, .dur = 0, .offset = 0, .call = 1 },
		{ .start = INT64_MAX, .dur = 0, .offset = -1, .call = 0, .what = SPAN_POINT },
	};
	struct spans s = { 0 };
	const struct spans *of = &s;
	struct spans_reader r;
	struct spanned got;
	size_t i;

	(void)state;
	for (i = COUNT_OF(v); i > 0; i--)
		spans_add(&s, &v[i - 1]);
	spans_seal(&s);
	spans_read(&r, &of, 1);
	for (i = 0; i < COUNT_OF(v); i++) {
		assert_true(spans_next(&r, &got));
		same(&got, &v[i]);
	}
	spans_read_end(&r);
	spans_clear(&s);
	spans_seal(&s);
	spans_read(&r, &of, 1);
	assert_false(spans_next(&r, &got));
	spans_read_end(&r);
	spans_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order),
		cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
