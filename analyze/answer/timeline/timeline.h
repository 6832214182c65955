/*
 * `timeline`: what its parts share.  Private to analyze/answer/timeline/.
 */
#ifndef ANALYZE_ANSWER_TIMELINE_TIMELINE_H
#define ANALYZE_ANSWER_TIMELINE_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/classes.h"
#include "analyze/measure/devices.h"
#include "analyze/query/perrun.h"
#include "base/table.h"

struct timeline_options {
	int64_t slices; /* below 0: the default */
	int64_t lanes;  /* this many streams and threads by themselves */
};

/* Equal stretches of the time from the first device event to the last. */
struct timeline {
	struct perrun *at;
	struct classes classes;
	struct devices devices;
	nsec first, last;
	nsec *edge; /* n + 1 of them; slice i is [edge[i], edge[i + 1]) */
	size_t n;
};

/* The slice t lies in; t within the span. */
static inline size_t timeline_slice(const struct timeline *l, nsec t)
{
	size_t low = 0, high = l->n - 1;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		if (l->edge[middle] <= t)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Every table begins with the slice: TLINE_AT and TLINE_LENGTH. */
#define TABLES_DEF "analyze/answer/timeline/tables.def"
#include "base/table_names_impl.h"

struct jobpage;

void timeline_put_devices(struct timeline *l, const struct table_doc *doc);
void timeline_put_queues(struct timeline *l, const struct table_doc *doc);
void timeline_put_copies(struct timeline *l, const struct table_doc *doc);
void timeline_put_lanes(const struct timeline *l, const struct table_doc *doc, size_t most);

/* timeline_ranks.c: of the tables of devices of a job's ranks one, a row a rank and device. */
void timeline_put_ranks(const struct jobpage *p, const struct result *kept, struct result *out);

#endif
