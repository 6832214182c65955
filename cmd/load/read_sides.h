/* Sides of a comparison from the command line: find, read and digest the files, sort them into
 * runs. */
#pragma once

#include "analyze/job/sides.h"
#include "cmd/load/operands.h"

struct result;

struct sides_file {
	struct side_file placed;
	size_t side;
	bool is_found; /* in a folder: what cannot be read is left out with a word */
	struct digest *digest;
	bool is_kept;        /* it is read from what was kept of a trace */
	bool cuts_on_device; /* it is read again: other ranks' steps are cut on the device */
	struct err err;      /* why there is none */
	bool is_filtered;    /* the filters take nothing of it */
	const struct load_beside *beside; /* what is read with it, or NULL */
	const char *twin; /* of a file that is there twice: what the other says; NULL */
	bool is_copy;     /* what it says is in another file of its run */
	bool is_odd_twin; /* that one is read instead, and says otherwise */
};

/* What of a folder was not looked at, in words. */
struct sides_unseen {
	const char *path, *what;
	int64_t n;
	size_t side;
	int64_t beyond; /* files and folders that were too many */
};

struct sides {
	struct side *side;
	size_t nside;
	struct sides_file *file; /* side by side, by path */
	size_t nfile, file_cap;
	struct sides_unseen *unseen; /* of each folder of which something odd was left out */
	size_t nunseen, unseen_cap;
	bool is_strict;
	struct arena mem;
};

struct sides_options {
	struct digest_options digest;
	unsigned threads; /* 0: one per core */
	bool is_strict, is_quiet;
	bool takes_broken; /* of the last side what says nothing is left out, also where all of it
	                      does: it has no run then */
};

/*
 * Reads everything the operands name, ranks of which one's steps are cut on the device and
 * another's on the host twice, several files at a time.  Each is digested and released, so that at
 * most as many files are in memory as threads read.  *where: the file an error is about, or NULL.
 * The result does not depend on the number of threads.  sides_clear releases, also after a failure.
 */
enum status sides_read(struct sides *s, const struct operands *o, const struct sides_options *how,
	const char **where, struct err *e) MUST_CHECK;
void sides_clear(struct sides *s);

/* The files as inputs of the result, with what was odd about them and their folders as notes. */
void sides_list(const struct sides *s, struct result *out);
