/* `top` on a run that is large enough for threads: the same tables for any number of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/index.h"
#include "base/parallel.h"
#include "cmd/commands.h"
#include "tests/unit/analyze/answer/top/top_ask.h"
#include "tests/unit/handmade.h"

enum { STEPS = 200, CALLS = 80 };

/* Steps on one thread, ops and launches on three, kernels on two streams. */
static void make_large(struct run *r)
{
	static const char *const ops[] = { "mm", "add", "mul", "copy", "relu" };
	uint32_t t[3], s[2], id = 1;
	char name[32];
	nsec at;
	int i, k;

	run_init(r, analysis_top.runs.needs);
	for (i = 0; i < 3; i++)
		t[i] = hand_thread(r, i + 1);
	for (i = 0; i < 2; i++)
		s[i] = hand_stream(r, 0, 7 + i);
	for (i = 0; i < STEPS; i++) {
		(void)snprintf(name, sizeof(name), "ProfilerStep#%d", i);
		(void)hand_event(r, KIND_ANNOTATION, t[0], name, 10000 * i, 9000);
		for (k = 0; k < CALLS; k++) {
			at = 10000 * i + 100 * k;
			(void)hand_event(r, KIND_OP, t[k % 3], ops[k % 5], at, 80 + i % 13);
			(void)hand_event(r, KIND_OP, t[k % 3], ops[(k + i) % 5], at + 10, 70);
			(void)hand_launch(
				r, t[k % 3], s[k % 2], at + 20, at + 500, 40 + k % 7, id++);
		}
	}
}

static void ask(struct hand_answer *h, struct run *r, unsigned threads, const char *by)
{
	struct top_ask a = top_ask_defaults();
	const struct run *list[] = { r };
	struct query q = { .run = list, .nrun = 1, .filter = &a.filter, .opts = &a.opts };

	a.opts.by = by;
	q.threads = threads;
	*h = (struct hand_answer){ 0 };
	err_clear(&h->err);
	result_init(&h->result, "traceq.top/1");
	(void)result_input(&h->result, "hand.json");
	assert_int_equal(
		analysis_answer(&analysis_top, &q, &h->result, &h->exit_code, &h->err), OK);
}

static void assert_same_cell(const struct table *a, const struct table *b, size_t row, size_t col)
{
	const union cell *x = table_cell(a, row, col), *y = table_cell(b, row, col);

	assert_int_equal(x != NULL, y != NULL);
	if (!x || !y)
		return;
	if (a->col[col].type == CELL_TEXT) {
		assert_int_equal(x->s.n, y->s.n);
		assert_memory_equal(x->s.p, y->s.p, x->s.n);
	} else {
		assert_memory_equal(x, y, sizeof(int64_t));
	}
}

static void assert_same(const struct result *a, const struct result *b)
{
	size_t i, row, col;

	assert_int_equal(a->ntable, b->ntable);
	for (i = 0; i < a->ntable; i++) {
		const struct table *x = a->table[i], *y = b->table[i];

		assert_int_equal(x->nrow, y->nrow);
		assert_int_equal(x->ncol, y->ncol);
		for (row = 0; row < x->nrow; row++)
			for (col = 0; col < x->ncol; col++)
				if (x->col[col].type != CELL_BOOL)
					assert_same_cell(x, y, row, col);
	}
}

static void test_any_threads(void **state)
{
	static const unsigned threads[] = { 0, 2, 4, 8 };
	static const char *const by[] = { NULL, "kernel", "category", "phase", "stream" };
	struct hand_answer one, many;
	struct run r;
	size_t i, k;

	(void)state;
	make_large(&r);
	index_build(&r, analysis_top.runs.needs);
	assert_true(r.events.n >= PARALLEL_ITEMS_MIN);
	for (k = 0; k < COUNT_OF(by); k++) {
		ask(&one, &r, 1, by[k]);
		for (i = 0; i < COUNT_OF(threads); i++) {
			ask(&many, &r, threads[i], by[k]);
			assert_same(&one.result, &many.result);
			hand_release(&many);
		}
		hand_release(&one);
	}
	ask(&one, &r, 8, NULL);
	i = top_row(hand_table(&one, "ops"), "cudaLaunchKernel");
	assert_int_equal(hand_int(hand_table(&one, "ops"), i, "calls"), STEPS * CALLS);
	hand_release(&one);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_any_threads) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
