/*
 * Judging from what moves and what is heard.
 */
#include "capture/inject/watch.h"

#include <stddef.h>

void watch_heard(struct watch *w, bool is_runtime)
{
	atomic_fetch_add_explicit(&w->launches[is_runtime], 1, memory_order_relaxed);
}

/* Launches since we listen.  The runtime's may call the driver's: they are not added up. */
static uint64_t heard(struct watch *w, bool has_driver)
{
	uint64_t driver = has_driver ? atomic_load(&w->launches[0]) : 0;
	uint64_t runtime = atomic_load(&w->launches[1]);

	return driver > runtime ? driver : runtime;
}

static enum watch_advice be_quiet(struct watch *w, enum watch_advice advice)
{
	w->is_listening = false;
	w->quiet = 0;
	return advice;
}

enum watch_advice watch_look(struct watch *w, struct lent *lent, bool has_driver, int64_t now_ns)
{
	/* In this order: the buffer of a launch that was heard has moved before it is looked for.
	 */
	uint64_t launches = w->is_listening ? heard(w, has_driver) : 0;
	uint64_t bytes = atomic_load(&lent->bytes), moves = atomic_load(&lent->moves);

	if (w->is_lost)
		return WATCH_GO_ON;
	if (moves != w->moves || !w->moved_ns) {
		w->moves = moves;
		w->moved_ns = now_ns;
		return be_quiet(w, w->is_listening ? WATCH_STOP : WATCH_GO_ON);
	}
	if (!w->is_listening) {
		if (++w->quiet < WATCH_QUIET)
			return WATCH_GO_ON;
		atomic_store(&w->launches[0], 0);
		atomic_store(&w->launches[1], 0);
		w->is_listening = true;
		return WATCH_LISTEN;
	}
	if (launches < WATCH_LAUNCHES_MIN || launches * WATCH_RECORD_BYTES <= bytes)
		return WATCH_GO_ON;
	w->is_lost = true;
	return be_quiet(w, WATCH_LOST);
}
