/* Figures of work, known and not. */
#include "analyze/costmodel/op_work.h"

const char *const roof_reason_words[ROOF_WHY_COUNT] = {
#define X(name, word) [ROOF_WHY_##name] = word,
	ROOF_REASONS(X)
#undef X
};

struct roof_work roof_unknown(enum roof_reason why)
{
	return (struct roof_work){ .flop = -1, .bytes = -1, .why = why, .dtype = ROOF_DTYPE_COUNT };
}

void roof_set_flop(struct roof_work *w, int64_t flop)
{
	w->flop = w->done = flop < 0 || flop == ROOF_MANY ? -1 : flop;
	if (w->flop < 0 && w->why == ROOF_WHY_KNOWN)
		w->why = ROOF_WHY_MISFIT;
}

void roof_set_bytes(struct roof_work *w, int64_t bytes)
{
	w->bytes = bytes < 0 || bytes == ROOF_MANY ? -1 : bytes;
	if (w->bytes < 0 && w->why == ROOF_WHY_KNOWN)
		w->why = bytes == ROOF_MANY ? ROOF_WHY_MISFIT : ROOF_WHY_NO_TYPE;
}

struct roof_work roof_work_as(const struct roof_element *e, int64_t flop, int64_t bytes)
{
	struct roof_work w = { .dtype = e ? e->dtype : ROOF_DTYPE_COUNT };

	roof_set_flop(&w, flop);
	roof_set_bytes(&w, bytes);
	return w;
}

struct roof_work roof_work_of(const struct roof_call *c, int arg, int64_t flop, int64_t bytes)
{
	bool is_there = arg >= 0 && (size_t)arg < c->n;

	return roof_work_as(is_there ? c->arg[arg].element : NULL, flop, bytes);
}

int64_t roof_product(int64_t a, int64_t b, int64_t c, int64_t d)
{
	return saturate_times(saturate_times(a, b), saturate_times(c, d));
}

int64_t roof_plus(const int64_t *bytes, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n && sum >= 0; i++)
		sum = bytes[i] < 0 ? -1 : saturate_add(sum, bytes[i]);
	return sum;
}

int64_t roof_bytes_of(const struct roof_call *c, int arg)
{
	const struct roof_arg *a = arg >= 0 && (size_t)arg < c->n ? &c->arg[arg] : NULL;

	if (!a || a->kind == ROOF_ARG_NONE || a->kind == ROOF_ARG_SCALAR)
		return 0;
	if (a->kind == ROOF_ARG_LIST && !a->element)
		return roof_bytes_as(roof_arg_elements(a), c->hint);
	return roof_arg_bytes(a);
}

int64_t roof_bytes_as(int64_t n, const struct roof_element *e)
{
	return e ? saturate_times(n, e->bytes) : -1;
}
