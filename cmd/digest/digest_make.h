/*
 * Making the record of one trace.
 */
#ifndef CMD_DIGEST_DIGEST_MAKE_H
#define CMD_DIGEST_DIGEST_MAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/query/pages.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

struct analyses;
struct analysis;

/* What is answered for each trace and kept. */
struct digest_ask {
	const char *text; /* "kernels --limit=12" */
	const struct analysis *analysis;
	const void *opts;
	enum page_form form;
	unsigned needs; /* of what is loaded, what the answer is to see */
};

struct digest_asks {
	const struct analyses *all;
	struct digest_ask *v; /* those of one analysis beside each other */
	size_t n;
	unsigned needs; /* of all of them, and of the digest */
	struct arena mem;
};

/* The asks of all records; digest_asks_clear releases. */
void digest_asks_init(struct digest_asks *a, const struct analyses *all);
void digest_asks_clear(struct digest_asks *a);

struct load_beside;

struct digest_source {
	const char *path;                 /* to open */
	const char *name;                 /* of the trace, for people and the record */
	const struct load_beside *beside; /* what is read with it, or NULL */
	unsigned threads;                 /* to read it with; 0: one per core */
	bool is_strict;
};

/*
 * The record of a trace, or of a record, which stays as it is; appended to `out`, *name is the
 * trace's path, in mem.  E_* of load_single; E_FORMAT where there is no trace; E_LIMIT.  Any thread
 * may do this.
 */
enum status digest_make(const struct digest_source *s, const struct digest_asks *asks,
	struct str *out, struct span *name, struct arena *mem, struct err *e) MUST_CHECK;

#endif
