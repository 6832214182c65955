/*
 * The worker's side of ranges: taking what the threads have collected, looking names up.
 */
#include <stdlib.h>

#include "capture/inject/ranges.h"

bool ranges_find(struct ranges *r, uint64_t id, struct name *name, uint64_t *parent, bool *is_over)
{
	struct range_info *info = &r->info[id % RANGES_INFO];
	bool found;

	(void)pthread_mutex_lock(&r->lock);
	found = id && atomic_load(&info->id) == id && info->name.n;
	if (found) {
		*name = info->name;
		*parent = info->parent;
		*is_over = atomic_load(&info->is_over);
	}
	(void)pthread_mutex_unlock(&r->lock);
	return found;
}

struct name ranges_category_name(struct ranges *r, const struct range_text *text)
{
	const struct range_domain *d;
	struct name name = { 0 };
	int i;

	(void)pthread_mutex_lock(&r->lock);
	d = text->domain ? text->domain : r->default_domain;
	for (i = 0; d && text->category && i < d->ncategory; i++)
		if (d->category[i].id == text->category)
			name = d->category[i].name;
	(void)pthread_mutex_unlock(&r->lock);
	return name;
}

typedef void take_fn(void *user, const struct range_event *e);

/* Takes the chunk's events; others may use it then. */
static void take_chunk(struct ranges *r, struct range_chunk *c, take_fn *take, void *user)
{
	size_t i;

	for (i = 0; i < c->n; i++) {
		struct range_text *text = &c->v[i].text;

		take(user, &c->v[i]);
		if (text->is_owned)
			atomic_fetch_sub_explicit(&r->bytes, text->name.n, memory_order_relaxed);
		range_text_drop(text);
	}
	ranges_recycle(r, c);
}

/* Empties one lane; true when its thread has ended and it can go. */
static bool drain_lane(
	struct ranges *r, struct range_lane *lane, bool is_last, take_fn *take, void *user)
{
	struct range_chunk *c, *next;
	struct range_event e;
	bool is_dead;
	int i;

	(void)pthread_mutex_lock(&lane->lock);
	c = lane->first;
	lane->first = lane->last = NULL;
	is_dead = lane->is_dead;
	(void)pthread_mutex_unlock(&lane->lock);
	for (; c; c = next) {
		next = c->next;
		take_chunk(r, c, take, user);
	}
	if (!is_last && !is_dead)
		return false;
	(void)pthread_mutex_lock(&lane->lock);
	for (i = lane->depth - 1; i >= 0; i--) {
		e = lane->open[i];
		e.end_ns = ranges_now();
		take(user, &e);
	}
	(void)pthread_mutex_unlock(&lane->lock);
	return is_dead;
}

/* Start/end ranges that are still open, at the end. */
static void drain_open(struct ranges *r, take_fn *take, void *user)
{
	struct range_event e;
	int i;

	for (i = 0; i < RANGES_OPEN; i++) {
		(void)pthread_mutex_lock(&r->lock);
		e = r->open[i];
		(void)pthread_mutex_unlock(&r->lock);
		if (!e.id)
			continue;
		e.end_ns = ranges_now();
		take(user, &e);
	}
}

void ranges_drain(struct ranges *r, bool is_last,
	void (*take)(void *user, const struct range_event *e), void *user)
{
	struct range_lane **at, *lane;

	atomic_store_explicit(&r->is_pressed, false, memory_order_relaxed);
	/* New lanes are put before the first one: those behind it are only the worker's. */
	(void)pthread_mutex_lock(&r->lock);
	lane = r->lanes;
	(void)pthread_mutex_unlock(&r->lock);
	while (lane) {
		struct range_lane *next = lane->next;
		bool gone = drain_lane(r, lane, is_last, take, user);

		if (gone) {
			(void)pthread_mutex_lock(&r->lock);
			for (at = &r->lanes; *at && *at != lane;)
				at = &(*at)->next;
			if (*at)
				*at = next;
			(void)pthread_mutex_unlock(&r->lock);
			(void)pthread_mutex_destroy(&lane->lock);
			free(lane);
		}
		lane = next;
	}
	if (is_last)
		drain_open(r, take, user);
}
