/* Counters, begins and ends at the edges of a cut, drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "edit/stateful_events.h"
#include "edit/choice.h"

struct drawn {
	enum stateful_what what;
	nsec at;
	bool wanted;
	const char *where, *event;
};

/* What is kept of them by [100, 200) and [300, 400), commas for line breaks between. */
static void keeps(
	const struct drawn *v, size_t n, int64_t sample_ns, const char *want, int64_t count)
{
	struct interval time[] = { { 100, 200 }, { 300, 400 } };
	const struct choice choice = { .hull = { { time, 2, 2 }, false } };
	struct str notes = { 0 }, out = { 0 };
	struct stateful b;
	int64_t got = 0;
	size_t i;

	stateful_init(&b, &choice, sample_ns, 0);
	for (i = 0; i < n; i++)
		stateful_note(&notes, v[i].what, v[i].at, v[i].wanted, span_of(v[i].where),
			span_of(v[i].event));
	stateful_take(&b, &notes, &out, &got);
	stateful_end(&b, &out, &got);
	str_addc(&out, '\0');
	assert_string_equal(out.s, want);
	assert_int_equal(got, count);
	str_free(&notes);
	str_free(&out);
	stateful_clear(&b);
}

static void phases(void **state)
{
	(void)state;
	assert_int_equal(stateful_what('C'), STATEFUL_COUNTER);
	assert_int_equal(stateful_what('B'), STATEFUL_BEGIN);
	assert_int_equal(stateful_what('E'), STATEFUL_END);
	assert_int_equal(stateful_what('X'), STATEFUL_OTHER);
	assert_int_equal(stateful_what(0), STATEFUL_OTHER);
}

/* The last value before a stretch stands at its begin, whatever the order of the file is. */
static void held_values(void **state)
{
	static const struct drawn v[] = {
		{ STATEFUL_COUNTER, 90, true, "a", "{\"ts\": 90, \"v\": 2}" },
		{ STATEFUL_COUNTER, 50, true, "a", "{\"ts\": 50, \"v\": 1}" },
		{ STATEFUL_COUNTER, 150, true, "a", "{\"ts\": 150, \"v\": 3}" },
		{ STATEFUL_COUNTER, 200, true, "a", "{\"ts\": 200, \"v\": 4}" },
		{ STATEFUL_COUNTER, 80, true, "b", "{\"ts\": 80, \"v\": 5}" },
		{ STATEFUL_COUNTER, 85, false, "b", "{\"ts\": 85, \"v\": 6}" },
		{ STATEFUL_COUNTER, 450, true, "a", "{\"ts\": 450, \"v\": 7}" },
	};

	(void)state;
	keeps(v, COUNT_OF(v), 0,
		",\n{\"ts\": 150, \"v\": 3}"
		",\n{\"ts\": 0.100, \"v\": 2}"
		",\n{\"ts\": 0.300, \"v\": 4}"
		",\n{\"ts\": 0.100, \"v\": 5}",
		4);
}

static void sampled(void **state)
{
	static const struct drawn v[] = {
		{ STATEFUL_COUNTER, 100, true, "a", "1" },
		{ STATEFUL_COUNTER, 109, true, "a", "2" },
		{ STATEFUL_COUNTER, 110, true, "a", "3" },
		{ STATEFUL_COUNTER, 119, true, "a", "4" },
		{ STATEFUL_COUNTER, 119, true, "b", "5" },
		{ STATEFUL_COUNTER, 130, true, "a", "6" },
	};

	(void)state;
	keeps(v, COUNT_OF(v), 10, ",\n1,\n3,\n5,\n6", 4);
}

/* A begin is kept with its end, and both where the slice meets a stretch. */
static void slices(void **state)
{
	static const struct drawn v[] = {
		{ STATEFUL_BEGIN, 10, true, "t", "B over" }, /* from before to behind */
		{ STATEFUL_BEGIN, 20, true, "t", "B before" },
		{ STATEFUL_END, 90, true, "t", "E before" },
		{ STATEFUL_BEGIN, 110, true, "t", "B in" },
		{ STATEFUL_END, 120, true, "t", "E in" },
		{ STATEFUL_BEGIN, 130, false, "t", "B unwanted" },
		{ STATEFUL_END, 140, true, "t", "E unwanted" },
		{ STATEFUL_END, 250, true, "t", "E over" },
		{ STATEFUL_END, 150, true, "u", "E alone" },
		{ STATEFUL_BEGIN, 390, true, "u", "B open" },
		{ STATEFUL_BEGIN, 50, true, "w", "B open since before" },
		{ STATEFUL_BEGIN, 500, true, "x", "B behind" },
	};

	(void)state;
	keeps(v, COUNT_OF(v), 0,
		",\nB in,\nE in,\nB over,\nE over,\nE alone,\nB open,\nB open since before", 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases),
		cmocka_unit_test(held_values),
		cmocka_unit_test(sampled),
		cmocka_unit_test(slices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
