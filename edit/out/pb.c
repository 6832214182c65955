/* Protocol buffers' wire format. */
#include "edit/out/pb.h"

enum { PB_VARINT = 0, PB_FIXED64 = 1, PB_BYTES = 2, LENGTH_BYTES = 4 };

void pbw_number(struct str *out, uint64_t v)
{
	while (v >= 0x80) {
		str_addc(out, (char)(v | 0x80));
		v >>= 7;
	}
	str_addc(out, (char)v);
}

static void put_tag(struct str *out, uint32_t field, unsigned type)
{
	pbw_number(out, (uint64_t)field << 3 | type);
}

void pbw_varint(struct str *out, uint32_t field, uint64_t v)
{
	put_tag(out, field, PB_VARINT);
	pbw_number(out, v);
}

static void put_fixed64(struct str *out, uint32_t field, uint64_t v)
{
	put_tag(out, field, PB_FIXED64);
	for (int i = 0; i < 8; i++)
		str_addc(out, (char)(v >> 8 * i & 0xff));
}

void pbw_double(struct str *out, uint32_t field, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	put_fixed64(out, field, bits);
}

void pbw_bytes(struct str *out, uint32_t field, struct span v)
{
	put_tag(out, field, PB_BYTES);
	pbw_number(out, v.n);
	str_add(out, v.p, v.n);
}

/* Room for a length of four bytes, which need not be the shortest. */
size_t pbw_begin(struct str *out, uint32_t field)
{
	put_tag(out, field, PB_BYTES);
	str_add(out, "\0\0\0\0", LENGTH_BYTES);
	return out->n;
}

void pbw_end(struct str *out, size_t at)
{
	size_t n = out->n - at;

	for (size_t i = 0; i < LENGTH_BYTES; i++)
		out->s[at - LENGTH_BYTES + i] =
			(char)((n >> 7 * i & 0x7f) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}
