/* rocprofv3's records, and what they refer to: agents, kernels, names of calls, messages. */
#include "analyze/input/format/jsonstream.h"
#include "analyze/input/format/rocm/rocprof.h"
#include "analyze/input/text/jsonfields.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { AGENT_GPU = 2 };

void rocprof_open(struct rocprof *r, struct emit_sink *out)
{
	*r = (struct rocprof){ .pid = -1 };
	rocm_open(&r->rocm, out);
	valuemap_init(&r->kernels, sizeof(uint64_t), sizeof(struct rocprof_kernel));
	valuemap_init(&r->messages, sizeof(uint64_t), sizeof(struct span));
	keymap_init(&r->counted, sizeof(uint64_t));
}

void rocprof_close(struct rocprof *r)
{
	valuemap_clear(&r->kernels);
	valuemap_clear(&r->messages);
	keymap_clear(&r->counted);
	FREE_ALL(r->agent, r->kind);
	rocm_close(&r->rocm);
}

void rocprof_next_process(struct rocprof *r)
{
	r->pid = -1;
	r->nagent = 0;
	r->recent_agent = 0;
	r->nkind = 0;
	keymap_empty(&r->kernels.key);
	keymap_empty(&r->messages.key);
	keymap_empty(&r->counted);
	r->has_kernels = r->has_names = false;
	r->rocm.process++;
}

static int64_t number(struct json_value v)
{
	int64_t n;

	return v.type != JSON_NONE && num_i64(v.text, &n) ? n : -1;
}

static uint64_t id(struct json_value v)
{
	uint64_t n;

	return v.type != JSON_NONE && num_u64(v.text, &n) ? n : 0;
}

/* The program's arguments with blanks between them. */
static void take_command(struct rocprof *r, struct json_value list)
{
	SCOPED_STR command = { 0 };

	for (struct json_items it = json_list(list); json_more(&it);) {
		if (command.n)
			str_addc(&command, ' ');
		str_add(&command, it.v.text.p, it.v.text.n);
	}
	if (command.n)
		emit_member(&r->rocm.m, "command", (struct span){ command.s, command.n }, true);
}

enum status rocprof_metadata(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	struct span text, rest;

	TRY(jsonstream_value(s, LIMIT_META_BYTES, &text, e));
	struct json_value o = json_value(text, &rest);
	struct json_value host = json_get(json_get(o, "node"), "hostname");
	r->pid = number(json_get(o, "pid"));
	if (host.type == JSON_STRING)
		emit_member(&r->rocm.m, "host_name", host.text, true);
	take_command(r, json_get(o, "command"));
	return OK;
}

/* Hands each item of the array at hand on. */
struct taking {
	struct rocprof *r;
	void (*take)(struct rocprof *r, struct span text);
};

static enum status take_item(void *ctx, struct jsonstream *s, struct span key UNUSED, struct err *e)
{
	const struct taking *t = ctx;
	struct span text;

	TRY(jsonstream_value(s, LIMIT_EVENT_BYTES, &text, e));
	t->take(t->r, text);
	return OK;
}

static enum status each(struct rocprof *r, struct jsonstream *s,
	void (*take)(struct rocprof *r, struct span text), struct err *e)
{
	struct taking t = { r, take };

	return jsonstream_each(s, '[', take_item, &t, e);
}

static void take_agent(struct rocprof *r, struct span text)
{
	struct span rest;
	struct json_value o = json_value(text, &rest);
	struct rocprof_agent a = { id(json_get(json_get(o, "id"), "handle")), -1 };

	if (r->nagent >= LIMIT_META_GPUS)
		return;
	if (number(json_get(o, "type")) == AGENT_GPU) {
		a.gpu = number(json_get(o, "logical_node_type_id"));
		if (a.gpu < 0)
			a.gpu = number(json_get(o, "gpu_index"));
		rocm_gpu_of_json(&r->rocm, o, a.gpu);
	}
	PUSH(r->agent, r->nagent, r->agent_cap, a);
}

enum status rocprof_agents(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	return each(r, s, take_agent, e);
}

/* The GPU of an agent's handle; -1: none. */
static int64_t rocprof_gpu(struct rocprof *r, uint64_t handle)
{
	size_t k = r->recent_agent;

	for (size_t i = 0; i < r->nagent; i++, k++) {
		if (k >= r->nagent)
			k = 0;
		if (r->agent[k].handle == handle) {
			r->recent_agent = k;
			return r->agent[k].gpu;
		}
	}
	return -1;
}

/* The names of a kind's operations. */
static void take_kind(struct rocprof *r, struct span text)
{
	struct span rest, key;
	struct json_value o = json_value(text, &rest), list = json_get(o, "operations"), v;
	struct json_value name = json_get(o, "kind");
	struct rocprof_kind k = { rocm_keep_json(&r->rocm, name.text, name.escaped), NULL, 0 };

	for (struct span it = list.text; list.type == JSON_ARRAY && json_next(&it, &key, &v);)
		k.n++;
	k.operation = arena_array(&r->rocm.mem, k.n, sizeof(*k.operation));
	k.n = 0;
	for (struct span it = list.text; list.type == JSON_ARRAY && json_next(&it, &key, &v);)
		k.operation[k.n++] = rocm_keep_json(&r->rocm, v.text, v.escaped);
	PUSH(r->kind, r->nkind, r->kind_cap, k);
}

/* {"key": 12, "value": "forward"} */
static void take_message(struct rocprof *r, struct span text)
{
	static const struct json_field fields[] = { { "", "key" }, { "", "value" } };
	struct json_value v[COUNT_OF(fields)];

	if (!json_fields(text, fields, COUNT_OF(fields), v) || v[1].type != JSON_STRING)
		return;
	uint64_t correlation = id(v[0]);
	struct span *message = valuemap_slot(&r->messages, &correlation, NULL);
	*message = rocm_keep_json(&r->rocm, v[1].text, v[1].escaped);
}

static enum status read_strings(void *ctx, struct jsonstream *s, struct span key, struct err *e)
{
	struct rocprof *r = ctx;

	if (span_is(key, "marker_api"))
		return each(r, s, take_message, e);
	if (!span_is(key, "buffer_records"))
		return jsonstream_pass(s, e);
	r->nkind = 0;
	return each(r, s, take_kind, e);
}

enum status rocprof_strings(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	TRY(jsonstream_each(s, '{', read_strings, r, e));
	r->has_names = true;
	return OK;
}

static void take_kernel(struct rocprof *r, struct span text)
{
	enum { ID, FORMATTED, DEMANGLED, NAME, VGPRS, ACCUM, FIELDS };
	static const struct json_field fields[FIELDS] = {
		[ID] = { "", "kernel_id" },
		[NAME] = { "", "kernel_name" },
		[VGPRS] = { "", "arch_vgpr_count" },
		[ACCUM] = { "", "accum_vgpr_count" },
		[FORMATTED] = { "", "formatted_kernel_name" },
		[DEMANGLED] = { "", "demangled_kernel_name" },
	};
	struct json_value v[FIELDS];

	if (!json_fields(text, fields, FIELDS, v) || v[ID].type != JSON_NUMBER) {
		rocm_skip(&r->rocm, -1);
		return;
	}
	size_t name = FIRST_FROM(i, FORMATTED, NAME, v[i].text.n);
	uint64_t number_of = id(v[ID]);
	struct rocprof_kernel *kernel = valuemap_slot(&r->kernels, &number_of, NULL);
	*kernel = (struct rocprof_kernel){ rocm_keep_json(&r->rocm, v[name].text, v[name].escaped),
		number(v[VGPRS]), number(v[ACCUM]) };
}

enum status rocprof_kernels(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	TRY(each(r, s, take_kernel, e));
	r->has_kernels = true;
	return OK;
}

/* A kernel by its id.  What is not in the document has a name that says so. */
static struct rocprof_kernel rocprof_kernel(struct rocprof *r, uint64_t kernel)
{
	const struct rocprof_kernel *k = valuemap_find(&r->kernels, &kernel);

	if (k && k->name.n)
		return *k;
	return (struct rocprof_kernel){
		emit_keepf(&r->rocm.m, "kernel_id %llu", (unsigned long long)kernel), -1, -1
	};
}

/* A kind by its number, or NULL; its operation's name, or an empty span. */
static const struct rocprof_kind *rocprof_kind(const struct rocprof *r, uint64_t kind)
{
	return kind < r->nkind ? &r->kind[kind] : NULL;
}

static struct span rocprof_operation(const struct rocprof_kind *k, uint64_t operation)
{
	return k && operation < k->n ? k->operation[operation] : (struct span){ "", 0 };
}

/* The message of a ROCTx call, or an empty span. */
static struct span rocprof_message(struct rocprof *r, uint64_t correlation)
{
	const struct span *message = valuemap_find(&r->messages, &correlation);

	return message ? *message : SPAN("");
}

/* --- records: one array for each kind of them --- */

/* Members that records of any kind have; those of dispatches that came with counters are deeper. */
enum field {
	KIND = ROCM_NUMBER_COUNT, /* behind those that all formats have */
	OPERATION,
	AGENT,
	KERNEL,
	DISPATCH,
	TO,
	FROM,
	COUNTED_START,
	COUNTED_END,
	FIELDS
};

static const struct json_field fields[FIELDS] = {
#define X(name, in, key, heading) [ROCM_##name] = { in, key },
	ROCM_NUMBERS(X)
#undef X
		[KIND] = { "", "kind" },
	[OPERATION] = { "", "operation" },
	[AGENT] = { "agent_id", "handle" },
	[KERNEL] = { "dispatch_info", "kernel_id" },
	[DISPATCH] = { "dispatch_info", "dispatch_id" },
	[TO] = { "dst_agent_id", "handle" },
	[FROM] = { "src_agent_id", "handle" },
	[COUNTED_START] = { "dispatch_data", "start_timestamp" },
	[COUNTED_END] = { "dispatch_data", "end_timestamp" },
};

/* A record taken apart; numbers that are absent or none are -1. */
struct record {
	struct json_value v[FIELDS];
	int64_t n[FIELDS];
	int64_t offset;
};

static bool has(const struct record *c, unsigned f)
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
	struct rocm_record d = {
		.n = c->n,
		.offset = c->offset,
		.name = k.name,
		.device = rocprof_gpu(r, (uint64_t)c->n[AGENT]),
		.vgprs = k.vgprs,
		.accum_vgprs = k.accum_vgprs,
	};

	if (has(c, KERNEL))
		return rocm_dispatch(&r->rocm, &d, e);
	rocm_skip(&r->rocm, c->offset);
	return OK;
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
	c->n[ROCM_START] = c->n[COUNTED_START];
	c->n[ROCM_END] = c->n[COUNTED_END];
	if (!has(c, DISPATCH) || !has(c, COUNTED_START) || !has(c, COUNTED_END))
		return OK;
	(void)keymap_add(&r->counted, &id);
	return r->counted.n > known ? put_dispatch(r, c, e) : OK;
}

static enum status take_call(struct rocprof *r, struct record *c, struct err *e)
{
	const struct rocprof_kind *k = rocprof_kind(r, (uint64_t)c->n[KIND]);
	struct rocm_record call = {
		.n = c->n,
		.offset = c->offset,
		.domain = k ? k->name : SPAN(""),
		.name = rocprof_operation(k, (uint64_t)c->n[OPERATION]),
		.pid = r->pid,
	};
	struct span message = { "", 0 };

	if (span_starts(call.domain, "MARKER_"))
		message = rocprof_message(r, (uint64_t)c->n[ROCM_CORRELATION]);
	call.is_range = message.n > 0;
	if (call.is_range)
		call.name = message;
	else if (!call.name.n)
		call.name = emit_keepf(&r->rocm.m, "kind %lld, operation %lld",
			(long long)c->n[KIND], (long long)c->n[OPERATION]);
	return rocm_call(&r->rocm, &call, e);
}

static enum status take_copy(struct rocprof *r, struct record *c, struct err *e)
{
	struct rocm_record copy = {
		.n = c->n,
		.offset = c->offset,
		.name = rocprof_operation(
			rocprof_kind(r, (uint64_t)c->n[KIND]), (uint64_t)c->n[OPERATION]),
		.from = rocprof_gpu(r, (uint64_t)c->n[FROM]),
		.to = rocprof_gpu(r, (uint64_t)c->n[TO]),
	};

	if (!copy.name.n)
		copy.name = SPAN("Memcpy");
	return rocm_copy(&r->rocm, &copy, e);
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
struct of_kind {
	struct rocprof *r;
	const struct records *kind;
};

static enum status read_record(
	void *ctx, struct jsonstream *s, struct span key UNUSED, struct err *e)
{
	const struct of_kind *t = ctx;
	struct record c;
	struct span text;

	c.offset = jsonstream_offset(s);
	TRY(jsonstream_value(s, LIMIT_EVENT_BYTES, &text, e));
	t->r->records++;
	if (take_apart(&c, text) &&
		(t->kind->take == take_counted || (has(&c, ROCM_START) && has(&c, ROCM_END))))
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

/* One array of records.  What is no array says nothing. */
static enum status read_kind(void *ctx, struct jsonstream *s, struct span key, struct err *e)
{
	struct of_kind t = { .r = ctx };
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
