/* A driver without a device: libcuda.so.1 for tests.  cuInit loads the injection library as the
 * real one does.
 *
 *   FAKE_DRIVER_VERSION   what cuDriverGetVersion says [13000]
 *   FAKE_DRIVER_ATEXIT    early, late: whether the driver's own handler at exit is registered
 *                         before or after the injection library is loaded */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/capture/fake.h"

static fake_record_fn record;
static fake_record_fn profiler;
static int is_initialised;

static void *cupti_symbol(const char *name)
{
	static const char *const names[] = { "libcupti.so.13", "libcupti.so.12" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		void *cupti = dlopen(names[i], RTLD_LAZY | RTLD_NOLOAD);
		void *symbol = cupti ? dlsym(cupti, "fake_is_used") : NULL;
		int (*is_used)(void);

		memcpy(&is_used, &symbol, sizeof(symbol));
		if (is_used && is_used())
			return dlsym(cupti, name);
	}
	return NULL;
}

/* The driver is gone: CUPTI can tell nothing any more. */
static void at_exit(void)
{
	void *gone = cupti_symbol("fake_driver_gone");
	fake_init_fn f;

	memcpy(&f, &gone, sizeof(gone));
	if (f)
		f();
}

static void inject(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL, *symbol;
	int (*start)(void);

	if (path && !library)
		fprintf(stderr, "fake driver: %s\n", dlerror());
	symbol = library ? dlsym(library, "InitializeInjection") : NULL;
	memcpy(&start, &symbol, sizeof(symbol));
	if (start && start() != 1)
		fprintf(stderr, "fake driver: the injection failed\n");
}

int cuInit(unsigned flags)
{
	const char *order = getenv("FAKE_DRIVER_ATEXIT");
	void *symbol;
	fake_init_fn ready;

	(void)flags;
	if (is_initialised)
		return 0;
	is_initialised = 1;
	if (order && strcmp(order, "early") == 0)
		(void)atexit(at_exit);
	inject();
	if (order && strcmp(order, "late") == 0)
		(void)atexit(at_exit);
	symbol = cupti_symbol("fake_record");
	memcpy(&record, &symbol, sizeof(symbol));
	symbol = cupti_symbol("fake_profiler");
	memcpy(&profiler, &symbol, sizeof(symbol));
	symbol = cupti_symbol("fake_init_finished");
	memcpy(&ready, &symbol, sizeof(symbol));
	if (ready)
		ready();
	return 0;
}

int cuDriverGetVersion(int *version)
{
	const char *s = getenv("FAKE_DRIVER_VERSION");

	*version = s ? (int)strtol(s, NULL, 10) : 13000;
	return 0;
}

/* The numbers of CUdevice_attribute; those of the fake CUPTI's DEVICE record. */
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
	static const struct {
		int attribute, value;
	} known[] = { { 1, 1024 }, { 8, 49152 }, { 10, 32 }, { 12, 65536 }, { 16, 132 },
		{ 39, 2048 }, { 75, 9 }, { 76, 0 }, { 81, 233472 }, { 82, 65536 }, { 97, 232448 },
		{ 106, 32 } };
	size_t i;

	(void)device;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].attribute == attribute) {
			*value = known[i].value;
			return 0;
		}
	return 1;
}

int cuDeviceGetCount(int *n)
{
	*n = 1;
	return 0;
}

int cuDeviceGetName(char *name, int size, int device)
{
	(void)device;
	(void)snprintf(name, (size_t)size, "Fake \"H200\"");
	return 0;
}

int cuDeviceGetUuid(unsigned char *uuid, int device)
{
	for (device = 0; device < 16; device++)
		uuid[device] = (unsigned char)(device * 17);
	return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
	(void)device;
	*bytes = 150754820096;
	return 0;
}

int cuProfilerStart(void)
{
	struct fake_work w = { .nodes = 308 };

	if (profiler)
		profiler(&w);
	return 0;
}

int cuProfilerStop(void)
{
	struct fake_work w = { .nodes = 309 };

	if (profiler)
		profiler(&w);
	return 0;
}

void fake_work(const struct fake_work *w)
{
	if (record)
		record(w);
}

void fake_script(const char *path, int64_t start_ns)
{
	void *symbol = cupti_symbol("fake_play");
	fake_play_fn play;

	memcpy(&play, &symbol, sizeof(symbol));
	if (play)
		play(path, start_ns);
}
