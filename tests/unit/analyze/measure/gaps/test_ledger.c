/* Classes of device work, partitions of time, and the ledger, on traces drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/gaps/ledger.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

/* A run, seen through a filter. */
struct scene {
	struct run run;
	struct filter filter;
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct ledgers ledgers;
	struct arena mem;
};

static void open_scene(struct scene *s)
{
	*s = (struct scene){ 0 };
	run_init(&s->run, NEED_LINKS | NEED_STEPS);
}

static void look(struct scene *s)
{
	struct err e;

	err_clear(&e);
	index_build(&s->run, NEED_ORDER | NEED_LINKS | NEED_STEPS);
	assert_int_equal(filter_parse(&s->set, &s->filter, &e), OK);
	assert_int_equal(filter_view_init(&s->view, &s->set, &s->run, &s->mem, &e), OK);
	classes_init(&s->classes, &s->run, &s->mem);
	ledgers_init(&s->ledgers, &s->run, &s->classes, &s->view, &s->mem);
}

static void close_scene(struct scene *s)
{
	filter_free(&s->set);
	arena_clear(&s->mem);
	run_clear(&s->run);
}

/* Defects 1 and 2: hip kernels, and names with "dma" or "Sync" in them, compute. */
static void classes_go_by_kind_then_name(void **state)
{
	static const struct {
		enum kind kind;
		const char *name;
		enum devclass want;
	} rows[] = {
		{ KIND_KERNEL, "ampere_sgemm_128x64_tn", CLASS_COMPUTE },
		{ KIND_KERNEL, "hipblaslt_gemm", CLASS_COMPUTE },
		{ KIND_KERNEL, "hip_fused_adam", CLASS_COMPUTE },
		{ KIND_KERNEL, "my_dma_gather", CLASS_COMPUTE },
		{ KIND_KERNEL, "SyncBatchNorm_forward", CLASS_COMPUTE },
		{ KIND_KERNEL, "fused_memcpy_like", CLASS_COMPUTE },
		{ KIND_KERNEL, "ncclDevKernel_AllReduce_Sum_bf16", CLASS_COMM },
		{ KIND_KERNEL, "NCCLKERNEL_X", CLASS_COMM },
		{ KIND_KERNEL, "rcclGenericKernel", CLASS_COMM },
		{ KIND_KERNEL, "void vllm::cross_device_reduce_1stage<__half, 2>", CLASS_COMM },
		{ KIND_KERNEL, "nvshmem_put", CLASS_COMM },
		{ KIND_KERNEL, "hipMemcpyAsync", CLASS_MEMCPY },
		{ KIND_KERNEL, "__amd_rocclr_copyBuffer", CLASS_MEMCPY },
		{ KIND_KERNEL, "__amd_rocclr_fillBufferAligned", CLASS_MEMSET },
		{ KIND_KERNEL, "Memset (Device)", CLASS_MEMSET },
		{ KIND_MEMCPY, "Memcpy HtoD (Pageable -> Device)", CLASS_MEMCPY },
		{ KIND_MEMCPY, "nccl by its name, a copy by its kind", CLASS_MEMCPY },
		{ KIND_MEMSET, "Memset (Device)", CLASS_MEMSET },
	};
	struct scene s;
	uint32_t stream;
	size_t i;

	(void)state;
	open_scene(&s);
	stream = hand_stream(&s.run, 0, 7);
	for (i = 0; i < COUNT_OF(rows); i++)
		(void)hand_event(&s.run, rows[i].kind, stream, rows[i].name, (nsec)i * 10, 5);
	look(&s);
	for (i = 0; i < COUNT_OF(rows); i++)
		if (classes_of(&s.classes, (uint32_t)i) != rows[i].want)
			fail_msg("%s is %s", rows[i].name,
				classes_word(classes_of(&s.classes, (uint32_t)i)));
	close_scene(&s);
}

/* A kernel whose name says nothing is the collective's that launched it: k, of c10d's and vLLM's
 * ops and of a record.  What c10d copies for a collective is a copy, and nothing is one below an
 * op that multiplies, too.
 *
 *	thread  |record_param_comms| |vllm::all_reduce ..| |c10d::allgather_ .| |fused_..matmul|
 *	launch     k                    k     elementwise     cat     k            k */
static void an_op_tells_what_its_kernels_are(void **state)
{
	static const struct {
		const char *op, *kernel;
		enum devclass want;
	} rows[] = {
		{ "record_param_comms", "k", CLASS_COMM },
		{ "vllm::all_reduce", "k", CLASS_COMM },
		{ "vllm::all_reduce", "void vllm::add_elementwise_kernel<4>(int)", CLASS_COMPUTE },
		{ "c10d::_allgather_base_",
			"void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>(int)",
			CLASS_COMPUTE },
		{ "c10d::_allgather_base_", "k", CLASS_COMM },
		{ "symm_mem::fused_all_gather_matmul", "k", CLASS_COMPUTE },
		{ "aten::mm", "k", CLASS_COMPUTE },
	};
	struct scene s;
	uint32_t thread, stream, row[COUNT_OF(rows)];
	size_t i;

	(void)state;
	open_scene(&s);
	thread = hand_thread(&s.run, 1);
	stream = hand_stream(&s.run, 0, 7);
	for (i = 0; i < COUNT_OF(rows); i++) {
		nsec at = (nsec)i * 100;

		(void)hand_event(&s.run, KIND_OP, thread, rows[i].op, at, 50);
		row[i] = hand_launch(&s.run, thread, stream, at + 10, at + 60, 5, i + 1);
		s.run.events.name[row[i]] = strings_intern(&s.run.strings, span_of(rows[i].kernel));
	}
	look(&s);
	for (i = 0; i < COUNT_OF(rows); i++)
		if (classes_of(&s.classes, row[i]) != rows[i].want)
			fail_msg("%s of %s is %s", rows[i].kernel, rows[i].op,
				classes_word(classes_of(&s.classes, row[i])));
	close_scene(&s);
}

/* A kernel of any name that a collective's record launched is the collective's. */
static void a_collectives_kernel_communicates(void **state)
{
	struct scene s;
	uint32_t thread, stream, inside, outside;

	(void)state;
	open_scene(&s);
	thread = hand_thread(&s.run, 1);
	stream = hand_stream(&s.run, 0, 7);
	(void)hand_event(&s.run, KIND_OP, thread, "record_param_comms", 0, 10);
	inside = hand_launch(&s.run, thread, stream, 2, 20, 5, 1);
	outside = hand_launch(&s.run, thread, stream, 12, 30, 5, 2);
	look(&s);
	assert_int_equal(classes_of(&s.classes, inside), CLASS_COMM);
	assert_int_equal(classes_of(&s.classes, outside), CLASS_COMPUTE);
	close_scene(&s);
}

/*
 *	 time      0    10   20   30   40   50   60   70   80   90  100
 *	 step #1   [-------------------------)
 *	 step #2                                  [-------------------)
 *	 s7 gemm        [---------)                    [----)
 *	 s9 nccl             [---------)                    [----)
 *	 s7 copy                            [---------)
 *	 s9 set                                                  [----)
 *	 sync      [--------------------------------------------------)   never busy
 */
static void draw(struct scene *s)
{
	uint32_t thread = hand_thread(&s->run, 1);
	uint32_t s7 = hand_stream(&s->run, 0, 7), s9 = hand_stream(&s->run, 0, 9);

	(void)hand_event(&s->run, KIND_ANNOTATION, thread, "ProfilerStep#1", 0, 50);
	(void)hand_event(&s->run, KIND_ANNOTATION, thread, "ProfilerStep#2", 60, 40);
	(void)hand_event(&s->run, KIND_KERNEL, s7, "gemm", 10, 20);
	(void)hand_event(&s->run, KIND_KERNEL, s9, "ncclDevKernel_AllReduce", 20, 20);
	(void)hand_event(&s->run, KIND_MEMCPY, s7, "Memcpy DtoH (Device -> Pinned)", 45, 20);
	(void)hand_event(&s->run, KIND_KERNEL, s7, "gemm", 70, 10);
	(void)hand_event(&s->run, KIND_KERNEL, s9, "ncclDevKernel_AllReduce", 80, 10);
	(void)hand_event(&s->run, KIND_MEMSET, s9, "Memset (Device)", 90, 10);
	(void)hand_event(&s->run, KIND_SYNC, s9, "Stream Synchronize", 0, 100);
	(void)hand_event(&s->run, KIND_GPU_ANNOTATION, s9, "ProfilerStep#1", 0, 50);
}

static void assert_ledger(struct ledger l, nsec compute, nsec comm, nsec memcpy, nsec idle)
{
	assert_int_equal(l.compute, compute);
	assert_int_equal(l.exposed_comm, comm);
	assert_int_equal(l.exposed_memcpy, memcpy);
	assert_int_equal(l.idle, idle);
	assert_int_equal(l.total, compute + comm + memcpy + idle);
	assert_int_equal(l.busy, l.total - l.idle);
}

static void parts_add_up_in_every_step(void **state)
{
	struct scene s;
	struct ledger l;

	(void)state;
	open_scene(&s);
	draw(&s);
	look(&s);
	assert_int_equal(s.ledgers.ndevice, 1);
	assert_int_equal(s.ledgers.device[0].nevent, 6);
	assert_ledger(ledger_step(&s.ledgers, 0, 0), 20, 10, 5, 15);
	assert_ledger(ledger_step(&s.ledgers, 0, 1), 20, 10, 5, 5);
	l = ledger_whole(&s.ledgers, 0);
	assert_ledger(l, 40, 20, 20, 10);
	assert_int_equal(l.kernels, 50);
	assert_int_equal(l.compute_kernels, 30);
	assert_int_equal(l.only_memset, 10);
	assert_int_equal(l.comm, 30);
	assert_int_equal(l.memcpy, 20);
	assert_int_equal(l.memset, 10);
	assert_int_equal(l.comm_compute, 10);
	assert_int_equal(l.comm_compute_kernels, 10);
	assert_int_equal(s.ledgers.device[0].sum[CLASS_COMM], 30);
	assert_int_equal(s.ledgers.device[0].count[CLASS_COMPUTE], 2);
	close_scene(&s);
}

/* --stream leaves the work of other streams out, --steps leaves out none. */
static void filters_choose_work(void **state)
{
	struct scene s;

	(void)state;
	open_scene(&s);
	draw(&s);
	s.filter.stream = "7";
	s.filter.steps = "2";
	look(&s);
	assert_ledger(ledger_step(&s.ledgers, 0, 0), 20, 0, 5, 25);
	assert_ledger(ledger_step(&s.ledgers, 0, 1), 10, 0, 5, 25);
	close_scene(&s);
}

/* [10, 60) hides the end of [20, 30), so the gap before 70 is 10 long, not 40. */
static void a_long_event_hides_later_short_ones(void **state)
{
	struct scene s;
	uint32_t a, b;

	(void)state;
	open_scene(&s);
	a = hand_stream(&s.run, 0, 7);
	b = hand_stream(&s.run, 0, 8);
	(void)hand_event(&s.run, KIND_KERNEL, a, "long", 10, 50);
	(void)hand_event(&s.run, KIND_KERNEL, b, "short", 20, 10);
	(void)hand_event(&s.run, KIND_KERNEL, b, "zero", 65, 0);
	(void)hand_event(&s.run, KIND_KERNEL, b, "short", 70, 10);
	look(&s);
	assert_ledger(ledger_whole(&s.ledgers, 0), 60, 0, 0, 10);
	close_scene(&s);
}

/* Devices do not see each other; they come by number. */
static void devices_are_apart(void **state)
{
	struct scene s;

	(void)state;
	open_scene(&s);
	(void)hand_event(&s.run, KIND_KERNEL, hand_stream(&s.run, 3, 7), "k", 0, 10);
	(void)hand_event(&s.run, KIND_KERNEL, hand_stream(&s.run, 1, 7), "k", 5, 20);
	(void)hand_event(&s.run, KIND_KERNEL, hand_stream(&s.run, 3, 8), "k", 15, 10);
	look(&s);
	assert_int_equal(s.ledgers.ndevice, 2);
	assert_int_equal(s.ledgers.device[0].id, 1);
	assert_ledger(ledger_whole(&s.ledgers, 0), 20, 0, 0, 0);
	assert_ledger(ledger_whole(&s.ledgers, 1), 20, 0, 0, 5);
	/* The whole trace is the one step: [0, 25). */
	assert_ledger(ledger_step(&s.ledgers, 0, 0), 20, 0, 0, 5);
	assert_ledger(ledger_step(&s.ledgers, 1, 0), 20, 0, 0, 5);
	close_scene(&s);
}

/*
 *	 time     0         10
 *	 a        [------)
 *	 b          [-)               inside a
 *	 c            [-----)         overlaps both
 *	 kind 0     [---)             d is empty, e lies before everything
 *	 kind 1        [--------)
 */
static void ranges_may_overlap(void **state)
{
	static const nsec start[] = { 0, 2, 4, 5, -9 }, end[] = { 8, 5, 11, 5, -7 };
	static const uint64_t want[5][4] = { { 2, 3, 1, 2 }, { 0, 3, 0, 0 }, { 0, 1, 4, 2 }, { 0 },
		{ 2, 0, 0, 0 } };
	struct partition_sums range[5] = { 0 };
	struct partition_edges edges;
	struct partition p;
	SCOPED_ARENA mem = { 0 };
	size_t i, k;

	(void)state;
	partition_edges_init(&edges, start, end, 5, &mem);
	partition_init(&p, &edges, range, 2, true);
	partition_add(&p, 0, 2, 7);
	partition_add(&p, 1, 5, 15);
	partition_end(&p);
	for (i = 0; i < 5; i++)
		for (k = 0; k < 4; k++)
			assert_int_equal(range[i].ns[k], want[i][k]);
}

/* By first, the slot is that of the first active kind; the last one is nothing's. */
static void precedence_gives_each_moment_once(void **state)
{
	static const nsec start[] = { 0 }, end[] = { 20 };
	struct partition_sums range[1] = { 0 };
	struct partition_edges edges;
	struct partition p;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	partition_edges_init(&edges, start, end, 1, &mem);
	partition_init(&p, &edges, range, 3, false);
	partition_add(&p, 2, 0, 10);
	partition_add(&p, 1, 2, 6);
	partition_add(&p, 0, 4, 5);
	partition_add(&p, 1, 12, 14);
	partition_end(&p);
	assert_int_equal(range[0].ns[0], 1);
	assert_int_equal(range[0].ns[1], 5);
	assert_int_equal(range[0].ns[2], 6);
	assert_int_equal(range[0].ns[3], 8);
}

/* Nothing happens, and ranges are still there. */
static void nothing_is_all_idle(void **state)
{
	static const nsec start[] = { 5 }, end[] = { 9 };
	struct partition_sums range[1] = { 0 };
	struct partition_edges edges, none = { 0 };
	struct partition p;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	partition_edges_init(&edges, start, end, 1, &mem);
	partition_init(&p, &edges, range, 1, true);
	partition_end(&p);
	assert_int_equal(range[0].ns[0], 4);
	partition_init(&p, &none, NULL, 1, true);
	partition_end(&p);
	assert_int_equal(p.sums.ns[0], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_go_by_kind_then_name),
		cmocka_unit_test(an_op_tells_what_its_kernels_are),
		cmocka_unit_test(a_collectives_kernel_communicates),
		cmocka_unit_test(parts_add_up_in_every_step),
		cmocka_unit_test(filters_choose_work),
		cmocka_unit_test(a_long_event_hides_later_short_ones),
		cmocka_unit_test(devices_are_apart),
		cmocka_unit_test(ranges_may_overlap),
		cmocka_unit_test(precedence_gives_each_moment_once),
		cmocka_unit_test(nothing_is_all_idle),
	};

	return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
