/* DEVICE records. */
#include "capture/inject/device_records.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "capture/cupti_abi.h"

/* 16 bytes as NVML writes them. */
static void put_uuid(char *to, size_t size, const unsigned char *u)
{
	size_t n = (size_t)snprintf(to, size, "GPU-");

	for (size_t i = 0; i < 16; i++)
		n += (size_t)snprintf(to + n, size - n, "%s%02x",
			i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
}

void device_records_see(struct records *r, unsigned char *p, bool owns)
{
	uint32_t id = get_DEVICE_ID(p);
	uint64_t name = get_DEVICE_NAME(p), none = 0;

	if (id >= EMIT_DEVICES_MAX)
		return;
	struct emit_device *d = &r->emit->device[id];
	d->is_known = true;
	put_uuid(d->uuid, sizeof(d->uuid), p + AT_DEVICE_UUID);
	d->memory_bytes = (int64_t)get_DEVICE_MEMORY(p);
	d->limits.major = (int)get_DEVICE_MAJOR(p);
	d->limits.minor = (int)get_DEVICE_MINOR(p);
	d->limits.warp_size = (int)get_DEVICE_WARP(p);
	d->limits.sms = (int)get_DEVICE_SMS(p);
	d->limits.warps_per_sm = (int)get_DEVICE_WARPS_PER_SM(p);
	d->limits.blocks_per_sm = (int)get_DEVICE_BLOCKS_PER_SM(p);
	d->limits.threads_per_block = (int)get_DEVICE_THREADS_PER_BLOCK(p);
	d->limits.regs_per_sm = get_DEVICE_REGS_PER_SM(p);
	d->limits.regs_per_block = get_DEVICE_REGS_PER_BLOCK(p);
	d->limits.smem_per_sm = get_DEVICE_SMEM_PER_SM(p);
	d->limits.smem_per_block = get_DEVICE_SMEM_PER_BLOCK(p);
	if (!name)
		return;
	(void)strncpy(d->name, (const char *)(uintptr_t)name, sizeof(d->name) - 1);
	d->name[sizeof(d->name) - 1] = 0;
	/* The headers after 13.0's give it to the client to free; once, so the record forgets it.
	 * Of 13.0 itself that is not known: a few bytes are left rather than a heap broken. */
	if (owns && r->version > CUPTI_V13_0)
		free((void *)(uintptr_t)name);
	memcpy(p + AT_DEVICE_NAME, &none, sizeof(none));
}

void device_records_find(
	struct records *r, records_next_fn next, uint8_t *buffer, size_t valid, bool owns)
{
	uint8_t *p = NULL;

	while (next(buffer, valid, &p) == CUPTI_OK && p) {
		size_t at = (size_t)(p - buffer);

		if (p < buffer || at + sizeof(uint32_t) > valid ||
			cupti_size_min(get_KIND(p), r->version) > valid - at)
			return;
		if (get_KIND(p) == ACT_DEVICE)
			device_records_see(r, p, owns);
	}
}

/* Functions of the driver that need no context; NULL: it has none of that name. */
struct driver {
	int (*count)(int *);
	int (*name)(char *, int, int);
	int (*uuid)(unsigned char *, int);
	int (*memory)(size_t *, int);
	int (*attribute)(int *, int, int);
};

static void find(void *driver, const char *name, void *function)
{
	void *symbol = driver ? dlsym(driver, name) : NULL;

	memcpy(function, &symbol, sizeof(symbol));
}

/* CUdevice_attribute of cuda.h. */
enum {
	THREADS_PER_BLOCK = 1,
	SMEM_PER_BLOCK = 8,
	WARP_SIZE = 10,
	REGS_PER_BLOCK = 12,
	SMS = 16,
	THREADS_PER_SM = 39,
	MAJOR = 75,
	MINOR = 76,
	SMEM_PER_SM = 81,
	REGS_PER_SM = 82,
	SMEM_OPTIN = 97,
	BLOCKS_PER_SM = 106
};

static int ask(const struct driver *f, int attribute, int device)
{
	int value = 0;

	return f->attribute(&value, attribute, device) == 0 ? value : 0;
}

/* What a DEVICE record says, where none has come. */
static void ask_all(const struct driver *f, struct emit_device *d, int id)
{
	struct device_limits *l = &d->limits;
	unsigned char uuid[16];
	size_t bytes = 0;

	if (f->name(d->name, (int)sizeof(d->name), id) != 0)
		return;
	d->name[sizeof(d->name) - 1] = 0;
	d->is_known = true;
	if (f->uuid && f->uuid(uuid, id) == 0)
		put_uuid(d->uuid, sizeof(d->uuid), uuid);
	if (f->memory && f->memory(&bytes, id) == 0)
		d->memory_bytes = (int64_t)bytes;
	l->major = ask(f, MAJOR, id);
	l->minor = ask(f, MINOR, id);
	l->warp_size = ask(f, WARP_SIZE, id);
	l->sms = ask(f, SMS, id);
	l->warps_per_sm = l->warp_size ? ask(f, THREADS_PER_SM, id) / l->warp_size : 0;
	l->blocks_per_sm = ask(f, BLOCKS_PER_SM, id);
	l->threads_per_block = ask(f, THREADS_PER_BLOCK, id);
	l->regs_per_sm = ask(f, REGS_PER_SM, id);
	l->regs_per_block = ask(f, REGS_PER_BLOCK, id);
	l->smem_per_sm = ask(f, SMEM_PER_SM, id);
	l->smem_per_block = ask(f, SMEM_PER_BLOCK, id);
}

void device_records_ask_driver(struct emit *e)
{
	void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
	struct driver f;
	int i, n = 0;

	find(driver, "cuDeviceGetCount", &f.count);
	find(driver, "cuDeviceGetName", &f.name);
	find(driver, "cuDeviceGetUuid", &f.uuid);
	find(driver, "cuDeviceTotalMem_v2", &f.memory);
	find(driver, "cuDeviceGetAttribute", &f.attribute);
	if (!f.count || f.count(&n) != 0)
		n = 0;
	for (i = 0; f.attribute && i < EMIT_DEVICES_MAX; i++) {
		if (i < n && !e->device[i].is_known && f.name)
			ask_all(&f, &e->device[i], i);
		if (e->device[i].is_known)
			e->device[i].limits.smem_per_block_optin = ask(&f, SMEM_OPTIN, i);
	}
	if (driver)
		(void)dlclose(driver);
}
