/*
 * The scanner's body, compiled once per vector unit.  The including file defines
 *
 *   find_quote(p)    first '"' or '\\' at or behind p
 *   find_nonblank(p) first byte > 0x20 at or behind p
 *   find_scalar_end(p) first byte that ends a number or word: <= 0x20, ',', '}', ']', '"'
 *   classify(p, m)   masks of the 64 bytes at p
 *   prefix_xor(x)    bit i = xor of bits 0..i
 *   same(p, q, n)    the n <= GAP_BYTES bytes at p and q are equal (GAP_BYTES readable at both)
 *   SCANNER, SCANNER_NAME
 *
 * and includes this.  Every loop stops at the '"' behind the window at the latest; whatever ends at
 * or behind `end` is incomplete.
 */
#include "analyze/input/batch.h"
#include "analyze/input/decode.h"

static uint64_t escaped_bytes(uint64_t backslash, uint64_t *carry)
{
	const uint64_t even = 0x5555555555555555u;
	uint64_t follows, odd_starts, sequences;

	if (!backslash) {
		uint64_t first = *carry;

		*carry = 0;
		return first;
	}
	backslash &= ~*carry;
	follows = backslash << 1 | *carry;
	odd_starts = backslash & ~even & ~follows;
	*carry = add_overflows(odd_starts, backslash, &sequences);
	return (even ^ sequences << 1) & follows;
}

/* Walks the brackets of one block; returns the bit of the one that ends the value, or -1. */
static int close_bit(uint64_t open, uint64_t close, uint64_t *depth)
{
	uint64_t both = open | close;

	for (; both; both &= both - 1) {
		uint64_t bit = both & -both;

		if (open & bit)
			++*depth;
		else if (--*depth == 0)
			return __builtin_ctzll(bit);
	}
	return -1;
}

static enum skip_end skip_nested(struct skip *s, const char **at, const char *end)
{
	const char *p = *at;

	for (; p < end; p += 64) {
		uint64_t valid = end - p >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (end - p)) - 1;
		uint64_t escaped, quote, in, closing, follows, open, close;
		struct masks m;
		int bit = -1;

		classify(p, &m);
		escaped = escaped_bytes(m.backslash & valid, &s->escape);
		quote = m.quote & ~escaped & valid;
		in = prefix_xor(quote) ^ s->in_string;
		closing = quote & ~in;
		follows = (closing << 1 | s->after_close) & valid;
		open = m.open & ~in & valid;
		close = m.close & ~in & valid;
		if ((uint64_t)__builtin_popcountll(close) >= s->depth)
			bit = close_bit(open, close, &s->depth);
		else
			s->depth += (uint64_t)__builtin_popcountll(open) -
				(uint64_t)__builtin_popcountll(close);
		if (bit >= 0) {
			if (follows & ~m.follow & ((UINT64_C(2) << bit) - 1))
				return SKIP_BAD;
			*at = p + bit + 1;
			return SKIP_DONE;
		}
		if (UNLIKELY(follows & ~m.follow))
			return SKIP_BAD;
		s->after_close = valid == ~UINT64_C(0) ? closing >> 63 : 0;
		s->in_string = valid == ~UINT64_C(0) ? (uint64_t)((int64_t)in >> 63) : s->in_string;
		if (valid != ~UINT64_C(0)) { /* a short last block: state at its end, not at bit 63
			                      */
			unsigned last = (unsigned)(end - p) - 1;

			s->in_string = in >> last & 1 ? ~UINT64_C(0) : 0;
			s->after_close = closing >> last & 1;
			s->escape = escaped >> (last + 1) & 1;
		}
	}
	*at = end;
	return SKIP_MORE;
}

/* The closing quote of the string whose text begins at p; >= end when there is none. */
HOT_INLINE const char *string_end(const char *p, const char *end, bool *escaped)
{
	*escaped = false;
	for (;;) {
		p = find_quote(p);
		if (LIKELY(*p == '"'))
			return p;
		*escaped = true;
		p += 2;
		if (p >= end)
			return end;
	}
}

HOT_INLINE const char *nonblank(const char *p)
{
	return LIKELY((unsigned char)*p > 0x20) ? p : find_nonblank(p + 1);
}

/* Behind the nested value that opens at p, or NULL. */
HOT_INLINE const char *nested_end(const char *p, const char *end)
{
	struct skip s = { .depth = 1 };

	p++;
	return skip_nested(&s, &p, end) == SKIP_DONE ? p : NULL;
}

/*
 * Any value at p: *text is its text without quotes; returns the byte behind it, or NULL when it is
 * malformed or incomplete.
 */
HOT_INLINE const char *value(
	const char *p, const char *end, struct span *text, bool *escaped, bool *quoted)
{
	const char *q;

	*escaped = *quoted = false;
	if (*p == '"') {
		*quoted = true;
		q = string_end(p + 1, end, escaped);
		*text = (struct span){ p + 1, (size_t)(q - p - 1) };
		return q < end ? q + 1 : NULL;
	}
	if (*p == '{' || *p == '[') {
		q = nested_end(p, end);
		*text = (struct span){ p, q ? (size_t)(q - p) : 0 };
		return q;
	}
	q = find_scalar_end(p);
	*text = (struct span){ p, (size_t)(q - p) };
	return q > p && q < end ? q : NULL;
}

/* The colon behind a key's closing quote at p, then the value's first byte; NULL if there is none.
 */
HOT_INLINE const char *behind_colon(const char *p)
{
	p = nonblank(p + 1);
	return LIKELY(*p == ':') ? nonblank(p + 1) : NULL;
}

/*
 * A gap is the text between two values: `, "cat": `, say.  Writers repeat themselves, so what stood
 * behind the same value last time is tried first, by one compare instead of a token at a time; that
 * also tells the processor where the next value begins before it has looked.
 */
enum { GAP_BYTES = 32, GAP_WAYS = 2, ARGS_GAPS = 16 };

struct gap {
	char bytes[GAP_BYTES];
	uint32_t n;  /* 0 = empty */
	uint32_t id; /* what it leads to: enum field, or a plan key */
};

enum field {
	FIELD_PH,
	FIELD_CAT,
	FIELD_NAME,
	FIELD_PID,
	FIELD_TID,
	FIELD_TS,
	FIELD_DUR,
	FIELD_ARGS,
	FIELD_OTHER,
	FIELD_NONE, /* the event's '{' */
	FIELD_END,
	FIELD_COUNT
};

struct gaps {
	struct gap behind[FIELD_COUNT][GAP_WAYS]; /* behind the value of that field */
	struct gap args[PLAN_CLASSES][ARGS_GAPS]; /* before the i-th argument */
	struct gap between;                       /* between two events, with the '{' */
};

HOT_INLINE bool gap_fits(const struct gap *g, const char *p)
{
	return g->n && same(p, g->bytes, g->n);
}

static void gap_learn(struct gap *g, const char *p, const char *to, uint32_t id)
{
	if (to - p > GAP_BYTES)
		return;
	memcpy(g->bytes, p, GAP_BYTES);
	g->n = (uint32_t)(to - p);
	g->id = id;
}

static uint32_t args_key(const struct plan *plan, const char *key, const char *end)
{
	return end > key ? plan_key(plan, key, (size_t)(end - key)) : PLAN_NO_KEY;
}

/*
 * At p, behind the '{' of args or behind a value in it: passes to the next value; *id is its key,
 * or PLAN_END and the result is behind the '}'.  NULL: malformed or incomplete.
 */
static const char *next_arg(const struct plan *plan, struct gap *g, const char *p, const char *end,
	bool first, uint32_t *id)
{
	const char *key, *q, *v = nonblank(p);
	bool escaped;

	if (!first && *v == ',')
		v = nonblank(v + 1);
	else if (!first && *v != '}')
		return NULL;
	if (*v == '}') {
		*id = PLAN_END;
		return v < end ? v + 1 : NULL;
	}
	if (*v != '"')
		return NULL;
	key = v + 1;
	q = string_end(key, end, &escaped);
	v = behind_colon(q);
	if (!v || v >= end)
		return NULL;
	*id = args_key(plan, key, q);
	gap_learn(g, p, v, *id);
	return v;
}

/* The members of args from p (behind its '{'); returns the byte behind its '}', or NULL. */
static const char *scan_args(const struct plan *plan, struct gap *gap, struct raw_event *raw,
	uint64_t want, const char *p, const char *end)
{
	struct skip rest = { .depth = 1 };
	unsigned i = 0;

	for (; want & ~raw->found; i++) {
		struct gap *g = &gap[i < ARGS_GAPS ? i : ARGS_GAPS - 1];
		struct span text;
		bool escaped, quoted;
		uint32_t id = g->id;
		uint64_t bit;

		if (LIKELY(gap_fits(g, p)))
			p += g->n;
		else
			p = next_arg(plan, g, p, end, i == 0, &id);
		if (UNLIKELY(!p || id == PLAN_END))
			return p;
		p = value(p, end, &text, &escaped, &quoted);
		if (UNLIKELY(!p))
			return NULL;
		if (id == PLAN_NO_KEY)
			continue;
		bit = UINT64_C(1) << id;
		raw->arg[id] = text;
		raw->found |= bit;
		raw->escaped = escaped ? raw->escaped | bit : raw->escaped & ~bit;
		raw->quoted = quoted ? raw->quoted | bit : raw->quoted & ~bit;
	}
	if (i > 0 && *(p = nonblank(p)) != ',' && *p != '}')
		return NULL;
	return skip_nested(&rest, &p, end) == SKIP_DONE ? p : NULL;
}

static enum field field_of(const char *key, size_t n)
{
	static const struct {
		const char *key;
		size_t n;
	} fields[] = { { "ph", 2 }, { "cat", 3 }, { "name", 4 }, { "pid", 3 }, { "tid", 3 },
		{ "ts", 2 }, { "dur", 3 }, { "args", 4 } };
	unsigned i;

	for (i = 0; i < COUNT_OF(fields); i++)
		if (fields[i].n == n && memcmp(fields[i].key, key, n) == 0)
			return (enum field)i;
	return FIELD_OTHER;
}

/* As next_arg, for the members of an event; `was` is the field before, FIELD_NONE at its '{'. */
static const char *next_field(
	struct gap ways[GAP_WAYS], const char *p, const char *end, enum field was, uint32_t *id)
{
	const char *key, *q, *v = was == FIELD_NONE ? nonblank(p + 1) : nonblank(p);
	bool escaped;

	if (was != FIELD_NONE && *v == ',')
		v = nonblank(v + 1);
	else if (was != FIELD_NONE && *v != '}')
		return NULL;
	if (*v == '}') {
		if (v >= end)
			return NULL;
		*id = FIELD_END;
		v++;
	} else {
		if (*v != '"')
			return NULL;
		key = v + 1;
		q = string_end(key, end, &escaped);
		v = behind_colon(q);
		if (!v || v >= end)
			return NULL;
		*id = field_of(key, (size_t)(q - key));
	}
	ways[1] = ways[0];
	gap_learn(&ways[0], p, v, *id);
	return v;
}

/* Stores the value of a field. */
HOT_INLINE void take_field(
	struct raw_event *raw, uint32_t field, struct span text, bool escaped, bool quoted)
{
	switch (field) {
	case FIELD_PH:
		if (quoted && text.n == 1) {
			raw->ph = text.p[0];
			raw->have |= RAW_PH;
		}
		break;
	case FIELD_CAT:
		raw->cat = text;
		raw->kind_cat = 0;
		raw->have |= quoted ? escaped ? RAW_CAT | RAW_CAT_ESCAPED : RAW_CAT : 0;
		break;
	case FIELD_NAME:
		raw->name = text;
		raw->have |= quoted ? escaped ? RAW_NAME | RAW_NAME_ESCAPED : RAW_NAME : 0;
		break;
	case FIELD_PID:
		raw->pid = text;
		raw->have |= escaped ? RAW_PID | RAW_LANE_ESCAPED : RAW_PID;
		break;
	case FIELD_TID:
		raw->tid = text;
		raw->have |= escaped ? RAW_TID | RAW_LANE_ESCAPED : RAW_TID;
		break;
	case FIELD_TS:
		raw->ts = text;
		raw->have |= RAW_TS;
		break;
	case FIELD_DUR:
		raw->dur = text;
		raw->have |= RAW_DUR;
		break;
	default: break;
	}
}

/* The event that opens at p: fills raw; returns the byte behind its '}', or NULL. */
HOT_INLINE const char *scan_event(const struct plan *plan, struct batch *b, struct gaps *gaps,
	struct raw_event *raw, const char *p, const char *end)
{
	uint32_t field = FIELD_NONE;

	raw->begin = p;
	raw->have = raw->kind_cat = 0;
	raw->ph = 0;
	raw->found = raw->escaped = raw->quoted = 0;
	for (;;) {
		struct gap *ways = gaps->behind[field];
		struct span text;
		bool escaped, quoted;

		if (LIKELY(gap_fits(&ways[0], p))) {
			field = ways[0].id;
			p += ways[0].n;
		} else if (gap_fits(&ways[1], p)) {
			field = ways[1].id;
			p += ways[1].n;
		} else {
			p = next_field(ways, p, end, (enum field)field, &field);
		}
		if (!p || field == FIELD_END)
			return p;
		if (field == FIELD_ARGS && *p == '{') {
			unsigned class = decode_class(b, raw);

			raw->have |= RAW_ARGS;
			p = scan_args(plan, gaps->args[class], raw, plan->want[class], p + 1, end);
		} else {
			p = value(p, end, &text, &escaped, &quoted);
			take_field(raw, field, text, escaped, quoted);
		}
		if (UNLIKELY(!p))
			return NULL;
	}
}

/* Up to the next event's '{', ',' and so on, a token at a time. */
static const char *next_event(struct gaps *gaps, const char *p, const char *end, bool comma)
{
	const char *q = nonblank(p), *r;

	if (q >= end || *q != ',' || comma)
		return q;
	r = nonblank(q + 1);
	if (*r == '{')
		gap_learn(&gaps->between, p, r + 1, 0);
	return q;
}

static enum scan_end scan_events(const struct plan *plan, struct batch *b, const char **at,
	const char *text, const char *end, int64_t base, bool *comma)
{
	const char *p = *at, *q;
	struct raw_event raw;
	struct gaps gaps;

	memset(&gaps, 0, sizeof(gaps));
	for (;;) {
		if (LIKELY(!*comma && gap_fits(&gaps.between, p))) {
			p += gaps.between.n - 1;
			*comma = true;
		} else {
			p = next_event(&gaps, p, end, *comma);
		}
		*at = p;
		if (p >= end)
			return SCAN_MORE;
		switch (*p) {
		case '{':
			q = scan_event(plan, b, &gaps, &raw, p, end);
			if (UNLIKELY(!q || q > end))
				return SCAN_BAD;
			if (UNLIKELY(!*comma))
				batch_problem(b, PROBLEM_COMMA, base + (p - text));
			*comma = false;
			decode_event(plan, b, &raw, base + (p - text));
			p = q;
			break;
		case ',':
			if (UNLIKELY(*comma))
				batch_problem(b, PROBLEM_COMMA, base + (p - text));
			*comma = true;
			p++;
			break;
		case ']': *at = p + 1; return SCAN_CLOSED;
		default: return SCAN_BAD;
		}
	}
}

const struct scanner SCANNER = { SCANNER_NAME, scan_events, skip_nested };
