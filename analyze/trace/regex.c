/* Regular expressions on names: a thin layer over PCRE2 with limits and readable errors. */
#include "analyze/trace/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Far beyond what a sane pattern needs on a name, and a few milliseconds at most. */
enum { MATCH_LIMIT = 200000, DEPTH_LIMIT = 5000, HEAP_LIMIT_KIB = 8192 };
enum { JIT_STACK_FIRST = 32 << 10, JIT_STACK_MAX = 4 << 20 };

struct regex {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	const char *pattern, *option; /* borrowed */
};

enum status regex_new(struct regex **out, const char *pattern, const char *option, struct err *e)
{
	struct regex *re = xcalloc(1, sizeof(*re));
	unsigned char text[160];
	int number;
	size_t at;

	re->pattern = pattern;
	re->option = option;
	re->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
		PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &number, &at, NULL);
	if (!re->code) {
		pcre2_get_error_message(number, text, sizeof(text));
		err_set(e, E_USAGE, -1, "%s '%s': %s at character %zu", option, pattern,
			(const char *)text, at);
		free(re);
		return err_hint(e,
			"the syntax is that of perl (PCRE2); to find a plain text that "
			"looks like a pattern, write \\Q before it");
	}
	re->data = pcre2_match_data_create(1, NULL);
	re->context = pcre2_match_context_create(NULL);
	if (!re->data || !re->context)
		die_oom(sizeof(*re));
	pcre2_set_match_limit(re->context, MATCH_LIMIT);
	pcre2_set_depth_limit(re->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(re->context, HEAP_LIMIT_KIB);
	if (pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE) == 0) {
		re->stack = pcre2_jit_stack_create(JIT_STACK_FIRST, JIT_STACK_MAX, NULL);
		if (re->stack)
			pcre2_jit_stack_assign(re->context, NULL, re->stack);
	}
	*out = re;
	return OK;
}

void regex_free(struct regex *re)
{
	if (!re)
		return;
	pcre2_jit_stack_free(re->stack);
	pcre2_match_context_free(re->context);
	pcre2_match_data_free(re->data);
	pcre2_code_free(re->code);
	free(re);
}

enum status regex_check(const char *pattern, const char *option, struct err *e)
{
	struct regex *re = NULL;
	enum status st = regex_new(&re, pattern, option, e);

	regex_free(re);
	return st;
}

enum status regex_match(struct regex *re, struct span text, bool *is_match, struct err *e)
{
	int rc = pcre2_match(
		re->code, (PCRE2_SPTR)(text.p ? text.p : ""), text.n, 0, 0, re->data, re->context);
	unsigned char why[160];

	*is_match = rc >= 0;
	if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
		return OK;
	pcre2_get_error_message(rc, why, sizeof(why));
	err_set(e, E_USAGE, -1, "%s '%s': gave up on the name '%.*s': %s", re->option, re->pattern,
		(int)MIN(text.n, 60), text.p ? text.p : "", (const char *)why);
	return err_hint(
		e, "nested repetition such as (a+)+ takes exponential time; simplify the pattern");
}
