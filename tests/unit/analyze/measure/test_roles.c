/* The eight roles, on traces drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/roles.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

struct scene {
	struct run run;
	struct arena mem;
	struct roles roles;
};

static void open_scene(struct scene *s)
{
	*s = (struct scene){ 0 };
	run_init(&s->run, NEED_LINKS | NEED_STEPS);
}

static void look(struct scene *s)
{
	const struct filter filter = { 0 };
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct err e;

	err_clear(&e);
	index_build(&s->run, NEED_ORDER | NEED_LINKS | NEED_STEPS);
	assert_int_equal(filter_parse(&set, &filter, &e), OK);
	assert_int_equal(filter_view_init(&view, &set, &s->run, &s->mem, &e), OK);
	classes_init(&classes, &s->run, &s->mem);
	roles_init(&s->roles, &s->run, &classes, &view, &s->mem);
	filter_free(&set);
}

static void close_scene(struct scene *s)
{
	arena_clear(&s->mem);
	run_clear(&s->run);
}

static void assert_roles(const struct scene *s, size_t step, const uint64_t want[ROLE_COUNT])
{
	int k;

	for (k = 0; k < ROLE_COUNT; k++)
		if (s->roles.step[step].ns[k] != want[k])
			fail_msg("step %zu: %s is %llu, not %llu", step, role_word((enum role)k),
				(unsigned long long)s->roles.step[step].ns[k],
				(unsigned long long)want[k]);
}

/*
 *	 time      0    10   20   30   40   50   60   70   80   90  100
 *	 step      [--------------------------------------------------)
 *	 loader    [--------------)                                      enumerate(DataLoader)
 *	   op           [----)                                           inside it: still loading
 *	 op                       [-------------------)
 *	   call                        [----)                            cudaLaunchKernel
 *	 kernel                             [----)                        stream 7
 *	 nccl                                  [------)                   stream 9: 5 behind gemm
 *	 copy                                            [----)           stream 7
 *	 set                                                [----)        stream 9: 5 behind copy
 *	 thread 2                                             [----)      an op: 5 behind set
 */
static void each_moment_has_its_first_role(void **state)
{
	static const uint64_t want[ROLE_COUNT] = { [ROLE_KERNEL] = 10,
		[ROLE_MEMCPY] = 10,
		[ROLE_MEMSET] = 5,
		[ROLE_COMM] = 10,
		[ROLE_RUNTIME] = 10,
		[ROLE_DATA] = 30,
		[ROLE_CPU] = 15,
		[ROLE_OTHER] = 10 };
	struct scene s;
	uint32_t t1, t2, s7, s9;

	(void)state;
	open_scene(&s);
	t1 = hand_thread(&s.run, 1);
	t2 = hand_thread(&s.run, 2);
	s7 = hand_stream(&s.run, 0, 7);
	s9 = hand_stream(&s.run, 0, 9);
	(void)hand_event(&s.run, KIND_ANNOTATION, t1, "ProfilerStep#3", 0, 100);
	(void)hand_event(&s.run, KIND_OP, t1, "enumerate(DataLoader)#_Iter.__next__", 0, 30);
	(void)hand_event(&s.run, KIND_OP, t1, "aten::stack", 10, 10);
	(void)hand_event(&s.run, KIND_OP, t1, "aten::mm", 30, 40);
	(void)hand_event(&s.run, KIND_RUNTIME, t1, "cudaLaunchKernel", 40, 10);
	(void)hand_event(&s.run, KIND_KERNEL, s7, "gemm", 50, 10);
	(void)hand_event(&s.run, KIND_KERNEL, s9, "ncclDevKernel", 55, 15);
	(void)hand_event(&s.run, KIND_MEMCPY, s7, "Memcpy HtoD", 75, 10);
	(void)hand_event(&s.run, KIND_MEMSET, s9, "Memset (Device)", 80, 10);
	(void)hand_event(&s.run, KIND_OP, t2, "aten::add_", 85, 10);
	(void)hand_event(&s.run, KIND_SYNC, s9, "Context Sync", 0, 100);
	look(&s);
	assert_roles(&s, 0, want);
	close_scene(&s);
}

/* A role that fills a step does not start the slots of later roles anew. */
static void a_full_step_stays_full(void **state)
{
	static const uint64_t full[ROLE_COUNT] = { [ROLE_KERNEL] = 50 };
	static const uint64_t empty[ROLE_COUNT] = { [ROLE_OTHER] = 50 };
	struct scene s;
	uint32_t t;

	(void)state;
	open_scene(&s);
	t = hand_thread(&s.run, 1);
	(void)hand_event(&s.run, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 50);
	(void)hand_event(&s.run, KIND_ANNOTATION, t, "ProfilerStep#2", 50, 50);
	(void)hand_event(&s.run, KIND_OP, t, "aten::mm", 10, 30);
	(void)hand_event(&s.run, KIND_KERNEL, hand_stream(&s.run, 0, 7), "gemm", -10, 60);
	look(&s);
	assert_roles(&s, 0, full);
	assert_roles(&s, 1, empty);
	close_scene(&s);
}

/* Defects 12 and 16: any collective's device work is communication; its call on the host is not,
 * unless the host itself does it (gloo). */
static void collectives_count_where_they_run(void **state)
{
	static const uint64_t want[ROLE_COUNT] = { [ROLE_COMM] = 30, [ROLE_CPU] = 20 };
	struct scene s;
	uint32_t t;

	(void)state;
	open_scene(&s);
	t = hand_thread(&s.run, 1);
	(void)hand_event(&s.run, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 50);
	(void)hand_event(&s.run, KIND_ANNOTATION, t, "nccl:_all_gather_base", 0, 30);
	(void)hand_event(&s.run, KIND_KERNEL, hand_stream(&s.run, 0, 7),
		"ncclDevKernel_AllGather_RING_LL", 20, 10);
	(void)hand_event(
		&s.run, KIND_ANNOTATION, hand_thread(&s.run, 2), "gloo:all_reduce", 30, 20);
	look(&s);
	assert_roles(&s, 0, want);
	close_scene(&s);
}

/* Slices that cross count as far as they reach (defect 13: the plugin drops them):
 *	 A [------)
 *	 B    [------)      union [0, 90) */
static void crossing_slices_count(void **state)
{
	static const uint64_t want[ROLE_COUNT] = { [ROLE_CPU] = 90, [ROLE_OTHER] = 10 };
	struct scene s;
	uint32_t t;

	(void)state;
	open_scene(&s);
	t = hand_thread(&s.run, 1);
	(void)hand_event(&s.run, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 100);
	(void)hand_event(&s.run, KIND_OP, t, "A", 0, 60);
	(void)hand_event(&s.run, KIND_OP, t, "B", 30, 60);
	look(&s);
	assert_roles(&s, 0, want);
	close_scene(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_moment_has_its_first_role),
		cmocka_unit_test(a_full_step_stays_full),
		cmocka_unit_test(collectives_count_where_they_run),
		cmocka_unit_test(crossing_slices_count),
	};

	return cmocka_run_group_tests_name("roles", tests, NULL, NULL);
}
