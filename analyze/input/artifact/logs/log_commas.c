/* Counting what is sure, and deciding what is not. */
#include "analyze/input/artifact/logs/log_commas.h"

#include <stdio.h>

#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/logs/log_pairs.h"
#include "analyze/input/artifact/logs/log_prefix.h"
#include "analyze/input/artifact/logs/log_wrapped.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/figure.h"

enum { LOOKED_AT = 1 << 20 };

/* "0,95", but no "12:00:01,123". */
static bool has_commas(struct span text)
{
	for (size_t i = 1; i + 1 < text.n; i++) {
		size_t k = i;

		if (text.p[i] != ',' || !is_digit(text.p[i - 1]) || !is_digit(text.p[i + 1]))
			continue;
		while (k > 0 && is_digit(text.p[k - 1]))
			k--;
		if (k == 0 || text.p[k - 1] != ':')
			return true;
	}
	return false;
}

static struct log_comma_count *find(struct log_commas *c, struct span key)
{
	return FIND_VALUE(i, c->nkey, span_eq(key, (struct span){ c->key[i].key, c->key[i].n }),
		&c->key[i], NULL);
}

static void count(struct log_commas *c, const struct log_pair *p)
{
	bool is_comma = p->mark == MARK_COMMA;
	struct log_comma_count *k = find(c, p->key);
	bool is_whole = p->mark == MARK_NONE && p->value >= 100 && p->value < 1e3;

	if ((p->mark == MARK_NONE && !is_whole) || p->mark == MARK_EITHER_POINT)
		return;
	if (p->mark == MARK_EITHER_COMMA) {
		c->weak += p->value < 1e3;
		return;
	}
	if (!k && c->nkey < COMMA_KEYS && p->key.n <= COMMA_KEY) {
		k = &c->key[c->nkey++];
		memcpy(k->key, p->key.p, p->key.n);
		k->n = p->key.n;
	}
	c->all.commas += is_comma;
	c->all.points += p->mark == MARK_POINT;
	if (k) {
		k->commas += is_comma;
		k->points += !is_comma;
	}
}

/* The cells of a line without names, as of a table. */
static void count_row(struct log_commas *c, struct span line)
{
	const char *end = line.p + line.n, *q;

	for (const char *p = line.p; p < end; p = q + 1) {
		q = p;
		while (q < end && !strchr(" \t|", *q))
			q++;
		struct span cell = span_between(p, q);
		if (ALL(i, cell.n, is_digit(cell.p[i]) || strchr("+-.,", cell.p[i]))) {
			enum log_mark mark = log_value_mark(cell);

			c->all.commas += mark == MARK_COMMA;
			c->all.points += mark == MARK_POINT;
		}
	}
}

static void learn(struct log_commas *c, const struct head *head)
{
	struct span text = head ? head->text : SPAN(""), line;
	SCOPED_STR raw = { 0 };
	SCOPED_STR plain = { 0 };
	SCOPED_STR copy = { 0 };
	struct log_prefix prefix;
	struct log_pairs pairs;

	c->is_known = true;
	text.n = MIN(text.n, LOOKED_AT);
	if (!has_commas(text))
		return;
	while (span_line(&text, &line)) {
		str_reset(&copy);
		line = log_plain(log_unwrapped(line, &raw), &plain);
		for (size_t i = 0; i < line.n; i++) /* "'loss': '2,51'" */
			if (line.p[i] != '"' && line.p[i] != '\'')
				str_addc(&copy, line.p[i]);
		line.n = copy.n;
		str_add(&copy, "\0\0\0\0\0\0\0\0", REAL_PADDING);
		line.p = copy.s;
		log_prefix_find(&prefix, line);
		log_pairs_find(&pairs, span_from(line, prefix.n));
		for (size_t i = 0; i < pairs.n; i++)
			count(c, &pairs.v[i]);
		if (pairs.n == 0)
			count_row(c, line);
	}
}

/* 1: decimals stand behind commas; -1: they do not; 0: it does not say. */
static int told(const struct log_comma_count *k)
{
	return k && k->commas > 0 && k->points == 0    ? 1
		: k && k->commas == 0 && k->points > 0 ? -1
						       : 0;
}

/* What comes in thousands mostly. */
static bool is_counted(struct span name)
{
	return metric_role(name) == ROLE_TOKENS ||
		strcmp(figure_kind(name, UNIT_NONE)->word, "throughput") == 0;
}

bool log_commas_are_decimal(const struct log_commas *c)
{
	return c->is_known && (c->all.commas || c->weak) && c->all.points == 0;
}

static bool is_time(const struct log_pair *p)
{
	return measure_infos[p->measure].base == UNIT_NS ||
		strcmp(figure_kind(p->key, UNIT_NONE)->word, "time") == 0;
}

/* A number that its name decided. */
static void keep(struct log_commas *c, const struct log_pair *p, bool is_read)
{
	double v = is_read ? p->value * 1e3 : p->value;

	if (c->unclear++ > 0)
		return;
	c->is_read = is_read;
	(void)snprintf(c->first, sizeof(c->first), "%.*s %.0f,%03.0f",
		(int)MIN(p->key.n, (size_t)COMMA_KEY), p->key.p, trunc(v / 1e3),
		fabs(v - trunc(v / 1e3) * 1e3));
}

double log_commas_value(struct log_commas *c, const struct head *head, const struct log_pair *pair)
{
	bool is_comma = pair->mark == MARK_EITHER_COMMA;

	if (!is_comma && pair->mark != MARK_EITHER_POINT)
		return pair->value;
	if (!c->is_known)
		learn(c, head);
	int by_key = told(find(c, pair->key)), by_log = told(&c->all);
	by_log = by_log == 0 && c->all.points == 0 && c->weak > 0 ? 1 : by_log;
	int is_decimal = by_key ? by_key : by_log;
	bool is_read = is_comma && pair->value < 1e3; /* as decimals */
	if (!is_comma)
		return is_decimal > 0 && (by_key || !label_is_small(pair->key)) ? pair->value * 1e3
										: pair->value;
	if (by_key == 0 && (by_log == 0 || (by_log > 0 && is_counted(pair->key)))) {
		if (c->all.commas + c->weak > 0 || is_time(pair))
			keep(c, pair, is_read);
		return pair->value;
	}
	return is_decimal > 0 && !is_read   ? pair->value / 1e3
		: is_decimal < 0 && is_read ? pair->value * 1e3
					    : pair->value;
}
