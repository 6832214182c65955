/* Every form of artifact: recognised, read, and cut at every byte; an answer with a warning or one
 * clear error, never a crash. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/load.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "base/str.h"
/* The texts themselves: data, no code. */
#include "fixtures/artifact_bench.c"        /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_comm.c"         /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_dump.c"         /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_json.c"         /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_json2.c"        /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_json3.c"        /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_log.c"          /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_mllog.c"        /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_monitor.c"      /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_monitor_json.c" /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_nsight.c"       /* NOLINT(bugprone-suspicious-include) */
#include "fixtures/artifact_text.c"         /* NOLINT(bugprone-suspicious-include) */
#include "tests/unit/loading.h"

static const struct artifact_text *const lists[] = { artifact_documents, artifact_run_documents,
	artifact_more_documents, artifact_other_documents, artifact_logs, artifact_texts,
	artifact_dumps, artifact_benches, artifact_mllogs, artifact_nsights, artifact_monitors,
	artifact_monitors_json, artifact_comms };

struct text_file {
	const char *p;
	size_t n;
};

static ssize_t read_text(void *ctx, void *buf, size_t n)
{
	struct text_file *f = ctx;

	n = n < f->n ? n : f->n;
	memcpy(buf, f->p, n);
	f->p += n;
	f->n -= n;
	return (ssize_t)n;
}

static enum status load(const char *text, size_t n, struct run *run, struct err *e)
{
	struct text_file f = { text, n };
	struct load_options o = { .needs = 0, .threads = 1 };

	err_clear(e);
	return load_reader(read_text, &f, "cut", &o, run, e);
}

typedef void each_fn(const struct artifact_text *a);

static void each(each_fn *fn)
{
	size_t k;
	const struct artifact_text *a;

	for (k = 0; k < COUNT_OF(lists); k++)
		for (a = lists[k]; a->name; a++)
			fn(a);
}

static void check_whole(const struct artifact_text *a)
{
	struct run run;
	struct err e;

	if (load(a->text, strlen(a->text), &run, &e) != OK)
		fail_msg("%s: %s", a->name, e.text);
	assert_non_null(run.record);
	if (run.has_trace || run.record->nartifact != 1)
		fail_msg("%s: not an artifact", a->name);
	if (run.record->nseries + run.record->nsheet + run.record->scalars.n +
			run.record->config.n + run.record->env.n ==
		0)
		fail_msg("%s: nothing in it", a->name);
	run_clear(&run);
}

static void whole(void **state)
{
	(void)state;
	each(check_whole);
}

static void check_prefixes(const struct artifact_text *a)
{
	size_t n, whole = strlen(a->text);

	for (n = 0; n < whole; n += 2 * loading_every() - 1) {
		struct run run;
		struct err e;

		if (load(a->text, n, &run, &e) == OK)
			run_clear(&run);
		else if (e.text[0] == '\0' || e.status == OK)
			fail_msg("%s cut at %zu: an error without a word", a->name, n);
	}
}

static void prefixes(void **state)
{
	(void)state;
	each(check_prefixes);
}

/* Three samples of 10 ms, leaf first: matmul, called by main; texts begin with an empty one. */
static const char pprof[] = "\012\004\010\001\020\002"
			    "\012\004\010\003\020\004"
			    "\022\013\012\002\001\002\022\005\001\200\255\342\004"
			    "\022\013\012\002\001\002\022\005\001\200\255\342\004"
			    "\022\013\012\002\001\002\022\005\001\200\255\342\004"
			    "\042\006\010\001\042\002\010\001"
			    "\042\006\010\002\042\002\010\002"
			    "*\004\010\001\020\006"
			    "*\004\010\002\020\005"
			    "2\000"
			    "2\007samples"
			    "2\005count"
			    "2\003cpu"
			    "2\013nanoseconds"
			    "2\004main"
			    "2\006matmul";

static void pprof_samples(void **state)
{
	struct run run;
	struct err e;

	(void)state;
	assert_int_equal(load(pprof, sizeof(pprof) - 1, &run, &e), OK);
	const struct sheet *s = record_find_sheet(run.record, SHEET_STACKS);
	assert_non_null(s);
	assert_int_equal(s->table.nrow, 1);
	assert_true(span_is(table_text_at(&s->table, 0, STACKS_FRAMES), "main;matmul"));
	assert_float_equal(table_number_at(&s->table, 0, STACKS_WEIGHT), 3e7, 0);
	run_clear(&run);
	for (size_t n = 0; n < sizeof(pprof) - 1; n++) {
		if (load(pprof, n, &run, &e) == OK) {
			run_clear(&run);
			continue;
		}
		assert_true(e.status != OK && e.text[0] != '\0');
	}
}

static ssize_t read_and_fail(void *ctx, void *buf, size_t n)
{
	struct text_file *f = ctx;

	if (f->n == 0) {
		errno = EIO;
		return -1;
	}
	return read_text(ctx, buf, n < 7 ? n : 7);
}

/* The disk fails at byte n: that is said, whatever was read before. */
static void check_faults(const struct artifact_text *a)
{
	size_t n, whole = strlen(a->text), step = whole / 40 + 1;

	for (n = 0; n <= whole; n += step) {
		struct text_file f = { a->text, n };
		struct load_options o = { .needs = 0, .threads = 1 };
		struct run run;
		struct err e;

		err_clear(&e);
		if (load_reader(read_and_fail, &f, "faulty", &o, &run, &e) != E_IO)
			fail_msg("%s: the disk fails at %zu: %d %s", a->name, n, (int)e.status,
				e.text);
		assert_non_null(strstr(e.text, strerror(EIO)));
	}
}

static void faults(void **state)
{
	(void)state;
	each(check_faults);
}

/* Each kind has a fixture that it alone claims, and no two are equally sure of any. */
static void check_choice(const struct artifact_text *a)
{
	static struct head head;
	const struct artifact *kind;
	struct err e;

	head_look(&head, span_of(a->text), true);
	err_clear(&e);
	if (artifact_find(&head, &kind, &e) != OK)
		fail_msg("%s: %s", a->name, e.text);
}

static void choice(void **state)
{
	(void)state;
	each(check_choice);
}

static void two_kinds(void **state)
{
	static const char both[] = "{\"log_history\": [{\"step\": 1, \"loss\": 2}], "
				   "\"peak_memory_usage\": {\"cpu\": 1}}";
	struct run run;
	struct err e;

	(void)state;
	assert_int_equal(load(both, sizeof(both) - 1, &run, &e), E_FORMAT);
	assert_non_null(strstr(e.text, "trainer state"));
	assert_non_null(strstr(e.text, "memory statistics"));
}

/* More keys than a record takes, and more samples: the first are kept, the rest is said. */
static void limits(void **state)
{
	struct str b = { 0 };
	struct run run;
	struct err e;
	size_t i;

	(void)state;
	str_adds(&b, "{\"step\": 1");
	for (i = 0; i < RECORD_SERIES + 3; i++)
		str_addf(&b, ", \"k%zu\": 1", i);
	str_adds(&b, "}\n{\"step\": 2, \"rewards\": [0");
	for (i = 0; i < RECORD_SAMPLES + 4; i++)
		str_adds(&b, ",1");
	str_adds(&b, "]}\n");
	if (load(b.s, b.n, &run, &e) != OK)
		fail_msg("%s", e.text);
	str_free(&b);
	assert_int_equal(run.record->nseries, RECORD_SERIES);
	assert_int_equal(run.record->sheet[0]->table.nrow, RECORD_SAMPLES);
	assert_int_equal(run.record->nnote, 2);
	assert_string_equal(run.record->note[0].id, "rows_left_out");
	assert_int_equal(run.record->note[0].count, 5);
	assert_string_equal(run.record->note[1].id, "keys_left_out");
	assert_int_equal(run.record->note[1].count, 4);
	run_clear(&run);
}

/* Malformed documents: the place, and what was expected there. */
static void malformed(void **state)
{
	static const struct {
		const char *text, *what;
		int64_t offset;
	} cases[] = {
		{ "{\"log_history\": [1, 2 3]}", "',' or ']'", 22 },
		{ "{\"log_history\": [], 5: 1}", "a key in quotes", 20 },
		{ "{\"log_history\": [], \"a\" 1}", "':' after the key", 24 },
		{ "{\"log_history\": [}", "a value", 17 },
		{ "{\"log_history\": [{\"a\": 1}", "ends too early, 2 brackets open", 25 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct run run;
		struct err e;

		if (load(cases[i].text, strlen(cases[i].text), &run, &e) == OK)
			fail_msg("%s: read", cases[i].text);
		if (!strstr(e.text, cases[i].what) || e.offset != cases[i].offset)
			fail_msg("%s: %s at %lld", cases[i].text, e.text, (long long)e.offset);
	}
}

/* A key tells the unit of its values wherever it stands, behind what a probe looks at, too. */
static void seconds_behind_the_head(void **state)
{
	static const char begin[] = "{\"losses\": [1], \"accuracies\": [1";
	static const char end[] = "], \"step_times\": [0.5]}";
	size_t n = sizeof(begin) - 1 + 2 * (size_t)HEAD_BYTES + sizeof(end) - 1, i;
	char *text = malloc(n), *p = text;
	const struct series *s = NULL;
	struct run run;
	struct err e;

	(void)state;
	assert_non_null(text);
	memcpy(p, begin, sizeof(begin) - 1);
	for (p += sizeof(begin) - 1, i = 0; i < HEAD_BYTES; i++, p += 2)
		memcpy(p, ",1", 2);
	memcpy(p, end, sizeof(end) - 1);
	assert_int_equal(load(text, n, &run, &e), OK);
	for (i = 0; i < run.record->nseries; i++)
		if (span_is(run.record->series[i]->name, "step_times"))
			s = run.record->series[i];
	assert_non_null(s);
	assert_int_equal(s->measure, MEASURE_S);
	run_clear(&run);
	free(text);
}

/* begin, then `middle` again and again past what is looked at first, then end. */
static struct str long_text(const char *begin, const char *middle, const char *end)
{
	struct str text = { 0 };

	str_adds(&text, begin);
	while (text.n < 2 * (size_t)HEAD_BYTES)
		str_adds(&text, middle);
	str_adds(&text, end);
	return text;
}

/* What tells the kind stands behind a long first member, or behind a long first line. */
static void known_by_its_end(void **state)
{
	static const struct {
		const char *begin, *middle, *end, *artifact;
	} cases[] = {
		{ "{\"stage_times\": {\"a\": 0.5", ", \"stage\": 0.25",
			"}, \"total_stages\": 2, \"timestamp\": \"2026-01-01T00:00:00\"}",
			"stage_times" },
		{ "{\"step\": 1", ", \"loss\": 0.5", "}\n{\"step\": 2, \"loss\": 0.25}\n",
			"jsonl_log" },
		{ "{\"step\": 1", ", \"loss\": 0.5", "}\n", "jsonl_log" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct str text = long_text(cases[i].begin, cases[i].middle, cases[i].end);
		struct run run;
		struct err e;

		if (load(text.s, text.n, &run, &e) != OK)
			fail_msg("%s: %s", cases[i].artifact, e.text);
		assert_true(run.record->nartifact == 1);
		assert_string_equal(run.record->artifact[0].kind, cases[i].artifact);
		run_clear(&run);
		str_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(choice),
		cmocka_unit_test(two_kinds),
		cmocka_unit_test(malformed),
		cmocka_unit_test(limits),
		cmocka_unit_test(prefixes),
		cmocka_unit_test(pprof_samples),
		cmocka_unit_test(faults),
		cmocka_unit_test(seconds_behind_the_head),
		cmocka_unit_test(known_by_its_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
