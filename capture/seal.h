/*
 * Finishing the file of a capture that was interrupted: killed, crashed, out of disk.
 *
 * The file is cut at its last checkpoint, the list of events is closed, the gzip stream ended.  Its
 * cost does not depend on the size of the file.  What came after the checkpoint is lost: at most
 * one flush interval, and what CUPTI had not handed over.
 */
#ifndef CAPTURE_SEAL_H
#define CAPTURE_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#define CAPTURE_PART ".part" /* suffix of a file that is being written */

enum { SEAL_ERROR_MAX = 512, SEAL_PATH_MAX = 4096 };

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

/*
 * Seals the file at `path` and, when that ends in ".part", renames it to what is before (never over
 * another file: ".1", ".2" ... is put before its suffix).  A complete file is left as it is.  For
 * anything but SEAL_OK, error[SEAL_ERROR_MAX] says why in words, without the path.
 */
enum seal_status seal_file(const char *path, struct sealed *s, char *error);

/*
 * The n-th name to try for a file: "run.pt.trace.json.gz", "run.1.pt.trace.json.gz", ...; to[size]
 * is empty when it does not fit.
 */
void seal_name(char *to, unsigned long size, const char *path, int n);

#endif
