/* Memory by a name that does not say what it is: a leak, a running maximum, or noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/memory/memtrend.h"
#include "analyze/trace/columns/series.h"
#include "base/arena.h"

#define GIB (1024.0 * 1024 * 1024)

enum { STEPS = 60 };

/* Memory of that name along steps: GiB by step. */
static bool is_leak(const char *name, double (*gib)(size_t step))
{
	static double x[STEPS], y[STEPS];
	struct curve c = { .x = x, .y = y, .n = STEPS, .is_exact = true };
	struct series s = { .name = span_of(name), .axis = AXIS_STEP, .measure = MEASURE_GIB };
	struct arena mem;
	double peak = 0;

	for (size_t i = 0; i < STEPS; i++) {
		x[i] = (double)i;
		y[i] = gib(i) * GIB;
		peak = fmax(peak, y[i]);
	}
	arena_init(&mem);
	bool is = memtrend_is_unnamed_leak(&s, &c, peak, &mem);
	arena_clear(&mem);
	return is;
}

static double rising(size_t i)
{
	return 10 + 0.08 * (double)i;
}

static double rising_and_falling(size_t i)
{
	return rising(i) + (i % 3 == 1 ? 0.3 : 0);
}

static double varying(size_t i)
{
	return 10 + (double)(i * 7 % 13) / 13;
}

/* The most so far of what differs from step to step. */
static double maximum(size_t i)
{
	return 10 + (i < 3 ? 1 : i < 12 ? 1.4 : i < 25 ? 1.5 : i < 40 ? 1.8 : 2.1);
}

static void names_and_curves(void **state)
{
	(void)state;
	assert_true(is_leak("mem", rising));
	assert_true(is_leak("gpu_memory", rising));
	assert_true(is_leak("mem", rising_and_falling));
	assert_false(is_leak("mem", varying));
	assert_false(is_leak("mem", maximum));
	assert_false(is_leak("max_mem", rising));
	assert_false(is_leak("mem_free", rising));
	assert_false(is_leak("downloaded", rising));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_curves),
	};

	return cmocka_run_group_tests_name("memtrend", tests, NULL, NULL);
}
