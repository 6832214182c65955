/*
 * rocprofv3's CSVs in folders: the tables of one recording, PREFIX_kernel_trace.csv and those
 * beside it, are one trace.
 */
#ifndef ANALYZE_INPUT_FOLDER_TABLES_H
#define ANALYZE_INPUT_FOLDER_TABLES_H

struct folder;

/*
 * Of the tables of a folder that have one prefix the first, of kernels where there is one, has the
 * others beside it; these are FOLDER_JOINED.
 */
void folder_settle_tables(struct folder *f);

#endif
