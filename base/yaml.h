/* YAML as far as configuration needs it: mappings of scalars and lists, flattened to one item a
 * value, each with its place.
 *
 * Strict: a key given twice, an anchor, an alias, a tag, a second document, a key that is no scalar
 * and a list of anything but scalars are errors.  Nothing is interpreted: "no", "5%" and "1e3" are
 * texts, what they mean their reader decides. */
#pragma once

#include "base/base.h"

enum {
	YAML_DEPTH_MAX = 8,          /* keys above one another */
	YAML_KEYS_MAX = 4096,        /* beside one another */
	YAML_BYTES_MAX = 1024 * 1024 /* of a document */
};

/* 1-based, in characters. */
struct yaml_place {
	int64_t line, column;
};

struct yaml_key {
	const char *text; /* may not hold a NUL */
	struct yaml_place at;
};

enum yaml_type {
	YAML_SCALAR,
	YAML_LIST, /* value: its elements joined by commas */
	YAML_EMPTY /* no value: "key:", "key: {}" */
};

/* A value and the keys above it, outermost first. */
struct yaml_item {
	struct yaml_key key[YAML_DEPTH_MAX];
	size_t nkey; /* at least 1 */
	enum yaml_type type;
	const char *value;
	struct yaml_place at; /* of the value */
};

struct yaml_items {
	struct yaml_item *v; /* in the order of the document */
	size_t n, cap;
	struct arena mem; /* owns the texts */
};

/* Reads one document; an empty one has no items.  E_SYNTAX or E_LIMIT with "NAME:LINE:COLUMN: what"
 * as text.  *out is initialised in any case and released by yaml_clear.  O(n). */
enum status yaml_read(
	struct yaml_items *out, struct span text, const char *name, struct err *e) MUST_CHECK;
void yaml_clear(struct yaml_items *y);

/* Records a failure at a place of the file: "NAME:LINE:COLUMN: text", printf-style. */
enum status yaml_fail(struct err *e, enum status status, const char *name, struct yaml_place at,
	const char *fmt, ...) PRINTF_LIKE(5, 6);
