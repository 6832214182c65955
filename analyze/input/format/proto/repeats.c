/* Masks over the bytes of events, and a table of those seen by their first bytes and length. */
#include "analyze/input/format/proto/repeats.h"

#include "analyze/input/format/proto/proto_notes.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"

enum { FEW = 128, WORDS = REPEAT_BLOCK / 8 };

void repeats_begin(struct repeats *r)
{
	if (r->learned)
		memset(r->tag, 0, sizeof(r->tag));
	r->learned = r->taken = 0;
}

/* --- the table --- */

static uint64_t first_bytes(struct span body)
{
	uint64_t first;

	memcpy(&first, body.p, sizeof(first));
	return first;
}

static size_t bucket_of(uint64_t first, size_t n)
{
	uint64_t h = (first ^ (uint64_t)n << 32) * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 29) * UINT64_C(0xd6e8feb86659fd93);
	return (size_t)(h >> 56) % REPEAT_BUCKETS;
}

static bool is_learnable(struct span body)
{
	return body.n >= REPEAT_LEAST && body.n <= REPEAT_MOST;
}

static inline uint64_t differ(const char *a, const char *b, const uint64_t *mask)
{
	uint64_t va[WORDS], vb[WORDS];

	memcpy(va, a, sizeof(va));
	memcpy(vb, b, sizeof(vb));
	return ((va[0] ^ vb[0]) & mask[0]) | ((va[1] ^ vb[1]) & mask[1]) |
		((va[2] ^ vb[2]) & mask[2]) | ((va[3] ^ vb[3]) & mask[3]);
}

static bool is_like(const struct repeat *of, struct span body)
{
	for (size_t i = 0; i < body.n; i += REPEAT_BLOCK)
		if (differ(body.p + i, of->body + i, of->mask + i / 8))
			return false;
	return true;
}

const struct repeat *repeats_find(struct repeats *r, const struct repeat_event *e)
{
	if (UNLIKELY(!is_learnable(e->body)))
		return NULL;
	uint64_t first = first_bytes(e->body);
	size_t at = bucket_of(first, e->body.n) * REPEAT_WAYS;
	for (size_t i = at; i < at + REPEAT_WAYS; i++) {
		const struct repeat_tag *t = &r->tag[i];

		if (t->first == first && t->n == e->body.n && t->said == e->said &&
			r->repeat[i].view == e->view && is_like(&r->repeat[i], e->body)) {
			r->taken++;
			return &r->repeat[i];
		}
	}
	return NULL;
}

void repeats_numbers(const struct repeat *r, struct span body, uint64_t number[FORM_NUMBERS])
{
	for (unsigned i = 0; i < r->form.nnumber; i++)
		number[i] = wire_varint_of(body.p + r->number[i].at, r->number[i].n);
}

/* --- what matters of an event --- */

struct learning {
	struct notes *notes;
	struct span body;
	unsigned char *mask;
	struct repeat *to;
	uint64_t keys; /* of arguments so far */
};

static void mark(struct learning *l, const char *from, size_t n, unsigned char bits)
{
	memset(l->mask + (from - l->body.p), bits, n);
}

/* Whether anybody looks into a field: all that does not is skipped by its length. */
static bool is_read(uint32_t field)
{
	switch (field) {
	case EVENT_CATEGORY:
	case EVENT_NAME:
	case EVENT_LEGACY:
	case EVENT_SOURCE:
	case EVENT_EXTRA_VALUE:
	case EVENT_EXTRA_TRACK:
	case EVENT_EXTRA_DOUBLE:
	case EVENT_EXTRA_DOUBLE_TRACK: return true;
	default: return false;
	}
}

/* An annotation; false: the event says two values for one key. */
static bool mask_note(struct learning *l, struct span note)
{
	struct note_number v;

	notes_number(l->notes, note, &v);
	if (v.key.plan == PLAN_NO_KEY) {
		if (v.behind_name)
			mark(l, v.behind_name, (size_t)(note.p + note.n - v.behind_name), 0);
		return true;
	}
	if (l->keys >> v.key.plan & 1)
		return false;
	l->keys |= UINT64_C(1) << v.key.plan;
	if (v.n == 0 || v.n > sizeof(uint64_t))
		return true;
	int at = emit_form_number(l->notes->m, &l->to->form, v.key.plan);
	if (at == FORM_FIXED)
		return true;
	mark(l, v.at, v.n, 0x80); /* how long a varint is stays the same */
	if (at >= 0) {
		l->to->number[at].at = (uint16_t)(v.at - l->body.p);
		l->to->number[at].n = (uint8_t)v.n;
	}
	return true;
}

static bool mask_event(struct learning *l)
{
	struct wire w = wire_of(l->body);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		bool is_flow = f.number == EVENT_FLOW || f.number == EVENT_FLOW_END;

		if (wire_is(&f, EVENT_NOTE, WIRE_BYTES)) {
			if (!mask_note(l, f.bytes))
				return false;
		} else if (is_flow && f.type == WIRE_FIXED64) {
			mark(l, w.p - 8, 8, 0);
		} else if (f.type == WIRE_BYTES && !is_read(f.number)) {
			mark(l, f.bytes.p, f.bytes.n, 0);
		}
	}
	return !w.damaged;
}

bool repeats_wants(const struct repeats *r, const struct repeat_event *e)
{
	return is_learnable(e->body) && r->learned < FEW + r->taken;
}

void repeats_learn(struct repeats *r, const struct repeat_event *e, struct notes *notes,
	const struct repeat *seen)
{
	size_t size = (e->body.n + REPEAT_BLOCK - 1) / REPEAT_BLOCK * REPEAT_BLOCK;
	uint64_t first = first_bytes(e->body);
	size_t bucket = bucket_of(first, e->body.n);
	unsigned char *mask = arena_alloc(&notes->m->batch.mem, size);
	struct repeat new = *seen;
	struct learning l = { notes, e->body, mask, &new, 0 };

	r->learned++;
	memset(mask, 0xff, e->body.n);
	memset(mask + e->body.n, 0, size - e->body.n);
	if (!mask_event(&l))
		return;
	new.body = e->body.p;
	new.mask = (const uint64_t *)(const void *)mask;
	new.view = e->view;
	size_t at = bucket * REPEAT_WAYS + r->turn[bucket]++ % REPEAT_WAYS;
	r->tag[at] = (struct repeat_tag){ first, (uint32_t)e->body.n, e->said };
	r->repeat[at] = new;
}
