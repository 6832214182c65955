/* Sources: gzip in every shape, zlib, marks and UTF-16, whole, cut and damaged, read in pieces of
 * any size, by each inflater that is built in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/source/source.h"
#include "base/compiler.h"
#include "tests/fuzz/memory_file.h"
#include "tests/unit/loading.h"

static const char *const inflaters[] = { "zlib", "isal" }; /* without ISA-L twice the same */

static const char small[] =
	"{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1, \"dur\": 2}]}\n";

struct outcome {
	enum status status;
	struct err err;
	struct str text;
	struct tally tally;
	enum container container;
	int members;
};

/* Reads a file of these bytes; at most `piece` come at once, `ask` are asked for (0 = many). */
static void read_file(
	struct outcome *o, struct span file, const char *inflate, size_t piece, size_t ask)
{
	struct memory_file f = { (const uint8_t *)file.p, file.n, 0, piece };
	size_t room = ask ? ask : 100000, got = room;
	char *buf = malloc(room);
	struct source s;

	memset(o, 0, sizeof(*o));
	assert_non_null(buf);
	str_adds(&o->text, "");
	tally_init(&o->tally);
	o->status = source_open_reader(&s, memory_read, &f, inflate, &o->err);
	if (o->status != OK) {
		free(buf);
		return;
	}
	while (got == room && (o->status = source_read(&s, buf, room, &got, &o->err)) == OK)
		str_add(&o->text, buf, got);
	if (o->status == OK) {
		assert_int_equal(source_read(&s, buf, room, &got, &o->err), OK);
		assert_int_equal(got, 0); /* the end stays the end */
		assert_int_equal(s.text_bytes, o->text.n);
	}
	o->tally = s.tally;
	o->container = s.file.container;
	o->members = s.file.members;
	source_close(&s);
	free(buf);
}

static struct span span_of_str(const struct str *s)
{
	return (struct span){ s->s, s->n };
}

/* The only problem counted; PROBLEM_COUNT for none, -1 for several. */
static int problem(const struct outcome *o)
{
	int found = PROBLEM_COUNT, i;

	for (i = 0; i < PROBLEM_COUNT; i++)
		if (o->tally.count[i])
			found = found == PROBLEM_COUNT ? i : -1;
	return found;
}

/* Reading `file` gives `text` and this one problem (PROBLEM_COUNT: none), however it is read. */
static void expect(struct span file, struct span text, int wanted)
{
	static const size_t pieces[] = { 0, 1, 2, 3, 7, 8, 9, 4096 };
	static const size_t asks[] = { 0, 1, 7, 1000, 0, 0, 64, 511 };
	size_t i, k;

	for (i = 0; i < COUNT_OF(inflaters); i++)
		for (k = 0; k < COUNT_OF(pieces); k++) {
			struct outcome o;

			read_file(&o, file, inflaters[i], pieces[k], asks[k]);
			assert_int_equal(o.status, OK);
			if (o.text.n != text.n || problem(&o) != wanted)
				print_error("%s, pieces of %zu: %zu bytes of %zu, problem %d\n",
					inflaters[i], pieces[k], o.text.n, text.n, problem(&o));
			assert_int_equal(o.text.n, text.n);
			assert_memory_equal(o.text.s, text.p, text.n);
			assert_int_equal(problem(&o), wanted);
			str_free(&o.text);
		}
}

/* A gzip member with the optional header fields of these FLG bits. */
static void add_member(struct str *out, struct span text, unsigned flags)
{
	SCOPED_STR plain = { 0 };

	loading_wrap(&plain, text, WRAP_GZIP);
	str_add(out, "\x1f\x8b\x08", 3);
	str_addc(out, (char)flags);
	str_add(out, plain.s + 4, 6);
	if (flags & 4)
		str_add(out,
			"\x05\x00"
			"ab\0cd",
			7);
	if (flags & 8)
		str_add(out, "host_1234.1700000000000.pt.trace.json", 38);
	if (flags & 16)
		str_add(out, "a comment", 10);
	if (flags & 2)
		str_add(out, "\x12\x34", 2);
	str_add(out, plain.s + 10, plain.n - 10);
}

static void containers(void **state)
{
	struct span text = span_of(small);
	SCOPED_STR file = { 0 };
	unsigned flags;

	(void)state;
	expect(text, text, PROBLEM_COUNT);
	for (flags = 0; flags < 32; flags += 2) {
		str_reset(&file);
		add_member(&file, text, flags);
		expect(span_of_str(&file), text, PROBLEM_COUNT);
	}
	str_reset(&file);
	loading_wrap(&file, text, WRAP_ZLIB);
	expect(span_of_str(&file), text, PROBLEM_COUNT);
}

/* Text that does not compress well and is longer than every buffer on its way. */
static void long_text(void **state)
{
	struct str text = { 0 }, file = { 0 };
	uint64_t seed = 23;
	int i;

	(void)state;
	for (i = 0; i < 90000; i++)
		str_addf(&text, "%u,%u\n", loading_random(&seed), loading_random(&seed) % 10);
	assert_true(text.n > 1 << 20);
	loading_wrap(&file, span_of_str(&text), WRAP_GZIP);
	assert_true(file.n > 300 << 10);
	expect(span_of_str(&file), span_of_str(&text), PROBLEM_COUNT);
	str_reset(&file);
	loading_wrap(&file, span_of_str(&text), WRAP_ZLIB);
	expect(span_of_str(&file), span_of_str(&text), PROBLEM_COUNT);
	expect(span_of_str(&text), span_of_str(&text), PROBLEM_COUNT);
	str_free(&file);
	str_free(&text);
}

/* One text split over members, empty ones among them, with zeros behind. */
static void members(void **state)
{
	struct span text = span_of(small);
	SCOPED_STR file = { 0 };
	struct outcome o;
	size_t i;

	(void)state;
	for (i = 0; i < text.n; i++) {
		add_member(&file, (struct span){ text.p + i, 1 }, (unsigned)(i % 16) * 2);
		if (i % 5 == 0)
			add_member(&file, (struct span){ "", 0 }, 0);
	}
	expect(span_of_str(&file), text, PROBLEM_COUNT);
	read_file(&o, span_of_str(&file), NULL, 0, 0);
	assert_int_equal(o.members, text.n + (text.n + 4) / 5);
	str_free(&o.text);
	for (i = 0; i < 300000; i++)
		str_addc(&file, '\0');
	expect(span_of_str(&file), text, PROBLEM_COUNT);
	add_member(&file, SPAN("more"), 0); /* a tape's padding between members */
	read_file(&o, span_of_str(&file), NULL, 0, 0);
	assert_int_equal(o.text.n, text.n + 4);
	str_free(&o.text);
}

static void trailing_bytes(void **state)
{
	static const char *const tails[] = { "garbage", "\x1f", "\x1f\x8a", "\n", "{}",
		"x\x1f\x8b" };
	struct span text = span_of(small);
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(tails); i++) {
		struct str file = { 0 };

		loading_wrap(&file, text, i & 1 ? WRAP_ZLIB : WRAP_GZIP);
		str_adds(&file, tails[i]);
		expect(span_of_str(&file), text, PROBLEM_GZIP_TRAILING);
		str_free(&file);
	}
}

static void only_empty(void **state)
{
	SCOPED_STR file = { 0 };

	(void)state;
	add_member(&file, SPAN(""), 8);
	expect(span_of_str(&file), SPAN(""), PROBLEM_COUNT);
	add_member(&file, SPAN(""), 0);
	expect(span_of_str(&file), SPAN(""), PROBLEM_COUNT);
}

/* What a cut leaves is a prefix, the cut is said: before the trailer, in it, or in the header. */
static void check_cut(struct span file, size_t cut, size_t trailer, struct span text)
{
	size_t i, piece;

	for (i = 0; i < COUNT_OF(inflaters); i++)
		for (piece = 0; piece < 2; piece++) {
			struct outcome o;

			read_file(&o, (struct span){ file.p, cut }, inflaters[i], piece, 0);
			assert_int_equal(o.status, OK);
			assert_true(o.text.n <= text.n);
			assert_memory_equal(o.text.s, text.p, o.text.n);
			if (cut >= file.n - trailer) {
				assert_int_equal(o.text.n, text.n);
				assert_int_equal(problem(&o), PROBLEM_GZIP_NO_TRAILER);
			} else {
				assert_int_equal(problem(&o), PROBLEM_TRUNCATED_GZIP);
			}
			str_free(&o.text);
		}
}

static void cut_anywhere(void **state)
{
	struct span text = span_of(small);
	SCOPED_STR file = { 0 };
	struct outcome o;
	size_t cut;

	(void)state;
	add_member(&file, text, 2 | 4 | 8 | 16);
	for (cut = 2; cut < file.n; cut++)
		check_cut(span_of_str(&file), cut, 8, text);
	str_reset(&file);
	loading_wrap(&file, text, WRAP_ZLIB);
	for (cut = 2; cut < file.n; cut++)
		check_cut(span_of_str(&file), cut, 4, text);
	read_file(&o, (struct span){ file.s, 0 }, NULL, 0, 0);
	assert_int_equal(o.status, E_FORMAT);
	str_free(&o.text);
}

/* Cut in the second of two members: the first is whole. */
static void cut_second_member(void **state)
{
	struct span text = span_of(small);
	SCOPED_STR file = { 0 };
	size_t first, cut, i;

	(void)state;
	add_member(&file, text, 0);
	first = file.n;
	add_member(&file, text, 8);
	for (cut = first + 2; cut < file.n; cut++)
		for (i = 0; i < COUNT_OF(inflaters); i++) {
			struct outcome o;

			read_file(&o, (struct span){ file.s, cut }, inflaters[i], 0, 0);
			assert_int_equal(o.status, OK);
			assert_true(o.text.n >= text.n);
			assert_memory_equal(o.text.s, text.p, text.n);
			assert_int_equal(problem(&o),
				cut < file.n - 8 ? PROBLEM_TRUNCATED_GZIP
						 : PROBLEM_GZIP_NO_TRAILER);
			str_free(&o.text);
		}
}

/* Every bit of the file flipped: either the text is right all the same, or something is said. */
static void flipped_bits(void **state)
{
	struct span text = span_of(small);
	enum wrapping as;

	(void)state;
	for (as = WRAP_GZIP; as <= WRAP_ZLIB; as++) {
		struct str file = { 0 };
		size_t bit, i;

		loading_wrap(&file, text, as);
		for (bit = 0; bit < file.n * 8; bit++) {
			file.s[bit / 8] = (char)(file.s[bit / 8] ^ 1 << bit % 8);
			for (i = 0; i < COUNT_OF(inflaters); i++) {
				struct outcome o;
				bool whole;

				read_file(&o, span_of_str(&file), inflaters[i], 0, 0);
				whole = o.text.n == text.n && memcmp(o.text.s, text.p, text.n) == 0;
				assert_true(o.status != OK || o.container == CONTAINER_PLAIN ||
					whole || problem(&o) != PROBLEM_COUNT);
				str_free(&o.text);
			}
			file.s[bit / 8] = (char)(file.s[bit / 8] ^ 1 << bit % 8);
		}
		str_free(&file);
	}
}

static void wrong_checksum(void **state)
{
	struct span text = span_of(small);
	enum wrapping as;

	(void)state;
	for (as = WRAP_GZIP; as <= WRAP_ZLIB; as++) {
		size_t trailer = as == WRAP_GZIP ? 8 : 4, i;

		for (i = 1; i <= trailer; i++) { /* of the length, too */
			struct str file = { 0 };

			loading_wrap(&file, text, as);
			file.s[file.n - i] = (char)(file.s[file.n - i] ^ 0x10);
			expect(span_of_str(&file), text, PROBLEM_CORRUPT_GZIP);
			str_free(&file);
		}
	}
}

static void utf16_of(struct str *out, struct span t, bool big, bool mark)
{
	size_t i;

	if (mark)
		str_add(out, big ? "\xfe\xff" : "\xff\xfe", 2);
	for (i = 0; i < t.n; i++) {
		str_addc(out, big ? '\0' : t.p[i]);
		str_addc(out, big ? t.p[i] : '\0');
	}
}

static void encodings(void **state)
{
	struct span text = span_of(small);
	struct str file = { 0 }, packed = { 0 };
	int i;

	(void)state;
	str_adds(&file, "\xef\xbb\xbf");
	str_add(&file, text.p, text.n);
	expect(span_of_str(&file), text, PROBLEM_COUNT);
	loading_wrap(&packed, span_of_str(&file), WRAP_GZIP);
	expect(span_of_str(&packed), text, PROBLEM_COUNT);
	for (i = 0; i < 4; i++) {
		str_reset(&file);
		utf16_of(&file, text, i & 1, i & 2);
		expect(span_of_str(&file), text, PROBLEM_TRANSCODED);
		str_reset(&packed);
		loading_wrap(&packed, span_of_str(&file), WRAP_GZIP);
		expect(span_of_str(&packed), text, PROBLEM_TRANSCODED);
		str_addc(&file, '}'); /* half a unit at the end */
		str_reset(&packed);
		str_add(&packed, text.p, text.n);
		str_adds(&packed, "\xef\xbf\xbd");
		expect(span_of_str(&file), span_of_str(&packed), PROBLEM_TRANSCODED);
	}
	str_free(&packed);
	str_free(&file);
}

/* More UTF-16 than any buffer holds, with a pair of surrogates at every place of it in turn. */
static void long_utf16(void **state)
{
	static const unsigned char smile[] = { 0x3d, 0xd8, 0x00, 0xde };
	size_t before;

	(void)state;
	for (before = 32766 - 256; before < 32770; before += before == 32510 ? 254 : 1) {
		struct str file = { 0 }, text = { 0 };
		size_t i;

		str_add(&text, "[", 1);
		for (i = 0; i < before; i++)
			str_addc(&text, 'a');
		utf16_of(&file, span_of_str(&text), false, false);
		str_add(&file, (const char *)smile, 4);
		utf16_of(&file, SPAN("0123456789]"), false, false);
		str_adds(&text,
			"\xf0\x9f\x98\x80"
			"0123456789]");
		expect(span_of_str(&file), span_of_str(&text), PROBLEM_TRANSCODED);
		str_free(&file);
		str_free(&text);
	}
}

static void short_files(void **state)
{
	(void)state;
	expect(SPAN("{"), SPAN("{"), PROBLEM_COUNT);
	expect(SPAN("\xef\xbb\xbf"), SPAN(""), PROBLEM_COUNT);
	expect(SPAN("\xef\xbb"), SPAN("\xef\xbb"), PROBLEM_COUNT);
	expect(SPAN("\xff\xfe"), SPAN(""), PROBLEM_TRANSCODED);
	expect(SPAN("\x1f"), SPAN("\x1f"), PROBLEM_COUNT);
	expect(SPAN("[\0"), SPAN("[\0"), PROBLEM_COUNT);
}

static void files(void **state)
{
	char path[] = "/tmp/traceq-source-XXXXXX";
	int fd = mkstemp(path);
	struct source s;
	struct err e;
	char buf[256];
	size_t got;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(source_open(&s, path, NULL, &e), E_FORMAT);
	assert_non_null(strstr(e.text, "empty"));
	assert_int_equal(write(fd, small, sizeof(small) - 1), sizeof(small) - 1);
	assert_int_equal(source_open(&s, path, NULL, &e), OK);
	assert_int_equal(s.file_bytes, sizeof(small) - 1);
	assert_string_equal(source_container(&s), "plain");
	assert_int_equal(source_read(&s, buf, sizeof(buf), &got, &e), OK);
	assert_int_equal(got, sizeof(small) - 1);
	source_close(&s);
	close(fd);
	unlink(path);
	assert_int_equal(source_open(&s, path, NULL, &e), E_IO);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(source_open(&s, path, NULL, &e), E_IO);
	assert_non_null(strstr(e.text, "directory"));
	rmdir(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(containers),
		cmocka_unit_test(long_text),
		cmocka_unit_test(members),
		cmocka_unit_test(trailing_bytes),
		cmocka_unit_test(only_empty),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(cut_second_member),
		cmocka_unit_test(flipped_bits),
		cmocka_unit_test(wrong_checksum),
		cmocka_unit_test(encodings),
		cmocka_unit_test(long_utf16),
		cmocka_unit_test(short_files),
		cmocka_unit_test(files),
	};

	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
