/* Makers: their signs and words. */
#include "analyze/trace/makers.h"

#include "analyze/trace/run.h"

static const struct {
	const char *names, *own;
} makers[MAKER_COUNT] = {
#define X(id, names, own) [MAKER_##id] = { names, own },
	MAKERS(X)
#undef X
};

enum maker maker_named(struct span device, struct span producer)
{
	return (enum maker)FIRST(i, MAKER_COUNT,
		span_has_in(device, makers[i].names) || span_has_in(producer, makers[i].names));
}

enum maker maker_of(const struct run *r)
{
	enum maker maker = MAKER_COUNT;

	for (size_t i = 0; i < r->meta.ngpu && maker == MAKER_COUNT; i++)
		maker = maker_named(strings_get(&r->strings, r->meta.gpu[i].name), SPAN(""));
	if (maker == MAKER_COUNT)
		maker = maker_named(SPAN(""), strings_get(&r->strings, r->meta.producer));
	for (sym i = 0; i < r->strings.n && maker == MAKER_COUNT; i++)
		maker = (enum maker)FIRST(
			k, MAKER_COUNT, span_in(strings_get(&r->strings, i), makers[k].own));
	return maker;
}

const char *maker_words(enum maker maker, struct arena *mem, const char *text)
{
	static const char *const words[][MAKER_META + 1] = {
#define X(nvidia, ...) { nvidia, __VA_ARGS__ },
		MAKER_WORDS(X)
#undef X
	};
	SCOPED_STR b = { 0 };
	struct span rest = span_of(text);

	if (maker == MAKER_NVIDIA || maker == MAKER_COUNT)
		return text;
	while (rest.n) {
		size_t i = FIRST(k, COUNT_OF(words), span_starts(rest, words[k][MAKER_NVIDIA]));

		if (i < COUNT_OF(words))
			str_adds(&b, words[i][maker]);
		else
			str_addc(&b, *rest.p);
		rest = span_from(rest, i < COUNT_OF(words) ? strlen(words[i][MAKER_NVIDIA]) : 1);
	}
	return arena_copy(mem, b.n ? b.s : "", b.n);
}
