/*
 * The scanner's memory of args.  Included by scan_impl.h, for each vector unit.
 *
 * A kernel is launched with the same grid again, an operator called with the same shapes, so most
 * args have been seen before, but for the digits of their numbers: ids count up.  Text that is
 * equal to what was read before but for digits, each in the place of another, reads the same:
 * quotes, backslashes, brackets and blanks decide where keys and values begin and end, and no key
 * that anybody wants has a digit.  So the arguments are where they were, and none has come or gone.
 */
enum { PATTERNS = 1024, PATTERN_MOST_BYTES = 4096, PATTERN_KEYS = 16 };

struct pattern {
	uint64_t text_at;                              /* of which text: see struct gaps */
	const char *text;                              /* in the window, behind the '{' */
	uint32_t n;                                    /* bytes, with the '}' */
	uint64_t want;                                 /* what was looked for */
	uint64_t found, escaped, quoted;               /* as raw_event's */
	uint16_t at[PATTERN_KEYS], size[PATTERN_KEYS]; /* of those found: where in text, bytes */
	uint16_t sets_from, sets_to;                   /* of those that sets have: where in text */
	struct raw_sets sets;                          /* with these bytes there */
};

/* The same text but for digits; n bytes and more are readable at p. */
HOT_INLINE bool is_alike(const char *p, const char *q, uint32_t n)
{
	for (; n > GAP_BYTES; n -= GAP_BYTES, p += GAP_BYTES, q += GAP_BYTES)
		if (!alike(p, q, GAP_BYTES))
			return false;
	return alike(p, q, n);
}

/* Takes the arguments of args that are as expected; returns the byte behind, or NULL. */
HOT_INLINE const char *take_pattern(
	struct pattern *m, struct raw_event *raw, uint64_t want, const char *p, const char *end)
{
	uint64_t left = m->found;

	if (m->want != want || raw->found || end - p < m->n || !is_alike(p, m->text, m->n))
		return NULL;
	raw->found = m->found;
	raw->escaped = m->escaped;
	raw->quoted = m->quoted;
	for (unsigned k = 0; left; left &= left - 1, k++)
		raw->arg[__builtin_ctzll(left)] = (struct span){ p + m->at[k], m->size[k] };
	if (m->sets_from < m->sets_to &&
		memcmp(p + m->sets_from, m->text + m->sets_from,
			(size_t)(m->sets_to - m->sets_from)) == 0)
		raw->sets = &m->sets;
	return p + m->n;
}

/* Expects these args, of which nothing was known before, the next time; false: they are too many.
 */
static bool learn_pattern(struct pattern *m, struct raw_event *raw, uint64_t want,
	uint64_t set_keys, const char *p, const char *end)
{
	uint64_t left = raw->found;

	if (end - p > PATTERN_MOST_BYTES || __builtin_popcountll(left) > PATTERN_KEYS)
		return false;
	m->text = p;
	m->n = (uint32_t)(end - p);
	m->want = want;
	m->found = raw->found;
	m->escaped = raw->escaped;
	m->quoted = raw->quoted;
	m->sets_from = UINT16_MAX;
	m->sets_to = 0;
	m->sets.known = 0;
	for (unsigned k = 0; left; left &= left - 1, k++) {
		unsigned key = (unsigned)__builtin_ctzll(left);
		struct span text = raw->arg[key];

		m->at[k] = (uint16_t)(text.p - p);
		m->size[k] = (uint16_t)text.n;
		if (!(set_keys >> key & 1))
			continue;
		m->sets_from = (uint16_t)MIN(m->sets_from, m->at[k]);
		m->sets_to = (uint16_t)MAX(m->sets_to, m->at[k] + m->size[k]);
	}
	if (m->sets_from < m->sets_to)
		raw->sets = &m->sets;
	return true;
}
