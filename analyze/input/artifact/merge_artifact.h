/*
 * An artifact into a run's record.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_MERGE_ARTIFACT_H
#define ANALYZE_INPUT_ARTIFACT_MERGE_ARTIFACT_H

#include <stdbool.h>

#include "base/err.h"

struct artifact;
struct head;
struct run;
struct source;

/*
 * Reads the source, which is of that kind, into run->record, made when there is none.  path is for
 * messages.  Damage of the wrapping is in run->tally, and notes of the reader in the record.
 * Errors of the reader; strict: a truncated or damaged file is one.
 */
enum status merge_artifact(struct source *s, const char *path, const struct head *head,
	const struct artifact *kind, bool is_strict, struct run *run, struct err *e) MUST_CHECK;

#endif
