/* Interned data: what packets of a sequence name by a number. */
#pragma once

#include "analyze/input/format/proto/book.h"
#include "analyze/input/format/proto/keys.h"
#include "base/base.h"

enum { INTERNED_PADDING = 16 }; /* readable bytes behind a text */

/* An entry.  Its texts are the interner's, which outlives all that read them. */
struct interned {
	struct span text;
	uint32_t number; /* of all entries of the trace: texts that were interned twice have two */
	struct key key;  /* of a name of annotations */
};

struct interner {
	struct arena *mem;
	const struct keys *keys;
	uint32_t n;
	uint32_t changes; /* entries so far that took the place of others */
};

/* A copy with padding behind it, in mem. */
struct span interned_copy(struct arena *mem, struct span text);

/* Takes in the entries of an InternedData message, which hold from that place on; false when some
 * of it is damaged, and then what was in front is taken. */
bool interned_take(struct interner *in, struct book *book, struct span data, uint64_t place);

/* The entry of that number among those of a field (enum interned_field), or NULL. */
static inline const struct interned *interned_find(
	const struct book *book, uint32_t field, uint64_t iid, uint64_t place)
{
	return book_find(book, field, iid, place);
}
