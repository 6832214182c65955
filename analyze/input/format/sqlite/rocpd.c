/* rocpd, the database of rocprofv3.
 *
 * A table is one kind of record; each process writes tables of its own, whose names end in its id,
 * so that those of several can lie in one file.  Rows refer to others by their ids.  Version 3 says
 * of each row whose it is; version 4 of a track, which rows name.  What a version lacks is absent.
 * Source: rocpd_tables.sql of the ROCprofiler-SDK, 3.0.0 to 4.1.0; what its tool writes in them. */
#include "analyze/input/format/rocm/rocm.h"
#include "analyze/input/format/sqlite/database.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/limits.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

/* What an id stands for. */
struct rocpd_value {
	struct span text;       /* of strings, kernels, categories */
	int64_t number, second; /* a kernel's VGPRs, a process's id, a GPU's number */
};

struct rocpd {
	struct database *d;
	struct rocm rocm;
	const char *suffix; /* of the tables that are read now */
	/* By id, int64_t: struct rocpd_value. */
	struct valuemap strings, categories, kernels, agents, processes, threads;
	struct valuemap nodes; /* of all suffixes: by hash, what is added to GPUs' numbers */
	int64_t gpus;          /* that were met: numbers from 0 */
	int64_t gpu_base;      /* what is added to the numbers of this suffix's GPUs */
	int64_t nprocess;      /* of all suffixes */
	struct str sql;
};

/* --- how tables are asked, whichever columns a version has --- */

/* "rocpd_info_node_0198..." */
static void add_name(struct str *to, const struct rocpd *r, const char *table)
{
	str_adds(to, table);
	str_adds(to, r->suffix);
}

/* Whether this suffix has that table, and the column (NULL: any). */
static bool rocpd_has(struct rocpd *r, const char *table, const char *column)
{
	SCOPED_STR name = { 0 };

	add_name(&name, r, table);
	return column ? database_has_column(r->d, name.s, column) : database_has(r->d, name.s);
}

/* Begins a question about a table of this suffix; columns are added by rocpd_column. */
static void rocpd_select(struct rocpd *r)
{
	str_reset(&r->sql);
	str_adds(&r->sql, "SELECT 1");
}

/* Adds the column of a table to the question, NULL where the table has none; alias: "k". */
static void rocpd_column(struct rocpd *r, const char *table, const char *alias, const char *column)
{
	if (rocpd_has(r, table, column))
		str_addf(&r->sql, ", %s.\"%s\"", alias, column);
	else
		str_adds(&r->sql, ", NULL");
}

/* Asks: " FROM table alias", and then `more`, in which % stands for the suffix. */
static enum status rocpd_ask(struct rocpd *r, const char *table, const char *alias,
	const char *more, struct rows **rows, struct err *e)
{
	str_adds(&r->sql, " FROM \"");
	add_name(&r->sql, r, table);
	str_addf(&r->sql, "\" %s", alias);
	for (; *more; more++) {
		if (*more == '%')
			str_adds(&r->sql, r->suffix);
		else
			str_addc(&r->sql, *more);
	}
	return rows_open(rows, r->d, r->sql.s, e);
}

/* --- what ids stand for: each table is read once, into a map --- */

/* A row's value, new or in place of another of that id. */
static void put(struct valuemap *m, int64_t id, struct rocpd_value v)
{
	*(struct rocpd_value *)valuemap_slot(m, &id, NULL) = v;
}

/* A table with its columns, each of which may be missing, and what becomes of its rows. */
struct table {
	const char *name, *column[8];
	void (*take)(struct rocpd *r, const struct rows *rows);
};

static enum status read_table(struct rocpd *r, const struct table *t, struct err *e)
{
	struct rows *rows = NULL;
	bool there;

	if (!rocpd_has(r, t->name, NULL))
		return OK;
	rocpd_select(r);
	for (size_t i = 0; i < COUNT_OF(t->column) && t->column[i]; i++)
		rocpd_column(r, t->name, "t", t->column[i]);
	enum status st = rocpd_ask(r, t->name, "t", " ORDER BY t.id", &rows, e);
	while (st == OK && (st = rows_next(rows, &there, e)) == OK && there)
		t->take(r, rows);
	rows_close(rows);
	return st;
}

/* Columns are counted from 1: the first of a question is a constant. */

static void take_string(struct rocpd *r, const struct rows *rows)
{
	put(&r->strings, rows_int(rows, 1, -1),
		(struct rocpd_value){ rocm_keep(&r->rocm, rows_text(rows, 2)), 0, 0 });
}

static void take_category(struct rocpd *r, const struct rows *rows)
{
	put(&r->categories, rows_int(rows, 1, -1),
		(struct rocpd_value){ rocm_keep(&r->rocm, rows_text(rows, 2)), 0, 0 });
}

static void take_node(struct rocpd *r, const struct rows *rows)
{
	int64_t hash = rows_int(rows, 1, 0);
	const struct rocpd_value *known = valuemap_find(&r->nodes, &hash);

	r->gpu_base = known ? known->number : r->gpus;
	if (!known)
		put(&r->nodes, hash, (struct rocpd_value){ .number = r->gpus });
	rocm_member(&r->rocm, "host_name", rows_text(rows, 3));
}

/* The last part of the program's path. */
static struct span program(struct span command)
{
	size_t i, from = 0;

	for (i = 0; i < command.n && command.p[i] != ' '; i++)
		if (command.p[i] == '/')
			from = i + 1;
	return (struct span){ command.p + from, i - from };
}

static void take_process(struct rocpd *r, const struct rows *rows)
{
	struct span command = rows_text(rows, 4);
	struct rocpd_value v = { .number = rows_int(rows, 2, -1), .second = r->nprocess++ };

	put(&r->processes, rows_int(rows, 1, -1), v);
	if (command.n) {
		rocm_process_name(&r->rocm, v.number, program(command));
		rocm_member(&r->rocm, "command", command);
	}
}

static void take_thread(struct rocpd *r, const struct rows *rows)
{
	const struct rocpd_value *process =
		valuemap_find(&r->processes, &(int64_t){ rows_int(rows, 2, -1) });
	struct span name = rows_text(rows, 4);
	int64_t tid = rows_int(rows, 3, -1);

	put(&r->threads, rows_int(rows, 1, -1), (struct rocpd_value){ .number = tid });
	if (name.n && process)
		rocm_thread_name(&r->rocm, process->number, tid, name);
}

static void take_agent(struct rocpd *r, const struct rows *rows)
{
	struct rocpd_value v = { .number = -1 };
	struct span name = rows_text(rows, 5), rest;

	if (span_is(rows_text(rows, 2), "GPU")) {
		v.number = rows_int(rows, 3, -1);
		v.number =
			v.number >= 0 && v.number < LIMIT_META_GPUS ? v.number + r->gpu_base : -1;
	}
	put(&r->agents, rows_int(rows, 1, -1), v);
	if (v.number < 0)
		return;
	if (v.number >= r->gpus)
		r->gpus = v.number + 1;
	struct span info = rows_text(rows, 6);
	if (info.n > 2) { /* not "{}" */
		rocm_gpu_of_json(&r->rocm, json_value(info, &rest), v.number);
		return;
	}
	if (!name.n)
		name = rows_text(rows, 4);
	rocm_gpu(&r->rocm,
		&(struct rocm_gpu){ v.number, rocm_keep(&r->rocm, name), -1, -1, -1, -1, -1, -1 });
}

static void take_kernel(struct rocpd *r, const struct rows *rows)
{
	struct span name = rows_text(rows, 2);
	int64_t accum = rows_int(rows, 5, -1);
	struct rocpd_value v = { .number = rows_int(rows, 4, -1), .second = accum };

	if (!name.n)
		name = rows_text(rows, 3);
	v.text = rocm_keep(&r->rocm, name);
	put(&r->kernels, rows_int(rows, 1, -1), v);
}

/* Those that others refer to come first. */
static const struct table tables[] = {
	{ "rocpd_string", { "id", "string" }, take_string },
	{ "rocpd_info_category", { "id", "name" }, take_category },
	{ "rocpd_info_node", { "hash", "id", "hostname" }, take_node },
	{ "rocpd_info_process", { "id", "pid", "nid", "command" }, take_process },
	{ "rocpd_info_thread", { "id", "pid", "tid", "name" }, take_thread },
	{ "rocpd_info_agent", { "id", "type", "type_index", "name", "product_name", "extdata" },
		take_agent },
	{ "rocpd_info_kernel_symbol",
		{ "id", "display_name", "kernel_name", "arch_vgpr_count", "accum_vgpr_count" },
		take_kernel },
};

/* --- records as events: each kind is one question, of rows in the order they were written --- */

/* A row as a record: its numbers, and what of it is to be said. */
struct row {
	const struct rows *rows;
	int64_t n[ROCM_NUMBER_COUNT];
	struct rocm_record c;
};

/* A kind of records: its table, its columns behind those that all have, and from which of them on
 * they are which numbers of records. */
struct records {
	const char *table, *column[16];
	enum status (*take)(struct rocpd *r, struct row *row, struct err *e);
	int first;
	uint8_t number[16];
};

/* Columns of all questions; behind them those of the kind. */
enum {
	AT_START = 1,
	AT_END,
	AT_STACK,    /* rocpd_event: the correlation */
	AT_CATEGORY, /* the same: of strings, or of categories */
	AT_EXTDATA,
	AT_PID,
	AT_TID,
	AT_AGENT, /* of the row, or of its track */
	AT_QUEUE,
	AT_STREAM,
	AT_OWN
};

static int64_t number_of(struct valuemap *m, int64_t id, int64_t otherwise)
{
	const struct rocpd_value *v = valuemap_find(m, &id);

	return v ? v->number : otherwise;
}

static struct span text_of(struct valuemap *m, int64_t id)
{
	const struct rocpd_value *v = valuemap_find(m, &id);

	return v ? v->text : (struct span){ "", 0 };
}

/* The process of a row, which is that of what follows. */
static int64_t process_of(struct rocpd *r, const struct rows *rows)
{
	int64_t id = rows_int(rows, AT_PID, -1);
	const struct rocpd_value *v = valuemap_find(&r->processes, &id);

	r->rocm.process = v ? v->second : 0;
	return v ? v->number : id;
}

static int64_t device_of(struct rocpd *r, const struct rows *rows, int column)
{
	return rows_is_null(rows, column) ? -1
					  : number_of(&r->agents, rows_int(rows, column, -1), -1);
}

/* The text that a name's number stands for, or that number. */
static struct span name_of(struct rocpd *r, struct valuemap *m, const char *what, int64_t id)
{
	struct span name = text_of(m, id);

	return name.n ? name : emit_keepf(&r->rocm.m, "%s %" PRId64, what, id);
}

static enum status take_dispatch(struct rocpd *r, struct row *row, struct err *e)
{
	int64_t kernel = rows_int(row->rows, AT_OWN, -1);
	const struct rocpd_value *k = valuemap_find(&r->kernels, &kernel);

	row->c.name = name_of(r, &r->kernels, "kernel_id", kernel);
	row->c.device = device_of(r, row->rows, AT_AGENT);
	row->c.vgprs = k ? k->number : -1;
	row->c.accum_vgprs = k ? k->second : -1;
	return rocm_dispatch(&r->rocm, &row->c, e);
}

static enum status take_copy(struct rocpd *r, struct row *row, struct err *e)
{
	row->c.name = name_of(r, &r->strings, "copy", rows_int(row->rows, AT_OWN, -1));
	row->c.to = device_of(r, row->rows, AT_OWN + 1);
	row->c.from = device_of(r, row->rows, AT_OWN + 2);
	return rocm_copy(&r->rocm, &row->c, e);
}

/* What a row of the host has beside its numbers, whatever it is; name is to be set. */
static void call_of(struct rocpd *r, struct row *row)
{
	int64_t category = rows_int(row->rows, AT_CATEGORY, -1);

	row->c.domain = text_of(r->categories.key.n ? &r->categories : &r->strings, category);
	row->n[ROCM_THREAD] = number_of(&r->threads, row->n[ROCM_THREAD], row->n[ROCM_THREAD]);
}

/* The message of a ROCTx call: {"message": "..."}. */
static struct span message_of(struct rocpd *r, const struct rows *rows)
{
	struct span text = rows_text(rows, AT_EXTDATA), rest, none = { "", 0 };

	if (text.n <= 2)
		return none;
	struct json_value m = json_get(json_value(text, &rest), "message");
	return m.type == JSON_STRING ? rocm_keep_json(&r->rocm, m.text, m.escaped) : none;
}

static enum status take_region(struct rocpd *r, struct row *row, struct err *e)
{
	struct rocm_record *c = &row->c;

	call_of(r, row);
	if (span_starts(c->domain, "MARKER_"))
		c->name = message_of(r, row->rows);
	c->is_range = c->name.n > 0;
	if (!c->is_range)
		c->name = name_of(r, &r->strings, "name", rows_int(row->rows, AT_OWN, -1));
	return rocm_call(&r->rocm, c, e);
}

/* An instant: a mark, or a call so short that it has no duration, whose name version 3 loses. */
static enum status take_sample(struct rocpd *r, struct row *row, struct err *e)
{
	struct rocm_record *c = &row->c;

	call_of(r, row);
	row->n[ROCM_START] = row->n[ROCM_END] = rows_int(row->rows, AT_OWN + 1, -1);
	if (row->n[ROCM_START] < 0) {
		rocm_skip(&r->rocm, -1);
		return OK;
	}
	if (span_starts(c->domain, "MARKER_"))
		c->name = message_of(r, row->rows);
	c->is_range = c->name.n > 0;
	if (!c->is_range)
		c->name = text_of(&r->strings, rows_int(row->rows, AT_OWN, -1));
	return c->name.n ? rocm_call(&r->rocm, c, e) : rocm_count(&r->rocm, "rocpd_sample", e);
}

/* "MEMORY_ALLOCATION_VMEM_FREE", as the other formats name it. */
static struct span allocation(struct rocpd *r, struct span level, struct span type)
{
	SCOPED_STR name = { 0 };
	bool scratch = span_is(level, "SCRATCH");

	str_adds(&name, scratch ? "SCRATCH_MEMORY_" : "MEMORY_ALLOCATION_");
	if (span_is(level, "VIRTUAL"))
		str_adds(&name, "VMEM_");
	if (!scratch && span_is(type, "ALLOC"))
		str_adds(&name, "ALLOCATE");
	else
		str_add(&name, type.p, type.n);
	return emit_keep(&r->rocm.m, (struct span){ name.s, name.n });
}

static enum status take_allocation(struct rocpd *r, struct row *row, struct err *e)
{
	struct span type = rows_text(row->rows, AT_OWN), level = rows_text(row->rows, AT_OWN + 1);

	call_of(r, row);
	row->c.name = allocation(r, level, type);
	row->c.domain =
		span_is(level, "SCRATCH") ? SPAN("SCRATCH_MEMORY") : SPAN("MEMORY_ALLOCATION");
	return rocm_call(&r->rocm, &row->c, e);
}

static const struct records kinds[] = {
	{ "rocpd_kernel_dispatch",
		{ "kernel_id", "group_segment_size", "workgroup_size_x", "workgroup_size_y",
			"workgroup_size_z", "grid_size_x", "grid_size_y", "grid_size_z",
			"graph_exec_id", "graph_node_id" },
		take_dispatch, AT_OWN + 1,
		{ ROCM_LDS, ROCM_GROUP_X, ROCM_GROUP_Y, ROCM_GROUP_Z, ROCM_GRID_X, ROCM_GRID_Y,
			ROCM_GRID_Z, ROCM_GRAPH, ROCM_GRAPH_NODE } },
	{ "rocpd_memory_copy", { "name_id", "dst_agent_id", "src_agent_id", "size" }, take_copy,
		AT_OWN + 3, { ROCM_BYTES } },
	{ "rocpd_region", { "name_id" }, take_region, 0, { 0 } },
	{ "rocpd_sample", { "name_id", "timestamp" }, take_sample, 0, { 0 } },
	{ "rocpd_memory_allocate", { "type", "level" }, take_allocation, 0, { 0 } },
};

static enum status take_row(
	struct rocpd *r, const struct records *k, const struct rows *rows, struct err *e)
{
	static const struct {
		uint8_t number;
		int at;
	} common[] = { { ROCM_START, AT_START }, { ROCM_END, AT_END }, { ROCM_THREAD, AT_TID },
		{ ROCM_QUEUE, AT_QUEUE }, { ROCM_STREAM, AT_STREAM } };
	struct row row = { .rows = rows };

	FILL(row.n, ROCM_NUMBER_COUNT, -1);
	for (size_t i = 0; i < COUNT_OF(common); i++)
		row.n[common[i].number] = rows_int(rows, common[i].at, -1);
	for (int i = 0; k->number[i]; i++)
		row.n[k->number[i]] = rows_int(rows, k->first + i, -1);
	row.n[ROCM_CORRELATION] = rows_int(rows, AT_STACK, 0);
	row.c = (struct rocm_record){ .n = row.n, .offset = -1, .pid = process_of(r, rows) };
	if (k->take == take_sample || (row.n[ROCM_START] >= 0 && row.n[ROCM_END] >= 0))
		return k->take(r, &row, e);
	rocm_skip(&r->rocm, -1);
	return OK;
}

/* Whose a row is: its own column, or its track's (NULL: there are none). */
static void owner(struct rocpd *r, const char *table, const char *track, const char *column)
{
	if (track && !rocpd_has(r, table, column))
		rocpd_column(r, track, "t", column);
	else
		rocpd_column(r, table, "k", column);
}

static enum status ask(struct rocpd *r, const struct records *k, struct rows **rows, struct err *e)
{
	static const char *const owners[] = { "pid", "tid", "agent_id", "queue_id", "stream_id" };
	bool events = rocpd_has(r, "rocpd_event", NULL) && rocpd_has(r, k->table, "event_id");
	bool tracks = rocpd_has(r, "rocpd_track", NULL) && rocpd_has(r, k->table, "track_id");
	const char *event = events ? "rocpd_event" : "no table";
	SCOPED_STR more = { 0 };

	rocpd_select(r);
	rocpd_column(r, k->table, "k", "start");
	rocpd_column(r, k->table, "k", "end");
	rocpd_column(r, event, "e", "stack_id");
	rocpd_column(r, event, "e", "category_id");
	rocpd_column(r, event, "e", "extdata");
	for (size_t i = 0; i < COUNT_OF(owners); i++)
		owner(r, k->table, tracks ? "rocpd_track" : NULL, owners[i]);
	for (size_t i = 0; i < COUNT_OF(k->column) && k->column[i]; i++)
		rocpd_column(r, k->table, "k", k->column[i]);
	if (events)
		str_adds(&more, " LEFT JOIN \"rocpd_event%\" e ON e.id = k.event_id");
	if (tracks)
		str_adds(&more, " LEFT JOIN \"rocpd_track%\" t ON t.id = k.track_id");
	str_adds(&more, " ORDER BY k.id");
	return rocpd_ask(r, k->table, "k", more.s, rows, e);
}

static enum status read_kind(struct rocpd *r, const struct records *k, struct err *e)
{
	struct rows *rows = NULL;
	bool there;

	if (!rocpd_has(r, k->table, NULL))
		return OK;
	enum status st = ask(r, k, &rows, e);
	while (st == OK && (st = rows_next(rows, &there, e)) == OK && there)
		st = take_row(r, k, rows, e);
	rows_close(rows);
	return st;
}

/* Values of counters, which are no work of the program's. */
static enum status count_counters(struct rocpd *r, struct err *e)
{
	struct rows *rows = NULL;
	bool there;

	if (!rocpd_has(r, "rocpd_pmc_event", NULL))
		return OK;
	rocpd_select(r);
	enum status st = rocpd_ask(r, "rocpd_pmc_event", "k", "", &rows, e);
	while (st == OK && (st = rows_next(rows, &there, e)) == OK && there)
		st = rocm_count(&r->rocm, "counter_collection", e);
	rows_close(rows);
	return st;
}

/* --- the processes of a file --- */

/* All files have it, and no other profiler's. */
static const char node_table[] = "rocpd_info_node";

static void maps_do(struct rocpd *r, void (*with)(struct valuemap *m))
{
	with(&r->strings);
	with(&r->categories);
	with(&r->kernels);
	with(&r->agents);
	with(&r->processes);
	with(&r->threads);
}

static void map_init(struct valuemap *m)
{
	valuemap_init(m, sizeof(int64_t), sizeof(struct rocpd_value));
}

static void map_empty(struct valuemap *m)
{
	keymap_empty(&m->key);
}

static enum status read_suffix(struct rocpd *r, struct err *e)
{
	maps_do(r, map_empty);
	for (size_t i = 0; i < COUNT_OF(tables); i++)
		TRY(read_table(r, &tables[i], e));
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		TRY(read_kind(r, &kinds[i], e));
	return count_counters(r, e);
}

static enum status read_all(struct rocpd *r, struct err *e)
{
	char *nodes = database_tables(r->d, node_table);
	enum status st = OK;

	for (char *t = nodes; *t && st == OK; t += strlen(t) + 1) {
		r->suffix = t + sizeof(node_table) - 1;
		st = read_suffix(r, e);
	}
	free(nodes);
	return st == OK ? rocm_finish(&r->rocm, e) : st;
}

static enum status read_rocpd(
	struct database *d, struct format_input *in UNUSED, struct emit_sink *out, struct err *e)
{
	struct rocpd r = { .d = d };

	rocm_open(&r.rocm, out);
	maps_do(&r, map_init);
	map_init(&r.nodes);
	enum status st = read_all(&r, e);
	maps_do(&r, valuemap_clear);
	valuemap_clear(&r.nodes);
	str_free(&r.sql);
	rocm_close(&r.rocm);
	return st;
}

static bool is_rocpd(struct database *d)
{
	char *nodes = database_tables(d, node_table);
	bool is = *nodes;

	free(nodes);
	return is;
}

const struct schema schema_rocpd = {
	.name = "rocpd",
	.title = "rocpd database of rocprofv3",
	.is = is_rocpd,
	.read = read_rocpd,
};
