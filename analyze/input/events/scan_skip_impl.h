/* The scanner's lower half: passing over strings and nested values.  Included by scan_impl.h, for
 * each vector unit. */
#ifndef SCANNER_XORS
HOT_INLINE uint64_t prefix_xor(uint64_t x)
{
	x ^= x << 1;
	x ^= x << 2;
	x ^= x << 4;
	x ^= x << 8;
	x ^= x << 16;
	return x ^ x << 32;
}
#endif

static uint64_t escaped_bytes(uint64_t backslash, uint64_t *carry)
{
	const uint64_t even = 0x5555555555555555u;
	uint64_t sequences;

	if (!backslash) {
		uint64_t first = *carry;

		*carry = 0;
		return first;
	}
	backslash &= ~*carry;
	uint64_t follows = backslash << 1 | *carry;
	uint64_t odd_starts = backslash & ~even & ~follows;
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

/* A block of fewer than 64 bytes: the state at its end, not at bit 63. */
static void end_short_block(
	struct skip *s, unsigned last, uint64_t in, uint64_t closing, uint64_t escaped)
{
	s->in_string = in >> last & 1 ? ~UINT64_C(0) : 0;
	s->after_close = closing >> last & 1;
	s->escape = escaped >> (last + 1) & 1;
}

HOT_INLINE enum skip_end pass_nested(struct skip *state, const char **at, const char *end)
{
	struct skip s = *state;
	const char *p = *at;

	for (; p < end; p += 64) {
		uint64_t valid = end - p >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (end - p)) - 1;
		struct masks m;
		int bit = -1;

		classify(p, s.open, &m);
		uint64_t escaped = escaped_bytes(m.backslash & valid, &s.escape);
		uint64_t quote = m.quote & ~escaped & valid;
		uint64_t in = prefix_xor(quote) ^ s.in_string;
		uint64_t closing = quote & ~in;
		uint64_t follows = (closing << 1 | s.after_close) & valid;
		uint64_t open = m.open & ~in & valid;
		uint64_t close = m.close & ~in & valid;
		if ((uint64_t)__builtin_popcountll(close) >= s.depth)
			bit = close_bit(open, close, &s.depth);
		else
			s.depth += (uint64_t)__builtin_popcountll(open) -
				(uint64_t)__builtin_popcountll(close);
		if (bit >= 0)
			valid &= (UINT64_C(2) << bit) - 1;
		if (UNLIKELY(follows & ~m.follow & valid))
			return SKIP_BAD;
		if (bit >= 0) {
			*at = p + bit + 1;
			return SKIP_DONE;
		}
		s.after_close = closing >> 63;
		s.in_string = (uint64_t)((int64_t)in >> 63);
		if (UNLIKELY(valid != ~UINT64_C(0)))
			end_short_block(&s, (unsigned)(end - p) - 1, in, closing, escaped);
	}
	*state = s;
	*at = end;
	return SKIP_MORE;
}

static enum skip_end skip_nested(struct skip *s, const char **at, const char *end)
{
	return pass_nested(s, at, end);
}

/* Behind the bracket that closes what `open` opened before p, or NULL. */
static NEVER_INLINE const char *nested_end(char open, const char *p, const char *end)
{
	struct skip s = { .open = open, .depth = 1 };

	return pass_nested(&s, &p, end) == SKIP_DONE ? p : NULL;
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

/* A number or word at p, of *n bytes when last seen: the byte behind it, or NULL; *n is then how
 * long it is. */
HOT_INLINE const char *scalar_end(const char *p, const char *end, uint32_t *n)
{
	const char *found = find_scalar_end(p), *q = expected_or(p + *n, found);

	*n = (uint32_t)(q - p);
	return q > p && q < end ? q : NULL;
}

/* Any value at p: *text is its text without quotes; returns the byte behind it, or NULL when it is
 * malformed or incomplete.  n: as in scalar_end. */
HOT_INLINE const char *value(
	const char *p, const char *end, struct span *text, bool *escaped, bool *quoted, uint32_t *n)
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
		q = nested_end(*p, p + 1, end);
		*text = (struct span){ p, q ? (size_t)(q - p) : 0 };
		return q;
	}
	q = scalar_end(p, end, n);
	*text = (struct span){ p, *n };
	return q;
}
