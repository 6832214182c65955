/* Where events of a report are: threads of processes, and streams of devices; and what it says of
 * devices, under the numbers that device work has.
 *
 * A report is of all processes below one command.  Where several have device work, streams of
 * different processes have the same numbers, and so may have contexts, correlation ids and devices:
 * each process counts its own from 0, and sees others where CUDA_VISIBLE_DEVICES says so. */
#include "analyze/input/format/sqlite/nsys.h"
#include "analyze/trace/run.h"
#include "base/base.h"

/* --- devices --- */

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

	for (size_t i = 0; !n->maps_devices && i < n->devices.key.n; i++) {
		const struct nsys_called *c = keymap_key(&n->devices.key, (uint32_t)i);

		if (device[i] == gpu)
			return c->number;
	}
	return gpu;
}

static void read_gpu(struct nsys *n, const struct rows *r)
{
	struct nsys_gpu g = { .sms = -1 };

	if (!rows_take_int(r, GPU_ID, &g.gpu))
		return;
	g.device = called(n, g.gpu);
	for (size_t i = 0; i < COUNT_OF(members); i++)
		if (span_is(span_of(members[i].key), "numSms"))
			g.sms = rows_int(r, GPU_FIRST + 2 * (int)i, -1);
	n->gpu[n->ngpu++] = g;
}

static struct rows *ask(struct nsys *n)
{
	const char *names[GPU_FIRST + 2 * COUNT_OF(members)] = { "id", "name" };

	_Static_assert(COUNT_OF(names) <= TABLE_COLUMNS, "columns of a question");
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		names[GPU_FIRST + 2 * i] = members[i].column;
		names[GPU_FIRST + 2 * i + 1] = members[i].times;
	}
	return rows_if(n->d, "TARGET_INFO_GPU", names, COUNT_OF(names));
}

static void nsys_gpus_open(struct nsys *n)
{
	struct rows *r = ask(n);

	n->gpu = arena_array(&n->mem, LIST_MAX, sizeof(*n->gpu));
	while (n->ngpu < LIST_MAX && rows_more(r))
		read_gpu(n, r);
	rows_close(r);
}

int64_t nsys_sms(const struct nsys *n, int64_t device)
{
	return FIND_VALUE(i, n->ngpu, n->gpu[i].device == device, n->gpu[i].sms, -1);
}

static void add_gpu(struct str *list, const struct nsys_gpu *g, const struct rows *r)
{
	struct span name = rows_text(r, GPU_NAME);

	emit_gpu_begin(list, g->device, name.n ? name : RAW_NOTHING);
	for (size_t i = 0; i < COUNT_OF(members); i++) {
		int column = GPU_FIRST + 2 * (int)i;
		int64_t v = rows_int(r, column, -1);
		int64_t times = members[i].times ? rows_int(r, column + 1, -1) : 1;

		if (v >= 0 && times > 0 && !mul_overflows(v, times, &v))
			emit_gpu_number(list, members[i].key, v);
	}
	str_addc(list, '}');
}

void nsys_emit_gpus(struct nsys *n)
{
	struct rows *r = ask(n);
	struct str list = { 0 };
	size_t i = 0;
	int64_t id;

	while (i < n->ngpu && rows_more(r))
		if (rows_take_int(r, GPU_ID, &id))
			add_gpu(&list, &n->gpu[i++], r);
	rows_close(r);
	emit_gpus(&n->m, &list);
}

/* --- places --- */

/* Of more than one distinct value: SQL gives two rows. */
static bool has_two(struct nsys *n, const char *sql)
{
	struct rows *r = NULL;
	bool has =
		rows_open(&r, n->d, sql, &(struct err){ 0 }) == OK && rows_more(r) && rows_more(r);

	rows_close(r);
	return has;
}

/* What asks for the processes that have device work: of small tables where those are there. */
static const struct {
	const char *table, *column, *sql;
} asks_processes[] = {
#define X(table, column)                                                                   \
	{                                                                                  \
		table, column, "SELECT DISTINCT \"" column "\" FROM \"" table "\" LIMIT 2" \
	}
	X("TARGET_INFO_CUDA_CONTEXT_INFO", "processId"),
	X("TARGET_INFO_CUDA_STREAM", "processId"),
	X("CUPTI_ACTIVITY_KIND_KERNEL", "globalPid"),
	X("CUPTI_ACTIVITY_KIND_MEMCPY", "globalPid"),
	X("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "globalPid"),
#undef X
};

static bool has_many_processes(struct nsys *n)
{
	for (size_t i = 0; i < COUNT_OF(asks_processes); i++) {
		if (!database_has_column(n->d, asks_processes[i].table, asks_processes[i].column))
			continue;
		if (has_two(n, asks_processes[i].sql))
			return true;
		if (span_starts(span_of(asks_processes[i].table), "TARGET") &&
			database_count(n->d, asks_processes[i].table) > 0)
			return false; /* it names all processes with a context */
	}
	return false;
}

static void read_devices(struct nsys *n)
{
	static const char *const columns[] = { "gpuId", "cudaId", "pid" };
	struct rows *r = rows_if(n->d, "TARGET_INFO_CUDA_DEVICE", columns, 3);
	struct valuemap seen;
	int64_t gpu, cuda, pid, *device;
	bool is_new;

	valuemap_init(&seen, sizeof(cuda), sizeof(gpu));
	while (rows_more(r)) {
		if (!rows_take_int(r, 0, &gpu) || !rows_take_int(r, 1, &cuda) ||
			!rows_take_int(r, 2, &pid))
			continue;
		device = valuemap_slot(&n->devices, &(struct nsys_called){ pid, cuda }, NULL);
		*device = gpu;
		device = valuemap_slot(&seen, &cuda, &is_new);
		n->maps_devices |= !is_new && *device != gpu;
		*device = gpu;
	}
	rows_close(r);
	valuemap_clear(&seen);
}

void nsys_places_open(struct nsys *n)
{
	valuemap_init(&n->devices, sizeof(struct nsys_called), sizeof(int64_t));
	valuemap_init(&n->contexts, sizeof(struct nsys_called), sizeof(int64_t));
	n->many_processes = has_many_processes(n);
	n->out->run->streams_of_processes = n->many_processes;
	read_devices(n);
	nsys_gpus_open(n);
}

void nsys_places_close(struct nsys *n)
{
	valuemap_clear(&n->devices);
	valuemap_clear(&n->contexts);
}

void nsys_on_thread(struct nsys *n, int64_t global_tid)
{
	struct span pid = texts_number(&n->texts, nsys_pid(global_tid));

	emit_lane(&n->m, pid, texts_number(&n->texts, nsys_tid(global_tid)));
}

void nsys_on_stream(struct nsys *n, int64_t global_pid, int64_t device, int64_t stream)
{
	struct span on = texts_number(&n->texts, device), of = texts_number(&n->texts, stream);

	if (!n->many_processes) {
		emit_lane(&n->m, on, of);
		return;
	}
	emit_lane(&n->m, texts_number(&n->texts, nsys_pid(global_pid)), of);
	emit_json(&n->m, n->key.device, on);
}

int64_t nsys_device(struct nsys *n, int64_t global_pid, int64_t device)
{
	struct nsys_called key = { nsys_pid(global_pid), device };
	const int64_t *found = n->maps_devices ? valuemap_find(&n->devices, &key) : NULL;

	return found ? *found : device;
}

void nsys_know_context(struct nsys *n, int64_t global_pid, int64_t context, int64_t device)
{
	struct nsys_called key = { nsys_pid(global_pid), context };
	bool is_new;
	int64_t *known = valuemap_slot(&n->contexts, &key, &is_new);

	*known = is_new || *known == device ? device : -1; /* two devices: it says nothing */
}

int64_t nsys_context_device(struct nsys *n, int64_t global_pid, int64_t context)
{
	struct nsys_called key = { nsys_pid(global_pid), context };
	const int64_t *found = valuemap_find(&n->contexts, &key);

	return found ? *found : -1;
}
