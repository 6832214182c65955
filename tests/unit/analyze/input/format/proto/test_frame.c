/* Framing: whole packets, cut ones, where they go on after damage, what is no trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "analyze/input/format/proto/frame.h"
#include "tests/unit/protobuf.h"

#define BYTES(s) ((struct span){ s, sizeof(s) - 1 })

static struct span text_of(const struct str *s)
{
	return (struct span){ s->s, s->n };
}

/* 0a 03 | 08 .. : a packet of three bytes. */
static void a_packet(void **state)
{
	struct span text = BYTES("\x0a\x03\x40\x01\x50\x0a"), packet;
	size_t next, n;

	(void)state;
	assert_int_equal(frame_next(text, &packet, &next), FRAME_WHOLE);
	assert_int_equal(packet.n, 3);
	assert_int_equal(next, 5);
	for (n = 0; n < 5; n++)
		assert_int_equal(
			frame_next((struct span){ text.p, n }, &packet, &next), FRAME_MORE);
	assert_int_equal(frame_next(BYTES("\x12\x01x"), &packet, &next), FRAME_NONE);
}

/* A length beyond what a packet may have is none; so is one that never ends. */
static void hostile_lengths(void **state)
{
	struct span packet;
	size_t next;

	(void)state;
	assert_int_equal(frame_next(BYTES("\x0a\xff\xff\xff\xff\x0f"), &packet, &next), FRAME_NONE);
	assert_int_equal(frame_next(BYTES("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
				 &packet, &next),
		FRAME_NONE);
}

static void make_trace(struct str *t)
{
	pb_thread_track(t, 1, 10, 11, "main");
	pb_event(t, 1, 1, 1000, "first");
	pb_event(t, 2, 1, 2000, NULL);
	pb_event(t, 1, 1, 3000, "second");
	pb_event(t, 2, 1, 4000, NULL);
}

/* Behind garbage of any length, the first packet of the trace is found. */
static void packets_go_on(void **state)
{
	SCOPED_STR t = { 0 };
	size_t garbage, at;

	(void)state;
	for (garbage = 1; garbage < 40; garbage++) {
		str_reset(&t);
		while (t.n < garbage)
			str_addc(&t, (char)(t.n % 3 ? 0x0a : 0xff));
		make_trace(&t);
		assert_int_equal(frame_find(text_of(&t), 1, true, &at), FRAME_WHOLE);
		assert_int_equal(at, garbage);
	}
}

/* Cut behind the garbage, one cannot tell yet; with nothing behind it, there is none. */
static void too_little_to_tell(void **state)
{
	SCOPED_STR t = { 0 };
	size_t at;

	(void)state;
	str_adds(&t, "???");
	pb_event(&t, 1, 1, 1000, "first");
	assert_int_equal(frame_find(text_of(&t), 0, false, &at), FRAME_MORE);
	assert_int_equal(at, 3);
	assert_int_equal(frame_find(text_of(&t), 1, true, &at), FRAME_WHOLE);
	assert_int_equal(frame_find(BYTES("nothing at all"), 0, true, &at), FRAME_NONE);
	assert_int_equal(at, 14);
}

static void traces_are_known(void **state)
{
	SCOPED_STR t = { 0 };
	size_t n;

	(void)state;
	make_trace(&t);
	assert_true(frame_is_trace(text_of(&t)));
	for (n = 6; n < t.n; n++) /* cut behind the first fields */
		assert_true(frame_is_trace((struct span){ t.s, n }));
}

/* An XSpace: planes = 1 {id = 1, name = 2, lines = 3 ...}; JSON and text behind an empty line. */
static void others_are_not(void **state)
{
	struct str space = { 0 }, plane = { 0 }, line = { 0 };

	(void)state;
	pb_varint(&plane, 1, 2);
	pb_text(&plane, 2, "/device:GPU:0");
	pb_varint(&line, 1, 7);
	pb_message(&plane, 3, &line);
	pb_message(&space, 1, &plane);
	assert_false(frame_is_trace(text_of(&space)));
	str_reset(&space);
	pb_text(&plane, 2, "/host:metadata");
	pb_text(&plane, 4, "\x08\x07");
	pb_message(&space, 1, &plane);
	assert_false(frame_is_trace(text_of(&space)));
	str_free(&space);
	assert_false(
		frame_is_trace(BYTES("\n{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\"}]}\n")));
	assert_false(frame_is_trace(BYTES("\n\n\n\n")));
	assert_false(frame_is_trace(BYTES("\nstep,loss\n1,2.5\n2,2.25\n")));
	assert_false(frame_is_trace(BYTES("\x0a")));
	assert_false(frame_is_trace(BYTES("\x0a\x00")));
	assert_false(frame_is_trace(BYTES("")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_packet),
		cmocka_unit_test(hostile_lengths),
		cmocka_unit_test(packets_go_on),
		cmocka_unit_test(too_little_to_tell),
		cmocka_unit_test(traces_are_known),
		cmocka_unit_test(others_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
