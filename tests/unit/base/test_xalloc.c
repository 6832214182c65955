/* base/xalloc: memory that is there, also of 0 bytes; a program that can't have it ends and says
 * so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/xalloc.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
	__has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MALLOC_ENDS_THE_PROGRAM 1 /* that of a sanitizer, when it has no more memory */
#else
#define MALLOC_ENDS_THE_PROGRAM 0
#endif

static void sizes(void **state)
{
	char *p = xmalloc(0), *q = xcalloc(0, 8), *r = xcalloc(3, 0);
	size_t i;

	(void)state;
	assert_non_null(p);
	assert_non_null(q);
	assert_non_null(r);
	free(q);
	free(r);
	p = xrealloc(p, 100);
	memset(p, 'x', 100);
	p = xrealloc(p, 100000);
	for (i = 0; i < 100; i++)
		assert_int_equal(p[i], 'x');
	free(p);
	p = xcalloc(250, 400);
	for (i = 0; i < 100000; i++)
		assert_int_equal(p[i], 0);
	free(p);
}

static void copies(void **state)
{
	static const char unended[] = { 'a', 'b', 'c' };
	char *p = xstrndup("word", 2), *q = xstrndup("word", SIZE_MAX), *r = xstrndup(unended, 3);

	(void)state;
	assert_string_equal(p, "wo");
	assert_string_equal(q, "word");
	assert_string_equal(r, "abc");
	free(p);
	free(q);
	free(r);
}

static void too_large(void)
{
	free(xmalloc(SIZE_MAX / 2));
}

static void too_many(void)
{
	free(xcalloc(SIZE_MAX / 2, 4));
}

static void grows_too_large(void)
{
	free(xrealloc(xmalloc(8), SIZE_MAX / 2));
}

/* What a process that does so says before it ends with 2. */
static void dies(void (*what)(void))
{
	char said[128] = "";
	int status, pipes[2];
	pid_t child;

	assert_int_equal(pipe(pipes), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		(void)dup2(pipes[1], STDERR_FILENO);
		what();
		_exit(0);
	}
	(void)close(pipes[1]);
	assert_true(read(pipes[0], said, sizeof(said) - 1) > 0);
	(void)close(pipes[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_int_equal(strncmp(said, DIE_OOM_WORDS, strlen(DIE_OOM_WORDS)), 0);
}

static void out_of_memory(void **state)
{
	(void)state;
	if (MALLOC_ENDS_THE_PROGRAM)
		skip();
	dies(too_large);
	dies(too_many);
	dies(grows_too_large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(copies),
		cmocka_unit_test(out_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
