/*
 * What the second of two files of a run says (analyze/input/twice.h).
 */
#ifndef ANALYZE_INPUT_LOAD_TWICE_H
#define ANALYZE_INPUT_LOAD_TWICE_H

#include <stdbool.h>

struct folder_file;
struct str;

/*
 * Says of a FOLDER_TWICE which file is read in its stead, and whether its figures are the same;
 * reads both.  False when they differ.
 */
bool twice_put(const struct folder_file *file, const char *inflate, struct str *out);

#endif
