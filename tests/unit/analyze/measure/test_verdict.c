/* The verdict: each word by an account made by hand, and by small runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/verdict.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"
#include "tests/unit/near.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_MEMORY };

/* Where the time of a device goes, in any unit; `longs`: of the host's waits, in long gaps. */
struct spent {
	nsec compute, comm, copy;
	nsec data, sync, runtime, op, python, nothing, launch, dependency, unknown, unrecorded;
	nsec longs;
};

static struct account account_of(const struct spent *s)
{
	struct account a = {
		.ledger = { .compute = s->compute,
			.exposed_comm = s->comm,
			.exposed_memcpy = s->copy,
			.busy = s->compute + s->comm + s->copy },
		.wait = { [GAP_CAUSE_DATA] = s->data,
			[GAP_CAUSE_SYNC] = s->sync,
			[GAP_CAUSE_RUNTIME] = s->runtime,
			[GAP_CAUSE_OP] = s->op,
			[GAP_CAUSE_PYTHON] = s->python,
			[GAP_CAUSE_NOTHING] = s->nothing,
			[GAP_CAUSE_LAUNCH] = s->launch,
			[GAP_CAUSE_DEPENDENCY] = s->dependency,
			[GAP_CAUSE_UNKNOWN] = s->unknown,
			[GAP_CAUSE_UNRECORDED] = s->unrecorded },
		.long_host = s->longs,
	};
	int i;

	for (i = 0; i < GAP_CAUSE_COUNT; i++)
		a.ledger.idle += a.wait[i];
	a.ledger.total = a.ledger.busy + a.ledger.idle;
	a.ns = a.ledger.total - s->unrecorded;
	return a;
}

/* ---- parts ---- */

/* What the host does is one part; all parts are the window less what is unrecorded. */
static void parts_add_up(void **state)
{
	const struct spent s = { .compute = 1,
		.comm = 2,
		.copy = 4,
		.data = 8,
		.sync = 16,
		.runtime = 32,
		.op = 64,
		.python = 128,
		.nothing = 256,
		.launch = 512,
		.dependency = 1024,
		.unknown = 2048,
		.unrecorded = 4096,
		.longs = 495 };
	struct account a = account_of(&s);
	nsec ns[PART_OF_COUNT], sum = 0;
	int i;

	(void)state;
	verdict_parts(&a, ns);
	assert_int_equal(ns[PART_OF_COMPUTE], 1);
	assert_int_equal(ns[PART_OF_COMM], 2);
	assert_int_equal(ns[PART_OF_COPY], 4);
	assert_int_equal(ns[PART_OF_DATA], 8);
	assert_int_equal(ns[PART_OF_SYNC], 16);
	assert_int_equal(ns[PART_OF_HOST], 0);
	assert_int_equal(ns[PART_OF_LAUNCH], 32 + 64 + 128 + 256 + 512);
	assert_int_equal(ns[PART_OF_DEPENDENCY], 1024);
	assert_int_equal(ns[PART_OF_UNKNOWN], 2048);
	for (i = 0; i < PART_OF_COUNT; i++)
		sum += ns[i];
	assert_int_equal(sum, a.ns);
	/* of 992: half in long gaps */
	a.long_host = 496;
	verdict_parts(&a, ns);
	assert_int_equal(ns[PART_OF_HOST], 992);
	assert_int_equal(ns[PART_OF_LAUNCH], 0);
}

/* ---- words ---- */

/* The verdict on devices of these accounts, in a run without events.  Texts are constant. */
static struct verdict verdict_on(struct account *device, size_t n)
{
	struct window w = { .device = device, .ndevice = n, .nstep = 1 };
	const struct filter none = { 0 };
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct verdict x;
	struct arena mem = { 0 };
	struct err e;
	struct run r;

	err_clear(&e);
	run_init(&r, NEEDS);
	index_build(&r, NEEDS);
	assert_int_equal(filter_parse(&set, &none, &e), OK);
	assert_int_equal(filter_view_init(&view, &set, &r, &mem, &e), OK);
	classes_init(&classes, &r, &mem);
	verdict_init(&x, &r, &w, &classes, &view, &mem);
	filter_free(&set);
	arena_clear(&mem);
	run_clear(&r);
	return x;
}

static void assert_words(const struct spent *s, const char *word, const char *second)
{
	struct account a = account_of(s);
	struct verdict x = verdict_on(&a, 1);

	assert_string_equal(x.word, word);
	if (second) {
		assert_non_null(x.second);
		assert_string_equal(x.second, second);
	} else if (x.second) {
		fail_msg("%s, second %s, though nothing is close", x.word, x.second);
	}
	assert_int_equal(x.device, 0);
	near(x.share, (double)x.ns[x.part] / (double)a.ns, 1e-12);
}

/* Of 100. */
static void the_largest_part_names_the_run(void **state)
{
	(void)state;
	assert_words(&(struct spent){ .compute = 60, .comm = 20, .op = 20 }, "compute-bound", NULL);
	assert_words(
		&(struct spent){ .compute = 30, .comm = 50, .dependency = 20 }, "comm-bound", NULL);
	assert_words(&(struct spent){ .compute = 30, .copy = 50, .data = 20 }, "copy-bound", NULL);
	assert_words(
		&(struct spent){ .compute = 30, .copy = 20, .data = 50 }, "dataloader-bound", NULL);
	assert_words(&(struct spent){ .compute = 30, .copy = 20, .sync = 50 }, "sync-bound", NULL);
	assert_words(&(struct spent){ .compute = 30, .comm = 20, .op = 50, .longs = 50 },
		"host-bound", NULL);
	assert_words(&(struct spent){ .compute = 30, .comm = 20, .op = 50, .longs = 25 },
		"host-bound", NULL);
	assert_words(&(struct spent){ .compute = 30, .comm = 20, .op = 50, .longs = 24 },
		"launch-bound", NULL);
}

/* Each alone is less than computing. */
static void all_of_the_host_is_one_part(void **state)
{
	(void)state;
	assert_words(&(struct spent){ .compute = 30,
			     .data = 20,
			     .runtime = 10,
			     .op = 10,
			     .python = 10,
			     .nothing = 10,
			     .launch = 10 },
		"launch-bound", NULL);
}

/* A part within a fifth of the first is named: of 50, 40 is, 39 is not. */
static void what_is_close_is_named(void **state)
{
	(void)state;
	assert_words(&(struct spent){ .compute = 40, .data = 50, .op = 10 }, "dataloader-bound",
		"compute-bound");
	assert_words(
		&(struct spent){ .compute = 39, .data = 50, .op = 11 }, "dataloader-bound", NULL);
	assert_words(&(struct spent){ .compute = 20, .comm = 44, .sync = 36 }, "comm-bound",
		"sync-bound");
	/* equal: the earlier one names it */
	assert_words(&(struct spent){ .compute = 30, .comm = 35, .copy = 35 }, "comm-bound",
		"copy-bound");
	assert_words(&(struct spent){ .compute = 50, .sync = 50 }, "compute-bound", "sync-bound");
}

/* A loss of 30 % of the window is named, however much is computed. */
static void a_large_loss_is_named(void **state)
{
	(void)state;
	assert_words(&(struct spent){ .compute = 60, .sync = 30, .op = 10 }, "compute-bound",
		"sync-bound");
	assert_words(&(struct spent){ .compute = 60, .sync = 29, .op = 11 }, "compute-bound", NULL);
}

/* What blames nobody names a run only where it is more than half of it, and is no second else. */
static void blameless_parts(void **state)
{
	(void)state;
	assert_words(&(struct spent){ .compute = 30, .comm = 20, .dependency = 50 },
		"compute-bound", NULL);
	assert_words(&(struct spent){ .compute = 29, .comm = 20, .dependency = 51 },
		"dependency-bound", NULL);
	assert_words(
		&(struct spent){ .compute = 42, .comm = 8, .unknown = 50 }, "compute-bound", NULL);
	assert_words(&(struct spent){ .compute = 42, .comm = 7, .unknown = 51 }, "device-only",
		"compute-bound");
}

/* Without any call that launches work nobody knows why a device waits, and who launched the rest.
 */
static void without_launches_it_is_doubted(void **state)
{
	struct account idle = account_of(&(struct spent){ .compute = 57, .unknown = 43 });
	struct account busy = account_of(&(struct spent){ .compute = 98, .unknown = 2 });
	struct verdict x = verdict_on(&idle, 1);

	(void)state;
	assert_string_equal(x.word, "compute-bound");
	assert_string_equal(x.doubt,
		"no call that launches work is recorded, so nothing tells why the GPU waits");
	x = verdict_on(&busy, 1);
	assert_string_equal(x.word, "healthy");
	assert_string_equal(x.doubt, "nothing tells which calls launched the work");
}

/* 900 of 1000 is unrecorded: shares are of 100. */
static void unrecorded_has_no_share(void **state)
{
	const struct spent s = { .compute = 60, .op = 40, .unrecorded = 900 };
	struct account a = account_of(&s);
	struct verdict x = verdict_on(&a, 1);

	(void)state;
	assert_string_equal(x.word, "compute-bound");
	assert_string_equal(x.second, "launch-bound");
	near(x.share, 0.6, 1e-12);
	near(x.second_share, 0.4, 1e-12);
}

/* Healthy: computing, busy for 90 %, and nothing else is 5 %. */
static void healthy(void **state)
{
	(void)state;
	assert_words(&(struct spent){ .compute = 96, .op = 4 }, "healthy", NULL);
	assert_words(&(struct spent){ .compute = 95, .op = 5 }, "compute-bound", NULL);
	assert_words(&(struct spent){ .compute = 95, .dependency = 5 }, "compute-bound", NULL);
	assert_words(&(struct spent){ .compute = 95, .comm = 5 }, "compute-bound", NULL);
	assert_words(&(struct spent){ .compute = 84, .comm = 4, .copy = 4, .data = 4, .sync = 4 },
		"healthy", NULL);
	/* busy for 88 % */
	assert_words(&(struct spent){ .compute = 84, .comm = 4, .data = 4, .sync = 4, .op = 4 },
		"compute-bound", NULL);
	/* 4 of the 80 that are no part of the recording's past */
	assert_words(
		&(struct spent){ .compute = 76, .op = 4, .unrecorded = 20 }, "compute-bound", NULL);
	assert_words(&(struct spent){ .compute = 77, .op = 3, .unrecorded = 20 }, "healthy", NULL);
}

/* The device that computes for the smallest share is spoken of; one without time is passed over. */
static void the_worst_device(void **state)
{
	struct account two[] = { account_of(&(struct spent){ .compute = 90, .op = 10 }),
		account_of(&(struct spent){ .compute = 20, .data = 30 }),
		account_of(&(struct spent){ 0 }),
		account_of(&(struct spent){ .compute = 400, .sync = 500 }) };
	struct verdict x = verdict_on(two, COUNT_OF(two));

	(void)state;
	assert_int_equal(x.device, 1);
	assert_string_equal(x.word, "dataloader-bound");
	x = verdict_on(two, 1);
	assert_int_equal(x.device, 0);
	x = verdict_on(&two[2], 1);
	assert_true(x.device == SIZE_MAX);
	assert_string_equal(x.word, "empty");
}

static void words_are_explained(void **state)
{
	const struct verdict_doc *doc;
	size_t i, k;

	(void)state;
	for (i = 0; (doc = verdict_doc(i)) != NULL; i++) {
		assert_true(strlen(doc->word) > 0 && strlen(doc->doc) > 0);
		for (k = 0; k < i; k++)
			assert_string_not_equal(doc->word, verdict_doc(k)->word);
	}
	assert_int_equal(i, PART_OF_COUNT + 6);
	assert_string_equal(verdict_doc(PART_OF_COMM)->word, part_verdict(PART_OF_COMM));
}

/* ---- runs ---- */

enum { STEP = 1000 };

struct drawing {
	struct run run;
	uint32_t thread, stream;
	uint64_t correlation;
};

static void begin(struct drawing *d)
{
	*d = (struct drawing){ 0 };
	run_init(&d->run, NEEDS);
	d->run.is_complete = true;
	d->thread = hand_thread(&d->run, 1);
	d->stream = hand_stream(&d->run, 0, 7);
}

static void step(struct drawing *d, int i)
{
	char name[32];

	(void)snprintf(name, sizeof(name), "ProfilerStep#%d", i);
	(void)hand_event(&d->run, KIND_ANNOTATION, d->thread, name, (nsec)i * STEP, STEP);
}

static void kernel(struct drawing *d, const char *name, nsec at, nsec start, nsec end)
{
	uint32_t launch = hand_event(&d->run, KIND_RUNTIME, d->thread, "cudaLaunchKernel", at, 1);
	uint32_t row = hand_event(&d->run, KIND_KERNEL, d->stream, name, start, end - start);

	d->correlation++;
	hand_ids(&d->run, launch, d->correlation, 0);
	hand_ids(&d->run, row, d->correlation, 0);
}

/* The verdict on a drawing, which is then gone. */
static struct verdict judge(struct drawing *d)
{
	const struct filter none = { 0 };
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct ledgers ledgers;
	struct step_gap_causes waiting;
	struct window window;
	struct verdict x;
	struct arena mem = { 0 };
	struct err e;

	err_clear(&e);
	index_build(&d->run, NEEDS);
	assert_int_equal(filter_parse(&set, &none, &e), OK);
	assert_int_equal(filter_view_init(&view, &set, &d->run, &mem, &e), OK);
	classes_init(&classes, &d->run, &mem);
	ledgers_init(&ledgers, &d->run, &classes, &view, &mem);
	step_gap_causes_init(&waiting, &d->run, &view, &mem);
	window_init(&window, &d->run, &view, &ledgers, &waiting, &mem);
	verdict_init(&x, &d->run, &window, &classes, &view, &mem);
	filter_free(&set);
	arena_clear(&mem);
	run_clear(&d->run);
	return x;
}

/*
 *	stream   gemm [1 500)  softmax [500 800)  all-reduce [800 1000)
 *
 * The family is of what computes: 499 of 799.  The collective is 200 of 1000.
 */
static void families(void **state)
{
	struct drawing d;
	struct verdict x;

	(void)state;
	begin(&d);
	step(&d, 0);
	kernel(&d, "ampere_sgemm_128x64_tn", 0, 1, 500);
	kernel(&d, "softmax_warp_forward", 2, 500, 800);
	kernel(&d, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 4, 800, 1000);
	x = judge(&d);
	assert_string_equal(x.word, "compute-bound");
	assert_null(x.second);
	assert_null(x.doubt);
	assert_int_equal(x.family, FAMILY_MATMUL);
	near(x.family_share, 499.0 / 799, 1e-12);
	near(x.share, 0.799, 1e-12);
	assert_int_equal(x.ns[PART_OF_COMM], 200);
	assert_int_equal(x.casts, 0);
}

/* A kernel that only converts types and takes 5 % of a step is worth something; 4.9 % is not. */
static void casts(void **state)
{
	const char *name = "void at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)";
	struct drawing d;
	struct verdict x;

	(void)state;
	begin(&d);
	step(&d, 0);
	kernel(&d, name, 0, 1, 51);
	kernel(&d, "gemm", 2, 51, 1000);
	x = judge(&d);
	assert_string_equal(x.word, "compute-bound");
	assert_int_equal(x.casts, 50);
	begin(&d);
	step(&d, 0);
	kernel(&d, name, 0, 1, 50);
	kernel(&d, "gemm", 2, 50, 1000);
	x = judge(&d);
	assert_string_equal(x.word, "healthy");
	assert_int_equal(x.casts, 49);
}

/* Ten steps in which memory grows by 3 MiB each; `comm` of each is a collective. */
static struct verdict judge_leak(nsec comm, int64_t growth)
{
	struct drawing d;
	int i;

	begin(&d);
	for (i = 0; i < 10; i++) {
		nsec t = (nsec)i * STEP;
		uint32_t row;
		size_t side;

		step(&d, i);
		kernel(&d, "gemm", t, t + 1, t + STEP - comm);
		if (comm > 0)
			kernel(&d, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", t + 2,
				t + STEP - comm, t + STEP);
		row = hand_event(&d.run, KIND_MEMORY, d.thread, "[memory]", t + 500, 0);
		side = d.run.events.args[row] - 1;
		d.run.args.col[ARG_MEMORY_BYTES].i64[side] = growth;
		d.run.args.col[ARG_MEMORY_DEVICE_TYPE].i64[side] = 1;
		d.run.args.col[ARG_MEMORY_DEVICE].i64[side] = 0;
		d.run.args.col[ARG_MEMORY_ALLOCATED].i64[side] = (INT64_C(100) << 20) + i * growth;
		d.run.args.col[ARG_MEMORY_RESERVED].i64[side] = INT64_C(200) << 20;
	}
	return judge(&d);
}

/* Only a run that computes most is named by its memory. */
static void leak(void **state)
{
	const int64_t mib = INT64_C(1) << 20;

	(void)state;
	assert_string_equal(judge_leak(0, 3 * mib).word, "memory-leak");
	assert_string_equal(judge_leak(0, 0).word, "healthy");
	assert_string_equal(judge_leak(700, 3 * mib).word, "comm-bound");
}

/* A run of these events and no device work, whole or cut off. */
static const char *without_device(bool has_op, bool has_call, uint64_t ngpu, bool is_complete)
{
	struct drawing d;

	begin(&d);
	d.run.is_complete = is_complete;
	d.run.meta.ngpu = ngpu;
	if (has_op)
		(void)hand_event(&d.run, KIND_OP, d.thread, "aten::mm", 0, 10);
	if (has_call)
		(void)hand_event(&d.run, KIND_RUNTIME, d.thread, "cudaLaunchKernel", 2, 2);
	return judge(&d).word;
}

/* A cut file is blamed where something says that there was a device. */
static void no_device(void **state)
{
	struct drawing d;
	struct verdict x;

	(void)state;
	assert_string_equal(without_device(true, false, 0, true), "cpu-bound");
	assert_string_equal(without_device(true, true, 8, true), "not-judged");
	assert_string_equal(without_device(false, true, 0, true), "not-judged");
	assert_string_equal(without_device(true, false, 0, false), "cpu-bound");
	assert_string_equal(without_device(true, true, 0, false), "cut-off");
	assert_string_equal(without_device(true, false, 8, false), "cut-off");
	assert_string_equal(without_device(false, false, 0, true), "empty");
	begin(&d);
	x = judge(&d);
	assert_true(x.device == SIZE_MAX);
	assert_true(isnan(x.share));
	assert_true(isnan(x.family_share));
	assert_null(x.second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(the_largest_part_names_the_run),
		cmocka_unit_test(all_of_the_host_is_one_part),
		cmocka_unit_test(what_is_close_is_named),
		cmocka_unit_test(a_large_loss_is_named),
		cmocka_unit_test(blameless_parts),
		cmocka_unit_test(without_launches_it_is_doubted),
		cmocka_unit_test(unrecorded_has_no_share),
		cmocka_unit_test(healthy),
		cmocka_unit_test(the_worst_device),
		cmocka_unit_test(words_are_explained),
		cmocka_unit_test(families),
		cmocka_unit_test(casts),
		cmocka_unit_test(leak),
		cmocka_unit_test(no_device),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
