/* Settings of a capture to a variable and back; lists of kinds; the command's own grammar. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "capture/settings.h"
#include "cmd/capture/capture.h"

static void there_and_back(void **state)
{
	struct capture_settings s, t;
	char text[8192], error[CAPTURE_WORDS_MAX];

	(void)state;
	capture_settings_init(&s);
	strncpy(s.out, "/data/100%; a=b\n\xc3\xa9_%r", sizeof(s.out) - 1);
	strncpy(s.window, "nvtx:a;b%3B", sizeof(s.window) - 1);
	s.kinds = 5;
	s.delay_ns = INT64_MAX;
	s.flow = false;
	s.graph_whole = true;
	assert_true(capture_settings_encode(&s, text, sizeof(text)) > 0);
	assert_null(strchr(text, '\n'));
	assert_true(capture_settings_decode(&t, text, error));
	assert_memory_equal(&s, &t, sizeof(s));
}

/* Every prefix of a value is settings or one error, never anything else. */
static void prefixes(void **state)
{
	struct capture_settings s, t;
	char text[8192], error[CAPTURE_WORDS_MAX];
	size_t n, i;

	(void)state;
	capture_settings_init(&s);
	strncpy(s.out, "/a%;b", sizeof(s.out) - 1);
	n = capture_settings_encode(&s, text, sizeof(text));
	assert_true(n > 0);
	for (i = n; i-- > 0;) {
		text[i] = 0;
		error[0] = 0;
		if (!capture_settings_decode(&t, text, error))
			assert_true(strlen(error) > 10);
	}
}

static void refused(void **state)
{
	static const char *const bad[] = { "", "v2;out=/a", "v1", "v1;out=a", "v1;out=/a;flow=2",
		"v1;out=/a;level=0", "v1;out=/a;level=-1", "v1;out=/a;level=1x", "v1;out=/a;none=1",
		"v1;out=/a;flow", "v1;out=/%2", "v1;out=/%zz", "v1;out=/%00",
		"v1;out=/a;cap_bytes=1", "v1;out=/a;flush_ns=99999999999999999999" };
	char error[CAPTURE_WORDS_MAX];
	struct capture_settings s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		error[0] = 0;
		assert_false(capture_settings_decode(&s, bad[i], error));
		assert_true(strlen(error) > 10);
	}
	assert_true(capture_settings_decode(&s, "v1;out=/a;;level=9", error));
	assert_int_equal(s.level, 9);
}

static void too_long(void **state)
{
	struct capture_settings s;
	char text[64];

	(void)state;
	capture_settings_init(&s);
	assert_int_equal(capture_settings_encode(&s, text, sizeof(text)), 0);
}

static void kinds(void **state)
{
	char error[CAPTURE_WORDS_MAX];
	struct capture_settings s;
	int64_t got = 77;

	(void)state;
	capture_settings_init(&s);
	assert_true(capture_kinds_parse("kernel,copy", &got, error));
	assert_int_equal(got, CAPTURE_KIND(KERNEL) | CAPTURE_KIND(COPY));
	assert_true(capture_kinds_parse("+memory,-sync", &got, error));
	assert_int_equal(got, (s.kinds | CAPTURE_KIND(MEMORY)) & ~(int64_t)CAPTURE_KIND(SYNC));
	assert_true(capture_kinds_parse("none", &got, error));
	assert_int_equal(got, 0);
	got = 77;
	assert_false(capture_kinds_parse("kernel,copies", &got, error));
	assert_int_equal(got, 77);
	assert_non_null(strstr(error, "unknown kind 'copies'; there are kernel, copy"));
}

/* traceq capture OPTIONS ends where the program begins. */
static void grammar(void **state)
{
	static const struct {
		const char *word[8];
		size_t at;
	} cases[] = {
		{ { "capture", "prog", "-o", "x" }, 1 },
		{ { "capture", "-o", "x", "prog" }, 3 },
		{ { "capture", "-ox", "prog" }, 2 },
		{ { "capture", "--output", "-x", "--", "prog" }, 3 },
		{ { "capture", "--output=x", "--cpu", "prog", "--cpu" }, 3 },
		{ { "capture", "--no-flow", "--", "-prog" }, 2 },
		{ { "capture", "--check" }, 2 },
		{ { "capture", "--delay" }, 2 },
		{ { "capture" }, 1 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *argv[9] = { 0 };
		int argc = 0;

		for (; cases[i].word[argc]; argc++)
			argv[argc] = (char *)(uintptr_t)cases[i].word[argc];
		assert_int_equal(capture_program_at(argc, argv), cases[i].at);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(prefixes),
		cmocka_unit_test(refused),
		cmocka_unit_test(too_long),
		cmocka_unit_test(kinds),
		cmocka_unit_test(grammar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
