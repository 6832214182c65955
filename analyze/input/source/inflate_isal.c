/* Inflate by ISA-L, about three times as fast as zlib. */
#include "analyze/input/source/inflate.h"

#ifdef HAVE_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <limits.h>

#include "base/base.h"

static void *isal_open(void)
{
	/* Zeroed, as a damaged stream may copy from its window. */
	struct inflate_state *s = xcalloc(1, sizeof(*s));

	isal_inflate_init(s);
	return s;
}

static void isal_close(void *state)
{
	free(state);
}

static void isal_reset(void *state)
{
	isal_inflate_reset(state);
}

static enum inflate_end isal_run(
	void *state, const unsigned char **in, size_t *nin, unsigned char **out, size_t *nout)
{
	struct inflate_state *s = state;
	uint32_t in_now = (uint32_t)MIN(*nin, INT_MAX);
	uint32_t out_now = (uint32_t)MIN(*nout, INT_MAX);

	s->next_in = (uint8_t *)(uintptr_t)*in;
	s->avail_in = in_now;
	s->next_out = *out;
	s->avail_out = out_now;
	int rc = isal_inflate(s);
	*nin -= in_now - s->avail_in;
	*in += in_now - s->avail_in;
	*nout -= out_now - s->avail_out;
	*out += out_now - s->avail_out;
	if (rc < 0)
		return INFLATE_BAD;
	if (s->block_state != ISAL_BLOCK_FINISH)
		return INFLATE_MORE;
	size_t ahead = (size_t)MAX(s->read_in_length, 0) / 8;
	*in -= ahead; /* whole bytes in its bit buffer lie behind the stream */
	*nin += ahead;
	s->read_in_length = 0;
	return INFLATE_END;
}

static uint32_t isal_crc32(uint32_t crc, const unsigned char *p, size_t n)
{
	return crc32_gzip_refl(crc, p, n);
}

static uint32_t isal_adler(uint32_t adler, const unsigned char *p, size_t n)
{
	return isal_adler32(adler, p, n);
}

const struct inflater inflater_isal = { "isal", isal_open, isal_close, isal_reset, isal_run,
	isal_crc32, isal_adler };
#endif
