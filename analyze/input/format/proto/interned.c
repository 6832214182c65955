/* Entries of all kinds are {iid, text}, but for those that say more: kernels have a demangled name,
 * source locations a function, counters of devices a message, which is kept as it is. */
#include "analyze/input/format/proto/interned.h"

#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"

struct span interned_copy(struct arena *mem, struct span text)
{
	char *p = arena_alloc(mem, text.n + INTERNED_PADDING);

	if (text.n)
		memcpy(p, text.p, text.n);
	return (struct span){ p, text.n };
}

static bool is_read(uint32_t field)
{
	switch (field) {
	case INTERNED_CATEGORY:
	case INTERNED_NAME:
	case INTERNED_NOTE_NAME:
	case INTERNED_SOURCE:
	case INTERNED_GPU_SPEC:
	case INTERNED_STRING:
	case INTERNED_GPU_COUNTERS:
	case INTERNED_KERNEL:
	case INTERNED_KERNEL_ARG: return true;
	default: return false;
	}
}

/* The text of an entry: its second field, unless another says it better. */
static bool read_entry(uint32_t field, struct span entry, uint64_t *iid, struct span *text)
{
	bool says_more = field == INTERNED_KERNEL || field == INTERNED_SOURCE;
	struct wire_field f[KERNEL_DEMANGLED + 1];
	bool whole = wire_fields(entry, f, COUNT_OF(f));
	struct span better = says_more ? wire_text(&f[KERNEL_DEMANGLED]) : (struct span){ NULL, 0 };

	*iid = wire_number(&f[INTERNED_IID]);
	*text = field == INTERNED_GPU_COUNTERS ? entry
		: better.p                     ? better
					       : wire_text(&f[INTERNED_TEXT]);
	return whole;
}

static bool take_entry(
	struct interner *in, struct book *book, uint32_t field, struct span entry, uint64_t place)
{
	struct span text;
	uint64_t iid;

	if (!read_entry(field, entry, &iid, &text))
		return false;
	struct interned *e = arena_alloc(in->mem, sizeof(*e));
	e->text = interned_copy(in->mem, text);
	e->number = in->n++;
	if (field == INTERNED_NOTE_NAME)
		e->key = keys_find(in->keys, e->text);
	in->changes += book_put(book, field, iid, place, e);
	return true;
}

bool interned_take(struct interner *in, struct book *book, struct span data, uint64_t place)
{
	struct wire w = wire_of(data);
	struct wire_field f;
	bool whole = true;

	while (wire_next(&w, &f))
		if (f.type == WIRE_BYTES && is_read(f.number))
			whole &= take_entry(in, book, f.number, f.bytes, place);
	return whole && !w.damaged;
}
