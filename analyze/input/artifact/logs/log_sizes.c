/* Sizes with their names behind them. */
#include "analyze/input/artifact/logs/log_sizes.h"

#include "analyze/input/artifact/logs/log_value.h"

enum { SIZES_MAX = 8 };

/* "MA" of "MA 12.5 GB    Max_MA 13.1 GB": a word by itself in front of p; empty: there is none. */
static struct span name_before(const char *begin, const char *p)
{
	const char *to = p, *from;

	to -= to > begin && to[-1] == ' ';
	for (from = to; from > begin && (is_letter(from[-1]) || from[-1] == '_'); from--)
		;
	bool is_apart = from == begin || (from - begin > 1 && from[-1] == ' ' && from[-2] == ' ');
	return is_apart && to < p ? span_between(from, to) : SPAN("");
}

/* A size and what it is of, behind it: "4.60GB reserved", or in front; where it ends, NULL: there
 * is none. */
static const char *take_size(
	const char *begin, const char *p, const char *end, struct log_pair *pair)
{
	struct log_value v;
	const char *q = log_begins_number(p, end) ? log_value(&v, p, end, SPAN("")) : NULL;
	const char *word = q ? log_blanks(q, end) : end;
	size_t n = FIRST(i, (size_t)(end - word), !is_letter(word[i]));

	*pair = (struct log_pair){ .at = p, .key = { word, n } };
	if (!q)
		return NULL;
	if (!span_in(pair->key, "allocated|reserved|cached|active|peak|used|free|total")) {
		pair->key = word > q + 1 || word == end ? name_before(begin, p) : SPAN("");
		if (pair->key.n == 0)
			return NULL;
		word = q;
		n = 0;
	}
	pair->value = v.number;
	pair->scale = v.scale;
	pair->measure = v.measure;
	return measure_infos[v.measure].base == UNIT_BYTES ? word + n : NULL;
}

void log_sizes_find(struct log_pairs *to, struct span text)
{
	const char *end = text.p + text.n, *next;
	struct log_pair size[SIZES_MAX];
	size_t n = 0;

	for (const char *p = text.p; p < end && n < SIZES_MAX; p = next) {
		next = p > text.p && (is_digit(p[-1]) || is_letter(p[-1]) || p[-1] == '.')
			? NULL
			: take_size(text.p, p, end, &size[n]);
		n += next != NULL;
		next = next ? next : p + 1;
	}
	for (size_t i = 0; n > 1 && i < n; i++) {
		size_t k = FIRST(j, to->n, to->v[j].at == size[i].at);

		if (k < to->n && span_in(size[i].key, "used|free|total"))
			continue;
		if (k < to->n) {
			to->v[k].key = size[i].key;
		} else if (to->n < LOG_PAIRS) {
			to->v[to->n++] = size[i];
			to->nbare -= to->nbare > 0;
		}
	}
}
