/* Item by item, between commas. */
#include "analyze/input/artifact/logs/log_behind.h"

#include "analyze/input/artifact/logs/log_value.h"

/* What ", 8.08 avg loss" at p is the mean of; empty: of nothing. */
static struct span averaged(const char *p, const char *end)
{
	struct span rest = { p, (size_t)(end - p) };
	struct span item = span_trim(span_before(span_from(rest, 1), ','));
	const char *blank = memchr(item.p, ' ', item.n);
	struct span words = blank ? span_between(blank + 1, item.p + item.n) : SPAN("");

	if (!blank || !log_begins_number(item.p, end) ||
		!(span_starts(words, "avg ") || span_starts(words, "mean ")))
		return SPAN("");
	return span_trim(span_from(words, span_before(words, ' ').n));
}

void log_behind_find(struct log_pairs *to, struct span text)
{
	const char *end = text.p + text.n, *p = log_blanks(text.p, end), *q, *next;
	double step;

	to->n = to->nbare = 0;
	if (p == end || !is_digit(*p) || !(q = log_value_number(p, end, &step)) || end - q < 2 ||
		(*q != ' ' && (*q != ':' || q[1] != ' ')))
		return;
	log_pairs_count(to, SPAN(""), p, step, 0);
	for (p = log_blanks(q + 1, end); p < end; p = next) {
		struct log_pair pair = { .at = p };
		struct log_value v;
		const char *comma = memchr(p, ',', (size_t)(end - p));

		q = log_begins_number(p, end) ? log_value(&v, p, end, SPAN("")) : NULL;
		next = comma ? comma : end;
		if (!q || q > next)
			break;
		if (q == next && v.unit.n == 0) {
			pair.key = averaged(next, end);
			log_pair_fill(&pair, &v, MEASURE_NONE);
			if (pair.key.n)
				log_pairs_add(to, &pair);
			to->nbare += pair.key.n == 0;
			next = log_blanks(next + (next < end), end);
			continue;
		}
		if (v.unit.n == 0) { /* "4.35 s run" */
			struct span word = span_trim((struct span){ q, (size_t)(next - q) });
			const char *blank = memchr(word.p, ' ', word.n);
			struct span unit = { word.p, blank ? (size_t)(blank - word.p) : 0 };

			v.measure = measure_of_unit(unit);
			q = v.measure != MEASURE_NONE ? blank : q;
		}
		pair.key = span_trim((struct span){ q, (size_t)(next - q) });
		pair.key = pair.key.n ? pair.key : v.unit;
		log_pair_fill(&pair, &v, MEASURE_NONE);
		if (pair.key.n == 0 || pair.key.n > LOG_KEY_MAX || !is_letter(pair.key.p[0]))
			break;
		log_pairs_add(to, &pair);
		next = log_blanks(next + (next < end), end);
	}
	to->has_rest = p < end || to->n < 3;
	if (to->has_rest)
		to->n = 0;
}
