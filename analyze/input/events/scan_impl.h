/* The scanner's body, compiled once per vector unit.  The including file defines
 *
 *   find_quote(p)    first '"' or '\\' at or behind p
 *   find_nonblank(p) first byte > 0x20 at or behind p
 *   find_scalar_end(p) first byte that ends a number or word: <= 0x20, ',', '}', ']', '"'
 *   classify(p, open, m) masks of the 64 bytes at p; open: which bracket
 *   SCANNER_XORS     if it has a prefix_xor(x) of its own: bit i = xor of bits 0..i
 *   same(p, q, n)    the n <= GAP_BYTES bytes at p and q are equal (GAP_BYTES readable at both)
 *   alike(p, q, n)   the same, but where digits stand in both
 *   SCANNER, SCANNER_NAME
 *   SCANNER_LEARNS   0: reads each event as if it were the first
 *
 * and includes this.  Every loop stops at the '"' behind the window at the latest; whatever ends at
 * or behind `end` is incomplete. */
#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/decode.h"

/* What is compared at a time. */
enum { GAP_BYTES = 32 };

#include "analyze/input/events/scan_skip_impl.h"
#include "analyze/input/events/scan_pattern_impl.h"
#include "analyze/input/events/scan_args_impl.h"

static enum field field_of(const char *key, size_t n)
{
	static const struct {
		const char *key;
		size_t n;
	} fields[] = { { "ph", 2 }, { "name", 4 }, { "cat", 3 }, { "pid", 3 }, { "tid", 3 },
		{ "ts", 2 }, { "dur", 3 }, { "args", 4 }, { "id", 2 } };

	for (unsigned i = 0; i < COUNT_OF(fields); i++)
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
		raw->cat_by = NULL;
		raw->have |= quoted ? escaped ? RAW_CAT | RAW_CAT_ESCAPED : RAW_CAT : 0;
		break;
	case FIELD_NAME:
		raw->name = text;
		raw->named_by = NULL;
		raw->have |= quoted ? escaped ? RAW_NAME | RAW_NAME_ESCAPED : RAW_NAME : 0;
		break;
	case FIELD_PID:
		raw->pid = text;
		raw->placed_by = NULL;
		raw->have |= escaped ? RAW_PID | RAW_LANE_ESCAPED : RAW_PID;
		break;
	case FIELD_TID:
		raw->tid = text;
		raw->placed_by = NULL;
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
	case FIELD_ID:
		raw->id = text;
		raw->have |= RAW_ID;
		break;
	default: break;
	}
}

/* From the value behind p's to the next: over the gap that is known, or token by token. */
HOT_INLINE const char *next_value(
	struct gaps *gaps, const char *p, const char *end, uint32_t *field)
{
	struct gap *ways = gaps->behind[*field];

	if (LIKELY(gap_fits(&ways[0], p))) {
		*field = ways[0].id;
		return p + ways[0].n;
	}
	if (gap_fits(&ways[1], p)) {
		*field = ways[1].id;
		return p + ways[1].n;
	}
	return next_field(ways, p, end, (enum field) * field, field);
}

/* The same as a phrase's text, of which more than n bytes are readable at p. */
HOT_INLINE bool is_phrase(const struct phrase *ph, const char *p)
{
	const char *q = ph->text;
	uint32_t n = ph->n;

	for (; n > GAP_BYTES; n -= GAP_BYTES, p += GAP_BYTES, q += GAP_BYTES)
		if (!same(p, q, GAP_BYTES))
			return false;
	return same(p, q, n);
}

/* Takes over what a phrase says. */
HOT_INLINE void take_phrase(struct raw_event *raw, struct phrase *ph)
{
	raw->have |= ph->have;
	if (ph->have & RAW_PH)
		raw->ph = ph->ph;
	if (ph->have & RAW_CAT) {
		raw->cat = ph->cat;
		raw->kind_cat = ph->kind_cat;
		raw->cat_by = ph;
	}
	if (ph->have & RAW_NAME) {
		raw->name = ph->name;
		raw->named_by = ph;
	}
	if (ph->have & RAW_PID)
		raw->pid = ph->pid;
	if (ph->have & RAW_TID)
		raw->tid = ph->tid;
	if (ph->have & (RAW_PID | RAW_TID))
		raw->placed_by = raw_says(ph->have, RAW_PID | RAW_TID) ? ph : NULL;
}

/* Reads a phrase value by value: at p is the event's '{' or the end of a value of *field.  Returns
 * the first byte of the value that follows, or what next_field does; *field is then its field. */
static NEVER_INLINE const char *read_phrase(struct batch *b, struct gaps *gaps,
	struct raw_event *raw, const char *p, const char *end, uint32_t *field)
{
	struct phrase draft = { .text = p }, *known = NULL;
	unsigned had = raw->have;
	bool sound = true;

	raw->have = 0;
	for (;;) {
		struct span text;
		bool escaped, quoted;

		p = next_value(gaps, p, end, field);
		if (!p || *field > LAST_STEADY)
			break;
		p = value(nonblank(p), end, &text, &escaped, &quoted, &gaps->value_n[*field]);
		take_field(raw, *field, text, escaped, quoted);
		sound &= (raw->have >> *field & 1) != 0;
		if (!p)
			return NULL;
	}
	draft.have = raw->have;
	raw->have |= had;
	if (!p)
		return NULL;
	if (SCANNER_LEARNS && sound && p - draft.text <= PHRASE_MOST_BYTES) {
		draft.n = (uint32_t)(p - draft.text);
		draft.field = *field;
		draft.ph = raw->ph;
		draft.cat = raw->cat;
		draft.name = raw->name;
		draft.pid = raw->pid;
		draft.tid = raw->tid;
		known = phrases_learn(&b->phrases, &draft);
	}
	phrases_note(&b->phrases, known);
	if (known)
		take_phrase(raw, known);
	return p;
}

/* As next_value, where a phrase begins: the one that is expected, or what stands there. */
HOT_INLINE const char *next_phrase(struct batch *b, struct gaps *gaps, struct raw_event *raw,
	const char *p, const char *end, uint32_t *field)
{
	struct phrase *guess = phrases_guess(&b->phrases);

	if (LIKELY(SCANNER_LEARNS && guess->n && end - p > guess->n && is_phrase(guess, p))) {
		phrases_note(&b->phrases, guess);
		take_phrase(raw, guess);
		*field = guess->field;
		return p + guess->n;
	}
	return read_phrase(b, gaps, raw, p, end, field);
}

/* The event that opens at p: fills raw; returns the byte behind its '}', or NULL. */
HOT_INLINE const char *scan_event(const struct plan *plan, struct batch *b, struct gaps *gaps,
	struct raw_event *raw, const char *p, const char *end)
{
	uint32_t field = FIELD_NONE;

	raw_begin(raw, p);
	p = next_phrase(b, gaps, raw, p, end, &field);
	for (;;) {
		struct span text;
		bool escaped, quoted;

		if (!p || field == FIELD_END)
			return p;
		p = nonblank(p); /* what was expected ends where this value's blanks may begin */
		if (field == FIELD_ARGS && *p == '{') {
			unsigned class = decode_class(b, raw);
			size_t at = phrases_due(&b->phrases) % PATTERNS;

			raw->have |= RAW_ARGS;
			p = scan_args(plan, gaps, class, &gaps->pattern[at], raw, p + 1, end);
		} else {
			p = value(p, end, &text, &escaped, &quoted, &gaps->value_n[field]);
			take_field(raw, field, text, escaped, quoted);
		}
		if (UNLIKELY(!p))
			return NULL;
		const char *from = p;
		uint32_t was = field;
		p = next_value(gaps, p, end, &field);
		if (p && field <= LAST_STEADY) {
			field = was;
			p = next_phrase(b, gaps, raw, from, end, &field);
		}
	}
}

/* Up to the next event's '{', ',' and so on, a token at a time. */
static const char *next_event(struct gaps *gaps, const char *p, const char *end, bool comma)
{
	const char *q = nonblank(p);

	if (q >= end || *q != ',' || comma)
		return q;
	const char *r = nonblank(q + 1);
	if (*r == '{')
		gap_learn(&gaps->between, p, r + 1, 0);
	return q;
}

static enum scan_end scan_events(const struct plan *plan, struct batch *b, const char **at,
	const char *text, const char *end, int64_t base, bool *comma)
{
	const char *p = *at, *q;
	struct raw_event raw;
	struct gaps *gaps = gaps_begin(b);

	for (;;) {
		if (LIKELY(!*comma && gap_fits(&gaps->between, p))) {
			p += gaps->between.n - 1;
			*comma = true;
		} else {
			p = next_event(gaps, p, end, *comma);
		}
		*at = p;
		if (p >= end)
			return SCAN_MORE;
		switch (*p) {
		case '{':
			q = scan_event(plan, b, gaps, &raw, p, end);
			if (UNLIKELY(!q || q > end))
				return SCAN_BAD;
			if (UNLIKELY(!*comma))
				batch_problem(b, PROBLEM_COMMA, base + (p - text));
			*comma = false;
			decode_event(plan, b, &raw, base + (p - text));
			if (UNLIKELY(plan->tap != NULL))
				decode_tap(plan, b, &raw, q, false, base + (p - text));
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
