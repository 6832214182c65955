/* What rocprofv3's records refer to: agents, kernels, names of calls, messages. */
#include <stdlib.h>

#include "analyze/input/format/jsonstream.h"
#include "analyze/input/format/rocm/rocprof.h"
#include "analyze/input/text/jsonfields.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "base/compiler.h"

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
	free(r->agent);
	free(r->kind);
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
	struct str command = { 0 };

	for (struct json_items it = json_list(list); json_more(&it);) {
		if (command.n)
			str_addc(&command, ' ');
		str_add(&command, it.v.text.p, it.v.text.n);
	}
	if (command.n)
		emit_member(&r->rocm.m, "command", (struct span){ command.s, command.n }, true);
	str_free(&command);
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
	r->agent = array_grow(r->agent, &r->agent_cap, r->nagent + 1, sizeof(*r->agent));
	r->agent[r->nagent++] = a;
}

enum status rocprof_agents(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	return each(r, s, take_agent, e);
}

int64_t rocprof_gpu(struct rocprof *r, uint64_t handle)
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
	r->kind = array_grow(r->kind, &r->kind_cap, r->nkind + 1, sizeof(*r->kind));
	r->kind[r->nkind++] = k;
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
	size_t name = FORMATTED;
	struct rocprof_kernel *kernel;
	uint64_t number_of;

	if (!json_fields(text, fields, FIELDS, v) || v[ID].type != JSON_NUMBER) {
		rocm_skip(&r->rocm, -1);
		return;
	}
	while (name < NAME && !v[name].text.n)
		name++;
	number_of = id(v[ID]);
	kernel = valuemap_slot(&r->kernels, &number_of, NULL);
	*kernel = (struct rocprof_kernel){ rocm_keep_json(&r->rocm, v[name].text, v[name].escaped),
		number(v[VGPRS]), number(v[ACCUM]) };
}

enum status rocprof_kernels(struct rocprof *r, struct jsonstream *s, struct err *e)
{
	TRY(each(r, s, take_kernel, e));
	r->has_kernels = true;
	return OK;
}

struct rocprof_kernel rocprof_kernel(struct rocprof *r, uint64_t kernel)
{
	const struct rocprof_kernel *k = valuemap_find(&r->kernels, &kernel);

	if (k && k->name.n)
		return *k;
	return (struct rocprof_kernel){
		emit_keepf(&r->rocm.m, "kernel_id %llu", (unsigned long long)kernel), -1, -1
	};
}

const struct rocprof_kind *rocprof_kind(const struct rocprof *r, uint64_t kind)
{
	return kind < r->nkind ? &r->kind[kind] : NULL;
}

struct span rocprof_operation(const struct rocprof_kind *k, uint64_t operation)
{
	return k && operation < k->n ? k->operation[operation] : (struct span){ "", 0 };
}

struct span rocprof_message(struct rocprof *r, uint64_t correlation)
{
	const struct span *message = valuemap_find(&r->messages, &correlation);

	return message ? *message : SPAN("");
}
