/*
 * Values: a document as a tree, whatever it was written in: a pickle (pickle.h) or JSON.  For
 * documents that come in both, so that one decoder takes either.
 *
 * Values of a pickle may be shared: what is there once may be a member of many.  They never hold
 * themselves, and nest no deeper than LIMIT_JSON_DEPTH.
 */
#ifndef ANALYZE_INPUT_VALUE_VALUE_H
#define ANALYZE_INPUT_VALUE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/input/text/json_text.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum value_type {
	VALUE_NONE, /* None, null */
	VALUE_BOOL,
	VALUE_INT,
	VALUE_REAL, /* and integers beyond 64 bits */
	VALUE_TEXT, /* and bytes */
	VALUE_LIST, /* list, tuple, set */
	VALUE_MAP
};

struct value {
	enum value_type type;
	unsigned height; /* of what is below it; 0: not known yet */
	size_t n;        /* bytes of a text, items of a list, members of a map */
	size_t cap;      /* of item */
	union {
		bool b;
		int64_t i;
		double r;
		const char *p;       /* borrowed from the document, or in its arena */
		struct value **item; /* of a map: key, value, key, value ... */
	} u;
};

/* A new value in mem. */
struct value *value_new(struct arena *mem, enum value_type type);

/* Adds to a list; adds a member to a map. */
void value_append(struct value *list, struct value *item, struct arena *mem);
void value_set(struct value *map, struct value *key, struct value *v, struct arena *mem);

/* The member of a map, the last of that name as Python has it; NULL: none, or v is no map. */
const struct value *value_get(const struct value *map, const char *key);

/* The i-th item of a list, or NULL: v may be NULL and of any type. */
const struct value *value_item(const struct value *list, size_t i);

/* How many items a list has; 0: of anything else. */
size_t value_count(const struct value *list);

/* An integer, also one that is written as text or as a whole real. */
bool value_int(const struct value *v, int64_t *i);

bool value_is_true(const struct value *v);

/* The text of a value that is one, else an empty span. */
struct span value_text(const struct value *v);

/*
 * Checks that nothing holds itself and nothing nests too deep: E_SYNTAX, E_LIMIT.  For values that
 * may be shared.
 */
enum status value_check(struct value *v, struct err *e) MUST_CHECK;

/* A JSON value as a tree, unescaped.  E_LIMIT: too deep, or too many values. */
enum status value_of_json(
	struct json_value v, struct arena *mem, struct value **out, struct err *e) MUST_CHECK;

#endif
