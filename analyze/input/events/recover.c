/*
 * The slow reader of one event, strict or lenient.
 *
 * Kineto before 2026 wrote names and arguments unescaped, so a quote inside a string is the usual
 * damage.  Its place is unambiguous as long as the text behind the true end looks like JSON again.
 */
#include "analyze/input/events/recover.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/text/limits.h"
#include "base/base.h"

/* --- anchors: places where an event seems to open, by what stands around its '{' --- */

enum { FARTHEST_BLANKS = 256, FARTHEST_PHASE = 512 };

const char *anchor_blanks(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p <= 0x20)
		p++;
	return p;
}

static bool is_event_key(const char *p, const char *end)
{
	static const char *const keys[] = { "\"ph\"", "\"name\"", "\"cat\"", "\"pid\"", "\"tid\"",
		"\"ts\"", "\"dur\"", "\"args\"", "\"id\"", "\"s\"", "\"bp\"", "\"tts\"" };

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		size_t n = strlen(keys[i]);

		if ((size_t)(end - p) > n && memcmp(p, keys[i], n) == 0)
			return true;
	}
	return false;
}

bool anchor_opens_event(const char *p, const char *end)
{
	return is_event_key(anchor_blanks(p + 1, end), end);
}

bool anchor_is(const char *begin, const char *p, const char *end)
{
	const char *q = p;

	while (q > begin && p - q < FARTHEST_BLANKS && (unsigned char)q[-1] <= 0x20)
		q--;
	if (q > begin && q[-1] == ',') {
		q--;
		while (q > begin && p - q < FARTHEST_BLANKS && (unsigned char)q[-1] <= 0x20)
			q--;
	}
	if (q == begin || q[-1] != '}')
		return false;
	const char *next = anchor_blanks(p + 1, end);
	return next - p <= FARTHEST_BLANKS && is_event_key(next, end);
}

const char *anchor_next(const char *begin, const char *p, const char *end)
{
	for (; p < end; p++) {
		p = memchr(p, '{', (size_t)(end - p));
		if (!p)
			return NULL;
		if (anchor_is(begin, p, end))
			return p;
	}
	return NULL;
}

bool anchor_shows_phase(const char *p, const char *end)
{
	end = end - p > FARTHEST_PHASE ? p + FARTHEST_PHASE : end;
	const char *close = memchr(p, '}', (size_t)(end - p));
	return memmem(p, (size_t)((close ? close : end) - p), "\"ph\"", 4) != NULL;
}

/* --- one event --- */

enum { LONGEST_KEY = 64 };

struct reader {
	const struct plan *plan;
	const char *p, *end;
	bool lenient;
	bool ran_out; /* the text ended inside something */
};

/* At p: "key" and a colon. */
static bool is_key(const char *p, const char *end)
{
	const char *q;

	if (p >= end || *p != '"')
		return false;
	for (q = p + 1; q < end && q - p <= LONGEST_KEY && *q != '"'; q++)
		if (*q == '\\' || *q == '\n')
			return false;
	if (q >= end || *q != '"' || q == p + 1)
		return false;
	q = anchor_blanks(q + 1, end);
	return q < end && *q == ':';
}

/* A bracket at p closes something when a comma, another bracket or the end comes next. */
static bool closes(const char *p, const char *end)
{
	p = anchor_blanks(p + 1, end);
	return p == end || *p == ',' || *p == '}' || *p == ']';
}

/* Where a value stands. */
enum place { IN_EVENT, IN_ARGS, IN_OBJECT, IN_ARRAY };

/* Behind the '}' at p: does what follows agree with the value before it having stood there? */
static bool closes_object(const char *p, const char *end, enum place place)
{
	const char *q = anchor_blanks(p + 1, end);

	if (q == end)
		return true;
	if (place == IN_ARGS)
		return *q == '}' || (*q == ',' && is_key(anchor_blanks(q + 1, end), end));
	if (place == IN_OBJECT)
		return closes(p, end);
	if (*q == ',')
		q = anchor_blanks(q + 1, end);
	return q == end || *q == '{' || *q == ']' || *q == ',';
}

/* Does what stands behind a quote show that it ends a value? */
static bool ends_value(const char *p, const char *end, enum place place)
{
	p = anchor_blanks(p, end);
	if (p == end)
		return true;
	if (*p == ']')
		return place == IN_ARRAY && closes(p, end);
	if (*p == '}')
		return place != IN_ARRAY && closes_object(p, end, place);
	if (*p != ',')
		return false;
	p = anchor_blanks(p + 1, end);
	return place == IN_ARRAY ? p < end && strchr("\"[{-0123456789tfnN", *p) != NULL
				 : is_key(p, end);
}

static bool out_of_text(struct reader *r)
{
	r->ran_out = true;
	return false;
}

/* At the opening quote; *text is the inside. */
static bool read_string(
	struct reader *r, struct span *text, bool *escaped, bool is_value, enum place place)
{
	const char *begin = ++r->p;

	*escaped = false;
	for (; r->p < r->end; r->p++) {
		bool lenient = r->lenient && is_value;

		if (*r->p == '\\' &&
			!(lenient && r->p + 1 < r->end && r->p[1] == '"' &&
				ends_value(r->p + 2, r->end, place))) {
			*escaped = true;
			r->p++;
			continue;
		}
		if (*r->p == '\\') { /* the quote behind it ends the string after all */
			*escaped = true;
			continue;
		}
		if (lenient && *r->p == '{' && anchor_is(begin, r->p, r->end) &&
			anchor_shows_phase(r->p, r->end))
			return false; /* the next event: the quote is missing here */
		if (*r->p != '"' || (lenient && !ends_value(r->p + 1, r->end, place)))
			continue;
		*text = (struct span){ begin, (size_t)(r->p - begin) };
		r->p++;
		return true;
	}
	return out_of_text(r);
}

static bool read_scalar(struct reader *r, struct span *text)
{
	const char *begin = r->p;

	while (r->p < r->end && (unsigned char)*r->p > 0x20 && !strchr(",}]\"{[:", *r->p))
		r->p++;
	*text = (struct span){ begin, (size_t)(r->p - begin) };
	return r->p == r->end ? out_of_text(r) : text->n > 0;
}

/* Behind a string only a comma, a colon or a closing bracket can stand. */
static bool may_follow_string(struct reader *r)
{
	const char *q = anchor_blanks(r->p, r->end);

	if (q == r->end)
		return out_of_text(r);
	return *q == ',' || *q == ':' || *q == '}' || *q == ']';
}

/* Brackets nested deeper than anybody writes by accident: strict text is passed over as it is. */
static bool pass_deep(struct reader *r)
{
	struct skip s = { .open = *r->p, .depth = 1 };

	if (r->lenient)
		return false;
	r->p++;
	enum skip_end e = r->plan->scanner->skip(&s, &r->p, r->end);
	return e == SKIP_MORE ? out_of_text(r) : e == SKIP_DONE;
}

/* A bracket's inside, to its end; strings by the reader's rule. */
static bool read_nested(struct reader *r, struct span *text)
{
	const char *begin = r->p;
	uint64_t arrays = 0; /* bit i: the i-th bracket from inside is a '[' */
	size_t depth = 0;
	struct span inside;
	bool escaped;

	while (r->p < r->end) {
		char c = *r->p;

		if (c == '"') {
			const char *q = r->p;
			bool is_key_here = !(arrays & 1) && is_key(q, r->end);

			if (!read_string(r, &inside, &escaped, !is_key_here,
				    arrays & 1 ? IN_ARRAY : IN_OBJECT) ||
				!may_follow_string(r))
				return false;
			continue;
		}
		if (c == '{' || c == '[') {
			if (depth == LIMIT_JSON_DEPTH) {
				if (!pass_deep(r))
					return false;
				continue;
			}
			depth++;
			arrays = arrays << 1 | (c == '[');
		} else if (c == '}' || c == ']') {
			if ((arrays & 1) != (c == ']'))
				return false;
			arrays >>= 1;
			if (--depth == 0) {
				r->p++;
				*text = (struct span){ begin, (size_t)(r->p - begin) };
				return true;
			}
		}
		r->p++;
	}
	return out_of_text(r);
}

struct item {
	struct span key, text;
	bool escaped, quoted;
};

static bool read_value(struct reader *r, struct item *it, enum place place)
{
	it->quoted = it->escaped = false;
	if (r->p >= r->end)
		return out_of_text(r);
	if (*r->p == '"') {
		it->quoted = true;
		return read_string(r, &it->text, &it->escaped, true, place);
	}
	if (*r->p == '{' || *r->p == '[')
		return read_nested(r, &it->text);
	return read_scalar(r, &it->text);
}

/* "key": up to the value's first byte. */
static bool read_key(struct reader *r, struct item *it)
{
	bool escaped;

	r->p = anchor_blanks(r->p, r->end);
	if (r->p >= r->end)
		return out_of_text(r);
	if (*r->p != '"' || !read_string(r, &it->key, &escaped, false, IN_OBJECT))
		return false;
	r->p = anchor_blanks(r->p, r->end);
	if (r->p >= r->end)
		return out_of_text(r);
	if (*r->p != ':')
		return false;
	r->p = anchor_blanks(r->p + 1, r->end);
	return true;
}

/* Behind a member: true at a ',' (passed) or the '}' (not passed). */
static bool read_separator(struct reader *r)
{
	r->p = anchor_blanks(r->p, r->end);
	if (r->p >= r->end)
		return out_of_text(r);
	if (*r->p == ',') {
		r->p++;
		return true;
	}
	return *r->p == '}';
}

/* True when the object is over (its '}' passed). */
static bool at_close(struct reader *r)
{
	r->p = anchor_blanks(r->p, r->end);
	if (r->p >= r->end || *r->p != '}')
		return false;
	r->p++;
	return true;
}

static bool read_args(const struct plan *plan, struct reader *r, struct raw_event *raw)
{
	struct item it;

	raw->have |= RAW_ARGS;
	r->p++;
	while (!at_close(r)) {
		if (!read_key(r, &it) || !read_value(r, &it, IN_ARGS) || !read_separator(r))
			return false;
		uint8_t id = it.key.n ? plan_key(plan, it.key.p, it.key.n) : PLAN_NO_KEY;
		if (id == PLAN_NO_KEY)
			continue;
		uint64_t bit = UINT64_C(1) << id;
		raw->arg[id] = it.text;
		raw->found |= bit;
		raw->escaped = it.escaped ? raw->escaped | bit : raw->escaped & ~bit;
		raw->quoted = it.quoted ? raw->quoted | bit : raw->quoted & ~bit;
	}
	return true;
}

static void take(struct raw_event *raw, const struct item *it)
{
	static const struct {
		const char *key;
		unsigned field, escaped;
		size_t at;
	} fields[] = {
		{ "name", RAW_NAME, RAW_NAME_ESCAPED, offsetof(struct raw_event, name) },
		{ "cat", RAW_CAT, RAW_CAT_ESCAPED, offsetof(struct raw_event, cat) },
		{ "pid", RAW_PID, RAW_LANE_ESCAPED, offsetof(struct raw_event, pid) },
		{ "tid", RAW_TID, RAW_LANE_ESCAPED, offsetof(struct raw_event, tid) },
		{ "ts", RAW_TS, 0, offsetof(struct raw_event, ts) },
		{ "dur", RAW_DUR, 0, offsetof(struct raw_event, dur) },
		{ "id", RAW_ID, 0, offsetof(struct raw_event, id) },
	};

	if (span_is(it->key, "ph") && it->quoted && it->text.n == 1) {
		raw->ph = it->text.p[0];
		raw->have |= RAW_PH;
	}
	for (size_t i = 0; i < COUNT_OF(fields); i++)
		if (span_is(it->key, fields[i].key) && (i > 1 || it->quoted)) {
			memcpy((char *)raw + fields[i].at, &it->text, sizeof(it->text));
			raw->have |= fields[i].field | (it->escaped ? fields[i].escaped : 0);
		}
}

static bool read_event(const struct plan *plan, struct reader *r, struct raw_event *raw)
{
	struct item it;

	r->p++;
	while (!at_close(r)) {
		if (!read_key(r, &it))
			return false;
		if (span_is(it.key, "args") && r->p < r->end && *r->p == '{') {
			if (!read_args(plan, r, raw) || !read_separator(r))
				return false;
			continue;
		}
		if (!read_value(r, &it, IN_EVENT) || !read_separator(r))
			return false;
		take(raw, &it);
	}
	return true;
}

enum recover_end recover_event(const struct plan *plan, struct batch *b UNUSED,
	struct raw_event *raw, const char *p, const char *end, bool lenient, const char **after)
{
	struct reader r = { plan, p, end, lenient, false };

	if (lenient && end - p > LIMIT_RESYNC_BYTES)
		r.end = p + LIMIT_RESYNC_BYTES;
	raw_begin(raw, p);
	if (read_event(plan, &r, raw)) {
		*after = r.p;
		return RECOVER_OK;
	}
	*after = MIN(r.p, r.end);
	return r.ran_out && !lenient ? RECOVER_MORE : RECOVER_BAD;
}
