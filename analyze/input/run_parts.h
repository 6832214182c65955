/* Parts of a folder: the runs in it, and the traces of each.  Which files are one run is the rule
 * of docs/formats.md, "One run or several"; superseded.h has a part of it. */
#pragma once

#include "base/base.h"

struct folder;
struct folder_file;

/* One run. */
struct part {
	const char *path;                /* the folder it is in, to name it */
	const struct folder_file **file; /* in the order of the walk; of traces only the first is
	                                    read */
	size_t n;
	const struct folder_file *first;  /* its trace; NULL: none */
	const struct folder_file **trace; /* further traces: by rank, then as walked */
	size_t ntrace;
	bool is_first; /* of the folder */
};

/* The parts of a folder, at least one; *part receives them, in the folder's memory.  A trace
 * of the same name and size as another of the run is its copy, and left out.  Each file of *f gets
 * the key of its run: the folders that it is known by, "" when it is all there is. */
size_t parts_of(struct folder *f, const char *path, struct part **part);
