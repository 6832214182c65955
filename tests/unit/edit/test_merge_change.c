/* What becomes of events of a rank in a file that several share, drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/events/raw.h"
#include "base/arena.h"
#include "edit/choice.h"
#include "edit/merge.h"

static void becomes(
	const struct merge_rank *m, char ph, enum kind kind, const char *event, const char *want)
{
	const struct change change = merge_change(m);
	const struct facts facts = { .kind = kind, .ph = ph };
	struct raw_event raw = { .ph = ph };
	const struct tap_event tapped = { .raw = &raw, .text = span_of(event) };
	SCOPED_STR out = { 0 };
	SCOPED_ARENA mem = { 0 };
	struct parts parts;
	struct changing c = { &tapped, &facts, &parts, &mem };

	assert_true(parts_read(&parts, span_of(event)));
	assert_true(change.apply(change.ctx, &c));
	parts_put(&parts, &out);
	str_addc(&out, '\0');
	assert_string_equal(out.s, want);
}

/* Ids go behind those of the ranks before; devices that another rank has get numbers of their own.
 */
static void settled(void **state)
{
	struct merge_rank m[3] = { { .number = 0, .id_max = 10, .devices = 1, .base = 1000 },
		{ .number = 1, .id_max = 7, .devices = 1, .base = 1500 },
		{ .number = 2, .id_max = UINT64_MAX, .devices = 2, .base = 900 } };

	(void)state;
	merge_settle(m, 3, 0);
	assert_int_equal(m[0].ids, 0);
	assert_int_equal(m[1].ids, 10);
	assert_int_equal(m[2].ids, 17);
	assert_false(m[0].moves_devices);
	assert_true(m[1].moves_devices);
	assert_false(m[2].moves_devices);
	assert_int_equal(m[1].shift, 500);
	assert_int_equal(m[2].shift, -100);
	assert_int_equal(m[2].zero, 1000);
}

static void events(void **state)
{
	const struct merge_rank m = {
		.number = 3, .ids = 100, .shift = 2500, .moves_devices = true
	};

	(void)state;
	becomes(&m, 'X', KIND_KERNEL,
		"{\"ph\": \"X\", \"pid\": 0, \"tid\": 7, \"ts\": 1.5, \"dur\": 2, "
		"\"args\": {\"device\": 0, \"stream\": 7, \"correlation\": 5, \"External id\": 0}}",
		"{\"ph\": \"X\", \"pid\": 15000000, \"tid\": 7, \"ts\": 4.000, \"dur\": 2, "
		"\"args\": {\"device\": 3000, \"stream\": 7, \"correlation\": 105, \"External id\": 0}}");
	becomes(&m, 'X', KIND_OP,
		"{\"pid\": \"12\", \"ts\": \"1\", \"args\": {\"device\": 0, \"External id\": \"5\"}}",
		"{\"pid\": 15000012, \"ts\": 3.500, \"args\": {\"device\": 0, \"External id\": \"105\"}}");
	becomes(&m, 's', KIND_OTHER, "{\"pid\": \"main\", \"id\": 9, \"ts\": 0}",
		"{\"pid\": \"rank 3: main\", \"id\": 109, \"ts\": 2.500}");
	becomes(&m, 'C', KIND_COUNTER, "{\"pid\": 1, \"id\": 9, \"ts\": 0, \"args\": {\"v\": 1}}",
		"{\"pid\": 15000001, \"id\": 9, \"ts\": 2.500, \"args\": {\"v\": 1}}");
	becomes(&m, 'M', KIND_OTHER,
		"{\"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"python\"}}",
		"{\"name\": \"process_name\", \"pid\": 15000001, \"args\": {\"name\": \"rank 3: python\"}}");
	becomes(&m, 'M', KIND_OTHER,
		"{\"name\": \"process_sort_index\", \"pid\": 1, \"args\": {\"sort_index\": -5}}",
		"{\"name\": \"process_sort_index\", \"pid\": 15000001, \"args\": {\"sort_index\": 30000000}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settled),
		cmocka_unit_test(events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
