/* Which execution trace is a run's: by rank and process, by place, then by what is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/links/etjoin.h"
#include "analyze/trace/index.h"
#include "tests/unit/handmade.h"

enum { MOST = 4, PID = 100 };

/* A run of process 100 that calls a, b and c, of rank 1, and execution traces of it. */
struct fixture {
	struct run run;
	struct exectrace et[MOST];
	struct et_node node[MOST][3];
	size_t n;
};

static void begin(struct fixture *f)
{
	uint32_t thread;

	*f = (struct fixture){ 0 };
	run_init(&f->run, ETJOIN_NEEDS);
	f->run.meta.rank = 1;
	f->run.path = "job/run/t.json";
	thread = hand_thread(&f->run, 1);
	(void)hand_event(&f->run, KIND_OP, thread, "a", 10, 5);
	(void)hand_event(&f->run, KIND_OP, thread, "b", 20, 5);
	(void)hand_event(&f->run, KIND_OP, thread, "c", 30, 5);
	f->run.has_trace = true;
	index_build(&f->run, ETJOIN_NEEDS);
}

/* One more, of calls a letter each. */
static void offer(
	struct fixture *f, const char *path, int64_t pid, const char *calls, bool is_found)
{
	struct exectrace *et = &f->et[f->n];
	size_t i;

	exectrace_init(et);
	et->node = f->node[f->n++];
	et->pid = pid;
	et->path = path;
	et->is_found = is_found;
	et->nthread = 1;
	for (i = 0; calls[i]; i++)
		et->node[et->n++] = (struct et_node){ .name = strings_intern(&et->strings,
							      (struct span){ calls + i, 1 }),
			.id = (int64_t)i,
			.parent = ET_NONE,
			.is_call = true };
}

/* Joins; the path of the one that is told of. */
static const char *chosen(struct fixture *f, enum etjoin_choice choice, size_t npair)
{
	etjoin_attach(&f->run, f->et, f->n);
	assert_int_equal(f->run.etjoin->choice, choice);
	assert_int_equal(f->run.etjoin->npair, npair);
	assert_int_equal(f->run.etjoin->ntried, f->n);
	return f->run.etjoin->et->path;
}

static void end(struct fixture *f)
{
	while (f->n > 0)
		strings_clear(&f->et[--f->n].strings);
	run_clear(&f->run);
}

static void etjoin_choose_most_is_found(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	offer(&f, "x", 0, "xy", true);
	offer(&f, "ab", 0, "ab", true);
	offer(&f, "abc", 0, "abc", true);
	assert_string_equal(chosen(&f, ETJOIN_TAKEN, 3), "abc");
	end(&f);
}

static void etjoin_choose_its_own_goes_first(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	offer(&f, "no word", 0, "abc", true);
	offer(&f, "its process", PID, "ab", true);
	offer(&f, "another process", PID + 1, "abc", true);
	assert_string_equal(chosen(&f, ETJOIN_TAKEN, 2), "its process");
	end(&f);
	begin(&f);
	offer(&f, "rank0/et.json", PID, "abc", true);
	offer(&f, "rank1/et.json", 0, "ab", true);
	assert_string_equal(chosen(&f, ETJOIN_TAKEN, 2), "rank1/et.json");
	end(&f);
}

static void etjoin_choose_the_nearest(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	offer(&f, "job/et.json", 0, "abc", true);
	offer(&f, "job/run/et.json", 0, "ab", true);
	offer(&f, "job/run2/et.json", 0, "abc", true);
	assert_string_equal(chosen(&f, ETJOIN_TAKEN, 2), "job/run/et.json");
	end(&f);
}

/* Those that nobody named are taken where they are the run's for sure; those named always. */
static void etjoin_choose_doubt(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f);
	offer(&f, "rank0/et.json", 0, "abc", true);
	offer(&f, "other", PID + 1, "abc", true);
	assert_string_equal(chosen(&f, ETJOIN_NONE, 0), "rank0/et.json");
	assert_int_equal(f.run.etjoin->owner, ETJOIN_OTHER_RANK);
	end(&f);
	begin(&f);
	offer(&f, "other", PID + 1, "abc", false);
	assert_string_equal(chosen(&f, ETJOIN_TAKEN, 3), "other");
	end(&f);
	begin(&f);
	offer(&f, "nothing", 0, "xyz", true);
	assert_string_equal(chosen(&f, ETJOIN_NONE, 0), "nothing");
	end(&f);
}

static void etjoin_choose_alike(void **state)
{
	struct fixture f;
	int found;

	(void)state;
	for (found = 0; found < 2; found++) {
		begin(&f);
		offer(&f, "ab", 0, "ab", found == 1);
		offer(&f, "first", 0, "abc", found == 1);
		offer(&f, "second", 0, "abc", found == 1);
		offer(&f, "third", 0, "abc", found == 1);
		assert_string_equal(
			chosen(&f, found ? ETJOIN_SEVERAL : ETJOIN_TAKEN, found ? 0 : 3), "first");
		assert_int_equal(f.run.etjoin->nalike, 3);
		assert_string_equal(f.run.etjoin->alike->path, "second");
		end(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(etjoin_choose_most_is_found),
		cmocka_unit_test(etjoin_choose_its_own_goes_first),
		cmocka_unit_test(etjoin_choose_the_nearest),
		cmocka_unit_test(etjoin_choose_doubt),
		cmocka_unit_test(etjoin_choose_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
