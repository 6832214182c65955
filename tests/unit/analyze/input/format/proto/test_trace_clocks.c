/* Clocks: shifts between a machine's clocks, and those of sequences, drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/input/format/proto/proto_clocks.h"
#include "tests/unit/protobuf.h"

enum { REALTIME = 1, MONOTONIC = 3, BOOTTIME = 6, OWN = 64 };

static void add_clock(
	struct str *snapshot, uint32_t id, uint64_t time, bool incremental, uint64_t unit)
{
	struct str clock = { 0 };

	pb_varint(&clock, 1, id);
	pb_varint(&clock, 2, time);
	if (incremental)
		pb_varint(&clock, 3, 1);
	if (unit)
		pb_varint(&clock, 4, unit);
	pb_message(snapshot, 1, &clock);
}

static void take(struct clocks *c, struct local_clocks *of, struct str *snapshot)
{
	assert_true(clocks_take(c, of, (struct span){ snapshot->s, snapshot->n }));
	str_reset(snapshot);
}

static nsec time_of(struct clocks *c, struct local_clocks *of, uint32_t clock, uint64_t t)
{
	nsec time;
	bool related;

	assert_true(clocks_time(c, of, clock, t, &time, &related));
	assert_true(related);
	return time;
}

/*
 *	boot     1000    5000       monotonic lags 100 behind, later 150
 *	mono      900    4850
 */
static void of_a_machine(void **state)
{
	struct clocks c;
	struct local_clocks none = { 0 };
	struct str s = { 0 };

	(void)state;
	clocks_init(&c);
	assert_int_equal(time_of(&c, &none, 0, 77), 77);
	add_clock(&s, BOOTTIME, 1000, false, 0);
	add_clock(&s, MONOTONIC, 900, false, 0);
	take(&c, &none, &s);
	add_clock(&s, BOOTTIME, 5000, false, 0);
	add_clock(&s, MONOTONIC, 4850, false, 0);
	take(&c, &none, &s);
	assert_int_equal(time_of(&c, &none, MONOTONIC, 100), 200); /* before the first */
	assert_int_equal(time_of(&c, &none, MONOTONIC, 900), 1000);
	assert_int_equal(time_of(&c, &none, MONOTONIC, 4849), 4949);
	assert_int_equal(time_of(&c, &none, MONOTONIC, 4850), 5000);
	assert_int_equal(time_of(&c, &none, BOOTTIME, 4850), 4850);
	str_free(&s);
	clocks_clear(&c);
}

/* A snapshot without boot time: by the clock that was related to it before. */
static void by_another(void **state)
{
	struct clocks c;
	struct local_clocks none = { 0 };
	struct str s = { 0 };
	int64_t shift;

	(void)state;
	clocks_init(&c);
	assert_false(clocks_epoch(&c, &shift));
	add_clock(&s, BOOTTIME, 1000, false, 0);
	add_clock(&s, MONOTONIC, 900, false, 0);
	take(&c, &none, &s);
	add_clock(&s, MONOTONIC, 2000, false, 0);
	add_clock(&s, REALTIME, 1002000, false, 0);
	take(&c, &none, &s);
	assert_int_equal(time_of(&c, &none, REALTIME, 1002500), 2600);
	assert_true(clocks_epoch(&c, &shift));
	assert_int_equal(shift, 1002000 - 2100);
	str_free(&s);
	clocks_clear(&c);
}

/* Its own clock counts microseconds since the packet before; the snapshot says where it begins. */
static void of_a_sequence(void **state)
{
	struct clocks c;
	struct local_clocks own = { 0 }, other = { 0 };
	struct str s = { 0 };
	nsec time;
	bool related;

	(void)state;
	clocks_init(&c);
	add_clock(&s, BOOTTIME, 50000, false, 0);
	add_clock(&s, OWN, 30, true, 1000);
	add_clock(&s, OWN + 1, 7000, false, 0);
	take(&c, &own, &s);
	assert_int_equal(time_of(&c, &own, OWN, 5), 55000);
	assert_int_equal(time_of(&c, &own, OWN, 0), 55000);
	assert_int_equal(time_of(&c, &own, OWN, 2), 57000);
	assert_int_equal(time_of(&c, &own, OWN + 1, 7100), 50100);
	assert_true(clocks_time(&c, &other, OWN, 5, &time, &related));
	assert_false(related); /* another sequence's */
	add_clock(&s, BOOTTIME, 90000, false, 0);
	add_clock(&s, OWN, 100, true, 1000);
	take(&c, &own, &s);
	assert_int_equal(time_of(&c, &own, OWN, 1), 91000);
	str_free(&s);
	clocks_clear(&c);
}

/* Another clock may be the trace's; a clock that nothing relates is taken as it is, and said. */
static void primary_and_unrelated(void **state)
{
	struct clocks c;
	struct local_clocks none = { 0 };
	SCOPED_STR s = { 0 };
	nsec time;
	bool related;

	(void)state;
	clocks_init(&c);
	add_clock(&s, BOOTTIME, 1000, false, 0);
	add_clock(&s, REALTIME, 500000, false, 0);
	pb_varint(&s, 2, REALTIME);
	take(&c, &none, &s);
	assert_int_equal(time_of(&c, &none, REALTIME, 500010), 500010);
	assert_int_equal(time_of(&c, &none, BOOTTIME, 1020), 500020);
	assert_true(clocks_time(&c, &none, MONOTONIC, 42, &time, &related));
	assert_int_equal(time, 42);
	assert_false(related);
	clocks_clear(&c);

	clocks_init(&c); /* no snapshot, one clock: it is the trace's */
	assert_int_equal(time_of(&c, &none, MONOTONIC, 42), 42);
	assert_true(clocks_time(&c, &none, REALTIME, 43, &time, &related));
	assert_false(related);
	clocks_clear(&c);
}

static void numbers_beyond_64_bits(void **state)
{
	struct clocks c;
	struct local_clocks own = { 0 };
	struct str s = { 0 };
	nsec time;
	bool related;

	(void)state;
	clocks_init(&c);
	add_clock(&s, BOOTTIME, 1000, false, 0);
	add_clock(&s, OWN, 10, true, 1000);
	take(&c, &own, &s);
	assert_false(clocks_time(&c, &own, 0, UINT64_MAX, &time, &related));
	assert_false(clocks_time(&c, &own, OWN, UINT64_MAX, &time, &related));
	assert_false(clocks_time(&c, &own, OWN, INT64_MAX / 1000, &time, &related));
	assert_false(clocks_take(&c, &own, (struct span){ "\x0a\x7f", 2 }));
	str_free(&s);
	clocks_clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_machine),
		cmocka_unit_test(by_another),
		cmocka_unit_test(of_a_sequence),
		cmocka_unit_test(primary_and_unrelated),
		cmocka_unit_test(numbers_beyond_64_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
