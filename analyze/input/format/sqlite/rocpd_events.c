/* rocpd: records as events.  Each kind is one question, of rows in the order they were written. */
#include <inttypes.h>

#include "analyze/input/format/sqlite/rocpd.h"
#include "analyze/input/text/json_text.h"

/* A kind of records: its table, and its columns behind those that all have. */
struct records {
	const char *table, *column[16];
	enum status (*take)(struct rocpd *r, const struct rows *rows, struct err *e);
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
	const struct rocpd_value *v = rocpd_find(m, id);

	return v ? v->number : otherwise;
}

static struct span text_of(struct valuemap *m, int64_t id)
{
	const struct rocpd_value *v = rocpd_find(m, id);

	return v ? v->text : (struct span){ "", 0 };
}

/* The process of a row, which is that of what follows. */
static int64_t process_of(struct rocpd *r, const struct rows *rows)
{
	int64_t id = rows_int(rows, AT_PID, -1);
	const struct rocpd_value *v = rocpd_find(&r->processes, id);

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

static enum status take_dispatch(struct rocpd *r, const struct rows *rows, struct err *e)
{
	int64_t kernel = rows_int(rows, AT_OWN, -1);
	const struct rocpd_value *k = rocpd_find(&r->kernels, kernel);
	struct rocm_dispatch d = {
		.name = name_of(r, &r->kernels, "kernel_id", kernel),
		.device = device_of(r, rows, AT_AGENT),
		.stream = rows_int(rows, AT_STREAM, -1),
		.queue = rows_int(rows, AT_QUEUE, -1),
		.correlation = rows_int(rows, AT_STACK, 0),
		.start = rows_int(rows, AT_START, -1),
		.end = rows_int(rows, AT_END, -1),
		.lds_bytes = rows_int(rows, AT_OWN + 1, -1),
		.vgprs = k ? k->number : -1,
		.accum_vgprs = k ? k->second : -1,
		.graph = rows_int(rows, AT_OWN + 8, -1),
		.node = rows_int(rows, AT_OWN + 9, -1),
	};

	for (int i = 0; i < 3; i++) {
		d.group[i] = rows_int(rows, AT_OWN + 2 + i, -1);
		d.items[i] = rows_int(rows, AT_OWN + 5 + i, -1);
	}
	(void)process_of(r, rows);
	return rocm_dispatch(&r->rocm, &d, -1, e);
}

static enum status take_copy(struct rocpd *r, const struct rows *rows, struct err *e)
{
	struct rocm_copy c = {
		.direction = name_of(r, &r->strings, "copy", rows_int(rows, AT_OWN, -1)),
		.to = device_of(r, rows, AT_OWN + 1),
		.from = device_of(r, rows, AT_OWN + 2),
		.bytes = rows_int(rows, AT_OWN + 3, -1),
		.stream = rows_int(rows, AT_STREAM, -1),
		.correlation = rows_int(rows, AT_STACK, 0),
		.start = rows_int(rows, AT_START, -1),
		.end = rows_int(rows, AT_END, -1),
	};

	(void)process_of(r, rows);
	return rocm_copy(&r->rocm, &c, -1, e);
}

/* What a row of the host has, whatever it is; name is to be set. */
static struct rocm_call call_of(struct rocpd *r, const struct rows *rows)
{
	int64_t tid = rows_int(rows, AT_TID, -1), category = rows_int(rows, AT_CATEGORY, -1);
	struct rocm_call c = {
		.domain = text_of(r->categories.key.n ? &r->categories : &r->strings, category),
		.pid = process_of(r, rows),
		.tid = number_of(&r->threads, tid, tid),
		.correlation = rows_int(rows, AT_STACK, 0),
		.start = rows_int(rows, AT_START, -1),
		.end = rows_int(rows, AT_END, -1),
	};

	return c;
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

static enum status take_region(struct rocpd *r, const struct rows *rows, struct err *e)
{
	struct rocm_call c = call_of(r, rows);

	if (span_starts(c.domain, "MARKER_"))
		c.name = message_of(r, rows);
	c.is_range = c.name.n > 0;
	if (!c.is_range)
		c.name = name_of(r, &r->strings, "name", rows_int(rows, AT_OWN, -1));
	return rocm_call(&r->rocm, &c, -1, e);
}

/* An instant: a mark, or a call so short that it has no duration, whose name version 3 loses. */
static enum status take_sample(struct rocpd *r, const struct rows *rows, struct err *e)
{
	struct rocm_call c = call_of(r, rows);
	struct span message = { "", 0 };

	c.start = c.end = rows_int(rows, AT_OWN + 1, -1);
	if (c.start < 0) {
		rocm_skip(&r->rocm, -1);
		return OK;
	}
	if (span_starts(c.domain, "MARKER_"))
		message = message_of(r, rows);
	c.is_range = message.n > 0;
	c.name = c.is_range ? message : text_of(&r->strings, rows_int(rows, AT_OWN, -1));
	return c.name.n ? rocm_call(&r->rocm, &c, -1, e) : rocm_count(&r->rocm, "rocpd_sample", e);
}

/* "MEMORY_ALLOCATION_VMEM_FREE", as the other formats name it. */
static struct span allocation(struct rocpd *r, struct span level, struct span type)
{
	struct str name = { 0 };
	bool scratch = span_is(level, "SCRATCH");

	str_adds(&name, scratch ? "SCRATCH_MEMORY_" : "MEMORY_ALLOCATION_");
	if (span_is(level, "VIRTUAL"))
		str_adds(&name, "VMEM_");
	if (!scratch && span_is(type, "ALLOC"))
		str_adds(&name, "ALLOCATE");
	else
		str_add(&name, type.p, type.n);
	struct span kept = emit_keep(&r->rocm.m, (struct span){ name.s, name.n });
	str_free(&name);
	return kept;
}

static enum status take_allocation(struct rocpd *r, const struct rows *rows, struct err *e)
{
	struct rocm_call c = call_of(r, rows);
	struct span type = rows_text(rows, AT_OWN), level = rows_text(rows, AT_OWN + 1);

	c.name = allocation(r, level, type);
	c.domain = span_is(level, "SCRATCH") ? SPAN("SCRATCH_MEMORY") : SPAN("MEMORY_ALLOCATION");
	return rocm_call(&r->rocm, &c, -1, e);
}

static const struct records kinds[] = {
	{ "rocpd_kernel_dispatch",
		{ "kernel_id", "group_segment_size", "workgroup_size_x", "workgroup_size_y",
			"workgroup_size_z", "grid_size_x", "grid_size_y", "grid_size_z",
			"graph_exec_id", "graph_node_id" },
		take_dispatch },
	{ "rocpd_memory_copy", { "name_id", "dst_agent_id", "src_agent_id", "size" }, take_copy },
	{ "rocpd_region", { "name_id" }, take_region },
	{ "rocpd_sample", { "name_id", "timestamp" }, take_sample },
	{ "rocpd_memory_allocate", { "type", "level" }, take_allocation },
};

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
	struct str more = { 0 };

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
	enum status st = rocpd_ask(r, k->table, "k", more.s, rows, e);
	str_free(&more);
	return st;
}

static enum status read_kind(struct rocpd *r, const struct records *k, struct err *e)
{
	bool instants = k->take == take_sample, there;
	struct rows *rows = NULL;

	if (!rocpd_has(r, k->table, NULL))
		return OK;
	enum status st = ask(r, k, &rows, e);
	while (st == OK && (st = rows_next(rows, &there, e)) == OK && there) {
		if (instants ||
			(rows_int(rows, AT_START, -1) >= 0 && rows_int(rows, AT_END, -1) >= 0))
			st = k->take(r, rows, e);
		else
			rocm_skip(&r->rocm, -1);
	}
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

enum status rocpd_events(struct rocpd *r, struct err *e)
{
	for (size_t i = 0; i < COUNT_OF(kinds); i++)
		TRY(read_kind(r, &kinds[i], e));
	return count_counters(r, e);
}
