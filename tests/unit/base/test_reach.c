/* The door for inputs: open to all, and held to folders, whatever a path says. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/io.h"
#include "base/reach.h"
#include "base/str.h"

static char folder[] = "/tmp/traceq-reach-XXXXXX";

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static bool opens(const char *path)
{
	int fd = reach_open(path, 0);

	if (fd >= 0)
		(void)close(fd);
	return fd >= 0;
}

static bool gets_all(const char *path)
{
	SCOPED_STR text = { 0 };
	struct err e;
	bool is = io_get(path, 100, &text, &e) == OK;

	return is;
}

static int make(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("in", 0700) || mkdir("in/deep", 0700) ||
		mkdir("inside", 0700) || mkdir("base=", 0700))
		return -1;
	put("in/a", "a");
	put("in/deep/b", "b");
	put("inside/c", "c");
	if (symlink("../inside/c", "in/link") || symlink("deep/b", "in/near") ||
		symlink("../inside", "in/folder") || mkfifo("in/pipe", 0600))
		return -1;
	return 0;
}

static int drop(void **state)
{
	static const char *const files[] = { "in/a", "in/deep/b", "inside/c", "in/link", "in/near",
		"in/folder", "in/pipe" };
	static const char *const folders[] = { "in/deep", "in", "inside", "base=" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(files); i++)
		(void)unlink(files[i]);
	for (i = 0; i < COUNT_OF(folders); i++)
		(void)rmdir(folders[i]);
	return chdir("/") || rmdir(folder);
}

static void test_open_to_all(void **state)
{
	(void)state;
	assert_true(
		opens("in/a") && opens("in/link") && opens("in/folder/c") && opens("/dev/null"));
	assert_false(opens("in/none"));
	assert_false(reach_is_limited());
}

/* What is wrong, as a bit each; in a process of its own, for nothing undoes a limit. */
static unsigned held_to_in(void)
{
	static const char *const within[] = { "in/a", "in/deep/b", "in/near", "in", "in/deep/../a",
		"inside/../in/a" };
	static const char *const without[] = { "inside/c", "in/link", "in/folder", "in/folder/c",
		"in/../inside/c", ".", "/", "/dev/null", "/dev/stdin", "/proc/self/fd/0", "in/pipe",
		"/proc/self/environ", "/proc/self/cwd/inside/c", "in/none" };
	char root[64];
	const char *const roots[] = { root };
	unsigned wrong = 0;
	struct io_temp t;
	struct err e;
	size_t i;
	DIR *d;

	(void)snprintf(root, sizeof(root), "%s/in", folder);
	reach_limit(roots, 1);
	for (i = 0; i < COUNT_OF(within); i++)
		wrong |= !opens(within[i]);
	for (i = 0; i < COUNT_OF(without); i++)
		wrong |= opens(without[i]) ? 2 : 0;
	wrong |= !gets_all("in/a") || gets_all("inside/c") || gets_all("/dev/stdin") ? 4 : 0;
	d = reach_folder("in/deep");
	wrong |= !d || reach_folder("inside") || reach_folder("in/folder") ? 8 : 0;
	wrong |= reach_file("in/link") || !reach_is_limited() ? 16 : 0;
	wrong |= io_temp_make(&t, "in/deep", &e) != OK ? 32 : 0;
	io_temp_drop(&t);
	wrong |= io_temp_make(&t, "in/folder", &e) == OK || io_temp_make(&t, "", &e) == OK ? 64 : 0;
	return wrong;
}

static void test_held_to_folders(void **state)
{
	static const char *const folders[] = { ".", "in", "in/deep", "inside" };
	int status = 0;
	pid_t pid = fork();
	size_t i;

	(void)state;
	if (pid == 0)
		_exit((int)held_to_in());
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	for (i = 0; i < COUNT_OF(folders); i++) {
		struct dirent **found;
		int n = scandir(folders[i], &found, NULL, alphasort), k;

		for (k = 0; k < n; k++) {
			assert_null(strstr(found[k]->d_name, ".traceq-"));
			free(found[k]);
		}
		free(found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open_to_all),
		cmocka_unit_test(test_held_to_folders),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
