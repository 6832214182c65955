/* Learning the order of a line's keys, and reading others by it. */
#include "analyze/input/artifact/logs/jsonl_order.h"

#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/text/num.h"

/* The text in front of a value: `, "loss": `. */
struct order_part {
	struct span text;
	bool is_number; /* else a text or true or false, which is passed over */
	uint32_t column;
};

/* The quote that ends the string at p, or NULL; strings with escapes are none here. */
static const char *string_end(const char *p, const char *end)
{
	const char *q = memchr(p + 1, '"', (size_t)(end - p - 1));

	return q && !memchr(p, '\\', (size_t)(q - p)) ? q : NULL;
}

/* The quote that ends the key at p, or NULL; escapes in it are as they are written. */
static const char *key_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\';
	return p < end ? p : NULL;
}

static const char *word_end(const char *p, const char *end)
{
	while (p < end && *p >= 'a' && *p <= 'z')
		p++;
	return p;
}

struct teacher {
	struct jsonl_order *o;
	const struct jsonl_found *found;
	size_t nfound, used;
	bool has_rank;              /* and its numbers are not among those found */
	const char *from, *p, *end; /* from: where the part begins */
};

static void add_part(struct teacher *t, const char *value, bool is_number)
{
	struct jsonl_order *o = t->o;

	PUSH(o->part, o->n, o->cap,
		(struct order_part){ { t->from, (size_t)(value - t->from) }, is_number,
			is_number ? t->found[t->used++].column : 0 });
}

/* At a value; false when it cannot be learnt. */
static bool learn_value(struct teacher *t, struct span key)
{
	const char *v = t->p, *q;
	enum measure m = MEASURE_NONE;
	bool missing;
	double d;

	if (*v == '{')
		return true;
	if (*v == '[')
		return false;
	if (*v == '"') {
		q = string_end(v, t->end);
		if (!q || log_value_of(span_between(v + 1, q), key, &m, &d))
			return false;
		t->p = q + 1;
		if (span_in(key, JSONL_PHASES) || memchr(key.p, '\\', key.n))
			return true; /* its text stays inside the part */
		add_part(t, v, false);
	} else if (*v == 't' || *v == 'f') {
		add_part(t, v, false);
		t->p = word_end(v, t->end);
	} else {
		bool is_rank = t->has_rank && span_in(key, JSONL_RANKS);
		q = is_rank || t->used < t->nfound ? real_parse(v, t->end, &d, &missing) : NULL;
		if (!q)
			return false;
		if (is_rank) {
			t->p = q;
			return true;
		}
		add_part(t, v, true);
		t->p = q;
	}
	t->from = t->p;
	return true;
}

static bool learn_all(struct teacher *t)
{
	struct span key = { "", 0 };

	while (t->p < t->end) {
		if (*t->p == '"') {
			const char *q = key_end(t->p, t->end);

			if (!q)
				return false;
			key = (struct span){ t->p + 1, (size_t)(q - t->p - 1) };
			t->p = q + 1;
			continue;
		}
		if (*t->p++ != ':')
			continue;
		while (t->p < t->end && *t->p == ' ')
			t->p++;
		if (t->p == t->end || !learn_value(t, key))
			return false;
	}
	return t->used == t->nfound;
}

void jsonl_order_learn(struct jsonl_order *o, struct span line, const struct jsonl_found *found,
	size_t nfound, bool has_rank)
{
	struct teacher t = { .o = o, .found = found, .nfound = nfound, .has_rank = has_rank };

	o->text = array_grow(o->text, &o->text_cap, line.n + REAL_PADDING, 1);
	memcpy(o->text, line.p, line.n);
	memset(o->text + line.n, 0, REAL_PADDING);
	t.from = t.p = o->text;
	t.end = o->text + line.n;
	o->n = 0;
	if (!learn_all(&t))
		o->n = 0;
	o->tail = (struct span){ t.from, (size_t)(t.end - t.from) };
	o->nfound = nfound;
}

/* memcmp for the few bytes of a key, eight at a time; both sides have padding behind them. */
HOT_INLINE bool differs(const char *a, const char *b, size_t n)
{
	uint64_t x, y;

	for (; n > 8; n -= 8, a += 8, b += 8) {
		memcpy(&x, a, 8);
		memcpy(&y, b, 8);
		if (x != y)
			return true;
	}
	memcpy(&x, a, 8);
	memcpy(&y, b, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return n && (x ^ y) << (64 - 8 * n);
#else
	return n && (x ^ y) >> (64 - 8 * n);
#endif
}

bool jsonl_order_read(const struct jsonl_order *o, struct span line, struct jsonl_found *found)
{
	const char *p = line.p, *end = line.p + line.n;

	if (o->n == 0)
		return false;
	for (size_t i = 0; i < o->n; i++) {
		const struct order_part *part = &o->part[i];

		if ((size_t)(end - p) <= part->text.n || differs(p, part->text.p, part->text.n))
			return false;
		p += part->text.n;
		if (LIKELY(part->is_number)) {
			p = real_parse(p, end, &found->value, &found->missing);
			found++->column = part->column;
		} else if (*p == '"') {
			p = string_end(p, end);
			p = p ? p + 1 : NULL;
		} else {
			p = *p == 't' || *p == 'f' ? word_end(p, end) : NULL;
		}
		if (UNLIKELY(!p))
			return false;
	}
	return (size_t)(end - p) == o->tail.n && memcmp(p, o->tail.p, o->tail.n) == 0;
}

void jsonl_order_clear(struct jsonl_order *o)
{
	FREE_ALL(o->part, o->text);
}
