/* Lanes: where a thread's finished ranges wait for the worker, in chunks that go round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/inject/hold.h"
#include "capture/inject/session.h"
#include "capture/system.h"

uint32_t ranges_thread(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

struct range_lane *ranges_lane(struct ranges *r)
{
	struct range_lane *lane = pthread_getspecific(r->key);

	if (lane)
		return lane;
	lane = calloc(1, sizeof(*lane));
	if (!lane)
		return NULL;
	(void)pthread_mutex_init(&lane->lock, NULL);
	lane->thread = ranges_thread();
	if (pthread_setspecific(r->key, lane) != 0) {
		free(lane);
		return NULL;
	}
	(void)pthread_mutex_lock(&r->lock);
	lane->next = r->lanes;
	r->lanes = lane;
	(void)pthread_mutex_unlock(&r->lock);
	if (r->on_thread)
		r->on_thread(r->on_thread_user);
	return lane;
}

void range_text_drop(struct range_text *text)
{
	if (text->is_owned)
		free((void *)(uintptr_t)text->name.json);
}

/* Takes so many bytes of what may wait, or says that there is none left. */
static bool reserve(struct ranges *r, size_t bytes)
{
	size_t before = atomic_fetch_add_explicit(&r->bytes, bytes, memory_order_relaxed);

	if (before + bytes > r->bytes_max) {
		atomic_fetch_sub_explicit(&r->bytes, bytes, memory_order_relaxed);
		return false;
	}
	if (before + bytes > r->bytes_max / 2 && r->on_pressure &&
		!atomic_exchange_explicit(&r->is_pressed, true, memory_order_relaxed))
		r->on_pressure(r->on_pressure_user);
	return true;
}

static struct range_chunk *chunk_get(struct ranges *r)
{
	struct range_chunk *c;

	if (!reserve(r, sizeof(*c)))
		return NULL;
	(void)pthread_mutex_lock(&r->lock);
	c = r->spare;
	if (c)
		r->spare = c->next;
	(void)pthread_mutex_unlock(&r->lock);
	if (!c)
		c = malloc(sizeof(*c));
	if (!c) {
		atomic_fetch_sub_explicit(&r->bytes, sizeof(*c), memory_order_relaxed);
		return NULL;
	}
	c->next = NULL;
	c->n = c->text_n = 0;
	return c;
}

/* An empty chunk for another to use; with what it held, less long names, no longer counted. */
static void ranges_recycle(struct ranges *r, struct range_chunk *c)
{
	(void)pthread_mutex_lock(&r->lock);
	c->next = r->spare;
	r->spare = c;
	(void)pthread_mutex_unlock(&r->lock);
	atomic_fetch_sub_explicit(&r->bytes, sizeof(*c), memory_order_relaxed);
}

/* A chunk with a free place and so many bytes of text at its end; NULL without memory. */
static struct range_chunk *room(struct ranges *r, struct range_lane *lane, size_t text)
{
	struct range_chunk *c = lane->last;

	if (c && c->n < RANGES_CHUNK && RANGES_TEXT - c->text_n >= text)
		return c;
	c = chunk_get(r);
	if (!c)
		return NULL;
	if (lane->last)
		lane->last->next = c;
	else
		lane->first = c;
	lane->last = c;
	return c;
}

/* A short name moves into the chunk: what the program's threads allocate and the worker frees would
 * stay with each of them. */
void ranges_add(struct ranges *r, struct range_lane *lane, struct range_event *e)
{
	size_t n = e->text.is_owned ? e->text.name.n : 0, text = n <= RANGES_TEXT ? n : 0;
	struct range_chunk *c = room(r, lane, text);

	if (!c || (n > text && !reserve(r, n))) {
		atomic_fetch_add(&r->dropped, 1);
		range_text_drop(&e->text);
		return;
	}
	struct range_event *to = &c->v[c->n++];
	*to = *e;
	if (!text)
		return;
	memcpy(c->text + c->text_n, e->text.name.json, n);
	to->text.name.json = c->text + c->text_n;
	to->text.is_owned = false;
	c->text_n += n;
	range_text_drop(&e->text);
}

/* ---- the worker's side: taking what the threads have collected, looking names up ---- */

bool ranges_find(struct ranges *r, uint64_t id, struct name *name, uint64_t *parent, bool *is_over)
{
	struct range_info *info = &r->info[id % RANGES_INFO];

	HOLD(&r->lock);
	bool found = id && atomic_load(&info->id) == id && info->name.n;
	if (found) {
		*name = info->name;
		*parent = info->parent;
		*is_over = atomic_load(&info->is_over);
	}
	return found;
}

/* The name a category has in its domain; .n 0 when it has none. */
static struct name ranges_category_name(struct ranges *r, const struct range_text *text)
{
	HOLD(&r->lock);
	const struct range_domain *d = text->domain ? text->domain : r->default_domain;
	for (int i = 0; d && text->category && i < d->ncategory; i++)
		if (d->category[i].id == text->category)
			return d->category[i].name;
	return (struct name){ 0 };
}

typedef void take_fn(void *user, const struct range_event *e);

/* Empties one lane; true when its thread has ended and it can go. */
static bool drain_lane(
	struct ranges *r, struct range_lane *lane, bool is_last, take_fn *take, void *user)
{
	struct range_chunk *next;
	struct range_event e;

	(void)pthread_mutex_lock(&lane->lock);
	struct range_chunk *c = lane->first;
	lane->first = lane->last = NULL;
	bool is_dead = lane->is_dead;
	(void)pthread_mutex_unlock(&lane->lock);
	for (; c; c = next) {
		next = c->next;
		/* Takes the chunk's events.  Others may use it then. */
		for (size_t i = 0; i < c->n; i++) {
			struct range_text *text = &c->v[i].text;
			take(user, &c->v[i]);
			if (text->is_owned)
				atomic_fetch_sub_explicit(
					&r->bytes, text->name.n, memory_order_relaxed);
			range_text_drop(text);
		}
		ranges_recycle(r, c);
	}
	if (!is_last && !is_dead)
		return false;
	(void)pthread_mutex_lock(&lane->lock);
	for (int i = lane->depth - 1; i >= 0; i--) {
		e = lane->open[i];
		e.end_ns = system_realtime();
		take(user, &e);
	}
	(void)pthread_mutex_unlock(&lane->lock);
	return is_dead;
}

void ranges_drain(struct ranges *r, bool is_last,
	void (*take)(void *user, const struct range_event *e), void *user)
{
	struct range_lane **at;

	atomic_store_explicit(&r->is_pressed, false, memory_order_relaxed);
	/* New lanes are put before the first one: those behind it are only the worker's. */
	(void)pthread_mutex_lock(&r->lock);
	struct range_lane *lane = r->lanes;
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
	/* Start/end ranges that are still open, at the end. */
	if (is_last) {
		struct range_event e;
		for (int i = 0; i < RANGES_OPEN; i++) {
			(void)pthread_mutex_lock(&r->lock);
			e = r->open[i];
			(void)pthread_mutex_unlock(&r->lock);
			if (!e.id)
				continue;
			e.end_ns = system_realtime();
			take(user, &e);
		}
	}
}

static void put_name(struct jtext *t, const struct name *name)
{
	jtext_put(t, name->json, name->n);
}

/* Domain, category, color, payload: what was given. */
static void put_given(struct session *s, struct jtext *t, const struct range_text *x)
{
	struct name category;
	char color[16];

	if (x->domain && x->domain->name.n) {
		JTEXT_LIT(t, ", \"domain\": ");
		put_name(t, &x->domain->name);
	}
	if (x->category) {
		category = ranges_category_name(&s->ranges, x);
		JTEXT_LIT(t, ", \"category\": ");
		if (category.n)
			put_name(t, &category);
		else
			jtext_u64(t, x->category);
	}
	if (x->has_color) {
		(void)snprintf(color, sizeof(color), "%08x", x->color);
		jtext_f(t, ", \"color\": \"#%s\"", color);
	}
	/* NVTX events to lines of the file. */
	double real;
	memcpy(&real, &x->payload, sizeof(real));
	switch (x->payload_type) {
	case PAYLOAD_NONE: break;
	case PAYLOAD_U64: jtext_f(t, ", \"payload\": %lu", x->payload); break;
	case PAYLOAD_I64: jtext_f(t, ", \"payload\": %ld", (int64_t)x->payload); break;
	case PAYLOAD_REAL: jtext_f(t, ", \"payload\": %g", real); break;
	}
}

static void write_range(struct session *s, const struct range_event *e, int64_t tid)
{
	struct emit *m = &s->emit;

	emit_slice(m, "user_annotation", m->pid, tid, e->start_ns, e->end_ns);
	put_name(m->t, &e->text.name);
	jtext_f(m->t, ", \"args\": {\"External id\": %lu", e->id);
	put_given(s, m->t, &e->text);
	if (e->type == RANGE_LANE)
		jtext_f(m->t, ", \"start_thread\": %u", e->thread);
	emit_done(m);
}

void ranges_write(struct session *s, const struct range_event *e)
{
	struct emit *m = &s->emit;

	if (e->type == RANGE_THREAD_NAME) {
		emit_name_thread(m, e->thread, e->text.name.json, e->text.name.n);
		return;
	}
	if (!windows_hold(&m->view, e->start_ns, e->end_ns))
		return;
	emit_see_thread(m, e->thread);
	if (e->type == RANGE_MARK) {
		emit_open(m);
		jtext_f(m->t,
			"{\"ph\": \"i\", \"s\": \"t\", \"cat\": \"nvtx\", \"pid\": %d, \"tid\": %u, ",
			m->pid, e->thread);
		emit_ts(m, e->start_ns);
		JTEXT_LIT(m->t, ", \"name\": ");
		put_name(m->t, &e->text.name);
		jtext_f(m->t, ", \"args\": {\"thread\": %u", e->thread);
		put_given(s, m->t, &e->text);
		emit_done(m);
	} else if (e->type == RANGE_STACK) {
		write_range(s, e, e->thread);
	} else {
		emit_see_range_lane(m, e->row);
		write_range(s, e, (int64_t)e->row + EMIT_RANGE_LANE);
	}
}
