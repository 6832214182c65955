/* The pipeline: one result for any number of threads, scanner, inflater and window size, also where
 * windows are cut at places that only look like events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/events/scan.h"
#include "base/compiler.h"
#include "tests/fuzz/memory_file.h"
#include "tests/unit/loading.h"

#ifdef __SANITIZE_THREAD__
/* What a window's end cuts is for other builds to find out; here threads meet. */
static const unsigned threads[] = { 2, 8 };
static const size_t windows[] = { 4096, 70001, 1 << 18, 0 };
#else
static const unsigned threads[] = { 1, 2, 4, 8 };
static const size_t windows[] = { 4096, 5003, 16384, 70001, 1 << 18, 1 << 20, 0 };
#endif

static struct span span_of_str(const struct str *s)
{
	return (struct span){ s->s, s->n };
}

static uint64_t digest_of(struct span file, const struct loading *how)
{
	struct loaded l;
	uint64_t digest;

	loading_run(&l, file, how);
	if (l.status != OK)
		print_error("%u threads, windows of %zu, %s: %s\n", how->threads, how->window_bytes,
			how->scanner ? how->scanner : "-", l.err.text);
	assert_int_equal(l.status, OK);
	digest = l.digest;
	loading_release(&l);
	return digest;
}

/* All threads and windows; scanners and inflaters take turns. */
static void check_all(struct span file)
{
	static const char *const inflaters[] = { "zlib", "isal" };
	const struct scanner *const *scanners = scanner_all();
	struct loading how = { .inflate = "zlib", .scanner = "portable" };
	uint64_t want = digest_of(file, &how), got;
	size_t t, w, n = 0, nscanner = 1;

	while (scanners[nscanner])
		nscanner++;
	for (t = 0; t < COUNT_OF(threads); t++)
		for (w = 0; w < COUNT_OF(windows); w++, n++) {
			how = (struct loading){ .threads = threads[t],
				.window_bytes = windows[w],
				.inflate = inflaters[n % 2],
				.scanner = scanners[n % nscanner]->name };
			got = digest_of(file, &how);
			if (got != want)
				print_error("%u threads, windows of %zu, %s, %s\n", how.threads,
					how.window_bytes, how.inflate, how.scanner);
			assert_true(got == want);
		}
}

static void generated(void **state)
{
	static const char *const arguments[] = { "healthy --steps 2 --memory",
		"graphs --steps 1 --layout compact", "multi-rank --steps 1 --layout line",
		"rocm --steps 1 --layout kineto2026", "healthy --steps 1 --layout ndjson",
		"inference --steps 2 --layout array", "healthy --steps 1 --layout open-array",
		"healthy --steps 1 --layout kineto2021", "healthy --steps 1 --layout jax",
		"healthy --steps 1 --layout chrome", "python-stacks --steps 1 --meta-after" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(arguments); i += loading_every()) {
		struct str text = { 0 }, packed = { 0 };

		if (!loading_fixture(&text, arguments[i]))
			skip();
		assert_true(text.n > 100000);
		loading_wrap(&packed, span_of_str(&text), WRAP_GZIP);
		check_all(span_of_str(i % 2 ? &text : &packed));
		str_free(&packed);
		str_free(&text);
	}
}

/* Every scanner with every number of threads: as the portable one with one thread. */
static void check_alike(struct span file, size_t window_bytes)
{
	struct loading how = { .scanner = "portable", .window_bytes = window_bytes };
	uint64_t want = digest_of(file, &how);
	const struct scanner *const *s;
	size_t t;

	for (s = scanner_all(); *s; s++)
		for (t = 0; t < COUNT_OF(threads); t++) {
			how.scanner = (*s)->name;
			how.threads = threads[t];
			assert_true(digest_of(file, &how) == want);
		}
}

/* Damaged in one place, the result still depends on the file alone, not on threads or scanner. */
static void damaged(void **state)
{
	static const char *const kinds[] = { "quote-name", "quote-arg", "no-quote", "interleaved",
		"cut", "bad-utf8", "missing-comma", "null-event", "two-lists", "broken-info",
		"deep-2000" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(kinds); i += loading_every()) {
		struct str text = { 0 }, arguments = { 0 };
		bool there;

		str_addf(&arguments, "healthy --steps 1 --damage %s", kinds[i]);
		there = loading_fixture(&text, arguments.s);
		str_free(&arguments);
		if (!there)
			skip();
		check_alike(span_of_str(&text), 16384);
		str_free(&text);
	}
}

/* Every name holds what looks like the border of two events; every window ends somewhere in one. */
static void false_anchors(void **state)
{
	SCOPED_STR text = { 0 };
	struct loaded l;
	struct loading how = { 0 };
	int i;

	(void)state;
	str_adds(&text, "{\"traceEvents\":[");
	for (i = 0; i < 4000; i++)
		str_addf(&text,
			"%s{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a},{\\\"ph\\\":\\\"X\\\"} , {\\\"name\\\" %d\",\"ts\":%d,\"dur\":1,"
			"\"args\":{\"list\":[{\"ph\":1},{\"ph\":\"X\",\"name\":\"inner\",\"ts\":5,\"dur\":5},{\"name\":2}],\"External id\":%d}}",
			i ? "," : "", i % 50, i, i);
	str_adds(&text, "],\"traceName\":\"},{\\\"ph\\\"\"}");
	loading_run(&l, span_of_str(&text), &how);
	assert_int_equal(l.run.events.n, 4000);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	loading_release(&l);
	check_all(span_of_str(&text));
}

/* Events longer than many windows, between short ones. */
static void long_events(void **state)
{
	SCOPED_STR text = { 0 };
	struct loaded l;
	struct loading how = { .threads = 4, .window_bytes = 4096 };
	int i, k;

	(void)state;
	str_adds(&text, "[");
	for (i = 0; i < 30; i++) {
		str_addf(&text,
			"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"n%d\",\"ts\":%d,\"dur\":1,\"args\":{\"Call stack\":\"",
			i, i);
		for (k = 0; k < (i % 3 ? 2 : 3000); k++)
			str_adds(&text, "file.py(12): func \\\"q\\\" };");
		str_addf(&text, "\",\"External id\":%d}}%s", i, i < 29 ? ",\n" : "]");
	}
	loading_run(&l, span_of_str(&text), &how);
	assert_int_equal(l.run.events.n, 30);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	loading_release(&l);
	check_all(span_of_str(&text));
}

static void add_odd_event(struct str *text, unsigned i, const char *odd)
{
	str_addf(text, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"n%u\",\"ts\":%u,\"dur\":1,",
		i % 9, i);
	str_addf(text,
		i % 2 ? "\"args\":{\"External id\":%u,\"odd\":%s,\"x\":0}},\n"
		      : "\"args\":{\"x\":%u,\"odd\":%s,\"External id\":5}},\n",
		i, odd);
}

/* Of a value nobody reads, the brackets of its own kind are counted and no others
 * (docs/formats.md): the first five balance by that and go unnoticed, the others cost events.
 * Which, hangs on the text. */
static void mismatched_brackets(void **state)
{
	static const char *const odd[] = { "[}{]", "{\"a\": [[[}", "{\"a\": ]]}", "[\"]\", }]",
		"[1]", "[1, 2}", "{\"a\": 1]", "[[3]" };
	enum { UNNOTICED = 5, EVENTS = 2000 };
	SCOPED_STR text = { 0 };
	struct loading how = { 0 };
	struct loaded l;
	unsigned i;

	(void)state;
	str_adds(&text, "[");
	for (i = 0; i < EVENTS; i++)
		add_odd_event(&text, i, odd[i % UNNOTICED]);
	loading_run(&l, span_of_str(&text), &how);
	assert_int_equal(l.run.events.n, EVENTS);
	assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_EVENT], 0);
	loading_release(&l);
	check_all(span_of_str(&text));
	for (; i < 2 * EVENTS; i++)
		add_odd_event(&text, i, odd[i % 3 ? UNNOTICED - 1 : i / 3 % COUNT_OF(odd)]);
	loading_run(&l, span_of_str(&text), &how);
	assert_true(l.run.tally.count[PROBLEM_SKIPPED_EVENT] > 0);
	loading_release(&l);
	for (i = 2; i < COUNT_OF(windows); i++)
		check_alike(span_of_str(&text), windows[i]);
}

/* More metadata than a window before the first event, and behind the last. */
static void long_metadata(void **state)
{
	SCOPED_STR text = { 0 };
	int i;

	(void)state;
	str_adds(&text, "{\"big\":[");
	for (i = 0; i < 20000; i++)
		str_addf(&text, "{\"ph\":\"not an event\",\"i\":%d},", i);
	str_adds(&text, "0],\"traceEvents\":[");
	for (i = 0; i < 2000; i++)
		str_addf(&text, "{\"ph\":\"X\",\"name\":\"n%d\",\"pid\":%d,\"ts\":%d,\"dur\":1},",
			i % 7, i % 3, i);
	str_adds(&text, "{}],\"more\":[");
	for (i = 0; i < 20000; i++)
		str_addf(&text, "{\"ph\":\"X\",\"name\":\"no event\",\"ts\":1,\"dur\":%d},", i);
	str_adds(&text, "0]}");
	check_all(span_of_str(&text));
}

/* Each end of the list of events falls on each place relative to a window's end. */
static void ends_at_windows(void **state)
{
	size_t pad, t;

	(void)state;
	for (pad = 0; pad < 300; pad += loading_every()) {
		struct str text = { 0 };
		struct loading how = { 0 };
		uint64_t want;
		size_t i;

		str_adds(&text, "{\"traceEvents\":[\n");
		for (i = 0; i < 6; i++)
			str_addf(&text, "%s{\"ph\":\"X\",\"name\":\"%*zu\",\"ts\":1,\"dur\":1}",
				i ? ",\n" : "", i == 2 ? (int)pad : 1, i);
		str_adds(&text,
			" ] , \"x\": {\"y\": [1]}, \"traceEvents\": [{\"ph\":\"X\",\"ts\":2,\"dur\":2} ] } \n");
		want = digest_of(span_of_str(&text), &how);
		for (t = 0; t < 2; t++) {
			how.window_bytes = 128;
			how.threads = 1 + (unsigned)t * 2;
			assert_true(digest_of(span_of_str(&text), &how) == want);
		}
		str_free(&text);
	}
}

struct seen {
	int calls;
	int64_t done, text;
};

static void on_progress(void *ctx, int64_t done, int64_t total, int64_t text)
{
	struct seen *s = ctx;

	assert_int_equal(total, -1);
	assert_true(done >= s->done && text >= s->text);
	s->done = done;
	s->text = text;
	s->calls++;
}

static void progress(void **state)
{
	struct seen seen = { 0 };
	SCOPED_STR text = { 0 };
	struct memory_file f = { 0 };
	struct load_options o = { .needs = NEED_LINKS,
		.threads = 4,
		.window_bytes = 4096,
		.progress = on_progress,
		.progress_ctx = &seen };
	struct run run;
	struct err e;
	int i;

	(void)state;
	str_adds(&text, "[");
	for (i = 0; i < 3000; i++)
		str_addf(&text, "{\"ph\":\"X\",\"ts\":%d,\"dur\":1},\n", i);
	f.data = (const uint8_t *)text.s;
	f.size = text.n;
	assert_int_equal(load_reader(memory_read, &f, "test", &o, &run, &e), OK);
	assert_true(seen.calls > 0);
	assert_int_equal(seen.done, text.n);
	assert_int_equal(seen.text, text.n);
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generated),
		cmocka_unit_test(damaged),
		cmocka_unit_test(false_anchors),
		cmocka_unit_test(long_events),
		cmocka_unit_test(mismatched_brackets),
		cmocka_unit_test(long_metadata),
		cmocka_unit_test(ends_at_windows),
		cmocka_unit_test(progress),
	};

	return cmocka_run_group_tests_name("pipeline", tests, NULL, NULL);
}
