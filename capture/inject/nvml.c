/* Counter events from NVML. */
#include "capture/inject/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "capture/system.h"

enum { POWER_INSTANT = 186, CLOCK_SM = 1, CLOCK_MEMORY = 2, ENERGY_EVERY_NS = 1000000000 };

bool nvml_open(struct nvml *n, char *words, size_t size)
{
	*n = (struct nvml){ 0 };
	n->handle = dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL);
	if (!n->handle) {
		(void)snprintf(words, size, "libnvidia-ml.so.1 not found: no NVML samples");
		return false;
	}
#define X(name, text, args) system_symbol(n->handle, text, &n->name);
	NVML_FUNCTIONS(X)
#undef X
	int code = n->init && n->by_uuid ? n->init() : -1;
	if (code == 0)
		return true;
	(void)snprintf(words, size, "NVML does not start (code %d): no NVML samples", code);
	(void)dlclose(n->handle);
	n->handle = NULL;
	return false;
}

static void count(struct emit *e, int device, int64_t now, const char *name, double v)
{
	emit_open(e);
	jtext_f(e->t, "{\"ph\": \"C\", \"cat\": \"nvml\", \"pid\": %d, \"tid\": 0, ", device);
	emit_ts(e, now);
	jtext_f(e->t, ", \"name\": \"%s\", \"args\": {\"\": %g", name, v);
	emit_done(e);
}

/* Instantaneous power where there is such a field, else the driver's mean over the last second. */
static bool read_power(const struct nvml *n, struct nvml_device *d, double *watts)
{
	struct nvml_field f = { .id = POWER_INSTANT };
	unsigned mw;

	if (n->fields && !d->field_refused) {
		if (n->fields(d->handle, 1, &f) == 0 && f.code == 0 && f.value < 10000000) {
			*watts = (double)f.value / 1000.0;
			return true;
		}
		d->field_refused = true;
	}
	if (!n->power || n->power(d->handle, &mw) != 0)
		return false;
	*watts = mw / 1000.0;
	return true;
}

/* The mean of the time since the last call, once a second. */
static bool sample_energy(
	const struct nvml *n, struct emit *e, int device, struct nvml_device *d, int64_t now)
{
	unsigned long long mj;

	if (d->energy_ns && now - d->energy_ns < ENERGY_EVERY_NS)
		return true;
	if (!n->energy || n->energy(d->handle, &mj) != 0)
		return false;
	if (d->energy_ns && mj >= d->energy_mj)
		count(e, device, now, "mean power (W)",
			(double)(mj - d->energy_mj) * 1e6 / (double)(now - d->energy_ns));
	d->energy_mj = mj;
	d->energy_ns = now;
	return true;
}

static bool sample_one(const struct nvml *n, struct emit *e, int device, struct nvml_device *d,
	enum nvml_counter what, int64_t now)
{
	struct nvml_memory memory;
	struct nvml_util util;
	unsigned long long bits;
	unsigned v;
	double watts;

	switch (what) {
	case NVML_POWER:
		if (!read_power(n, d, &watts))
			return false;
		count(e, device, now, "power (W)", watts);
		return true;
	case NVML_BUSY:
		if (!n->util || n->util(d->handle, &util) != 0)
			return false;
		count(e, device, now, "GPU utilization (%)", util.gpu);
		count(e, device, now, "memory utilization (%)", util.memory);
		return true;
	case NVML_MEMORY:
		if (!n->memory || n->memory(d->handle, &memory) != 0)
			return false;
		count(e, device, now, "memory used (MiB)", (double)memory.used / 1048576.0);
		return true;
	case NVML_SM_CLOCK:
	case NVML_MEMORY_CLOCK:
		if (!n->clock ||
			n->clock(d->handle, what == NVML_SM_CLOCK ? CLOCK_SM : CLOCK_MEMORY, &v) !=
				0)
			return false;
		count(e, device, now,
			what == NVML_SM_CLOCK ? "SM clock (MHz)" : "memory clock (MHz)", v);
		return true;
	case NVML_TEMPERATURE:
		if (!n->temperature || n->temperature(d->handle, 0, &v) != 0)
			return false;
		count(e, device, now, "temperature (C)", v);
		return true;
	case NVML_THROTTLE:
		if (!n->throttle || n->throttle(d->handle, &bits) != 0)
			return false;
		count(e, device, now, "throttle reasons (bits)", (double)bits);
		return true;
	case NVML_ENERGY: return sample_energy(n, e, device, d, now);
	default: return false;
	}
}

void nvml_sample(struct nvml *n, struct emit *e, int64_t now_ns)
{
	for (int i = 0; n->handle && i < EMIT_DEVICES_MAX; i++) {
		struct nvml_device *d = &n->device[i];

		if (!e->device[i].is_known || !emit_has_device(e, (uint32_t)i))
			continue;
		if (!d->is_asked) {
			d->is_asked = true;
			if (n->by_uuid(e->device[i].uuid, &d->handle) != 0)
				d->handle = NULL;
		}
		for (int k = 0; d->handle && k < NVML_COUNTERS; k++)
			if (!(d->refused & 1u << k) &&
				!sample_one(n, e, i, d, (enum nvml_counter)k, now_ns))
				d->refused |= 1u << k;
		n->samples++;
	}
}
