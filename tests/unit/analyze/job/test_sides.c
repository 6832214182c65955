/* Files into runs, ranks and repeats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/job/sides.h"
#include "analyze/trace/runpath.h"
#include "base/compiler.h"

enum { FILES = 16 };

struct world {
	struct arena mem;
	struct digest digest[FILES];
	struct side_file file[FILES];
	size_t n;
	struct side side;
};

static void begin(struct world *w)
{
	w->n = 0;
	w->mem = (struct arena){ 0 };
}

/* A trace whose document says that rank; -1: it says none. */
static struct digest *trace(struct world *w, const char *within, int64_t rank)
{
	struct digest *d = &w->digest[w->n];

	*d = (struct digest){ .path = within, .kind = "trace", .rank = rank, .has_events = true };
	w->file[w->n++] = (struct side_file){ .path = within, .within = within, .digest = d };
	return d;
}

static struct digest *other(struct world *w, const char *within, const char *kind)
{
	struct digest *d = trace(w, within, -1);

	d->kind = kind;
	d->has_events = false;
	return d;
}

static const struct side *group(struct world *w)
{
	sides_group(&w->side, w->file, w->n, &w->mem);
	return &w->side;
}

static void test_rank_of_path(void **state)
{
	(void)state;
	assert_int_equal(runpath_rank("a/rank3/trace.json"), 3);
	assert_int_equal(runpath_rank("rank-07.Apr_03.pt.trace.json.gz"), 7);
	assert_int_equal(runpath_rank("x_rank_12.json"), 12);
	assert_int_equal(runpath_rank("run/attempt_0/13/stdout.log"), 13);
	assert_int_equal(runpath_rank("run/13/stdout.log"), -1);
	assert_int_equal(runpath_rank("run/attempt_0/13"), -1);
	assert_int_equal(runpath_rank("job.parquet/rank=12/events.parquet"), 12);
	assert_int_equal(runpath_rank("worker0.1623143089861.pt.trace.json.gz"), 0);
	assert_int_equal(runpath_rank("RANK2/rank5.json"), 5);
	assert_int_equal(runpath_rank("frank12.json"), -1);
	assert_int_equal(runpath_rank("rank.json"), -1);
	assert_int_equal(runpath_rank("rank-.json"), -1);
	assert_int_equal(runpath_rank(""), -1);
	assert_true(runpath_rank("rank99999999999999999999") > 0);
}

static void test_moment_of_path(void **state)
{
	(void)state;
	assert_int_equal(runpath_moment("profiling_epoch3.json"), 3);
	assert_int_equal(runpath_moment("step_7/step_100_metrics.json"), 100);
	assert_int_equal(runpath_moment("epoch0_metrics.json"), 0);
	assert_int_equal(runpath_moment("checkpoint-500.json"), 500);
	assert_int_equal(runpath_moment("metrics_20251130_120000.json"), -1);
	assert_int_equal(runpath_moment("step_times.json"), -1);
}

static void test_folder_of_path(void **state)
{
	static const struct {
		const char *path;
		size_t n;
	} of[] = { { "metrics.json", 0 }, { "run_1/metrics.json", 6 },
		{ "results/run_1/torch_profiler/trace.json", 14 }, { "results/metrics.json", 0 },
		{ "a/rank0/b/x.json", 10 } };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(of); i++)
		assert_int_equal(runpath_folder(of[i].path), of[i].n);
}

/* Of a kind in two folders of a run neither is a repeat of it. */
static void test_one_kind_in_two_folders(void **state)
{
	const struct side *s;
	struct world w;

	(void)state;
	begin(&w);
	(void)other(&w, "logs/train.jsonl", "log");
	(void)other(&w, "metrics.jsonl", "log");
	(void)other(&w, "rank0/stage_times.json", "stages");
	(void)other(&w, "rank1/stage_times.json", "stages");
	s = group(&w);
	assert_int_equal(s->nrun, 1);
	assert_int_equal(s->run[0].n, 4);
	(void)other(&w, "metrics2.jsonl", "log");
	assert_int_equal(group(&w)->nrun, 2);
	arena_clear(&w.mem);
}

/* Files of ranks are one run, of which a rank may be there again. */
static void test_files_of_ranks(void **state)
{
	const struct side *s;
	struct world w;

	(void)state;
	begin(&w);
	(void)other(&w, "log_rank1.txt", "log");
	(void)other(&w, "log_rank0.txt", "log");
	(void)other(&w, "config.yaml", "config");
	s = group(&w);
	assert_int_equal(s->nrun, 1);
	assert_int_equal(s->run[0].n, 3);
	assert_int_equal(s->run[0].part[1].rank, 0);
	assert_int_equal(s->run[0].part[2].rank, 1);
	(void)other(&w, "log_rank1_again.txt", "log");
	assert_int_equal(group(&w)->nrun, 2);
	arena_clear(&w.mem);
}

/* What a run says twice is looked at in its turn, whatever its path. */
static void test_turns(void **state)
{
	static const char *const within[] = { "profiler_context/stage_times.json",
		"stage_times.json", "torch_profiler/stage_times.json" };
	static const size_t turn[] = { 2, 0, 1 };
	const struct side *s;
	struct world w;
	size_t i;

	(void)state;
	begin(&w);
	for (i = 0; i < COUNT_OF(within); i++) {
		(void)other(&w, within[i], "stage_times");
		w.file[i].turn = turn[i];
	}
	s = group(&w);
	assert_int_equal(s->nrun, 1);
	assert_int_equal(s->run[0].n, COUNT_OF(within));
	for (i = 0; i < COUNT_OF(within); i++)
		assert_string_equal(s->run[0].part[turn[i]].digest->path, within[i]);
	arena_clear(&w.mem);
}

static void test_ranks_in_one_folder(void **state)
{
	const struct side *s;
	struct world w;

	(void)state;
	begin(&w);
	(void)trace(&w, "rank1.json", -1);
	(void)trace(&w, "rank0.json", -1);
	(void)other(&w, "metrics.json", "metrics");
	s = group(&w);
	assert_int_equal(s->nrun, 1);
	assert_int_equal(s->run[0].n, 3);
	assert_int_equal(s->run[0].nrank, 2);
	assert_int_equal(s->run[0].part[0].rank, 0);
	assert_int_equal(s->run[0].part[1].rank, 1);
	assert_string_equal(s->run[0].part[2].digest->kind, "metrics");
	assert_int_equal(sides_ranks(s), 2);
	arena_clear(&w.mem);
}

/* What the document says counts before the name. */
static void test_rank_of_document(void **state)
{
	const struct side *s;
	struct world w;

	(void)state;
	begin(&w);
	(void)trace(&w, "worker0.1.json", 1);
	(void)trace(&w, "worker0.2.json", 0);
	s = group(&w);
	assert_int_equal(s->nrun, 1);
	assert_string_equal(s->run[0].part[0].digest->path, "worker0.2.json");
	arena_clear(&w.mem);
}

static void test_repeats(void **state)
{
	const struct side *s;
	struct world w;

	(void)state;
	begin(&w);
	(void)trace(&w, "run1/rank0/t.json", 0);
	(void)trace(&w, "run1/rank1/t.json", 1);
	(void)trace(&w, "run2/torch_profiler/rank0.json", 0);
	(void)trace(&w, "run2/torch_profiler/rank1.json", 1);
	(void)other(&w, "run2/metrics.json", "metrics");
	s = group(&w);
	assert_int_equal(s->nrun, 2);
	assert_string_equal(s->run[0].name, "run1");
	assert_int_equal(s->run[0].nrank, 2);
	assert_string_equal(s->run[1].name, "run2");
	assert_int_equal(s->run[1].n, 3);
	arena_clear(&w.mem);
}

/* The same worker at two times: two repeats, with what there is once in both. */
static void test_repeats_in_one_folder(void **state)
{
	const struct side *s;
	struct world w;

	(void)state;
	begin(&w);
	(void)trace(&w, "worker0.1623.pt.trace.json", -1);
	(void)trace(&w, "worker0.1624.pt.trace.json", -1);
	(void)other(&w, "config.json", "config");
	s = group(&w);
	assert_int_equal(s->nrun, 2);
	assert_int_equal(s->run[0].nrank, 1);
	assert_int_equal(s->run[0].n, 2);
	assert_int_equal(s->run[1].n, 2);
	assert_string_equal(s->run[0].part[0].digest->path, "worker0.1623.pt.trace.json");
	arena_clear(&w.mem);
}

/* A config above belongs to all runs below; results above make one run of everything. */
static void test_above(void **state)
{
	const struct side *s;
	struct world w;

	(void)state;
	begin(&w);
	(void)trace(&w, "run1/t.json", 0);
	(void)trace(&w, "run2/t.json", 0);
	other(&w, "config.yaml", "config")->is_aside = true;
	s = group(&w);
	assert_int_equal(s->nrun, 2);
	assert_int_equal(s->run[0].n, 2);
	assert_int_equal(s->run[1].n, 2);
	w.digest[2].is_aside = false;
	w.digest[1].rank = 1;
	s = group(&w);
	assert_int_equal(s->nrun, 1);
	assert_int_equal(s->run[0].nrank, 2);
	arena_clear(&w.mem);
}

/* The order in which files are found does not matter. */
static void test_order(void **state)
{
	struct world a, b;
	size_t i, k;

	(void)state;
	begin(&a);
	(void)trace(&a, "x/rank0.json", -1);
	(void)trace(&a, "x/rank1.json", -1);
	(void)trace(&a, "y/rank0.json", -1);
	(void)other(&a, "y/log.jsonl", "log");
	begin(&b);
	for (i = a.n; i-- > 0;) {
		b.digest[b.n] = a.digest[i];
		b.file[b.n] = a.file[i];
		b.file[b.n].digest = &b.digest[b.n];
		b.n++;
	}
	(void)group(&a);
	(void)group(&b);
	assert_int_equal(a.side.nrun, b.side.nrun);
	for (i = 0; i < a.side.nrun; i++) {
		assert_string_equal(a.side.run[i].name, b.side.run[i].name);
		assert_int_equal(a.side.run[i].n, b.side.run[i].n);
		for (k = 0; k < a.side.run[i].n; k++)
			assert_string_equal(a.side.run[i].part[k].digest->path,
				b.side.run[i].part[k].digest->path);
	}
	arena_clear(&a.mem);
	arena_clear(&b.mem);
}

/* As people count: the tenth run is behind the second. */
static void test_numbers(void **state)
{
	static const char *const want[] = { "run1", "run2", "run10", "run10b" };
	static const char *const order[] = { "", "01", "1", "1a", "02", "2", "10", "a", "a1",
		"a9b9", "a9b10", "a99999999999999999999", "a100000000000000000000", "b" };
	struct world w;
	size_t i, k;

	(void)state;
	begin(&w);
	(void)trace(&w, "run10b/t.json", -1);
	(void)trace(&w, "run10/t.json", -1);
	(void)trace(&w, "run2/t.json", -1);
	(void)trace(&w, "run1/t.json", -1);
	(void)group(&w);
	assert_int_equal(w.side.nrun, 4);
	for (i = 0; i < 4; i++)
		assert_string_equal(w.side.run[i].name, want[i]);
	for (i = 0; i < COUNT_OF(order); i++)
		for (k = 0; k < COUNT_OF(order); k++) {
			int c = span_cmp_natural(span_of(order[i]), span_of(order[k]));

			assert_int_equal((c > 0) - (c < 0), (i > k) - (i < k));
		}
	arena_clear(&w.mem);
}

static void test_nothing(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	assert_int_equal(group(&w)->nrun, 0);
	assert_int_equal(sides_steps(&w.side), 0);
	arena_clear(&w.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank_of_path),
		cmocka_unit_test(test_moment_of_path),
		cmocka_unit_test(test_folder_of_path),
		cmocka_unit_test(test_one_kind_in_two_folders),
		cmocka_unit_test(test_files_of_ranks),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_ranks_in_one_folder),
		cmocka_unit_test(test_rank_of_document),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_repeats_in_one_folder),
		cmocka_unit_test(test_above),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
