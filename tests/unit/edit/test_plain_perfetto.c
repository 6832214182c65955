/*
 * Perfetto traces, put together byte by byte, as the Chrome's JSON that is cut and merged of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/io.h"
#include "edit/renumber_ids.h"
#include "edit/rereadable_trace.h"
#include "tests/unit/handmade.h"
#include "tests/unit/protobuf.h"

enum { PHASE, BEGIN, END, INSTANT, COUNTER };
enum { THREAD = 2, BESIDE, DEVICE, POWER };

/* A track below another, with a name. */
static void put_track(struct str *t, uint64_t uuid, uint64_t parent, const char *name,
	uint32_t field, struct str *descriptor)
{
	struct str packet = { 0 }, track = { 0 };

	pb_varint(&track, 1, uuid);
	if (parent)
		pb_varint(&track, 5, parent);
	if (name)
		pb_text(&track, 2, name);
	if (field)
		pb_message(&track, field, descriptor);
	pb_message(&packet, 60, &track);
	pb_packet(t, &packet);
}

static void put_thread(struct str *t, uint64_t uuid, int64_t tid, const char *name)
{
	struct str d = { 0 };

	pb_varint(&d, 1, 7);
	pb_varint(&d, 2, (uint64_t)tid);
	pb_varint(&d, 3, 5);
	pb_text(&d, 5, name);
	put_track(t, uuid, 0, NULL, 4, &d);
}

/* The member that says which numbers are words. */
static void put_words(struct str *t)
{
	struct str packet = { 0 }, bundle = { 0 }, member = { 0 };

	pb_text(&member, 1, "traceq_ids");
	pb_text(&member, 5, "{\"2130706433\": \"stream\\u0020\\\"3\"}");
	pb_message(&bundle, 2, &member);
	pb_text(&member, 1, "host");
	pb_text(&member, 2, "a\n\"b");
	pb_message(&bundle, 2, &member);
	pb_message(&packet, 5, &bundle);
	pb_packet(t, &packet);
}

static void note(struct str *event, const char *key, uint32_t field, const char *text)
{
	struct str n = { 0 };

	pb_text(&n, 10, key);
	pb_text(&n, field, text);
	pb_message(event, 4, &n);
}

static void put_event(struct str *t, uint64_t time, struct str *event)
{
	struct str packet = { 0 };

	pb_varint(&packet, 8, time);
	pb_message(&packet, 11, event);
	pb_packet(t, &packet);
}

/* An event of a phase of Chrome's. */
static void put_phase(struct str *t, char phase, uint64_t time, uint64_t id)
{
	struct str event = { 0 }, legacy = { 0 };

	pb_varint(&event, 11, THREAD);
	pb_text(&event, 22, "fwdbwd");
	pb_text(&event, 23, "arrow");
	pb_varint(&legacy, 2, (uint64_t)phase);
	pb_varint(&legacy, 6, id);
	if (phase == 'f')
		pb_varint(&legacy, 12, 1);
	pb_message(&event, 6, &legacy);
	put_event(t, time, &event);
}

static void put_whole(struct str *t)
{
	struct str event = { 0 }, d = { 0 };

	put_words(t);
	put_thread(t, THREAD, 71, "main");
	put_track(t, BESIDE, THREAD, "beside", 0, NULL);
	put_thread(t, DEVICE, 2130706433, "stream \"3");
	pb_text(&d, 2, "nvml");
	pb_text(&d, 6, "W");
	put_track(t, POWER, DEVICE, "power W", 8, &d);

	pb_varint(&event, 9, BEGIN);
	pb_varint(&event, 11, THREAD);
	pb_text(&event, 22, "cpu_op");
	pb_text(&event, 23, "aten::mm");
	note(&event, "nobody's", 6, "\ttext");
	note(&event, "none", 9, "null");
	put_event(t, 1000, &event);
	put_phase(t, 's', 1000, 9);
	pb_event(t, END, THREAD, 3500, NULL);
	put_phase(t, 'f', 4000, 9);
	pb_event(t, BEGIN, BESIDE, 2000, "aten::add");
	pb_event(t, END, BESIDE, 4000, NULL);
	pb_event(t, INSTANT, DEVICE, 5001, "now");
	pb_varint(&event, 9, COUNTER);
	pb_varint(&event, 11, POWER);
	pb_varint(&event, 30, 7);
	put_event(t, 6000, &event);
	pb_varint(&event, 9, COUNTER);
	pb_varint(&event, 11, POWER);
	pb_double(&event, 44, 0.1);
	put_event(t, 7000, &event);
}

static const char *const expected =
	"{\n"
	"\"host\": \"a\\n\\\"b\",\n"
	"\"traceEvents\": [\n"
	"{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 7, \"tid\": 71, "
	"\"args\": {\"name\": \"main\"}},\n"
	"{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": 7, \"tid\": 71, "
	"\"args\": {\"sort_index\": 5}},\n"
	"{\"ph\": \"M\", \"name\": \"thread_sort_index\", \"pid\": 7, \"tid\": \"stream \\\"3\", "
	"\"args\": {\"sort_index\": 5}},\n"
	"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 7, \"tid\": 71, "
	"\"ts\": 1.000, \"args\": {\"nobody's\": \"\\u0009text\", \"none\": null}, "
	"\"dur\": 2.500},\n"
	"{\"ph\": \"s\", \"cat\": \"fwdbwd\", \"name\": \"arrow\", \"id\": 9, \"pid\": 7, "
	"\"tid\": 71, \"ts\": 1.000},\n"
	"{\"ph\": \"f\", \"cat\": \"fwdbwd\", \"name\": \"arrow\", \"id\": 9, \"pid\": 7, "
	"\"tid\": 71, \"ts\": 4.000, \"bp\": \"e\"},\n"
	"{\"ph\": \"X\", \"name\": \"aten::add\", \"pid\": 7, \"tid\": 71, \"ts\": 2.000, "
	"\"dur\": 2.000},\n"
	"{\"ph\": \"i\", \"name\": \"now\", \"pid\": 7, \"tid\": \"stream \\\"3\", \"ts\": "
	"5.001},\n"
	"{\"ph\": \"C\", \"cat\": \"nvml\", \"name\": \"power\", \"pid\": 7, \"ts\": 6.000, "
	"\"args\": {\"W\": 7}},\n"
	"{\"ph\": \"C\", \"cat\": \"nvml\", \"name\": \"power\", \"pid\": 7, \"ts\": 7.000, "
	"\"args\": {\"W\": 0.1}}\n"
	"]\n"
	"}\n";

/* All that is said of events, in any windows and by any threads. */
static void perfetto(void **state)
{
	char folder[] = "/tmp/test_plain_perfetto.XXXXXX";
	struct str t = { 0 }, path = { 0 }, text = { 0 };
	struct load_options how = { 0 };
	struct rereadable p;
	struct err e;
	size_t window;

	(void)state;
	put_whole(&t);
	assert_non_null(mkdtemp(folder));
	str_addf(&path, "%s/t.pftrace", folder);
	assert_int_equal(io_put(path.s, &t, &e), OK);
	for (window = 0; window < 200; window += 40) {
		how.window_bytes = window;
		how.threads = (unsigned)(1 + window % 3);
		assert_int_equal(rereadable_open(&p, path.s, folder, &how, &e), OK);
		str_reset(&text);
		assert_int_equal(io_get(p.path, 1 << 20, &text, &e), OK);
		rereadable_close(&p);
		assert_string_equal(text.s, expected);
	}
	assert_int_equal(unlink(path.s), 0);
	assert_int_equal(rmdir(folder), 0); /* nothing else is left in it */
	str_free(&t);
	str_free(&path);
	str_free(&text);
}

/* Where it cannot write beside the file, nothing is made. */
static void no_folder(void **state)
{
	char folder[] = "/tmp/test_plain_perfetto.XXXXXX";
	struct str t = { 0 }, path = { 0 };
	struct load_options how = { 0 };
	struct rereadable p;
	struct err e;

	(void)state;
	put_whole(&t);
	assert_non_null(mkdtemp(folder));
	str_addf(&path, "%s/t.pftrace", folder);
	assert_int_equal(io_put(path.s, &t, &e), OK);
	assert_int_equal(rereadable_open(&p, path.s, "/nowhere/at/all", &how, &e), E_IO);
	rereadable_close(&p);
	assert_int_equal(unlink(path.s), 0);
	assert_int_equal(rmdir(folder), 0);
	str_free(&t);
	str_free(&path);
}

/* ---- ids of processes ---- */

static uint64_t id_of(const struct run *r, uint32_t row, enum arg arg)
{
	return r->args.col[arg].id[r->events.args[row] - 1];
}

/* Two processes that both count from 1: by id x 2 + number of the process. */
static void apart(void **state)
{
	struct run r;
	uint32_t thread, stream, call, kernel, other;

	(void)state;
	run_init(&r, NEED_LINKS | NEED_SYNC);
	thread = hand_thread(&r, 1);
	stream = hand_stream(&r, 0, 7);
	r.lanes.lane[stream].pid = strings_intern(&r.strings, SPAN("200"));
	kernel = hand_launch(&r, thread, stream, 10, 20, 5, 3);
	call = kernel - 1;
	other = hand_event(&r, KIND_KERNEL, stream, "no id", 40, 5);

	renumber_ids(&r);
	assert_int_equal(id_of(&r, kernel, ARG_DEVICE_CORRELATION), 3);
	r.streams_of_processes = true;
	renumber_ids(&r);
	assert_int_equal(id_of(&r, call, ARG_LAUNCH_CORRELATION), 3 * 2);
	assert_int_equal(id_of(&r, kernel, ARG_DEVICE_CORRELATION), 3 * 2 + 1);
	assert_int_equal(id_of(&r, other, ARG_DEVICE_CORRELATION), 0);
	run_clear(&r);
}

/* One id that would need more than 31 bits: all stay as they are. */
static void too_large(void **state)
{
	struct run r;
	uint32_t thread, stream, small, large;

	(void)state;
	run_init(&r, NEED_LINKS);
	thread = hand_thread(&r, 1);
	stream = hand_stream(&r, 0, 7);
	r.lanes.lane[stream].pid = strings_intern(&r.strings, SPAN("200"));
	small = hand_launch(&r, thread, stream, 10, 20, 5, 3);
	large = hand_launch(&r, thread, stream, 30, 40, 5, 0x40000000);
	r.streams_of_processes = true;
	renumber_ids(&r);
	assert_int_equal(id_of(&r, small, ARG_DEVICE_CORRELATION), 3);
	assert_int_equal(id_of(&r, large, ARG_DEVICE_CORRELATION), 0x40000000);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perfetto),
		cmocka_unit_test(no_folder),
		cmocka_unit_test(apart),
		cmocka_unit_test(too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
