/* The batch: dictionary, categories, and the emptying between windows. */
#include "analyze/input/events/event_batch.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analyze/input/text/json_text.h"
#include "analyze/input/text/limits.h"

enum { FIRST_SLOTS = 4096 };

static uint32_t *new_slots(size_t n)
{
	uint32_t *s = xcalloc(n, sizeof(*s));

	return s;
}

void batch_init(struct batch *b, unsigned needs, uint64_t seed)
{
	*b = (struct batch){ .seed = seed, .nslot = FIRST_SLOTS };
	events_init(&b->events);
	args_init(&b->args, needs);
	lanes_init(&b->lanes);
	ids_init(&b->ids);
	phrases_init(&b->phrases, seed);
	b->slot = new_slots(b->nslot);
	batch_reset(b);
}

void batch_clear(struct batch *b)
{
	events_clear(&b->events);
	args_clear(&b->args);
	lanes_clear(&b->lanes);
	ids_clear(&b->ids);
	arena_clear(&b->mem);
	phrases_clear(&b->phrases);
	FREE_ALL(b->dict, b->slot, b->cat, b->cat_of, b->name, b->member, b->arrows.v);
	for (size_t i = 0; i < SET_COUNT; i++)
		free(b->set_memo[i]);
	free(b->scan_memory);
	for (size_t i = 0; i < TAP_TEXTS; i++)
		str_free(&b->tapped.text[i]);
	*b = (struct batch){ 0 };
}

static void empty_dictionary(struct batch *b)
{
	if (b->nslot > 16 * FIRST_SLOTS) { /* a hostile window's table is not kept */
		free(b->slot);
		b->nslot = FIRST_SLOTS;
		b->slot = new_slots(b->nslot);
	} else {
		memset(b->slot, 0, b->nslot * sizeof(*b->slot));
	}
	b->ndict = 0;
	(void)batch_text(b, (struct span){ "", 0 }, -1);
}

struct batch_member batch_member_copy(const struct batch_member *v, struct arena *mem)
{
	struct batch_member copy = *v;

	copy.key.p = arena_copy(mem, v->key.p, v->key.n);
	copy.value.p = arena_copy(mem, v->value.p, v->value.n);
	return copy;
}

void batch_reset(struct batch *b)
{
	b->events.n = 0;
	args_empty(&b->args);
	lanes_clear(&b->lanes);
	lanes_init(&b->lanes);
	ids_clear(&b->ids);
	tally_init(&b->tally);
	memset(b->cat_memo, 0, sizeof(b->cat_memo));
	memset(b->lane_memo, 0, sizeof(b->lane_memo));
	b->round++;
	memset(b->kind_count, 0, sizeof(b->kind_count));
	for (size_t i = 0; i < b->ncat; i++)
		if (b->cat[i].present)
			b->cat_of[b->cat[i].name] = 0;
	for (size_t i = 0; i < TAP_TEXTS; i++)
		if (b->tapped.text[i].n)
			str_reset(&b->tapped.text[i]);
	b->tapped.n = 0;
	b->no_cat = 0;
	b->ncat = b->nname = b->nmember = b->arrows.n = 0;
	b->nevent = 0;
	b->first = b->bare_first = INT64_MAX;
	b->last = b->bare_last = b->zero_last = INT64_MIN;
	b->saw_window_end = b->saw_begin_end = false;
	arena_clear(&b->mem);
	phrases_reset(&b->phrases);
	empty_dictionary(b);
}

static void grow_slots(struct batch *b)
{
	free(b->slot);
	b->nslot *= 4;
	b->slot = new_slots(b->nslot);
	for (size_t i = 0; i < b->ndict; i++) {
		size_t at = (uint32_t)(b->dict[i].hash >> 32) & (b->nslot - 1);

		while (b->slot[at])
			at = (at + 1) & (b->nslot - 1);
		b->slot[at] = (uint32_t)i + 1;
	}
}

/* What is odd about a new text. */
static unsigned oddity(struct span t)
{
	unsigned odd = 0;
	unsigned char high = 0;

	for (size_t i = 0; i < t.n; i++) {
		high |= (unsigned char)t.p[i];
		if ((unsigned char)t.p[i] < 0x20)
			odd = DICT_CONTROL;
	}
	if (high >= 0x80 && !json_is_utf8(t))
		odd |= DICT_INVALID_UTF8;
	return odd;
}

static sym add_entry(struct batch *b, size_t at, struct dict_entry e)
{
	b->dict = array_grow(b->dict, &b->dict_cap, b->ndict + 1, sizeof(*b->dict));
	e.odd = oddity(e.text) & ~(b->is_plain ? (unsigned)DICT_CONTROL : 0);
	b->dict[b->ndict] = e;
	b->slot[at] = (uint32_t)++b->ndict;
	if (b->ndict * 2 > b->nslot)
		grow_slots(b);
	return (sym)b->ndict - 1;
}

sym batch_text(struct batch *b, struct span text, int64_t offset)
{
	if (UNLIKELY(text.n > LIMIT_NAME_BYTES))
		text.n = LIMIT_NAME_BYTES;
	uint64_t hash = XXH3_64bits_withSeed(text.p, text.n, b->seed);
	size_t at = (uint32_t)(hash >> 32) & (b->nslot - 1);
	for (; b->slot[at]; at = (at + 1) & (b->nslot - 1)) {
		const struct dict_entry *e = &b->dict[b->slot[at] - 1];

		if (e->hash == hash && e->text.n == text.n &&
			memcmp(e->text.p, text.p, text.n) == 0)
			return b->slot[at] - 1;
	}
	return add_entry(b, at, (struct dict_entry){ hash, text, offset, 0 });
}

sym batch_escaped(struct batch *b, struct span text, int64_t offset)
{
	unsigned bad = 0;
	struct span plain = json_unescape(text, &b->mem, &bad);
	size_t before = b->ndict;
	sym id = batch_text(b, plain, offset);

	if (b->ndict > before && !(oddity(text) & DICT_CONTROL))
		b->dict[id].odd &= ~(unsigned)DICT_CONTROL; /* written as escapes, which is legal */
	if (bad)
		b->dict[id].odd |= DICT_BAD_ESCAPE;
	return id;
}

/* The text without blanks outside of strings but those behind ',' and ':', in the arena. */
static struct span on_one_line(struct batch *b, struct span t)
{
	char *out = arena_alloc(&b->mem, t.n * 2), *o = out;
	bool in_string = false;

	for (size_t i = 0; i < t.n; i++) {
		char c = t.p[i];

		if (!in_string && (unsigned char)c <= 0x20)
			continue;
		*o++ = c;
		if (in_string && c == '\\' && i + 1 < t.n)
			*o++ = t.p[++i];
		else if (c == '"')
			in_string = !in_string;
		else if (!in_string && (c == ',' || c == ':'))
			*o++ = ' ';
	}
	return (struct span){ out, (size_t)(o - out) };
}

sym batch_json(struct batch *b, struct span text, int64_t offset)
{
	if (UNLIKELY(text.n && memchr(text.p, '\n', text.n)))
		text = on_one_line(b, text);
	return batch_text(b, text, offset);
}

/* Where the number of the category of that name is kept. */
static uint32_t *cat_number(struct batch *b, sym name, bool present)
{
	size_t before = b->cat_of_cap;

	if (!present)
		return &b->no_cat;
	b->cat_of = array_grow(b->cat_of, &b->cat_of_cap, (size_t)name + 1, sizeof(*b->cat_of));
	if (b->cat_of_cap > before)
		memset(b->cat_of + before, 0, (b->cat_of_cap - before) * sizeof(*b->cat_of));
	return &b->cat_of[name];
}

/* unitrace numbers the categories of its arrows, "Flow_H2D_17_-1": they are one. */
static struct span without_number(struct span cat)
{
	if (span_starts(cat, "Flow_H2D_") || span_starts(cat, "Flow_D2H_"))
		return (struct span){ cat.p, strlen("Flow_H2D") };
	if (span_starts(cat, "CL_Flow_H2D_") || span_starts(cat, "CL_Flow_D2H_"))
		return (struct span){ cat.p, strlen("CL_Flow_H2D") };
	return cat;
}

static uint32_t add_cat(struct batch *b, struct span text, bool escaped, bool present)
{
	text = without_number(text);
	sym name = escaped ? batch_escaped(b, text, -1) : batch_text(b, text, -1);
	uint32_t *number = cat_number(b, name, present);

	if (*number)
		return *number - 1;
	b->cat = array_grow(b->cat, &b->cat_cap, b->ncat + 1, sizeof(*b->cat));
	struct batch_cat *c = &b->cat[b->ncat];
	memset(c, 0, sizeof(*c));
	c->text = b->dict[name].text;
	c->name = name;
	c->present = present;
	c->is_own = span_is(c->text, OWN_CAT);
	c->kind = kind_of_cat(c->text);
	*number = (uint32_t)++b->ncat;
	return *number - 1;
}

uint32_t batch_cat(struct batch *b, struct span text, bool escaped, bool present)
{
	struct short_text key = short_text(text);
	size_t at = (short_hash(key) + present) % CAT_MEMOS;
	uint32_t c = b->cat_memo[at].cat;

	if (LIKELY(c && short_same(b->cat_memo[at].text, key) && b->cat[c - 1].present == present &&
		    !escaped))
		return c - 1;
	c = add_cat(b, text, escaped, present);
	if (!escaped) {
		b->cat_memo[at].text = key;
		b->cat_memo[at].cat = c + 1;
	}
	return c;
}

void batch_problem(struct batch *b, enum problem p, int64_t offset)
{
	tally_add(&b->tally, p, 1, offset);
}
