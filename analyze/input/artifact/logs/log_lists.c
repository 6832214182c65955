/* Lists in brackets and by slashes, and remarks. */
#include "analyze/input/artifact/logs/log_lists.h"

#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/trace/figure.h"

void log_scan_add(struct log_scan *s, const struct log_pair *pair)
{
	struct log_pair with = *pair;

	if (pair->of.n == 0 && !log_pair_is_place(pair) && !span_eq(s->of, pair->key))
		with.of = s->of;
	with.below = s->heading;
	log_pairs_add(s->to, &with);
}

void log_scan_fill(struct log_scan *s, struct log_pair *pair, const struct log_value *v)
{
	log_pair_fill(pair, v, s->measure);
}

const char *log_list_take(struct log_scan *s, const char *p, const struct log_pair *of)
{
	size_t from = s->to->n, depth = 0;
	struct log_value v;

	while (p && p < s->end) {
		struct log_pair pair = *of;

		if (strchr("[](), \t", *p)) {
			depth += *p == '[' || *p == '(';
			depth -= *p == ']' || *p == ')';
			p++;
			if (depth == 0)
				break;
			continue;
		}
		pair.at = p;
		if (!log_begins_number(p, s->end) || !(p = log_value(&v, p, s->end, of->key)))
			break;
		log_scan_fill(s, &pair, &v);
		pair.nth = (int)(s->to->n - from) + 1;
		log_scan_add(s, &pair);
	}
	if (s->to->n == from + 1)
		s->to->v[from].nth = 0;
	return p && s->to->n > from && (depth == 0 || p >= s->end) ? p : NULL;
}

unsigned log_remark_take(struct log_scan *s, const struct log_value *of, struct span key)
{
	struct span rest = of->remark, part;
	unsigned n = 0;

	while (rest.n) {
		struct log_pair pair = { .of = key };
		struct log_value per = { .scale = 1 };

		part = span_before(rest, ',');
		rest = span_from(rest, part.n + 1);
		part = span_trim(part);
		const char *end = part.p + part.n, *q = part.n ? part.p : NULL;
		q = q && log_begins_number(q, s->end) ? log_value_number(q, end, &pair.value)
						      : NULL;
		pair.at = part.p;
		/* "z": how many standard deviations it is off */
		if (q && q < end &&
			(log_value_per(&per, q, end) == end ||
				span_in((struct span){ q, (size_t)(end - q) }, "z|sigma"))) {
			pair.key = per.per > 0 ? per.unit : (struct span){ q, (size_t)(end - q) };
			pair.scale = per.per > 0 ? per.scale : 1;
			pair.measure = per.measure;
			pair.total = per.per;
			log_scan_add(s, &pair);
			n++;
			continue;
		}
		pair.key = q ? span_trim((struct span){ q, (size_t)(end - q) }) : SPAN("");
		pair.measure = measure_of_key(pair.key);
		if (log_word_is_step(key) &&
			measure_infos[measure_of_unit(pair.key)].base == UNIT_NS) {
			pair.measure = measure_of_unit(pair.key); /* "step = 100 (12.3 sec)" */
			pair.of = SPAN("");
			pair.key = key;
			log_scan_add(s, &pair);
			n++;
			continue;
		}
		if (pair.key.n < 3 || !is_letter(pair.key.p[0]) ||
			!(span_has(pair.key, " per ") || memchr(pair.key.p, '/', pair.key.n)) ||
			ANY(i, pair.key.n, is_digit(pair.key.p[i])))
			continue;
		log_scan_add(s, &pair);
		n++;
	}
	return MIN(n, of->nremarks);
}

const char *log_slashed_take(struct log_scan *s, const char *p, const struct log_pair *of)
{
	enum { MOST = 8, LIST = 3 };
	const char *at[MOST], *q = p;
	double number[MOST];
	struct log_value v;
	size_t n = 0;

	do {
		at[n] = q;
		q = log_value_number(q, s->end, &number[n++]);
	} while (q && n < MOST && s->end - q > 1 && *q == '/' && is_digit(*++q));
	if (n < 2 || !(q = log_value(&v, at[n - 1], s->end, of->key)) || !log_is_over(q, s->end))
		return NULL;
	bool is_rate = memchr(v.unit.p, '/', v.unit.n) || v.measure == MEASURE_PER_S ||
		(v.unit.n && measure_infos[v.measure].base == UNIT_NS);
	bool is_list = is_rate || (of->key.n && n >= LIST);
	if (v.is_clock || (!is_list && (v.unit.n == 0 || of->key.n == 0)) ||
		span_in_nocase(of->key, "date|version"))
		return NULL;
	for (size_t i = 0; i < (is_list ? n : 1); i++) {
		struct log_pair pair = *of;

		pair.at = at[i];
		pair.key = pair.key.n ? pair.key : v.unit;
		pair.nth = is_list ? (int)i + 1 : 0;
		pair.total = is_list ? 0 : number[1];
		log_scan_fill(s, &pair, &v);
		pair.value = number[i];
		pair.mark = MARK_NONE;
		log_scan_add(s, &pair);
	}
	return q;
}
