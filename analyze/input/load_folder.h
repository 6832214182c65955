/*
 * Loading folders: their artifacts and one trace become a run.
 */
#ifndef ANALYZE_INPUT_LOAD_FOLDER_H
#define ANALYZE_INPUT_LOAD_FOLDER_H

#include <stddef.h>

#include "analyze/input/load_file.h"

struct folder;
struct folder_file;
struct part;

/* A folder as one run; load_path's way for folders. */
enum status load_folder(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/* A folder that is not there: a run without anything, which says so. */
enum status load_missing(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/*
 * A part of a folder (analyze/input/run_parts.h): its files, and notes about them.  shown: what the
 * run is called to those who read the notes; what they say of the folder names it where it is
 * another.
 */
enum status load_part(const struct folder *f, const struct part *part, const char *shown,
	const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

#endif
