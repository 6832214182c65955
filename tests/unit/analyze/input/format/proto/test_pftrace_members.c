/* Perfetto traces that say what stands around the events in Chrome's JSON: ChromeMetadata. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/loading.h"
#include "tests/unit/protobuf.h"

enum { BEGIN = 1, END = 2 };
enum { TEXT = 2, TRUTH = 3, NUMBER = 4, JSON = 5 }; /* fields of ChromeMetadata */

static void member_text(struct str *bundle, const char *name, uint32_t field, const char *value)
{
	struct str m = { 0 };

	pb_text(&m, 1, name);
	pb_text(&m, field, value);
	pb_message(bundle, 2, &m);
}

static void member_number(struct str *bundle, const char *name, uint32_t field, int64_t value)
{
	struct str m = { 0 };

	pb_text(&m, 1, name);
	pb_varint(&m, field, (uint64_t)value);
	pb_message(bundle, 2, &m);
}

static void put_bundle(struct str *t, struct str *bundle)
{
	struct str p = { 0 };

	pb_message(&p, 5, bundle);
	pb_packet(t, &p);
}

static void put_slice(struct str *t)
{
	pb_thread_track(t, 1, 7, 71, "main");
	pb_event(t, BEGIN, 1, 10, "s");
	pb_event(t, END, 1, 20, NULL);
}

static void load(struct loaded *l, struct str *t, size_t window_bytes)
{
	const struct loading how = { .window_bytes = window_bytes };

	loading_run(l, (struct span){ t->s, t->n }, &how);
	assert_int_equal(l->status, OK);
}

static bool is(const struct loaded *l, sym s, const char *text)
{
	return span_is(strings_get(&l->run.strings, s), text);
}

/* What `info` shows of a member; NULL when it is none of those kept as text. */
static const struct meta_entry *entry_of(const struct loaded *l, const char *key)
{
	const struct meta *m = &l->run.meta;
	size_t i;

	for (i = 0; i < m->nentry; i++)
		if (is(l, m->entry[i].key, key))
			return &m->entry[i];
	return NULL;
}

/* Before the events and behind them, in any window. */
static void members(void **state)
{
	struct str t = { 0 }, b = { 0 };
	struct loaded l;
	size_t window;

	(void)state;
	member_number(&b, "schemaVersion", NUMBER, 1);
	member_text(&b, "deviceProperties", JSON,
		"[{\"id\": 0, \"name\": \"NVIDIA H100\", \"numSms\": 132, \"computeMajor\": 9}]");
	member_text(&b, "traceName", TEXT, "C:\\runs\\\"a\".json");
	put_bundle(&t, &b);
	put_slice(&t);
	member_text(&b, "distributedInfo", JSON,
		"{\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8}");
	member_number(&b, "with_stack", TRUTH, 1);
	member_text(&b, "profile_memory", JSON, "false");
	member_text(&b, "baseTimeNanoseconds", JSON, "1700000000000000000");
	member_number(&b, "my \"own\" number", NUMBER, -5);
	put_bundle(&t, &b);
	for (window = 0; window < 100; window += 33) {
		const struct meta *m = &l.run.meta;

		load(&l, &t, window);
		assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
		assert_int_equal(m->schema_version, 1);
		assert_int_equal(m->ngpu, 1);
		assert_true(is(&l, m->gpu[0].name, "NVIDIA H100"));
		assert_int_equal(m->gpu[0].sms, 132);
		assert_int_equal(m->gpu[0].major, 9);
		assert_true(is(&l, m->trace_name, "C:\\runs\\\"a\".json"));
		assert_int_equal(m->rank, 3);
		assert_int_equal(m->world_size, 8);
		assert_true(is(&l, m->backend, "nccl"));
		assert_int_equal(m->with_stack, YES);
		assert_int_equal(m->profile_memory, NO);
		assert_true(m->has_base);
		assert_int_equal(m->base_ns, INT64_C(1700000000000000000));
		assert_non_null(entry_of(&l, "my \"own\" number"));
		assert_true(is(&l, entry_of(&l, "my \"own\" number")->value, "-5"));
		loading_release(&l);
	}
	str_free(&t);
}

/* What says nothing is passed over; what is damaged is counted, and what is beside it read. */
static void odd_members(void **state)
{
	struct str t = { 0 }, b = { 0 }, m = { 0 };
	struct loaded l;

	(void)state;
	member_text(&b, "no JSON", JSON, "[1, 2");
	member_text(&b, "empty", JSON, "");
	member_text(&b, "", TEXT, "without a name");
	pb_text(&m, 1, "without a value");
	pb_message(&b, 2, &m);
	member_text(&b, "host_name", TEXT, "box");
	put_bundle(&t, &b);
	put_slice(&t);
	load(&l, &t, 0);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	assert_int_equal(l.run.meta.nentry, 1);
	assert_true(is(&l, l.run.meta.host_name, "box"));
	loading_release(&l);

	str_add(&m, "\x0a\x7f", 2); /* a name of 127 bytes that are not there */
	pb_message(&b, 2, &m);
	member_text(&b, "trace_id", TEXT, "T7");
	put_bundle(&t, &b);
	load(&l, &t, 0);
	assert_int_equal(loading_problem(&l), PROBLEM_SKIPPED_RECORD);
	assert_true(is(&l, l.run.meta.trace_id, "T7"));
	loading_release(&l);
	str_free(&t);
}

/* A snapshot of BOOTTIME 1000 and REALTIME 5000 knows better what times count from: 4000, once. */
static void clocks_decide(void **state)
{
	struct str t = { 0 }, b = { 0 }, p = { 0 }, c = { 0 };
	struct loaded l;

	(void)state;
	pb_varint(&c, 1, 6);
	pb_varint(&c, 2, 1000);
	pb_message(&b, 1, &c);
	pb_varint(&c, 1, 1);
	pb_varint(&c, 2, 5000);
	pb_message(&b, 1, &c);
	pb_message(&p, 6, &b);
	pb_packet(&t, &p);
	member_text(&b, "baseTimeNanoseconds", JSON, "77");
	put_bundle(&t, &b);
	put_slice(&t);
	load(&l, &t, 0);
	assert_int_equal(l.run.meta.base_ns, 4000);
	assert_int_equal(l.run.meta.nentry, 1);
	loading_release(&l);
	str_free(&t);
}

/* Events of Chrome's older kind are none of ours: they are counted as other data. */
static void other_events(void **state)
{
	struct str t = { 0 }, b = { 0 };
	struct loaded l;

	(void)state;
	put_slice(&t);
	pb_text(&b, 5, "{\"traceEvents\": []}");
	member_text(&b, "host_name", TEXT, "box");
	put_bundle(&t, &b);
	load(&l, &t, 0);
	assert_int_equal(l.run.tally.count[PROBLEM_OTHER_DATA], 1);
	assert_true(is(&l, l.run.meta.host_name, "box"));
	loading_release(&l);
	str_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members),
		cmocka_unit_test(odd_members),
		cmocka_unit_test(clocks_decide),
		cmocka_unit_test(other_events),
	};

	return cmocka_run_group_tests_name("pftrace_members", tests, NULL, NULL);
}
