/* Records and files of them: layout, checksums, what is cut or changed, names and their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_files.h"
#include "base/compiler.h"

/* raw: how many of the last bytes of the first are kept as they are. */
static struct str record_with(const char *one, size_t raw, const char *two)
{
	struct digest_file_out o;
	struct str out = { 0 };

	digest_file_begin(&o);
	digest_file_add(&o, "one", span_of(one), raw);
	digest_file_add(&o, "page of sixteen.", span_of(two), 0); /* all bytes of a name */
	digest_file_put(&o, &out);
	digest_file_end(&o);
	return out;
}

static struct str record_of(const char *one, const char *two)
{
	return record_with(one, 0, two);
}

static char *copy(const char *p, size_t n)
{
	char *out = malloc(n + 1);

	assert_non_null(out);
	memcpy(out, p, n);
	return out;
}

static enum status open_bytes(const char *p, size_t n, struct err *e)
{
	struct kept *k = NULL;
	enum status st = digest_file_open(&k, copy(p, n), n, e);

	digest_file_free(st == OK ? k : NULL);
	return st;
}

static void there_and_back(void **state)
{
	struct str b = record_of("some text", ""), plain = { 0 };
	struct kept *k;
	struct err e;

	(void)state;
	assert_true(digest_file_is((struct span){ b.s, b.n }));
	assert_int_equal(digest_file_open(&k, copy(b.s, b.n), b.n, &e), OK);
	assert_true(digest_file_has(k, "one"));
	assert_false(digest_file_has(k, "on"));
	assert_false(digest_file_has(k, "one "));
	assert_int_equal(digest_file_get(k, "one", &plain, &e), OK);
	assert_string_equal(plain.s, "some text");
	assert_int_equal(digest_file_get(k, "page of sixteen.", &plain, &e), OK);
	assert_int_equal(plain.n, 0);
	assert_int_equal(digest_file_get(k, "two", &plain, &e), E_NODATA);
	assert_int_equal(digest_file_bytes(k).n, b.n);
	digest_file_free(k);
	str_free(&plain);
	str_free(&b);
}

/* Each cut and each changed bit is one error. */
static void damaged(void **state)
{
	struct str b = record_of("some text that is kept", "and more of it");
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < b.n; i++)
		assert_int_equal(open_bytes(b.s, i, &e), E_SYNTAX);
	for (i = 0; i < 8 * b.n; i++) {
		b.s[i / 8] ^= (char)(1 << i % 8);
		assert_int_equal(open_bytes(b.s, b.n, &e), E_SYNTAX);
		b.s[i / 8] ^= (char)(1 << i % 8);
	}
	assert_int_equal(open_bytes(b.s, b.n, &e), OK);
	str_free(&b);
}

/* Sets numbers of a record's head and makes its checksums right again. */
static void seal(struct str *b)
{
	SCOPED_STR check = { 0 };

	digest_file_put_u32(&check, digest_file_check(0, (struct span){ b->s + 32, b->n - 32 }));
	memcpy(b->s + 24, check.s, 4);
	str_reset(&check);
	digest_file_put_u32(&check, digest_file_check(0, (struct span){ b->s, 28 }));
	memcpy(b->s + 28, check.s, 4);
}

static void set_u64(struct str *b, size_t at, uint64_t v)
{
	SCOPED_STR bytes = { 0 };

	digest_file_put_u64(&bytes, v);
	memcpy(b->s + at, bytes.s, 8);
	seal(b);
}

/* Right checksums around numbers that are not: nothing is allocated for what is not there. */
static void huge_counts(void **state)
{
	/* The first section's sizes stand behind the head and its name. */
	const size_t packed = 32 + 16, plain = packed + 8;
	const uint64_t huge[] = { 1 << 20, DIGEST_FILE_PLAIN_MAX + 1u, UINT64_MAX };
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(huge); i++) {
		struct str b = record_of("some text", "");

		set_u64(&b, plain, huge[i]);
		assert_int_equal(open_bytes(b.s, b.n, &e), E_SYNTAX);
		str_free(&b);
		b = record_of("some text", "");
		set_u64(&b, packed, huge[i]);
		assert_int_equal(open_bytes(b.s, b.n, &e), E_SYNTAX);
		str_free(&b);
	}
}

/* What inflates to more or less than it says is damaged. */
static void wrong_length(void **state)
{
	const size_t plain = 32 + 16 + 8;
	struct str b, text = { 0 };
	struct kept *k;
	struct err e;
	size_t n;

	(void)state;
	for (n = 8; n <= 10; n++) {
		b = record_of("some text", "");
		set_u64(&b, plain, n);
		assert_int_equal(digest_file_open(&k, copy(b.s, b.n), b.n, &e), OK);
		assert_int_equal(digest_file_get(k, "one", &text, &e), n == 9 ? OK : E_SYNTAX);
		digest_file_free(k);
		str_free(&b);
	}
	str_free(&text);
}

/* Bytes that are kept as they are stand behind the stream, and are part of the section. */
static void raw_bytes(void **state)
{
	static const size_t raw[] = { 1, 4, 9 };
	static const char words[] = "some text";
	struct str text = { 0 };
	struct err e;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(raw); i++) {
		struct str b = record_with(words, raw[i], "");
		struct kept *k;

		assert_non_null(memmem(b.s, b.n, &words[9 - raw[i]], raw[i]));
		assert_int_equal(digest_file_open(&k, copy(b.s, b.n), b.n, &e), OK);
		assert_int_equal(digest_file_get(k, "one", &text, &e), OK);
		assert_string_equal(text.s, words);
		digest_file_free(k);
		str_free(&b);
	}
	str_free(&text);
}

static void newer_version(void **state)
{
	struct str b = record_of("some text", "");
	struct err e;

	(void)state;
	b.s[8] = 1; /* what the first one wrote is read */
	seal(&b);
	assert_int_equal(open_bytes(b.s, b.n, &e), OK);
	b.s[8] = 3;
	seal(&b);
	assert_int_equal(open_bytes(b.s, b.n, &e), E_FORMAT);
	assert_string_equal(e.text, "a digest of version 3; this traceq reads version 2");
	b.s[8] = 0;
	seal(&b);
	assert_int_equal(open_bytes(b.s, b.n, &e), E_FORMAT);
	str_free(&b);
}

/* ---- files ---- */

static struct digest_file_entry entry(const char *name, const char *record)
{
	return (struct digest_file_entry){ span_of(name), span_of(record) };
}

/* In any order the same; what is there twice is once; names are of members, each its own. */
static void sorted(void **state)
{
	static const char *const names[] = { "etc/x", "node/trace.json", "node/trace.json~2",
		"trace" };
	struct digest_file_entry v[] = { entry("/node/trace.json", "b"), entry("../..", "z"),
		entry("node//trace.json", "a"), entry("/node/trace.json", "b"),
		entry("./.etc/x/", "c") };
	SCOPED_ARENA mem = { 0 };
	size_t turn, i;

	(void)state;
	for (turn = 0; turn < COUNT_OF(v); turn++) {
		struct digest_file_entry w[COUNT_OF(v)];

		for (i = 0; i < COUNT_OF(v); i++)
			w[i] = v[(i * 2 + turn) % COUNT_OF(v)];
		assert_int_equal(digest_files_sort(w, COUNT_OF(v), &mem), COUNT_OF(names));
		for (i = 0; i < COUNT_OF(names); i++)
			assert_true(span_is(w[i].name, names[i]));
		assert_true(span_is(w[1].record, "a"));
		assert_true(span_is(w[2].record, "b"));
	}
}

/* A name that another gets by its number is taken: the file's order is by names all the same. */
static void names_that_meet(void **state)
{
	struct digest_file_entry v[] = { entry("t", "a"), entry("t", "b"), entry("t~2", "c") };
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	assert_int_equal(digest_files_sort(v, COUNT_OF(v), &mem), COUNT_OF(v));
	for (i = 1; i < COUNT_OF(v); i++)
		assert_true(span_cmp(v[i - 1].name, v[i].name) < 0);
}

static enum status read_file(
	const struct str *b, struct digest_files *f, struct arena *mem, struct err *e)
{
	TRY(digest_files_head(f, b->s, e));
	if (f->list > b->n - DIGEST_FILE_HEAD)
		return E_SYNTAX;
	return digest_files_list(f, b->s, b->s + DIGEST_FILE_HEAD, mem, e);
}

static void file_there_and_back(void **state)
{
	struct digest_file_entry v[] = { entry("a", "first"), entry("b", ""),
		entry("c", "third one") };
	SCOPED_STR b = { 0 };
	struct digest_files f;
	struct arena mem = { 0 };
	struct err e;
	size_t i;

	(void)state;
	digest_files_put(v, COUNT_OF(v), &b);
	assert_int_equal(read_file(&b, &f, &mem, &e), OK);
	assert_int_equal(f.n, 3);
	assert_int_equal(f.length, b.n + 14);
	assert_string_equal(f.record[2].name, "c");
	assert_int_equal(f.record[0].offset, b.n);
	assert_int_equal(f.record[2].offset, b.n + 5);
	assert_int_equal(f.record[2].length, 9);
	for (i = 0; i < 8 * b.n; i++) {
		b.s[i / 8] ^= (char)(1 << i % 8);
		assert_int_not_equal(read_file(&b, &f, &mem, &e), OK);
		b.s[i / 8] ^= (char)(1 << i % 8);
	}
	arena_clear(&mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(damaged),
		cmocka_unit_test(huge_counts),
		cmocka_unit_test(wrong_length),
		cmocka_unit_test(raw_bytes),
		cmocka_unit_test(newer_version),
		cmocka_unit_test(sorted),
		cmocka_unit_test(names_that_meet),
		cmocka_unit_test(file_there_and_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
