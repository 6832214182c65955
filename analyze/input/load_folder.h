/*
 * What load.c and load_folder.c share.
 */
#ifndef ANALYZE_INPUT_LOAD_FOLDER_H
#define ANALYZE_INPUT_LOAD_FOLDER_H

#include "analyze/input/load.h"

/* An empty run of that name, and what turns it into a finished one (st is OK) or releases it. */
void load_begin(struct run *run, const char *path, const struct load_options *o);
enum status load_end(struct run *run, const struct load_options *o, enum status st);

/* One file into a run that may have others already. */
enum status load_file(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/* A folder as one run; load_path's way for folders. */
enum status load_folder(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

#endif
