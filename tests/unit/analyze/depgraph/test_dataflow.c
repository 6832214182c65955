/* Who wrote what a call reads, on programs drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/depgraph/datadeps.h"

enum { MOST = 16, READ = ET_READS, FRESH = ET_WRITES | ET_FRESH | ET_OVER, ALL = INT32_MAX };

/* A program as it grows. */
struct program {
	struct exectrace et;
	struct et_node node[MOST];
	struct et_use use[MOST];
};

static void begin(struct program *p)
{
	*p = (struct program){ .et = { .nstorage = 4, .nthread = 1 } };
	p->et.node = p->node;
	p->et.use = p->use;
}

/* A call inside of another, or ET_NONE, with a schema. */
static uint32_t call(struct program *p, uint32_t parent)
{
	uint32_t i = (uint32_t)p->et.n++, up;

	p->node[i] = (struct et_node){
		.parent = parent, .last = i, .is_call = true, .has_schema = true, .use = p->et.nuse
	};
	for (up = parent; up != ET_NONE; up = p->node[up].parent)
		p->node[up].last = i;
	return i;
}

static void uses(struct program *p, uint32_t storage, int flags, int64_t from, int64_t to)
{
	p->use[p->et.nuse++] = (struct et_use){ storage, (uint8_t)flags, from, to };
	p->node[p->et.n - 1].nuse++;
}

/* The calls it needs, as bits; those that may be with `maybe`. */
static void needs(struct program *p, uint32_t node, unsigned sure, unsigned maybe, bool outside)
{
	struct dataflow f;
	unsigned is[2] = { 0, 0 };
	size_t i;

	dataflow_init(&f, &p->et);
	for (i = f.begin[node]; i < f.begin[node + 1]; i++)
		is[f.edge[i].is_maybe] |= 1u << f.edge[i].node;
	assert_int_equal(is[0], sure);
	assert_int_equal(is[1], maybe);
	assert_int_equal(f.is_outside[node], outside);
	dataflow_clear(&f);
}

static void dataflow_reads_the_last(void **state)
{
	struct program p;

	(void)state;
	begin(&p);
	(void)call(&p, ET_NONE); /* 0 writes s0 */
	uses(&p, 0, FRESH, 0, ALL);
	(void)call(&p, ET_NONE); /* 1 changes its first half */
	uses(&p, 0, READ | ET_WRITES, 0, 50);
	(void)call(&p, ET_NONE); /* 2 reads the second */
	uses(&p, 0, READ, 50, 100);
	(void)call(&p, ET_NONE); /* 3 reads all, and s1, which nobody wrote */
	uses(&p, 0, READ, 0, 100);
	uses(&p, 1, READ, 0, 10);
	(void)call(&p, ET_NONE); /* 4 writes s0 anew: the storage was given out again */
	uses(&p, 0, FRESH, 0, ALL);
	(void)call(&p, ET_NONE); /* 5 reads it */
	uses(&p, 0, READ, 0, 100);
	needs(&p, 1, 1u << 0, 0, false);
	needs(&p, 2, 1u << 0, 0, false);
	needs(&p, 3, 1u << 0 | 1u << 1, 0, true);
	needs(&p, 5, 1u << 4, 0, false);
}

/* nll_loss_backward: its inner fill_ and its own kernel write the same; so does linear's addmm. */
static void dataflow_of_nested_calls(void **state)
{
	struct program p;
	uint32_t outer;

	(void)state;
	begin(&p);
	outer = call(&p, ET_NONE); /* 0 gives s0 */
	uses(&p, 0, FRESH, 0, ALL);
	(void)call(&p, outer); /* 1 fills it */
	uses(&p, 0, ET_WRITES | ET_OVER, 0, ALL);
	(void)call(&p, ET_NONE); /* 2 reads it */
	uses(&p, 0, READ, 0, ALL);
	needs(&p, 2, 1u << 0 | 1u << 1, 0, false);
	needs(&p, 1, 0, 0, false);
}

/* A call without a schema that has others inside may hand on what is older: it writes nothing. */
static void dataflow_without_schema(void **state)
{
	struct program p;
	uint32_t outer;

	(void)state;
	begin(&p);
	(void)call(&p, ET_NONE); /* 0 writes s0 */
	uses(&p, 0, FRESH, 0, ALL);
	outer = call(&p, ET_NONE); /* 1 hands s0 on */
	p.node[outer].has_schema = false;
	uses(&p, 0, FRESH, 0, ALL);
	(void)call(&p, outer); /* 2 is about s1 */
	uses(&p, 1, FRESH, 0, ALL);
	(void)call(&p, ET_NONE); /* 3 reads s0 */
	uses(&p, 0, READ, 0, ALL);
	(void)call(&p, ET_NONE); /* 4 does something to s0 */
	uses(&p, 0, READ | ET_MAYBE, 0, ALL);
	(void)call(&p, ET_NONE); /* 5 reads s0 */
	uses(&p, 0, READ, 0, ALL);
	needs(&p, 3, 1u << 0, 0, false);
	needs(&p, 4, 0, 1u << 0, false);
	needs(&p, 5, 1u << 0, 1u << 4, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dataflow_reads_the_last),
		cmocka_unit_test(dataflow_of_nested_calls),
		cmocka_unit_test(dataflow_without_schema),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
