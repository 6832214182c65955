/* A trace as a file of Chrome's JSON that can be read twice: itself, or one made of it for the time
 * being, where it is of another format or comes through a pipe. */
#pragma once

#include "analyze/input/load_file.h"
#include "base/io_temp.h"

struct rereadable {
	const char *path; /* to be read; the caller's, or that of the temporary file */
	struct io_temp piped, made;
};

/* folder: where temporary files are made ("" is the current one).  The text of a trace of another
 * format holds what traceq reads of it.  As loading; rereadable_close in any case. */
enum status rereadable_open(struct rereadable *p, const char *path, const char *folder,
	const struct load_options *o, struct err *e) MUST_CHECK;
void rereadable_close(struct rereadable *p);
