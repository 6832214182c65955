/* Inflate by zlib, and the choice of the inflater. */
#include "analyze/input/source/inflate.h"

#include <limits.h>
#include <zlib.h>

static void *zlib_open(void)
{
	z_stream *z = xcalloc(1, sizeof(*z));

	if (inflateInit2(z, -15) != Z_OK)
		die_oom(64 << 10);
	return z;
}

static void zlib_close(void *state)
{
	if (state)
		(void)inflateEnd(state);
	free(state);
}

static void zlib_reset(void *state)
{
	(void)inflateReset(state);
}

static enum inflate_end zlib_run(
	void *state, const unsigned char **in, size_t *nin, unsigned char **out, size_t *nout)
{
	z_stream *z = state;
	unsigned in_now = (unsigned)MIN(*nin, UINT_MAX / 2);
	unsigned out_now = (unsigned)MIN(*nout, UINT_MAX / 2);

	z->next_in = (z_const Bytef *)(uintptr_t)*in;
	z->avail_in = in_now;
	z->next_out = *out;
	z->avail_out = out_now;
	int rc = inflate(z, Z_NO_FLUSH);
	*nin -= in_now - z->avail_in;
	*in += in_now - z->avail_in;
	*nout -= out_now - z->avail_out;
	*out += out_now - z->avail_out;
	if (rc == Z_STREAM_END)
		return INFLATE_END;
	return rc == Z_OK || rc == Z_BUF_ERROR ? INFLATE_MORE : INFLATE_BAD;
}

static uint32_t zlib_crc32(uint32_t crc, const unsigned char *p, size_t n)
{
	return (uint32_t)crc32_z(crc, p, n);
}

static uint32_t zlib_adler32(uint32_t adler, const unsigned char *p, size_t n)
{
	return (uint32_t)adler32_z(adler, p, n);
}

static const struct inflater inflater_zlib = { "zlib", zlib_open, zlib_close, zlib_reset, zlib_run,
	zlib_crc32, zlib_adler32 };

const struct inflater *inflater_pick(const char *wanted)
{
#ifdef HAVE_ISAL
	if (!wanted || strcmp(wanted, "zlib") != 0)
		return &inflater_isal;
#endif
	(void)wanted;
	return &inflater_zlib;
}

const char *inflate_versions(void)
{
#ifdef HAVE_ISAL
	return "ISA-L, zlib " ZLIB_VERSION;
#else
	return "zlib " ZLIB_VERSION;
#endif
}
