/* Small JSON: strings unescaped, and a pull parser for metadata.  Lenient where real files are:
 * lone backslashes, control characters, NaN.  Not for the hot path. */
#pragma once

#include "base/base.h"

/* The text a JSON string stands for; `inside` is what is between its quotes.  Result in mem.
 * \uXXXX becomes UTF-8 and surrogate pairs are joined.  *bad counts what is not legal: a lone
 * surrogate, which becomes U+FFFD, and a backslash that escapes nothing, which is kept as it is;
 * NULL: nobody asks. */
struct span json_unescape(struct span inside, struct arena *mem, unsigned *bad);

/* True when every byte sequence is UTF-8 (no surrogates, no overlong forms). */
bool json_is_utf8(struct span text);

enum json_type { JSON_NONE, JSON_STRING, JSON_NUMBER, JSON_WORD, JSON_ARRAY, JSON_OBJECT };

/* A value in a text: for strings the inside of the quotes, for arrays and objects with brackets. */
struct json_value {
	enum json_type type;
	struct span text;
	bool escaped;
};

/* Without the blanks that the text begins with. */
struct span json_blanks_off(struct span text);

/* The value text begins with (blanks allowed); *rest is behind it.  JSON_NONE: malformed. */
struct json_value json_value(struct span text, struct span *rest);

/* Iterates an object's or array's members: `it` starts as the JSON_OBJECT or JSON_ARRAY value's
 * text; returns false, with a value of type JSON_NONE, at the end or at malformed text.  key is as
 * it is written, escapes and all; empty for arrays. */
bool json_next(struct span *it, struct span *key, struct json_value *v);

/* The same as a loop: for (struct json_items it = json_items(v); json_more(&it);), with each member
 * in it.key and it.v.  json_members, json_list: nothing of what is no object, no array. */
struct json_items {
	struct span rest, key;
	struct json_value v;
};

static inline struct json_items json_items(struct json_value of)
{
	return (struct json_items){ .rest = of.text };
}

static inline struct json_items json_members(struct json_value of)
{
	return (struct json_items){ .rest = of.type == JSON_OBJECT ? of.text : SPAN("") };
}

static inline struct json_items json_list(struct json_value of)
{
	return (struct json_items){ .rest = of.type == JSON_ARRAY ? of.text : SPAN("") };
}

static inline bool json_more(struct json_items *it)
{
	return json_next(&it->rest, &it->key, &it->v);
}

/* True when a member's key, as json_next gives it, stands for that name: it may be escaped. */
bool json_key_is(struct span key, struct span name);

/* The member of that name of an object, or type JSON_NONE. */
struct json_value json_get(struct json_value object, const char *key);
