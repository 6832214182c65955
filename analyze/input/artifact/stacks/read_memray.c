/* What memray makes of its captures that holds stacks, in bytes: `transform csv` and `transform
 * gprof2dot`, a row and an event a stack, leaf first, and the pages of `flamegraph`, with a tree of
 * numbers of texts in them, and of `table`, with one frame each.
 *
 * Source: memray, docs/transform.rst; reporters/transform.py, flamegraph.py, table.py */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/jsondoc_check.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { NODES_MAX = 1 << 22 };

/* Until the reading ends. */
static struct span text_of(struct reading *in, struct json_value v)
{
	if (v.type != JSON_STRING)
		return SPAN("");
	return v.escaped ? json_unescape(v.text, &in->mem, NULL) : v.text;
}

static double number_of(struct json_value v)
{
	double d;

	return jsondoc_number(v, &d) ? d : 0;
}

/* ---- transform csv: "step;train.py;12|<module>;train.py;30" ---- */

struct memray_csv {
	struct stack_rows rows;
	struct str unquoted;
	size_t size, stack, n; /* columns; n: 0 before the heading */
};

static enum match heading(const struct csv_row *row)
{
	return csv_column(row, "allocator") != SIZE_MAX && csv_column(row, "size") != SIZE_MAX &&
			csv_column(row, "stack_trace") != SIZE_MAX
		? MATCH_STRONG
		: MATCH_NO;
}

static void push_frame(struct stack_rows *rows, struct span frame)
{
	struct span function, rest, file, line;
	double at;

	if (span_cut(frame, ';', &function, &rest) && span_cut(rest, ';', &file, &line))
		stack_rows_push_at(
			rows, function, file, real_of(line, &at) && at > 0 ? at : (double)NAN);
}

static enum took take_row(void *ctx, struct csv_row *row)
{
	struct memray_csv *m = ctx;
	double bytes;

	if (m->n == 0) {
		m->size = csv_column(row, "size");
		m->stack = csv_column(row, "stack_trace");
		m->n = row->n;
		return TOOK;
	}
	/* A column that the file was known by may have been cut by a NUL byte in its name. */
	if (row->n != m->n || m->size >= m->n || m->stack >= m->n ||
		!real_of(row->cell[m->size], &bytes))
		return TOOK_ALIEN;
	struct span stack = row->cell[m->stack];
	stack_rows_reset(&m->rows);
	while (stack.n > 0) { /* the last one is the root */
		const char *bar = memrchr(stack.p, '|', stack.n);
		const char *from = bar ? bar + 1 : stack.p;

		push_frame(&m->rows, span_between(from, stack.p + stack.n));
		stack.n = bar ? (size_t)(bar - stack.p) : 0;
	}
	stack_rows_add(&m->rows, bytes, STACK_IN_BYTES);
	return TOOK;
}

static enum status read_csv(struct reading *in, struct err *e)
{
	struct memray_csv m = { .n = 0 };

	stack_rows_open(&m.rows, in);
	enum status st = csv_read(in, take_row, &m, CSV_ALIEN, NULL, e);
	stack_rows_close(&m.rows);
	return st;
}

/* ---- transform gprof2dot: {"functions": [{"name", "module"}], "events": [{"callchain", "cost"}]}
 * ---- */

struct list {
	struct json_value *v;
	size_t n;
};

static struct list list_of(struct reading *in, struct json_value of)
{
	struct list l = { NULL, 0 };

	for (struct json_items it = json_list(of); json_more(&it) && l.n < NODES_MAX;)
		l.n++;
	l.v = arena_array(&in->mem, l.n, sizeof(*l.v));
	l.n = 0;
	for (struct json_items it = json_list(of); json_more(&it) && l.n < NODES_MAX;)
		l.v[l.n++] = it.v;
	return l;
}

static double number_at(const struct list *l, size_t i)
{
	return i < l->n ? number_of(l->v[i]) : 0;
}

/* The texts of a list, or what each of its objects has under that key. */
struct texts {
	struct span *v;
	size_t n;
};

static struct texts texts_of(struct reading *in, const struct list *l, const char *key)
{
	struct texts t = { arena_array(&in->mem, l->n, sizeof(struct span)), l->n };

	for (size_t i = 0; i < l->n; i++)
		t.v[i] = text_of(in, key ? json_get(l->v[i], key) : l->v[i]);
	return t;
}

static struct span text_at(const struct texts *t, double at)
{
	return at >= 0 && at < (double)t->n ? t->v[saturate_size(at)] : SPAN("");
}

static void take_events(struct reading *in, struct json_value doc)
{
	struct list functions = list_of(in, json_get(doc, "functions"));
	struct texts name = texts_of(in, &functions, "name");
	struct texts module = texts_of(in, &functions, "module");
	struct stack_rows rows;

	stack_rows_open(&rows, in);
	for (struct json_items it = json_list(json_get(doc, "events")); json_more(&it);) {
		double path[STACK_DEPTH];
		size_t n = 0;
		struct json_items cost = json_list(json_get(it.v, "cost"));

		for (struct json_items c = json_list(json_get(it.v, "callchain"));
			json_more(&c) && n < STACK_DEPTH;)
			path[n++] = number_of(c.v);
		stack_rows_reset(&rows);
		while (n-- > 0)
			stack_rows_push_at(
				&rows, text_at(&name, path[n]), text_at(&module, path[n]), NAN);
		if (json_more(&cost))
			stack_rows_add(&rows, number_of(cost.v), STACK_IN_BYTES);
	}
	stack_rows_close(&rows);
}

/* ---- pages: "const packed_data = {...};" ---- */

/* A tree by columns: of node i function[i], children[i] and so on, texts being numbers of
 * strings. */
struct tree {
	struct texts text;
	struct list function, file, line, children;
	double *bytes; /* by node: its own */
	size_t *parent;
	bool is_inverted; /* leaves are above */
};

static void find_parents(struct tree *t)
{
	for (size_t i = 0; i < t->children.n; i++)
		for (struct json_items it = json_list(t->children.v[i]); json_more(&it);) {
			double at = number_of(it.v);

			if (at > (double)i && at < (double)t->children.n)
				t->parent[saturate_size(at)] = i;
		}
}

/* A node's value has that of its children in it. */
static void take_values(struct tree *t, const struct list *value)
{
	for (size_t i = 0; i < t->children.n && i < value->n; i++) {
		double bytes = number_of(value->v[i]);

		t->bytes[i] += bytes;
		if (i > 0)
			t->bytes[t->parent[i]] -= bytes;
	}
}

/* Of a page over time, [allocated, freed, node, count, bytes], between snapshots: what is there at
 * the highest of them, or, of leaks, what is never freed. */
static void take_intervals(struct tree *t, struct json_value intervals, struct json_value marks)
{
	double highest = -1, at = INFINITY, i = 0;

	for (struct json_items it = json_list(marks); json_more(&it); i++)
		if (number_of(it.v) > highest) {
			highest = number_of(it.v);
			at = i;
		}
	for (struct json_items it = json_list(intervals); json_more(&it);) {
		double v[5] = { 0 }, freed = INFINITY;
		size_t n = 0;

		for (struct json_items c = json_list(it.v); json_more(&c) && n < COUNT_OF(v); n++)
			if (jsondoc_number(c.v, &v[n]) && n == 1)
				freed = v[1];
		if (v[0] <= at && (freed > at || isinf(freed)) && v[2] >= 0 &&
			v[2] < (double)t->children.n)
			t->bytes[saturate_size(v[2])] += v[4];
	}
}

static void put_node(struct stack_rows *rows, const struct tree *t, size_t node)
{
	size_t path[STACK_DEPTH], n = 0;

	if (!(t->bytes[node] > 0))
		return;
	for (size_t i = node; i > 0 && n < STACK_DEPTH; i = t->parent[i])
		path[n++] = i;
	stack_rows_reset(rows);
	for (size_t k = 0; k < n; k++) {
		size_t i = path[t->is_inverted ? k : n - 1 - k];
		double line = number_at(&t->line, i);

		stack_rows_push_at(rows, text_at(&t->text, number_at(&t->function, i)),
			text_at(&t->text, number_at(&t->file, i)), line > 0 ? line : (double)NAN);
	}
	stack_rows_add(rows, t->bytes[node], STACK_IN_BYTES);
}

static void take_tree(struct reading *in, struct json_value doc)
{
	struct json_value nodes = json_get(doc, "nodes");
	struct list strings = list_of(in, json_get(doc, "strings"));
	struct tree t = { .text = texts_of(in, &strings, NULL),
		.function = list_of(in, json_get(nodes, "function")),
		.file = list_of(in, json_get(nodes, "filename")),
		.line = list_of(in, json_get(nodes, "lineno")),
		.children = list_of(in, json_get(nodes, "children")) };
	struct json_items other = json_list(jsondoc_at(doc, "inverted_no_imports_nodes.children"));
	struct list value = list_of(in, json_get(nodes, "value"));
	struct stack_rows rows;

	for (size_t i = 0; i < t.text.n; i++) /* functions and files are as HTML has them */
		t.text.v[i] = stack_unescaped(in, t.text.v[i]);
	t.is_inverted = json_more(&other);
	t.bytes = arena_array(&in->mem, t.children.n, sizeof(*t.bytes));
	t.parent = arena_array(&in->mem, t.children.n, sizeof(*t.parent));
	find_parents(&t);
	if (value.n > 0)
		take_values(&t, &value);
	else
		take_intervals(&t, json_get(doc, "intervals"),
			json_get(doc, "high_water_mark_by_snapshot"));
	stack_rows_open(&rows, in);
	for (size_t i = 1; i < t.children.n; i++)
		put_node(&rows, &t, i);
	stack_rows_close(&rows);
}

/* [{"size", "stack_trace": "step at train.py:12"}] */
static void take_table(struct reading *in, struct json_value list)
{
	struct stack_rows rows;

	stack_rows_open(&rows, in);
	for (struct json_items it = json_list(list); json_more(&it);) {
		stack_rows_reset(&rows);
		stack_rows_push(
			&rows, stack_unescaped(in, text_of(in, json_get(it.v, "stack_trace"))));
		stack_rows_add(&rows, number_of(json_get(it.v, "size")), STACK_IN_BYTES);
	}
	stack_rows_close(&rows);
}

static enum match probe(const struct head *h)
{
	return h->form == HEAD_TEXT && span_has(h->text, "<title>memray - ") ? MATCH_STRONG
									     : MATCH_NO;
}

static enum status read_page(struct reading *in, struct err *e)
{
	static const char sign[] = "packed_data = ";
	struct span whole, rest;
	size_t end;

	TRY(reading_all(in, &whole, e));
	const char *at = memmem(whole.p, whole.n, sign, sizeof(sign) - 1);
	if (!at)
		return err_set(e, E_NODATA, -1, "no data of a flame graph or table in the page");
	struct span text = span_between(at + sizeof(sign) - 1, whole.p + whole.n);
	if (jsondoc_check(text, &end, e) != OK) {
		e->offset += at + (sizeof(sign) - 1) - whole.p;
		return e->status;
	}
	struct json_value doc = json_value((struct span){ text.p, end }, &rest);
	if (doc.type == JSON_ARRAY)
		take_table(in, doc);
	else
		take_tree(in, doc);
	return OK;
}

/* ---- kinds ---- */

const struct artifact artifact_memray_csv = {
	.name = "memray_csv",
	.title = "stacks of allocations (memray)",
	.summary = "memray transform csv: bytes by stack",
	.heading = heading,
	.read = read_csv,
	.none = "no allocation in it",
};

const struct artifact artifact_memray_events = {
	.name = "memray_events",
	.title = "stacks of allocations (memray)",
	.summary = "memray transform gprof2dot: bytes by stack, without lines",
	.sign = { { MATCH_STRONG, 3, .keys = "version costs events functions",
		.mentions = "callchain" } },
	.member = { { "", .call = take_events } },
};

const struct artifact artifact_memray_page = {
	.name = "memray_page",
	.title = "stacks of allocations (memray)",
	.summary = "pages of memray flamegraph and memray table: bytes by stack",
	.probe = probe,
	.read = read_page,
	.none = "no allocation in it",
};
