/* The companion that disguises what an event says. */
#include "edit/anonymize.h"

#include "analyze/input/text/json_text.h"
#define XXH_INLINE_ALL
#include <xxhash.h>
#include "edit/choice.h"
#include "edit/window_notes.h"
#include "report/escape.h"

/* Private words that a window has seen lately, so that each is noted about once. */
enum { RECENT = 4096 };

/* ---- JSON, text by text ---- */

/* What is done with a text of JSON: it is written disguised, or its private words are gathered. */
struct walk {
	const struct disguise *d;
	struct str *out; /* NULL: they are gathered */
	struct str *seen;
	struct arena *mem;
	bool is_device;    /* it is about devices */
	bool keeps_kernel; /* the value of "kernel" stays */
	bool keeps_names;  /* and so do texts that are names that stay */
};

/* Whether the window has seen it lately.  It has, from now on. */
static bool was_seen(struct str *seen, uint64_t hash)
{
	uint64_t recent;

	while (seen->n < RECENT * sizeof(hash))
		str_add(seen, "\0\0\0\0\0\0\0\0", sizeof(hash));
	char *slot = seen->s + hash % RECENT * sizeof(hash);
	memcpy(&recent, slot, sizeof(recent));
	memcpy(slot, &hash, sizeof(hash));
	return recent == hash;
}

/* is_kept: it is a name that stays. */
static void gather_word(struct str *seen, struct span word, bool is_kept)
{
	if (!was_seen(seen, XXH3_64bits(word.p, word.n)))
		notes_add(seen, &is_kept, sizeof(is_kept), &word, 1);
}

/* inside: between the quotes. */
static void walk_text(const struct walk *w, struct span inside)
{
	SCOPED_STR plain = { 0 };
	unsigned bad = 0;

	/* Most texts come again and again: their words are known. */
	if (!w->out && was_seen(w->seen, ~XXH3_64bits(inside.p, inside.n)))
		return;
	struct span text =
		memchr(inside.p, '\\', inside.n) ? json_unescape(inside, w->mem, &bad) : inside;
	if (!w->out) {
		struct disguise_reader r = { .text = text, .is_device = w->is_device };
		struct disguise_piece piece;
		while (disguise_next(w->d, &r, &piece))
			if (piece.is_private)
				gather_word(w->seen, piece.text, false);
		return;
	}
	if (w->keeps_names && disguise_keeps(w->d, text)) {
		escape_json(w->out, text);
		return;
	}
	disguise_put(w->d, text, w->is_device, &plain);
	escape_json(w->out, (struct span){ plain.s ? plain.s : "", plain.n });
}

/* The '"' that ends the string whose inside begins at p; NULL: there is none. */
static const char *string_end(const char *p, const char *end)
{
	for (; p < end && *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p < end ? p : NULL;
}

static void copy(const struct walk *w, const char *p, size_t n)
{
	if (w->out)
		str_add(w->out, p, n);
}

/* A number or one of JSON's words, or what stands between values; 0: it is nothing of JSON. */
static size_t plain_at(const char *p, const char *end)
{
	static const char *const words[] = { "true", "false", "null", "NaN", "Infinity" };
	struct span left = { p, (size_t)(end - p) };

	if (memchr(" \t\r\n{}[]:,0123456789+-.eE", *p, 26))
		return 1;
	return FIND_VALUE(i, COUNT_OF(words), span_starts(left, words[i]), strlen(words[i]), 0);
}

/* Whether what ends there is a key. */
static bool is_key(const char *p, const char *end)
{
	while (p < end && memchr(" \t\r\n", *p, 4))
		p++;
	return p < end && *p == ':';
}

/* A value, with all that is in it; false: it is no JSON. */
static bool walk_json(const struct walk *w, struct span text)
{
	const char *p = text.p, *end = text.p + text.n, *quote;
	bool is_kernel = false;
	size_t n;

	while (p < end) {
		if (*p != '"') {
			n = plain_at(p, end);
			if (n == 0)
				return false;
			copy(w, p, n);
			p += n;
			continue;
		}
		quote = string_end(p + 1, end);
		if (!quote)
			return false;
		if (is_kernel)
			copy(w, p, (size_t)(quote + 1 - p));
		else
			walk_text(w, (struct span){ p + 1, (size_t)(quote - p - 1) });
		is_kernel = w->keeps_kernel && is_key(quote + 1, end) &&
			span_is((struct span){ p, (size_t)(quote + 1 - p) }, "\"kernel\"");
		p = quote + 1;
	}
	return true;
}

/* ---- events ---- */

/* Calls of drivers and run-time libraries are named by those. */
static bool is_api(struct span name)
{
	return span_starts_in(name, "cu|hip|hsa|nccl|ze|mc|acl");
}

static bool keeps_name(const struct facts *f, struct span name)
{
	return kind_is_device(f->kind) || (f->kind == KIND_RUNTIME && is_api(name));
}

/* Members of an event whose values are numbers or letters of the format. */
static bool is_of_format(struct span key)
{
	return span_in(key, "ph|ts|dur|tts|tdur|s|bp");
}

static bool is_known(struct span key)
{
	return span_in(key, "name|cat|pid|tid|id|id2|args|sf|cname");
}

/* Numbers, and texts of up to two letters. */
static bool is_short(struct span value)
{
	if (value.n >= 2 && value.p[0] == '"' && value.n <= 4)
		return true;
	return ALL(i, value.n, memchr("0123456789+-.eE\"", value.p[i], 16));
}

static bool walk_part(const struct walk *w, const struct facts *f, const struct part_of *part)
{
	struct walk of = *w;

	of.keeps_kernel = span_is(part->key, "args") && f->kind == KIND_RUNTIME;
	return walk_json(&of, part->value);
}

/* What of an event is looked at: its members but those of the format, and a name that stays. */
static bool is_walked(const struct facts *f, struct parts *parts, const struct part_of *part)
{
	if (is_of_format(part->key) && is_short(part->value))
		return false;
	return !span_is(part->key, "name") || !keeps_name(f, parts_text(parts, "name"));
}

static void see(void *ctx, struct batch *b, const struct tap_event *event, struct str *seen)
{
	const struct facts f = choice_facts(event, b);
	const struct walk w = { .d = ctx, .seen = seen, .mem = &b->mem };
	struct parts parts;

	if (event->is_mended || !parts_read(&parts, event->text))
		return;
	for (size_t i = 0; i < parts.n; i++)
		if (is_known(parts.v[i].key) && is_walked(&f, &parts, &parts.v[i]))
			(void)walk_part(&w, &f, &parts.v[i]);
	if (keeps_name(&f, parts_text(&parts, "name"))) {
		unsigned bad = 0;

		gather_word(seen, json_unescape(parts_text(&parts, "name"), &b->mem, &bad), true);
	}
}

static void take(void *ctx, const struct str *seen)
{
	struct disguise *d = ctx;
	const size_t recent = RECENT * sizeof(uint64_t);
	struct span left = { 0 }, word;
	bool is_kept;

	if (seen->n)
		left = (struct span){ seen->s + recent, seen->n - recent };
	while (notes_next(&left, &is_kept, sizeof(is_kept), &word, 1)) {
		if (is_kept)
			disguise_keep(d, word);
		else
			disguise_note(d, word);
	}
}

/* What was changed before counts as it is by now: a process that another change has moved. */
static struct span value_of(const struct part_of *part)
{
	return part->with.p ? part->with : part->value;
}

static bool apply(void *ctx, struct changing *c)
{
	struct disguise *d = ctx;

	/* The words of an event that the first reading has not met. */
	if (c->event->offset < 0) {
		SCOPED_STR seen = { 0 };
		const struct walk w = { .d = d, .seen = &seen, .mem = c->mem };
		for (size_t i = 0; i < c->parts->n; i++)
			(void)walk_json(&w, value_of(&c->parts->v[i]));
		take(d, &seen);
	}
	for (size_t i = 0; i < c->parts->n; i++) {
		struct part_of *part = &c->parts->v[i], now = *part;
		SCOPED_STR out = { 0 };
		struct walk w = {
			.d = d, .out = &out, .mem = c->mem, .keeps_names = c->event->offset < 0
		};

		now.value = value_of(part);
		if (part->is_gone || (is_of_format(part->key) && is_short(now.value)))
			continue;
		if (!is_known(part->key)) {
			part->is_gone = true;
			continue;
		}
		if (!is_walked(c->facts, c->parts, part))
			continue;
		if (!walk_part(&w, c->facts, &now))
			return false;
		part_becomes(part, &out, c->mem);
	}
	return true;
}

/* ---- members ---- */

/* The value of a member, between its quotes where it is a string: what becomes of it. */
static struct span change_member(
	void *ctx, struct span key, struct span value, bool quoted, struct arena *mem)
{
	struct disguise *d = ctx;
	SCOPED_STR out = { 0 }, text = { 0 }, seen = { 0 };
	struct walk w = {
		.d = d, .seen = &seen, .mem = mem, .is_device = span_is(key, "deviceProperties")
	};
	struct span to = { 0 };

	if (!disguise_is_public(d, key))
		return to;
	str_adds(&text, quoted ? "\"" : "");
	str_add(&text, value.p, value.n);
	str_adds(&text, quoted ? "\"" : "");
	value = (struct span){ text.s, text.n };
	if (walk_json(&w, value)) {
		take(d, &seen);
		w.out = &out;
		(void)walk_json(&w, value);
		to.n = out.n - (quoted ? 2 : 0);
		to.p = arena_copy(mem, out.s + quoted, to.n);
	}
	return to;
}

struct companion anonymize_companion(struct disguise *d)
{
	return (struct companion){
		.see = see,
		.take = take,
		.change = { .apply = apply, .member = change_member, .is_strict = true, .ctx = d },
		.ctx = d,
	};
}
