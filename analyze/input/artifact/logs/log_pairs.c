/* One pass over the text, item by item. */
#include "analyze/input/artifact/logs/log_pairs.h"

#include "analyze/input/artifact/logs/log_behind.h"
#include "analyze/input/artifact/logs/log_lists.h"
#include "analyze/input/artifact/logs/log_sizes.h"
#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/trace/figure.h"

enum { BARE_WORDS = 3 };

/* Bytes of keys: letters, digits and some signs, a bit each of 64. */
static bool is_key(char c)
{
	static const uint64_t keys[] = { UINT64_C(0x03ffe02800000000), UINT64_C(0x07fffffe87ffffff),
		0, 0 };

	return keys[(unsigned char)c >> 6] >> (c & 63) & 1;
}

static bool is_end(const struct log_scan *s, const char *p)
{
	return p >= s->end;
}

static const char *blanks(const struct log_scan *s, const char *p)
{
	return log_blanks(p, s->end);
}

static bool begins_number(const struct log_scan *s, const char *p)
{
	return log_begins_number(p, s->end);
}

static struct log_pair *newest(const struct log_scan *s)
{
	return s->to->n ? &s->to->v[s->to->n - 1] : NULL;
}

/* ---- counters, which may stand in brackets ---- */

/* "[10/100]", "[ 10/100 ( 10%)]", "[3]" of a key that counts, "[1, 2000]" of none: true, and s->p
 * behind it.  `key` is empty where there is none. */
static bool take_bracket(struct log_scan *s, struct span key)
{
	const char *at = blanks(s, s->p + 1), *second = NULL, *q;
	double n, total = 0, step = 0;

	if (is_end(s, at) || !is_digit(*at) || !(q = log_value_number(at, s->end, &n)))
		return false;
	const char *behind = log_value_total(q, s->end, &total);
	bool has_total = behind > q;
	q = blanks(s, behind);
	if (!has_total && key.n == 0 && !is_end(s, q) && *q == ',' && s->to->n == 0) {
		second = blanks(s, q + 1);
		if (is_end(s, second) || !is_digit(*second) ||
			!(q = log_value_number(second, s->end, &step)))
			return false;
	}
	q = blanks(s, q);
	if (!is_end(s, q) && *q == '(') {
		if (!(q = memchr(q, ')', (size_t)(s->end - q))))
			return false;
		q = blanks(s, q + 1);
	}
	bool is_first = s->p == s->begin && !is_end(s, q + 1) && strchr(" \t[", q[1]);
	if (is_end(s, q) || *q != ']' || !(key.n || has_total || second || is_first))
		return false;
	struct log_pair *before = newest(s);
	if (key.n == 0 && before && !before->is_signed && before->value == floor(before->value))
		before->is_epoch = before->is_epoch || !log_word_is_step(before->key);
	log_pairs_count(s->to, key, at, n, total);
	if (second) {
		newest(s)->is_epoch = true;
		log_pairs_count(s->to, key, second, step, 0);
	}
	s->p = q + 1 + (q + 1 < s->end && q[1] == ':');
	return true;
}

/* ---- values ---- */

static bool is_date(const struct log_scan *s, const char *p)
{
	static const char form[] = "0000-00-00";

	return s->end - p >= (ptrdiff_t)sizeof(form) - 1 &&
		ALL(i, sizeof(form) - 1, form[i] == '0' ? is_digit(p[i]) : p[i] == form[i]);
}

/* "worker=12e8": digits of a hash that look like a power, which nobody writes so. */
static bool is_hash(const struct log_scan *s, const char *p, struct span key)
{
	const char *q = p;

	while (!is_end(s, q) && is_digit(*q))
		q++;
	return q > p + 1 && s->end - q > 1 && (*q | 0x20) == 'e' && is_digit(q[1]) &&
		!log_word_is_quantity(key);
}

/* The value at p of the key: true, and s->p behind it, when it is a figure. */
static bool take_value(struct log_scan *s, const char *p, struct log_pair *pair)
{
	bool is_count = log_word_is_count(pair->key);
	struct log_value v;
	const char *q;

	if (pair->key.n == 0 || pair->key.n > LOG_KEY_MAX || is_end(s, p) ||
		log_word_is_source(pair->key))
		return false;
	const char *in = *p == 'n' || *p == 't' ? log_value_inside(p, s->end) : p;
	bool is_inside = in > p;
	p = in;
	p += *p == '"' && pair->is_signed && begins_number(s, p + 1); /* total_time="1.2s" */
	if (*p == '[' && is_count) {
		s->p = p;
		return take_bracket(s, pair->key);
	}
	if (*p == '[' && span_ends(pair->key, "_ids")) {
		const char *close = memchr(p, ']', (size_t)(s->end - p));

		s->p = close ? close : s->end;
		return false;
	}
	if (*p == '[' ||
		(*p == '(' && begins_number(s, p + 1) && memchr(p, ',', (size_t)(s->end - p)))) {
		size_t n = s->to->n;

		while (pair->key.n && strchr(". ", pair->key.p[pair->key.n - 1])) /* "forward ....:
		                                                                     (1, 2)" */
			pair->key.n--;

		q = log_list_take(s, p, pair);
		s->to->n = q ? s->to->n : n;
		s->p = q ? q : s->p;
		return q != NULL;
	}
	if (is_date(s, p)) { /* "ts=2025-11-28T12:00:00Z" */
		s->p = p;
		while (!is_end(s, s->p) && !is_space_or_tab(*s->p))
			s->p++;
		return true;
	}
	if (!begins_number(s, p) || is_hash(s, p, pair->key))
		return false;
	q = is_count ? NULL : log_slashed_take(s, p, pair);
	if (q) {
		s->p = q;
		return true;
	}
	if (!(q = log_value(&v, p, s->end, pair->key)))
		return false;
	if (is_count && v.remark.n && memchr(v.remark.p, '/', v.remark.n) &&
		ALL(i, v.remark.n, is_digit(v.remark.p[i]) || strchr("/ ", v.remark.p[i]))) {
		/* "Epoch: 0 (70/100)" */
		q = v.remark.p - 1;
		v.nremarks = 0;
		v.remark.n = 0;
	}
	pair->at = p;
	log_scan_fill(s, pair, &v);
	const char *total = q;
	if (is_count || (!v.is_clock && *q == '/'))
		q = log_value_total(q, s->end, &pair->total);
	if (q > total && !is_count) /* "Accuracy: 9810/10000 (98%)" */
		q = log_value_remark(&v, q, s->end);
	if (!log_is_over(q, s->end) && !(is_count && (*q == ':' || *q == '/' || *q == '-')) &&
		!(*q == ':' && q + 1 == s->end))
		return false;
	if (v.is_clock && v.unit.n == 0 &&
		span_in_nocase(pair->key, "time|timestamp|date|at|on|clock"))
		return false;
	s->p = q + (!is_end(s, q) && *q == ':');
	s->p = is_inside ? log_value_outside(s->p, s->end) : s->p;
	/* No figure of what was. */
	if (span_in_nocase(pair->key,
		    "eta|remaining|remaining_time|remaining time|time left|time remaining"))
		return true;
	struct log_pair share = *pair;
	log_scan_add(s, pair);
	s->to->nremarks += v.nremarks - log_remark_take(s, &v, pair->key);
	share.at = v.share;
	share.value = v.share_number;
	share.scale = 1;
	share.is_share = true;
	share.measure = MEASURE_PERCENT;
	if (v.share && !is_count)
		log_scan_add(s, &share);
	return true;
}

/* The word in front of `word`, not before `from`; empty: there is none. */
static struct span word_before(const char *from, const char *word)
{
	const char *to = word, *before;

	while (to > from && is_space_or_tab(to[-1]))
		to--;
	for (before = to; before > from && is_letter(before[-1]);)
		before--;
	return span_between(before, to);
}

/* A value behind ':' or '=' at p; the key began at `from`, its last word at `word`. */
static bool take_bound(struct log_scan *s, const char *from, const char *word, const char *p)
{
	struct log_pair pair = { .is_signed = *p == '=' };
	const char *to = p;

	if (is_digit(p[-1]) && p + 1 < s->end && is_digit(p[1]) && *word <= '9') {
		s->p = p + 1; /* "at 12:30" */
		return false;
	}

	while (to > from && is_space_or_tab(to[-1]))
		to--;
	bool is_unit = span_in((struct span){ word, (size_t)(to - word) }, "s|ms|us|min") &&
		word - from > 4 && memcmp(word - 4, " in ", 4) == 0; /* "timing in s" */
	struct span before = word_before(from, word);
	const char *slash = memchr(from, '/', (size_t)(to - from));
	bool is_path = from == blanks(s, s->begin) && slash && slash < word && /* "optim/total
	                                                                          norm=1" */
		!memchr(p, ' ', (size_t)(s->end - p));
	if (pair.is_signed && to == p && to[-1] != ')' && !is_unit && !is_path) /* "Peak Memory
	                                                               (MB)=1" is one name */
		from = log_word_qualifies(before) && !log_word_is_count(span_between(word, to))
			? before.p
			: word;
	else if (span_in_nocase(before, "after|at") && log_word_is_step(span_between(word, to)))
		from = word; /* "eval metrics after step: 20" */
	pair.key = (struct span){ from, (size_t)(to - from) };
	s->p = p + 1;
	if (pair.is_signed && p + 1 < s->end && p[1] == '>') { /* "Training => latency: 1 s" */
		const char *next = blanks(s, p + 2);

		s->p = p + 2;
		if (begins_number(s, next))
			return take_value(s, next, &pair);
		s->of = pair.key.n <= LOG_KEY_MAX ? pair.key : s->of;
		return true;
	}
	return take_value(s, blanks(s, p + 1), &pair);
}

/* A blank may bind what is there to the number behind it: what counts, and, where the line has said
 * what it is about, a quantity or a few words. */
static bool binds(const struct log_scan *s, const char *from, const char *word, const char *to,
	const char *next)
{
	struct span key = { from, (size_t)(to - from) };
	size_t words = 1 + SUM(size_t, i, key.n, is_space_or_tab(key.p[i]));

	if (log_word_is_count((struct span){ word, (size_t)(to - word) }))
		return true;
	if ((measure_of_unit(key) != MEASURE_NONE && !memchr(key.p, '/', key.n)) ||
		span_in_nocase(key, "kbytes|mbytes|gbytes"))
		return false; /* of the number before */
	while (from > s->begin && is_space_or_tab(from[-1]))
		from--;
	bool is_item = from > s->begin && words <= BARE_WORDS && !is_letter(*next);
	if (is_item &&
		(s->to->n ? strchr(",;|", from[-1]) != NULL
			  : from[-1] == ':' && log_word_is_quantity(key)))
		return true; /* "a: 1, time/seq 0.20s, b: 2" */
	bool is_line = from == s->begin && words <= BARE_WORDS && s->to->n == 0;
	if (is_line && !memchr(next, ' ', (size_t)(s->end - next))) {
		enum metric_role role = metric_role(key); /* "val loss 10.5" and no more */

		return role == ROLE_LOSS || role == ROLE_ACCURACY || role == ROLE_REWARD;
	}
	const char *mark = blanks(s, s->begin); /* " * Acc@1 50.5 Acc@5 75.2" */
	bool is_placed = s->to->n &&
		(s->to->nsigned ? log_pairs_have_count(s->to) : log_pair_is_place(&s->to->v[0]));
	return (is_placed || (!is_end(s, mark) && *mark == '*')) &&
		(log_word_is_quantity(key) || (words <= BARE_WORDS && !is_letter(*next)));
}

/* "data_time_ms", "tok/s": a name that programs write, and no word of a sentence. */
static bool is_identifier(struct span key)
{
	return is_letter(key.p[0]) && ALL(i, key.n, is_key(key.p[i])) &&
		(memchr(key.p, '_', key.n) || memchr(key.p, '/', key.n));
}

/* A number at `next` behind the blank at p. */
static bool take_bare(
	struct log_scan *s, const char *from, const char *word, const char *p, const char *next)
{
	struct log_pair pair = { .is_signed = false };
	size_t n = s->to->n;

	if (log_word_is_count((struct span){ word, (size_t)(p - word) }))
		from = word;
	pair.key = (struct span){ from, (size_t)(p - from) };
	s->p = next;
	if (!take_value(s, next, &pair))
		return false;
	/* "[ t 1/2, p 1/2 ]": which of how many ranks */
	if (pair.total > 0 && !log_pair_is_place(&pair) && !log_word_is_quantity(pair.key)) {
		s->to->n = n;
		return true;
	}
	/* Of other words only where nothing follows: "12 files were read" is a sentence; but what a
	 * step took is its time. */
	bool is_took = span_in_nocase(pair.key, "took|time") &&
		measure_infos[pair.measure].base == UNIT_NS;
	next = blanks(s, s->p);
	if (log_pair_is_place(&pair) || is_took || log_word_is_quantity(pair.key) ||
		is_identifier(pair.key) || is_end(s, next) || next > s->p + 1 || *s->p == '\t' ||
		strchr(",|;)", *next))
		return true;
	s->to->n = n;
	s->to->has_rest = true;
	return false;
}

/* "| 45.6% bf16 MFU |", "; 12.5 ms;", ", 3200.1 total tokens/s": the name of a number at `at`, with
 * q behind it; empty: there is none. */
static struct span name_behind(
	const struct log_scan *s, const char *at, const char *q, const struct log_value *v)
{
	while (at > s->begin && (is_space_or_tab(at[-1]) || at[-1] == '('))
		at--;
	if (at == s->begin || !strchr("|;,", at[-1]) || !s->to->n)
		return SPAN("");
	const char *bar = memchr(q, at[-1], (size_t)(s->end - q));
	struct span words = span_trim((struct span){ q, (size_t)((bar ? bar : s->end) - q) });

	if (!log_pair_is_place(&s->to->v[0]) && !span_ends(words, "/s") &&
		!span_ends(words, "/sec"))
		return SPAN("");

	if (words.n == 0)
		return v->unit;
	return words.n <= LOG_KEY_MAX && is_letter(words.p[0]) &&
			ALL(i, words.n, is_key(words.p[i]) || words.p[i] == ' ') &&
			!ANY(i, words.n - 1, words.p[i] == ' ' && is_digit(words.p[i + 1]))
		? words
		: SPAN("");
}

/* A number without a name at s->p. */
static bool take_number(struct log_scan *s)
{
	const char *at = s->p, *q;
	struct log_pair *before = newest(s), pair = { .at = at };
	double n = 0, total = 0;
	struct log_value v;

	q = log_value_number(at, s->end, &n);
	s->p = q ? q : at + 1;
	bool is_rank = s->to->n == 0 && at > s->begin && at[-1] == '('; /* "(0/8) Epoch 1" */
	if (q && !is_rank && log_value_total(q, s->end, &total) > q && total >= n &&
		(!before || before->is_epoch || log_word_is_epoch(before->key))) {
		s->p = log_value_total(q, s->end, &total);
		log_pairs_count(s->to, SPAN(""), at, n, total);
		return true;
	}
	if (q && at == s->begin && n == floor(n) && s->end - q > 1 && q[0] == ':' && q[1] == '\t') {
		s->p = q + 1;
		log_pairs_count(s->to, SPAN(""), at, n, 0); /* CatBoost's "3:	learn: 0.5" */
		return true;
	}
	const char *list = q ? log_slashed_take(s, at, &pair) : NULL;
	if (list) {
		s->p = list;
		return true;
	}
	q = q ? log_value(&v, at, s->end, SPAN("")) : NULL;
	if (q && log_is_over(q, s->end)) {
		s->p = q;
		log_scan_fill(s, &pair, &v);
		struct span behind = name_behind(s, at, q, &v);
		bool is_named = behind.n && (v.unit.n || memchr(behind.p, '/', behind.n));
		if (s->goes_on && before && !log_pair_is_place(before) && v.unit.n == 0 &&
			!is_named) {
			pair.key = before->key;
			before->nth = before->nth ? before->nth : 1;
			pair.nth = before->nth + 1;
		} else if (v.unit.n > 1 && memchr(v.unit.p, '/', v.unit.n)) {
			pair.key = v.unit;
		} else if (is_named) {
			pair.key = behind;
			s->p = MAX(s->p, pair.key.p + pair.key.n);
		} else if (before && !log_pair_is_place(before) &&
			span_in(v.unit, "tokens|samples|runs")) {
			pair.key = v.unit; /* "time = 12 ms / 80 tokens" */
			pair.of = before->key;
			log_scan_add(s, &pair);
			s->to->nremarks += v.nremarks - log_remark_take(s, &v, pair.of);
			return true;
		} else if (!(v.unit.n && log_word_is_step(v.unit))) {
			s->to->nbare++;
			s->to->nremarks += v.nremarks -
				log_remark_take(s, &v, before ? before->key : SPAN(""));
			return false;
		} else {
			pair.key = log_step_name; /* "(after 3 iterations)" */
			pair.is_unnamed = true;
		}
		log_scan_add(s, &pair);
		return true;
	}
	while (!is_end(s, s->p) && is_key(*s->p))
		s->p++;
	s->to->nbare++;
	return false;
}

/* ---- items ---- */

/* Where a key or a number may begin; everything else in front of it is passed over. */
static void skip(struct log_scan *s)
{
	bool was = s->to->n > 0 && s->is_pair;

	for (s->goes_on = false; !is_end(s, s->p); s->p++) {
		char c = *s->p;

		if (is_letter(c) || c == '_' || c == '[' || begins_number(s, s->p) ||
			(c == '#' && s->p + 1 < s->end && is_letter(s->p[1])))
			return;
		if (c == ']' && s->is_inside) {
			s->is_inside = false;
			s->of = SPAN("");
		}
		s->goes_on = (c == ',' && was) || (s->goes_on && is_space_or_tab(c));
		s->to->has_rest |= c == '$' || c == '<' || c == '>' || c == '\'' || c == '"';
	}
}

/* "(ms)" behind a key at p, and words in front of its colon, as "(prompt + completion)": what is
 * behind it; p when it is none. */
static const char *unit_in_key(const struct log_scan *s, const char *p)
{
	const char *close = memchr(p, ')', (size_t)(s->end - p));
	const char *q = p + 1;
	bool is_last = close && close + 1 < s->end && close[1] == ':';

	while (close && q < close &&
		(is_letter(*q) || *q == '/' || *q == '%' || *q == '_' ||
			(is_last && strchr(" +,-", *q))))
		q++;
	return close && q == close && close > p + 1 ? close + 1 : p;
}

/* "time (ms) |" in front of what is in that unit. */
static bool take_heading(struct log_scan *s, const char *from, const char *open, const char *behind)
{
	enum measure m = measure_of_unit((struct span){ open + 1, (size_t)(behind - open) - 2 });
	const char *next = blanks(s, behind);

	if (m == MEASURE_NONE || is_end(s, next) || *next != '|')
		return false;
	s->measure = m;
	s->heading = span_trim((struct span){ from, (size_t)(open - from) });
	s->p = next;
	return true;
}

/* "Seq." of "Seq. length", in front of p. */
static bool is_short(const struct log_scan *s, const char *p)
{
	const char *from = p - 1;

	while (from > s->begin && is_letter(from[-1]))
		from--;
	return log_word_is_short((struct span){ from, (size_t)(p - 1 - from) });
}

/* The blank at p, with `next` behind it, ends the item. */
static bool is_break(const struct log_scan *s, const char *p, const char *next)
{
	if (*p == '\t' || next > p + 1 || is_end(s, next) || (p[-1] == '.' && !is_short(s, p)))
		return true;
	return !is_key(*next) || (*next == '-' && next + 1 < s->end && is_space_or_tab(next[1]));
}

/* "SamplingParams(n=1, top_p=0.9)" at p: settings, as Python prints an object: where they end, or
 * p.
 */
static const char *object_end(const struct log_scan *s, const char *from, const char *p)
{
	const char *in = p + 1, *q = p;
	int depth = 0;

	while (!is_end(s, in) && (is_letter(*in) || *in == '_'))
		in++;
	if (*from < 'A' || *from > 'Z' || is_end(s, in) || in == p + 1 || *in != '=')
		return p;
	do
		depth += (*q == '(') - (*q == ')');
	while (++q < s->end && depth);
	return q;
}

/* "Prefill. latency: 1 s": the word in front says of what the line's figures are. */
static bool take_phase(struct log_scan *s, const char *p)
{
	struct span word = span_between(s->begin, p - 1);

	if (p[-1] != '.' || s->to->n || is_end(s, p) ||
		!span_in_nocase(word, "prefill|decode|extend|total|forward|backward|train|eval"))
		return false;
	s->of = word;
	return true;
}

/* One item: true when it is a pair.  s->p is behind it. */
static bool take_item(struct log_scan *s)
{
	const char *from = s->p, *word = from, *p = from, *key_end = from, *next;
	size_t numbers = 0; /* between the words */

	if (*p == '[') {
		if (take_bracket(s, SPAN("")))
			return true;
		s->p = p + 1;
		return true; /* nothing by itself */
	}
	p = log_value_quantile(p, s->end);
	if (p == from && begins_number(s, p) && !is_letter(*p))
		return take_number(s);
	while (!is_end(s, p)) {
		if (is_key(*p) ||
			(*p == '\'' && p > from && s->end - p > 1 && is_key(p[-1]) &&
				is_letter(p[1]))) {
			key_end = ++p;
			continue;
		}
		next = blanks(s, p);
		if (!is_end(s, next) && (*next == ':' || *next == '='))
			return take_bound(s, from, word, next);
		if (!is_end(s, next) && *next == '(' && unit_in_key(s, next) != next) {
			p = unit_in_key(s, next);
			if (take_heading(s, from, next, p))
				return true;
			continue;
		}
		struct span key = { from, (size_t)(key_end - from) };
		if (!is_end(s, next) && *next == '[' && log_word_is_count(key)) {
			s->p = next;
			if (take_bracket(s, key))
				return true;
		}
		const char *close = next == p ? memchr(p, ']', (size_t)(s->end - p)) : NULL;
		if (close && *p == '[' && memchr(p, '=', (size_t)(close - p))) {
			s->of = key;
			s->is_inside = true;
			s->p = p + 1;
			return true;
		}
		if (next > p && begins_number(s, next) && binds(s, from, word, p, next))
			return take_bare(s, from, word, p, next);
		if (next == p || is_break(s, p, next)) {
			s->p = next == p ? p + 1 : next;
			if (next == p && *p == '(')
				s->p = MAX(s->p, object_end(s, from, p));
			if (next > p && from == s->begin && take_phase(s, p))
				return true;
			s->to->nremarks += numbers;
			return false;
		}
		const char *none = log_value_none(next, s->end);
		if (none > next) {
			s->p = none;
			return true;
		}
		word = p = next;
		numbers += is_digit(*next);
	}
	s->p = p;
	s->to->nremarks += numbers;
	return false;
}

void log_pairs_find(struct log_pairs *to, struct span text)
{
	struct log_scan s = { .p = text.p, .end = text.p + text.n, .to = to };

	to->n = to->nsigned = to->nbare = to->nremarks = 0;
	to->has_rest = true;
	if (!log_has_number(text))
		return;
	to->has_rest = false;
	s.begin = text.p;
	for (skip(&s); !is_end(&s, s.p) && to->n < LOG_PAIRS; skip(&s))
		if (!(s.is_pair = take_item(&s)))
			to->has_rest = true;
	for (; !is_end(&s, s.p); s.p++) /* no room: numbers behind a sign */
		to->nbare += strchr("=:", s.p[-1]) && begins_number(&s, blanks(&s, s.p));
	if (to->n == 0 && to->nbare > 2)
		log_behind_find(to, text);
	if (memchr(text.p, 'B', text.n))
		log_sizes_find(to, text);
}
