/* Another user of CUPTI, who does with the process's one library what Kineto, the part of PyTorch
 * that torch.profiler records with, does since it no longer subscribes (pytorch/kineto pull request
 * 1250, August 2026; libkineto/src/CuptiActivityApi.cpp and CuptiTimestamp.cpp at 114171df):
 *
 *   - it registers its own buffer functions, of which a process has one pair: whoever came before
 *     gets neither requests nor buffers any more, and is not told
 *   - it registers a clock, the processor's counter of cycles: all records have its times from then
 * on
 *   - at its end it switches its kinds off, which were ours, too, and flushes with force: buffers
 * that were lent before come to it, which it finds unknown and lets lie
 *   - ids of the kind CUSTOM1 are its "user" ranges */
#include "tests/capture/app_other.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "capture/cupti.h"
#include "capture/cupti_abi.h"

enum { BYTES = 1 << 16, MINE_MAX = 4096, CUSTOM1 = 4, OWN_ID = 7 };

static uint8_t *mine[MINE_MAX];
static long nmine, ncompleted, nunknown, nforeign_ids;

static void *function(const char *name)
{
	static const char *const names[] = { "libcupti.so.13", "libcupti.so.12" };
	void *library = NULL, *symbol;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && !library; i++)
		library = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
	symbol = library ? dlsym(library, name) : NULL;
	if (!symbol) {
		fprintf(stderr, "app: no %s\n", name);
		abort();
	}
	return symbol;
}

#define CALL(type, name, ...)                           \
	do {                                            \
		int(*f_) type;                          \
		void *symbol_ = function("cupti" name); \
                                                        \
		memcpy(&f_, &symbol_, sizeof(f_));      \
		(void)f_(__VA_ARGS__);                  \
	} while (0)

static void requested(uint8_t **buffer, size_t *size, size_t *records)
{
	*buffer = nmine < MINE_MAX ? calloc(1, BYTES) : NULL;
	*size = *buffer ? BYTES : 0;
	*records = 0;
	if (*buffer)
		mine[nmine++] = *buffer;
}

static void look_at_ids(uint8_t *buffer, size_t valid)
{
	int (*next)(uint8_t *, size_t, uint8_t **);
	void *symbol = function("cuptiActivityGetNextRecord");
	uint8_t *p = NULL;

	memcpy(&next, &symbol, sizeof(next));
	while (next(buffer, valid, &p) == 0)
		if (get_KIND(p) == ACT_EXTERNAL && get_EXTERNAL_KIND(p) == CUSTOM1)
			nforeign_ids += get_EXTERNAL_ID(p) != OWN_ID;
}

static void completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	long i;

	(void)context;
	(void)stream;
	(void)size;
	ncompleted++;
	for (i = 0; i < nmine && mine[i] != buffer;)
		i++;
	if (i == nmine) {
		nunknown++;
		return;
	}
	look_at_ids(buffer, valid);
	mine[i] = mine[--nmine];
	free(buffer);
}

/* The processor's cycles, at 3 GHz since it was started. */
static uint64_t cycles(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec) * 3;
}

static const int kinds[] = { ACT_KERNEL, ACT_MEMCPY, ACT_MEMSET, ACT_RUNTIME, ACT_SYNC,
	ACT_EXTERNAL };

static void switch_kinds(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		int (*f)(int);
		void *symbol = function(name);

		memcpy(&f, &symbol, sizeof(f));
		(void)f(kinds[i]);
	}
}

static bool is(const char *what, const char *words)
{
	return strstr(words, what);
}

static void load(const char *path)
{
	if (dlopen(path, RTLD_NOW))
		return;
	fprintf(stderr, "app: %s\n", dlerror());
	abort();
}

void app_other_begin(const char *what)
{
	if (what[0] == '/') {
		load(what);
		return;
	}
	if (is(what, "profile buffers ids"))
		CALL((cupti_request_fn, cupti_complete_fn), "ActivityRegisterCallbacks", requested,
			completed);
	if (is(what, "profile clock"))
		CALL((uint64_t(*)(void)), "ActivityRegisterTimestampCallback", cycles);
	if (is(what, "profile"))
		switch_kinds("cuptiActivityEnable");
	if (is(what, "kinds"))
		switch_kinds("cuptiActivityDisable");
	if (is(what, "ids"))
		CALL((int, uint64_t), "ActivityPushExternalCorrelationId", CUSTOM1, OWN_ID);
	if (is(what, "foreign")) {
		uint8_t *buffer;
		size_t size, records;

		/* As if it had been lent before capture registered: CUPTI knows only the last. */
		requested(&buffer, &size, &records);
		CALL((uint8_t *, size_t), "FakeForeign", buffer, size);
	}
}

void app_other_end(const char *what)
{
	if (is(what, "profile"))
		switch_kinds("cuptiActivityDisable");
	if (is(what, "profile buffers ids"))
		CALL((uint32_t), "ActivityFlushAll", FLUSH_FORCED);
	printf("{\"completed\": %ld, \"unknown\": %ld, \"foreign_ids\": %ld}\n", ncompleted,
		nunknown, nforeign_ids);
	(void)fflush(stdout);
}
