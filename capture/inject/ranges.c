/* Lanes of ranges: filled by the program's threads, emptied by the worker. */
#include "capture/inject/ranges.h"

#include <stdlib.h>

#include "capture/cupti_abi.h"
#include "capture/inject/hold.h"
#include "capture/system.h"

static void thread_ends(void *p)
{
	struct range_lane *lane = p;

	HOLD(&lane->lock);
	lane->is_dead = true;
}

bool ranges_init(struct ranges *r, size_t bytes_max)
{
	memset(r, 0, sizeof(*r));
	r->bytes_max = bytes_max;
	(void)pthread_mutex_init(&r->lock, NULL);
	r->info = calloc(RANGES_INFO, sizeof(*r->info));
	r->open = calloc(RANGES_OPEN, sizeof(*r->open));
	if (r->info && r->open && intern_init(&r->names, RANGES_NAMES, NULL, NULL) &&
		pthread_key_create(&r->key, thread_ends) == 0) {
		atomic_store(&r->is_on, true);
		return true;
	}
	free(r->info);
	free(r->open);
	intern_free(&r->names);
	return false;
}

void ranges_after_fork(struct ranges *r)
{
	/* What other threads held stays as it is, unreachable: it may be half written. */
	(void)pthread_mutex_init(&r->lock, NULL);
	r->lanes = NULL;
	r->spare = NULL;
	(void)pthread_setspecific(r->key, NULL);
	r->open = calloc(RANGES_OPEN, sizeof(*r->open));
	memset(r->row_taken, 0, sizeof(r->row_taken));
	atomic_store(&r->bytes, 0);
	atomic_store(&r->is_pressed, false);
	atomic_store(&r->push_external, NULL);
	atomic_store(&r->pop_external, NULL);
	if (!intern_init(&r->names, RANGES_NAMES, NULL, NULL) || !r->open)
		atomic_store(&r->is_on, false);
}

/* ---- names and ids ---- */

struct name ranges_name(struct ranges *r, const char *raw, size_t n, bool *is_owned)
{
	bool keeps;

	HOLD(&r->lock);
	struct name name = intern_get(&r->names, raw, n, &keeps);
	*is_owned = false;
	if (!keeps) {
		char *p = malloc(name.n);

		if (p) {
			memcpy(p, name.json, name.n);
			name.json = p;
			*is_owned = true;
		} else {
			name = (struct name){ "\"\"", 2 };
		}
	}
	return name;
}

/* Gives a range its id and remembers what it is called. */
static uint64_t new_id(struct ranges *r, const struct range_text *text, uint64_t parent)
{
	uint64_t id = atomic_fetch_add(&r->last_id, 1) + 1;
	struct range_info *info = &r->info[id % RANGES_INFO];

	HOLD(&r->lock);
	info->parent = parent;
	info->name = text->is_owned ? (struct name){ 0 } : text->name;
	atomic_store(&info->is_over, false);
	atomic_store(&info->id, id);
	return id;
}

static void end_id(struct ranges *r, uint64_t id)
{
	struct range_info *info = &r->info[id % RANGES_INFO];

	if (atomic_load(&info->id) == id)
		atomic_store(&info->is_over, true);
}

/* Whether a window opens or closes with this range. */
static bool is_window(const struct ranges *r, const struct range_text *text)
{
	return r->on_window && strlen(r->window_name) == text->name.n &&
		memcmp(r->window_name, text->name.json, text->name.n) == 0;
}

/* What CUPTI's stack of the thread needs: so many ids taken off, then those put on.  Found out
 * under the lane's lock, done without it. */
struct retold {
	int npop, npush;
	uint64_t push[RANGES_DEPTH_MAX];
};

static bool has_external(struct ranges *r)
{
	return atomic_load_explicit(&r->push_external, memory_order_relaxed) != NULL;
}

static void tell(struct ranges *r, const struct retold *t)
{
	int (*f)(int, uint64_t) = atomic_load_explicit(&r->push_external, memory_order_relaxed);
	int (*g)(int, uint64_t *) = atomic_load_explicit(&r->pop_external, memory_order_relaxed);
	uint64_t old;

	for (int i = 0; g && i < t->npop; i++)
		(void)g(EXTERNAL_RANGES, &old);
	for (int i = 0; f && i < t->npush; i++)
		(void)f(EXTERNAL_RANGES, t->push[i]);
}

/* The one at `at` ends: CUPTI has a stack, and ranges of domains may overlap. */
static void untell(const struct range_lane *lane, int at, struct retold *t)
{
	t->npop = t->npush = 0;
	if (!lane->open[at].is_told)
		return;
	for (int i = at; i < lane->depth; i++)
		t->npop += lane->open[i].is_told;
	for (int i = at + 1; i < lane->depth; i++)
		if (lane->open[i].is_told)
			t->push[t->npush++] = lane->open[i].id;
}

/* ---- calls of the program ---- */

/* Levels of a domain that are open on this thread. */
static int levels(const struct range_lane *lane, const struct range_domain *domain)
{
	int n = 0;

	for (int i = 0; i < lane->depth; i++)
		n += lane->open[i].text.domain == domain;
	return n;
}

int ranges_push(struct ranges *r, const struct range_text *text)
{
	struct range_lane *lane = ranges_lane(r);
	struct retold told;
	int64_t start;

	if (!lane)
		return -1;
	(void)pthread_mutex_lock(&lane->lock);
	int level = levels(lane, text->domain);
	if (lane->depth == RANGES_DEPTH_MAX) {
		lane->too_deep++;
		atomic_fetch_add(&r->dropped, 1);
		(void)pthread_mutex_unlock(&lane->lock);
		return level;
	}
	struct range_event *e = &lane->open[lane->depth];
	*e = (struct range_event){ .type = RANGE_STACK, .thread = lane->thread, .text = *text };
	e->id = new_id(r, text, lane->depth ? lane->open[lane->depth - 1].id : 0);
	e->start_ns = start = system_realtime();
	lane->depth++;
	/* All open ranges that CUPTI does not know: those that began before it was there, too. */
	told.npop = told.npush = 0;
	for (int i = 0; i < lane->depth && has_external(r); i++)
		if (!lane->open[i].is_told) {
			lane->open[i].is_told = true;
			told.push[told.npush++] = lane->open[i].id;
		}
	(void)pthread_mutex_unlock(&lane->lock);
	tell(r, &told);
	if (is_window(r, text))
		r->on_window(r->on_window_user, true, start);
	return level;
}

/* Takes the innermost range of the domain from the stack; false when there is none. */
static bool take_open(struct range_lane *lane, const struct range_domain *domain,
	struct range_event *e, struct retold *told)
{
	int i = lane->depth - 1;

	while (i >= 0 && lane->open[i].text.domain != domain)
		i--;
	if (i < 0)
		return false;
	*e = lane->open[i];
	untell(lane, i, told);
	memmove(&lane->open[i], &lane->open[i + 1],
		(size_t)(lane->depth - 1 - i) * sizeof(lane->open[0]));
	lane->depth--;
	return true;
}

int ranges_pop(struct ranges *r, const struct range_domain *domain)
{
	struct range_lane *lane = ranges_lane(r);
	int64_t now = system_realtime();
	struct range_event e;
	struct retold told;
	int level;

	if (!lane)
		return -1;
	(void)pthread_mutex_lock(&lane->lock);
	if (lane->too_deep) {
		lane->too_deep--;
		level = levels(lane, domain);
		(void)pthread_mutex_unlock(&lane->lock);
		return level;
	}
	if (!take_open(lane, domain, &e, &told)) {
		(void)pthread_mutex_unlock(&lane->lock);
		return -1;
	}
	level = levels(lane, domain);
	e.end_ns = now;
	bool window = is_window(r, &e.text);
	end_id(r, e.id);
	ranges_add(r, lane, &e);
	(void)pthread_mutex_unlock(&lane->lock);
	tell(r, &told);
	if (window)
		r->on_window(r->on_window_user, false, now);
	return level;
}

uint64_t ranges_start(struct ranges *r, const struct range_text *text)
{
	struct range_text t = *text;
	uint64_t id = new_id(r, text, 0);
	struct range_event *e = &r->open[id % RANGES_OPEN];
	uint32_t row = 0;

	(void)pthread_mutex_lock(&r->lock);
	if (e->id) {
		(void)pthread_mutex_unlock(&r->lock);
		atomic_fetch_add(&r->dropped, 1);
		range_text_drop(&t);
		return id;
	}
	while (row + 1 < RANGES_ROWS && r->row_taken[row])
		row++;
	r->row_taken[row] = true;
	int64_t now = system_realtime();
	*e = (struct range_event){ RANGE_LANE, ranges_thread(), row, now, 0, id, t, false };
	(void)pthread_mutex_unlock(&r->lock);
	if (is_window(r, text))
		r->on_window(r->on_window_user, true, now);
	return id;
}

void ranges_end(struct ranges *r, uint64_t id)
{
	struct range_lane *lane = ranges_lane(r);
	struct range_event *slot = &r->open[id % RANGES_OPEN];
	int64_t now = system_realtime();

	(void)pthread_mutex_lock(&r->lock);
	struct range_event e = *slot;
	if (!lane || !id || e.id != id) {
		(void)pthread_mutex_unlock(&r->lock);
		return;
	}
	slot->id = 0;
	r->row_taken[e.row] = false;
	(void)pthread_mutex_unlock(&r->lock);
	e.end_ns = now;
	bool window = is_window(r, &e.text);
	end_id(r, id);
	(void)pthread_mutex_lock(&lane->lock);
	ranges_add(r, lane, &e);
	(void)pthread_mutex_unlock(&lane->lock);
	if (window)
		r->on_window(r->on_window_user, false, now);
}

static void add_instant(
	struct ranges *r, enum range_type type, uint32_t thread, const struct range_text *text)
{
	struct range_lane *lane = ranges_lane(r);
	struct range_event e = { .type = type, .thread = thread, .text = *text };

	if (!lane)
		return;
	if (!thread)
		e.thread = lane->thread;
	e.start_ns = e.end_ns = system_realtime();
	HOLD(&lane->lock);
	ranges_add(r, lane, &e);
}

void ranges_mark(struct ranges *r, const struct range_text *text)
{
	add_instant(r, RANGE_MARK, 0, text);
}

void ranges_name_thread(struct ranges *r, uint32_t thread, const struct range_text *text)
{
	add_instant(r, RANGE_THREAD_NAME, thread, text);
}

struct range_domain *ranges_domain(struct ranges *r, struct name name)
{
	struct range_domain *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->name = name;
	HOLD(&r->lock);
	d->next = r->domains;
	r->domains = d;
	return d;
}

void ranges_category(struct ranges *r, struct range_domain *domain, uint32_t id, struct name name)
{
	int i;

	HOLD(&r->lock);
	if (!domain && !r->default_domain)
		r->default_domain = calloc(1, sizeof(*r->default_domain));
	if (!domain)
		domain = r->default_domain;
	for (i = 0; domain && i < domain->ncategory && domain->category[i].id != id;)
		i++;
	if (domain && i < RANGES_CATEGORIES) {
		domain->category[i].id = id;
		domain->category[i].name = name;
		domain->ncategory += i == domain->ncategory;
	}
}
