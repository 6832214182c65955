/* Commands run in this process. */
#include "tests/fuzz/perform.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/input/text/json_text.h"
#include "base/str.h"
#include "tests/fuzz/invocation.h"

/* What stands in for a stream of the process while a command runs. */
struct stand_in {
	FILE *own, *now;
	char *text;
	size_t n;
};

static FILE *begin(struct stand_in *s, FILE *own)
{
	*s = (struct stand_in){ .own = own };
	s->now = open_memstream(&s->text, &s->n);
	if (!s->now)
		abort();
	return s->now;
}

static void set_environment(void)
{
	static const char *const unset[] = { "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "COLUMNS",
		"FORCE_COLOR", "CLICOLOR_FORCE", "TRACEQ_CONFIG" };
	size_t i;

	for (i = 0; i < COUNT_OF(unset); i++)
		(void)unsetenv(unset[i]);
	(void)setenv("PATH", "/nonexistent", 1); /* so that gnuplot is not found */
	(void)setenv("TERM", "dumb", 1);
	(void)setenv("LC_ALL", "C.UTF-8", 1);
	(void)setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
}

static bool has_control(const struct stand_in *s)
{
	size_t i;

	for (i = 0; i < s->n; i++) {
		unsigned char c = (unsigned char)s->text[i];

		if ((c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != '\033') || c == 0x7f)
			return true;
	}
	return false;
}

static void check(const struct invocation *v, int code, const struct stand_in *out,
	const struct stand_in *err)
{
	if (code < 0 || code > 2)
		abort();
	if (code == 2 && err->n == 0)
		abort(); /* not without a word */
	if (has_control(out) || has_control(err))
		abort();
	if (v->is_json && !json_is_utf8((struct span){ out->text, out->n }))
		abort();
}

int perform(struct invocation *v, struct str *said)
{
	struct stand_in out, err;
	int code;

	set_environment();
	stdout = begin(&out, stdout);
	stderr = begin(&err, stderr);
	code = invocation_run(v);
	stdout = out.own;
	stderr = err.own;
	if (fclose(out.now) != 0 || fclose(err.now) != 0)
		abort();
	check(v, code, &out, &err);
	if (said)
		str_add(said, err.text, err.n);
	free(out.text);
	free(err.text);
	return code;
}
