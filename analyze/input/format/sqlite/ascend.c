/* Databases of Ascend's profilers: torch_npu's ascend_pytorch_profiler_N.db, msprof's msprof_N.db.
 *
 * TASK is what devices did; what a task was is said by its id elsewhere: COMPUTE_TASK_INFO has
 * operators, COMMUNICATION_TASK_INFO the parts of collectives, which COMMUNICATION_OP has whole.
 * CANN_API and PYTORCH_API are calls and ops of the host.  Texts are numbers of STRING_IDS, times
 * ns of the Unix clock, threads have their process in the upper 32 bits.  Tables and columns come
 * and go with the versions: what is not there is absent.
 * Source: MindStudio Profiler, "Profile Data File Reference (DB)"; torch_npu, profiler/analysis. */
#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/sqlite/database.h"
#include "analyze/input/format/sqlite/texts.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run.h"

/* X(member, key of Kineto's args) */
#define ASCEND_KEYS(X)                    \
	X(correlation, "correlation")     \
	X(external, "External id")        \
	X(sequence, "Sequence number")    \
	X(forward, "Fwd thread id")       \
	X(dims, "Input Dims")             \
	X(types, "Input type")            \
	X(bytes, "bytes")                 \
	X(collective, "Collective name")  \
	X(dtype, "dtype")                 \
	X(elements_in, "In msg nelems")   \
	X(elements_out, "Out msg nelems") \
	X(group, "Process Group Name")

enum { ASCEND_COLUMNS = 12, ASCEND_MERGE = 8192 };

/* Types of PYTORCH_API, as ENUM_API_TYPE has them. */
enum { API_OP = 50001, API_QUEUE, API_PYTHON, API_MARK };

#define ASCEND_NO_CONNECTION INT64_C(0xffffffff)

struct ascend {
	struct database *d;
	struct emit_sink *out;
	struct emitter m;
	struct texts texts;
	struct damage damage;
	struct {
#define X(member, key) uint8_t member;
		ASCEND_KEYS(X)
#undef X
	} key;
	struct valuemap operators; /* int64_t, a task: int64_t, its name */
	struct valuemap parts;     /* int64_t, a task: int64_t, its name; parts of collectives */
	struct valuemap copies;    /* int64_t, a task: struct copy */
	struct valuemap ops;       /* int64_t, a connection: int64_t, ids that one op has */
	struct valuemap groups;    /* int64_t, a communicator: int64_t, its number here */
	bool has_collectives;      /* then their parts are no work of their own */
	bool has_steps;
	int64_t device;     /* whose collectives those are that do not say it */
	int64_t thread;     /* of the first op */
	int64_t nrow, left; /* rows that were emitted; parts of collectives that were not */
	unsigned unmerged;
};

struct copy {
	int64_t bytes, kind;
};

/* A table, its columns (times first), and what makes an event of a row: false: it is none. */
struct form {
	const char *table, *column[ASCEND_COLUMNS];
	bool (*put)(struct ascend *a, const struct rows *r);
};
enum { START, END, OWN };

/* PYTORCH_API has times as texts. */
static bool time_at(const struct rows *r, int column, nsec *t)
{
	return rows_take_int(r, column, t) || num_i64(rows_text(r, column), t);
}

static enum status merge(struct ascend *a, struct err *e)
{
	a->unmerged = 0;
	return emit_merge(a->out, &a->m, e);
}

static void take_row(struct ascend *a, const struct form *f, const struct rows *r)
{
	nsec start, end, dur;

	if (!time_at(r, START, &start) || !time_at(r, END, &end) ||
		sub_overflows(end, start, &dur) || dur == DECODE_NO_DURATION) {
		emit_problem(&a->m, PROBLEM_SKIPPED_RECORD, -1);
		return;
	}
	if (!f->put(a, r))
		return;
	emit_end(&a->m, start, dur, -1);
	a->nrow++;
	a->unmerged++;
}

static enum status read_form(struct ascend *a, const struct form *f, struct err *e)
{
	struct rows *r = NULL;
	struct err failed;
	bool there;

	if (!database_has(a->d, f->table))
		return OK;
	enum status st = rows_of(&r, a->d, f->table, f->column, ASCEND_COLUMNS, &failed);
	while (st == OK && (st = rows_next(r, &there, &failed)) == OK && there) {
		take_row(a, f, r);
		if (a->unmerged >= ASCEND_MERGE && merge(a, e) != OK) {
			rows_close(r);
			return e->status;
		}
	}
	rows_close(r);
	if (st != OK)
		damage_note(&a->damage, &failed);
	return merge(a, e);
}

/* --- what ids stand for --- */

static void read_map(struct ascend *a, const char *table, const char *key, const char *value,
	struct valuemap *to)
{
	const char *const columns[] = { key, value };
	struct rows *r = rows_if(a->d, table, columns, 2);
	int64_t id;

	while (rows_more(r))
		if (rows_take_int(r, 0, &id))
			*(int64_t *)valuemap_slot(to, &id, NULL) = rows_int(r, 1, -1);
	rows_close(r);
}

static void read_copies(struct ascend *a)
{
	static const char *const columns[] = { "globalTaskId", "size", "memcpyOperation" };
	struct rows *r = rows_if(a->d, "MEMCPY_INFO", columns, 3);
	int64_t id;

	while (rows_more(r))
		if (rows_take_int(r, 0, &id))
			*(struct copy *)valuemap_slot(&a->copies, &id, NULL) =
				(struct copy){ rows_int(r, 1, -1), rows_int(r, 2, -1) };
	rows_close(r);
}

/* --- devices --- */

enum { TASK_DEVICE = OWN, TASK_STREAM, TASK_CONNECTION, TASK_ID, TASK_TYPE };

/* ENUM_MEMCPY_OPERATION, in Kineto's words. */
static const char *const directions[] = { "HtoH", "HtoD", "DtoH", "DtoD", "Managed", "DtoD", "HtoD",
	"DtoH" };

static struct span copy_name(struct ascend *a, const struct copy *c)
{
	bool is_known = c->kind >= 0 && c->kind < (int64_t)COUNT_OF(directions);

	return is_known ? emit_keepf(&a->m, "Memcpy %s", directions[c->kind])
			: EMIT_WORD("Memcpy Unknown");
}

static void connect(struct ascend *a, int64_t connection)
{
	const int64_t *op = valuemap_find(&a->ops, &connection);

	if (connection != ASCEND_NO_CONNECTION && connection >= 0)
		emit_int(&a->m, a->key.correlation, connection);
	if (op && connection != ASCEND_NO_CONNECTION)
		emit_int(&a->m, a->key.external, *op + 1);
}

static bool put_task(struct ascend *a, const struct rows *r)
{
	int64_t id = rows_int(r, TASK_ID, -1);
	const int64_t *op = valuemap_find(&a->operators, &id),
		      *part = valuemap_find(&a->parts, &id);
	const struct copy *copy = valuemap_find(&a->copies, &id);
	struct span type = texts_at(&a->texts, r, TASK_TYPE), cat = EMIT_WORD("kernel"),
		    name = type;

	if (a->device < 0)
		a->device = rows_int(r, TASK_DEVICE, 0);
	if (part && a->has_collectives) {
		a->left++;
		return false;
	}
	if (op || part)
		name = texts_of(&a->texts, op ? *op : *part);
	else if (copy || producers_task_kind(type) == KIND_MEMCPY) {
		cat = EMIT_WORD("gpu_memcpy");
		name = copy ? copy_name(a, copy) : type;
	} else if (producers_task_kind(type) == KIND_SYNC)
		cat = EMIT_WORD("cuda_sync");
	emit_begin(&a->m, 'X', cat, name);
	emit_lane(&a->m, texts_number(&a->texts, rows_int(r, TASK_DEVICE, 0)),
		texts_number(&a->texts, rows_int(r, TASK_STREAM, -1)));
	connect(a, rows_int(r, TASK_CONNECTION, -1));
	if (copy && copy->bytes >= 0)
		emit_int(&a->m, a->key.bytes, copy->bytes);
	return true;
}

enum {
	COLL_CONNECTION = OWN,
	COLL_GROUP,
	COLL_TYPE,
	COLL_DTYPE,
	COLL_COUNT,
	COLL_DEVICE,
	COLL_NAME
};

/* Names of ENUM_HCCL_DATA_TYPE. */
static const char *const hccl_types[] = { "int8", "int16", "int32", "fp16", "fp32", "int64",
	"uint64", "uint8", "uint16", "uint32", "fp64", "bfp16" };

/* How many elements, as nccl-tests count them where HCCL's count is that: the sent ones of an
 * all-gather and the received ones of a reduce-scatter say nothing of the other side. */
static void put_count(struct ascend *a, struct span type, int64_t count)
{
	static const char both[] = "allReduce|broadcast|reduce_|send|receive";

	if (span_has_in(type, "allGather") || span_has_in(type, both))
		emit_int(&a->m, a->key.elements_in, count);
	if (span_has_in(type, "reduceScatter") || span_has_in(type, both))
		emit_int(&a->m, a->key.elements_out, count);
}

static void put_text(struct ascend *a, uint8_t key, struct span text)
{
	if (text.n)
		emit_text(&a->m, key, text);
}

/* Collectives of a communicator have a lane of their own: they say no stream. */
static bool put_collective(struct ascend *a, const struct rows *r)
{
	struct span type = texts_at(&a->texts, r, COLL_TYPE);
	int64_t group = rows_int(r, COLL_GROUP, -1), dtype = rows_int(r, COLL_DTYPE, -1), count;
	bool is_new;
	int64_t *number = valuemap_slot(&a->groups, &group, &is_new);

	if (is_new)
		*number = (int64_t)a->groups.key.n - 1;
	if (!type.n)
		type = texts_at(&a->texts, r, COLL_NAME);
	emit_begin(&a->m, 'X', EMIT_WORD("kernel"), type);
	emit_lane(&a->m, texts_number(&a->texts, rows_int(r, COLL_DEVICE, MAX(a->device, 0))),
		emit_keepf(&a->m, "Group %" PRId64 " Communication", *number));
	connect(a, rows_int(r, COLL_CONNECTION, -1));
	put_text(a, a->key.collective, type);
	put_text(a, a->key.group, texts_of(&a->texts, group));
	if (dtype >= 0 && dtype < (int64_t)COUNT_OF(hccl_types))
		emit_text(&a->m, a->key.dtype, emit_keepf(&a->m, "%s", hccl_types[dtype]));
	if (rows_take_int(r, COLL_COUNT, &count) && count >= 0)
		put_count(a, type, count);
	return true;
}

/* --- the host --- */

static void on_thread(struct ascend *a, int64_t thread)
{
	emit_lane(&a->m, texts_number(&a->texts, (int64_t)((uint64_t)thread >> 32)),
		texts_number(&a->texts, thread & 0xffffffff));
}

enum { CALL_THREAD = OWN, CALL_CONNECTION, CALL_NAME };

static bool put_call(struct ascend *a, const struct rows *r)
{
	emit_begin(&a->m, 'X', EMIT_WORD("cuda_runtime"), texts_at(&a->texts, r, CALL_NAME));
	on_thread(a, rows_int(r, CALL_THREAD, 0));
	if (rows_int(r, CALL_CONNECTION, -1) >= 0)
		emit_int(&a->m, a->key.correlation, rows_int(r, CALL_CONNECTION, -1));
	return true;
}

enum {
	OP_THREAD = OWN,
	OP_CONNECTION,
	OP_NAME,
	OP_SEQUENCE,
	OP_FORWARD,
	OP_TYPES,
	OP_DIMS,
	OP_TYPE
};

static void put_int(struct ascend *a, const struct rows *r, int column, uint8_t key)
{
	int64_t v;

	if (rows_take_int(r, column, &v))
		emit_int(&a->m, key, v);
}

static bool put_op(struct ascend *a, const struct rows *r)
{
	struct span name = texts_at(&a->texts, r, OP_NAME), cat = EMIT_WORD("cpu_op");
	bool is_step = span_starts(name, "ProfilerStep#");

	if (a->thread < 0)
		a->thread = rows_int(r, OP_THREAD, 0);
	a->has_steps |= is_step;
	switch (rows_int(r, OP_TYPE, API_OP)) {
	case API_QUEUE: cat = EMIT_WORD("queue"); break;
	case API_PYTHON: cat = EMIT_WORD("python_function"); break;
	case API_MARK: cat = EMIT_WORD("user_annotation"); break;
	default: break;
	}
	emit_begin(&a->m, 'X', is_step ? EMIT_WORD("user_annotation") : cat, name);
	on_thread(a, rows_int(r, OP_THREAD, 0));
	if (span_is(cat, "cpu_op") && !rows_is_null(r, OP_CONNECTION))
		emit_int(&a->m, a->key.external, rows_int(r, OP_CONNECTION, -1) + 1);
	put_int(a, r, OP_SEQUENCE, a->key.sequence);
	put_int(a, r, OP_FORWARD, a->key.forward);
	put_text(a, a->key.types, texts_at(&a->texts, r, OP_TYPES));
	put_text(a, a->key.dims, texts_at(&a->texts, r, OP_DIMS));
	return true;
}

enum { MARK_THREAD = OWN, MARK_TEXT };

static bool put_mark(struct ascend *a, const struct rows *r)
{
	bool is_moment = rows_int(r, START, 0) == rows_int(r, END, 1);

	emit_begin(&a->m, is_moment ? 'i' : 'X', EMIT_WORD("user_annotation"),
		texts_at(&a->texts, r, MARK_TEXT));
	on_thread(a, rows_int(r, MARK_THREAD, 0));
	return true;
}

/* Steps of STEP_TIME, where no op is one. */
static bool put_step(struct ascend *a, const struct rows *r)
{
	emit_begin(&a->m, 'X', EMIT_WORD("user_annotation"),
		emit_keepf(&a->m, "ProfilerStep#%" PRId64, rows_int(r, OWN, 0)));
	on_thread(a, MAX(a->thread, 0));
	return true;
}

/* --- what it says of the machine --- */

static void put_npus(struct ascend *a)
{
	static const char *const columns[] = { "id", "name" };
	struct rows *r = rows_if(a->d, "NPU_INFO", columns, 2);
	struct str list = { 0 };
	int64_t id;

	while (rows_more(r)) {
		if (!rows_take_int(r, 0, &id) || id < 0)
			continue;
		emit_gpu_begin(&list, id, rows_text(r, 1));
		str_addc(&list, '}');
	}
	rows_close(r);
	emit_gpus(&a->m, &list);
}

/* The rank, where there is one. */
static void put_rank(struct ascend *a)
{
	static const char *const columns[] = { "rankId" };
	struct rows *r = rows_if(a->d, "RANK_DEVICE_MAP", columns, 1);
	int64_t rank = rows_more(r) ? rows_int(r, 0, -1) : -1;
	bool is_one = !rows_more(r);

	rows_close(r);
	if (rank < 0 || !is_one)
		return;
	struct span said =
		emit_keepf(&a->m, "{\"backend\": \"hccl\", \"rank\": %" PRId64 "}", rank);
	emit_member(&a->m, "distributedInfo", said, false);
}

static void put_host(struct ascend *a)
{
	static const char *const columns[] = { "hostName" };
	struct rows *r = rows_if(a->d, "HOST_INFO", columns, 1);
	struct span name = rows_more(r) ? rows_text(r, 0) : (struct span){ NULL, 0 };

	if (name.n && !memchr(name.p, '\\', name.n) && !memchr(name.p, '"', name.n))
		emit_member(&a->m, "host_name", emit_keep(&a->m, name), true);
	rows_close(r);
}

/* Tables with activity that is no event here. */
static void put_unread(struct ascend *a)
{
	static const char *const unread[] = { "TASK_PMU_INFO", "SAMPLE_PMU_TIMELINE", "OSRT_API",
		"OP_MEMORY", "MEMORY_RECORD", "NPU_MEM", "NPU_MODULE_MEM", "NPU_OP_MEM",
		"GC_RECORD", "PYTORCH_CALLCHAINS", "AICORE_FREQ", "HBM", "DDR", "LLC", "HCCS",
		"PCIE", "NIC", "ROCE", "ACC_PMU", "SOC_BANDWIDTH_LEVEL", "CPU_USAGE",
		"HOST_MEM_USAGE", "COMMUNICATION_SCHEDULE_TASK_INFO" };
	SCOPED_STR said = { 0 };

	if (a->left > 0)
		str_addf(&said, "COMMUNICATION_TASK_INFO (%" PRId64 ", parts of collectives)",
			a->left);
	for (size_t i = 0; i < COUNT_OF(unread); i++) {
		int64_t rows = database_count(a->d, unread[i]);

		if (rows > 0)
			str_addf(&said, "%s%s (%" PRId64 ")", said.n ? ", " : "", unread[i], rows);
	}
	if (said.n)
		emit_member(&a->m, "tables_not_read", (struct span){ said.s, said.n }, true);
}

/* --- all of it --- */

static const struct form forms[] = {
	{ "TASK",
		{ "startNs", "endNs", "deviceId", "streamId", "connectionId", "globalTaskId",
			"taskType" },
		put_task },
	{ "COMMUNICATION_OP",
		{ "startNs", "endNs", "connectionId", "groupName", "opType", "dataType", "count",
			"deviceId", "opName" },
		put_collective },
	{ "CANN_API", { "startNs", "endNs", "globalTid", "connectionId", "name" }, put_call },
	{ "PYTORCH_API",
		{ "startNs", "endNs", "globalTid", "connectionId", "name", "sequenceNumber",
			"fwdThreadId", "inputDtypes", "inputShapes", "type" },
		put_op },
	{ "MSTX_EVENTS", { "startNs", "endNs", "globalTid", "message" }, put_mark },
};
static const struct form steps = { "STEP_TIME", { "startNs", "endNs", "id" }, put_step };

static enum status read_tables(struct ascend *a, struct err *e)
{
	read_map(a, "COMPUTE_TASK_INFO", "globalTaskId", "name", &a->operators);
	read_map(a, "COMMUNICATION_TASK_INFO", "globalTaskId", "name", &a->parts);
	read_map(a, "CONNECTION_IDS", "connectionId", "id", &a->ops);
	read_copies(a);
	a->has_collectives = database_count(a->d, "COMMUNICATION_OP") > 0;
	a->out->run->has_arrows = a->ops.key.n > 0;
	for (size_t i = 0; i < COUNT_OF(forms); i++)
		TRY(read_form(a, &forms[i], e));
	if (!a->has_steps)
		TRY(read_form(a, &steps, e));
	if (a->nrow == 0 && a->damage.n) {
		*e = a->damage.first;
		return e->status;
	}
	if (a->nrow == 0)
		return err_hinted(e, E_NODATA, "record with activities=[CPU, NPU]",
			"a database of Ascend's profiler without tasks, calls and ops");
	put_npus(a);
	put_rank(a);
	put_host(a);
	put_unread(a);
	while (a->damage.n-- > 0)
		emit_problem(&a->m, PROBLEM_DAMAGED_TABLE, -1);
	return merge(a, e);
}

/* A file of another profiler may have a table called TASK. */
static bool is_ascend(struct database *d)
{
	static const char *const tables[] = { "TASK", "CANN_API", "PYTORCH_API",
		"COMMUNICATION_OP" };

	return database_has(d, "STRING_IDS") &&
		ANY(i, COUNT_OF(tables), database_has_column(d, tables[i], "startNs"));
}

static enum status read_ascend(
	struct database *d, struct format_input *in UNUSED, struct emit_sink *out, struct err *e)
{
	struct ascend a = { .d = d, .out = out, .device = -1, .thread = -1 };

	out->producer = &producers[PRODUCER_ASCEND];
	emitter_init(&a.m, out->plan);
#define X(member, text) a.key.member = emit_key(&a.m, text);
	ASCEND_KEYS(X)
#undef X
	texts_open(&a.texts, d, "STRING_IDS", &a.damage);
	valuemap_init(&a.operators, sizeof(int64_t), sizeof(int64_t));
	valuemap_init(&a.parts, sizeof(int64_t), sizeof(int64_t));
	valuemap_init(&a.copies, sizeof(int64_t), sizeof(struct copy));
	valuemap_init(&a.ops, sizeof(int64_t), sizeof(int64_t));
	valuemap_init(&a.groups, sizeof(int64_t), sizeof(int64_t));
	enum status st = read_tables(&a, e);
	valuemap_clear(&a.operators);
	valuemap_clear(&a.parts);
	valuemap_clear(&a.copies);
	valuemap_clear(&a.ops);
	valuemap_clear(&a.groups);
	texts_close(&a.texts);
	emitter_clear(&a.m);
	return st;
}

const struct schema schema_ascend = {
	.name = "ascend",
	.title = "database of Ascend's profiler",
	.is = is_ascend,
	.read = read_ascend,
};
