/* Loading records of traces: what is kept of one becomes a run without its events. */
#pragma once

#include "base/base.h"

struct run;
struct source;

/* Whether what is to be read is a record.  Before the first source_read. */
bool load_kept_is(struct source *s);

/* Whether its head is that of one: E_SYNTAX, E_FORMAT, E_IO. *check receives its checksum. */
enum status load_kept_check(struct source *s, uint32_t *check, struct err *e) MUST_CHECK;

/* What stands between the paths of files that are read as one: a byte that no path ends with. */
enum { LOAD_KEPT_AND = '\n' };

/* Of n paths those of files of digests become one, where the first of them stood; returns how many
 * paths there are then.  What it is, folder_read knows. */
size_t load_kept_join(const char **path, size_t n, struct arena *mem);

/* Whether a path is one of those. */
bool load_kept_joined(const char *path);

/* What people see a path under: of a record, FILE!NAME or a file of one, what its trace was called
 * when it was digested, in mem; of several that are joined the first; else the path. */
const char *load_shown(const char *path, struct arena *mem);

/* A record that is read only for what its trace was as a file. */
struct digest_facts;
bool load_kept_facts(
	const char *path, const char *inflate, struct digest_facts *facts, struct arena *mem);

/* How many bytes of a record's name are its trace's: of several with one name others have "~2". */
size_t load_kept_name(const char *name);

/* Reads all of it into run->kept, and what it says of the trace into the run.  E_SYNTAX, E_FORMAT,
 * E_LIMIT, E_IO. */
enum status load_kept(struct source *s, struct run *run, struct err *e) MUST_CHECK;
