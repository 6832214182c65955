/* Local times of samples on a trace's clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/power/sampleclock.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"

#define S     INT64_C(1000000000)
#define NOON  INT64_C(1764504000) /* 2025-11-30 12:00:00 UTC */
#define HOUR  3600
#define APART SAMPLECLOCK_APART

/* A trace of so many seconds from NOON on; its times are relative to a base, or not. */
static void new_run(struct run *r, int64_t seconds, bool has_base)
{
	run_init(r, 0);
	r->meta.has_base = has_base;
	r->meta.base_ns = has_base ? (NOON - 1000) * S : 0;
	r->first_ns = has_base ? 1000 * S : NOON * S;
	r->last_ns = r->first_ns + seconds * S;
}

static struct sampleclock join(const struct run *r, double first_s, double last_s, int zone_s)
{
	struct sampleclock c;

	sampleclock_join(&c, r, first_s, last_s, zone_s);
	return c;
}

/* Ten minutes around a minute, in each zone there is, with either kind of times. */
static void zones(void **state)
{
	int hour, base;

	(void)state;
	for (base = 0; base < 2; base++)
		for (hour = -12; hour <= 14; hour++) {
			double at = (double)NOON + hour * HOUR;
			struct sampleclock c;
			struct run r;

			new_run(&r, 60, base);
			c = join(&r, at - 300, at + 300, SAMPLECLOCK_SEARCH);
			assert_int_equal(c.state, SAMPLECLOCK_JOINED);
			assert_int_equal(c.zone_s, hour * HOUR);
			assert_int_equal(c.others, 0);
			assert_int_equal(sampleclock_at(&c, at + 0.25), r.first_ns + S / 4);
			run_clear(&r);
		}
}

/* A log of three hours around the trace: UTC-1, UTC and UTC+1 cover all of it, and UTC is taken.
 * One that began just before it as UTC has it: UTC, UTC-1, UTC-2.  One that ends before it as UTC
 * has it was written elsewhere. */
static void several_zones(void **state)
{
	struct sampleclock c;
	struct run r;

	(void)state;
	new_run(&r, 60, true);
	c = join(&r, (double)NOON - 1.4 * HOUR, (double)NOON + 1.4 * HOUR, SAMPLECLOCK_SEARCH);
	assert_int_equal(c.zone_s, 0);
	assert_int_equal(c.others, 2);
	c = join(&r, (double)NOON + 1.5 * HOUR, (double)NOON + 3.5 * HOUR, SAMPLECLOCK_SEARCH);
	assert_int_equal(c.zone_s, 2 * HOUR);
	assert_int_equal(c.others, 1);
	/* most of the trace counts, not the nearest zone */
	c = join(&r, (double)NOON + 50, (double)NOON + HOUR + 40, SAMPLECLOCK_SEARCH);
	assert_int_equal(c.zone_s, HOUR);
	run_clear(&r);
}

static void nothing_to_join(void **state)
{
	struct run r;

	(void)state;
	new_run(&r, 60, true);
	assert_int_equal(join(&r, 0, 100, SAMPLECLOCK_SEARCH).state, SAMPLECLOCK_NO_DATES);
	assert_int_equal(
		join(&r, (double)NOON - 9e5, (double)NOON - 8.9e5, SAMPLECLOCK_SEARCH).state,
		APART);
	/* half an hour off, in no whole zone; but --zone says so */
	assert_int_equal(
		join(&r, (double)NOON + 1800, (double)NOON + 1900, SAMPLECLOCK_SEARCH).state,
		APART);
	assert_int_equal(
		join(&r, (double)NOON + 1800, (double)NOON + 1900, 1800).state, SAMPLECLOCK_JOINED);
	assert_int_equal(join(&r, (double)NOON, (double)NOON + 60, HOUR).state, APART);
	r.meta.base_ns = 0; /* time since the machine was started */
	assert_int_equal(join(&r, (double)NOON, (double)NOON + 60, 0).state, SAMPLECLOCK_NO_EPOCH);
	run_clear(&r);
}

static void zones_as_words(void **state)
{
	static const struct {
		const char *text;
		int zone_s;
	} good[] = { { "+01:00", 3600 }, { "-5", -5 * 3600 }, { "05:30", 19800 },
		{ "-09:30", -34200 }, { "Z", 0 }, { "UTC", 0 }, { "0", 0 }, { "+14", 14 * 3600 } };
	static const char *const bad[] = { "", "+", "15", "1:60", "1:", "1:2:3", "CET", "+1h",
		"100", " 1", "--1" };
	struct err e;
	int zone;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(good); i++) {
		assert_int_equal(sampleclock_zone(good[i].text, "--zone", &zone, &e), OK);
		assert_int_equal(zone, good[i].zone_s);
	}
	for (i = 0; i < COUNT_OF(bad); i++)
		if (sampleclock_zone(bad[i], "--zone", &zone, &e) != E_USAGE)
			fail_msg("'%s' was taken", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones),
		cmocka_unit_test(several_zones),
		cmocka_unit_test(nothing_to_join),
		cmocka_unit_test(zones_as_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
