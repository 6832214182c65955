/* Exports of Nsight Systems: whether it is one, and the order of work. */
#include "analyze/input/format/sqlite/nsys.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/trace/producers.h"
#include "base/compiler.h"

/*
 * Exports of Nsight Systems: going through one table; and texts of a report: StringIds by number,
 * as they are first asked for, and words of its enum tables.
 */

enum { MERGE_ROWS = 8192 };

int64_t nsys_count(struct nsys *n, const char *table)
{
	struct str sql = { 0 };
	struct rows *r = NULL;
	struct err ignored;
	int64_t count = -1;

	if (!database_has(n->d, table))
		return -1;
	str_addf(&sql, "SELECT count(*) FROM \"%s\"", table);
	if (rows_open(&r, n->d, sql.s, &ignored) == OK && rows_more(r))
		count = rows_int(r, 0, -1);
	rows_close(r);
	str_free(&sql);
	return count;
}

/* Appends what was emitted to the run.  E_LIMIT. */
static enum status nsys_merge(struct nsys *n, struct err *e)
{
	n->unmerged = 0;
	return emit_merge(n->out, &n->m, e);
}

/* Start and duration of a row; false when they are no times. */
static bool times_of(const struct rows *r, nsec *start, nsec *dur)
{
	int64_t end;

	if (!rows_take_int(r, 0, start))
		return false;
	*dur = DECODE_NO_DURATION;
	if (rows_is_null(r, 1))
		return true;
	return rows_take_int(r, 1, &end) && !sub_overflows(end, *start, dur) &&
		*dur != DECODE_NO_DURATION;
}

static void take_row(struct nsys *n, const struct nsys_table *t, const struct rows *r)
{
	enum nsys_row is = t->is ? t->is(n, r) : NSYS_EVENT;
	nsec start, dur;

	if (is == NSYS_OTHER)
		return;
	if (is == NSYS_BAD || !times_of(r, &start, &dur)) {
		emit_problem(&n->m, PROBLEM_SKIPPED_RECORD, -1);
		return;
	}
	t->put(n, r);
	emit_end(&n->m, start, dur, -1);
	n->nrow++;
	n->unmerged++;
}

static void note_damage(struct nsys *n, const struct err *e)
{
	if (n->damaged++ == 0)
		n->damage = *e;
}

/* Asks for those columns that are for nothing or for what somebody wants. */
static enum status ask(struct nsys *n, const struct nsys_table *t, struct rows **r, struct err *e)
{
	const char *names[TABLE_COLUMNS];

	for (size_t i = 0; i < t->ncolumn; i++) {
		const struct nsys_column *c = &t->columns[i];
		bool wanted = !c->key || emit_key(&n->m, c->key) != PLAN_NO_KEY;

		names[i] = wanted ? c->name : NULL;
	}
	return rows_of(r, n->d, t->name, names, t->ncolumn, e);
}

enum status nsys_read(struct nsys *n, const struct nsys_table *t, struct err *e)
{
	struct rows *r = NULL;
	struct err failed;
	bool there;

	if (!database_has(n->d, t->name))
		return OK;
	enum status st = ask(n, t, &r, &failed);
	while (st == OK && (st = rows_next(r, &there, &failed)) == OK && there) {
		take_row(n, t, r);
		if (n->unmerged >= MERGE_ROWS && nsys_merge(n, e) != OK) {
			rows_close(r);
			return e->status;
		}
	}
	rows_close(r);
	if (st != OK)
		note_damage(n, &failed);
	return nsys_merge(n, e);
}

/* --- texts --- */

/* A copy with room behind it, as emit wants. */
static struct span keep(struct nsys *n, struct span text)
{
	char *p = arena_alloc(&n->mem, text.n + EMIT_PADDING);

	memcpy(p, text.p, text.n);
	memset(p + text.n, ' ', EMIT_PADDING);
	return (struct span){ p, text.n };
}

static struct span look_up(struct nsys *n, int64_t id)
{
	struct span text = { NULL, 0 };
	struct err failed;
	bool there;

	rows_again(n->text_by_id, id);
	if (rows_next(n->text_by_id, &there, &failed) != OK) {
		note_damage(n, &failed);
		return text;
	}
	if (there)
		text = rows_text(n->text_by_id, 0);
	return text.p ? keep(n, text) : text;
}

/* The text of a StringIds id; an empty one with p NULL when there is none. */
static struct span text_by_id(struct nsys *n, int64_t id)
{
	bool is_new;

	if (!n->text_by_id)
		return (struct span){ NULL, 0 };
	struct span *text = valuemap_slot(&n->texts, &id, &is_new);
	if (is_new)
		*text = look_up(n, id);
	return *text;
}

struct span nsys_text_of(struct nsys *n, const struct rows *r, int column)
{
	int64_t id;

	return rows_take_int(r, column, &id) ? text_by_id(n, id) : (struct span){ NULL, 0 };
}

struct span nsys_number(struct nsys *n, int64_t number)
{
	char digits[24];
	bool is_new;
	struct span *text = valuemap_slot(&n->numbers, &number, &is_new);

	if (is_new) {
		(void)snprintf(digits, sizeof(digits), "%" PRId64, number);
		*text = keep(n, span_of(digits));
	}
	return *text;
}

struct span nsys_made(struct nsys *n, int64_t key, const char *text)
{
	bool is_new;
	struct span *made = valuemap_slot(&n->made, &key, &is_new);

	if (is_new)
		*made = keep(n, span_of(text));
	return *made;
}

static void nsys_names_open(struct nsys *n)
{
	struct err ignored;

	valuemap_init(&n->texts, sizeof(int64_t), sizeof(struct span));
	valuemap_init(&n->numbers, sizeof(int64_t), sizeof(struct span));
	valuemap_init(&n->made, sizeof(int64_t), sizeof(struct span));
	if (database_has_column(n->d, "StringIds", "id") &&
		database_has_column(n->d, "StringIds", "value") &&
		rows_open(&n->text_by_id, n->d,
			"SELECT \"value\" FROM \"StringIds\" WHERE \"id\" = ?1", &ignored) != OK)
		n->text_by_id = NULL;
}

static void nsys_names_close(struct nsys *n)
{
	rows_close(n->text_by_id);
	valuemap_clear(&n->texts);
	valuemap_clear(&n->numbers);
	valuemap_clear(&n->made);
}

static uint8_t word_of(const struct nsys_word *word, size_t nword, struct span symbol)
{
	for (size_t i = 1; i < nword; i++)
		if (span_is(symbol, word[i].symbol))
			return (uint8_t)i;
	return NSYS_NO_WORD;
}

void nsys_enum_read(struct nsys *n, const char *table, const struct nsys_word *word, size_t nword,
	struct nsys_enum *out)
{
	static const char *const columns[] = { "id", "name" };
	struct rows *r = rows_if(n->d, table, columns, 2);
	bool any = false;
	int64_t id;

	*out = (struct nsys_enum){ { NSYS_NO_WORD } };
	while (rows_more(r)) {
		if (!rows_take_int(r, 0, &id) || id < 0 || id >= NSYS_ENUM_IDS)
			continue;
		out->word[id] = word_of(word, nword, rows_text(r, 1));
		any = true;
	}
	rows_close(r);
	for (size_t i = 1; !any && i < nword; i++)
		out->word[word[i].id] = (uint8_t)i;
}

unsigned nsys_enum_word(const struct nsys_enum *t, int64_t id)
{
	return id >= 0 && id < NSYS_ENUM_IDS ? t->word[id] : NSYS_NO_WORD;
}

/*
 * What a report says of its machine and its clock, names of processes and threads, and what of it
 * is not read.
 */

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
			emit_process_name(
				&n->m, nsys_number(n, nsys_pid(id)), emit_keep(&n->m, name));
	}
	rows_close(r);
	r = rows_if(n->d, "ThreadNames", threads, 2);
	while (rows_more(r)) {
		name = nsys_text_of(n, r, 1);
		if (rows_take_int(r, 0, &id) && name.n)
			emit_thread_name(&n->m, nsys_number(n, nsys_pid(id)),
				nsys_number(n, nsys_tid(id)), name);
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
	size_t i;

	for (i = 0; i < number.n && number.p[i] >= '0' && number.p[i] <= '9'; i++)
		;
	if (i == number.n && i < 9)
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
	struct str said = { 0 };

	for (size_t i = 0; i < COUNT_OF(unread); i++) {
		int64_t rows = nsys_count(n, unread[i]);

		if (rows > 0)
			str_addf(&said, "%s%s (%" PRId64 ")", said.n ? ", " : "", unread[i], rows);
	}
	if (said.n)
		emit_member(&n->m, "tables_not_read", (struct span){ said.s, said.n }, true);
	str_free(&said);
}

/* What the report says of the machine, of its clock, of names; and what of it was not read. */
static void nsys_read_facts(struct nsys *n)
{
	put_names(n);
	put_clock(n);
	nsys_emit_gpus(n);
	put_facts(n, "TARGET_INFO_SYSTEM_ENV");
	put_facts(n, "META_DATA_EXPORT");
	put_unread(n);
}

static bool is_nsys(struct database *d)
{
	static const char *const tables[] = { "META_DATA_EXPORT", "EXPORT_META_DATA",
		"ANALYSIS_DETAILS", "TARGET_INFO_SESSION_START_TIME", "TARGET_INFO_SYSTEM_ENV",
		"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
		"OSRT_API" };

	if (!database_has(d, "StringIds"))
		return false;
	for (size_t i = 0; i < COUNT_OF(tables); i++)
		if (database_has(d, tables[i]))
			return true;
	return false;
}

/* An export without anything that becomes an event: what is in it, with its largest tables. */
static enum status refuse_empty(struct nsys *n, struct err *e)
{
	char *names = database_tables(n->d, "");
	struct str said = { 0 };
	size_t said_n = 0;

	for (char *name = names; *name && said_n < 6; name += strlen(name) + 1) {
		int64_t rows = nsys_count(n, name);

		if (rows <= 0 || strstr(name, "ENUM_") || strstr(name, "META_DATA") ||
			strstr(name, "TARGET_INFO") || strstr(name, "NVTX_PAYLOAD"))
			continue;
		str_addf(&said, "%s%s (%" PRId64 ")", said_n++ ? ", " : "", name, rows);
	}
	(void)err_set(e, E_NODATA, -1,
		"an export of Nsight Systems without CUDA work and without NVTX ranges%s%s",
		said_n ? "; it holds " : "", said_n ? said.s : "");
	str_free(&said);
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
	if (n->nrow == 0 && n->damaged) {
		*e = n->damage;
		return e->status;
	}
	if (n->nrow == 0)
		return refuse_empty(n, e);
	nsys_read_facts(n);
	while (n->damaged-- > 0)
		emit_problem(&n->m, PROBLEM_DAMAGED_TABLE, -1);
	return nsys_merge(n, e);
}

static enum status read_nsys(
	struct database *d, struct format_input *in, struct emit_sink *out, struct err *e)
{
	struct nsys n = { .d = d, .in = in, .out = out };

	out->producer = &producers[PRODUCER_NSYS];
	arena_init(&n.mem);
	emitter_init(&n.m, out->plan);
#define X(member, text) n.key.member = emit_key(&n.m, text);
	NSYS_KEYS(X)
#undef X
	nsys_names_open(&n);
	nsys_places_open(&n);
	enum status st = read_tables(&n, e);
	nsys_places_close(&n);
	nsys_names_close(&n);
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
