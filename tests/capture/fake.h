/* The fakes for tests of capture: a driver, a CUPTI and an NVML that run no device but answer as
 * the real ones do, so that the real library can be tested anywhere.
 *
 * The fake driver (libcuda.so.1) offers work as functions of its own; it tells the fake CUPTI
 * (libcupti.so.13), if that is in the process, which makes records of it. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum fake_kind {
	FAKE_KERNEL,
	FAKE_COPY,
	FAKE_PEER,
	FAKE_SET,
	FAKE_GRAPH,
	FAKE_SYNC_STREAM,
	FAKE_SYNC_DEVICE,
	FAKE_EVENT_RECORD,
	FAKE_STREAM_WAIT,
	FAKE_EVENT_SYNC,
	FAKE_ALLOC,
	FAKE_FREE,
	FAKE_NOISE,
	FAKE_DRIVER_LAUNCH,
	FAKE_DRIVER_NOISE,
	FAKE_QUERY /* cudaEventQuery: failed is what it returns */
};

/* One call of the program. */
struct fake_work {
	enum fake_kind kind;
	uint32_t stream, event;
	const char *name;    /* of the kernel, mangled */
	uint64_t bytes;      /* copies, sets, memory */
	int64_t duration_ns; /* on the device, exactly */
	int nodes;           /* of a graph */
	int copy_kind, source, target;
	int failed; /* the call's return value */
	int grid[3], block[3], registers, static_smem, dynamic_smem, smem_limit;
};

/* What fake CUPTI exports for the fake driver. */
typedef void (*fake_record_fn)(const struct fake_work *w);
typedef void (*fake_init_fn)(void);
typedef void (*fake_play_fn)(const char *path, int64_t start_ns);

/* Exported by the fake driver. */
int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceGetCount(int *n);
int cuDeviceGetName(char *name, int size, int device);
int cuDeviceGetUuid(unsigned char *uuid, int device);
int cuDeviceTotalMem_v2(size_t *bytes, int device);
int cuProfilerStart(void);
int cuProfilerStop(void);
void fake_work(const struct fake_work *w);
/* Records as a file says (fake_script.c), at times after start_ns. */
void fake_script(const char *path, int64_t start_ns);
