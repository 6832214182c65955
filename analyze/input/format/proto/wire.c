/* The wire format: what is rarer than a short field. */
#include "analyze/input/format/proto/wire.h"

static const char *slow_varint(const char *p, const char *end, uint64_t *v)
{
	unsigned shift = 0;

	*v = 0;
	for (; p < end && shift < 7 * WIRE_MAX_VARINT; shift += 7) {
		uint64_t b = (unsigned char)*p++;

		if (shift == 63 && b > 1)
			return NULL;
		*v |= (b & 0x7f) << shift;
		if (b < 0x80)
			return p;
	}
	return NULL;
}

const char *wire_long_varint(const char *p, const char *end, uint64_t *v)
{
	uint64_t w;
	unsigned bytes;

	if (end - p < WIRE_MAX_VARINT)
		return slow_varint(p, end, v);
	memcpy(&w, p, sizeof(w));
	w = le64toh(w);
	uint64_t stop = ~w & UINT64_C(0x8080808080808080);
	if (stop) {
		bytes = (unsigned)__builtin_ctzll(stop) / 8 + 1;
		*v = wire_gather(w & (stop ^ (stop - 1)));
		return p + bytes;
	}
	*v = wire_gather(w);
	*v |= (uint64_t)((unsigned char)p[8] & 0x7f) << 56;
	if ((unsigned char)p[8] < 0x80)
		return p + 9;
	if ((unsigned char)p[9] > 1)
		return NULL;
	*v |= (uint64_t)(unsigned char)p[9] << 63;
	return p + 10;
}

static const char *fixed(const char *p, const char *end, size_t n, uint64_t *v)
{
	size_t i;

	if ((size_t)(end - p) < n)
		return NULL;
	for (*v = 0, i = n; i > 0; i--)
		*v = *v << 8 | (unsigned char)p[i - 1];
	return p + n;
}

static const char *bytes(const char *p, const char *end, struct span *t)
{
	uint64_t n;

	p = wire_varint(p, end, &n);
	if (!p || n > (uint64_t)(end - p))
		return NULL;
	*t = (struct span){ p, (size_t)n };
	return p + n;
}

bool wire_next_any(struct wire *w, struct wire_field *f)
{
	const char *p = w->p;
	uint64_t tag;

	if (p >= w->end)
		return false;
	p = wire_varint(p, w->end, &tag);
	if (p && tag >> 3 >= 1 && tag >> 3 <= WIRE_MAX_FIELD) {
		f->number = (uint32_t)(tag >> 3);
		f->type = (enum wire_type)(tag & 7);
		f->value = 0;
		f->bytes = (struct span){ p, 0 };
		switch (tag & 7) {
		case WIRE_VARINT: p = wire_varint(p, w->end, &f->value); break;
		case WIRE_FIXED64: p = fixed(p, w->end, 8, &f->value); break;
		case WIRE_BYTES: p = bytes(p, w->end, &f->bytes); break;
		case WIRE_FIXED32: p = fixed(p, w->end, 4, &f->value); break;
		default: p = NULL; break;
		}
	} else {
		p = NULL;
	}
	w->damaged = !p;
	w->p = p ? p : w->end;
	return p != NULL;
}

bool wire_fields(struct span message, struct wire_field *field, uint32_t n)
{
	struct wire w = wire_of(message);
	struct wire_field f;

	memset(field, 0, n * sizeof(*field));
	while (wire_next(&w, &f))
		if (f.number < n)
			field[f.number] = f;
	return !w.damaged;
}

bool wire_find(struct span message, uint32_t number, enum wire_type type, struct wire_field *f)
{
	struct wire w = wire_of(message);

	while (wire_next(&w, f))
		if (wire_is(f, number, type))
			return true;
	return false;
}

bool wire_is_message(struct span message)
{
	struct wire w = wire_of(message);
	struct wire_field f;

	while (wire_next(&w, &f))
		;
	return !w.damaged;
}

bool wire_repeated(const struct wire_field *f, enum wire_type type, size_t *at, uint64_t *v)
{
	if (f->type == type && type != WIRE_BYTES) {
		*v = f->value;
		return (*at)++ == 0;
	}
	if (!f->bytes.p)
		return false;
	const char *p = f->bytes.p + *at;
	const char *end = f->bytes.p + f->bytes.n;
	if (f->type != WIRE_BYTES || p >= end)
		return false;
	if (type == WIRE_VARINT)
		p = wire_varint(p, end, v);
	else
		p = fixed(p, end, type == WIRE_FIXED64 ? 8 : 4, v);
	if (!p)
		return false;
	*at = (size_t)(p - f->bytes.p);
	return true;
}
