/* Histories on disk: stores of baselines and CSV files.
 *
 * A store is a file, or a folder with HISTORY_FILE in it. */
#pragma once

#include "analyze/trace/history.h"

struct operands;

#define HISTORY_FILE "baseline.jsonl"

/* The file of a store: path itself, or HISTORY_FILE in the folder.  Memory is the arena's. */
const char *history_file(const char *path, struct arena *mem);

/* A regular file that begins as a store does, or a folder with such a file in it. */
bool history_is_at(const char *path);

/* Reads a store or CSV file.  Errors name the file in their text.  A torn last line is said on
 * stderr unless is_quiet.  *h is initialised in any case. */
enum status history_load(
	struct history *h, const char *path, bool is_quiet, struct err *e) MUST_CHECK;

/* Takes the first side off where it is one path that is a store, or `wanted`, and loads it into *h;
 * *has_history says whether.  As history_load. */
enum status history_take(struct operands *o, bool wanted, struct history *h, bool *has_history,
	bool is_quiet, struct err *e) MUST_CHECK;
