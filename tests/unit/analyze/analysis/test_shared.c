/* What answers share: the same as what each would make, there for whoever waits for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/shared.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "base/compiler.h"
#include "base/parallel.h"
#include "tests/unit/analyze/answer/top/top_ask.h"

enum { ALL = SHARED_BIT(ROLES) | SHARED_BIT(WAITING) | SHARED_BIT(LEDGERS) | SHARED_BIT(DEVTIME) };

/* The training of top_ask.h, looked at through a filter. */
struct look {
	struct run run;
	struct filter filter;
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct arena mem;
};

static void look_at(struct look *l, const char *cat)
{
	struct err e;

	*l = (struct look){ .filter.cat = cat };
	err_clear(&e);
	top_training(&l->run);
	index_build(&l->run, NEED_ORDER | NEED_LINKS | NEED_STEPS);
	assert_int_equal(filter_parse(&l->set, &l->filter, &e), OK);
	assert_int_equal(filter_view_init(&l->view, &l->set, &l->run, &l->mem, &e), OK);
	classes_init(&l->classes, &l->run, &l->mem);
}

static void look_away(struct look *l)
{
	filter_free(&l->set);
	arena_clear(&l->mem);
	run_clear(&l->run);
}

/* All parts as `s` gives them are as they are without it. */
static void assert_same(struct look *l, struct shared *s)
{
	struct ledgers a, b;
	struct roles x, y;
	struct devtime d, e;
	double busy, taken;
	uint32_t row;
	size_t i;

	shared_ledgers(s, &a, &l->run, &l->classes, &l->view, &l->mem);
	ledgers_init(&b, &l->run, &l->classes, &l->view, &l->mem);
	assert_int_equal(a.ndevice, b.ndevice);
	for (i = 0; i < a.ndevice; i++) {
		const struct ledger p = ledger_whole(&a, i), q = ledger_whole(&b, i);

		assert_memory_equal(&p, &q, sizeof(p));
	}
	busy = window_busy(&l->run, &l->view, &l->mem);
	taken = shared_busy(s, &l->run, &l->view, &l->mem);
	assert_true(a.ndevice == 0 || busy > 0);
	assert_true(taken == busy || (isnan(taken) && isnan(busy)));
	shared_roles(s, &x, &l->run, &l->classes, &l->view, &l->mem);
	roles_init(&y, &l->run, &l->classes, &l->view, &l->mem);
	assert_int_equal(x.nstep, y.nstep);
	assert_memory_equal(&x.window, &y.window, sizeof(x.window));
	shared_devtime(s, &d, &l->run, &l->view);
	devtime_init(&e, &l->run, &l->view);
	for (row = 0; row < l->run.events.n; row++)
		assert_int_equal(devtime_get(&d, row), devtime_get(&e, row));
	devtime_clear(&d);
	devtime_clear(&e);
}

static void as_made_alone(void **state)
{
	static const char *const cats[] = { NULL, "kernel", "cpu_op" };
	struct look l;
	struct shared *s;
	size_t i;
	int part;

	(void)state;
	for (i = 0; i < COUNT_OF(cats); i++) {
		look_at(&l, cats[i]);
		assert_same(&l, NULL);
		s = shared_new(&l.run, &l.filter, ALL);
		for (part = 0; part < SHARED_COUNT; part++)
			shared_make(s, (enum shared_part)part);
		assert_same(&l, s);
		assert_same(&l, s); /* nobody released it */
		shared_free(s);
		look_away(&l);
	}
}

/* Parts that were not asked for, and a filter that cannot be laid over the run. */
static void not_shared(void **state)
{
	struct filter wrong = { .steps = "99" };
	struct look l;
	struct shared *s;

	(void)state;
	look_at(&l, NULL);
	s = shared_new(&l.run, &l.filter, 0);
	shared_make(s, SHARED_ROLES);
	assert_same(&l, s);
	shared_free(s);
	s = shared_new(&l.run, &wrong, ALL);
	shared_make(s, SHARED_LEDGERS);
	assert_same(&l, s);
	shared_free(s);
	shared_free(NULL);
	look_away(&l);
}

struct crew {
	struct look *look;
	struct shared *shared;
	nsec total[4];
};

/* The first jobs make, the others take. */
static void job(void *ctx, size_t i)
{
	struct crew *c = ctx;
	SCOPED_ARENA mem = { 0 };
	struct ledgers l;

	if (i < SHARED_COUNT) {
		shared_make(c->shared, (enum shared_part)i);
		return;
	}
	shared_ledgers(c->shared, &l, &c->look->run, &c->look->classes, &c->look->view, &mem);
	c->total[i - SHARED_COUNT] = ledger_whole(&l, 0).total;
}

/* Threads that come early wait. */
static void waited_for(void **state)
{
	struct crew c = { 0 };
	struct look l;
	int round;

	(void)state;
	look_at(&l, NULL);
	c.look = &l;
	for (round = 0; round < 200; round++) {
		c.shared = shared_new(&l.run, &l.filter, ALL);
		parallel_run(SHARED_COUNT + COUNT_OF(c.total), 4, job, &c);
		assert_int_equal(c.total[0], 130); /* 30 to 160 */
		assert_int_equal(c.total[3], 130);
		memset(c.total, 0, sizeof(c.total));
		shared_free(c.shared);
	}
	look_away(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_made_alone),
		cmocka_unit_test(not_shared),
		cmocka_unit_test(waited_for),
	};

	return cmocka_run_group_tests_name("shared", tests, NULL, NULL);
}
