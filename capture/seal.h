/* Finishing the file of a capture that was interrupted: killed, crashed, out of disk.
 *
 * The file is cut at its last checkpoint, the list of events is closed, the gzip stream ended.  Its
 * cost does not depend on the size of the file.  What came after the checkpoint is lost: at most
 * one flush interval, and what CUPTI had not handed over. */
#pragma once

#include "capture/settings.h"

#define CAPTURE_PART ".part" /* suffix of a file that is being written */

enum { SEAL_PATH_MAX = 4096 };

struct sealed {
	uint64_t events;          /* trace events in the file */
	uint64_t device_ns;       /* CLOCK_REALTIME: end of the last device work in it; 0: none */
	uint64_t bytes;           /* size of the file */
	uint32_t pid;             /* the process that wrote it */
	bool was_complete;        /* nothing had to be done but, perhaps, the renaming */
	char path[SEAL_PATH_MAX]; /* its name now: without ".part", if it had that */
};

enum seal_status {
	SEAL_OK,
	SEAL_EMPTY, /* the process died before its first checkpoint; the file is as it was */
	SEAL_FAILED /* no such file, no capture file, damaged, not writable; it is as it was */
};

/* Seals the file at `path` and, when that ends in ".part", renames it to what is before (never over
 * another file: ".1", ".2" ... is put before its suffix).  A complete file is left as it is.  For
 * anything but SEAL_OK, error[CAPTURE_WORDS_MAX] says why in words, without the path. */
enum seal_status seal_file(const char *path, struct sealed *s, char *error);

/* The n-th name to try for a file: "run.pt.trace.json.gz", "run.1.pt.trace.json.gz", ...; to[size]
 * is empty when it does not fit. */
void seal_name(char *to, unsigned long size, const char *path, int n);

/* The file gets that name, where nothing has it; false with errno, EEXIST where something does. */
bool seal_rename_new(const char *from, const char *to);

/* The checkpoint of a capture file: how far its gzip stream is whole.
 *
 * A capture file is one gzip member whose header has an extra field "TQ" of 40 bytes (RFC 1952,
 * 2.3.1.1), rewritten in place after each Z_SYNC_FLUSH.  The bytes before `committed` are then a
 * deflate stream that ends at a byte boundary, so that a program killed at any moment leaves a file
 * that seal.h can finish without reading it.  All numbers little endian:
 *
 *   0      10  12 14   16        24   28     32      40    48   52     56
 *   | head |len|TQ|40 |committed|crc |isize |events |dev. |pid |flags| deflate stream ... */
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
