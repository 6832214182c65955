/* Deflating in pieces.  Source: RFC 1951 and 1952; a piece ends with an empty stored block, so that
 * the next begins at a byte. */
#include "base/gzip/deflate.h"

#include <zlib.h>

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#endif

enum { ROOM = 64 << 10, RAW_DEFLATE = -15, MEMORY = 8 };
enum { ISAL_FIRST = 4, ISAL_SHORT = 16 }; /* so few bytes never reach its fast loop */

static void reserve(struct str *out, size_t more)
{
	out->s = array_grow(out->s, &out->cap, out->n + more + 1, 1);
}

static void zlib_piece(struct span text, int level, struct str *out)
{
	z_stream z = { 0 };

	if (deflateInit2(&z, level, Z_DEFLATED, RAW_DEFLATE, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		die_oom(ROOM);
	z.next_in = (Bytef *)(uintptr_t)text.p;
	z.avail_in = (uInt)text.n;
	do {
		reserve(out, ROOM);
		z.next_out = (Bytef *)out->s + out->n;
		z.avail_out = ROOM;
		(void)deflate(&z, Z_FULL_FLUSH);
		out->n += ROOM - z.avail_out;
	} while (z.avail_out == 0);
	(void)deflateEnd(&z);
}

#ifdef HAVE_ISAL
static void isal_part(struct isal_zstream *z, struct span text, uint16_t flush, struct str *out)
{
	z->flush = flush;
	z->next_in = (uint8_t *)(uintptr_t)text.p;
	z->avail_in = (uint32_t)text.n;
	do {
		reserve(out, ROOM);
		z->next_out = (uint8_t *)out->s + out->n;
		z->avail_out = ROOM;
		(void)isal_deflate(z);
		out->n += ROOM - z->avail_out;
	} while (z->avail_out == 0);
}

/* The first bytes go by themselves: behind them ISA-L's fast loop needs no beginning of its own, in
 * which it hashes an address (up to 2.30 at least), and what comes out depends on where memory is.
 */
static void isal_piece(struct span text, struct str *out)
{
	struct isal_zstream *z = xmalloc(sizeof(*z));
	uint8_t *level = xmalloc(ISAL_DEF_LVL1_DEFAULT);
	const size_t first = text.n > ISAL_SHORT ? ISAL_FIRST : 0;

	isal_deflate_init(z);
	z->level = 1;
	z->level_buf = level;
	z->level_buf_size = ISAL_DEF_LVL1_DEFAULT;
	if (first > 0)
		isal_part(z, (struct span){ text.p, first }, SYNC_FLUSH, out);
	isal_part(z, span_from(text, first), FULL_FLUSH, out);
	FREE_ALL(level, z);
}
#endif

static uint32_t checksum(struct span text)
{
#ifdef HAVE_ISAL
	return crc32_gzip_refl(0, (const unsigned char *)text.p, text.n);
#else
	return (uint32_t)crc32_z(0, (const unsigned char *)text.p, text.n);
#endif
}

struct deflated deflate_piece(struct span text, int level, struct str *out)
{
	const struct deflated piece = { text.n, checksum(text) };

	if (text.n == 0)
		return piece;
#ifdef HAVE_ISAL
	if (level == DEFLATE_FAST)
		isal_piece(text, out);
	else
		zlib_piece(text, level, out);
#else
	zlib_piece(text, level == DEFLATE_FAST ? 1 : level, out);
#endif
	out->s[out->n] = '\0';
	return piece;
}

void deflate_head(struct str *out)
{
	static const char head[] = { 0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0, (char)0xff };

	str_add(out, head, sizeof(head));
}

static void put_u32(struct str *out, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		str_addc(out, (char)(v >> 8 * i & 0xff));
}

void deflate_tail(const struct deflate_sum *sum, struct str *out)
{
	str_addc(out, 3); /* an empty last block */
	str_addc(out, 0);
	put_u32(out, sum->crc);
	put_u32(out, (uint32_t)sum->size);
}

void deflate_add(struct deflate_sum *sum, const struct deflated *piece)
{
	sum->crc = (uint32_t)crc32_combine(sum->crc, piece->crc, (z_off_t)piece->size);
	sum->size += piece->size;
}
