/*
 * A member's value is a text, or is written as it would be in JSON; what is no JSON says nothing.
 */
#include "analyze/input/format/proto/bundle.h"

#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/proto/interned.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/proto_notes.h"
#include "analyze/input/format/proto/wire.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"

/* The inside of the JSON string that the text is. */
static struct span quote(struct str *to, struct span text)
{
	str_reset(to);
	notes_quote(to, text);
	return (struct span){ to->s + 1, to->n - 2 };
}

/* The value as JSON text. */
static struct span spell(struct str *to, const struct wire_field *f)
{
	struct span rest;

	str_reset(to);
	switch (f->number) {
	case METADATA_BOOL: str_adds(to, f->value ? "true" : "false"); break;
	case METADATA_INT: str_addf(to, "%" PRId64, wire_int64(f)); break;
	default:
		if (json_value(f->bytes, &rest).type != JSON_NONE)
			str_add(to, f->bytes.p, f->bytes.n);
		break;
	}
	return (struct span){ to->s, to->n };
}

static void emit_value(struct emitter *m, struct span name, const struct wire_field *value)
{
	bool quoted = value->number == METADATA_STRING;
	SCOPED_STR key = { 0 }, text = { 0 };
	struct span says = quoted ? quote(&text, value->bytes) : spell(&text, value);

	if (quoted || says.n) {
		(void)quote(&key, name);
		key.s[key.n - 1] = '\0'; /* its closing quote */
		emit_member(m, key.s + 1, says, quoted);
	}
}

/* A ChromeMetadata; false when it is damaged. */
static bool emit_metadata(struct emitter *m, struct span message)
{
	struct wire_field f[METADATA_JSON + 1], *value = NULL;

	if (!wire_fields(message, f, COUNT_OF(f)))
		return false;
	for (size_t i = METADATA_STRING; i <= METADATA_JSON; i++)
		if (wire_has(&f[i],
			    i == METADATA_BOOL || i == METADATA_INT ? WIRE_VARINT : WIRE_BYTES))
			value = &f[i];
	struct span name = wire_text(&f[METADATA_NAME]);
	if (name.n && !span_is(name, IDWORDS_KEY) && value && value->bytes.n <= LIMIT_META_BYTES &&
		name.n <= LIMIT_META_VALUE && m->batch.nmember < LIMIT_META_ENTRIES)
		emit_value(m, name, value);
	return true;
}

bool bundle_emit(struct emitter *m, struct span bundle)
{
	struct wire w = wire_of(bundle);
	struct wire_field f;
	bool whole = true;

	while (wire_next(&w, &f))
		if (wire_is(&f, BUNDLE_METADATA, WIRE_BYTES))
			whole &= emit_metadata(m, f.bytes);
	return whole && !w.damaged;
}

bool bundle_has_more(struct span bundle)
{
	struct wire w = wire_of(bundle);
	struct wire_field f;

	while (wire_next(&w, &f))
		if (f.number != BUNDLE_METADATA)
			return true;
	return false;
}

/* --- words as ids --- */

void idwords_init(struct idwords *w, struct arena *mem)
{
	*w = (struct idwords){ .mem = mem };
	keymap_init(&w->numbers, sizeof(int64_t));
}

void idwords_clear(struct idwords *w)
{
	keymap_clear(&w->numbers);
	free(w->text);
}

static void add(struct idwords *w, struct span key, struct json_value v)
{
	size_t before = w->numbers.n;
	int64_t number;

	if (v.type != JSON_STRING || !num_i64(key, &number))
		return;
	uint32_t at = keymap_add(&w->numbers, &number);
	if (at != before)
		return;
	w->text = array_grow(w->text, &w->cap, w->numbers.n, sizeof(*w->text));
	w->text[at] =
		interned_copy(w->mem, v.escaped ? json_unescape(v.text, w->mem, NULL) : v.text);
}

static void take_metadata(struct idwords *w, struct span message)
{
	struct wire_field f[METADATA_JSON + 1];
	struct json_value v;
	struct span key;

	(void)wire_fields(message, f, COUNT_OF(f));
	struct span json = wire_text(&f[METADATA_JSON]);
	if (!span_is(wire_text(&f[METADATA_NAME]), IDWORDS_KEY) || json.n > LIMIT_META_BYTES)
		return;
	while (json_next(&json, &key, &v))
		add(w, key, v);
}

void idwords_take(struct idwords *w, struct span bundle)
{
	struct wire in = wire_of(bundle);
	struct wire_field f;

	while (wire_next(&in, &f))
		if (wire_is(&f, BUNDLE_METADATA, WIRE_BYTES))
			take_metadata(w, f.bytes);
}

bool idwords_find(struct idwords *w, int64_t number, struct span *word)
{
	uint32_t at = w->numbers.n ? keymap_find(&w->numbers, &number) : KEYMAP_NONE;

	if (at == KEYMAP_NONE)
		return false;
	*word = w->text[at];
	return true;
}
