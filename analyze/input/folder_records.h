/*
 * Records of digests in folders: they are what their traces are, in whichever files they lie.
 */
#ifndef ANALYZE_INPUT_FOLDER_RECORDS_H
#define ANALYZE_INPUT_FOLDER_RECORDS_H

struct folder;

/*
 * Records of a folder behind all else, by name and by what they say, each once: how they lie in
 * files makes no difference.
 */
void folder_settle_records(struct folder *f);

#endif
