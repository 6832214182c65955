/*
 * Output files: complete or not there.  Runs in a folder of its own below TMPDIR.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/io.h"
#include "base/str.h"

/* Enters a new empty folder. */
static int enter(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *path = malloc(4096);

	assert_non_null(path);
	(void)snprintf(path, 4096, "%s/traceq-io.XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
	*state = path;
	return mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	char *path = *state;
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			(void)unlink(e->d_name);
	if (d)
		(void)closedir(d);
	(void)chdir("/");
	(void)rmdir(path);
	free(path);
	return 0;
}

static int count_files(void)
{
	DIR *d = opendir(".");
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	(void)closedir(d);
	return n - 2;
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void assert_file(const char *path, const char *want)
{
	char text[256] = "";
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	(void)fclose(f);
	assert_string_equal(text, want);
}

static void test_appears_when_complete(void **state)
{
	struct io_file f;
	struct err e;

	(void)state;
	assert_int_equal(io_create(&f, "new.txt", &e), OK);
	(void)fputs("whole", f.out);
	assert_int_not_equal(access("new.txt", F_OK), 0);
	assert_int_equal(io_commit(&f, &e), OK);
	assert_file("new.txt", "whole");
	assert_int_equal(count_files(), 1);
}

static void test_abandoned_leaves_the_old(void **state)
{
	struct io_file f;
	struct err e;

	(void)state;
	write_file("old.txt", "old");
	assert_int_equal(io_create(&f, "old.txt", &e), OK);
	(void)fputs("half", f.out);
	io_abandon(&f);
	assert_file("old.txt", "old");
	assert_int_equal(count_files(), 1);
}

static void test_keeps_mode_and_link(void **state)
{
	struct io_file f;
	struct stat st;
	struct err e;

	(void)state;
	write_file("target.txt", "old");
	assert_int_equal(chmod("target.txt", 0640), 0);
	assert_int_equal(symlink("target.txt", "link.txt"), 0);
	assert_int_equal(io_create(&f, "link.txt", &e), OK);
	(void)fputs("new", f.out);
	assert_int_equal(io_commit(&f, &e), OK);
	assert_file("target.txt", "new");
	assert_int_equal(lstat("link.txt", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat("target.txt", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(count_files(), 2);
}

static void test_errors(void **state)
{
	struct io_file f;
	struct err e;

	(void)state;
	assert_int_equal(io_create(&f, "no/such/folder.txt", &e), E_IO);
	assert_string_equal(e.text, "cannot write: No such file or directory");
	assert_null(f.out);
	assert_int_equal(io_create(&f, ".", &e), E_IO);
	assert_string_equal(e.text, "cannot write: Is a directory");
	assert_int_equal(count_files(), 0);
}

/* Larger than a stdio buffer, so that fwrite fails and not only the flush behind it. */
static void test_put(void **state)
{
	struct str text = { 0 };
	struct err e;

	(void)state;
	while (text.n < 100000)
		str_adds(&text, "0123456789\n");
	assert_int_equal(io_put("/dev/full", &text, &e), E_IO);
	assert_string_equal(e.text, "/dev/full: cannot write: No space left on device");
	str_reset(&text);
	str_adds(&text, "all of it");
	assert_int_equal(io_put("no/such/folder.txt", &text, &e), E_IO);
	assert_string_equal(e.text, "no/such/folder.txt: cannot write: No such file or directory");
	assert_int_equal(count_files(), 0);
	assert_int_equal(io_put("new.txt", &text, &e), OK);
	assert_file("new.txt", "all of it");
	assert_int_equal(count_files(), 1);
	str_free(&text);
}

static void test_device_is_written_in_place(void **state)
{
	struct io_file f;
	struct err e;

	(void)state;
	assert_int_equal(io_create(&f, "/dev/null", &e), OK);
	assert_null(f.beside);
	(void)fputs("gone", f.out);
	assert_int_equal(io_commit(&f, &e), OK);
	if (access("/dev/full", W_OK) != 0)
		return;
	assert_int_equal(io_create(&f, "/dev/full", &e), OK);
	(void)fputs("no room", f.out);
	assert_int_equal(io_commit(&f, &e), E_IO);
	assert_string_equal(e.text, "cannot write: No space left on device");
	assert_null(f.out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_appears_when_complete, enter, leave),
		cmocka_unit_test_setup_teardown(test_abandoned_leaves_the_old, enter, leave),
		cmocka_unit_test_setup_teardown(test_keeps_mode_and_link, enter, leave),
		cmocka_unit_test_setup_teardown(test_errors, enter, leave),
		cmocka_unit_test_setup_teardown(test_put, enter, leave),
		cmocka_unit_test_setup_teardown(test_device_is_written_in_place, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
