/*
 * Whole commands: reader, analysis, renderer, chart script and sinks in one process.  Whatever the
 * options and files are, a command ends with 0, 1 or 2; never without a word; what it prints holds
 * no control characters, and is UTF-8 where it says JSON.
 */
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/text/json.h"
#include "tests/fuzz/invocation.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct invocation v; /* large; read anew each time */
	struct stand_in out, err;
	int code;

	if (!invocation_open())
		abort();
	set_environment();
	if (invocation_read(&v, data, size)) {
		stdout = begin(&out, stdout);
		stderr = begin(&err, stderr);
		code = invocation_run(&v);
		stdout = out.own;
		stderr = err.own;
		if (fclose(out.now) != 0 || fclose(err.now) != 0)
			abort();
		check(&v, code, &out, &err);
		free(out.text);
		free(err.text);
	}
	invocation_clear();
	return 0;
}

/* The first line, or what is behind it; a third of the time as libFuzzer does it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	uint64_t state = seed * 2654435769u + 1;
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	size_t head = end ? (size_t)(end - data) + 1 : 0, kind = words_below(&state, 8), n;
	char line[WORDS_HEAD];

	if (!end || head == size || max <= size)
		return LLVMFuzzerMutate(data, size, max);
	if (kind == 0) {
		n = words_head(line, (struct span){ (const char *)data, head - 1 }, &state);
		return mutate_splice(data, size, max, 0, head, line, n);
	}
	if (kind < 6)
		return head + mutate_text(data + head, size - head, max - head, &state);
	return head + LLVMFuzzerMutate(data + head, size - head, max - head);
}
