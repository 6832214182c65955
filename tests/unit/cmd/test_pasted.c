/* Command lines to be pasted: quoted for a shell, without what changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "cmd/pasted.h"

static const struct opt own[] = {
	OPT("style", 0, OPT_CHOICE, "STYLE", "", 0, "run|diff", NULL),
	OPT("output", 'o', OPT_TEXT, "FILE", "", 0, NULL, NULL),
	OPT("verbose", 'v', OPT_FLAG, NULL, "", 0, NULL, NULL),
	OPT("quiet", 'q', OPT_FLAG, NULL, "", 0, NULL, NULL),
	OPT("no-pager", 0, OPT_FLAG, NULL, "", 0, NULL, NULL),
	OPT("threads", 'j', OPT_INT, "N", "", 0, NULL, NULL),
};
static const struct opt_group group = { "Options", own, COUNT_OF(own), NULL };

static const char *const *beside; /* what expect() leaves out */

static void expect(const char *want, const char *const *word)
{
	char *argv[8];
	SCOPED_STR b = { 0 };
	int n = 0;

	for (; word[n]; n++)
		argv[n] = (char *)(uintptr_t)word[n];
	pasted_command(&b, &group, 1, n, argv, beside);
	assert_string_equal(b.s, want);
}

#define EXPECT(want, ...) expect(want, (const char *const[]){ __VA_ARGS__, NULL })

static void test_words(void **state)
{
	(void)state;
	EXPECT("traceq report t.json", "report", "t.json");
	EXPECT("traceq report 'a b' ''", "report", "a b", "");
	EXPECT("traceq report 'it'\\''s'", "report", "it's");
	EXPECT("traceq report '$(x)' '`y`'", "report", "$(x)", "`y`");
	EXPECT("traceq report $'\\x1b[1m\\'\\\\'", "report", "\x1b[1m'\\");
	EXPECT("traceq report $'\\xff'", "report", "\xff");
	EXPECT("traceq report '\xc3\xa4'", "report", "\xc3\xa4");
	EXPECT("traceq report $'\\xe2\\x80\\xae'", "report", "\xe2\x80\xae");
}

static void test_idle(void **state)
{
	(void)state;
	EXPECT("traceq report t", "report", "-q", "t", "-j", "4");
	EXPECT("traceq report t", "report", "-qj4", "t", "--threads=2");
	EXPECT("traceq report t", "report", "--threads", "2", "--quiet", "t", "--no-pager");
	EXPECT("traceq report -v t", "report", "-qvj", "4", "t");
	EXPECT("traceq report -vo x t", "report", "-qvo", "x", "t");
	EXPECT("traceq report -ojq t", "report", "-ojq", "t");
	/* A value may look like an option. */
	EXPECT("traceq report -o -q --style -j", "report", "-o", "-q", "--style", "-j");
	EXPECT("traceq report -- -q", "report", "--", "-q");
	EXPECT("traceq report --style=run -", "report", "--style=run", "-");
}

/* What only says where it goes is left out where the caller says so. */
static void test_beside(void **state)
{
	static const char *const output[] = { "output", NULL };

	(void)state;
	EXPECT("traceq report -o x t", "report", "-o", "x", "t");
	beside = output;
	EXPECT("traceq report t", "report", "-o", "x", "t");
	EXPECT("traceq report -v t -- -o", "report", "-vox", "t", "--output=y", "--", "-o");
	beside = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_beside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
