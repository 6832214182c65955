/* Servers of models: names of batches. */
#include "analyze/trace/serving.h"

enum behind { ANY, END, DIGIT };

/* A name that begins so, and has that behind it.  What it says; where a number is told of, too,
 * PREFILL if that is above 0, else DECODE. */
static const struct form {
	const char *begin;
	enum behind behind;
	const char *family;
	enum serving says;
	const char *count; /* "_context_": of the number behind it; NULL: of none ... */
	bool is_before;    /* ... or in front: "1 ctx reqs" */
} forms[] = {
	{ "execute_new_", DIGIT, "execute_", SERVING_BATCH, "execute_new_", false },
	{ "execute_context_", DIGIT, "execute_", SERVING_BATCH, "_context_", false },
	{ "execute_", DIGIT, "execute_", SERVING_BATCH, "_context_", false },
	{ "[Executor] _forward_step", ANY, "[Executor]", SERVING_BATCH, " ctx reqs", true },
	{ "step[DECODE", ANY, "step[", SERVING_DECODE, NULL, false },
	{ "step[EXTEND", ANY, "step[", SERVING_PREFILL, NULL, false },
	{ "step[MIXED", ANY, "step[", SERVING_PREFILL, NULL, false },
	{ "step[SPLIT_PREFILL", ANY, "step[", SERVING_PREFILL, NULL, false },
	{ "step[", ANY, "step[", SERVING_BATCH, NULL, false },
	{ "gpu_model_runner: forward", END, "gpu_model_runner", SERVING_BATCH, NULL, false },
	{ "run_batch", END, "run_batch", SERVING_BATCH, NULL, false },
	{ "execute_model", END, "execute_model", SERVING_BATCH, NULL, false },
	{ "forward_extend", END, "forward_", SERVING_PREFILL, NULL, false },
	{ "forward_decode", END, "forward_", SERVING_DECODE, NULL, false },
	{ "prefill", END, "prefill", SERVING_PREFILL, NULL, false },
	{ "decode", END, "prefill", SERVING_DECODE, NULL, false },
	{ "Prefill", END, "prefill", SERVING_PREFILL, NULL, false },
	{ "Decode", END, "prefill", SERVING_DECODE, NULL, false },
};

static bool fits(const struct form *f, struct span name)
{
	size_t n = strlen(f->begin);

	if (!span_starts(name, f->begin))
		return false;
	return f->behind == ANY || (f->behind == END && name.n == n) ||
		(f->behind == DIGIT && name.n > n && is_digit(name.p[n]));
}

static const struct form *form_of(struct span name)
{
	return FIND(i, forms, COUNT_OF(forms), fits(&forms[i], name));
}

/* Where the text is in the name, or name.n. */
static size_t find(struct span name, const char *text)
{
	size_t n = strlen(text), at = 0;

	while (at + n <= name.n && memcmp(name.p + at, text, n) != 0)
		at++;
	return at + n <= name.n ? at : name.n;
}

/* Whether the number there is above 0; *is_number: there is one. */
static bool is_some(struct span name, const struct form *f, bool *is_number)
{
	size_t at = find(name, f->count), n = 0;
	bool some = false;

	if (at == name.n)
		n = 0;
	else if (!f->is_before)
		at += strlen(f->count);
	else
		while (at > 0 && is_digit(name.p[at - 1]))
			at--;
	for (; at + n < name.n && is_digit(name.p[at + n]); n++)
		some |= name.p[at + n] != '0';
	*is_number = n > 0;
	return some;
}

enum serving serving_of(struct span name)
{
	const struct form *f = form_of(name);
	bool is_number = false;

	if (!f)
		return SERVING_NONE;
	bool some = f->count && is_some(name, f, &is_number);
	return !is_number ? f->says : some ? SERVING_PREFILL : SERVING_DECODE;
}

struct span serving_family(struct span name)
{
	const struct form *f = form_of(name);

	return f ? span_of(f->family) : (struct span){ 0 };
}
