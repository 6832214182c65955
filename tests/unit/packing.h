/* Archives and compressed texts for tests, written by nobody else's code. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* `{"traceEvents": [...]}` with one event, and the same in four packings and their names. */
extern const char packing_text[];
enum { PACKINGS = 4 };
extern const struct packing {
	const char *name;
	struct span bytes;
} packings[PACKINGS];

/* A bzip2 stream of 100,000,000 zeros in 113 bytes; repeated it is a longer one. */
extern const struct span packing_bomb;

/* Appends a member to a tar; type: '0' a file, '1' and '2' links, '3' a device, '5' a folder. */
void packing_tar(struct str *out, const char *name, char type, struct span data);
/* Appends the end of a tar. */
void packing_tar_end(struct str *out);

/* Zip files, members one after the other, then the directory. */
struct packing_zip {
	struct str out, directory;
	unsigned n;
};
/* flags: 1 says that it is encrypted.  Stored, not deflated. */
void packing_zip_add(struct packing_zip *z, const char *name, unsigned flags, struct span data);
void packing_zip_end(struct packing_zip *z);
void packing_zip_free(struct packing_zip *z);
