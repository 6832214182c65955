/*
 * Devices of a report: what it says of them, under the numbers that device work has.
 */
#include <inttypes.h>

#include "analyze/input/format/sqlite/nsys.h"

enum { LIST_MAX = 1024 }; /* devices of a report; more are nonsense */

/* One member of Kineto's deviceProperties: the columns it is the product of. */
static const struct {
	const char *key, *column, *times;
} members[] = {
	{ "totalGlobalMem", "totalMemory", NULL },
	{ "computeMajor", "computeMajor", NULL },
	{ "computeMinor", "computeMinor", NULL },
	{ "maxThreadsPerBlock", "maxThreadsPerBlock", NULL },
	{ "maxThreadsPerMultiprocessor", "maxWarpsPerSm", "threadsPerWarp" },
	{ "regsPerBlock", "maxRegistersPerBlock", NULL },
	{ "warpSize", "threadsPerWarp", NULL },
	{ "sharedMemPerBlock", "maxShmemPerBlock", NULL },
	{ "numSms", "smCount", NULL },
	{ "regsPerMultiprocessor", "maxRegistersPerSm", NULL },
	{ "sharedMemPerBlockOptin", "maxShmemPerBlockOptin", NULL },
	{ "sharedMemPerMultiprocessor", "maxShmemPerSm", NULL },
};
enum { GPU_ID, GPU_NAME, GPU_FIRST };

/* Which number device work has for a GPU: what processes call it, where they agree. */
static int64_t called(struct nsys *n, int64_t gpu)
{
	const int64_t *device = n->devices.value;
	size_t i;

	for (i = 0; !n->maps_devices && i < n->devices.key.n; i++) {
		const struct nsys_called *c = keymap_key(&n->devices.key, (uint32_t)i);

		if (device[i] == gpu)
			return c->number;
	}
	return gpu;
}

static bool read_gpu(struct nsys *n, const struct rows *r)
{
	struct nsys_gpu g = { .sms = -1 };
	size_t i;

	if (!rows_take_int(r, GPU_ID, &g.gpu))
		return false;
	g.device = called(n, g.gpu);
	for (i = 0; i < COUNT_OF(members); i++)
		if (span_is(span_of(members[i].key), "numSms"))
			g.sms = rows_int(r, GPU_FIRST + 2 * (int)i, -1);
	n->gpu[n->ngpu++] = g;
	return true;
}

static struct rows *ask(struct nsys *n)
{
	const char *names[GPU_FIRST + 2 * COUNT_OF(members)] = { "id", "name" };
	struct rows *r = NULL;
	struct err ignored;
	size_t i;

	_Static_assert(COUNT_OF(names) <= TABLE_COLUMNS, "columns of a question");
	for (i = 0; i < COUNT_OF(members); i++) {
		names[GPU_FIRST + 2 * i] = members[i].column;
		names[GPU_FIRST + 2 * i + 1] = members[i].times;
	}
	if (!database_has(n->d, "TARGET_INFO_GPU") ||
		rows_of(&r, n->d, "TARGET_INFO_GPU", names, COUNT_OF(names), &ignored) != OK)
		return NULL;
	return r;
}

void nsys_gpus_open(struct nsys *n)
{
	struct rows *r = ask(n);
	struct err ignored;
	bool there;

	n->gpu = arena_array(&n->mem, LIST_MAX, sizeof(*n->gpu));
	while (r && n->ngpu < LIST_MAX && rows_next(r, &there, &ignored) == OK && there)
		(void)read_gpu(n, r);
	rows_close(r);
}

int64_t nsys_sms(const struct nsys *n, int64_t device)
{
	size_t i;

	for (i = 0; i < n->ngpu; i++)
		if (n->gpu[i].device == device)
			return n->gpu[i].sms;
	return -1;
}

static void add_gpu(struct str *to, const struct nsys_gpu *g, const struct rows *r)
{
	struct span name = rows_text(r, GPU_NAME);
	size_t i;

	str_addf(to, "{\"id\": %" PRId64, g->device);
	if (name.n) {
		str_adds(to, ", \"name\": ");
		emit_quote(to, name);
	}
	for (i = 0; i < COUNT_OF(members); i++) {
		int column = GPU_FIRST + 2 * (int)i;
		int64_t v = rows_int(r, column, -1);
		int64_t times = members[i].times ? rows_int(r, column + 1, -1) : 1;

		if (v >= 0 && times > 0 && !mul_overflows(v, times, &v))
			str_addf(to, ", \"%s\": %" PRId64, members[i].key, v);
	}
	str_addc(to, '}');
}

void nsys_emit_gpus(struct nsys *n)
{
	struct rows *r = ask(n);
	struct str json = { 0 };
	struct err ignored;
	size_t i = 0;
	bool there;
	int64_t id;

	str_addc(&json, '[');
	while (r && i < n->ngpu && rows_next(r, &there, &ignored) == OK && there) {
		if (!rows_take_int(r, GPU_ID, &id))
			continue;
		if (i)
			str_adds(&json, ", ");
		add_gpu(&json, &n->gpu[i++], r);
	}
	rows_close(r);
	str_addc(&json, ']');
	if (i)
		emit_member(&n->m, "deviceProperties", (struct span){ json.s, json.n }, false);
	str_free(&json);
}
