/* The plan: events are searched for what their kind carries and for nothing else, since one wanted
 * argument that never comes makes the scanner read all the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/events/plan.h"
#include "analyze/input/events/scan.h"

static uint64_t bit(const struct plan *p, enum arg arg)
{
	assert_int_not_equal(p->key_of[arg], PLAN_NO_KEY);
	return UINT64_C(1) << p->key_of[arg];
}

static void wanted_by_kind(void **state)
{
	struct plan p;
	uint64_t lane;

	(void)state;
	plan_init(&p, NEED_LINKS | NEED_BYTES | NEED_SYNC, &scanner_portable, 1);
	lane = UINT64_C(1) << p.key_device | UINT64_C(1) << p.key_stream;
	assert_int_equal(p.want[KIND_OP], bit(&p, ARG_OP_EXTERNAL_ID));
	assert_int_equal(p.want[KIND_ANNOTATION], bit(&p, ARG_OP_EXTERNAL_ID));
	assert_int_equal(p.want[KIND_RUNTIME],
		bit(&p, ARG_LAUNCH_CORRELATION) | bit(&p, ARG_LAUNCH_EXTERNAL_ID));
	assert_int_equal(p.want[KIND_KERNEL],
		bit(&p, ARG_DEVICE_CORRELATION) | bit(&p, ARG_DEVICE_EXTERNAL_ID) | lane);
	assert_int_equal(p.want[KIND_MEMSET], p.want[KIND_KERNEL] | bit(&p, ARG_DEVICE_BYTES));
	assert_int_equal(p.want[KIND_MEMCPY], p.want[KIND_MEMSET] | bit(&p, ARG_DEVICE_COPY));
	assert_int_equal(p.want[KIND_SYNC],
		p.want[KIND_KERNEL] | bit(&p, ARG_DEVICE_SYNC_KIND) |
			bit(&p, ARG_DEVICE_WAIT_STREAM) | bit(&p, ARG_DEVICE_WAIT_CORRELATION));
	assert_true(p.want[KIND_OTHER] & bit(&p, ARG_OP_COPY));
	assert_int_equal(p.want[KIND_PYTHON], 0);
}

/* What scan_pattern_impl.h rests on: texts equal but for digits have the same wanted keys. */
static void no_key_has_a_digit(void **state)
{
	struct plan p;
	unsigned i, n = 0;

	(void)state;
	plan_init(&p, ~0u, &scanner_portable, 1);
	for (i = 0; i < PLAN_SLOTS; i++) {
		if (!p.slot[i].used)
			continue;
		n++;
		assert_null(strpbrk(p.slot[i].text, "0123456789"));
	}
	assert_int_not_equal(p.key_empty, PLAN_NO_KEY); /* it stands in no slot */
	assert_int_equal(n + 1, p.nkey);
	assert_int_equal(p.want[KIND_COUNTER], UINT64_C(1) << p.key_empty);
	plan_init(&p, ~0u & ~(unsigned)NEED_SAMPLES, &scanner_portable, 1);
	assert_int_equal(p.key_empty, PLAN_NO_KEY);
	assert_int_equal(p.want[KIND_COUNTER], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wanted_by_kind),
		cmocka_unit_test(no_key_has_a_digit),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
