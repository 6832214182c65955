/*
 * Which files of a folder belong together.
 *
 * rocprofv3's outputs: the tables of one recording, PREFIX_kernel_trace.csv and those beside it,
 * are one trace; where PREFIX_results.db or .json is there, too, that has all of it.  Records of
 * digests are what their traces are, in whichever files they lie.  Logs beside databases: what a
 * database is read with is no file of its own.
 */
#ifndef ANALYZE_INPUT_FOLDER_SETTLE_H
#define ANALYZE_INPUT_FOLDER_SETTLE_H

struct folder;

/*
 * Of the outputs of a folder that have one prefix one stays: results as they are, and others are
 * FOLDER_UNKNOWN with a word; else the first table, of kernels where there is one, with the others
 * beside it, which are FOLDER_JOINED.
 */
void folder_settle_tables(struct folder *f);

/*
 * Records of a folder behind all else, by name and by what they say, each once: how they lie in
 * files makes no difference.
 */
void folder_settle_records(struct folder *f);

/* Logs and journals of databases of the folder become FOLDER_JOINED, is_log. */
void folder_settle_logs(struct folder *f);

#endif
