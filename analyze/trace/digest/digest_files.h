/* Files of records: the head, and the list of what is behind it. */
#pragma once

#include "base/base.h"

/* What a file of digests begins with: no text, and no transfer of texts leaves it as it is. */
#define DIGEST_FILES_MAGIC "\x89TQD\r\n\x1a\n"

enum { DIGEST_FILES_RECORDS = 1 << 20, DIGEST_FILES_LIST_MAX = 256 << 20 };

struct digest_file_place {
	const char *name; /* unlike all others of the file */
	uint64_t offset, length;
};

/* What a head says. */
struct digest_files {
	struct digest_file_place *record; /* in the order of the file; empty until the list is read
	                                   */
	size_t n;
	uint64_t length; /* of the file */
	size_t list;     /* bytes of the list */
	uint32_t check;  /* of the head and the list */
};

/* The first DIGEST_FILE_HEAD bytes.  E_SYNTAX; E_FORMAT: another version. */
enum status digest_files_head(struct digest_files *f, const char *head, struct err *e) MUST_CHECK;

/* The list behind them; texts are in mem. */
enum status digest_files_list(struct digest_files *f, const char *head, const char *list,
	struct arena *mem, struct err *e) MUST_CHECK;

/* A record that is going to be written. */
struct digest_file_entry {
	struct span name; /* of the trace, as it was opened; sorted: as it is called in the file */
	struct span record; /* its bytes */
};

/* The order of two records of one name, by their lengths and checksums; 0: they are the same. */
int digest_file_compare(uint64_t a_bytes, uint32_t a_check, uint64_t b_bytes, uint32_t b_check);

/* Gives records names that are unlike each other, sorts them by those, and takes out what is there
 * twice; returns how many are left.  What becomes of them depends on what they say, not on the
 * order in which they came.  New names are in mem. */
size_t digest_files_sort(struct digest_file_entry *v, size_t n, struct arena *mem);

/* Appends head and list of a file of sorted records to `out`; their bytes go behind it, in order.
 */
void digest_files_put(const struct digest_file_entry *v, size_t n, struct str *out);
