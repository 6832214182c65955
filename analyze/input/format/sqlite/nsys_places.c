/*
 * Where events of a report are: threads of processes, and streams of devices.
 *
 * A report is of all processes below one command.  Where several have device work, streams of
 * different processes have the same numbers, and so may have contexts, correlation ids and devices:
 * each process counts its own from 0, and sees others where CUDA_VISIBLE_DEVICES says so.
 */
#include <stdlib.h>

#include "analyze/input/format/sqlite/nsys.h"
#include "analyze/trace/run.h"

/* Of more than one distinct value: SQL gives two rows. */
static bool has_two(struct nsys *n, const char *sql)
{
	struct rows *r = NULL;
	struct err ignored;
	bool there = false;

	if (rows_open(&r, n->d, sql, &ignored) == OK &&
		(rows_next(r, &there, &ignored) != OK || !there ||
			rows_next(r, &there, &ignored) != OK))
		there = false;
	rows_close(r);
	return there;
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
	size_t i;

	for (i = 0; i < COUNT_OF(asks_processes); i++) {
		if (!database_has_column(n->d, asks_processes[i].table, asks_processes[i].column))
			continue;
		if (has_two(n, asks_processes[i].sql))
			return true;
		if (span_starts(span_of(asks_processes[i].table), "TARGET") &&
			nsys_count(n, asks_processes[i].table) > 0)
			return false; /* it names all processes with a context */
	}
	return false;
}

static void read_devices(struct nsys *n)
{
	static const char *const columns[] = { "gpuId", "cudaId", "pid" };
	struct nsys_map seen = { 0 };
	struct rows *r = NULL;
	struct err ignored;
	bool there, is_new;
	int64_t gpu, cuda, pid, *device;

	keymap_init(&seen.key, sizeof(cuda));
	if (database_has(n->d, "TARGET_INFO_CUDA_DEVICE") &&
		rows_of(&r, n->d, "TARGET_INFO_CUDA_DEVICE", columns, 3, &ignored) == OK)
		while (rows_next(r, &there, &ignored) == OK && there) {
			if (!rows_take_int(r, 0, &gpu) || !rows_take_int(r, 1, &cuda) ||
				!rows_take_int(r, 2, &pid))
				continue;
			device = nsys_map_slot(&n->devices, &(struct nsys_called){ pid, cuda },
				sizeof(*device), &is_new);
			*device = gpu;
			device = nsys_map_slot(&seen, &cuda, sizeof(*device), &is_new);
			n->maps_devices |= !is_new && *device != gpu;
			*device = gpu;
		}
	rows_close(r);
	keymap_clear(&seen.key);
	free(seen.value);
}

void nsys_places_open(struct nsys *n)
{
	keymap_init(&n->devices.key, sizeof(struct nsys_called));
	keymap_init(&n->contexts.key, sizeof(struct nsys_called));
	n->many_processes = has_many_processes(n);
	n->out->run->streams_of_processes = n->many_processes;
	read_devices(n);
	nsys_gpus_open(n);
}

void nsys_places_close(struct nsys *n)
{
	keymap_clear(&n->devices.key);
	keymap_clear(&n->contexts.key);
	free(n->devices.value);
	free(n->contexts.value);
}

void nsys_on_thread(struct nsys *n, int64_t global_tid)
{
	struct span pid = nsys_number(n, nsys_pid(global_tid));

	emit_lane(&n->m, pid, nsys_number(n, nsys_tid(global_tid)));
}

void nsys_on_stream(struct nsys *n, int64_t global_pid, int64_t device, int64_t stream)
{
	struct span on = nsys_number(n, device), of = nsys_number(n, stream);

	if (!n->many_processes) {
		emit_lane(&n->m, on, of);
		return;
	}
	emit_lane(&n->m, nsys_number(n, nsys_pid(global_pid)), of);
	emit_json(&n->m, n->key.device, on);
}

int64_t nsys_device(struct nsys *n, int64_t global_pid, int64_t device)
{
	struct nsys_called key = { nsys_pid(global_pid), device };
	uint32_t at = n->maps_devices ? keymap_find(&n->devices.key, &key) : KEYMAP_NONE;

	return at == KEYMAP_NONE ? device : ((const int64_t *)n->devices.value)[at];
}

void nsys_know_context(struct nsys *n, int64_t global_pid, int64_t context, int64_t device)
{
	struct nsys_called key = { nsys_pid(global_pid), context };
	bool is_new;
	int64_t *known = nsys_map_slot(&n->contexts, &key, sizeof(*known), &is_new);

	*known = is_new || *known == device ? device : -1; /* two devices: it says nothing */
}

int64_t nsys_context_device(struct nsys *n, int64_t global_pid, int64_t context)
{
	struct nsys_called key = { nsys_pid(global_pid), context };
	uint32_t at = keymap_find(&n->contexts.key, &key);

	return at == KEYMAP_NONE ? -1 : ((const int64_t *)n->contexts.value)[at];
}
