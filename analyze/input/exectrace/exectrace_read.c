/* Execution traces: the document, its nodes, and the tree they make. */
#include "analyze/input/exectrace/exectrace_read.h"

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/exectrace/et_uses.h"
#include "analyze/input/source/source.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/jsondoc_check.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/columns/keymap.h"
#include "base/door.h"

enum { NODES_MAX = 1 << 24, DEEP_MAX = 1024 };

#define WANTED \
	"--et wants what torch.profiler.ExecutionTraceObserver wrote: {\"schema\": ..., \"nodes\": [...]}"

/* A document on its way. */
struct parsing {
	struct exectrace *et;
	struct et_uses uses;
	struct keymap threads; /* tids of the file */
	struct arena mem;
	struct span text;
	int64_t *parent; /* by node as it stands in the file: the id of its parent */
	size_t cap;
	struct err *e;
};

/* What a node says, of either schema. */
struct members {
	struct json_value id, name, rf_id, parent, tid, schema;
	struct et_values in, out;
};

static enum status fail(const struct parsing *p, enum status st, const char *at, const char *what)
{
	return err_set(p->e, st, at - p->text.p, "%s", what);
}

/* {"values": [...], "shapes": [...], "types": [...], "strides": [...]} */
static void take_values(struct et_values *to, struct json_value v)
{
	if (v.type != JSON_OBJECT) {
		to->values = v;
		return;
	}
	for (struct json_items it = json_items(v); json_more(&it);) {
		if (span_is(it.key, "values"))
			to->values = it.v;
		else if (span_is(it.key, "shapes"))
			to->shapes = it.v;
		else if (span_is(it.key, "strides"))
			to->strides = it.v;
	}
}

static void take_member(struct members *m, struct span key, struct json_value v)
{
	static const struct {
		const char *keys;
		size_t at;
	} members[] = {
		{ "id", offsetof(struct members, id) },
		{ "name", offsetof(struct members, name) },
		{ "rf_id", offsetof(struct members, rf_id) },
		{ "parent|ctrl_deps", offsetof(struct members, parent) },
		{ "tid", offsetof(struct members, tid) },
		{ "op_schema", offsetof(struct members, schema) },
		{ "input_shapes", offsetof(struct members, in.shapes) },
		{ "output_shapes", offsetof(struct members, out.shapes) },
		{ "input_strides", offsetof(struct members, in.strides) },
		{ "output_strides", offsetof(struct members, out.strides) },
	};
	size_t i = FIRST(k, COUNT_OF(members), span_in(key, members[k].keys));

	if (i < COUNT_OF(members))
		memcpy((char *)m + members[i].at, &v, sizeof(v));
	else if (span_in(key, "inputs|outputs"))
		take_values(span_is(key, "inputs") ? &m->in : &m->out, v);
}

/* [{"name": "rf_id", "type": "uint64", "value": 7}, ...] */
static void take_attrs(struct members *m, struct json_value list)
{
	for (struct json_items it = json_items(list); json_more(&it);) {
		struct json_value name = json_get(it.v, "name");

		if (name.type == JSON_STRING && !span_in(name.text, "name|id"))
			take_member(m, name.text, json_get(it.v, "value"));
	}
}

static int64_t number_of(struct json_value v, int64_t otherwise)
{
	int64_t n;

	return v.type == JSON_NUMBER && num_i64(v.text, &n) ? n : otherwise;
}

static struct span text_of(struct parsing *p, struct json_value v)
{
	if (v.type != JSON_STRING)
		return (struct span){ "", 0 };
	return v.escaped ? json_unescape(v.text, &p->mem, NULL) : v.text;
}

/* Roots that the observer makes itself, and what it writes down beside calls. */
static bool is_call(struct span name)
{
	return !span_starts(name, "[pytorch|profiler|") && !span_starts(name, "## ");
}

static enum status add_node(struct parsing *p, struct json_value v)
{
	struct exectrace *et = p->et;
	struct members m = { 0 };
	struct et_node node = { .parent = ET_NONE };

	if (v.type != JSON_OBJECT)
		return fail(p, E_SYNTAX, v.text.p, "a node of an execution trace is no object");
	for (struct json_items it = json_items(v); json_more(&it);) {
		if (span_is(it.key, "attrs") && it.v.type == JSON_ARRAY)
			take_attrs(&m, it.v);
		else
			take_member(&m, it.key, it.v);
	}
	if (m.id.type != JSON_NUMBER || !num_i64(m.id.text, &node.id) || m.name.type != JSON_STRING)
		return fail(p, E_SYNTAX, v.text.p,
			"a node of an execution trace has no \"id\" or no \"name\"");
	if (et->n >= NODES_MAX)
		return fail(p, E_LIMIT, v.text.p, "the execution trace has too many nodes");
	int64_t tid = number_of(m.tid, 0);
	struct span name = text_of(p, m.name);
	name.n = MIN(name.n, LIMIT_NAME_BYTES);
	node.name = strings_intern(&et->strings, name);
	node.rf_id = number_of(m.rf_id, 0);
	node.thread = keymap_add(&p->threads, &tid);
	node.is_call = is_call(name);
	p->parent = array_grow(p->parent, &p->cap, et->n + 1, sizeof(*p->parent));
	p->parent[et->n] = number_of(m.parent, node.id);
	node.parent = (uint32_t)et->n; /* for now its place in the file */
	PUSH(et->node, et->n, et->cap, node);
	return et_uses_add(&p->uses, text_of(p, m.schema), &m.in, &m.out, p->e);
}

ORDER(by_id, struct et_node, compare3(a->id, b->id))

static uint32_t find_id(const struct exectrace *et, int64_t id)
{
	const struct et_node key = { .id = id };
	const struct et_node *at =
		et->n ? bsearch(&key, et->node, et->n, sizeof(key), by_id) : NULL;

	return at ? (uint32_t)(at - et->node) : ET_NONE;
}

/* Collectives: their schemas do not say what they write. */
static bool is_collective(struct span name)
{
	return span_starts(name, "c10d::") || span_starts(name, "nccl:") ||
		span_is(name, "record_param_comms");
}

/* What a node without a schema does is only known where it has results, or others do it. */
static void find_unknown(struct exectrace *et, uint32_t i)
{
	struct et_node *node = &et->node[i];
	bool is_unknown = is_collective(strings_get(&et->strings, node->name));
	bool has_results = ANY(k, node->nuse, (et->use[node->use + k].flags & ET_FRESH) != 0);

	is_unknown |= !node->has_schema && !has_results && node->last == i;
	for (size_t k = 0; is_unknown && k < node->nuse; k++)
		et->use[node->use + k].flags |= ET_MAYBE;
}

/* Order by id, parents by their index, and how far each node reaches. */
static enum status make_tree(struct parsing *p)
{
	struct exectrace *et = p->et;
	uint32_t *deep = arena_array(&p->mem, et->n, sizeof(*deep));

	sort_rows(et->node, et->n, sizeof(*et->node), by_id);
	for (uint32_t i = 0; i < et->n; i++) {
		struct et_node *node = &et->node[i];
		uint32_t up = find_id(et, p->parent[node->parent]);

		if (i > 0 && et->node[i - 1].id == node->id)
			return err_set(p->e, E_SYNTAX, -1,
				"two nodes of the execution trace have the id %" PRId64, node->id);
		node->parent = up < i ? up : ET_NONE;
		node->last = i;
		deep[i] = node->parent == ET_NONE ? 0 : deep[node->parent] + 1;
		if (deep[i] > DEEP_MAX)
			return err_set(p->e, E_LIMIT, -1,
				"calls of the execution trace nest deeper than %d", (int)DEEP_MAX);
		et->ncall += node->is_call;
	}
	for (uint32_t i = (uint32_t)et->n; i-- > 0;) {
		struct et_node *up =
			et->node[i].parent == ET_NONE ? NULL : &et->node[et->node[i].parent];

		if (up && up->last < et->node[i].last)
			up->last = et->node[i].last;
	}
	for (uint32_t i = 0; i < et->n; i++)
		find_unknown(et, i);
	return OK;
}

static enum status parse(struct parsing *p)
{
	struct span rest;
	size_t end;

	TRY(jsondoc_check(p->text, &end, p->e));
	struct json_value doc = json_value((struct span){ p->text.p, end }, &rest);
	struct json_value nodes = json_get(doc, "nodes");
	struct json_value schema = json_get(doc, "schema");
	if (nodes.type != JSON_ARRAY || json_get(doc, "traceEvents").type != JSON_NONE) {
		return err_hinted(p->e, E_FORMAT, WANTED,
			"no execution trace: JSON without \"nodes\"%s",
			json_get(doc, "traceEvents").type == JSON_NONE ? "" : "; it is a trace");
	}
	p->et->schema = strings_intern(&p->et->strings, text_of(p, schema));
	p->et->pid = number_of(json_get(doc, "pid"), 0);
	for (struct json_items it = json_items(nodes); json_more(&it);)
		TRY(add_node(p, it.v));
	TRY(make_tree(p));
	p->et->nstorage = (uint32_t)p->uses.storage.n;
	p->et->nthread = (uint32_t)p->threads.n;
	if (p->et->ncall > 0)
		return OK;
	return err_set(p->e, E_NODATA, -1,
		"the execution trace has no calls: nothing ran between "
		"the observer's start() and stop()");
}

enum status exectrace_parse(struct exectrace *et, struct span text, struct err *e)
{
	struct parsing p = { .et = et, .text = text, .e = e };

	keymap_init(&p.threads, sizeof(int64_t));
	et_uses_init(&p.uses, et, text);
	enum status st = parse(&p);
	et_uses_clear(&p.uses);
	keymap_clear(&p.threads);
	arena_clear(&p.mem);
	free(p.parent);
	return st;
}

enum status exectrace_load(struct exectrace *et, const char *path, struct err *e)
{
	struct source source;
	struct reading in = { .source = &source };
	struct span text;
	enum status st = source_open(&source, path, NULL, e);

	et->path = path;
	if (st != OK)
		return st;
	st = reading_all(&in, &text, e);
	THEN(st, exectrace_parse(et, text, e));
	if (st != E_FORMAT) /* one that cannot be read is somebody's all the same */
		door_input_fd(source.fd, path);
	free(in.text);
	source_close(&source);
	return st;
}
