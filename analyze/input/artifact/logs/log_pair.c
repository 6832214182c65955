/* Pairs, one by one. */
#include "analyze/input/artifact/logs/log_pair.h"

#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/trace/figure.h"

const struct span log_step_name = { "step", 4 };

void log_pairs_add(struct log_pairs *to, const struct log_pair *pair)
{
	if (to->n == LOG_PAIRS) {
		to->nbare++;
		return;
	}
	to->v[to->n++] = *pair;
	to->nsigned += pair->is_signed;
}

void log_pair_fill(struct log_pair *pair, const struct log_value *v, enum measure usual)
{
	struct span key, unit;

	pair->value = v->number;
	pair->scale = v->scale;
	pair->mark = v->mark;
	pair->is_fixed = v->is_clock || v->is_decimal;
	pair->total = v->per > 0 ? v->per : pair->total;
	pair->measure = v->measure != MEASURE_NONE ? v->measure : usual;
	if (pair->key.n && (span_ends(v->unit, "/s") || span_ends(v->unit, "/sec")) &&
		strcmp(figure_kind(pair->key, UNIT_NONE)->word, "unknown") == 0)
		pair->rate = v->unit;
	if (!span_bracketed(pair->key, '(', &key, &unit))
		return;
	enum measure in_key = measure_of_unit(unit); /* "elapsed time (ms)" */
	if (pair->measure == MEASURE_NONE)
		pair->measure = in_key;
	if (in_key != MEASURE_NONE)
		pair->key = key;
}

void log_pairs_count(struct log_pairs *to, struct span key, const char *at, double n, double total)
{
	struct log_pair pair = { .key = key, .at = at, .value = n, .total = total };

	pair.is_unnamed = key.n == 0;
	if (pair.is_unnamed)
		pair.key = log_step_name;
	log_pairs_add(to, &pair);
}

bool log_pair_is_place(const struct log_pair *p)
{
	return p->is_unnamed || p->is_epoch || log_word_is_count(p->key);
}

bool log_pairs_have_count(const struct log_pairs *p)
{
	return ANY(i, p->n, log_pair_is_place(&p->v[i]));
}

bool log_pairs_are_figures(const struct log_pairs *p)
{
	return p->nsigned || (p->n && !p->has_rest) ||
		ANY(i, p->n,
			p->v[i].measure == MEASURE_PER_S &&
				memchr(p->v[i].key.p, '/', p->v[i].key.n)) ||
		(p->n > 1 &&
			(log_pairs_have_count(p) ||
				(p->nbare == 0 &&
					ANY(i, p->n, log_word_is_quantity(p->v[i].key)))));
}

bool log_pairs_are_rates(const struct log_pairs *p)
{
	return p->n > 1 && !p->has_rest &&
		ALL(i, p->n,
			p->v[i].measure == MEASURE_PER_S || span_ends(p->v[i].key, "tokens/s"));
}
