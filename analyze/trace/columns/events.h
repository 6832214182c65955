/* The event table: one array per field, one row per stored event, in file order.
 *
 * 30 bytes a row; whatever only some kinds have lives in the side tables (args.h). */
#pragma once

#include "analyze/trace/columns/strings.h"
#include "base/base.h"

typedef int64_t nsec; /* time and duration in ns; never double, never microseconds */

enum event_flag {
	EVENT_UNFINISHED = 1, /* no duration in the file, or B without E: dur is what is known */
	EVENT_CLAMPED = 2,    /* its duration was negative in the file; dur is 0 */
	EVENT_BEGIN = 4,      /* ph B, only while loading */
	EVENT_END = 8,        /* ph E, only while loading */
	EVENT_DROP = 32,      /* to be removed, only while loading */
	EVENT_CUT = 16,       /* args say "finished": false, still open at the end of the window */
	EVENT_OPEN = 64       /* its end is still to come, only while loading */
};

enum { NO_ARGS = 0 };
#define NO_ROW UINT32_MAX

struct events {
	size_t n, cap;
	nsec *start; /* as in the file (absolute epoch or relative to meta.base_ns) */
	nsec *dur;   /* >= 0; 0 for instants */
	sym *name;
	uint32_t *lane; /* index into run.lanes */
	uint32_t *args; /* 1 + row in the side table of its kind (args_table_of); 0 = none */
	uint8_t *kind;  /* enum kind */
	uint8_t *flags; /* enum event_flag */
};

void events_init(struct events *e);
void events_clear(struct events *e);

/* Room for `more` rows behind the n there are; every column is then writable up to n + more. */
void events_reserve(struct events *e, size_t more);

/* Removes the rows marked EVENT_DROP; the others keep their order. */
void events_drop(struct events *e);

/* start + dur, saturated at INT64_MAX.  Inline: it is asked for every row, more than once. */
static inline nsec events_end(const struct events *e, size_t row)
{
	nsec end;

	return LIKELY(!add_overflows(e->start[row], e->dur[row], &end)) ? end : INT64_MAX;
}

/* The first row of a kind (enum kind) at or behind `from`, or n: for kinds that are rare or not
 * there at all, whose rows are found at the speed of memory. */
static inline size_t events_find(const struct events *e, size_t from, int kind)
{
	const uint8_t *at = from < e->n ? memchr(e->kind + from, kind, e->n - from) : NULL;

	return at ? (size_t)(at - e->kind) : e->n;
}

/* A loop over the rows of a kind: for (EACH_OF_KIND(row, events, kind)). */
#define EACH_OF_KIND(row, ev, kind)                \
	size_t row = events_find((ev), 0, (kind)); \
	row < (ev)->n;                             \
	row = events_find((ev), row + 1, (kind))
