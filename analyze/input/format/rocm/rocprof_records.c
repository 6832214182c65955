/* rocprofv3's records: one array for each kind of them. */
#include "analyze/input/format/jsonstream.h"
#include "analyze/input/format/rocm/rocprof.h"
#include "analyze/input/text/jsonfields.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "base/compiler.h"

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
	return emit_keepf(&r->rocm.m, "kind %lld, operation %lld", (long long)c->n[KIND],
		(long long)c->n[OPERATION]);
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

static bool take_apart(struct record *c, struct span text)
{
	if (!json_fields(text, fields, FIELDS, c->v))
		return false;
	for (size_t i = 0; i < FIELDS; i++)
		if (c->v[i].type != JSON_NUMBER || !num_i64(c->v[i].text, &c->n[i]))
			c->n[i] = -1;
	return true;
}

/* A record of the kind at hand. */
struct taking {
	struct rocprof *r;
	const struct records *kind;
};

static enum status read_record(
	void *ctx, struct jsonstream *s, struct span key UNUSED, struct err *e)
{
	const struct taking *t = ctx;
	struct record c;
	struct span text;

	c.offset = jsonstream_offset(s);
	TRY(jsonstream_value(s, LIMIT_EVENT_BYTES, &text, e));
	t->r->records++;
	if (take_apart(&c, text) &&
		(t->kind->take == take_counted || (has(&c, START) && has(&c, END))))
		return t->kind->take(t->r, &c, e);
	rocm_skip(&t->r->rocm, c.offset);
	return OK;
}

/* Others, which are no work of a program's: samples, counters, events of the driver. */
static enum status count_record(
	void *ctx, struct jsonstream *s, struct span key UNUSED, struct err *e)
{
	struct rocprof *r = ctx;

	TRY(jsonstream_pass(s, e));
	r->records++;
	return rocm_count(&r->rocm, "other records", e);
}

/* One array of records; what is no array says nothing. */
static enum status read_kind(void *ctx, struct jsonstream *s, struct span key, struct err *e)
{
	struct taking t = { .r = ctx };
	char c;

	for (size_t i = 0; i < COUNT_OF(kinds) && !t.kind; i++)
		if (span_is(key, kinds[i].name))
			t.kind = &kinds[i];
	TRY(jsonstream_peek(s, &c, e));
	if (c && c != '[')
		return jsonstream_pass(s, e);
	return t.kind ? jsonstream_each(s, '[', read_record, &t, e)
		      : jsonstream_each(s, '[', count_record, ctx, e);
}

enum status rocprof_records(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	return jsonstream_each(s, '{', read_kind, r, e);
}
