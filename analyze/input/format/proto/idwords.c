/*
 * Words as ids: a JSON object of numbers and what they stand for.
 */
#include "analyze/input/format/proto/idwords.h"

#include <stdlib.h>

#include "analyze/input/format/proto/interned.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "base/compiler.h"

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
	unsigned bad = 0;
	int64_t number;
	uint32_t at;

	if (v.type != JSON_STRING || !num_i64(key, &number))
		return;
	at = keymap_add(&w->numbers, &number);
	if (at != before)
		return;
	w->text = array_grow(w->text, &w->cap, w->numbers.n, sizeof(*w->text));
	w->text[at] =
		interned_copy(w->mem, v.escaped ? json_unescape(v.text, w->mem, &bad) : v.text);
}

static void take_metadata(struct idwords *w, struct span message)
{
	struct wire in = wire_of(message);
	struct span name = { "", 0 }, json = { "", 0 }, key;
	struct json_value v;
	struct wire_field f;

	while (wire_next(&in, &f)) {
		if (wire_is(&f, METADATA_NAME, WIRE_BYTES))
			name = f.bytes;
		else if (wire_is(&f, METADATA_JSON, WIRE_BYTES))
			json = f.bytes;
	}
	if (!span_is(name, IDWORDS_KEY) || json.n > LIMIT_META_BYTES)
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
