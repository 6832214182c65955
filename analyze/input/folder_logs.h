/*
 * Logs beside databases in folders: what a database is read with is no file of its own.
 */
#ifndef ANALYZE_INPUT_FOLDER_LOGS_H
#define ANALYZE_INPUT_FOLDER_LOGS_H

struct folder;

/* Logs and journals of databases of the folder become FOLDER_JOINED, is_log. */
void folder_settle_logs(struct folder *f);

#endif
