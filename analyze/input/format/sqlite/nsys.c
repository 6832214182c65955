/* Exports of Nsight Systems: whether it is one, and the order of work. */
#include "analyze/input/format/sqlite/nsys.h"

#include <stdio.h>

#include "analyze/trace/producers.h"

/* What a report says of its machine and its clock, names of processes and threads, and what of it
 * is not read. */

static void put_names(struct nsys *n)
{
	static const char *const processes[] = { "globalPid", "name" };
	static const char *const threads[] = { "globalTid", "nameId" };
	struct rows *r = rows_if(n->d, "PROCESSES", processes, 2);
	struct span name;
	int64_t id;

	while (rows_more(r)) {
		name = rows_text(r, 1);
		if (rows_take_int(r, 0, &id) && name.n)
			emit_process_name(&n->m, texts_number(&n->texts, nsys_pid(id)),
				emit_keep(&n->m, name));
	}
	rows_close(r);
	r = rows_if(n->d, "ThreadNames", threads, 2);
	while (rows_more(r)) {
		name = texts_at(&n->texts, r, 1);
		if (rows_take_int(r, 0, &id) && name.n)
			emit_thread_name(&n->m, texts_number(&n->texts, nsys_pid(id)),
				texts_number(&n->texts, nsys_tid(id)), name);
	}
	rows_close(r);
}

/* An integer of a table's first row. */
static bool first_int(struct nsys *n, const char *table, const char *column, int64_t *v)
{
	struct rows *r = rows_if(n->d, table, &column, 1);
	bool has = rows_more(r) && rows_take_int(r, 0, v);

	rows_close(r);
	return has;
}

/* Times count from the report's clock; what 0 of it was in UTC, Kineto's base is. */
static void put_clock(struct nsys *n)
{
	char text[24];
	int64_t utc, start, base;

	if (!first_int(n, "TARGET_INFO_SESSION_START_TIME", "utcEpochNs", &utc) ||
		!first_int(n, "ANALYSIS_DETAILS", "startTime", &start) ||
		sub_overflows(utc, start, &base))
		return;
	(void)snprintf(text, sizeof(text), "%" PRId64, base);
	emit_member(&n->m, "baseTimeNanoseconds", span_of(text), false);
}

/* CUDA's number of a version, as Kineto has it: 13000 is 13.0. */
static void put_version(struct nsys *n, const char *key, struct span number)
{
	if (number.n < 9 && ALL(i, number.n, is_digit(number.p[i])))
		emit_member(&n->m, key, number, false);
}

/* Names of TARGET_INFO_SYSTEM_ENV and META_DATA_EXPORT, and what they are called here. */
static const struct {
	const char *name, *key;
} facts[] = {
	{ "Hostname", "host_name" },
	{ "NvDriverVersion", "driver" },
	{ "OsDescription", "os" },
	{ "CpuCores", "cpu_cores" },
	{ "EXPORT_PRODUCT_VERSION", "nsys_version" },
	{ "EXPORT_SCHEMA_VERSION", "nsys_schema_version" },
	{ "EXPORT_PARAM_INPUT_FILE", "nsys_report" },
};

static void put_fact(struct nsys *n, struct span name, struct span value)
{
	if (!value.n || memchr(value.p, '\\', value.n) || memchr(value.p, '"', value.n))
		return;
	if (span_is(name, "CudaDriverVersion"))
		put_version(n, "cuda_driver_version", value);
	for (size_t i = 0; i < COUNT_OF(facts); i++)
		if (span_is(name, facts[i].name))
			emit_member(&n->m, facts[i].key, value, true);
}

static void put_facts(struct nsys *n, const char *table)
{
	static const char *const columns[] = { "name", "value" };
	char name[64];
	struct rows *r = rows_if(n->d, table, columns, 2);

	while (rows_more(r)) {
		struct span text = rows_text(r, 0);

		if (!text.p || text.n >= sizeof(name))
			continue;
		memcpy(name, text.p, text.n); /* the value may move it */
		put_fact(n, (struct span){ name, text.n }, rows_text(r, 1));
	}
	rows_close(r);
}

/* Tables with activity that are no events here. */
static const char *const unread[] = { "OSRT_API", "SCHED_EVENTS", "COMPOSITE_EVENTS", "GPU_METRICS",
	"GENERIC_EVENTS", "NET_NIC_METRIC", "NET_IB_SWITCH_METRIC", "MPI_P2P_EVENTS",
	"MPI_COLLECTIVES_EVENTS", "MPI_START_WAIT_EVENTS", "MPI_OTHER_EVENTS", "UCP_SUBMIT_EVENTS",
	"UCP_PROGRESS_EVENTS", "UCP_EVENTS", "CUDNN_EVENTS", "CUBLAS_EVENTS",
	"OPENMP_EVENT_KIND_TASK", "OPENACC_LAUNCH_EVENTS", "GPU_CONTEXT_SWITCH_EVENTS",
	"CUDA_UM_CPU_PAGE_FAULT_EVENTS", "CUDA_UM_GPU_PAGE_FAULT_EVENTS", "DIAGNOSTIC_EVENT",
	"SYSCALL", "DX12_API", "VULKAN_API" };

static void put_unread(struct nsys *n)
{
	SCOPED_STR said = { 0 };

	for (size_t i = 0; i < COUNT_OF(unread); i++) {
		int64_t rows = database_count(n->d, unread[i]);

		if (rows > 0)
			str_addf(&said, "%s%s (%" PRId64 ")", said.n ? ", " : "", unread[i], rows);
	}
	if (said.n)
		emit_member(&n->m, "tables_not_read", (struct span){ said.s, said.n }, true);
}

static bool is_nsys(struct database *d)
{
	static const char *const tables[] = { "META_DATA_EXPORT", "EXPORT_META_DATA",
		"ANALYSIS_DETAILS", "TARGET_INFO_SESSION_START_TIME", "TARGET_INFO_SYSTEM_ENV",
		"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
		"OSRT_API" };

	return database_has(d, "StringIds") && ANY(i, COUNT_OF(tables), database_has(d, tables[i]));
}

/* An export without anything that becomes an event: what is in it, with its largest tables. */
static enum status refuse_empty(struct nsys *n, struct err *e)
{
	char *names = database_tables(n->d, "");
	SCOPED_STR said = { 0 };
	size_t said_n = 0;

	for (char *name = names; *name && said_n < 6; name += strlen(name) + 1) {
		int64_t rows = database_count(n->d, name);

		if (rows <= 0 || strstr(name, "ENUM_") || strstr(name, "META_DATA") ||
			strstr(name, "TARGET_INFO") || strstr(name, "NVTX_PAYLOAD"))
			continue;
		str_addf(&said, "%s%s (%" PRId64 ")", said_n++ ? ", " : "", name, rows);
	}
	(void)err_set(e, E_NODATA, -1,
		"an export of Nsight Systems without CUDA work and without NVTX ranges%s%s",
		said_n ? "; it holds " : "", said_n ? said.s : "");
	free(names);
	return err_hint(e, "record with nsys profile --trace=cuda,nvtx, and export that report");
}

static enum status read_tables(struct nsys *n, struct err *e)
{
	TRY(nsys_read_device(n, e));
	TRY(nsys_read_calls(n, e));
	TRY(nsys_read_ranges(n, e));
	TRY(nsys_read_syncs(n, e));
	TRY(nsys_read_memory(n, e));
	if (n->nrow == 0 && n->damage.n) {
		*e = n->damage.first;
		return e->status;
	}
	if (n->nrow == 0)
		return refuse_empty(n, e);
	/* What the report says of the machine, of its clock, of names; and what of it was not read.
	 */
	put_names(n);
	put_clock(n);
	nsys_emit_gpus(n);
	put_facts(n, "TARGET_INFO_SYSTEM_ENV");
	put_facts(n, "META_DATA_EXPORT");
	put_unread(n);
	while (n->damage.n-- > 0)
		emit_problem(&n->m, PROBLEM_DAMAGED_TABLE, -1);
	return nsys_merge(n, e);
}

static enum status read_nsys(
	struct database *d, struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct nsys n = { .d = d, .in = in, .out = out };

	out->producer = &producers[PRODUCER_NSYS];
	emitter_init(&n.m, out->plan);
#define X(member, text) n.key.member = emit_key(&n.m, text);
	NSYS_KEYS(X)
#undef X
	texts_open(&n.texts, d, "StringIds", &n.damage);
	nsys_places_open(&n);
	enum status st = read_tables(&n, e);
	nsys_places_close(&n);
	texts_close(&n.texts);
	emitter_clear(&n.m);
	arena_clear(&n.mem);
	return st;
}

const struct schema schema_nsys = {
	.name = "nsys",
	.title = "Nsight Systems export",
	.is = is_nsys,
	.read = read_nsys,
};
