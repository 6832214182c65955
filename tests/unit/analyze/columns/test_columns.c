/* The schema's tables, read over a run that is drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/columns/schema_tables.h"
#include "analyze/columns/trace_columns.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

enum { ALL_NEEDS = (NEED_FUNCTIONS << 1) - 1 };

/* Of a thread and a stream:
 *
 *	thread 1   [step#0 0..100)                     launches at 10 and 20, of 5 each
 *	stream 7         [gemm 30..60)      [ncclAllReduce 80..90)
 *
 * Of [0, 100) the GPU has work in 40; idle are 30, 20 and 10.
 */
struct drawn {
	struct run run;
	struct columns c;
};

static void draw(struct drawn *d)
{
	uint32_t thread, stream;

	run_init(&d->run, ALL_NEEDS);
	thread = hand_thread(&d->run, 1);
	stream = hand_stream(&d->run, 0, 7);
	hand_event(&d->run, KIND_ANNOTATION, thread, "ProfilerStep#3", 1000, 100);
	uint32_t gemm = hand_launch(&d->run, thread, stream, 1010, 1030, 30, 1);
	uint32_t comm = hand_launch(&d->run, thread, stream, 1020, 1080, 10, 2);
	d->run.events.name[gemm] = strings_intern(&d->run.strings, span_of("gemm"));
	d->run.events.name[comm] =
		strings_intern(&d->run.strings, span_of("ncclDevKernel_AllReduce_Sum_bf16"));
	hand_event(&d->run, KIND_MEMORY, thread, "[memory]", 1005, 0);
	index_build(&d->run, NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS);
	columns_init(&d->c, &d->run, "a.json", NULL);
}

static void clear(struct drawn *d)
{
	columns_clear(&d->c);
	run_clear(&d->run);
}

static const struct schema_column *column(enum schema_table_id t, const char *key)
{
	const struct schema_table *table = &schema_tables[t];
	const struct schema_column *col =
		FIND(i, table->column, table->n, strcmp(table->column[i].key, key) == 0);

	assert_non_null(col);
	return col;
}

static int64_t whole(struct drawn *d, enum schema_table_id t, size_t row, const char *key)
{
	assert_true(row < columns_rows(&d->c, t));
	return column(t, key)->at.i64(&d->c, row);
}

static struct span text(struct drawn *d, enum schema_table_id t, size_t row, const char *key)
{
	const struct schema_column *col = column(t, key);

	assert_true(row < columns_rows(&d->c, t));
	return columns_text(&d->c, col->dictionary, col->at.text(&d->c, row));
}

static void events_are_all_but_instants(void **state UNUSED)
{
	struct drawn d;

	draw(&d);
	assert_int_equal(columns_rows(&d.c, SCHEMA_EVENTS), 5);
	assert_int_equal(whole(&d, SCHEMA_EVENTS, 0, "start_ns"), 1000);
	assert_int_equal(whole(&d, SCHEMA_EVENTS, 0, "at_ns"), 0);
	assert_int_equal(whole(&d, SCHEMA_EVENTS, 0, "end_ns"), 1100);
	assert_int_equal(whole(&d, SCHEMA_EVENTS, 0, "step"), 3);
	assert_int_equal(whole(&d, SCHEMA_EVENTS, 0, "device"), SCHEMA_NO_INT);
	assert_true(span_is(text(&d, SCHEMA_EVENTS, 0, "kind"), "user_annotation"));
	assert_true(span_is(text(&d, SCHEMA_EVENTS, 0, "file"), "a.json"));
	assert_int_equal(columns_rows(&d.c, SCHEMA_MEMORY), 1);
	assert_int_equal(whole(&d, SCHEMA_MEMORY, 0, "at_ns"), 5);
	clear(&d);
}

static void kernels_know_their_launch(void **state UNUSED)
{
	struct drawn d;

	draw(&d);
	assert_int_equal(columns_rows(&d.c, SCHEMA_KERNELS), 2);
	assert_true(span_is(text(&d, SCHEMA_KERNELS, 0, "name"), "gemm"));
	assert_true(span_is(text(&d, SCHEMA_KERNELS, 0, "class"), "compute"));
	assert_true(span_is(text(&d, SCHEMA_KERNELS, 1, "class"), "comm"));
	assert_int_equal(whole(&d, SCHEMA_KERNELS, 0, "device"), 0);
	assert_int_equal(whole(&d, SCHEMA_KERNELS, 0, "stream"), 7);
	assert_int_equal(whole(&d, SCHEMA_KERNELS, 0, "step"), 3);
	assert_int_equal(whole(&d, SCHEMA_KERNELS, 0, "correlation"), 1);
	assert_int_equal(whole(&d, SCHEMA_KERNELS, 0, "launch_start_ns"), 1010);
	assert_int_equal(whole(&d, SCHEMA_KERNELS, 0, "grid_x"), SCHEMA_NO_INT);
	assert_int_equal(columns_rows(&d.c, SCHEMA_COLLECTIVES), 1);
	assert_true(span_is(text(&d, SCHEMA_COLLECTIVES, 0, "collective"), "all_reduce"));
	assert_int_equal(whole(&d, SCHEMA_COLLECTIVES, 0, "bytes"), SCHEMA_NO_INT);
	clear(&d);
}

static void the_ledger_and_gaps_add_up(void **state UNUSED)
{
	struct drawn d;
	int64_t gaps = 0, parts = 0;

	draw(&d);
	assert_int_equal(columns_rows(&d.c, SCHEMA_STEPS), 1);
	assert_int_equal(whole(&d, SCHEMA_STEPS, 0, "wall_ns"), 100);
	assert_int_equal(columns_rows(&d.c, SCHEMA_LEDGER), 1);
	assert_int_equal(whole(&d, SCHEMA_LEDGER, 0, "compute_ns"), 30);
	assert_int_equal(whole(&d, SCHEMA_LEDGER, 0, "exposed_comm_ns"), 10);
	assert_int_equal(whole(&d, SCHEMA_LEDGER, 0, "idle_ns"), 60);
	assert_int_equal(whole(&d, SCHEMA_LEDGER, 0, "is_counted"), 1);
	assert_int_equal(columns_rows(&d.c, SCHEMA_GAPS), 3);
	for (size_t i = 0; i < columns_rows(&d.c, SCHEMA_GAPS); i++)
		gaps += whole(&d, SCHEMA_GAPS, i, "gap_ns");
	for (size_t i = 0; i < columns_rows(&d.c, SCHEMA_GAP_PARTS); i++)
		parts += whole(&d, SCHEMA_GAP_PARTS, i, "dur_ns");
	assert_int_equal(gaps, 60);
	assert_int_equal(parts, 60);
	clear(&d);
}

/* Each column of each table gives many at once what it gives one by one. */
static void many_cells_are_those_of_one(void **state UNUSED)
{
	struct drawn d;

	draw(&d);
	for (int t = 0; t < SCHEMA_TABLES; t++) {
		size_t n = columns_rows(&d.c, (enum schema_table_id)t);

		for (EACH(const struct schema_column, col, schema_tables[t].column,
			     schema_tables[t].n)) {
			int64_t whole_of[8];
			uint32_t text_of[8];
			double real_of[8];

			assert_true(n <= 8);
			col->fill(&d.c, 0, n,
				col->type == SCHEMA_TEXT           ? (void *)text_of
					: col->type == SCHEMA_REAL ? (void *)real_of
								   : (void *)whole_of);
			for (size_t i = 0; i < n; i++)
				if (col->type == SCHEMA_TEXT)
					assert_int_equal(text_of[i], col->at.text(&d.c, i));
				else if (col->type == SCHEMA_REAL)
					assert_true(number_same(real_of[i], col->at.real(&d.c, i)));
				else
					assert_int_equal(whole_of[i], col->at.i64(&d.c, i));
		}
	}
	clear(&d);
}

static void texts_are_found_again(void **state UNUSED)
{
	struct drawn d;

	draw(&d);
	for (int dict = 0; dict < DICTIONARY_COUNT; dict++)
		for (size_t i = 0; i < columns_texts(&d.c, (enum schema_dictionary)dict); i++) {
			struct span s =
				columns_text(&d.c, (enum schema_dictionary)dict, (uint32_t)i);

			assert_int_equal(
				columns_find_text(&d.c, (enum schema_dictionary)dict, s), i);
		}
	assert_int_equal(
		columns_find_text(&d.c, DICTIONARY_KINDS, span_of("no such kind")), SCHEMA_NO_TEXT);
	assert_ptr_equal(schema_find(span_of("KERNELS")), &schema_tables[SCHEMA_KERNELS]);
	assert_null(schema_find(span_of("kernel")));
	clear(&d);
}

/* A run without anything has tables without rows. */
static void an_empty_run_has_no_rows(void **state UNUSED)
{
	struct run run;
	struct columns c;

	run_init(&run, ALL_NEEDS);
	index_build(&run, NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS);
	columns_init(&c, &run, "empty", NULL);
	for (int t = 0; t < SCHEMA_TABLES; t++)
		if (t != SCHEMA_STEPS)
			assert_int_equal(columns_rows(&c, (enum schema_table_id)t), 0);
	columns_clear(&c);
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_are_all_but_instants),
		cmocka_unit_test(kernels_know_their_launch),
		cmocka_unit_test(the_ledger_and_gaps_add_up),
		cmocka_unit_test(many_cells_are_those_of_one),
		cmocka_unit_test(texts_are_found_again),
		cmocka_unit_test(an_empty_run_has_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
