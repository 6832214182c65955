/* One pass over the text, item by item. */
#include "analyze/input/artifact/logs/log_pairs.h"

#include "analyze/input/artifact/logs/log_behind.h"
#include "analyze/input/artifact/logs/log_sizes.h"
#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/trace/figure.h"

enum { BARE_WORDS = 3 };

struct scan {
	const char *p, *end, *begin;
	enum measure measure; /* that a heading in the line says: "time (ms) | forward: 1" */
	bool goes_on;         /* a comma is in front: numbers go on the list before them */
	struct span heading;  /* the same, as written */
	struct span of;       /* what the pairs are of: "Training => latency: 1s"; empty: nothing */
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
	return log_blanks(p, s->end);
}

static bool begins_number(const struct scan *s, const char *p)
{
	return log_begins_number(p, s->end);
}

static struct log_pair *newest(const struct scan *s)
{
	return s->to->n ? &s->to->v[s->to->n - 1] : NULL;
}

static bool is_place(const struct log_pair *p)
{
	return p->is_unnamed || p->is_epoch || log_word_is_count(p->key);
}

static void add(struct scan *s, const struct log_pair *pair)
{
	struct log_pair with = *pair;

	if (pair->of.n == 0 && !is_place(pair))
		with.of = s->of;
	with.below = s->heading;
	log_pairs_add(s->to, &with);
}

static void fill(struct scan *s, struct log_pair *pair, const struct log_value *v)
{
	log_pair_fill(pair, v, s->measure);
}

/* ---- counters, which may stand in brackets ---- */

/* "[10/100]", "[ 10/100 ( 10%)]", "[3]" of a key that counts, "[1, 2000]" of none: true, and s->p
 * behind it.  `key` is empty where there is none. */
static bool take_bracket(struct scan *s, struct span key)
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
	if (!is_end(s, q) && *q == '(' && (q = memchr(q, ')', (size_t)(s->end - q))) != NULL)
		q = blanks(s, q + 1);
	bool is_first = s->p == s->begin && !is_end(s, q + 1) && strchr(" \t[", q[1]);
	if (!q || is_end(s, q) || *q != ']' || !(key.n || has_total || second || is_first))
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

/* "[0.5, 0.25]", "[[0.9, 0.95]]" at p, a figure each: what is behind it, or NULL. */
static const char *take_list(struct scan *s, const char *p, const struct log_pair *of)
{
	size_t from = s->to->n, depth = 0;
	struct log_value v;

	while (p && !is_end(s, p)) {
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
		if (!begins_number(s, p) || !(p = log_value(&v, p, s->end, of->key)))
			break;
		fill(s, &pair, &v);
		pair.nth = (int)(s->to->n - from) + 1;
		add(s, &pair);
	}
	if (s->to->n == from + 1)
		s->to->v[from].nth = 0;
	return p && s->to->n > from && (depth == 0 || is_end(s, p)) ? p : NULL;
}

/* "(12.5 ms per token, 80 tokens per second)" behind a figure: how many of its numbers say what
 * they are, and become figures. */
static unsigned take_remark(struct scan *s, const struct log_value *of, struct span key)
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
		q = q && begins_number(s, q) ? log_value_number(q, end, &pair.value) : NULL;
		pair.at = part.p;
		/* "z": how many standard deviations it is off */
		if (q && q < end &&
			(log_value_per(&per, q, end) == end ||
				span_in((struct span){ q, (size_t)(end - q) }, "z|sigma"))) {
			pair.key = per.per > 0 ? per.unit : (struct span){ q, (size_t)(end - q) };
			pair.scale = per.per > 0 ? per.scale : 1;
			pair.measure = per.measure;
			pair.total = per.per;
			add(s, &pair);
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
			add(s, &pair);
			n++;
			continue;
		}
		if (pair.key.n < 3 || !is_letter(pair.key.p[0]) ||
			!(span_has(pair.key, " per ") || memchr(pair.key.p, '/', pair.key.n)) ||
			ANY(i, pair.key.n, is_digit(pair.key.p[i])))
			continue;
		add(s, &pair);
		n++;
	}
	return MIN(n, of->nremarks);
}

/*
 * "853/170/68", "5705/5123 tok/s" at p: several values of one name, in the unit of the last.  Two
 * are so only of a rate or a time; "10/80GB" is one of a total.  What is behind them, or NULL.
 */
static const char *take_slashed(struct scan *s, const char *p, const struct log_pair *of)
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
		fill(s, &pair, &v);
		pair.value = number[i];
		add(s, &pair);
	}
	return q;
}

/* The value at p of the key: true, and s->p behind it, when it is a figure. */
static bool take_value(struct scan *s, const char *p, struct log_pair *pair)
{
	bool is_count = log_word_is_count(pair->key);
	struct log_value v;
	const char *q;

	if (pair->key.n == 0 || pair->key.n > LOG_KEY_MAX || is_end(s, p) ||
		log_word_is_source(pair->key))
		return false;
	p = *p == 'n' || *p == 't' ? log_value_inside(p, s->end) : p;
	if (*p == '[' && is_count) {
		s->p = p;
		return take_bracket(s, pair->key);
	}
	if (*p == '[' ||
		(*p == '(' && begins_number(s, p + 1) && memchr(p, ',', (size_t)(s->end - p)))) {
		size_t n = s->to->n;

		while (pair->key.n && strchr(". ", pair->key.p[pair->key.n - 1])) /* "forward ....:
		                                                                     (1, 2)" */
			pair->key.n--;

		q = take_list(s, p, pair);
		s->to->n = q ? s->to->n : n;
		s->p = q ? q : s->p;
		return q != NULL;
	}
	if (!begins_number(s, p))
		return false;
	q = is_count ? NULL : take_slashed(s, p, pair);
	if (q) {
		s->p = q;
		return true;
	}
	if (!(q = log_value(&v, p, s->end, pair->key)))
		return false;
	pair->at = p;
	fill(s, pair, &v);
	const char *total = q;
	if (is_count || (!v.is_clock && *q == '/'))
		q = log_value_total(q, s->end, &pair->total);
	if (q > total && !is_count) /* "Accuracy: 9810/10000 (98%)" */
		q = log_value_remark(&v, q, s->end);
	if (!log_is_over(q, s->end) && !(is_count && (*q == ':' || *q == '/' || *q == '-')) &&
		!(*q == ':' && q + 1 == s->end))
		return false;
	if (v.is_clock && span_in_nocase(pair->key, "time|timestamp|date|at|on|clock"))
		return false;
	s->p = q + (!is_end(s, q) && *q == ':');
	/* No figure of what was. */
	if (span_in_nocase(pair->key,
		    "eta|remaining|remaining_time|remaining time|time left|time remaining"))
		return true;
	struct log_pair share = *pair;
	add(s, pair);
	s->to->nremarks += v.nremarks - take_remark(s, &v, pair->key);
	share.at = v.share;
	share.value = v.share_number;
	share.scale = 1;
	share.is_share = true;
	share.measure = MEASURE_PERCENT;
	if (v.share && !is_count)
		add(s, &share);
	return true;
}

/* A value behind ':' or '=' at p; the key began at `from`, its last word at `word`. */
static bool take_bound(struct scan *s, const char *from, const char *word, const char *p)
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
	if (pair.is_signed && to == p && to[-1] != ')' && !is_unit)  /* "Peak Memory (MB)=1" is one
	                                                                name */
		from = word;
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
static bool binds(
	const struct scan *s, const char *from, const char *word, const char *to, const char *next)
{
	struct span key = { from, (size_t)(to - from) };
	size_t words = 1 + SUM(size_t, i, key.n, is_space_or_tab(key.p[i]));

	if (log_word_is_count((struct span){ word, (size_t)(to - word) }))
		return true;
	while (from > s->begin && is_space_or_tab(from[-1]))
		from--;
	bool is_item = from > s->begin && words <= BARE_WORDS && !is_letter(*next);
	if (is_item &&
		(s->to->n ? strchr(",;|", from[-1]) != NULL
			  : from[-1] == ':' && log_word_is_quantity(key)))
		return true; /* "a: 1, time/seq 0.20s, b: 2" */
	return s->to->n && is_place(&s->to->v[0]) &&
		(log_word_is_quantity(key) || (words <= BARE_WORDS && !is_letter(*next)));
}

/* A number at `next` behind the blank at p. */
static bool take_bare(
	struct scan *s, const char *from, const char *word, const char *p, const char *next)
{
	struct log_pair pair = { .is_signed = false };
	size_t n = s->to->n;

	if (log_word_is_count((struct span){ word, (size_t)(p - word) }))
		from = word;
	pair.key = (struct span){ from, (size_t)(p - from) };
	s->p = next;
	if (!take_value(s, next, &pair))
		return false;
	/* Of other words only where nothing follows: "12 files were read" is a sentence. */
	next = blanks(s, s->p);
	if (is_place(&pair) || log_word_is_quantity(pair.key) || is_end(s, next) ||
		next > s->p + 1 || *s->p == '\t' || strchr(",|;)", *next))
		return true;
	s->to->n = n;
	s->to->has_rest = true;
	return false;
}

/* "| 45.6% bf16 MFU |", "; 12.5 ms;": the name of a number at `at`, with q behind it; empty: there
 * is none. */
static struct span name_behind(
	const struct scan *s, const char *at, const char *q, const struct log_value *v)
{
	while (at > s->begin && is_space_or_tab(at[-1]))
		at--;
	if (at == s->begin || !strchr("|;,", at[-1]) || !s->to->n || !is_place(&s->to->v[0]))
		return SPAN("");
	const char *bar = memchr(q, at[-1], (size_t)(s->end - q));
	struct span words = span_trim((struct span){ q, (size_t)((bar ? bar : s->end) - q) });

	if (words.n == 0)
		return v->unit;
	return words.n <= LOG_KEY_MAX && is_letter(words.p[0]) &&
			ALL(i, words.n, is_key(words.p[i]) || words.p[i] == ' ')
		? words
		: SPAN("");
}

/* A number without a name at s->p. */
static bool take_number(struct scan *s)
{
	const char *at = s->p, *q;
	struct log_pair *before = newest(s), pair = { .at = at };
	double n = 0, total = 0;
	struct log_value v;

	q = log_value_number(at, s->end, &n);
	s->p = q ? q : at + 1;
	if (q && log_value_total(q, s->end, &total) > q && total >= n &&
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
	const char *list = q ? take_slashed(s, at, &pair) : NULL;
	if (list) {
		s->p = list;
		return true;
	}
	q = q ? log_value(&v, at, s->end, SPAN("")) : NULL;
	if (q && log_is_over(q, s->end)) {
		s->p = q;
		fill(s, &pair, &v);
		if (s->goes_on && before && !is_place(before) && v.unit.n == 0) {
			pair.key = before->key;
			before->nth = before->nth ? before->nth : 1;
			pair.nth = before->nth + 1;
		} else if (v.unit.n > 1 && memchr(v.unit.p, '/', v.unit.n)) {
			pair.key = v.unit;
		} else if (v.unit.n && name_behind(s, at, q, &v).n) {
			pair.key = name_behind(s, at, q, &v);
			s->p = MAX(s->p, pair.key.p + pair.key.n);
		} else if (before && !is_place(before) && span_in(v.unit, "tokens|samples|runs")) {
			pair.key = v.unit; /* "time = 12 ms / 80 tokens" */
			pair.of = before->key;
			add(s, &pair);
			s->to->nremarks += v.nremarks - take_remark(s, &v, pair.of);
			return true;
		} else if (!(v.unit.n && log_word_is_step(v.unit))) {
			s->to->nbare++;
			s->to->nremarks +=
				v.nremarks - take_remark(s, &v, before ? before->key : SPAN(""));
			return false;
		} else {
			pair.key = log_step_name; /* "(after 3 iterations)" */
			pair.is_unnamed = true;
		}
		add(s, &pair);
		return true;
	}
	while (!is_end(s, s->p) && is_key(*s->p))
		s->p++;
	s->to->nbare++;
	return false;
}

/* ---- items ---- */

/* Where a key or a number may begin; everything else in front of it is passed over. */
static void skip(struct scan *s)
{
	for (s->goes_on = false; !is_end(s, s->p); s->p++) {
		char c = *s->p;

		if (is_letter(c) || c == '_' || c == '[' || begins_number(s, s->p) ||
			(c == '#' && s->p + 1 < s->end && is_letter(s->p[1])))
			return;
		s->goes_on = c == ',' || (s->goes_on && is_space_or_tab(c));
		s->to->has_rest |= c == '$' || c == '<' || c == '>' || c == '\'' || c == '"';
	}
}

/* "(ms)" behind a key at p: what is behind it; p when it is none. */
static const char *unit_in_key(const struct scan *s, const char *p)
{
	const char *close = memchr(p, ')', (size_t)(s->end - p));
	const char *q = p + 1;

	while (close && q < close && (is_letter(*q) || *q == '/' || *q == '%' || *q == '_'))
		q++;
	return close && q == close && close > p + 1 ? close + 1 : p;
}

/* "time (ms) |" in front of what is in that unit. */
static bool take_heading(struct scan *s, const char *from, const char *open, const char *behind)
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
static bool is_short(const struct scan *s, const char *p)
{
	const char *from = p - 1;

	while (from > s->begin && is_letter(from[-1]))
		from--;
	return log_word_is_short((struct span){ from, (size_t)(p - 1 - from) });
}

/* The blank at p, with `next` behind it, ends the item. */
static bool is_break(const struct scan *s, const char *p, const char *next)
{
	if (*p == '\t' || next > p + 1 || is_end(s, next) || (p[-1] == '.' && !is_short(s, p)))
		return true;
	return !is_key(*next) || (*next == '-' && next + 1 < s->end && is_space_or_tab(next[1]));
}

/* One item: true when it is a pair.  s->p is behind it. */
static bool take_item(struct scan *s)
{
	const char *from = s->p, *word = from, *p = from, *key_end = from, *next;

	if (*p == '[') {
		if (take_bracket(s, SPAN("")))
			return true;
		s->p = p + 1;
		return true; /* nothing by itself */
	}
	if (begins_number(s, p) && !is_letter(*p))
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
		if (next > p && begins_number(s, next) && binds(s, from, word, p, next))
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

void log_pairs_find(struct log_pairs *to, struct span text)
{
	struct scan s = { .p = text.p, .end = text.p + text.n, .to = to };

	to->n = to->nsigned = to->nbare = to->nremarks = 0;
	to->has_rest = false;
	s.begin = text.p;
	for (skip(&s); !is_end(&s, s.p) && to->n < LOG_PAIRS; skip(&s))
		if (!take_item(&s))
			to->has_rest = true;
	if (to->n == 0 && to->nbare > 2)
		log_behind_find(to, text);
	if (memchr(text.p, 'B', text.n))
		log_sizes_find(to, text);
}

bool log_pairs_have_count(const struct log_pairs *p)
{
	return ANY(i, p->n, is_place(&p->v[i]));
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
