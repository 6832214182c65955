/* The wire format of protobuf: a message's fields one after the other, none of them believed.
 *
 *     struct wire w = wire_of(bytes);
 *     struct wire_field f;
 *
 *     while (wire_next(&w, &f))
 *             if (f.number == 8 && f.type == WIRE_VARINT) ...
 *     if (w.damaged) ...
 *
 * Nothing is allocated or copied: texts and messages inside are spans of the same bytes, never
 * longer than what is there.  Source: protobuf.dev, "Encoding". */
#pragma once

#include <endian.h>

#include "base/base.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

enum {
	WIRE_MAX_VARINT = 10,          /* bytes of 64 bits */
	WIRE_MAX_FIELD = (1 << 29) - 1 /* number of a field */
};

struct wire {
	const char *p, *end; /* what is left */
	bool damaged;        /* it ended where no field ends */
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;    /* of a varint or a fixed number, as its bits are */
	struct span bytes; /* of WIRE_BYTES, else empty */
};

static inline struct wire wire_of(struct span message)
{
	return (struct wire){ message.p, message.p + message.n, false };
}

/* A varint of more than one byte, at p < end; what is behind it, or NULL. */
const char *wire_long_varint(const char *p, const char *end, uint64_t *v);

/* A varint at p; what is behind it, or NULL when it ends too late or is none of 64 bits. */
static inline const char *wire_varint(const char *p, const char *end, uint64_t *v)
{
	if (UNLIKELY(p >= end))
		return NULL;
	*v = (unsigned char)*p;
	return LIKELY(*v < 0x80) ? p + 1 : wire_long_varint(p, end, v);
}

/* The low seven bits of each of the eight bytes, together. */
static inline uint64_t wire_gather(uint64_t w)
{
	w = (w & UINT64_C(0x007f007f007f007f)) | (w & UINT64_C(0x7f007f007f007f00)) >> 1;
	w = (w & UINT64_C(0x00003fff00003fff)) | (w & UINT64_C(0x3fff00003fff0000)) >> 2;
	return (w & UINT64_C(0x000000000fffffff)) | (w & UINT64_C(0x0fffffff00000000)) >> 4;
}

/* A varint of n <= 8 bytes that is known to be one; 8 bytes are readable. */
static inline uint64_t wire_varint_of(const char *p, unsigned n)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return wire_gather(le64toh(w) & UINT64_MAX >> (64 - 8 * n));
}

/* The next field, whatever it is; as wire_next. */
bool wire_next_any(struct wire *w, struct wire_field *f);

/* The next field; false at the end, or where it is damaged, which w->damaged then says: groups,
 * which nobody writes any more, are damage, too.  Inline: a trace has a billion of them, and most
 * have a tag and a length or number of one byte. */
static inline bool wire_next(struct wire *w, struct wire_field *f)
{
	const char *p = w->p, *end = w->end;

	if (UNLIKELY(end - p < 2))
		return wire_next_any(w, f);
	unsigned char tag = (unsigned char)p[0];
	unsigned char first = (unsigned char)p[1];
	p += 2;
	if (UNLIKELY(tag >= 0x80 || tag < 8))
		return wire_next_any(w, f);
	f->number = tag >> 3;
	if ((tag & 7) == WIRE_BYTES && LIKELY(first < 0x80 && first <= end - p)) {
		f->type = WIRE_BYTES;
		f->value = 0;
		f->bytes = (struct span){ p, first };
		w->p = p + first;
		return true;
	}
	if ((tag & 7) == WIRE_VARINT) {
		f->type = WIRE_VARINT;
		f->value = first;
		f->bytes = (struct span){ p, 0 };
		if (first >= 0x80)
			p = wire_long_varint(p - 1, end, &f->value);
		if (LIKELY(p != NULL)) {
			w->p = p;
			return true;
		}
	}
	return wire_next_any(w, f);
}

/* Its value as the types of a schema: int64, sint64, double, float. */
static inline int64_t wire_int64(const struct wire_field *f)
{
	return (int64_t)f->value;
}

static inline int64_t wire_sint64(const struct wire_field *f)
{
	return (int64_t)(f->value >> 1 ^ (0 - (f->value & 1)));
}

static inline double wire_double(const struct wire_field *f)
{
	double v;

	memcpy(&v, &f->value, sizeof(v));
	return v;
}

static inline float wire_float(const struct wire_field *f)
{
	uint32_t bits = (uint32_t)f->value;
	float v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

/* It is that field, of that type. */
static inline bool wire_is(const struct wire_field *f, uint32_t number, enum wire_type type)
{
	return f->number == number && f->type == type;
}

/* It is there and of that type; its text, an empty one with p NULL where it has none; its number,
 * else 0. */
static inline bool wire_has(const struct wire_field *f, enum wire_type type)
{
	return f->number && f->type == type;
}

static inline struct span wire_text(const struct wire_field *f)
{
	return wire_has(f, WIRE_BYTES) ? f->bytes : (struct span){ NULL, 0 };
}

static inline uint64_t wire_number(const struct wire_field *f)
{
	return wire_has(f, WIRE_VARINT) ? f->value : 0;
}

/* The fields of a message whose numbers are below n, each in the place of its number: the last of
 * those that come again; of those that are not there number is 0.  False when it is damaged. */
bool wire_fields(struct span message, struct wire_field *field, uint32_t n);

/* The first field of that number and type in a message; false when there is none before its end
 * or before damage. */
bool wire_find(struct span message, uint32_t number, enum wire_type type, struct wire_field *f);

/* All of the message is fields, one behind the other.  Those inside are not looked at. */
bool wire_is_message(struct span message);

/* Numbers of a repeated field, which may come one by one or packed: the next of f, which is a
 * field of that type or of WIRE_BYTES.  *at is 0 before the first. */
bool wire_repeated(const struct wire_field *f, enum wire_type type, size_t *at, uint64_t *v);
