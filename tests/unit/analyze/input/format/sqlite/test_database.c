/* Databases nobody trusts: damaged ones, hostile ones, paths that mean something to SQLite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyze/input/format/format.h"
#include "analyze/input/format/sqlite/database.h"
#include "base/compiler.h"
#include "tests/unit/loading.h"
#include "tests/unit/made_database.h"

static const char small[] = "CREATE TABLE t(a INTEGER, b TEXT, c REAL);"
			    "INSERT INTO t VALUES(1, 'one', 1.5), (2, NULL, NULL), ('x', 3, x'00');"
			    "CREATE TABLE \"with \"\"quote\"(a);"
			    "CREATE TABLE t_second(a);"
			    "CREATE VIEW v AS SELECT a FROM t;";

/* A folder of its own, gone at the end. */
static char folder[] = "/tmp/traceq-database-XXXXXX";

static void put_file(const char *name, struct str file, char path[256])
{
	FILE *f;

	(void)snprintf(path, 256, "%s/%s", folder, name);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(file.s, 1, file.n, f), file.n);
	assert_int_equal(fclose(f), 0);
}

static struct database *open_path(const char *path)
{
	struct format_input in = { .file = path, .path = path, .threads = 1 };
	struct database *d;
	struct err e;

	err_clear(&e);
	if (database_open(&d, &in, &e) != OK)
		fail_msg("%s: %s", path, e.text);
	return d;
}

static void test_tables_and_columns(void **state)
{
	SCOPED_STR file = { 0 };
	struct database *d;
	char path[256], *tables;

	(void)state;
	assert_true(made_database(&file, small));
	put_file("small", file, path);
	d = open_path(path);
	assert_true(database_has(d, "t"));
	assert_false(database_has(d, "v"));
	assert_false(database_has(d, "absent"));
	assert_true(database_has_column(d, "t", "b"));
	assert_false(database_has_column(d, "t", "d"));
	assert_false(database_has_column(d, "v", "a"));
	tables = database_tables(d, "t"); /* the one with a quote in its name is not asked for */
	assert_memory_equal(tables, "t\0t_second\0", 12);
	free(tables);
	database_close(d);
}

static void test_rows(void **state)
{
	static const char *const columns[] = { "b", "absent", "a", NULL };
	SCOPED_STR file = { 0 };
	struct database *d;
	struct rows *r;
	struct err e;
	char path[256];
	bool there;
	int64_t v = 0;

	(void)state;
	assert_true(made_database(&file, small));
	put_file("small", file, path);
	d = open_path(path);
	assert_int_equal(rows_of(&r, d, "t", columns, 4, &e), OK);
	assert_int_equal(rows_next(r, &there, &e), OK);
	assert_true(there && span_is(rows_text(r, 0), "one"));
	assert_true(rows_is_null(r, 1) && rows_is_null(r, 3));
	assert_true(rows_take_int(r, 2, &v));
	assert_int_equal(v, 1);
	assert_int_equal(rows_next(r, &there, &e), OK);
	assert_true(there && !rows_text(r, 0).p);
	assert_int_equal(rows_next(r, &there, &e), OK);
	assert_true(there && !rows_take_int(r, 2, &v)); /* 'x' is not a number */
	assert_int_equal(rows_next(r, &there, &e), OK);
	assert_false(there);
	rows_close(r);
	assert_int_equal(rows_open(&r, d, "SELECT b FROM t WHERE a = ?1", &e), OK);
	rows_again(r, 2);
	assert_int_equal(rows_next(r, &there, &e), OK);
	assert_true(there && rows_is_null(r, 0));
	rows_again(r, 1);
	assert_int_equal(rows_next(r, &there, &e), OK);
	assert_true(there && span_is(rows_text(r, 0), "one"));
	rows_close(r);
	assert_int_equal(rows_open(&r, d, "SELECT nothing FROM t", &e), E_SYNTAX);
	assert_null(r);
	database_close(d);
}

/* What SQLite takes for a question, a fragment, an escape, a host. */
static void test_paths(void **state)
{
	static const char *const names[] = { "a?mode=memory", "a#b", "a%41", "a b", "a'\"b",
		"\xc3\xa4" };
	SCOPED_STR file = { 0 };
	char path[256], twice[258];
	size_t i;

	(void)state;
	assert_true(made_database(&file, small));
	for (i = 0; i < COUNT_OF(names); i++) {
		struct database *d;

		put_file(names[i], file, path);
		d = open_path(path);
		assert_true(database_has(d, "t"));
		database_close(d);
		(void)snprintf(twice, sizeof(twice), "/%s", path);
		d = open_path(twice);
		assert_true(database_has(d, "t"));
		database_close(d);
		assert_int_equal(unlink(path), 0);
	}
}

/* Nothing is written beside a database; what is called a journal and is none is as SQLite takes it.
 */
static void test_is_left_alone(void **state)
{
	struct str file = { 0 }, journal = { 0 };
	struct stat before, after;
	struct database *d;
	char path[256], beside[256];

	(void)state;
	assert_true(made_database(&file, small));
	str_adds(&journal, "no journal");
	put_file("alone-journal", journal, beside);
	put_file("alone", file, path);
	assert_int_equal(stat(path, &before), 0);
	d = open_path(path);
	assert_true(database_has(d, "t"));
	database_close(d);
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
	assert_int_equal(stat(beside, &after), 0);
	assert_int_equal(after.st_size, journal.n);
	str_free(&file);
	str_free(&journal);
}

/* A schema that makes SQLite do what nobody asked for: every name of a table is something else. */
static void test_hostile_schema(void **state)
{
	static const char *const sql[] = {
		"CREATE TABLE StringIds(id, value); CREATE TABLE NVTX_EVENTS(start);"
		"CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(i) AS (SELECT 1 UNION "
		"ALL SELECT i + 1 FROM n) SELECT i AS start, i AS end FROM n;",
		"CREATE TABLE StringIds(id, value); CREATE TABLE NVTX_EVENTS(start INTEGER, end "
		"GENERATED ALWAYS AS (start + 1), text AS (hex(zeroblob(100000000))));"
		"INSERT INTO NVTX_EVENTS(start) VALUES(1), (2);",
		"CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start, end);"
		"CREATE TABLE StringIds(id, value); CREATE TABLE OSRT_API(start);",
		"CREATE TABLE StringIds(id, value); CREATE TABLE NVTX_EVENTS(start TEXT, end BLOB, "
		"eventType REAL, text INTEGER); INSERT INTO NVTX_EVENTS VALUES('a', x'01', 1e300, "
		"7), (NULL, NULL, NULL, NULL), (-9223372036854775808, 9223372036854775807, 59, 1);",
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(sql); i++) {
		struct loading how = { 0 };
		struct str file = { 0 };
		struct loaded l;

		assert_true(made_database(&file, sql[i]));
		loading_run(&l, (struct span){ file.s, file.n }, &how);
		if (l.status != OK)
			assert_true(l.err.text[0] != '\0');
		else
			assert_int_equal(l.run.kind_count[KIND_KERNEL], 0);
		loading_release(&l);
		str_free(&file);
	}
}

/* Bytes changed anywhere, and files cut anywhere: an answer or one clear error, which names damage
 * unless tables are gone with it. */
static void test_damage(void **state)
{
	static const char sql[] =
		"PRAGMA page_size = 512;"
		"CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);"
		"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId "
		"INTEGER, streamId INTEGER, demangledName INTEGER);"
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) "
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 10, i * 10 + 5, 0, 7, 1 + i % 3 "
		"FROM n;"
		"INSERT INTO StringIds VALUES(1, 'one'), (2, 'two'), (3, 'three');";
	uint64_t seed = 7;
	SCOPED_STR file = { 0 };
	struct loading how = { 0 };
	struct loaded l;
	size_t i, read = 0, damaged = 0;

	(void)state;
	if (!made_database(&file, sql) || !file.s)
		fail();
	for (i = 0; i < 600 && file.s; i++) {
		char *copy = test_malloc(file.n + 1);
		size_t n = i % 3 ? file.n : loading_random(&seed) % (file.n + 1), k;

		memcpy(copy, file.s, file.n);
		for (k = 0; i % 3 && k < i % 7 + 1; k++)
			copy[16 + loading_random(&seed) % (file.n - 16)] =
				(char)loading_random(&seed);
		if (n >= 16) {
			loading_run(&l, (struct span){ copy, n }, &how);
			read += l.status == OK;
			damaged += l.status == E_SYNTAX ||
				(l.status == OK && l.run.tally.count[PROBLEM_DAMAGED_TABLE]);
			if (l.status != OK)
				assert_true(l.err.text[0] != '\0');
			loading_release(&l);
		}
		test_free(copy);
	}
	assert_true(read > 50 && damaged > 200);
}

/* A header that is broken is damage, not a database of something else. */
static void test_broken_header(void **state)
{
	static const char header[] = "SQLite format 3\0and then nothing that SQLite knows";
	struct loading how = { 0 };
	struct loaded l;

	(void)state;
	loading_run(&l, (struct span){ header, sizeof(header) }, &how);
	assert_int_equal(l.status, E_SYNTAX);
	assert_non_null(strstr(l.err.text, "damaged database"));
	loading_release(&l);
}

/* One that says that its log is beside it, where there is no beside: it is read all the same. */
static void test_write_ahead(void **state)
{
	SCOPED_STR file = { 0 };
	struct loading how = { 0 };
	struct loaded l;

	(void)state;
	assert_true(made_database(&file,
		"CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value); CREATE TABLE "
		"NVTX_EVENTS(start, end, eventType, text); INSERT INTO NVTX_EVENTS VALUES(1, 3, 59, "
		"'x');"));
	if (!file.s)
		return;
	file.s[18] = file.s[19] = 2;
	loading_run(&l, (struct span){ file.s, file.n }, &how);
	assert_int_equal(l.status, OK);
	assert_int_equal(l.run.kind_count[KIND_ANNOTATION], 1);
	loading_release(&l);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	static const char *const names[] = { "small", "alone", "alone-journal" };
	char path[256];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(names); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		(void)unlink(path);
	}
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables_and_columns),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_is_left_alone),
		cmocka_unit_test(test_hostile_schema),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_broken_header),
		cmocka_unit_test(test_write_ahead),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
