/* Slices onto lanes: drawn ones, and as few lanes as the work needs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/stat/rng.h"
#include "base/compiler.h"
#include "edit/lanes_place.h"

enum { STAYS = 99 };

struct drawn {
	uint32_t lane;
	nsec start, dur;
	enum span_what what;
	uint64_t call;
	uint32_t to; /* STAYS */
};

static void check(const struct drawn *v, size_t n, size_t nlane)
{
	struct spans spans[4] = { { 0 }, { 0 }, { 0 }, { 0 } };
	const struct spans *of[] = { &spans[0], &spans[1], &spans[2], &spans[3] };
	struct placing p;
	size_t i, at = 0;

	for (i = 0; i < n; i++)
		spans_add(&spans[v[i].lane],
			&(struct spanned){ .start = v[i].start,
				.dur = v[i].dur,
				.offset = (int64_t)i,
				.call = v[i].call,
				.what = v[i].what });
	for (i = 0; i < nlane; i++)
		spans_seal(&spans[i]);
	place_all(&p, of, nlane);
	for (i = 0; i < n; i++) {
		if (v[i].to == STAYS)
			continue;
		assert_true(at < p.nmove);
		assert_int_equal(p.move[at].offset, i);
		assert_int_equal(p.move[at++].to, v[i].to);
	}
	assert_int_equal(at, p.nmove);
	place_clear(&p);
	for (i = 0; i < nlane; i++)
		spans_clear(&spans[i]);
}

/* Work beside work goes, its arrow with it; what follows stays. */
static void work(void **state)
{
	static const struct drawn v[] = {
		{ 0, 0, 10, SPAN_WORK, 1, STAYS },
		{ 0, 5, 10, SPAN_WORK, 2, 1 },
		{ 0, 5, 0, SPAN_POINT, 2, 1 },
		{ 0, 0, 0, SPAN_POINT, 1, STAYS },
		{ 0, 6, 2, SPAN_WORK, 3, 2 },
		{ 0, 10, 5, SPAN_WORK, 4, STAYS },
		{ 0, 15, 5, SPAN_WORK, 5, STAYS },
	};

	(void)state;
	check(v, COUNT_OF(v), 1);
}

/* A region stays around its work, and goes when work runs out of it. */
static void regions(void **state)
{
	static const struct drawn v[] = {
		{ 0, 0, 20, SPAN_REGION, 0, STAYS },
		{ 0, 0, 10, SPAN_WORK, 1, STAYS },
		{ 0, 5, 20, SPAN_WORK, 2, 1 }, /* beside the first */
		{ 0, 30, 10, SPAN_REGION, 0, 2 },
		{ 0, 35, 10, SPAN_WORK, 3, STAYS },
	};

	(void)state;
	check(v, COUNT_OF(v), 1);
}

/* Calls nest; those that cross go, and what is inside both fits where it was. */
static void calls(void **state)
{
	static const struct drawn v[] = {
		{ 0, 0, 50, SPAN_CALL, 0, STAYS },
		{ 0, 40, 30, SPAN_CALL, 0, 1 },
		{ 0, 45, 5, SPAN_CALL, 0, STAYS },
		{ 0, 60, 20, SPAN_CALL, 0, STAYS },
	};

	(void)state;
	check(v, COUNT_OF(v), 1);
}

/* Streams together: two run side by side at most, so the third lane is left. */
static void together(void **state)
{
	static const struct drawn v[] = {
		{ 0, 0, 4, SPAN_WORK, 1, STAYS },
		{ 1, 2, 4, SPAN_WORK, 2, STAYS },
		{ 2, 5, 4, SPAN_WORK, 3, 0 },
		{ 1, 6, 4, SPAN_WORK, 4, STAYS },
	};

	(void)state;
	check(v, COUNT_OF(v), 3);
}

/* Work at random: on no lane side by side, and as many lanes as run at once. */
static void fewest(void **state)
{
	enum { N = 300, END = 1000 };
	nsec begin[N], end[N];
	uint32_t on[N];
	struct rng rng;
	unsigned round;

	(void)state;
	rng_init(&rng, 3);
	for (round = 0; round < 30; round++) {
		unsigned beside[END + 60] = { 0 };
		struct spans s = { 0 };
		const struct spans *of = &s;
		unsigned most = 0;
		struct placing p;
		size_t i, k, used = 1;
		nsec t;

		for (i = 0; i < N; i++) {
			begin[i] = (nsec)(rng_next(&rng) % END);
			end[i] = begin[i] + 1 + (nsec)(rng_next(&rng) % 50);
			on[i] = 0;
			for (t = begin[i]; t < end[i]; t++)
				most = ++beside[t] > most ? beside[t] : most;
			spans_add(&s,
				&(struct spanned){ .start = begin[i],
					.dur = end[i] - begin[i],
					.offset = (int64_t)i,
					.what = SPAN_WORK });
		}
		spans_seal(&s);
		place_all(&p, &of, 1);
		for (i = 0; i < p.nmove; i++) {
			on[p.move[i].offset] = p.move[i].to;
			used = p.move[i].to + 1 > used ? p.move[i].to + 1 : used;
		}
		assert_int_equal(used, most);
		for (i = 0; i < N; i++)
			for (k = 0; k < i; k++)
				assert_false(
					on[i] == on[k] && begin[i] < end[k] && begin[k] < end[i]);
		place_clear(&p);
		spans_clear(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(work),
		cmocka_unit_test(regions),
		cmocka_unit_test(calls),
		cmocka_unit_test(together),
		cmocka_unit_test(fewest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
