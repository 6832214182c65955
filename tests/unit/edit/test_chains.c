/* edit/chains: which phases are of chains, and which chains stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "edit/chains.h"
#include "edit/keep_ranges.h"

static void phases(void **state)
{
	(void)state;
	assert_true(chain_is_flow('s') && chain_is_flow('t') && chain_is_flow('f'));
	assert_false(chain_is_flow('X') || chain_is_flow('b') || chain_is_flow('\0'));
	assert_true(chain_is_async('b') && chain_is_async('n') && chain_is_async('e'));
	assert_true(chain_is_async('S') && chain_is_async('T') && chain_is_async('F'));
	assert_false(chain_is_async('\0') || chain_is_async('X') || chain_is_async('s'));
	assert_true(chain_is_launch(span_of("ac2g")));
	assert_false(chain_is_launch(span_of("fwdbwd")));
	assert_false(chain_is_launch(span_of("")));
}

/* A category and an id are not one text: "a" "bc" is not "ab" "c". */
static void keys(void **state)
{
	uint64_t k = chain_key(span_of("a"), span_of("bc"));

	(void)state;
	assert_true(k == chain_key(span_of("a"), span_of("bc")));
	assert_true(k != chain_key(span_of("ab"), span_of("c")));
	assert_true(k != chain_key(span_of("bc"), span_of("a")));
	assert_true(k != chain_key(span_of(""), span_of("abc")));
}

/* The hull is [10, 20):
 *	1  flow   12 .. 18  all in it: stays
 *	2  flow   12 .. 25  an end outside: goes
 *	3  async   5 .. 25  lasts over it: stays
 *	4  async  25 .. 30  behind it: goes
 *	5  async  20 .. 20  only touches it: goes */
static void chosen(void **state)
{
	static const struct {
		uint64_t key;
		nsec at;
		bool is_flow;
	} ends[] = { { 1, 18, true }, { 1, 12, true }, { 2, 12, true }, { 2, 25, true },
		{ 3, 25, false }, { 3, 5, false }, { 4, 25, false }, { 4, 30, false },
		{ 5, 20, false } };
	struct interval v[] = { { 10, 20 } };
	const struct keep_ranges h = { { v, 1, 1 }, false };
	struct idset kept = { 0 };
	struct chains c;
	size_t i;

	(void)state;
	chains_init(&c);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		chains_note(&c, (struct chain_end){ ends[i].key, ends[i].at }, ends[i].is_flow);
	chains_choose(&c, &h, &kept);
	assert_true(idset_has(&kept, 1));
	assert_false(idset_has(&kept, 2));
	assert_true(idset_has(&kept, 3));
	assert_false(idset_has(&kept, 4));
	assert_false(idset_has(&kept, 5));
	idset_clear(&kept);
	chains_clear(&c);
}

static void none(void **state)
{
	const struct keep_ranges h = { { NULL, 0, 0 }, true };
	struct idset kept = { 0 };
	struct chains c;

	(void)state;
	chains_init(&c);
	chains_choose(&c, &h, &kept);
	assert_false(idset_has(&kept, 0));
	idset_clear(&kept);
	chains_clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(phases),
		cmocka_unit_test(keys),
		cmocka_unit_test(chosen),
		cmocka_unit_test(none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
