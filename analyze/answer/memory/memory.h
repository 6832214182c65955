/* `memory`: what its parts share.  Private to analyze/answer/memory/. */
#ifndef ANALYZE_ANSWER_MEMORY_MEMORY_H
#define ANALYZE_ANSWER_MEMORY_MEMORY_H

#include "analyze/measure/host/hostpath.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/analysis/perrun.h"

struct memory_options {
	int64_t limit;  /* rows of ops; below 0: the default */
	int64_t points; /* of each curve; below 0: the default */
};

/* One run being looked at. */
struct memory {
	struct perrun *at;
	const struct memory_options *o;
	size_t limit;
	struct memcurves curves;
	struct hostpath path;
};

/* memory_ops.c: allocation by op, and what is alive at the peak. */
void memory_put_ops(struct memory *m);
void memory_put_live(struct memory *m);

/* memory_snap.c: the run's memory snapshots.  E_NODATA: --device takes none of their devices. */
enum status memory_put_snapshots(struct perrun *at, const struct memory_options *o) MUST_CHECK;

#define TABLES_DEF "analyze/answer/memory/memory_tables.def"
#include "base/table_names_impl.h"

#endif
