/* Names as they stand in the file, quoted and escaped: each made once from its raw bytes and kept.
 *
 * The table is bounded (names with counters in them never end), by their number and by their bytes;
 * when it is full a name is made anew each time.  Not safe from two threads: the owner locks. */
#pragma once

#include "capture/inject/jtext.h"

enum { INTERN_MAX = 32768 };

/* A name with its quotes. */
struct name {
	const char *json;
	size_t n;
};

/* A kept name: its raw bytes, a 0, its quoted ones. */
struct intern_entry {
	char *raw;
	uint32_t raw_n, json_n, hash;
};

/* Texts of kept names, one behind the other. */
struct intern_block {
	struct intern_block *next;
	size_t used, size;
	char text[];
};

/* Appends the quoted name of raw bytes. */
typedef void (*intern_make_fn)(struct jtext *t, const char *raw, size_t n, void *user);

struct intern {
	uint32_t *slot; /* open addressing: place in entry, from 1; 0: free */
	struct intern_entry *entry;
	size_t n, cap;
	struct intern_block *block; /* the newest first */
	size_t bytes, bytes_max;    /* of all blocks */
	uint64_t evicted;           /* names that were made without being kept */
	struct jtext scratch;       /* the last of those */
	intern_make_fn make;        /* NULL: quoted as it is */
	void *user;
};

/* bytes_max: for the names' texts.  make NULL: quoted as they are.  False without memory. */
bool intern_init(struct intern *t, size_t bytes_max, intern_make_fn make, void *user);
void intern_free(struct intern *t);

/* The name of n raw bytes.  *keeps: it lives as long as t; else until the next call. */
struct name intern_get(struct intern *t, const char *raw, size_t n, bool *keeps);

/* The table's own copy of raw bytes it keeps, with a 0 behind them; NULL when it does not. */
const char *intern_raw(const struct intern *t, const char *raw, size_t n);
