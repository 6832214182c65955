/* Reports of a verdict: what the servers that read them refuse or drop is not written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"
#include "base/checks.h"
#include "report/sink/sink.h"

enum { CHECKS = 1000, LONG = 2 << 20 };

/* A verdict of so many checks in that state; `text` is in every place a name can be in. */
static void make(struct verdict *v, struct verdict_check *check, enum verdict_state state,
	const char *text, const char **why, size_t nwhy)
{
	bool fails = state == VERDICT_IS_FAIL;
	size_t i;

	*v = (struct verdict){ .name = "gate",
		.suite = "default",
		.state = state,
		.exit_code = fails,
		.summary = "many",
		.base = text,
		.now = text,
		.about = text,
		.check = check,
		.n = CHECKS,
		.why = why,
		.nwhy = nwhy,
		.reproduce = text };
	for (i = 0; i < CHECKS; i++)
		check[i] = (struct verdict_check){ .state = state,
			.suite = "perf",
			.id = text,
			.base = text,
			.now = text,
			.change = text,
			.interval = text,
			.tolerance = text,
			.message = text,
			.fails = fails,
			.metric = "metric",
			.label = text,
			.value = 1,
			.unit = UNIT_NONE };
}

static size_t count(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		n++;
	return n;
}

static char *long_text(void)
{
	char *s = malloc(LONG + 1);

	assert_non_null(s);
	memset(s, '<', LONG);
	s[LONG] = '\0';
	return s;
}

/* Of a kind ten are shown: one error, at most eight warnings, each a line. */
static void github_limits(void **state)
{
	static struct verdict_check check[CHECKS];
	static const enum verdict_state states[] = { VERDICT_IS_FAIL, VERDICT_IS_NOISY,
		VERDICT_IS_WARN, VERDICT_IS_PASS, VERDICT_IS_SKIP };
	static const size_t errors[] = { 1, 0, 0, 0, 0 }, warnings[] = { 0, 8, 8, 0, 0 };
	const char *why[] = { "a\nb", "::error::c" };
	char *text = long_text();
	struct str out = { 0 };
	struct verdict v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(states) / sizeof(*states); i++) {
		make(&v, check, states[i], "op:a%,b\r\n::error::x", why, 2);
		str_adds(&out, "\n");
		sink_github(&out, &v);
		assert_int_equal(count(out.s, "\n::error "), errors[i]);
		assert_int_equal(count(out.s, "\n::warning "), warnings[i]);
		assert_int_equal(count(out.s, "\n"), 1 + errors[i] + warnings[i]);
		str_free(&out);
	}
	make(&v, check, VERDICT_IS_FAIL, text, why, 2);
	sink_github(&out, &v);
	assert_true(out.n < 64 * 1024); /* what an annotation can be */
	str_free(&out);
	free(text);
}

/* A step summary of more than 1024 KiB is dropped as a whole: many checks, and names as long as
 * files can make them. */
static void summary_limits(void **state)
{
	static struct verdict_check check[CHECKS];
	char *text = long_text();
	const char *why[] = { text, text };
	static const enum verdict_state states[] = { VERDICT_IS_FAIL, VERDICT_IS_PASS };
	size_t i, n;

	(void)state;
	for (i = 0; i < 2; i++)
		for (n = 100; n <= LONG; n = n < LONG ? n * 20971 : n + 1) {
			struct str out = { 0 };
			struct verdict v;

			n = n < LONG ? n : LONG;
			text[n] = '\0';
			make(&v, check, states[i], text, why, 2);
			sink_md.put(&out, &v);
			assert_true(out.n > 100 && out.n < 1000 * 1024);
			str_free(&out);
			memset(text, '<', LONG);
		}
	free(text);
}

/* What broke is an error of every report, and nothing of it is a check. */
static void no_answer(void **state)
{
	const struct verdict v = { .name = "gate", .error = "x.json: <cut> & \"quoted\"" };
	size_t n, i;
	const struct sink *const *all = sink_all(&n);

	(void)state;
	assert_true(n >= 3);
	for (i = 0; i < n; i++) {
		struct str out = { 0 };

		all[i]->put(&out, &v);
		assert_true(out.n > 0);
		assert_null(strstr(out.s, "<cut>"));
		str_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(github_limits),
		cmocka_unit_test(summary_limits),
		cmocka_unit_test(no_answer),
	};

	return cmocka_run_group_tests_name("sinks", tests, NULL, NULL);
}
