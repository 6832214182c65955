/* Keymap: distinct keys of one size, numbered in the order of first sight.
 *
 * For grouping rows by several small fields at once.  A key is compared as bytes, so a struct used
 * as one has no padding, or is zeroed before it is filled. */
#pragma once

#include "base/base.h"

#define KEYMAP_NONE UINT32_MAX

struct keymap {
	size_t size; /* of a key, in bytes */
	void *key;   /* all keys, by index */
	size_t n, cap;
	uint32_t *slot; /* 0 free, else index + 1 */
	size_t nslot;
	uint32_t recent; /* the last index asked for */
};

void keymap_init(struct keymap *m, size_t key_size);
void keymap_clear(struct keymap *m);
/* Forgets all keys; memory is kept, unless it is much. */
void keymap_empty(struct keymap *m);

/* The index of that key, new (then it is n - 1) or old. */
uint32_t keymap_add(struct keymap *m, const void *key);
/* The same, or KEYMAP_NONE when it was never added. */
uint32_t keymap_find(struct keymap *m, const void *key);
/* The key of an index < n; valid until the next keymap_add. */
const void *keymap_key(const struct keymap *m, uint32_t index);

/* Values of one size by key; a value moves when another is added. */
struct valuemap {
	struct keymap key;
	void *value; /* by index of key */
	size_t size, cap;
};

void valuemap_init(struct valuemap *m, size_t key_size, size_t value_size);
void valuemap_clear(struct valuemap *m);
/* Where the value of a key is, zero when it is new (*is_new, which may be NULL). */
void *valuemap_slot(struct valuemap *m, const void *key, bool *is_new);
/* The same, or NULL when it was never added. */
void *valuemap_find(struct valuemap *m, const void *key);
