/*
 * The checkpoint field in the gzip header of a capture file.
 */
#include "capture/checkpoint.h"

#include <string.h>

static void put32(unsigned char *p, uint32_t v)
{
	int i;

	for (i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> (8 * i) & 255);
}

static void put64(unsigned char *p, uint64_t v)
{
	put32(p, (uint32_t)v);
	put32(p + 4, (uint32_t)(v >> 32));
}

static uint32_t get32(const unsigned char *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t get64(const unsigned char *p)
{
	return get32(p) | (uint64_t)get32(p + 4) << 32;
}

/* Magic, deflate, FEXTRA, no time, no level, Unix; 44 bytes of extra; "TQ", 40 bytes. */
static const unsigned char start[CHECKPOINT_AT] = { 0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 44, 0, 'T',
	'Q', CHECKPOINT_BYTES, 0 };

void checkpoint_head(unsigned char head[CHECKPOINT_HEAD], uint32_t pid)
{
	struct checkpoint none = { .pid = pid };

	memcpy(head, start, sizeof(start));
	checkpoint_put(head + CHECKPOINT_AT, &none);
}

void checkpoint_put(unsigned char field[CHECKPOINT_BYTES], const struct checkpoint *c)
{
	put64(field, c->committed);
	put32(field + 8, c->crc);
	put32(field + 12, c->isize);
	put64(field + 16, c->events);
	put64(field + 24, c->device_ns);
	put32(field + 32, c->pid);
	put32(field + 36, c->flags);
}

bool checkpoint_get(const unsigned char head[CHECKPOINT_HEAD], struct checkpoint *c)
{
	const unsigned char *field = head + CHECKPOINT_AT;

	if (memcmp(head, start, sizeof(start)) != 0)
		return false;
	c->committed = get64(field);
	c->crc = get32(field + 8);
	c->isize = get32(field + 12);
	c->events = get64(field + 16);
	c->device_ns = get64(field + 24);
	c->pid = get32(field + 32);
	c->flags = get32(field + 36);
	return true;
}

void checkpoint_trailer(unsigned char trailer[8], uint32_t crc, uint32_t isize)
{
	put32(trailer, crc);
	put32(trailer + 4, isize);
}
