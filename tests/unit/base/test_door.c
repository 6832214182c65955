/* What may be written, by what is read and written beside.  Runs in a folder of its own below
 * TMPDIR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/door.h"
#include "base/io.h"
#include "base/str.h"

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static int enter(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *path = malloc(4096);

	assert_non_null(path);
	(void)snprintf(path, 4096, "%s/traceq-door.XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
	*state = path;
	if (!mkdtemp(path) || chdir(path) != 0)
		return -1;
	put("in", "input");
	assert_int_equal(symlink("in", "soft"), 0);
	assert_int_equal(symlink("later", "ahead"), 0);
	assert_int_equal(link("in", "hard"), 0);
	assert_int_equal(mkdir("sub", 0777), 0);
	door_begin();
	return 0;
}

static int leave(void **state)
{
	char *path = *state;
	DIR *d = opendir(path);
	struct dirent *e;

	door_begin();
	(void)rmdir("sub");
	while (d && (e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			(void)unlink(e->d_name);
	if (d)
		(void)closedir(d);
	assert_int_equal(chdir("/"), 0);
	(void)rmdir(path);
	free(path);
	return 0;
}

/* Not by io_get: that makes it an input. */
static bool holds(const char *path, const char *want)
{
	char text[64];
	FILE *f = fopen(path, "rb");
	size_t n = f ? fread(text, 1, sizeof(text), f) : 0;
	bool is = f && n == strlen(want) && memcmp(text, want, n) == 0;

	if (f)
		(void)fclose(f);
	return is;
}

static size_t count_files(void)
{
	DIR *d = opendir(".");
	size_t n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	(void)closedir(d);
	return n;
}

static enum status plan(const char *path, struct err *e)
{
	const struct door_output out = { .option = "-o", .path = path };

	return door_plan(&out, e);
}

static enum status put_text(const char *path, const char *text, struct err *e)
{
	SCOPED_STR b = { 0 };
	enum status st;

	str_adds(&b, text);
	st = io_put(path, &b, e);
	return st;
}

static void an_input_is_no_output_by_any_name(void **state)
{
	static const char *const names[] = { "in", "./in", "sub/../in", "soft", "hard", ".//in" };
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(names); i++) {
		door_begin();
		door_input("in");
		assert_int_equal(plan(names[i], &e), E_USAGE);
		assert_non_null(strstr(e.text, names[i]));
		assert_non_null(strstr(e.text, "the input in"));
		assert_int_equal(put_text(names[i], "x", &e), E_USAGE);
	}
	door_begin();
	door_input("in!member.json");
	assert_int_equal(plan("in", &e), E_USAGE);
	assert_true(holds("in", "input"));
}

/* What is read after the file was begun counts when it is to have its name. */
static void an_input_may_be_found_late(void **state)
{
	struct io_file f;
	struct err e;

	(void)state;
	assert_int_equal(plan("in", &e), OK);
	assert_int_equal(io_create(&f, "in", &e), OK);
	door_input("hard");
	assert_int_equal(door_check(&e), E_USAGE);
	assert_int_equal(io_commit(&f, &e), E_USAGE);
	assert_true(holds("in", "input"));
	assert_int_equal(count_files(), 7);
}

static void two_outputs_are_two_files(void **state)
{
	static const char *const pairs[][2] = { { "a", "./a" }, { "new/a", "./new//a" },
		{ "new/a", "sub/../new/./a" }, { "ahead", "later" }, { "soft", "hard" },
		{ "in", "hard" } };
	struct err e;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(pairs); i++) {
		door_begin();
		assert_int_equal(plan(pairs[i][0], &e), OK);
		assert_int_equal(plan(pairs[i][1], &e), E_USAGE);
		assert_non_null(strstr(e.text, pairs[i][0]));
	}
	door_begin();
	assert_int_equal(plan("a", &e), OK);
	assert_int_equal(plan("sub/a", &e), OK);
	assert_int_equal(plan("a/a", &e), OK);
	assert_int_equal(plan("/dev/null", &e), OK);
	assert_int_equal(plan("/dev/null", &e), OK);
	assert_int_equal(plan("-", &e), OK);
	assert_int_equal(plan("-", &e), OK);
	assert_int_equal(plan("", &e), E_USAGE);
}

static bool begins_so(struct span head, const void *ctx)
{
	return span_starts(head, ctx);
}

static void what_nobody_named_is_ours_or_forced(void **state)
{
	const struct door_output out = {
		.path = "in", .beside = "x", .is_ours = begins_so, .ctx = "inp"
	};
	struct door_output other = out;
	struct err e;

	(void)state;
	other.ctx = "out";
	assert_int_equal(door_plan(&out, &e), OK);
	door_begin();
	assert_int_equal(door_plan(&other, &e), E_USAGE);
	assert_non_null(strstr(e.hint, "--force"));
	door_begin();
	door_force(true);
	assert_int_equal(door_plan(&other, &e), OK);
	door_begin();
	door_force(true);
	door_input("in");
	assert_int_equal(door_plan(&other, &e), E_USAGE);
	door_begin();
	other.path = "not there";
	assert_int_equal(door_plan(&other, &e), OK);
	other.path = "sub";
	assert_int_equal(door_plan(&other, &e), E_USAGE);
	door_begin();
	door_input("in");
	other = (struct door_output){ .path = "in", .is_store = true };
	assert_int_equal(door_plan(&other, &e), OK);
	assert_int_equal(put_text("in", "more", &e), OK);
	assert_true(holds("in", "more"));
}

static void held_files_appear_together(void **state)
{
	struct err e;

	(void)state;
	put("one", "old");
	io_hold();
	assert_int_equal(put_text("one", "new", &e), OK);
	assert_int_equal(put_text("two", "new", &e), OK);
	assert_int_equal(put_text("./two", "again", &e), E_USAGE);
	assert_true(holds("one", "old"));
	assert_int_equal(access("two", F_OK), -1);
	assert_int_equal(io_release(&e), OK);
	assert_true(holds("one", "new"));
	assert_true(holds("two", "new"));
	assert_int_equal(count_files(), 9);
}

static void none_appears_when_one_may_not(void **state)
{
	struct err e;

	(void)state;
	put("one", "old");
	io_hold();
	assert_int_equal(put_text("one", "new", &e), OK);
	assert_int_equal(put_text("in", "new", &e), OK);
	door_input("in");
	assert_int_equal(io_release(&e), E_USAGE);
	assert_true(holds("one", "old"));
	assert_true(holds("in", "input"));
	assert_int_equal(count_files(), 8);
}

static void an_inner_one_is_dropped_alone(void **state)
{
	struct err e;

	(void)state;
	io_hold();
	assert_int_equal(put_text("one", "new", &e), OK);
	io_hold();
	assert_int_equal(put_text("two", "new", &e), OK);
	io_drop();
	io_hold();
	assert_int_equal(put_text("three", "new", &e), OK);
	assert_int_equal(io_release(&e), OK);
	assert_int_equal(access("three", F_OK), -1);
	assert_int_equal(io_release(&e), OK);
	assert_true(holds("one", "new"));
	assert_true(holds("three", "new"));
	assert_int_equal(access("two", F_OK), -1);
}

/* More than there may be open files, or places in the list of what a signal removes. */
static void thousands_wait_in_a_folder(void **state)
{
	enum { FILES = 1500, OPEN_MOST = 64, BEFORE = 8 };
	struct rlimit before;
	struct err e;
	char name[32];

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	const struct rlimit few = { OPEN_MOST, before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	for (int is_kept = 0; is_kept < 2; is_kept++) {
		assert_int_equal(io_hold_in("sub", &e), OK);
		for (int i = 0; i < FILES; i++) {
			(void)snprintf(name, sizeof(name), "%d", i);
			assert_int_equal(put_text(name, "new", &e), OK);
		}
		assert_int_equal(count_files(), BEFORE - 1);
		io_temp_sweep("sub");
		if (is_kept)
			assert_int_equal(io_release(&e), OK);
		else
			io_drop();
		assert_int_equal(count_files(), BEFORE - 1 + is_kept * FILES);
		assert_int_equal(rmdir("sub"), 0);
		assert_int_equal(mkdir("sub", 0777), 0);
	}
	assert_true(holds("1499", "new"));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(an_input_is_no_output_by_any_name),
		TEST(an_input_may_be_found_late),
		TEST(two_outputs_are_two_files),
		TEST(what_nobody_named_is_ours_or_forced),
		TEST(held_files_appear_together),
		TEST(none_appears_when_one_may_not),
		TEST(an_inner_one_is_dropped_alone),
		TEST(thousands_wait_in_a_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
