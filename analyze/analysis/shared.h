/* What several answers about one run need: made once, beside those that need none of it.
 *
 * Each part is made by one thread; who asks for a part that is being made waits for it.  Where
 * nothing is shared, or not this part, it is made for the one who asks. */
#pragma once

#include "analyze/costmodel/owners.h"
#include "analyze/judge/judge.h"
#include "analyze/measure/device/devtime.h"
#include "analyze/measure/roles.h"

struct digest_known;
struct filter;
struct shared;

/* X(NAME), the dearest first */
#define SHARED_PARTS(X) \
	X(ROLES)        \
	X(WAITING)      \
	X(LEDGERS)      \
	X(DEVTIME)      \
	X(OWNERS)       \
	X(JUDGE)

#define SHARED_ID(name) SHARED_##name,
enum shared_part { SHARED_PARTS(SHARED_ID) SHARED_COUNT };
#define SHARED_BIT(part) (1u << SHARED_##part)

/* Parts (a set of SHARED_BITs) of one run, through one filter.  Both are borrowed.  Each of them
 * has to be made by a call of shared_make: begun before anybody asks for it, so that nobody waits
 * for what comes later in the same thread.  Released by shared_free; NULL is allowed there. */
struct shared *shared_new(const struct run *r, const struct filter *f, unsigned parts);
void shared_make(struct shared *s, enum shared_part part);
void shared_free(struct shared *s);

/* ledgers_init, roles_init and devtime_init (whose devtime_clear is called as ever), or what is
 * shared; s may be NULL.  v is laid over the same filter; its steps do not matter, but for the
 * window of ledgers and roles, which are of the filter's. */
void shared_ledgers(struct shared *s, struct ledgers *l, const struct run *r,
	const struct classes *c, const struct filter_view *v, struct arena *mem);
void shared_roles(struct shared *s, struct roles *o, const struct run *r, const struct classes *c,
	const struct filter_view *v, struct arena *mem);
void shared_devtime(
	struct shared *s, struct devtime *d, const struct run *r, const struct filter_view *v);

/* roof_owners_init, shared or made as *own, which the caller gives all 0 and releases by
 * roof_owners_clear; NULL: the run has no ops. */
const struct roof_owners *shared_owners(struct shared *s, struct roof_owners *own,
	const struct run *r, const struct filter_view *v);

/* Ledgers and what is waited for, as a digest takes them; false: they are not shared. */
bool shared_known(struct shared *s, struct digest_known *known);

/* window_busy, of what is shared where it is. */
double shared_busy(
	struct shared *s, const struct run *r, const struct filter_view *v, struct arena *mem);

/* Ledgers and what is waited for, shared or not, and the window they make. */
void shared_window(struct shared *s, struct window *w, struct ledgers *l,
	struct step_gap_causes *waiting, const struct run *r, const struct classes *c,
	const struct filter_view *v, struct arena *mem);

/* The judge of that window (judge.h), shared or made by so many threads as *own, which the caller
 * gives all 0 and releases by judge_clear; NULL: the run has no device, or nothing that launches
 * work for it. */
const struct judge *shared_judge(struct shared *s, struct judge *own, const struct run *r,
	judge_window_fn *window, void *ctx, unsigned threads, struct arena *mem);

/* That window, of what runs in steps, whatever its name; left alone where the run has none. */
void shared_steps_window(struct shared *s, struct window *w, const struct run *r,
	const struct classes *c, const struct filter_view *v, struct arena *mem);
