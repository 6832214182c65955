/* edit/idset: ids in any order, also the largest, against a table of bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "edit/idset.h"
#include "tests/unit/loading.h"

static void empty(void **state)
{
	struct idset s = { 0 };

	(void)state;
	idset_seal(&s);
	assert_false(idset_has(&s, 0));
	assert_false(idset_has(&s, UINT64_MAX));
	idset_clear(&s);
}

static void limits(void **state)
{
	struct idset s = { 0 };

	(void)state;
	idset_add(&s, UINT64_MAX);
	idset_add(&s, 0);
	idset_add(&s, UINT64_MAX - 1);
	idset_add(&s, UINT64_MAX);
	idset_seal(&s);
	assert_int_equal(s.n, 2);
	assert_true(idset_has(&s, 0));
	assert_false(idset_has(&s, 1));
	assert_false(idset_has(&s, UINT64_MAX - 2));
	assert_true(idset_has(&s, UINT64_MAX - 1));
	assert_true(idset_has(&s, UINT64_MAX));
	idset_clear(&s);
}

/* Ids without gaps are one range, from the front or, once sealed, from behind. */
static void ranges(void **state)
{
	struct idset s = { 0 };
	uint64_t i;

	(void)state;
	for (i = 1; i <= 100000; i++)
		idset_add(&s, i);
	assert_int_equal(s.n, 1);
	for (i = 300000; i > 200000; i--)
		idset_add(&s, i);
	idset_seal(&s);
	assert_int_equal(s.n, 2);
	assert_true(idset_has(&s, 200001));
	assert_false(idset_has(&s, 200000));
	idset_clear(&s);
	assert_int_equal(s.n, 0);
}

/* Enough of them that it is sealed in between, and added to again behind that. */
static void any(void **state)
{
	enum { IDS = 40000 };
	static unsigned char has[IDS];
	struct idset s = { 0 };
	uint64_t seed = 3, i;
	int round, k;

	(void)state;
	memset(has, 0, sizeof(has));
	for (round = 0; round < 3; round++) {
		for (k = 0; k < 9000; k++) {
			i = loading_random(&seed) % IDS;
			has[i] = 1;
			idset_add(&s, i);
		}
		idset_seal(&s);
		for (i = 0; i < IDS; i++)
			assert_int_equal(idset_has(&s, i), has[i]);
		for (i = 1; i < s.n; i++) /* apart: not even touching */
			assert_true(s.v[i].lo > s.v[i - 1].hi + 1);
	}
	idset_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty),
		cmocka_unit_test(limits),
		cmocka_unit_test(ranges),
		cmocka_unit_test(any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
