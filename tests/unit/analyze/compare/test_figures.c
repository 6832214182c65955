/* What a figure is compared with: pairs; and directions that somebody says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/figure.h"
#include "analyze/compare/better.h"
#include "analyze/compare/pairs.h"
#include "base/compiler.h"

static struct metric metric(const char *id, const char *quantity, const char *source)
{
	return (struct metric){ .id = id,
		.title = id,
		.quantity = quantity,
		.source = source,
		.is_log = source && strcmp(source, "trace") != 0 };
}

static const char *partner(const struct metric_pairs *p, const char *id)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (p->v[i].base && strcmp(p->v[i].base->id, id) == 0)
			return p->v[i].now ? p->v[i].now->id : NULL;
	fail();
	return NULL;
}

/*
 *	base                          new
 *	step_time       trace         step_time       trace
 *	log_step_time   run_metrics   log_step_time   profiler_summary    other files come first:
 *	step_time@s..   profiler_s..  step_time@r..   run_metrics         the source decides
 *	loss_final      jsonl_log     loss_final      metrics_csv         the only ones left: paired
 *	reward          a             reward          c                   two and one: not
 *	reward@b        b
 */
static void test_pairs(void **state)
{
	struct metric b[] = { metric("step_time", NULL, "trace"),
		metric("log_step_time", "step_time", "run_metrics"),
		metric("step_time@profiler_summary", "step_time", "profiler_summary"),
		metric("loss_final", "loss_final", "jsonl_log"), metric("reward", "reward", "a"),
		metric("reward@b", "reward", "b") };
	struct metric n[] = { metric("step_time", NULL, "trace"),
		metric("log_step_time", "step_time", "profiler_summary"),
		metric("step_time@run_metrics", "step_time", "run_metrics"),
		metric("loss_final", "loss_final", "metrics_csv"),
		metric("reward", "reward", "c") };
	const struct metricset base = { b, COUNT_OF(b), 0 }, now = { n, COUNT_OF(n), 0 };
	struct metric_pairs p;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	metric_pairs_init(&p, &base, &now, &mem);
	assert_int_equal(p.n, 7); /* each of base, and new's reward */
	assert_string_equal(partner(&p, "step_time"), "step_time");
	assert_string_equal(partner(&p, "log_step_time"), "step_time@run_metrics");
	assert_string_equal(partner(&p, "step_time@profiler_summary"), "log_step_time");
	assert_string_equal(partner(&p, "loss_final"), "loss_final");
	assert_null(partner(&p, "reward"));
	assert_null(partner(&p, "reward@b"));
	assert_null(p.v[6].base);
	assert_string_equal(metric_pair_any(&p.v[6])->source, "c");
}

/* A trace's figure is never a log's; of a history ids decide. */
static void test_pairs_apart(void **state)
{
	struct metric b[] = { metric("step_time", NULL, "trace") };
	struct metric n[] = { metric("step_time", "step_time", "jsonl_log") };
	struct metric h[] = { metric("step_time", NULL, NULL) };
	const struct metricset base = { b, 1, 0 }, now = { n, 1, 0 }, history = { h, 1, 0 };
	const struct metricset none = { NULL, 0, 0 };
	struct metric_pairs p;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	metric_pairs_init(&p, &base, &now, &mem);
	assert_int_equal(p.n, 2);
	metric_pairs_init(&p, &history, &now, &mem);
	assert_int_equal(p.n, 1);
	assert_non_null(p.v[0].now);
	metric_pairs_init(&p, &none, &now, &mem);
	assert_int_equal(p.n, 1);
	assert_null(p.v[0].base);
	metric_pairs_init(&p, &none, &none, &mem);
	assert_int_equal(p.n, 0);
}

static void test_better(void **state)
{
	struct metric m[] = { metric("train/grad_norm", NULL, "a"), metric("norm", NULL, "a") };
	struct metricset set = { m, COUNT_OF(m), 0 }, none = { NULL, 0, 0 };
	struct better b;
	struct err e;
	SCOPED_ARENA mem = { 0 };

	(void)state;
	err_clear(&e);
	assert_int_equal(better_parse(&b, "grad_norm=lower", &mem, &e), OK);
	assert_true(better_apply(&b, &set, &none));
	assert_int_equal(m[0].better, BETTER_LOWER);
	assert_int_equal(m[1].better, BETTER_NONE);
	assert_false(better_apply(&b, &none, &none));
	assert_int_equal(better_parse(&b, "grad_norm", &mem, &e), E_USAGE);
	assert_int_equal(better_parse(&b, "=lower", &mem, &e), E_USAGE);
	assert_int_equal(better_parse(&b, "x=best", &mem, &e), E_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_pairs_apart),
		cmocka_unit_test(test_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
