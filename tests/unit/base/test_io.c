/* Output files: complete or not there.  Runs in a folder of its own below TMPDIR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/io.h"
#include "base/str.h"
#include "cmd/signals.h"

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
	assert_int_equal(chdir("/"), 0);
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
	SCOPED_STR text = { 0 };
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
}

static void test_device_is_written_in_place(void **state)
{
	struct io_file f;
	struct err e;

	(void)state;
	assert_int_equal(io_create(&f, "/dev/null", &e), OK);
	assert_null(f.temp.path);
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

/* A link whose target is not there yet stays a link; one that leads to itself is an error. */
static void test_links_that_lead_nowhere(void **state)
{
	SCOPED_STR text = { 0 };
	struct stat st;
	struct err e;

	(void)state;
	str_adds(&text, "made");
	assert_int_equal(symlink("target.txt", "one.txt"), 0);
	assert_int_equal(symlink("one.txt", "two.txt"), 0);
	assert_int_equal(io_put("two.txt", &text, &e), OK);
	assert_file("target.txt", "made");
	assert_int_equal(lstat("two.txt", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(symlink("self.txt", "self.txt"), 0);
	assert_int_equal(io_put("self.txt", &text, &e), E_IO);
	assert_string_equal(e.text, "self.txt: cannot write: Too many levels of symbolic links");
	assert_int_equal(count_files(), 4);
}

/* What is open already is not replaced: a file that stdout goes to keeps what others wrote. */
static void test_open_ones_are_written_to(void **state)
{
	SCOPED_STR text = { 0 };
	char path[64];
	struct err e;
	int fd;

	(void)state;
	write_file("log.txt", "before ");
	fd = open("log.txt", O_WRONLY | O_APPEND);
	assert_true(fd >= 0);
	str_adds(&text, "behind");
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	assert_int_equal(io_put(path, &text, &e), OK);
	(void)close(fd);
	assert_file("log.txt", "before behind");
	assert_int_equal(io_put("/dev/fd/987", &text, &e), E_IO);
	assert_string_equal(e.text, "/dev/fd/987: cannot write: Bad file descriptor");
	assert_int_equal(io_own_fd("/dev/stdout"), 1);
	assert_int_equal(io_own_fd("/dev/fd/x"), -1);
	assert_int_equal(io_own_fd("/dev/fd/12345678"), -1);
}

/* A pipe that has its reader is written; what is durable is, too. */
static void test_pipe_and_durable(void **state)
{
	struct io_file f;
	char text[8] = "";
	struct err e;
	int fd;

	(void)state;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	fd = open("pipe", O_RDONLY | O_NONBLOCK);
	assert_int_equal(io_create(&f, "pipe", &e), OK);
	(void)fputs("through", f.out);
	f.is_durable = true;
	assert_int_equal(io_commit(&f, &e), OK);
	assert_int_equal(read(fd, text, sizeof(text)), 7);
	(void)close(fd);
	assert_int_equal(io_create(&f, "kept.txt", &e), OK);
	f.is_durable = true;
	(void)fputs("kept", f.out);
	assert_int_equal(io_commit(&f, &e), OK);
	assert_file("kept.txt", "kept");
	assert_int_equal(count_files(), 2);
}

/* A child in the middle of writing; returns its pid when the temporary file is there. */
static pid_t start_writer(void)
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		struct io_file f;
		struct err e;

		signals_watch();
		if (io_create(&f, "half.txt", &e) == OK && write(ready[1], "x", 1) == 1)
			for (;;)
				(void)pause();
		_exit(1);
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready[0], &c, 1), 1);
	(void)close(ready[0]);
	(void)close(ready[1]);
	return pid;
}

static void end_by(pid_t pid, int number)
{
	int status;

	assert_int_equal(kill(pid, number), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), number);
}

static void test_signals_leave_nothing(void **state)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		pid_t pid = start_writer();

		assert_int_equal(count_files(), 1);
		end_by(pid, numbers[i]);
		assert_int_equal(count_files(), 0);
	}
}

/* What a killed writer left goes with the next file that is written; a living one's stays. */
static void test_dead_are_swept(void **state)
{
	pid_t dead, alive;
	struct io_file f;
	struct err e;

	(void)state;
	dead = start_writer();
	alive = start_writer();
	assert_int_equal(count_files(), 2);
	end_by(dead, SIGKILL);
	assert_int_equal(count_files(), 2);
	assert_int_equal(io_create(&f, "new.txt", &e), OK);
	assert_int_equal(count_files(), 2); /* of the living one, and our own */
	io_temp_sweep(".");
	assert_int_equal(count_files(), 2);
	assert_int_equal(io_commit(&f, &e), OK);
	end_by(alive, SIGTERM);
	assert_int_equal(count_files(), 1);
	assert_file("new.txt", "");
}

/* A name for a file that another program writes. */
static void test_temporary_by_itself(void **state)
{
	struct io_temp t;
	struct err e;

	(void)state;
	assert_int_equal(io_temp_make(&t, "", &e), OK);
	write_file(t.path, "by another");
	io_temp_sweep("");
	assert_int_equal(io_temp_place(&t, "picture", &e), OK);
	assert_null(t.path);
	assert_file("picture", "by another");
	assert_int_equal(io_temp_make(&t, ".", &e), OK);
	io_temp_drop(&t);
	io_temp_drop(&t);
	assert_int_equal(io_temp_make(&t, "none/", &e), E_IO);
	assert_int_equal(count_files(), 1);
	assert_int_equal(io_temp_make(&t, ".", &e), OK);
	assert_int_equal(io_temp_place(&t, "no/such", &e), E_IO);
	assert_int_equal(count_files(), 1);
}

/* Neither what is there nor what comes meanwhile is replaced, nor what a link leads to. */
static void test_new_ones_replace_nothing(void **state)
{
	static const char *const taken[] = { "old", "link", "dangling", "." };
	struct io_file f;
	struct err e;
	size_t i;

	(void)state;
	write_file("old", "old");
	assert_int_equal(symlink("old", "link"), 0);
	assert_int_equal(symlink("none", "dangling"), 0);
	for (i = 0; i < COUNT_OF(taken); i++) {
		assert_int_equal(io_create_new(&f, taken[i], &e), E_IO);
		assert_non_null(strstr(e.text, "nothing is overwritten"));
	}
	assert_int_equal(io_create_new(&f, "none/x", &e), E_IO);
	assert_int_equal(io_create_new(&f, "new", &e), OK);
	assert_int_equal(fputs("new", f.out) >= 0, 1);
	assert_int_equal(io_commit(&f, &e), OK);
	assert_file("new", "new");
	assert_int_equal(io_create_new(&f, "late", &e), OK);
	write_file("late", "first");
	assert_int_equal(io_commit(&f, &e), E_IO);
	assert_non_null(strstr(e.text, "nothing is overwritten"));
	assert_file("late", "first");
	assert_file("old", "old");
	assert_int_equal(count_files(), 5);
}

static void check_get(const char *path, size_t most, enum status want, const char *text)
{
	SCOPED_STR got = { 0 };
	struct err e;

	assert_int_equal(io_get(path, most, &got, &e), want);
	assert_string_equal(want == OK ? got.s : e.text, text);
}

static void test_get(void **state)
{
	char path[64];
	int ends[2];

	(void)state;
	write_file("small", "ten bytes.");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	check_get("small", 10, OK, "ten bytes.");
	check_get("small", 9, E_LIMIT, "small: larger than 9 bytes");
	check_get("none", 9, E_IO, "none: No such file or directory");
	check_get(".", 9, E_IO, ".: Is a directory");
	check_get("pipe", 9, E_IO, "pipe: a named pipe, and nothing waits for its writer here");
	check_get("/dev/zero", 1024 * 1024, E_LIMIT, "/dev/zero: larger than 1 MiB");
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "through", 7), 7);
	(void)close(ends[1]);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	check_get(path, 9, OK, "through");
	(void)close(ends[0]);
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
		cmocka_unit_test_setup_teardown(test_links_that_lead_nowhere, enter, leave),
		cmocka_unit_test_setup_teardown(test_open_ones_are_written_to, enter, leave),
		cmocka_unit_test_setup_teardown(test_pipe_and_durable, enter, leave),
		cmocka_unit_test_setup_teardown(test_signals_leave_nothing, enter, leave),
		cmocka_unit_test_setup_teardown(test_dead_are_swept, enter, leave),
		cmocka_unit_test_setup_teardown(test_temporary_by_itself, enter, leave),
		cmocka_unit_test_setup_teardown(test_new_ones_replace_nothing, enter, leave),
		cmocka_unit_test_setup_teardown(test_get, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
