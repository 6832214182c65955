/* The word of a run, by what changes save; in thousandths of a step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/judge/judge.h"

enum { ROWS = 4, STEP = 1000 };

/* What saves, and what of a step the GPU waits for what. */
struct word_case {
	const char *word, *second;
	struct judge_row row[ROWS];
	nsec ns[PART_OF_COUNT];
};

#define SAVES(change, saved)                                          \
	{                                                             \
		.of = JUDGE_##change, .saves = saved, .says = #change \
	}

static void expect(const struct word_case *c, const struct step_kind *odd, nsec blind)
{
	struct account account = { .ns = STEP, .ledger = { .total = STEP, .compute = STEP / 2 } };
	struct window w = {
		.device = &account, .ndevice = 1, .ns = STEP, .kinds = { .worst = odd }
	};
	struct judge_row row[ROWS];
	struct judge j = { .window = &w, .row = row, .blind = blind };
	struct verdict v = { 0 };

	for (; j.n < ROWS && c->row[j.n].says; j.n++)
		row[j.n] = c->row[j.n];
	for (size_t i = 0; i < PART_OF_COUNT; i++)
		v.ns[i] = c->ns[i];
	judge_name(&j, &v);
	assert_string_equal(v.word, c->word);
	if (c->second)
		assert_string_equal(v.second, c->second);
	else
		assert_null(v.second);
}

/* A remedy of 15 % comes before kernels that save more; what the host did before waiting for it. */
static void test_sync(void **state)
{
	static const struct word_case cases[] = {
		/* .item() in each layer, and little behind it */
		{ "sync-bound", "compute-bound",
			{ SAVES(SYNC, 474), SAVES(HOST, 235), SAVES(KERNELS, 261) },
			{ [PART_OF_SYNC] = 469 } },
		{ "sync-bound", "compute-bound",
			{ SAVES(SYNC, 288), SAVES(HOST, 20), SAVES(KERNELS, 354) },
			{ [PART_OF_SYNC] = 281 } },
		/* the same behind the loader: free, it saves as much */
		{ "dataloader-bound", "sync-bound",
			{ SAVES(DATA, 330), SAVES(SYNC, 330), SAVES(KERNELS, 332) },
			{ [PART_OF_DATA] = 330 } },
		{ "malloc-bound", "sync-bound",
			{ SAVES(ALLOCATOR, 319), SAVES(SYNC, 320), SAVES(KERNELS, 336) },
			{ [PART_OF_MALLOC] = 319 } },
		/* the GPU waits longer for the host than in the call, and it saves half as much */
		{ "host-bound", "sync-bound",
			{ SAVES(SYNC, 466), SAVES(HOST, 244), SAVES(KERNELS, 249) },
			{ [PART_OF_HOST] = 488 } },
		/* nonzero() in each layer: many short gaps */
		{ "sync-bound", "compute-bound",
			{ SAVES(SYNC, 288), SAVES(HOST, 144), SAVES(KERNELS, 351) },
			{ [PART_OF_SYNC] = 4, [PART_OF_LAUNCH] = 286 } },
		/* at the end of a step it waits for a collective: the GPU is busy, and without the
		 * wait the next step would hide it */
		{ "comm-bound", "sync-bound",
			{ SAVES(SYNC, 453), SAVES(COMM, 448), SAVES(KERNELS, 270) },
			{ [PART_OF_SYNC] = 8, [PART_OF_COMM] = 451 } },
		{ "copy-bound", "sync-bound",
			{ SAVES(SYNC, 453), SAVES(COPIES, 448), SAVES(KERNELS, 270) },
			{ [PART_OF_SYNC] = 8, [PART_OF_COPY] = 451 } },
		/* the GPU really is idle behind it */
		{ "sync-bound", "comm-bound",
			{ SAVES(SYNC, 453), SAVES(COMM, 300), SAVES(KERNELS, 270) },
			{ [PART_OF_SYNC] = 400, [PART_OF_COMM] = 310 } },
		/* less than 15 %: what saves most */
		{ "compute-bound", NULL, { SAVES(SYNC, 120), SAVES(HOST, 20), SAVES(KERNELS, 450) },
			{ [PART_OF_SYNC] = 120 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		expect(&cases[i], NULL, 0);
}

/* Nothing is recorded of the CPU for half of a step: twice as fast that would save 244. */
static void test_blind(void **state)
{
	static const struct word_case cases[] = {
		/* the remedy stands, and what was hidden names the run */
		{ "host-bound", "sync-bound",
			{ SAVES(SYNC, 466), SAVES(HOST, 0), SAVES(KERNELS, 249) },
			{ [PART_OF_HOST] = 488 } },
		/* kernels save nothing: it hangs on the CPU, though they take most of the step */
		{ "host-bound", "compute-bound", { SAVES(KERNELS, 0) },
			{ [PART_OF_COMPUTE] = 510, [PART_OF_HOST] = 490 } },
		/* another remedy that saves more */
		{ "copy-bound", NULL, { SAVES(COPIES, 300), SAVES(KERNELS, 100) },
			{ [PART_OF_COPY] = 300 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		expect(&cases[i], NULL, 244);
}

/* Odd steps that save most: what most of them is. */
static void test_odd(void **state)
{
	static const struct {
		struct step_kind kind;
		const char *word;
	} cases[] = {
		{ { .when = WHEN_FIRST, .cause = GAP_CAUSE_ALLOCATOR }, "start-up" },
		{ { .when = WHEN_EVERY, .cause = GAP_CAUSE_DATA }, "dataloader-bound" },
		{ { .when = WHEN_EVERY, .cause = GAP_CAUSE_CHECKPOINT }, "uneven-steps" },
		{ { .when = WHEN_FROM, .cause = GAP_CAUSE_COUNT }, "uneven-steps" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct word_case c = { cases[i].word, "compute-bound",
			{ SAVES(UNEVEN, 660), SAVES(KERNELS, 480) }, { 0 } };

		expect(&c, &cases[i].kind, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_sync),
		cmocka_unit_test(test_blind), cmocka_unit_test(test_odd) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
