/*
 * Whether CUPTI still records for us.
 *
 * Nothing tells a user of CUPTI that another one in the process has registered its own buffer
 * functions or has switched kinds off; records just cease to come, as they do when the program
 * pauses.  So when neither a buffer was asked for nor given back for some flushes, CUPTI is asked
 * to call us at each launch: launches that would more than fill all buffers it has of us, and still
 * no buffer moves, are recorded for somebody else or not at all.  While buffers move nothing is
 * called.
 */
#ifndef CAPTURE_INJECT_WATCH_H
#define CAPTURE_INJECT_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture/inject/lent.h"

enum {
	WATCH_QUIET = 3,         /* flushes without a move before we listen */
	WATCH_RECORD_BYTES = 40, /* a launch leaves one record at least, and none is smaller */
	WATCH_LAUNCHES_MIN = 64  /* so many must be heard of */
};

enum watch_advice {
	WATCH_GO_ON,
	WATCH_LISTEN, /* have launches told */
	WATCH_STOP,   /* no longer */
	WATCH_LOST    /* CUPTI records for us no more; stop listening */
};

struct watch {
	_Atomic uint64_t launches[2]; /* heard of: of the driver's functions, of the runtime's */
	uint64_t moves;               /* at the last look */
	int quiet;
	bool is_listening, is_lost;
	int64_t moved_ns; /* when buffers were last seen to move, as the looks tell time */
};

/* A launch began. */
void watch_heard(struct watch *w, bool is_runtime);

/*
 * After a flush: what to do.  has_driver: a launch by a driver function leaves a record, too.
 */
enum watch_advice watch_look(struct watch *w, struct lent *lent, bool has_driver, int64_t now_ns);

#endif
