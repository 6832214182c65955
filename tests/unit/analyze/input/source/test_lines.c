/* Lines of offsets, against a count byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyze/input/source/lines.h"
#include "tests/unit/loading.h"

enum { BYTES = 600 << 10, ROUNDS = 8 }; /* more than two reads */

static int64_t line_of(const char *p, int64_t offset)
{
	int64_t line = 1, i;

	for (i = 0; i < offset; i++)
		line += p[i] == '\n';
	return line;
}

/* Bytes near a newline in value, and many newlines: `dense` of 256 are one. */
static void fill(char *p, unsigned dense, uint64_t *seed)
{
	static const char near[] = { 0x0b, 0x09, 0x00, (char)0x8a, 0x4a, (char)0xff, 0x0a, 0x2a };
	size_t i;

	for (i = 0; i < BYTES; i++) {
		uint32_t r = loading_random(seed);

		p[i] = (r & 255) < dense ? '\n' : near[(r >> 8) & 7];
	}
}

static void lines_of_random_text(void **state)
{
	static const unsigned dense[ROUNDS] = { 0, 1, 8, 64, 128, 200, 255, 256 };
	char path[] = "/tmp/traceq-lines.XXXXXX", *p = malloc(BYTES);
	int fd = mkstemp(path), k;
	uint64_t seed = 1;

	(void)state;
	assert_non_null(p);
	assert_true(fd >= 0);
	for (k = 0; k < ROUNDS; k++) {
		struct tally t = { 0 };
		struct err e = { .offset = loading_random(&seed) % BYTES, .line = -1 };
		int i;

		fill(p, dense[k], &seed);
		assert_int_equal(pwrite(fd, p, BYTES, 0), BYTES);
		for (i = 0; i < PROBLEM_COUNT; i++) {
			t.count[i] = i % 3; /* what was not seen has no place */
			t.offset[i] = loading_random(&seed) % (BYTES + 1);
			t.line[i] = -1;
		}
		lines_locate(path, NULL, &t, &e);
		assert_int_equal(e.line, line_of(p, e.offset));
		for (i = 0; i < PROBLEM_COUNT; i++)
			assert_int_equal(
				t.line[i], t.count[i] ? line_of(p, t.offset[i]) : (int64_t)-1);
	}
	(void)close(fd);
	(void)unlink(path);
	free(p);
}

/* What cannot be read again keeps its offset alone. */
static void no_lines_of_what_is_gone(void **state)
{
	struct err e = { .offset = 3, .line = -1 };
	struct tally t = { 0 };

	(void)state;
	lines_locate("-", NULL, &t, &e);
	assert_int_equal(e.line, -1);
	lines_locate("/nowhere/at/all", NULL, &t, &e);
	assert_int_equal(e.line, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_random_text),
		cmocka_unit_test(no_lines_of_what_is_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
