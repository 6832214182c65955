/* How the files of an export are called (cmd/export_folder.h makes them): TABLE.parquet, and
 * TABLE-2.parquet ... of further runs in the same folder. */
#pragma once

#include "base/base.h"

#define EXPORT_EVENTS "events"

/* The file of another table of the same run, where a path is that of events; NULL: it is not. */
const char *export_file_beside(const char *path, const char *table, struct arena *mem);

/* The file of events of a folder that holds the export of one run and no other; NULL. */
const char *export_file_in(const char *folder, struct arena *mem);

bool export_is(const char *folder);

/* Whether a file is another table of the run whose events the other file is, by their names. */
bool export_is_beside(const char *path, const char *events);
