/*
 * rocprofv3's records: one array for each kind of them.
 */
#include <stdio.h>

#include "analyze/input/format/jsonstream.h"
#include "analyze/input/format/rocm/rocprof.h"
#include "analyze/input/text/jsonfields.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "base/compiler.h"
#include "base/minmax.h"

/* Members that records of any kind have; those of dispatches that came with counters are deeper. */
enum field {
	KIND,
	OPERATION,
	THREAD,
	CORRELATION,
	START,
	END,
	AGENT,
	QUEUE,
	KERNEL,
	DISPATCH,
	LDS,
	GROUP_X,
	GROUP_Y,
	GROUP_Z,
	GRID_X,
	GRID_Y,
	GRID_Z,
	STREAM,
	GRAPH,
	NODE,
	TO,
	FROM,
	BYTES,
	COUNTED_START,
	COUNTED_END,
	FIELDS
};

static const struct json_field fields[FIELDS] = {
	[KIND] = { "", "kind" },
	[OPERATION] = { "", "operation" },
	[THREAD] = { "", "thread_id" },
	[CORRELATION] = { "correlation_id", "internal" },
	[START] = { "", "start_timestamp" },
	[END] = { "", "end_timestamp" },
	[AGENT] = { "agent_id", "handle" },
	[QUEUE] = { "queue_id", "handle" },
	[KERNEL] = { "dispatch_info", "kernel_id" },
	[DISPATCH] = { "dispatch_info", "dispatch_id" },
	[LDS] = { "dispatch_info", "group_segment_size" },
	[GROUP_X] = { "workgroup_size", "x" },
	[GROUP_Y] = { "workgroup_size", "y" },
	[GROUP_Z] = { "workgroup_size", "z" },
	[GRID_X] = { "grid_size", "x" },
	[GRID_Y] = { "grid_size", "y" },
	[GRID_Z] = { "grid_size", "z" },
	[STREAM] = { "stream_id", "handle" },
	[GRAPH] = { "", "graph_exec_id" },
	[NODE] = { "", "graph_node_id" },
	[TO] = { "dst_agent_id", "handle" },
	[FROM] = { "src_agent_id", "handle" },
	[BYTES] = { "", "bytes" },
	[COUNTED_START] = { "dispatch_data", "start_timestamp" },
	[COUNTED_END] = { "dispatch_data", "end_timestamp" },
};

/* A record taken apart; numbers that are absent or none are -1. */
struct record {
	struct json_value v[FIELDS];
	int64_t n[FIELDS];
	int64_t offset;
};

static bool has(const struct record *c, enum field f)
{
	return c->v[f].type == JSON_NUMBER && c->n[f] >= 0;
}

/* How a kind of records is read. */
struct records {
	const char *name;
	enum status (*take)(struct rocprof *r, struct record *c, struct err *e);
};

static enum status put_dispatch(struct rocprof *r, const struct record *c, struct err *e)
{
	struct rocprof_kernel k = rocprof_kernel(r, (uint64_t)c->n[KERNEL]);
	struct rocm_dispatch d = {
		.name = k.name,
		.device = rocprof_gpu(r, (uint64_t)c->n[AGENT]),
		.stream = c->n[STREAM],
		.queue = c->n[QUEUE],
		.correlation = c->n[CORRELATION],
		.start = c->n[START],
		.end = c->n[END],
		.items = { c->n[GRID_X], c->n[GRID_Y], c->n[GRID_Z] },
		.group = { c->n[GROUP_X], c->n[GROUP_Y], c->n[GROUP_Z] },
		.lds_bytes = c->n[LDS],
		.vgprs = k.vgprs,
		.accum_vgprs = k.accum_vgprs,
		.graph = c->n[GRAPH],
		.node = c->n[NODE],
	};

	if (!has(c, KERNEL)) {
		rocm_skip(&r->rocm, c->offset);
		return OK;
	}
	return rocm_dispatch(&r->rocm, &d, c->offset, e);
}

static enum status take_dispatch(struct rocprof *r, struct record *c, struct err *e)
{
	uint64_t id = (uint64_t)c->n[DISPATCH];

	if (r->counted.n && has(c, DISPATCH) && keymap_find(&r->counted, &id) != KEYMAP_NONE)
		return OK;
	return put_dispatch(r, c, e);
}

/* Counters of a dispatch: the dispatch is all that is read of them. */
static enum status take_counted(struct rocprof *r, struct record *c, struct err *e)
{
	uint64_t id = (uint64_t)c->n[DISPATCH];
	size_t known = r->counted.n;

	TRY(rocm_count(&r->rocm, "counter_collection", e));
	c->n[START] = c->n[COUNTED_START];
	c->n[END] = c->n[COUNTED_END];
	if (!has(c, DISPATCH) || !has(c, COUNTED_START) || !has(c, COUNTED_END))
		return OK;
	(void)keymap_add(&r->counted, &id);
	return r->counted.n > known ? put_dispatch(r, c, e) : OK;
}

/* The name of a call the document has no name of. */
static struct span no_name(struct rocprof *r, const struct record *c)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "kind %lld, operation %lld", (long long)c->n[KIND],
		(long long)c->n[OPERATION]);

	return emit_keep(&r->rocm.m, (struct span){ text, (size_t)n });
}

static enum status take_call(struct rocprof *r, struct record *c, struct err *e)
{
	const struct rocprof_kind *k = rocprof_kind(r, (uint64_t)c->n[KIND]);
	struct rocm_call call = {
		.domain = k ? k->name : SPAN(""),
		.name = rocprof_operation(k, (uint64_t)c->n[OPERATION]),
		.pid = r->pid,
		.tid = c->n[THREAD],
		.correlation = c->n[CORRELATION],
		.start = c->n[START],
		.end = c->n[END],
	};
	struct span message = { "", 0 };

	if (span_starts(call.domain, "MARKER_"))
		message = rocprof_message(r, (uint64_t)c->n[CORRELATION]);
	call.is_range = message.n > 0;
	if (call.is_range)
		call.name = message;
	else if (!call.name.n)
		call.name = no_name(r, c);
	return rocm_call(&r->rocm, &call, c->offset, e);
}

static enum status take_copy(struct rocprof *r, struct record *c, struct err *e)
{
	struct rocm_copy copy = {
		.direction = rocprof_operation(
			rocprof_kind(r, (uint64_t)c->n[KIND]), (uint64_t)c->n[OPERATION]),
		.from = rocprof_gpu(r, (uint64_t)c->n[FROM]),
		.to = rocprof_gpu(r, (uint64_t)c->n[TO]),
		.stream = c->n[STREAM],
		.correlation = c->n[CORRELATION],
		.bytes = c->n[BYTES],
		.start = c->n[START],
		.end = c->n[END],
	};

	if (!copy.direction.n)
		copy.direction = SPAN("Memcpy");
	return rocm_copy(&r->rocm, &copy, c->offset, e);
}

static const struct records kinds[] = {
	{ "kernel_dispatch", take_dispatch },
	{ "counter_collection", take_counted },
	{ "memory_copy", take_copy },
	{ "hip_api", take_call },
	{ "hsa_api", take_call },
	{ "marker_api", take_call },
	{ "rccl_api", take_call },
	{ "rocdecode_api", take_call },
	{ "rocjpeg_api", take_call },
	{ "rocshmem_api", take_call },
	{ "hipfile_api", take_call },
	{ "memory_allocation", take_call },
	{ "scratch_memory", take_call },
};

/* Others, which are no work of a program's: samples, counters, events of the driver. */
static enum status count_each(
	struct rocprof *r, struct jsonstream *s, const char *what, struct err *e)
{
	bool there;

	TRY(jsonstream_enter(s, '[', e));
	for (;;) {
		TRY(jsonstream_next(s, &there, NULL, e));
		if (!there)
			return OK;
		TRY(jsonstream_pass(s, e));
		r->records++;
		TRY(rocm_count(&r->rocm, what, e));
	}
}

static bool take_apart(struct record *c, struct span text)
{
	size_t i;

	if (!json_fields(text, fields, FIELDS, c->v))
		return false;
	for (i = 0; i < FIELDS; i++)
		if (c->v[i].type != JSON_NUMBER || !num_i64(c->v[i].text, &c->n[i]))
			c->n[i] = -1;
	return true;
}

static enum status read_each(
	struct rocprof *r, struct jsonstream *s, const struct records *kind, struct err *e)
{
	bool counted = kind->take == take_counted;
	struct record c;
	struct span text;
	bool there;

	TRY(jsonstream_enter(s, '[', e));
	for (;;) {
		TRY(jsonstream_next(s, &there, NULL, e));
		if (!there)
			return OK;
		c.offset = jsonstream_offset(s);
		TRY(jsonstream_value(s, LIMIT_EVENT_BYTES, &text, e));
		r->records++;
		if (take_apart(&c, text) && (counted || (has(&c, START) && has(&c, END))))
			TRY(kind->take(r, &c, e));
		else
			rocm_skip(&r->rocm, c.offset);
	}
}

/* One array of records; what is no array says nothing. */
static enum status read_kind(
	struct rocprof *r, struct jsonstream *s, struct span key, struct err *e)
{
	size_t i;
	char c;

	TRY(jsonstream_peek(s, &c, e));
	if (c && c != '[')
		return jsonstream_pass(s, e);
	for (i = 0; i < COUNT_OF(kinds); i++)
		if (span_is(key, kinds[i].name))
			return read_each(r, s, &kinds[i], e);
	return count_each(r, s, "other records", e);
}

enum status rocprof_records(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	struct span key;
	bool there;

	TRY(jsonstream_enter(s, '{', e));
	for (;;) {
		char name[64];

		TRY(jsonstream_next(s, &there, &key, e));
		if (!there)
			return OK;
		(void)snprintf(name, sizeof(name), "%.*s", (int)MIN(key.n, 63), key.p);
		TRY(read_kind(r, s, span_of(name), e));
	}
}
