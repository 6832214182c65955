/*
 * The checkpoint of a capture file: how far its gzip stream is whole.
 *
 * A capture file is one gzip member whose header has an extra field "TQ" of 40 bytes (RFC 1952,
 * 2.3.1.1), rewritten in place after each Z_SYNC_FLUSH.  The bytes before `committed` are then a
 * deflate stream that ends at a byte boundary, so that a program killed at any moment leaves a file
 * that seal.h can finish without reading it.  All numbers little endian:
 *
 *   0      10  12 14   16        24   28     32      40    48   52     56
 *   | head |len|TQ|40 |committed|crc |isize |events |dev. |pid |flags| deflate stream ...
 */
#ifndef CAPTURE_CHECKPOINT_H
#define CAPTURE_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CHECKPOINT_AT = 16,    /* byte of the file where it begins */
	CHECKPOINT_BYTES = 40, /* its length */
	CHECKPOINT_HEAD = 56   /* the whole header: where the deflate stream begins */
};

enum { CHECKPOINT_COMPLETE = 1 }; /* flags: the stream and its trailer are whole */

struct checkpoint {
	uint64_t committed; /* byte of the file up to which the stream is whole; 0: nothing yet */
	uint32_t crc;       /* CRC-32 of the text up to there */
	uint32_t isize;     /* length of that text modulo 2^32 */
	uint64_t events;    /* trace events in it */
	uint64_t device_ns; /* CLOCK_REALTIME: end of the last device work in it; 0: there is none
	                     */
	uint32_t pid;
	uint32_t flags;
};

/* The header of a new file, with an empty checkpoint. */
void checkpoint_head(unsigned char head[CHECKPOINT_HEAD], uint32_t pid);

/* The 40 bytes of the field. */
void checkpoint_put(unsigned char field[CHECKPOINT_BYTES], const struct checkpoint *c);

/* Reads the header of a file; false when it is no capture file's. */
bool checkpoint_get(const unsigned char head[CHECKPOINT_HEAD], struct checkpoint *c);

/* The trailer of a gzip member: CRC and length. */
void checkpoint_trailer(unsigned char trailer[8], uint32_t crc, uint32_t isize);

#endif
