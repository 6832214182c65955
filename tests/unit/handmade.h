/* Runs made by hand through the store's own interface, for tests. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/run.h"
#include "base/err.h"
#include "base/table.h"

struct analysis;

/* A thread of process 100; a stream of a device. */
uint32_t hand_thread(struct run *r, int64_t tid);
uint32_t hand_stream(struct run *r, int64_t device, int64_t stream);

/* An event with an empty row in its side table; the run's first_ns and last_ns follow.  Its row. */
uint32_t hand_event(
	struct run *r, enum kind kind, uint32_t lane, const char *name, nsec start, nsec dur);

/* Sets the correlation (not for ops) and External id of a row; 0 leaves them unset. */
void hand_ids(struct run *r, uint32_t row, uint64_t correlation, uint64_t external_id);

/* Sets a kept argument of a row. */
void hand_arg(struct run *r, uint32_t row, enum arg arg, union arg_value value);

/* A launch on `thread` and its kernel on `stream`, with this correlation.  The kernel's row. */
uint32_t hand_launch(struct run *r, uint32_t thread, uint32_t stream, nsec at, nsec kernel_at,
	nsec kernel_dur, uint64_t correlation);

/* Counts n events of that raw category and phase; cat NULL: the event has none. */
void hand_count(struct run *r, const char *cat, char ph, int64_t n);

/* What an analysis says about one run. */
struct hand_answer {
	struct result result;
	enum status status;
	int exit_code;
	struct err err;
};

/* Asks analysis `a` about r with its default options, for people or for machines; builds what it
 * needs first.  Released by hand_release. */
void hand_ask(struct hand_answer *h, const struct analysis *a, struct run *r, bool for_people);
void hand_release(struct hand_answer *h);

/* The table of that id, or NULL. */
const struct table *hand_table(const struct hand_answer *h, const char *id);

/* A cell by its column's key; when absent: hand_int INT64_MIN, hand_text "", hand_real NaN,
 * hand_bool false. */
int64_t hand_int(const struct table *t, size_t row, const char *key);
struct span hand_text(const struct table *t, size_t row, const char *key);
double hand_real(const struct table *t, size_t row, const char *key);
bool hand_bool(const struct table *t, size_t row, const char *key);
bool hand_knows(const struct table *t, size_t row, const char *key);

/* The first row whose text column `key` is `text`; SIZE_MAX when there is none. */
size_t hand_find(const struct table *t, const char *key, const char *text);
