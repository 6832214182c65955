/* An NVML without a device: libnvidia-ml.so.1 for tests.  FAKE_NVML_RC: code of nvmlInit.
 * Temperature is not supported, as a counter some device lacks. */
#include <stdlib.h>
#include <string.h>

#include "capture/inject/nvml.h"

int nvmlInit_v2(void);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetPowerUsage(void *device, unsigned *mw);
int nvmlDeviceGetUtilizationRates(void *device, struct nvml_util *u);
int nvmlDeviceGetMemoryInfo(void *device, struct nvml_memory *m);
int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz);
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *c);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj);
int nvmlDeviceGetFieldValues(void *device, int n, struct nvml_field *f);

int nvmlInit_v2(void)
{
	const char *s = getenv("FAKE_NVML_RC");

	return s ? (int)strtol(s, NULL, 10) : 0;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
	static int one;

	*device = &one;
	return strcmp(uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff") == 0 ? 0 : 6;
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *mw)
{
	(void)device;
	*mw = 412700;
	return 0;
}

int nvmlDeviceGetUtilizationRates(void *device, struct nvml_util *u)
{
	(void)device;
	*u = (struct nvml_util){ 97, 41 };
	return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, struct nvml_memory *m)
{
	(void)device;
	*m = (struct nvml_memory){ 150754820096, 150754820096 - 1073741824, 1073741824 };
	return 0;
}

int nvmlDeviceGetClockInfo(void *device, int which, unsigned *mhz)
{
	(void)device;
	*mhz = which == 1 ? 1980 : 3201;
	return 0;
}

int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *c)
{
	(void)device;
	(void)sensor;
	*c = 0;
	return 3;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj)
{
	static unsigned long long total = 1000000;

	(void)device;
	*mj = total += 350000;
	return 0;
}

int nvmlDeviceGetFieldValues(void *device, int n, struct nvml_field *f)
{
	(void)device;
	(void)n;
	f->code = f->id == 186 ? 0 : 3;
	f->value = 500500;
	return 0;
}
