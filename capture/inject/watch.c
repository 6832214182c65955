/* Judging from what moves and what is heard. */
#include "capture/inject/watch.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/inject/hold.h"

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

/* ---- which buffers are out: a table by address, with no gaps in its runs ---- */

enum { LENT_MAX = LENT_SLOTS / 4 * 3 };

bool lent_init(struct lent *l)
{
	*l = (struct lent){ .slot = calloc(LENT_SLOTS, sizeof(*l->slot)) };
	(void)pthread_mutex_init(&l->lock, NULL);
	return l->slot;
}

/* Where it belongs; buffers begin at pages. */
static size_t home(const uint8_t *p)
{
	return (size_t)(((uintptr_t)p >> 12) * UINT64_C(0x9e3779b97f4a7c15) >> 40) % LENT_SLOTS;
}

/* Its slot, or the free one it would get. */
static size_t find(const struct lent *l, const uint8_t *p)
{
	size_t i = home(p);

	while (l->slot[i].p && l->slot[i].p != p)
		i = (i + 1) % LENT_SLOTS;
	return i;
}

void lent_put(struct lent *l, uint8_t *p, size_t size)
{
	uint64_t moved = atomic_fetch_add(&l->moves, 1);

	if (!p || !l->slot)
		return;
	HOLD(&l->lock);
	if (l->n < LENT_MAX) {
		struct lent_slot *s = &l->slot[find(l, p)];

		if (!s->p) {
			l->n++;
			atomic_fetch_add(&l->bytes, size);
			*s = (struct lent_slot){ p, size, moved };
		}
	} else {
		l->is_blind = true;
	}
}

/* Empties a slot and moves those behind it up, so that each is still found. */
static void empty(struct lent *l, size_t hole)
{
	size_t i = hole;

	for (;;) {
		size_t from;

		l->slot[hole] = (struct lent_slot){ 0 };
		do {
			i = (i + 1) % LENT_SLOTS;
			if (!l->slot[i].p)
				return;
			from = home(l->slot[i].p);
			/* It stays where its home lies between the hole and itself. */
		} while ((i - from) % LENT_SLOTS < (i - hole) % LENT_SLOTS);
		l->slot[hole] = l->slot[i];
		hole = i;
	}
}

bool lent_take(struct lent *l, uint8_t *p, size_t *size)
{
	bool is_ours = false;

	atomic_fetch_add(&l->moves, 1);
	if (!p)
		return false;
	if (!l->slot)
		return true;
	(void)pthread_mutex_lock(&l->lock);
	size_t i = find(l, p);
	if (l->slot[i].p) {
		is_ours = true;
		*size = l->slot[i].size;
		atomic_fetch_sub(&l->bytes, *size);
		l->n--;
		empty(l, i);
	} else {
		is_ours = l->is_blind;
	}
	(void)pthread_mutex_unlock(&l->lock);
	if (!is_ours)
		atomic_fetch_add(&l->foreign, 1);
	return is_ours;
}

size_t lent_used(struct lent *l, uint64_t before)
{
	size_t n = 0;

	if (!l->slot)
		return 0;
	HOLD(&l->lock);
	for (size_t i = 0; i < LENT_SLOTS; i++) {
		uint32_t kind = 0;

		if (!l->slot[i].p || l->slot[i].moved >= before)
			continue;
		memcpy(&kind, l->slot[i].p, sizeof(kind)); /* lent cleared */
		n += kind != 0;
	}
	return n;
}

/* ---- what is loaded ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void see_cupti(struct libraries *l, const struct dl_phdr_info *info)
{
	for (size_t i = 0; i < l->ncuptis; i++)
		if (l->cupti[i] == info->dlpi_addr)
			return;
	if (l->ncuptis == LIBRARIES_CUPTIS)
		return;
	l->cupti[l->ncuptis++] = info->dlpi_addr;
	if (l->has_looked)
		(void)snprintf(l->second, sizeof(l->second), "%s", info->dlpi_name);
}

static int see(struct dl_phdr_info *info, size_t size, void *user)
{
	struct libraries *l = user;
	const char *name = base_name(info->dlpi_name);

	(void)size;
	if (l->has_looked && info->dlpi_adds == l->adds)
		return 1;
	if (begins(name, "libcupti.so"))
		see_cupti(l, info);
	else if (begins(name, "libtorch_cuda.so"))
		(void)snprintf(l->torch, sizeof(l->torch), "%s", info->dlpi_name);
	return 0;
}

static int count(struct dl_phdr_info *info, size_t size, void *user)
{
	struct libraries *l = user;

	(void)size;
	l->adds = info->dlpi_adds;
	return 1;
}

void libraries_look(struct libraries *l)
{
	l->second[0] = l->torch[0] = 0;
	(void)dl_iterate_phdr(see, l);
	(void)dl_iterate_phdr(count, l);
	l->has_looked = true;
}

bool libraries_torch_cupti(const char *torch, const char *cupti, char *own)
{
	/* Where its wheels put it: of CUDA 13, and of 12 and 11. */
	static const char *const folders[] = { "nvidia/cu13/lib", "nvidia/cuda_cupti/lib" };
	const char *end = strstr(torch, "/torch/lib/");
	struct stat ours, theirs;

	for (size_t i = 0; end && i < sizeof(folders) / sizeof(folders[0]); i++) {
		int n = snprintf(own, LIBRARIES_PATH_MAX, "%.*s/%s/%s", (int)(end - torch), torch,
			folders[i], base_name(cupti));

		if (n > 0 && n < LIBRARIES_PATH_MAX && stat(own, &theirs) == 0 &&
			stat(cupti, &ours) == 0)
			return ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino;
	}
	return false;
}
