/* Call trees in JSON: pyinstrument's, Proton's (hatchet), whose leaves are kernels, and V8's, whose
 * nodes name their children by number.  A node is a stack with the time that is its own. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "analyze/input/artifact/tables/kernel_rows.h"
#include "base/base.h"

enum { DEPTH_MAX = 4096, NODES_MAX = 1 << 22 };

static const double US = 1e3; /* in ns */

/* ---- trees inside one another ---- */

struct tree_form {
	const char *name, *file, *line, *time; /* of a node */
	double unit;                           /* ns in one of time */
	bool is_inclusive;                     /* the time of a node has that of its children */
	bool has_kernels;                      /* what has a count is a kernel */
};

static const struct tree_form pyinstrument = { "function", "file_path_short", "line_no", "time",
	1e9, true, false };
static const struct tree_form proton = { "frame.name", "", "", "metrics.time (ns)", 1, false,
	true };

struct tree {
	const struct tree_form *form;
	struct stack_rows rows;
	struct kernel_rows kernels;
};

static struct span text_at(struct json_value node, const char *path)
{
	struct json_value v = jsondoc_at(node, path);

	return v.type == JSON_STRING ? v.text : SPAN("");
}

/* A number of a node, 0 where it has none. */
static double number_at(struct json_value node, const char *path)
{
	double v;

	return jsondoc_number(jsondoc_at(node, path), &v) ? v : 0;
}

static void take_kernel(struct tree *t, struct json_value node, double ns)
{
	struct kernel_launch l = kernel_launch_new();
	double bytes = number_at(node, "metrics.bytes");

	l.calls = number_at(node, "metrics.count");
	if (l.calls <= 0)
		return;
	l.v[KERNEL_NS] = ns / l.calls;
	if (bytes > 0)
		l.v[KERNEL_BYTES] = bytes / l.calls;
	kernel_rows_launch(&t->kernels, text_at(node, t->form->name), &l);
}

static void take_node(struct tree *t, struct json_value node, int depth)
{
	const struct tree_form *f = t->form;
	double ns = number_at(node, f->time) * f->unit, own = ns;

	if (node.type != JSON_OBJECT || depth == DEPTH_MAX)
		return;
	stack_rows_push_at(
		&t->rows, text_at(node, f->name), text_at(node, f->file), number_at(node, f->line));
	for (struct json_items it = json_list(json_get(node, "children")); json_more(&it);) {
		take_node(t, it.v, depth + 1);
		own -= f->is_inclusive ? number_at(it.v, f->time) * f->unit : 0;
	}
	if (own > 0)
		stack_rows_add(&t->rows, own, STACK_IN_NS);
	if (f->has_kernels)
		take_kernel(t, node, ns);
	stack_rows_pop(&t->rows);
}

static void take_trees(struct reading *in, const struct tree_form *form, struct json_value roots)
{
	struct tree *t = arena_alloc(&in->mem, sizeof(*t));

	memset(t, 0, sizeof(*t));
	t->form = form;
	stack_rows_open(&t->rows, in);
	if (form->has_kernels)
		kernel_rows_open(&t->kernels, in);
	if (roots.type == JSON_OBJECT)
		take_node(t, roots, 0);
	for (struct json_items it = json_list(roots); json_more(&it);)
		if (json_get(it.v, "children").type == JSON_ARRAY) /* behind them stand devices */
			take_node(t, it.v, 0);
	if (form->has_kernels)
		kernel_rows_close(&t->kernels);
	stack_rows_close(&t->rows);
}

static void take_pyinstrument(struct reading *in, struct json_value root)
{
	take_trees(in, &pyinstrument, root);
}

static void take_proton(struct reading *in, struct json_value roots)
{
	take_trees(in, &proton, roots);
}

/* ---- V8: {"nodes": [{"id", "callFrame", "children": [ids]}], "samples": [ids], "timeDeltas"} ----
 */

struct v8_node {
	double id;
	size_t parent; /* SIZE_MAX: none */
	double ns, hits;
	struct json_value frame;
};

struct v8 {
	struct v8_node *node;
	size_t n, cap;
};

/* Nodes are numbered from 1 on, in order; others are looked for. */
static struct v8_node *node_of(struct v8 *v, double id)
{
	size_t guess = id >= 1 && id <= (double)v->n ? (size_t)saturate_size(id) - 1 : 0;

	if (guess < v->n && v->node[guess].id == id)
		return &v->node[guess];
	return FIND(i, v->node, v->n, v->node[i].id == id);
}

static void take_nodes(struct v8 *v, struct json_value nodes)
{
	double id;

	for (struct json_items it = json_list(nodes); json_more(&it) && v->n < NODES_MAX;)
		if (jsondoc_number(json_get(it.v, "id"), &id))
			PUSH(v->node, v->n, v->cap,
				(struct v8_node){ id, SIZE_MAX, 0, number_at(it.v, "hitCount"),
					json_get(it.v, "callFrame") });
	size_t at = 0;
	for (struct json_items it = json_list(nodes); json_more(&it) && at < v->n;) {
		if (!jsondoc_number(json_get(it.v, "id"), &id))
			continue;
		for (struct json_items c = json_list(json_get(it.v, "children")); json_more(&c);) {
			struct v8_node *child = jsondoc_number(c.v, &id) ? node_of(v, id) : NULL;

			if (child)
				child->parent = at;
		}
		at++;
	}
}

/* A sample lasts until the next one: its time is the delta behind it. */
static bool take_samples(struct v8 *v, struct json_value samples, struct json_value deltas)
{
	struct json_items d = json_list(deltas);
	double id, us;
	bool is_timed = json_more(&d);

	for (struct json_items it = json_list(samples); is_timed && json_more(&it);) {
		struct v8_node *node = jsondoc_number(it.v, &id) ? node_of(v, id) : NULL;

		if (json_more(&d) && node && jsondoc_number(d.v, &us) && us > 0)
			node->ns += us * US;
	}
	return is_timed;
}

static void put_node(struct v8 *v, struct stack_rows *rows, size_t at, bool is_timed)
{
	size_t path[STACK_DEPTH], n = 0;
	double weight = is_timed ? v->node[at].ns : v->node[at].hits;

	for (size_t i = at; i != SIZE_MAX && n < STACK_DEPTH; i = v->node[i].parent)
		path[n++] = i;
	stack_rows_reset(rows);
	while (n > 0) {
		struct json_value frame = v->node[path[--n]].frame;
		double line = number_at(frame, "lineNumber") + 1;

		stack_rows_push_at(
			rows, text_at(frame, "functionName"), text_at(frame, "url"), line);
	}
	if (weight > 0)
		stack_rows_add(rows, weight, is_timed ? STACK_IN_NS : STACK_IN_SAMPLES);
}

static void take_v8(struct reading *in, struct json_value doc)
{
	struct v8 v = { .node = NULL };
	struct stack_rows rows;

	take_nodes(&v, json_get(doc, "nodes"));
	bool is_timed = take_samples(&v, json_get(doc, "samples"), json_get(doc, "timeDeltas"));
	stack_rows_open(&rows, in);
	for (size_t i = 0; i < v.n; i++)
		put_node(&v, &rows, i, is_timed);
	stack_rows_close(&rows);
	free(v.node);
}

/* ---- kinds ---- */

const struct artifact artifact_pyinstrument = {
	.name = "pyinstrument",
	.title = "sampled profile (pyinstrument)",
	.summary = "pyinstrument -r json: the tree of calls with the time of each",
	.sign = { { MATCH_STRONG, 3,
		.keys = "root_frame duration sample_count start_time cpu_time" } },
	.member = { { "", TO_SCALARS, .name = "", .skip = "root_frame|start_time" },
		{ "root_frame", .call = take_pyinstrument } },
};

const struct artifact artifact_proton = {
	.name = "proton",
	.title = "profile of kernels (Triton's Proton)",
	.summary = "NAME.hatchet of Proton: kernels by the scopes they were launched in",
	.sign = { { MATCH_STRONG, 2, "frame children metrics", .is_list = true } },
	.member = { { "", .call = take_proton } },
};

const struct artifact artifact_cpuprofile = {
	.name = "cpuprofile",
	.title = "sampled profile (V8)",
	.summary = "NAME.cpuprofile of Node.js and Chrome: calls by samples",
	.sign = { { MATCH_STRONG, 2, "nodes samples timeDeltas startTime endTime",
		.mentions = "callFrame" } },
	.member = { { "", .call = take_v8 } },
};
