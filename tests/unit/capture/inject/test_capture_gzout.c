/* The file of a capture gets its name, and takes no other's.  Runs in a folder of its own below
 * TMPDIR. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include <cmocka.h>

#include "capture/inject/gzout.h"

static void put(const char *path)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_true(fputs("mine", f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void check_mine(const char *path)
{
	char text[8] = "";
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, f), 4);
	assert_string_equal(text, "mine");
	(void)fclose(f);
}

static void begin(struct gzout *o)
{
	assert_true(gzout_open(o, "x.json.gz", 1, NULL, NULL));
	assert_true(gzout_commit(o));
	assert_true(gzout_settle(o));
}

static void a_file_that_came_meanwhile_stays(void **state)
{
	struct gzout o;

	(void)state;
	begin(&o);
	assert_string_equal(o.path, "x.json.gz");
	put("x.json.gz");
	put("x.1.json.gz");
	assert_true(gzout_finish(&o));
	assert_string_equal(o.path, "x.2.json.gz");
	check_mine("x.json.gz");
	check_mine("x.1.json.gz");
	assert_int_equal(access("x.2.json.gz", F_OK), 0);
	assert_int_equal(access("x.json.gz.part", F_OK), -1);
	gzout_forget(&o);
}

static void else_it_has_the_name_that_was_asked_for(void **state)
{
	struct gzout o;

	(void)state;
	begin(&o);
	assert_true(gzout_finish(&o));
	assert_string_equal(o.path, "x.json.gz");
	assert_int_equal(access("x.json.gz", F_OK), 0);
	assert_int_equal(access("x.json.gz.part", F_OK), -1);
	gzout_forget(&o);
}

static int enter(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char *path = malloc(4096);

	assert_non_null(path);
	(void)snprintf(path, 4096, "%s/traceq-gzout.XXXXXX", tmp && tmp[0] ? tmp : "/tmp");
	*state = path;
	return mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	static const char *const names[] = { "x.json.gz", "x.1.json.gz", "x.2.json.gz" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)unlink(names[i]);
	assert_int_equal(chdir("/"), 0);
	(void)rmdir(*state);
	free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_that_came_meanwhile_stays, enter, leave),
		cmocka_unit_test_setup_teardown(
			else_it_has_the_name_that_was_asked_for, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
