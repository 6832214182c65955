/* Compact documents: 8 bytes a value, whatever it was written in: a pickle (pickle.h) or JSON.
 *
 * Numbers stand in their value, a text is the number of its words, and a list or map that the
 * caller knows becomes a row of the caller's own as soon as it is complete, and its memory is used
 * again: what is left is what the caller keeps and a value for each thing that may be asked for
 * once more. */
#pragma once

#include "analyze/input/text/json_text.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

enum compact_type {
	COMPACT_NONE,
	COMPACT_BOOL,
	COMPACT_INT,    /* of 60 bits */
	COMPACT_WIDE,   /* of more: its index */
	COMPACT_REAL,   /* its index */
	COMPACT_TEXT,   /* a sym */
	COMPACT_OBJECT, /* a list or map that nobody has taken: its index */
	COMPACT_ROW     /* what the caller has made of a list or map: kind and number */
};

/* The type in the low bits, what it is above. */
typedef uint64_t compact_value;

enum { COMPACT_KINDS = 16 };

struct compact;

/* What the caller makes of maps, as soon as they have members, and of lists that are members of
 * maps.  *row is 0 of what is new, and then v is all that is in it so far; else it is the map's
 * row, and v is what is added.  Taken: *row is set by compact_row.  A row stays the same.  An error
 * ends the reading.  It has no place yet. */
struct compact_taker {
	void *ctx;
	unsigned runs; /* 1 << kind: lists of those rows are kept as runs, and never offered */
	enum status (*map)(void *ctx, struct compact *c, const compact_value *pair, size_t n,
		compact_value *row, struct err *e);
	enum status (*list)(void *ctx, struct compact *c, const compact_value *item, size_t n,
		compact_value *row, struct err *e);
};

enum compact_shape {
	SHAPE_LIST,
	SHAPE_MAP,   /* key, value, key, value ... */
	SHAPE_RUN,   /* a list of rows that follow each other: `first`, and n of them */
	SHAPE_TAKEN, /* a row since: `first` */
	SHAPE_FREE
};

struct compact_object {
	compact_value *item;
	size_t n, cap; /* of a map: of keys and values together */
	compact_value first;
	uint32_t memo;  /* 1 + where a pickle's memo has it; 0: nowhere */
	uint8_t shape;  /* enum compact_shape */
	bool is_shared; /* it is in other places, too */
	bool is_left;   /* a list that was offered as it is, and nobody took */
};

struct compact {
	struct strings *names; /* borrowed */
	compact_value *memo;   /* of a pickle: what was put at each number */
	size_t nmemo, memo_cap;
	const struct compact_taker *taker; /* NULL: nobody takes anything */
	struct compact_object *object;
	size_t nobject, object_cap;
	uint32_t *free; /* objects to be used again */
	size_t nfree, free_cap;
	int64_t *wide;
	size_t nwide, wide_cap;
	double *real;
	size_t nreal, real_cap;
};

void compact_init(struct compact *c, struct strings *names, const struct compact_taker *taker);
void compact_clear(struct compact *c);

enum compact_type compact_type(compact_value v);

compact_value compact_bool(bool b);
compact_value compact_int(struct compact *c, int64_t i);
compact_value compact_real(struct compact *c, double r);
compact_value compact_text(struct compact *c, struct span text);

/* A row of the caller's: kind < COMPACT_KINDS, number below 2^48.  Never 0. */
compact_value compact_row(unsigned kind, uint64_t number);
bool compact_is_row(compact_value v, unsigned kind, uint64_t *number);

/* An integer, also a whole real; a sym, or 0; its text, or ""; true of COMPACT_BOOL. */
bool compact_to_int(const struct compact *c, compact_value v, int64_t *i);
bool compact_to_real(const struct compact *c, compact_value v, double *r);
sym compact_to_sym(compact_value v);
struct span compact_to_text(const struct compact *c, compact_value v);
bool compact_is_true(compact_value v);

/* Of a list or run: how many, and the i-th; 0 and COMPACT_NONE of anything else. */
size_t compact_count(const struct compact *c, compact_value list);
compact_value compact_item(const struct compact *c, compact_value list, size_t i);

/* Rows of that kind which follow each other, all there is in a list: true also where it is empty.
 */
bool compact_run(
	const struct compact *c, compact_value list, unsigned kind, uint64_t *first, size_t *n);

/* A map that nobody took: its pairs; NULL of anything else. */
const compact_value *compact_pairs(const struct compact *c, compact_value map, size_t *n);

/* The value of a key in such a map, the last of that name as Python has it, or COMPACT_NONE. */
compact_value compact_get(const struct compact *c, compact_value map, const char *key);

/* Building: a new empty list or map; E_LIMIT. */
enum status compact_new(
	struct compact *c, enum compact_shape shape, compact_value *out, struct err *e) MUST_CHECK;

/* Adds v, which is written over, to *of, a list or map or what became of it, and lets the taker
 * look: *of may be a row then. E_SYNTAX where it is neither.  What the taker says. */
enum status compact_add(struct compact *c, compact_value *of, bool is_map, compact_value *v,
	size_t n, struct err *e) MUST_CHECK;

/* Puts it at a number of the memo.  It stands in one more place. */
void compact_put(struct compact *c, size_t number, compact_value v);
void compact_share(struct compact *c, compact_value v);

/* The value of a JSON document.  E_LIMIT: too deep.  What the taker says. */
enum status compact_of_json(
	struct compact *c, struct json_value v, compact_value *out, struct err *e) MUST_CHECK;
