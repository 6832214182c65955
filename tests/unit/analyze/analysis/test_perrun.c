/* The loop over runs: which are answered for, what is laid over them, and what becomes of a run
 * without an answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/perrun.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"

enum { RUNS = 3 };

/* Two traces of ranks 0 and 1, and a record of rank 0. */
struct asked {
	struct run run[RUNS];
	const struct run *list[RUNS];
	struct filter filter;
	struct result result;
	struct err err;
	int seen[RUNS]; /* how often each was answered for */
	int views;      /* with the filters laid over it */
};

static void begin(struct asked *a)
{
	int i;

	*a = (struct asked){ 0 };
	for (i = 0; i < RUNS; i++) {
		run_init(&a->run[i], 0);
		a->run[i].has_trace = i < 2;
		a->run[i].meta.rank = i % 2;
		a->list[i] = &a->run[i];
	}
	a->run[2].record = record_new();
	err_clear(&a->err);
	result_init(&a->result, "test/1");
}

static void end(struct asked *a)
{
	int i;

	for (i = 0; i < RUNS; i++)
		run_clear(&a->run[i]);
	result_clear(&a->result);
}

static enum status look(struct perrun *at)
{
	struct asked *a = at->ctx;

	a->seen[at->input]++;
	a->views += at->view.run == at->run;
	assert_ptr_equal(at->run, &a->run[at->input]);
	assert_ptr_equal(at->record, at->run->record);
	return OK;
}

static enum status fail_on_record(struct perrun *at)
{
	return perrun_is_record(at) ? err_set(at->e, E_NODATA, -1, "nothing in it") : look(at);
}

static enum status fail_on_trace(struct perrun *at)
{
	return perrun_is_record(at) ? look(at) : err_set(at->e, E_NODATA, -1, "nothing in it");
}

static enum status ask(
	struct asked *a, size_t n, enum status (*answer)(struct perrun *at), unsigned needs)
{
	const struct query q = { .run = a->list, .nrun = n, .filter = &a->filter };
	const struct perrun_how how = { .answer = answer, .needs = needs, .wanted = "thing" };

	return perrun_all(&q, &how, a, &a->result, &a->err);
}

static void views(void **state)
{
	static const struct {
		unsigned needs;
		int views;
	} row[] = { { 0, 0 }, { PERRUN_VIEW, 3 }, { PERRUN_TRACE_VIEW, 2 } };
	struct asked a;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		begin(&a);
		assert_int_equal(ask(&a, RUNS, look, row[i].needs), OK);
		assert_int_equal(a.views, row[i].views);
		assert_int_equal(a.seen[0] + a.seen[1] + a.seen[2], RUNS);
		end(&a);
	}
}

static void ranks(void **state)
{
	struct asked a;

	(void)state;
	begin(&a);
	a.filter.rank = "1";
	assert_int_equal(ask(&a, RUNS, look, PERRUN_VIEW), OK);
	assert_int_equal(a.seen[0] + a.seen[2], 0);
	assert_int_equal(a.seen[1], 1);
	a.filter.rank = "7";
	assert_int_equal(ask(&a, RUNS, look, PERRUN_VIEW), E_NODATA);
	assert_string_equal(a.err.text, "--rank '7' matches no trace");
	end(&a);
}

/* A record that has no answer is a note where there are others; a trace never is. */
static void excuses(void **state)
{
	struct asked a;

	(void)state;
	begin(&a);
	assert_int_equal(ask(&a, RUNS, fail_on_record, 0), OK);
	assert_int_equal(a.result.nnote, 1);
	assert_string_equal(a.result.note[0].id, "no_answer");
	assert_int_equal(a.result.note[0].input, 2);
	assert_int_equal(ask(&a, RUNS, fail_on_trace, 0), E_NODATA);
	end(&a);
	begin(&a);
	a.list[0] = &a.run[2];
	assert_int_equal(ask(&a, 1, fail_on_record, 0), E_NODATA);
	assert_string_equal(a.err.text, "nothing in it");
	end(&a);
}

/* Runs without a record are passed over; no table at all is no answer. */
static void records(void **state)
{
	struct asked a;

	(void)state;
	begin(&a);
	assert_int_equal(ask(&a, RUNS, look, PERRUN_RECORD), E_NODATA);
	assert_int_equal(a.seen[0] + a.seen[1], 0);
	assert_int_equal(a.seen[2], 1);
	assert_int_equal(a.views, 0);
	assert_string_equal(a.err.text, "none of the 3 inputs holds any thing");
	end(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(views),
		cmocka_unit_test(ranks),
		cmocka_unit_test(excuses),
		cmocka_unit_test(records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
