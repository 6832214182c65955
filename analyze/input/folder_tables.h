/*
 * rocprofv3's outputs in folders: the tables of one recording, PREFIX_kernel_trace.csv and those
 * beside it, are one trace; where PREFIX_results.db or .json is there, too, that has all of it.
 */
#ifndef ANALYZE_INPUT_FOLDER_TABLES_H
#define ANALYZE_INPUT_FOLDER_TABLES_H

struct folder;

/*
 * Of the outputs of a folder that have one prefix one stays: results as they are, and others are
 * FOLDER_UNKNOWN with a word; else the first table, of kernels where there is one, with the others
 * beside it, which are FOLDER_JOINED.
 */
void folder_settle_tables(struct folder *f);

#endif
