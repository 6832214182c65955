/* `memory`: what its parts share.  Private to analyze/answer/memory/. */
#pragma once

#include "analyze/analysis/perrun.h"
#include "analyze/measure/host/hostpath.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/measure/memory/snapheld.h"
#include "analyze/measure/memory/snapoom.h"

/* `memory` of memory snapshots: what its parts share.  Private to analyze/answer/memory/. */

/* A device of a snapshot. */
struct snapdev {
	const struct memsnap *m;
	int64_t id;
	const char *label; /* "GPU 0" */
	const struct snapstate *state;
	const struct snapsum *sum; /* NULL: it holds nothing */
	bool has_history;          /* the next four are there */
	struct snapreplay replay;
	struct snapcurve curve;
	struct snapgrowths growths;
	struct snapoom *oom; /* by time */
	size_t noom;
	struct snapheld held; /* without a history: of the blocks */
	struct arena mem;
};

struct snap {
	struct perrun *at;
	const struct memory_options *o;
	size_t limit;            /* rows of each device */
	struct snapstate *state; /* by snapshot */
	struct snapdev *dev;
	size_t ndev;
};

/* memory_snap_say.c: the answer in sentences. */
void snap_put_answer(const struct snap *s);
/* What to do first about a failure. */
void snap_say_action(struct str *b, const struct snapdev *d, const struct snapoom *o);

/* memory_snap_tables.c: segments and blocks; what happened. */
void snap_put_oom(const struct snap *s);
void snap_put_held(const struct snap *s);
void snap_put_segments(const struct snap *s);
void snap_put_blocks(const struct snap *s);
void snap_put_history(const struct snap *s);
void snap_put_peaks(const struct snap *s);
void snap_put_stacks(const struct snap *s);
void snap_put_growing(const struct snap *s);
void snap_put_curve(const struct snap *s);
void snap_put_lives(const struct snap *s);

struct memory_options {
	int64_t limit;  /* rows of ops; below 0: the default */
	int64_t points; /* of each curve; below 0: the default */
	int64_t lives;  /* blocks of each GPU over time; 0: none */
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
