/* Parts that are shared: a flag for each, which threads wait for. */
#include "analyze/analysis/shared.h"

#include <pthread.h>

#include "analyze/job/digest/digest.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/run_steps.h"

struct shared {
	const struct run *run;
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	unsigned parts;
	struct ledgers ledgers;
	struct roles roles;
	struct step_gap_causes waiting;
	struct devtime devtime;
	struct roof_owners owners;
	struct window window; /* that the judge is about */
	struct judge judge;
	struct arena mem[SHARED_COUNT]; /* of each part */
	struct arena common;
	pthread_mutex_t lock;
	pthread_cond_t made;
	unsigned done; /* of parts; under the lock */
};

/* A filter that cannot be laid over the run is everybody's own to complain about. */
struct shared *shared_new(const struct run *r, const struct filter *f, unsigned parts)
{
	struct shared *s = xcalloc(1, sizeof(*s));
	struct err ignored;

	s->run = r;
	(void)pthread_mutex_init(&s->lock, NULL);
	(void)pthread_cond_init(&s->made, NULL);
	err_clear(&ignored);
	if (filter_parse(&s->set, f, &ignored) != OK ||
		filter_view_init(&s->view, &s->set, r, &s->common, &ignored) != OK)
		return s;
	s->parts = parts;
	classes_init(&s->classes, r, &s->common);
	return s;
}

/* Waits until a part is there; false when it is not shared. */
static bool wait_for(struct shared *s, enum shared_part part)
{
	if (!s || !(s->parts >> part & 1))
		return false;
	(void)pthread_mutex_lock(&s->lock);
	while (!(s->done >> part & 1))
		(void)pthread_cond_wait(&s->made, &s->lock);
	(void)pthread_mutex_unlock(&s->lock);
	return true;
}

/* Whether there may be anything to judge: devices, and calls that launch work. */
static bool can_judge(const struct run *r)
{
	return r->order->ndevice_lane > 0 && r->kind_count[KIND_RUNTIME] > 0;
}

/* judge_window_fn */
static const struct window *window_of(void *ctx)
{
	struct shared *s = ctx;
	struct step_gap_causes waiting;
	struct ledgers ledgers;

	shared_window(s, &s->window, &ledgers, &waiting, s->run, &s->classes, &s->view,
		&s->mem[SHARED_JUDGE]);
	return s->window.ndevice > 0 ? &s->window : NULL;
}

static void make_judge(struct shared *s)
{
	if (can_judge(s->run))
		judge_init(&s->judge, s->run, window_of, s, 1, &s->mem[SHARED_JUDGE]);
}

const struct judge *shared_judge(struct shared *s, struct judge *own, const struct run *r,
	judge_window_fn *window, void *ctx, unsigned threads, struct arena *mem)
{
	if (wait_for(s, SHARED_JUDGE))
		return s->judge.depend ? &s->judge : NULL;
	if (can_judge(r))
		judge_init(own, r, window, ctx, threads, mem);
	return own->depend ? own : NULL;
}

static const struct roof_owners *make_owners(
	struct shared *s, struct roof_owners *o, const struct run *r, const struct filter_view *v)
{
	SCOPED_ARENA scratch = { 0 };
	struct devtime of;

	if (r->kind_count[KIND_OP] == 0)
		return NULL;
	shared_devtime(s, &of, r, v);
	roof_owners_init(o, r, v, &of, &scratch);
	return o;
}

const struct roof_owners *shared_owners(
	struct shared *s, struct roof_owners *own, const struct run *r, const struct filter_view *v)
{
	if (wait_for(s, SHARED_OWNERS))
		return r->kind_count[KIND_OP] > 0 ? &s->owners : NULL;
	return make_owners(s, own, r, v);
}

void shared_make(struct shared *s, enum shared_part part)
{
	if (!(s->parts >> part & 1))
		return;
	if (part == SHARED_ROLES)
		roles_init(&s->roles, s->run, &s->classes, &s->view, &s->mem[part]);
	else if (part == SHARED_WAITING)
		step_gap_causes_init(&s->waiting, s->run, &s->view, &s->mem[part]);
	else if (part == SHARED_LEDGERS)
		ledgers_init(&s->ledgers, s->run, &s->classes, &s->view, &s->mem[part]);
	else if (part == SHARED_OWNERS)
		(void)make_owners(s, &s->owners, s->run, &s->view);
	else if (part == SHARED_JUDGE)
		make_judge(s);
	else
		devtime_init(&s->devtime, s->run, &s->view);
	(void)pthread_mutex_lock(&s->lock);
	s->done |= 1u << part;
	(void)pthread_cond_broadcast(&s->made);
	(void)pthread_mutex_unlock(&s->lock);
}

void shared_free(struct shared *s)
{
	if (!s)
		return;
	roof_owners_clear(&s->owners);
	devtime_clear(&s->devtime);
	judge_clear(&s->judge);
	for (size_t i = 0; i < SHARED_COUNT; i++)
		arena_clear(&s->mem[i]);
	arena_clear(&s->common);
	filter_free(&s->set);
	(void)pthread_cond_destroy(&s->made);
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
}

void shared_ledgers(struct shared *s, struct ledgers *l, const struct run *r,
	const struct classes *c, const struct filter_view *v, struct arena *mem)
{
	if (wait_for(s, SHARED_LEDGERS))
		*l = s->ledgers;
	else
		ledgers_init(l, r, c, v, mem);
}

void shared_roles(struct shared *s, struct roles *o, const struct run *r, const struct classes *c,
	const struct filter_view *v, struct arena *mem)
{
	if (wait_for(s, SHARED_ROLES))
		*o = s->roles;
	else
		roles_init(o, r, c, v, mem);
}

static void shared_waiting(struct shared *s, struct step_gap_causes *w, const struct run *r,
	const struct filter_view *v, struct arena *mem)
{
	if (wait_for(s, SHARED_WAITING))
		*w = s->waiting;
	else
		step_gap_causes_init(w, r, v, mem);
}

void shared_devtime(
	struct shared *s, struct devtime *d, const struct run *r, const struct filter_view *v)
{
	if (!wait_for(s, SHARED_DEVTIME)) {
		devtime_init(d, r, v);
		return;
	}
	*d = s->devtime;
	d->is_borrowed = true;
}

bool shared_known(struct shared *s, struct digest_known *known)
{
	if (!wait_for(s, SHARED_LEDGERS) || !wait_for(s, SHARED_WAITING))
		return false;
	*known = (struct digest_known){ &s->classes, &s->ledgers, &s->waiting };
	return true;
}

double shared_busy(
	struct shared *s, const struct run *r, const struct filter_view *v, struct arena *mem)
{
	struct digest_known known;
	struct window w;

	if (!shared_known(s, &known))
		return window_busy(r, v, mem);
	window_init(&w, r, v, known.ledgers, known.waiting, mem);
	return w.busy;
}

void shared_window(struct shared *s, struct window *w, struct ledgers *l,
	struct step_gap_causes *waiting, const struct run *r, const struct classes *c,
	const struct filter_view *v, struct arena *mem)
{
	shared_ledgers(s, l, r, c, v, mem);
	shared_waiting(s, waiting, r, v, mem);
	window_init(w, r, v, l, waiting, mem);
}

void shared_steps_window(struct shared *s, struct window *w, const struct run *r,
	const struct classes *c, const struct filter_view *v, struct arena *mem)
{
	struct ledgers ledgers;
	struct step_gap_causes waiting;

	if (r->steps && r->steps->source != STEPS_WHOLE)
		shared_window(s, w, &ledgers, &waiting, r, c, v, mem);
}
