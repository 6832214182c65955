/* Lists of ranks: written as people and as machines have them, and read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/ranklist.h"
#include "base/compiler.h"

static void written(void **state)
{
	static const struct {
		int64_t v[8];
		size_t n;
		const char *machine, *people;
	} rows[] = {
		{ { 0 }, 0, "", "" },
		{ { 3 }, 1, "3", "3" },
		{ { 4, 3 }, 2, "3,4", "3, 4" },
		{ { 2, 0, 1, 1 }, 4, "0-2", "0-2" },
		{ { 0, 8, 16 }, 3, "0,8,16", "0, 8, 16" },
		{ { 0, 8, 16, 24 }, 4, "0-24:8", "0-24 by 8" },
		{ { 0, 1, 2, 7, 9, 11, 13 }, 7, "0-2,7-13:2", "0-2, 7-13 by 2" },
		{ { 0, 2, 3, 4 }, 4, "0,2-4", "0, 2-4" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		struct str machine = { 0 }, people = { 0 };
		struct arena mem = { 0 };
		int64_t v[8], *back;
		size_t n, nback;

		memcpy(v, rows[i].v, sizeof(v));
		n = ranklist_sort(v, rows[i].n);
		ranklist_put(&machine, v, n, false);
		ranklist_put(&people, v, n, true);
		assert_string_equal(machine.n ? machine.s : "", rows[i].machine);
		assert_string_equal(people.n ? people.s : "", rows[i].people);
		back = ranklist_read((struct span){ machine.s, machine.n }, &mem, &nback);
		assert_int_equal(nback, n);
		if (n)
			assert_memory_equal(back, v, n * sizeof(*v));
		arena_clear(&mem);
		str_free(&machine);
		str_free(&people);
	}
}

/* However long a range claims to be, and whatever else stands there. */
static void hostile(void **state)
{
	SCOPED_ARENA mem = { 0 };
	size_t n;

	(void)state;
	(void)ranklist_read(SPAN("0-99999999999999999999"), &mem, &n);
	assert_int_equal(n, RANKLIST_MOST);
	(void)ranklist_read(SPAN("5-3,7:0,1-9:0,x"), &mem, &n);
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(written),
		cmocka_unit_test(hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
