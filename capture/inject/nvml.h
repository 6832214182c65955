/* Samples of NVML: power, utilisation, memory, clocks, temperature of the devices this process
 * works on, as counter events.
 *
 * NVML's functions are declared here: no header of NVIDIA's is needed.  The library is loaded at
 * run time.  A counter a device does not have is dropped at its first refusal, the others go on. */
#pragma once

#include "capture/inject/emit.h"

/* What is asked for. */
enum nvml_counter {
	NVML_POWER,
	NVML_BUSY,
	NVML_MEMORY,
	NVML_SM_CLOCK,
	NVML_MEMORY_CLOCK,
	NVML_TEMPERATURE,
	NVML_THROTTLE,
	NVML_ENERGY,
	NVML_COUNTERS
};

struct nvml_util {
	unsigned gpu, memory;
};
struct nvml_memory {
	unsigned long long total, free, used;
};
struct nvml_field {
	unsigned id, scope;
	long long timestamp, latency_us;
	int type, code;
	unsigned long long value;
};

/* X(name after "nvml", symbol, arguments) */
#define NVML_FUNCTIONS(X)                                                                        \
	X(init, "nvmlInit_v2", (void))                                                           \
	X(by_uuid, "nvmlDeviceGetHandleByUUID", (const char *, void **))                         \
	X(power, "nvmlDeviceGetPowerUsage", (void *, unsigned *))                                \
	X(util, "nvmlDeviceGetUtilizationRates", (void *, struct nvml_util *))                   \
	X(memory, "nvmlDeviceGetMemoryInfo", (void *, struct nvml_memory *))                     \
	X(clock, "nvmlDeviceGetClockInfo", (void *, int, unsigned *))                            \
	X(temperature, "nvmlDeviceGetTemperature", (void *, int, unsigned *))                    \
	X(energy, "nvmlDeviceGetTotalEnergyConsumption", (void *, unsigned long long *))         \
	X(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons", (void *, unsigned long long *)) \
	X(fields, "nvmlDeviceGetFieldValues", (void *, int, struct nvml_field *))

struct nvml_device {
	void *handle;
	bool is_asked;      /* a handle was asked for */
	uint32_t refused;   /* bits of enum nvml_counter */
	bool field_refused; /* instantaneous power: then the mean is asked for */
	unsigned long long energy_mj;
	int64_t energy_ns; /* when; 0: not yet */
};

struct nvml {
	void *handle; /* NULL: no NVML */
#define X(name, symbol, args) int(*name) args;
	NVML_FUNCTIONS(X)
#undef X
	struct nvml_device device[EMIT_DEVICES_MAX];
	uint64_t samples;
};

/* Loads and starts NVML, which may take some 100 ms.  False with a sentence in words[size]. */
bool nvml_open(struct nvml *n, char *words, size_t size);

/* One sample of each device that has a row in the file. */
void nvml_sample(struct nvml *n, struct emit *e, int64_t now_ns);
