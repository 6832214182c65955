/* XPlane profiles put together by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "analyze/input/format/format.h"
#include "analyze/trace/run.h"
#include "base/str.h"
#include "tests/unit/loading.h"

static void put_varint(struct str *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		str_addc(b, (char)((v & 127) | 128));
	str_addc(b, (char)v);
}

static void put_number(struct str *b, unsigned field, uint64_t v)
{
	put_varint(b, field << 3);
	put_varint(b, v);
}

static void put_bytes(struct str *b, unsigned field, const char *p, size_t n)
{
	put_varint(b, field << 3 | 2);
	put_varint(b, n);
	str_add(b, p, n);
}

/* Adds what `inner` holds as a message, and empties it. */
static void put_message(struct str *b, unsigned field, struct str *inner)
{
	put_bytes(b, field, inner->s ? inner->s : "", inner->n);
	str_reset(inner);
}

static void put_event(struct str *line, uint64_t meaning, uint64_t offset_ps, uint64_t dur_ps)
{
	SCOPED_STR ev = { 0 };

	put_number(&ev, 1, meaning);
	put_number(&ev, 2, offset_ps);
	put_number(&ev, 3, dur_ps);
	put_message(line, 4, &ev);
}

static void put_meaning(struct str *plane, uint64_t id, const char *name)
{
	struct str entry = { 0 }, meaning = { 0 };

	put_number(&meaning, 1, id);
	put_bytes(&meaning, 2, name, strlen(name));
	put_number(&entry, 1, id);
	put_message(&entry, 2, &meaning);
	put_message(plane, 4, &entry);
	str_free(&entry);
	str_free(&meaning);
}

/* One device with a stream and two kernels, 1.9 ns and 2.1 ns behind the line's beginning. */
static void put_profile(struct str *out)
{
	struct str plane = { 0 }, line = { 0 };

	put_bytes(&plane, 2, "/device:GPU:2", 13);
	put_number(&line, 1, 7);
	put_bytes(&line, 2, "Stream #7(Compute)", 18);
	put_number(&line, 3, 1000);
	put_event(&line, 1, 1900, 5100);
	put_event(&line, 2, 12100, 3000);
	put_message(&plane, 3, &line);
	put_meaning(&plane, 1, "mul");
	put_meaning(&plane, 2, "add");
	put_message(out, 1, &plane);
	str_free(&plane);
	str_free(&line);
}

static struct span whole(const struct str *b)
{
	return (struct span){ b->s, b->n };
}

/* Starts and ends are rounded down, each: 1001.9 to 1007 ns is 1001 to 1007. */
static void test_rows(void **state)
{
	struct loaded l;
	struct loading how = { 0 };
	SCOPED_STR b = { 0 };
	size_t row;

	(void)state;
	put_profile(&b);
	loading_run(&l, whole(&b), &how);
	assert_int_equal(l.status, OK);
	assert_int_equal(l.run.events.n, 2);
	row = loading_row(&l, "mul");
	assert_int_equal(l.run.events.start[row], 1001);
	assert_int_equal(l.run.events.dur[row], 6);
	assert_int_equal(l.run.events.kind[row], KIND_KERNEL);
	row = loading_row(&l, "add");
	assert_int_equal(l.run.events.start[row], 1012);
	assert_int_equal(l.run.events.dur[row], 3);
	assert_int_equal(l.run.lanes.lane[l.run.events.lane[row]].device, 2);
	assert_int_equal(l.run.lanes.lane[l.run.events.lane[row]].stream, 7);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	loading_release(&l);
}

/* Names stand behind the events: what is cut off before them has none, and is counted. */
static void test_cut_anywhere(void **state)
{
	struct loading tiny = { .window_bytes = 3 }, large = { 0 };
	struct loaded a, b;
	SCOPED_STR all = { 0 };
	size_t n;

	(void)state;
	put_profile(&all);
	for (n = 20; n < all.n; n++) {
		loading_run(&a, (struct span){ all.s, n }, &tiny);
		loading_run(&b, (struct span){ all.s, n }, &large);
		assert_int_equal(a.status, OK);
		assert_true(a.run.events.n <= 2);
		assert_int_equal(a.run.tally.count[PROBLEM_TRUNCATED_TRACE], 1);
		assert_false(a.run.is_complete);
		assert_int_equal(a.digest, b.digest);
		loading_release(&a);
		loading_release(&b);
	}
}

/* Every byte once changed: rows or an error, and the same whatever the windows are. */
static void test_damaged(void **state)
{
	struct loading tiny = { .window_bytes = 5 }, large = { 0 };
	SCOPED_STR all = { 0 };
	size_t i;

	(void)state;
	put_profile(&all);
	for (i = 0; i < all.n; i++) {
		struct loaded a, b;
		char was = all.s[i];

		all.s[i] = (char)(was ^ 0xff);
		loading_run(&a, whole(&all), &tiny);
		loading_run(&b, whole(&all), &large);
		assert_int_equal(a.digest, b.digest);
		loading_release(&a);
		loading_release(&b);
		all.s[i] = was;
	}
}

static void test_strict(void **state)
{
	struct loading how = { .strict = true };
	struct loaded l;
	SCOPED_STR b = { 0 };

	(void)state;
	put_profile(&b);
	loading_run(&l, (struct span){ b.s, b.n - 3 }, &how);
	assert_int_equal(l.status, E_TRUNCATED);
	loading_release(&l);
}

/* A profile is known by its first plane; a trace of Perfetto, which begins with the same byte, is
 * none. */
static void test_known(void **state)
{
	static const char perfetto[] =
		"\x0a\x0e\x40\x90\x4e\x5a\x09\x48\x01\x50\x01\x58\x07\x52\x01x";
	SCOPED_STR b = { 0 };

	(void)state;
	put_profile(&b);
	assert_true(format_of(whole(&b)) == &format_xplane);
	assert_true(format_of((struct span){ b.s, 3 }) != &format_xplane);
	assert_true(format_of(((struct span){ perfetto, sizeof(perfetto) - 1 })) != &format_xplane);
	assert_true(format_of(SPAN("\n{\"traceEvents\": []}")) == NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_strict),
		cmocka_unit_test(test_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
