/* The worker of a capture: records to events to a file, as fast as it goes.  One buffer of a
 * megabyte of launches, with what a program adds (copies, waits), is walked again and again.
 *
 *   capture_worker [MIB=64] [LEVEL=1]
 *
 * Prints events, nanoseconds of CPU for each, and the size of the file for each launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/cupti_abi.h"
#include "capture/inject/gzout.h"
#include "capture/inject/records.h"
#include "capture/settings.h"
#include "tests/capture/fake_records.h"

enum { BUFFER = 1 << 20, NAMES = 40 };

static int next(uint8_t *buffer, size_t valid, uint8_t **record)
{
	return fake_next(buffer, valid, record, 130001);
}

static int next_old(uint8_t *buffer, size_t valid, uint8_t **record)
{
	return fake_next(buffer, valid, record, 28);
}

static int api_name(int domain, uint32_t id, const char **name)
{
	*name = fake_api_name(domain == CB_RUNTIME, id);
	return *name ? 0 : 1;
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t append(uint8_t *buffer, size_t n, const unsigned char *r)
{
	size_t size = fake_size(get_KIND(r), 130001);

	memcpy(buffer + n, r, size);
	return n + size;
}

/* Launches with their calls; every tenth a copy, every twentieth a wait. */
static size_t fill(uint8_t *buffer, uint32_t *correlation, int64_t *now, long *launches)
{
	static char names[NAMES][64];
	unsigned char r[FAKE_RECORD_MAX];
	size_t n = 0;

	while (n + 600 < BUFFER) {
		uint32_t id = ++*correlation;
		struct fake_work w = { .kind = id % 20 == 0 ? FAKE_SYNC_STREAM
				: id % 10 == 0              ? FAKE_COPY
							    : FAKE_KERNEL,
			.stream = 7 + id % 4,
			.bytes = 65536 + id,
			.duration_ns = 1000 + id % 977,
			.grid = { (int)(id % 64) + 1, 2, 1 },
			.block = { 256, 1, 1 },
			.registers = 32,
			.copy_kind = 1,
			.source = 1,
			.target = 3 };

		(void)snprintf(names[id % NAMES], sizeof(names[0]), "_Z9kernel_%03uILi256EEvPKfPf",
			id % NAMES);
		w.name = names[id % NAMES];
		memset(r, 0, sizeof(r));
		fake_device_work(r, &w, fake_kind_of(&w, false), *now + 5000, id, 41);
		n = append(buffer, n, r);
		fake_call(r, ACT_RUNTIME, fake_api_of(&w)->id, *now, *now + 700, 41, id, 0);
		n = append(buffer, n, r);
		*now += 1234;
		++*launches;
	}
	return n;
}

int main(int argc, char **argv)
{
	long mib = argc > 1 ? strtol(argv[1], NULL, 10) : 64, i, launches = 0;
	int level = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 1;
	char path[] = "/tmp/traceq-bench.XXXXXX";
	static struct gzout out;
	static struct emit emit;
	struct symbols symbols;
	struct joins joins;
	struct records r;
	static uint8_t buffer[BUFFER], device[FAKE_RECORD_MAX];
	int64_t now = INT64_C(1790857026000000000);
	uint32_t correlation = 0;
	double spent = 0;
	int fd = mkstemp(path);

	if (fd < 0 || unlink(path) != 0 || !gzout_open(&out, path, level, NULL, NULL) ||
		!emit_init(&emit, &out.text, 40, now) || !symbols_init(&symbols, api_name) ||
		!joins_init(&joins) || !records_init(&r))
		return 2;
	emit.quiet_names = true;
	emit.view.n = 1;
	emit.view.v[0] = (struct window){ 0, INT64_MAX };
	r.emit = &emit;
	r.names = &symbols;
	r.joins = &joins;
	r.version = 130001;
	r.kinds = INT64_MAX;
	/* Its limits are known, so that the occupancy of each kernel is written. */
	fake_device(device, 28);
	device_records_find(&r, next_old, device, sizeof(device), false);
	for (i = 0; i < mib; i++) {
		size_t n = fill(buffer, &correlation, &now, &launches);
		double began = cpu_seconds();

		records_buffer(&r, next, buffer, n, false);
		(void)gzout_pump(&out);
		if (i % 8 == 7)
			(void)gzout_commit(&out);
		spent += cpu_seconds() - began;
	}
	(void)gzout_commit(&out);
	printf("worker: %llu events, %.0f ns each, %.0f launches/s, %.1f bytes a launch\n",
		(unsigned long long)emit.events, spent * 1e9 / (double)emit.events,
		(double)launches / spent, (double)out.offset / (double)launches);
	(void)unlink(out.part);
	return spent * 1e9 / (double)emit.events < 1500 ? 0 : 1;
}
