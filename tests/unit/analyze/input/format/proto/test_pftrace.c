/* Perfetto traces drawn by hand, read by the whole input: events, tracks, sequences, damage. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/loading.h"
#include "tests/unit/protobuf.h"

enum { BEGIN = 1, END = 2, INSTANT = 3 };

static void load(struct loaded *l, const struct str *trace)
{
	const struct loading how = { .needs = LOADING_ALL | NEED_SAMPLES };

	loading_run(l, (struct span){ trace->s, trace->n }, &how);
}

static void load_fine(struct loaded *l, struct str *trace)
{
	load(l, trace);
	if (l->status != OK)
		print_error("%s\n", l->err.text);
	assert_int_equal(l->status, OK);
	str_free(trace);
}

static void expect(const struct loaded *l, const char *name, nsec start, nsec dur, enum kind kind)
{
	size_t row = loading_row(l, name);

	if (row == SIZE_MAX)
		print_error("no %s\n", name);
	assert_true(row != SIZE_MAX);
	assert_int_equal(l->run.events.start[row], start);
	assert_int_equal(l->run.events.dur[row], dur);
	assert_int_equal(l->run.events.kind[row], kind);
}

static const struct lane *lane_of(const struct loaded *l, const char *name)
{
	return &l->run.lanes.lane[l->run.events.lane[loading_row(l, name)]];
}

static bool is(const struct loaded *l, sym s, const char *text)
{
	return span_is(strings_get(&l->run.strings, s), text);
}

/* --- slices --- */

/*
 *	track 1   outer [10            50)
 *	             inner [20  30)  second [30 40)     touching: the end is before the begin
 *	track 2   other   [15 ............. 60)
 */
static void recorded_as_it_happens(void **state)
{
	struct str t = { 0 };
	struct loaded l;

	(void)state;
	pb_thread_track(&t, 1, 7, 71, "main");
	pb_thread_track(&t, 2, 7, 72, "other");
	pb_event(&t, BEGIN, 1, 10, "outer");
	pb_event(&t, BEGIN, 2, 15, "elsewhere");
	pb_event(&t, BEGIN, 1, 20, "inner");
	pb_event(&t, END, 1, 30, NULL);
	pb_event(&t, BEGIN, 1, 30, "second");
	pb_event(&t, END, 1, 40, NULL);
	pb_event(&t, END, 1, 50, NULL);
	pb_event(&t, END, 2, 60, NULL);
	load_fine(&l, &t);
	assert_int_equal(l.run.events.n, 4);
	assert_int_equal(l.run.nevent, 4);
	expect(&l, "outer", 10, 40, KIND_OTHER);
	expect(&l, "inner", 20, 10, KIND_OTHER);
	expect(&l, "second", 30, 10, KIND_OTHER);
	expect(&l, "elsewhere", 15, 45, KIND_OTHER);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	assert_int_equal(lane_of(&l, "inner")->tid_number, 71);
	assert_true(is(&l, lane_of(&l, "inner")->thread_name, "main"));
	assert_int_equal(l.run.first_ns, 10);
	assert_int_equal(l.run.last_ns, 60);
	loading_release(&l);
}

/* Two writers' packets, the later first: what counts is the time. */
static void not_in_the_order_of_time(void **state)
{
	struct str t = { 0 };
	struct loaded l;

	(void)state;
	pb_thread_track(&t, 1, 7, 71, "main");
	pb_event(&t, BEGIN, 1, 20, "inner");
	pb_event(&t, END, 1, 30, NULL);
	pb_event(&t, BEGIN, 1, 10, "outer");
	pb_event(&t, INSTANT, 1, 25, "between");
	pb_event(&t, END, 1, 50, NULL);
	load_fine(&l, &t);
	expect(&l, "outer", 10, 40, KIND_OTHER);
	expect(&l, "inner", 20, 10, KIND_OTHER);
	assert_int_equal(l.run.kind_count[KIND_INSTANT], 1);
	loading_release(&l);
}

/* PyTorch's groups: all begins, then all ends in the same order.  a and b touch at 20, c and d
 * overlap without one being in the other; a stack would give a 20 to 20 and b 10 to 30. */
static void in_groups(void **state)
{
	static const struct {
		const char *name;
		nsec start, end;
	} slices[] = { { "a", 10, 20 }, { "b", 20, 30 }, { "c", 30, 50 }, { "d", 40, 60 },
		{ "e", 5, 9 } };
	struct str t = { 0 };
	struct loaded l;
	size_t i;

	(void)state;
	pb_thread_track(&t, 1, 7, 71, "main");
	for (i = 0; i < 5; i++)
		pb_event(&t, BEGIN, 1, (uint64_t)slices[i].start, slices[i].name);
	for (i = 0; i < 5; i++)
		pb_event(&t, END, 1, (uint64_t)slices[i].end, NULL);
	load_fine(&l, &t);
	for (i = 0; i < 5; i++)
		expect(&l, slices[i].name, slices[i].start, slices[i].end - slices[i].start,
			KIND_OTHER);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	loading_release(&l);
}

/* A group that could be recorded as it happens is PyTorch's when another one is. */
static void a_group_in_doubt(void **state)
{
	struct str t = { 0 };
	struct loaded l;
	bool grouped;

	(void)state;
	for (grouped = false;; grouped = true) {
		pb_thread_track(&t, 1, 7, 71, "main");
		pb_event(&t, BEGIN, 1, 10, "first");
		pb_event(&t, BEGIN, 1, 20, "second");
		pb_event(&t, END, 1, 20, NULL);
		pb_event(&t, END, 1, 30, NULL);
		pb_event(&t, BEGIN, 1, 50, "x");
		pb_event(&t, BEGIN, 1, 90, "y");
		if (!grouped)
			pb_event(&t, END, 1, 95, NULL);
		pb_event(&t, END, 1, grouped ? 60 : 96, NULL);
		if (grouped)
			pb_event(&t, END, 1, 95, NULL);
		load_fine(&l, &t);
		expect(&l, "first", 10, grouped ? 10 : 20, KIND_OTHER);
		expect(&l, "second", 20, grouped ? 10 : 0, KIND_OTHER);
		expect(&l, "x", 50, grouped ? 10 : 46, KIND_OTHER);
		loading_release(&l);
		if (grouped)
			return;
	}
}

static void without_begin_or_end(void **state)
{
	struct str t = { 0 };
	struct loaded l;
	size_t row;

	(void)state;
	pb_thread_track(&t, 1, 7, 71, "main");
	pb_event(&t, END, 1, 5, NULL);
	pb_event(&t, BEGIN, 1, 10, "open");
	pb_event(&t, BEGIN, 1, 20, "closed");
	pb_event(&t, END, 1, 30, NULL);
	load_fine(&l, &t);
	expect(&l, "closed", 20, 10, KIND_OTHER);
	expect(&l, "open", 10, 20, KIND_OTHER);
	row = loading_row(&l, "open");
	assert_int_equal(l.run.events.flags[row], EVENT_UNFINISHED);
	assert_int_equal(l.run.tally.count[PROBLEM_BEGIN_WITHOUT_END], 1);
	assert_int_equal(l.run.tally.count[PROBLEM_END_WITHOUT_BEGIN], 1);
	loading_release(&l);
}

/* --- sequences --- */

static void put_sequence(struct str *packet, uint64_t id, uint64_t flags)
{
	pb_varint(packet, 10, id);
	if (flags)
		pb_varint(packet, 13, flags);
}

static void named_by_iid(struct str *t, uint64_t sequence, uint64_t flags, uint64_t time,
	uint64_t iid, struct str *interned)
{
	struct str packet = { 0 }, event = { 0 };

	pb_varint(&packet, 8, time);
	put_sequence(&packet, sequence, flags);
	if (interned)
		pb_message(&packet, 12, interned);
	pb_varint(&event, 9, INSTANT);
	pb_varint(&event, 10, iid);
	pb_text(&event, 22, "cpu_op");
	pb_message(&packet, 11, &event);
	pb_packet(t, &packet);
}

static size_t count_named(const struct loaded *l, const char *name)
{
	size_t i, n = 0;

	for (i = 0; i < l->run.events.n; i++)
		n += span_is(run_name(&l->run, i), name);
	return n;
}

/* Numbers of names hold within a sequence, from the packet that says them until the sequence
 * forgets; what needs them before the first beginning, or after a loss, is skipped and counted. */
static void names_by_number(void **state)
{
	struct str t = { 0 }, in = { 0 };
	struct loaded l;

	(void)state;
	named_by_iid(&t, 1, 2, 1, 1, NULL); /* nothing was said yet */
	pb_interned(&in, 2, 1, "[memory]");
	named_by_iid(&t, 1, 3, 2, 1, &in);
	named_by_iid(&t, 1, 2, 3, 1, NULL);
	pb_interned(&in, 2, 1, "[OutOfMemory]");
	named_by_iid(&t, 2, 1, 4, 1, &in); /* another sequence */
	named_by_iid(&t, 1, 2, 5, 1, NULL);
	named_by_iid(&t, 1, 1, 6, 1, NULL); /* forgotten */
	pb_varint(&in, 8, 7);
	put_sequence(&in, 2, 2);
	pb_varint(&in, 42, 1); /* packets were lost in front */
	pb_packet(&t, &in);
	named_by_iid(&t, 2, 2, 8, 1, NULL);
	load_fine(&l, &t);
	assert_int_equal(count_named(&l, "[memory]"), 3);
	assert_int_equal(count_named(&l, "[OutOfMemory]"), 1);
	assert_int_equal(l.run.tally.count[PROBLEM_LOST_STATE], 2);
	assert_int_equal(l.run.tally.count[PROBLEM_LOST_PACKETS], 1);
	loading_release(&l);
}

/* Track and clock of a sequence's packets that do not say them. */
static void defaults(void **state)
{
	struct str t = { 0 }, p = { 0 }, d = { 0 }, e = { 0 }, s = { 0 };
	struct loaded l;
	int i;

	(void)state;
	pb_thread_track(&t, 5, 7, 75, "worker");
	pb_varint(&p, 8, 0);
	put_sequence(&p, 3, 1);
	pb_varint(&d, 58, 64);
	pb_varint(&e, 11, 5);
	pb_message(&d, 11, &e);
	pb_message(&p, 59, &d);
	pb_varint(&e, 1, 6);
	pb_varint(&e, 2, 1000000);
	pb_message(&s, 1, &e);
	pb_varint(&e, 1, 64);
	pb_varint(&e, 2, 0);
	pb_varint(&e, 3, 1);
	pb_varint(&e, 4, 1000);
	pb_message(&s, 1, &e);
	pb_message(&p, 6, &s);
	pb_packet(&t, &p);
	for (i = 0; i < 4; i++) { /* 10 us apart: the sums of the differences */
		pb_varint(&p, 8, 10);
		put_sequence(&p, 3, 2);
		pb_varint(&e, 9, i % 2 ? END : BEGIN);
		if (i % 2 == 0)
			pb_text(&e, 23, i ? "b" : "a");
		pb_message(&p, 11, &e);
		pb_packet(&t, &p);
	}
	load_fine(&l, &t);
	expect(&l, "a", 1010000, 10000, KIND_OTHER);
	expect(&l, "b", 1030000, 10000, KIND_OTHER);
	assert_int_equal(lane_of(&l, "b")->tid_number, 75);
	loading_release(&l);
}

/* --- other data, compressed packets --- */

static void only_the_kernels_events(void **state)
{
	struct str t = { 0 }, p = { 0 };
	struct loaded l;

	(void)state;
	pb_text(&p, 1, "\x08\x01");
	pb_packet(&t, &p);
	pb_text(&p, 1, "\x08\x02");
	pb_packet(&t, &p);
	pb_text(&p, 7, "");
	pb_packet(&t, &p);
	load(&l, &t);
	assert_int_equal(l.status, E_NODATA);
	assert_non_null(strstr(l.err.text, "ftrace (2 packets), sys_stats (1 packet)"));
	loading_release(&l);
	pb_event(&t, INSTANT, 0, 5, "now");
	load_fine(&l, &t);
	assert_int_equal(loading_problem(&l), PROBLEM_OTHER_DATA);
	assert_int_equal(l.run.tally.count[PROBLEM_OTHER_DATA], 3);
	loading_release(&l);
}

static void compressed_packets(void **state)
{
	struct str t = { 0 }, inside = { 0 }, packed = { 0 };
	struct loaded plain, l;
	uint64_t digest;
	int i;

	(void)state;
	pb_thread_track(&inside, 1, 7, 71, "main");
	for (i = 0; i < 50; i++) {
		pb_event(&inside, BEGIN, 1, (uint64_t)i * 10, "x");
		pb_event(&inside, END, 1, (uint64_t)i * 10 + 5, NULL);
	}
	load(&plain, &inside);
	loading_wrap(&packed, (struct span){ inside.s, inside.n }, WRAP_ZLIB);
	str_addc(&t, 0x0a); /* the packet by hand: its text may hold zero bytes */
	assert_in_range(packed.n, 128 - 3, 16000);
	str_addc(&t, (char)((packed.n + 4) | 0x80));
	str_addc(&t, (char)((packed.n + 4) >> 7));
	str_addc(&t, (char)0x92);
	str_addc(&t, 0x03);
	str_addc(&t, (char)(packed.n | 0x80));
	str_addc(&t, (char)(packed.n >> 7));
	str_add(&t, packed.s, packed.n);
	load(&l, &t);
	assert_int_equal(l.status, OK);
	assert_int_equal(l.run.events.n, 50);
	assert_int_equal(l.run.events.n, plain.run.events.n);
	assert_int_equal(l.run.last_ns, plain.run.last_ns);
	digest = l.digest;
	loading_release(&l);
	loading_release(&plain);
	t.s[40] = (char)(t.s[40] ^ 0x55); /* damaged inside: nothing of it is used */
	pb_event(&t, INSTANT, 0, 5, "now");
	load(&l, &t);
	assert_int_equal(l.status, OK);
	assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_RECORD], 1);
	assert_true(l.digest != digest);
	loading_release(&l);
	str_free(&t);
	str_free(&inside);
	str_free(&packed);
}

/* --- damage --- */

static void annotate_int(struct str *event, const char *key, int64_t v)
{
	struct str note = { 0 };

	pb_text(&note, 10, key);
	pb_varint(&note, 4, (uint64_t)v);
	pb_message(event, 4, &note);
}

static void slice(struct str *t, uint64_t track, const char *name, uint64_t time, uint64_t dur,
	struct str *says)
{
	struct str p = { 0 }, e = { 0 };

	pb_varint(&p, 8, time);
	pb_varint(&e, 9, BEGIN);
	pb_varint(&e, 11, track);
	pb_text(&e, 23, name);
	if (says)
		str_add(&e, says->s, says->n);
	pb_message(&p, 11, &e);
	pb_packet(t, &p);
	pb_event(t, END, track, time + dur, NULL);
	if (says)
		str_free(says);
}

static void make_long(struct str *t, int slices)
{
	struct str a = { 0 };
	int i;

	pb_thread_track(t, 1, 500, 501, "thread 501");
	pb_thread_track(t, 2, 0, 7, "stream 7");
	for (i = 0; i < slices; i++) {
		annotate_int(&a, "External id", i + 1);
		slice(t, 1, i % 3 ? "aten::mm" : "aten::add", (uint64_t)i * 100 + 1, 90, &a);
		annotate_int(&a, "stream", 7);
		annotate_int(&a, "correlation", i + 1);
		slice(t, 2, "gemm", (uint64_t)i * 100 + 50, 20, &a);
	}
}

/* Cut at every byte: what is in front is there, and that it is cut is said. */
static void cut_everywhere(void **state)
{
	SCOPED_STR t = { 0 };
	size_t n, rows = 0;

	(void)state;
	make_long(&t, 4);
	for (n = 0; n <= t.n; n++) {
		struct loading how = { .needs = LOADING_ALL };
		struct loaded l;

		loading_run(&l, (struct span){ t.s, n }, &how);
		if (l.status == OK) {
			assert_true(l.run.events.n >= rows);
			rows = l.run.events.n;
			assert_true(l.run.tally.count[PROBLEM_TRUNCATED_TRACE] <= 1);
			assert_int_equal(
				l.run.is_complete, l.run.tally.count[PROBLEM_TRUNCATED_TRACE] == 0);
			assert_int_equal(l.run.tally.count[PROBLEM_SKIPPED_RECORD], 0);
		}
		loading_release(&l);
	}
	assert_int_equal(rows, 8);
}

/* Some bytes in the middle are gone or changed: the packets around them are read. */
static void damaged_in_the_middle(void **state)
{
	struct str t = { 0 }, bad = { 0 };
	struct loaded l;
	size_t cut;

	(void)state;
	make_long(&t, 40);
	for (cut = 1; cut < 40; cut += 3) {
		str_reset(&bad);
		str_add(&bad, t.s, t.n / 2);
		str_add(&bad, t.s + t.n / 2 + cut, t.n - t.n / 2 - cut);
		load(&l, &bad);
		assert_int_equal(l.status, OK);
		assert_in_range(l.run.events.n, 74, 80);
		loading_release(&l);
	}
	str_reset(&bad);
	str_add(&bad, t.s, t.n);
	memset(bad.s + t.n / 2, 0xff, 50);
	load(&l, &bad);
	assert_int_equal(l.status, OK);
	assert_in_range(l.run.events.n, 74, 80);
	assert_true(l.run.tally.count[PROBLEM_SKIPPED_RECORD] >= 1);
	assert_in_range(l.run.tally.offset[PROBLEM_SKIPPED_RECORD], t.n / 2 - 60, t.n / 2 + 60);
	loading_release(&l);
	str_free(&bad);
	str_free(&t);
}

/* The run is the same for any windows and threads, of whole traces and damaged ones. */
static void any_windows_and_threads(void **state)
{
	static const size_t windows[] = { 1, 2, 300, 2000, 9001, 1 << 20 };
	SCOPED_STR t = { 0 };
	uint64_t seed = 3;
	int round;

	(void)state;
	for (round = 0; round < 6; round++) {
		uint64_t digest = 0;
		size_t i, k;

		str_reset(&t);
		make_long(&t, 60);
		for (k = 0; k < (size_t)round * 2; k++)
			t.s[loading_random(&seed) % t.n] = (char)loading_random(&seed);
		for (i = 0; i < COUNT_OF(windows) * 3; i++) {
			const struct loading how = { .needs = LOADING_ALL,
				.window_bytes = windows[i % COUNT_OF(windows)],
				.threads = (unsigned)(i / COUNT_OF(windows)) + 1 };
			struct loaded l;

			loading_run(&l, (struct span){ t.s, t.n }, &how);
			if (i == 0)
				digest = l.digest;
			if (l.digest != digest)
				print_error("round %d, windows of %zu, %u threads: %s\n", round,
					how.window_bytes, how.threads,
					l.status == OK ? "loaded" : l.err.text);
			assert_true(l.digest == digest);
			loading_release(&l);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recorded_as_it_happens),
		cmocka_unit_test(not_in_the_order_of_time),
		cmocka_unit_test(in_groups),
		cmocka_unit_test(a_group_in_doubt),
		cmocka_unit_test(without_begin_or_end),
		cmocka_unit_test(names_by_number),
		cmocka_unit_test(defaults),
		cmocka_unit_test(only_the_kernels_events),
		cmocka_unit_test(compressed_packets),
		cmocka_unit_test(cut_everywhere),
		cmocka_unit_test(damaged_in_the_middle),
		cmocka_unit_test(any_windows_and_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
