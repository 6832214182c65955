/* What is no trace: each has an error of its own that says what it is, and what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/source/magic.h"
#include "base/compiler.h"
#include "tests/unit/loading.h"

struct alien {
	struct span bytes;
	const char *what; /* is in the error */
	const char *todo; /* is in the hint */
};

#define BYTES(s)                    \
	{                           \
		"" s, sizeof(s) - 1 \
	}

static const struct alien binaries[] = {
	{ BYTES("PK\x05\x06\0\0\0\0\0\0\0\0"), "empty zip", "nothing" },
	{ BYTES("7z\xbc\xaf\x27\x1c\0\x04"), "7-Zip", "unpack" },
	{ BYTES("\x7f"
		"ELF\x02\x01\x01\0\0\0"),
		"ELF", "trace" },
	{ BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "PNG", "trace" },
	{ BYTES("%PDF-1.7\n"), "PDF", "trace" },
	{ BYTES("NVIDIA Tegra Profiler Report 2025@6@1@190-256136389829v0.\n\x0bLocal (CLI)\x12"),
		"Nsight Systems", "nsys export --type sqlite" },
	{ BYTES("\x0a\x0c\x08\x01\x12\x08thread_1\0\0\0\x01"), "protobuf", "damaged" },
	{ BYTES("\x01\x02\x83\x04\x05\x06\x07"), "binary data", "traceEvents" },
};

/* Read as they are, refused behind another layer. */
static const struct alien streams[] = {
	{ BYTES("\x28\xb5\x2f\xfd\x04\x58\x09\0\0"), "zstd", "zstd -dc" },
	{ BYTES("\xfd"
		"7zXZ\0\0\x04\xe6\xd6"),
		"xz", "xz -dc" },
	{ BYTES("BZh91AY&SY\x12\x34"), "bzip2", "bzip2 -dc" },
	{ BYTES("\x04\x22\x4d\x18\x64\x40\xa7"), "lz4", "lz4 -dc" },
};

static const struct alien texts[] = {
	{ BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"),
		"Git LFS", "git lfs pull" },
	{ BYTES("<!DOCTYPE html>\n<html><body>404</body></html>"), "HTML", "download" },
	{ BYTES("\r\n  <!doctype html><title>Sign in</title>"), "HTML", "download" },
	{ BYTES("<html><head></head></html>"), "HTML", "download" },
	{ BYTES("\xef\xbb\xbf<!DOCTYPE html><html></html>"), "HTML", "download" },
	{ BYTES("<?xml version=\"1.0\"?><Error>AccessDenied</Error>"), "XML", "trace" },
	{ BYTES("# tracer: nop\n#\n"), "ftrace", "JSON" },
	{ BYTES("TRACE:\nx\x9c"), "systrace", "JSON" },
	{ BYTES("error: no such file\n"), "\"error: no such file", "traceEvents" },
	{ BYTES("// comment\n{\"traceEvents\": []}"), "begins with \"// comment", "traceEvents" },
	{ BYTES("var x = {\"traceEvents\": []}"), "begins with \"var x", "traceEvents" },
	{ BYTES("12345"), "begins with \"12345\"", "traceEvents" },
	{ BYTES("\"text\""), "begins with", "traceEvents" },
	{ BYTES("null"), "begins with \"null\"", "traceEvents" },
	{ BYTES("\x1b[31mred\x1b[0m text that is long enough to be no binary file at all, with an escape or two"),
		"begins with \".[31mred.[0m", "traceEvents" },
};

static const struct alien documents[] = {
	{ BYTES("{}"), "without \"traceEvents\"", "traceEvents" },
	{ BYTES("{\"name\": \"demo\", \"version\": \"1.0.0\", \"dependencies\": {\"a\": \"1\"}}"),
		"package", "trace" },
	{ BYTES("{\"cells\": [], \"metadata\": {}, \"nbformat\": 4}"), "notebook", "trace" },
	{ BYTES("{\"schema\": \"1.1.1-chakra.0.0.4\", \"pid\": 5, \"nodes\": [{\"id\": 1}]}"),
		"execution trace", "Kineto" },
	{ BYTES("{\"schema\": \"1.0.1\", \"nodes\": []}"), "execution trace", "Kineto" },
	{ BYTES("{\"traceEvents\": null}"), "\"traceEvents\" is not an array", "array of events" },
	{ BYTES("{\"schemaVersion\": 1, \"traceEvents\": {\"a\": 1}}"),
		"\"traceEvents\" is not an array", "array of events" },
	{ BYTES("[]"), "array without events", "recorded nothing" },
	{ BYTES("[1, \"x\", null]"), "array without events", "JSON" },
	{ BYTES("{'traceEvents': [{'ph': 'X'}]}"), "not a Chrome trace", "traceEvents" },
	{ BYTES("{\"a\": {\"traceEvents\": [{\"ph\": \"X\", \"ts\": 1, \"dur\": 1}]}}"),
		"not an array at the top", "array of events" },
};

static const struct alien nothings[] = {
	{ BYTES(""), "empty", "record" },
	{ BYTES(" \n\n\t  \r\n"), "only blanks", "record" },
	{ BYTES("\0\0\0\0\0\0\0\0\0\0\0\0"), "only blanks", "record" },
	{ BYTES("\xef\xbb\xbf"), "empty", "record" },
	{ BYTES("\xff\xfe"), "empty", "record" },
};

static void check_refused(struct span bytes, const struct alien *a)
{
	struct loading how = { 0 };
	struct loaded l;

	loading_run(&l, bytes, &how);
	if (l.status != E_FORMAT || !strstr(l.err.text, a->what) || !strstr(l.err.hint, a->todo))
		print_error("%.*s\n  status %d: %s\n  %s\n", (int)a->bytes.n, a->bytes.p, l.status,
			l.err.text, l.err.hint);
	assert_int_equal(l.status, E_FORMAT);
	assert_non_null(strstr(l.err.text, a->what));
	assert_non_null(strstr(l.err.hint, a->todo));
	loading_release(&l);
}

/* As it is, and for all but an empty file inside of gzip. */
static void check_all(const struct alien *a, size_t n)
{
	for (; n-- > 0; a++) {
		struct str packed = { 0 };

		check_refused(a->bytes, a);
		loading_wrap(&packed, a->bytes, WRAP_GZIP);
		check_refused((struct span){ packed.s, packed.n }, a);
		str_free(&packed);
	}
}

static void other_formats(void **state)
{
	(void)state;
	check_all(binaries, COUNT_OF(binaries));
	check_all(texts, COUNT_OF(texts));
}

static void other_json(void **state)
{
	(void)state;
	check_all(documents, COUNT_OF(documents));
}

static void nothing(void **state)
{
	(void)state;
	check_all(nothings, COUNT_OF(nothings));
}

/* Two runs of gzip over one file. */
static void packed_twice(void **state)
{
	static const struct alien twice = { BYTES(""), "gzip-compressed data inside gzip",
		"gzip -dc" };
	struct str once = { 0 }, again = { 0 };

	(void)state;
	loading_wrap(&once, SPAN("{\"traceEvents\": []}"), WRAP_GZIP);
	loading_wrap(&again, (struct span){ once.s, once.n }, WRAP_GZIP);
	check_refused((struct span){ again.s, again.n }, &twice);
	str_free(&once);
	str_free(&again);
}

/* Where libarchive is not, the message says so, and what to do. */
static void packed_by_others(void **state)
{
	static const enum container as[] = { CONTAINER_ZSTD, CONTAINER_XZ, CONTAINER_BZIP2,
		CONTAINER_LZ4 };
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(streams); i++) {
		struct str packed = { 0 };

		loading_wrap(&packed, streams[i].bytes, WRAP_GZIP);
		check_refused((struct span){ packed.s, packed.n }, &streams[i]);
		str_free(&packed);
		assert_int_equal(magic_container(streams[i].bytes), as[i]);
		assert_int_equal(magic_refuse_packed(streams[i].bytes, "a reason", &e), E_FORMAT);
		assert_non_null(strstr(e.text, streams[i].what));
		assert_non_null(strstr(e.text, "a reason"));
		assert_non_null(strstr(e.hint, streams[i].todo));
	}
	assert_int_equal(magic_container(SPAN("\n BZh91AY&SY")), CONTAINER_OTHER);
}

static void zlib_headers(void **state)
{
	(void)state;
	assert_int_equal(magic_container(SPAN("\x78\x01")), CONTAINER_ZLIB);
	assert_int_equal(magic_container(SPAN("\x78\x9c")), CONTAINER_ZLIB);
	assert_int_equal(magic_container(SPAN("\x78\xda")), CONTAINER_ZLIB);
	assert_int_equal(magic_container(SPAN("\x78\x5e")), CONTAINER_ZLIB);
	assert_int_equal(magic_container(SPAN("\x78\x9d")), CONTAINER_PLAIN);
	assert_int_equal(magic_container(SPAN("x {")), CONTAINER_PLAIN);
	assert_int_equal(magic_container(SPAN("\x1f\x8b")), CONTAINER_GZIP);
	assert_int_equal(magic_container(SPAN("\x1f")), CONTAINER_PLAIN);
	assert_int_equal(magic_container(SPAN("PK\x03\x04")), CONTAINER_ZIP);
	assert_int_equal(magic_container(SPAN("")), CONTAINER_PLAIN);
}

static void marks(void **state)
{
	static const struct {
		struct span head;
		enum encoding encoding;
		size_t skip;
	} rows[] = {
		{ BYTES("{}"), ENCODING_UTF8, 0 },
		{ BYTES("\xef\xbb\xbf{"), ENCODING_UTF8, 3 },
		{ BYTES("\xef\xbb"), ENCODING_UTF8, 0 },
		{ BYTES("\xff\xfe{\0"), ENCODING_UTF16LE, 2 },
		{ BYTES("\xfe\xff\0{"), ENCODING_UTF16BE, 2 },
		{ BYTES("{\0\"\0"), ENCODING_UTF16LE, 0 },
		{ BYTES("\0[\0{"), ENCODING_UTF16BE, 0 },
		{ BYTES("{\0\0\0"), ENCODING_UTF8, 0 },
		{ BYTES(""), ENCODING_UTF8, 0 },
	};
	size_t i, bytes;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		assert_int_equal(magic_encoding(rows[i].head, &bytes), rows[i].encoding);
		assert_int_equal(bytes, rows[i].skip);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_formats),
		cmocka_unit_test(other_json),
		cmocka_unit_test(nothing),
		cmocka_unit_test(packed_twice),
		cmocka_unit_test(packed_by_others),
		cmocka_unit_test(zlib_headers),
		cmocka_unit_test(marks),
	};

	return cmocka_run_group_tests_name("magic", tests, NULL, NULL);
}
