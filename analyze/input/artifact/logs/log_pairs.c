/* One pass over the text, item by item. */
#include "analyze/input/artifact/logs/log_pairs.h"

#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/text/num.h"
#include "base/ascii.h"

enum { KEY_MAX = 64, UNIT_MAX = 24 };

struct scan {
	const char *p, *end;
	const struct log_form *form;
	struct log_pairs *to;
};

static bool is_key(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || c == '/' || c == '.' || c == '-' ||
		c == '#' || c == '@' || c == '%';
}

static bool is_end(const struct scan *s, const char *p)
{
	return p >= s->end;
}

static const char *blanks(const struct scan *s, const char *p)
{
	while (!is_end(s, p) && is_space_or_tab(*p))
		p++;
	return p;
}

/* A number may begin at p. */
static bool begins_number(const struct scan *s, const char *p)
{
	if (is_end(s, p))
		return false;
	if (is_digit(*p))
		return true;
	if ((*p == '-' || *p == '+' || *p == '.') && p + 1 < s->end &&
		(is_digit(p[1]) || p[1] == '.'))
		return true;
	p += *p == '-';
	return (*p == 'n' || *p == 'N' || *p == 'i' || *p == 'I') && s->end - p >= 3 &&
		(span_is_nocase((struct span){ p, 3 }, "nan") ||
			span_is_nocase((struct span){ p, 3 }, "inf"));
}

const char *log_pairs_number(const char *p, const char *end, double *v)
{
	bool missing;

	if (p + 1 < end && *p == '+')
		p++;
	if (is_letter(*p) || (*p == '-' && is_letter(p[1]))) {
		size_t n = *p == '-' ? 4 : 3;

		return p + n <= end && real_of((struct span){ p, n }, v) ? p + n : NULL;
	}
	const char *q = real_parse(p, end, v, &missing);
	if (!q || missing)
		return NULL;
	if (q + 3 < end && *q == ',' && is_digit(q[1]))
		q = p + label_number((struct span){ p, (size_t)(end - p) }, v);
	return q;
}

static const char *take_number(const struct scan *s, const char *p, double *v)
{
	return log_pairs_number(p, s->end, v);
}

/* The word of a unit at p: letters, signs of rates and per cent. */
static struct span unit_word(const struct scan *s, const char *p)
{
	const char *q = p;

	while (!is_end(s, q) && q - p < UNIT_MAX &&
		(is_letter(*q) || *q == '%' || *q == '/' || *q == '\xc2' || *q == '\xb5' ||
			*q == '\xce' || *q == '\xbc'))
		q++;
	return (struct span){ p, (size_t)(q - p) };
}

/* A unit at p, tight behind the number or a blank away; false: the number is no figure. */
static bool take_unit(const struct scan *s, const char **p, struct log_pair *pair)
{
	struct span unit = unit_word(s, *p);

	if (unit.n) {
		pair->measure = measure_of_unit(unit);
		*p = unit.p + unit.n;
		return pair->measure != MEASURE_NONE || s->form;
	}
	const char *q = blanks(s, *p);
	unit = unit_word(s, q);
	const char *next = blanks(s, unit.p + unit.n);
	if (q == *p || unit.n == 0 || (!is_end(s, next) && (*next == ':' || *next == '=')))
		return true;
	if (measure_of_unit(unit) != MEASURE_NONE && (unit.n > 1 || unit.p[0] == '%')) {
		pair->measure = measure_of_unit(unit);
		*p = unit.p + unit.n;
	} else if (s->form && (is_end(s, next) || *next == ',' || *next == '|')) {
		*p = unit.p + unit.n; /* "3 reqs" */
	}
	return true;
}

/* "(66.1%)", "( 0.130)", "(1%)": passed over; its percentage goes to *share. */
static const char *take_remark(
	const struct scan *s, const char *p, struct log_pair *share, bool *has_share)
{
	const char *q = blanks(s, p);

	*has_share = false;
	if (is_end(s, q) || *q != '(')
		return p;
	const char *close = memchr(q, ')', (size_t)(s->end - q));
	const char *in = blanks(s, q + 1);
	if (!close || !begins_number(s, in))
		return p;
	share->at = in;
	in = take_number(s, in, &share->value);
	*has_share = in && *in == '%' && in + 1 == close;
	return close + 1;
}

/* "/  500000" and " of 500" behind a step's number. */
static const char *take_total(const struct scan *s, const char *p, double *total)
{
	const char *q = blanks(s, p);

	if (!is_end(s, q) && *q == '/')
		q = blanks(s, q + 1);
	else if (s->end - q > 3 && memcmp(q, "of ", 3) == 0)
		q = blanks(s, q + 3);
	else
		return p;
	if (is_end(s, q) || !is_digit(*q))
		return p;
	q = take_number(s, q, total);
	return q ? q : p;
}

/* Nothing that makes the number something else, as in "1.2.3", "12:30" and "2025-11-30". */
static bool is_over(const struct scan *s, const char *p, bool is_count)
{
	if (is_end(s, p) || is_space_or_tab(*p) || *p == ',' || *p == ';' || *p == '|' ||
		*p == ')' || *p == ']' || *p == '}' || *p == '(' || *p == '[' || *p == '!')
		return true;
	if (*p == '.' || *p == '\'' || *p == '"')
		return p + 1 == s->end || is_space_or_tab(p[1]) || p[1] == ',';
	return is_count && (*p == ':' || *p == '/' || *p == '-');
}

static void add(struct scan *s, const struct log_pair *pair)
{
	if (s->to->n < LOG_PAIRS) {
		s->to->v[s->to->n++] = *pair;
		s->to->nsigned += pair->is_signed;
	}
}

/* The key's unit in parentheses, "elapsed time (ms)", is taken off it. */
static void key_unit(struct log_pair *pair)
{
	struct span k = pair->key;
	const char *open = k.n && k.p[k.n - 1] == ')' ? memchr(k.p, '(', k.n) : NULL;

	if (!open)
		return;
	struct span unit = (struct span){ open + 1, k.n - (size_t)(open - k.p) - 2 };
	pair->measure = measure_of_unit(unit);
	if (pair->measure == MEASURE_NONE)
		return;
	for (k.n = (size_t)(open - k.p); k.n && is_space_or_tab(k.p[k.n - 1]); k.n--)
		;
	pair->key = k;
}

/* The value at p of the key: true, and s->p behind it, when it is a figure. */
static bool take_value(struct scan *s, const char *p, struct log_pair *pair)
{
	bool is_count = log_word_is_count(pair->key), has_share = false;
	bool is_list = !is_end(s, p) && *p == '[';

	p += is_list;
	if (pair->key.n == 0 || pair->key.n > KEY_MAX || !begins_number(s, p))
		return false;
	pair->at = p;
	const char *q = take_number(s, p, &pair->value);
	if (!q || (is_list && *q != ']'))
		return false;
	key_unit(pair);
	enum measure by_key = pair->measure;
	pair->measure = MEASURE_NONE;
	if (is_count)
		q = take_total(s, q, &pair->total);
	else if (!take_unit(s, &q, pair))
		return false;
	if (pair->measure == MEASURE_NONE)
		pair->measure = by_key;
	struct log_pair share = *pair;
	q = take_remark(s, q, &share, &has_share);
	if (!is_over(s, q, is_count))
		return false;
	s->p = q + (!is_end(s, q) && *q == ':');
	add(s, pair);
	share.is_share = true;
	share.measure = MEASURE_PERCENT;
	if (has_share && !is_count)
		add(s, &share);
	return true;
}

/* A blank may bind what is there to the number behind it: what counts, and, where the line has said
 * what it is about, a quantity. */
static bool binds(const struct scan *s, const char *from, const char *word, const char *to)
{
	struct span last = { word, (size_t)(to - word) }, key = { from, (size_t)(to - from) };

	if (log_word_is_count(last))
		return true;
	if (s->form)
		return s->form->is_bare && is_letter(*from);
	return s->to->n && log_word_is_count(s->to->v[0].key) && log_word_is_quantity(key);
}

/* "(ms)" in a key, in front of a colon: what is behind it; p when it is none. */
static const char *unit_in_key(const struct scan *s, const char *p)
{
	if (*p != '(')
		return p;
	const char *close = memchr(p, ')', (size_t)(s->end - p));
	return close && close + 1 < s->end && close[1] == ':' ? close + 1 : p;
}

/* Where a key may begin; everything else in front of it is passed over. */
static void skip(struct scan *s)
{
	while (!is_end(s, s->p)) {
		char c = *s->p;

		if (is_letter(c) || c == '_' || (c == '#' && s->form))
			return;
		if (is_digit(c)) { /* a number without a name */
			s->to->has_rest = true;
			while (!is_end(s, s->p) && is_key(*s->p))
				s->p++;
			continue;
		}
		s->to->has_rest |= c == '$' || c == '<' || c == '>' || c == '\'' || c == '"';
		s->p++;
	}
}

/* A value behind ':' or '=' at p; the key began at `from`, its last word at `word`. */
static bool take_bound(struct scan *s, const char *from, const char *word, const char *p)
{
	struct log_pair pair = { .is_signed = *p == '=' };
	const char *to = p;

	while (to > from && is_space_or_tab(to[-1]))
		to--;
	from = pair.is_signed && to == p ? word : from;
	pair.key = (struct span){ from, (size_t)(to - from) };
	s->p = p + 1;
	return take_value(s, blanks(s, p + 1), &pair);
}

/* A number at `next` behind the blank at p. */
static bool take_bare(
	struct scan *s, const char *from, const char *word, const char *p, const char *next)
{
	struct log_pair pair = { .is_signed = false };

	if (log_word_is_count((struct span){ word, (size_t)(p - word) }))
		from = word;
	pair.key = (struct span){ from, (size_t)(p - from) };
	s->p = next;
	return take_value(s, next, &pair);
}

/* The blank at p, with `next` behind it, ends the item. */
static bool is_break(const struct scan *s, const char *p, const char *next)
{
	if (*p == '\t' || next > p + 1 || is_end(s, next) || (s->form && p[-1] == '.'))
		return true;
	return !is_key(*next) || (*next == '-' && next + 1 < s->end && is_space_or_tab(next[1]));
}

/* One item: true when it is a pair.  s->p is behind it. */
static bool take_item(struct scan *s)
{
	const char *from = s->p, *word = from, *p = from, *next;

	while (!is_end(s, p)) {
		if (is_key(*p)) {
			p++;
			continue;
		}
		next = blanks(s, p);
		if (!is_end(s, next) && (*next == ':' || *next == '='))
			return take_bound(s, from, word, next);
		if (*next == '(' && next < s->end && unit_in_key(s, next) != next) {
			p = unit_in_key(s, next);
			continue;
		}
		if (next > p && begins_number(s, next) && binds(s, from, word, p))
			return take_bare(s, from, word, p, next);
		if (next == p || is_break(s, p, next)) {
			s->p = next == p ? p + 1 : next;
			return false;
		}
		word = p = next;
	}
	s->p = p;
	return false;
}

void log_pairs_find(struct log_pairs *to, struct span text, const struct log_form *form)
{
	struct scan s = { text.p, text.p + text.n, form, to };

	to->n = to->nsigned = 0;
	to->has_rest = false;
	for (skip(&s); !is_end(&s, s.p) && to->n < LOG_PAIRS; skip(&s))
		if (!take_item(&s))
			to->has_rest = true;
}

bool log_pairs_have_count(const struct log_pairs *p)
{
	return ANY(i, p->n, log_word_is_count(p->v[i].key));
}

bool log_pairs_are_figures(const struct log_pairs *p)
{
	return p->nsigned || (p->n && !p->has_rest) || (p->n > 1 && log_pairs_have_count(p));
}
