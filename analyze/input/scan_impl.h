/*
 * The scanner's body, compiled once per vector unit.  The including file defines
 *
 *   find_quote(p)    first '"' or '\\' at or behind p
 *   find_nonblank(p) first byte > 0x20 at or behind p
 *   find_scalar_end(p) first byte that ends a number or word: <= 0x20, ',', '}', ']', '"'
 *   classify(p, m)   masks of the 64 bytes at p
 *   prefix_xor(x)    bit i = xor of bits 0..i
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
		uint64_t quote, in, closing, follows, open, close;
		struct masks m;
		int bit = -1;

		classify(p, &m);
		quote = m.quote & ~escaped_bytes(m.backslash & valid, &s->escape) & valid;
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
		if (valid != ~UINT64_C(0)) { /* a short last block: state at its end, not at bit 63 */
			unsigned last = (unsigned)(end - p) - 1;

			s->in_string = in >> last & 1 ? ~UINT64_C(0) : 0;
			s->after_close = closing >> last & 1;
			s->escape = m.backslash >> last & 1 ? s->escape : 0;
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
	struct skip s = {.depth = 1};

	p++;
	return skip_nested(&s, &p, end) == SKIP_DONE ? p : NULL;
}

/*
 * Any value at p: *text is its text without quotes; returns the byte behind it, or NULL when it is
 * malformed or incomplete.
 */
HOT_INLINE const char *value(const char *p, const char *end, struct span *text, bool *escaped,
			     bool *quoted)
{
	const char *q;

	*escaped = *quoted = false;
	if (*p == '"') {
		*quoted = true;
		q = string_end(p + 1, end, escaped);
		*text = (struct span){p + 1, (size_t)(q - p - 1)};
		return q < end ? q + 1 : NULL;
	}
	if (*p == '{' || *p == '[') {
		q = nested_end(p, end);
		*text = (struct span){p, q ? (size_t)(q - p) : 0};
		return q;
	}
	q = find_scalar_end(p);
	*text = (struct span){p, (size_t)(q - p)};
	return q > p && q < end ? q : NULL;
}

/* The colon behind a key's closing quote at p, then the value's first byte; NULL if there is none. */
HOT_INLINE const char *behind_colon(const char *p)
{
	p = nonblank(p + 1);
	return LIKELY(*p == ':') ? nonblank(p + 1) : NULL;
}

/* The members of args from p (behind its '{'); returns the byte behind its '}', or NULL. */
static const char *scan_args(const struct plan *plan, struct raw_event *raw, uint64_t want,
			     const char *p, const char *end)
{
	struct skip rest = {.depth = 1};

	while (want & ~raw->found) {
		const char *key, *q;
		struct span text;
		bool escaped, quoted;
		uint8_t id;

		p = nonblank(p);
		if (*p == '}')
			return p < end ? p + 1 : NULL;
		if (UNLIKELY(*p != '"'))
			return NULL;
		key = p + 1;
		q = string_end(key, end, &escaped);
		id = q > key ? plan_key(plan, key, (size_t)(q - key)) : PLAN_NO_KEY;
		p = behind_colon(q);
		if (UNLIKELY(!p))
			return NULL;
		p = value(p, end, &text, &escaped, &quoted);
		if (UNLIKELY(!p))
			return NULL;
		if (id != PLAN_NO_KEY) {
			uint64_t bit = UINT64_C(1) << id;

			raw->arg[id] = text;
			raw->found |= bit;
			raw->escaped = escaped ? raw->escaped | bit : raw->escaped & ~bit;
			raw->quoted = quoted ? raw->quoted | bit : raw->quoted & ~bit;
		}
		p = nonblank(p);
		if (*p == '}')
			return p < end ? p + 1 : NULL;
		if (UNLIKELY(*p != ','))
			return NULL;
		p++;
	}
	return skip_nested(&rest, &p, end) == SKIP_DONE ? p : NULL;
}

/* Stores one member of the event; key and n name it, p is its value.  As value() returns. */
HOT_INLINE const char *member(const struct plan *plan, struct batch *b, struct raw_event *raw,
			      const char *key, size_t n, const char *p, const char *end)
{
	struct span text;
	bool escaped, quoted;

	if (n == 4 && memcmp(key, "args", 4) == 0 && *p == '{') {
		raw->have |= RAW_ARGS;
		return scan_args(plan, raw, decode_wants(plan, b, raw), p + 1, end);
	}
	p = value(p, end, &text, &escaped, &quoted);
	if (UNLIKELY(!p))
		return NULL;
	switch (n) {
	case 2:
		if (key[0] == 'p' && key[1] == 'h' && quoted && text.n == 1) {
			raw->ph = text.p[0];
			raw->have |= RAW_PH;
		} else if (key[0] == 't' && key[1] == 's') {
			raw->ts = text;
			raw->have |= RAW_TS;
		}
		break;
	case 3:
		if (memcmp(key, "cat", 3) == 0 && quoted) {
			raw->cat = text;
			raw->have |= escaped ? RAW_CAT | RAW_CAT_ESCAPED : RAW_CAT;
		} else if (memcmp(key, "pid", 3) == 0) {
			raw->pid = text;
			raw->have |= escaped ? RAW_PID | RAW_LANE_ESCAPED : RAW_PID;
		} else if (memcmp(key, "tid", 3) == 0) {
			raw->tid = text;
			raw->have |= escaped ? RAW_TID | RAW_LANE_ESCAPED : RAW_TID;
		} else if (memcmp(key, "dur", 3) == 0) {
			raw->dur = text;
			raw->have |= RAW_DUR;
		}
		break;
	case 4:
		if (memcmp(key, "name", 4) == 0 && quoted) {
			raw->name = text;
			raw->have = (raw->have & ~(unsigned)RAW_NAME_ESCAPED) |
				    (escaped ? RAW_NAME | RAW_NAME_ESCAPED : RAW_NAME);
		}
		break;
	default:
		break;
	}
	return p;
}

/* The event that opens at p: fills raw; returns the byte behind its '}', or NULL. */
static const char *scan_event(const struct plan *plan, struct batch *b, struct raw_event *raw,
			      const char *p, const char *end)
{
	raw->begin = p++;
	raw->have = 0;
	raw->ph = 0;
	raw->found = raw->escaped = raw->quoted = 0;
	for (;;) {
		const char *key, *q;
		bool escaped;

		p = nonblank(p);
		if (*p != '"')
			return *p == '}' && p < end ? p + 1 : NULL;
		key = p + 1;
		q = string_end(key, end, &escaped);
		p = behind_colon(q);
		if (UNLIKELY(!p))
			return NULL;
		p = member(plan, b, raw, key, (size_t)(q - key), p, end);
		if (UNLIKELY(!p))
			return NULL;
		p = nonblank(p);
		if (*p == '}')
			return p < end ? p + 1 : NULL;
		if (UNLIKELY(*p != ','))
			return NULL;
		p++;
	}
}

static enum scan_end scan_events(const struct plan *plan, struct batch *b, const char **at,
				 const char *text, const char *end, int64_t base, bool *comma)
{
	const char *p = *at;
	struct raw_event raw;

	for (;;) {
		p = nonblank(p);
		*at = p;
		if (p >= end)
			return SCAN_MORE;
		if (LIKELY(*p == '{')) {
			const char *q = scan_event(plan, b, &raw, p, end);

			if (UNLIKELY(!q))
				return SCAN_BAD;
			if (UNLIKELY(!*comma))
				batch_problem(b, PROBLEM_COMMA, base + (p - text));
			*comma = false;
			decode_event(plan, b, &raw, base + (p - text));
			p = q;
		} else if (*p == ',') {
			if (UNLIKELY(*comma))
				batch_problem(b, PROBLEM_COMMA, base + (p - text));
			*comma = true;
			p++;
		} else if (*p == ']') {
			*at = p + 1;
			return SCAN_CLOSED;
		} else {
			return SCAN_BAD;
		}
	}
}

const struct scanner SCANNER = {SCANNER_NAME, scan_events, skip_nested};
