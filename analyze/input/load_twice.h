/* What the second of two files of a run says (analyze/input/superseded.h): a copy, or something
 * else. */
#pragma once

#include "base/base.h"

struct folder;
struct folder_file;

/* Settles which artifacts that are there twice are copies, and of what: reads each of them.  One
 * that cannot be read is none.  For a folder that parts_of has looked at. */
void twice_settle(struct folder *f, const char *inflate);

/* True when it is read into its run: there once, or saying something else than the others. */
bool twice_is_read(const struct folder_file *file);

/* Says of a FOLDER_TWICE what is read in its stead, or whose figures it does not repeat.  False
 * when something is left out that nothing else says. */
bool twice_put(const struct folder_file *file, struct str *out);
