/* Begins that differ from one before in times, ids and what nobody wants, and those that differ in
 * more: a window of one packet each knows of no other, and all windows have to say the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "tests/unit/loading.h"
#include "tests/unit/protobuf.h"

enum { BEGIN = 1, END = 2, CLEARED = 1, NEEDED = 2, ONE_WINDOW = 1 << 20 };

static const char *const keys[] = { "", "External id", "correlation", "Input Dims", "unwanted",
	"stream", "flops", "finished", "Sequence number" };

/* Names of annotations by number, and two names of events. */
static void intern(struct str *t, uint32_t flags)
{
	struct str p = { 0 }, i = { 0 };
	size_t k;

	for (k = 1; k < COUNT_OF(keys); k++)
		pb_interned(&i, 3, k, keys[k]);
	pb_interned(&i, 2, 1, "aten::mm");
	pb_interned(&i, 2, 2, "aten::add");
	pb_interned(&i, 1, 1, "cpu_op");
	pb_varint(&p, 10, 1);
	pb_varint(&p, 13, flags);
	pb_message(&p, 12, &i);
	pb_packet(t, &p);
}

static void note(struct str *event, uint64_t key, uint64_t v)
{
	struct str n = { 0 };

	pb_varint(&n, 1, key);
	pb_varint(&n, 4, v);
	pb_message(event, 4, &n);
}

static void note_text(struct str *event, uint64_t key, const char *text)
{
	struct str n = { 0 };

	pb_varint(&n, 1, key);
	pb_text(&n, 6, text);
	pb_message(event, 4, &n);
}

/* What all events have before their annotations. */
static void head(struct str *e, uint64_t name)
{
	pb_varint(e, 9, BEGIN);
	pb_varint(e, 11, 1);
	pb_varint(e, 3, 1);
	pb_varint(e, 10, name);
}

/* The event in a packet at that time, and its end 10 ns later. */
static void put(struct str *t, struct str *e, uint64_t time)
{
	struct str p = { 0 };

	pb_varint(&p, 8, time);
	pb_varint(&p, 10, 1);
	pb_message(&p, 11, e);
	pb_packet(t, &p);
	pb_event(t, END, 1, time + 10, NULL);
}

/* An event with annotations of all kinds. */
static void put_all(struct str *t, uint64_t time, uint64_t id)
{
	struct str e = { 0 }, n = { 0 }, v = { 0 };

	head(&e, 1);
	pb_fixed64(&e, 47, id * 77);
	note(&e, 1, id);
	note(&e, 8, id + 100);
	note_text(&e, 4, id % 2 ? "this" : "that");
	pb_varint(&v, 4, 128);
	pb_varint(&n, 1, 3);
	pb_message(&n, 12, &v);
	pb_message(&e, 4, &n);
	pb_varint(&n, 1, 6);
	pb_double(&n, 5, 1.5);
	pb_message(&e, 4, &n);
	pb_varint(&n, 1, 7);
	pb_varint(&n, 2, 1);
	pb_message(&e, 4, &n);
	put(t, &e, time);
}

static uint64_t digest_of(const struct str *t, size_t window_bytes)
{
	const struct loading how = { .needs = LOADING_ALL | NEED_FLOPS | NEED_CALL_IDS,
		.window_bytes = window_bytes };
	struct loaded l;
	uint64_t digest;

	loading_run(&l, (struct span){ t->s, t->n }, &how);
	digest = l.digest;
	loading_release(&l);
	return digest;
}

/* Each byte of an event that would be a repeat is changed in all its bits, and to others. */
static void every_byte_changed(void **state)
{
	SCOPED_STR t = { 0 };
	size_t from, to, at;
	unsigned k;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	intern(&t, CLEARED);
	put_all(&t, 100, 3);
	put_all(&t, 200, 4);
	from = t.n;
	put_all(&t, 300, 5);
	to = t.n;
	put_all(&t, 400, 6);
	assert_true(digest_of(&t, 1) == digest_of(&t, ONE_WINDOW));
	for (at = from; at < to; at += loading_every())
		for (k = 0; k < 11; k++) {
			char was = t.s[at];

			t.s[at] = k < 8 ? (char)(was ^ 1 << k) : "\0\xff\x22"[k - 8];
			if (digest_of(&t, 1) != digest_of(&t, ONE_WINDOW))
				print_error(
					"byte %zu of %zu, change %u\n", at - from, to - from, k);
			assert_true(digest_of(&t, 1) == digest_of(&t, ONE_WINDOW));
			t.s[at] = was;
		}
}

static void load(struct loaded *l, struct str *t)
{
	const struct loading how = { .needs = LOADING_ALL };

	loading_run(l, (struct span){ t->s, t->n }, &how);
	assert_int_equal(l->status, OK);
	str_free(t);
}

static uint32_t external_id(const struct loaded *l, size_t row)
{
	assert_true(l->run.events.args[row] != NO_ARGS);
	return l->run.args.col[ARG_OP_EXTERNAL_ID].id[l->run.events.args[row] - 1];
}

/* Ids of other values and the same lengths, of other lengths, below 0, wide. */
static void numbers(void **state)
{
	static const uint64_t id[] = { 5, 6, 127, 128, 300, 16383, 16384, (uint64_t)-5,
		(uint64_t)-6, (uint64_t)1 << 40, ((uint64_t)1 << 40) + 1, 0, 7 };
	struct str t = { 0 }, e = { 0 };
	struct loaded l;
	size_t i;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	intern(&t, CLEARED);
	for (i = 0; i < COUNT_OF(id); i++) {
		head(&e, 1);
		note(&e, 1, id[i]);
		note(&e, 8, id[i]);
		put(&t, &e, 100 * (i + 1));
	}
	load(&l, &t);
	assert_int_equal(l.run.events.n, COUNT_OF(id));
	for (i = 0; i < COUNT_OF(id); i++) {
		uint32_t packed = external_id(&l, i);
		int64_t sequence = l.run.args.col[ARG_OP_SEQUENCE].i64[l.run.events.args[i] - 1];

		assert_int_equal(l.run.events.start[i], 100 * (i + 1));
		assert_int_equal(l.run.events.dur[i], 10);
		assert_int_equal(sequence, (int64_t)id[i]);
		if (packed & ID_WIDE)
			assert_true(ids_wide(&l.run.ids, packed & ~ID_WIDE) == id[i]);
		else
			assert_int_equal(packed, (int64_t)id[i] < 0 ? 0 : id[i]);
	}
	loading_release(&l);
}

static bool is_named(const struct loaded *l, size_t row, const char *name)
{
	return span_is(strings_get(&l->run.strings, l->run.events.name[row]), name);
}

/* The same bytes mean another thing when a number stands for another text. */
static void other_meaning(void **state)
{
	struct str t = { 0 }, e = { 0 }, p = { 0 }, i = { 0 };
	struct loaded l;
	int round;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	intern(&t, CLEARED);
	for (round = 0; round < 6; round++) {
		if (round == 2) {
			pb_interned(&i, 2, 1, "aten::bmm");
			pb_varint(&p, 10, 1);
			pb_message(&p, 12, &i);
			pb_packet(&t, &p);
		}
		if (round == 4)
			intern(&t, CLEARED);
		head(&e, 1);
		note(&e, 1, 9);
		put(&t, &e, 100 * (uint64_t)(round + 1));
	}
	load(&l, &t);
	assert_int_equal(l.run.events.n, 6);
	for (round = 0; round < 6; round++)
		assert_true(is_named(&l, (size_t)round, round / 2 == 1 ? "aten::bmm" : "aten::mm"));
	loading_release(&l);
}

/* An annotation whose name is said later than it is used first. */
static void later_meaning(void **state)
{
	struct str t = { 0 }, e = { 0 }, p = { 0 }, i = { 0 };
	struct loaded l;
	int round;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	intern(&t, CLEARED);
	for (round = 0; round < 4; round++) {
		if (round == 2) {
			pb_interned(&i, 3, 20, "External id");
			pb_varint(&p, 10, 1);
			pb_message(&p, 12, &i);
			pb_packet(&t, &p);
		}
		head(&e, 2);
		note(&e, 20, 9);
		put(&t, &e, 100 * (uint64_t)(round + 1));
	}
	load(&l, &t);
	assert_int_equal(l.run.events.n, 4);
	for (round = 0; round < 4; round++) {
		assert_true(is_named(&l, (size_t)round, "aten::add"));
		if (round < 2)
			assert_int_equal(l.run.events.args[round], NO_ARGS);
		else
			assert_int_equal(external_id(&l, (size_t)round), 9);
	}
	loading_release(&l);
}

/* A key twice: the last value counts. */
static void twice_the_key(void **state)
{
	struct str t = { 0 }, e = { 0 };
	struct loaded l;
	uint64_t i;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	intern(&t, CLEARED);
	for (i = 0; i < 4; i++) {
		head(&e, 1);
		note(&e, 1, 10 + i);
		note(&e, 1, 20 + i);
		put(&t, &e, 100 * (i + 1));
	}
	for (i = 0; i < 4; i++) {
		head(&e, 2);
		note(&e, 1, 10 + i);
		note_text(&e, 1, "5");
		put(&t, &e, 100 * (i + 5));
	}
	load(&l, &t);
	assert_int_equal(l.run.events.n, 8);
	for (i = 0; i < 8; i++)
		assert_int_equal(external_id(&l, i), i < 4 ? 20 + i : 5);
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_changed),
		cmocka_unit_test(numbers),
		cmocka_unit_test(other_meaning),
		cmocka_unit_test(later_meaning),
		cmocka_unit_test(twice_the_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
