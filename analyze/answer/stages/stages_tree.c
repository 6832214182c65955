/* `stages`: a tree of regions, and its rows. */
#include "analyze/answer/stages/stages.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/measure/host/frames.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/run_steps.h"

/* ---- how long each call of a path took, for quartiles ---- */

void stages_call(struct stages *s, struct calltree *t, uint32_t node, nsec dur)
{
	struct stages_calls *c = &s->calls;

	calltree_count(t, node, dur, 0);
	PUSH(c->v, c->n, c->cap, (struct stages_call){ node, dur });
}

void stages_calls_clear(struct stages_calls *c)
{
	free(c->v);
	*c = (struct stages_calls){ 0 };
}

/* The calls of each node: ns[begin[node]] to ns[begin[node + 1]). */
struct stages_groups {
	double *ns;
	size_t *begin;
};

static void stages_group(
	struct stages_groups *g, const struct stages_calls *c, size_t nnode, struct arena *mem)
{
	size_t *next = arena_array(mem, nnode + 1, sizeof(*next));

	g->begin = arena_array(mem, nnode + 1, sizeof(*g->begin));
	g->ns = arena_array(mem, c->n, sizeof(*g->ns));
	for (size_t i = 0; i < c->n; i++)
		g->begin[c->v[i].node + 1]++;
	for (size_t i = 0; i < nnode; i++) {
		g->begin[i + 1] += g->begin[i];
		next[i] = g->begin[i];
	}
	for (EACH(struct stages_call, call, c->v, c->n))
		g->ns[next[call->node]++] = (double)call->ns;
}

/* Quartiles of a node's calls into the row; sorts them. */
static void stages_put_quartiles(struct table *t, const struct stages_groups *g, uint32_t node)
{
	size_t n = g->begin[node + 1] - g->begin[node];
	double *v = g->ns + g->begin[node];

	if (n == 0)
		return;
	quantile_sort(v, n);
	TABLE_CELLS(t, [STAGE_P25] = cell_real(quantile_sorted(v, n, 0.25)),
		[STAGE_MEDIAN] = cell_real(quantile_sorted(v, n, 0.5)),
		[STAGE_P75] = cell_real(quantile_sorted(v, n, 0.75)));
}

/* ---- a tree of regions, and its rows ---- */

enum { INDENT = 2, INDENT_MAX = 40 };

struct table *stages_table(const struct stages *s, const struct table_doc *doc)
{
	struct table_doc d = *doc;

	d.ncol -= !s->at->run->replay; /* the last one is about replays */
	return perrun_table(s->at, &d);
}

sym stages_name(struct stages *s, sym name)
{
	if (!s->o->fold || !span_starts(strings_get(&s->at->run->strings, name), "ProfilerStep#"))
		return name;
	if (!s->step)
		s->step = name;
	return s->step;
}

void stages_find_self(struct calltree *t)
{
	for (size_t i = 1; i < t->n; i++)
		saturate_onto(&t->v[i].self, t->v[i].total);
	for (size_t i = 1; i < t->n; i++) {
		struct calltree_node *up = &t->v[t->v[i].parent];

		if (t->v[i].parent)
			up->self = saturate_sub(up->self, t->v[i].total);
	}
}

static struct span text_of(const struct stages *s, const struct stages_view *v, sym name)
{
	struct span text = strings_get(v->names, name);
	size_t n = v->prefix ? strlen(v->prefix) : 0;

	if (s->step && name == s->step && v->names == &s->at->run->strings)
		return SPAN("ProfilerStep*");
	return n && span_starts(text, v->prefix) ? (struct span){ text.p + n, text.n - n } : text;
}

static struct span path_of(
	const struct stages *s, const struct stages_view *v, uint32_t node, struct arena *mem)
{
	SCOPED_STR b = { 0 };
	uint32_t *up = arena_array(&s->at->mem, v->tree->v[node].depth, sizeof(*up));
	size_t n = 0;

	for (; node; node = v->tree->v[node].parent)
		up[n++] = node;
	while (n-- > 0) {
		struct span name = text_of(s, v, v->tree->v[up[n]].name);

		str_adds(&b, b.n ? " / " : "");
		str_add(&b, name.p, name.n);
	}
	char *p = arena_copy(mem, b.n ? b.s : "", b.n);
	n = b.n;
	return (struct span){ p, n };
}

/* Names of a hierarchy do not live as long as the result. */
static struct row_cell name_cell(const struct stages *s, const struct table *t,
	const struct stages_view *v, const struct calltree_node *node)
{
	struct span name = text_of(s, v, node->name);
	size_t indent = INDENT * ((size_t)node->depth - 1);

	indent = MIN(INDENT_MAX, indent);
	if (s->at->q->for_people)
		return cell_textf(t, "%*s%.*s", (int)indent, "", (int)name.n, name.p);
	if (v->names == &s->at->run->strings)
		return cell_text(name);
	return cell_text((struct span){ arena_copy(t->mem, name.p, name.n), name.n });
}

/* It is known by work on devices alone, of replays of graphs: nothing of it ran on the host. */
static bool is_captured(const struct calltree_node *node)
{
	return node->calls == 0 && node->total == 0 && node->device > 0;
}

static void put_node(const struct stages *s, struct table *t, const struct stages_view *v,
	uint32_t at, nsec all, const struct stages_groups *groups)
{
	const struct calltree_node *node = &v->tree->v[at];
	const struct run *r = s->at->run;
	bool is_host = !is_captured(node), has_steps = r->steps && r->steps->source != STEPS_WHOLE;
	bool has_calls = node->min <= node->max;

	TABLE_ROW(t, [STAGE_NAME] = name_cell(s, t, v, node),
		[STAGE_PATH] = cell_text(path_of(s, v, at, t->mem)),
		[STAGE_DEPTH] = cell_int((int64_t)node->depth - 1),
		[STAGE_CALLS] = CELL_IF(
			is_host || node->replays > 0, cell_int(node->calls + node->replays)),
		[STAGE_REPLAYS] = CELL_IF(r->replay, cell_int(node->replays)),
		[STAGE_TOTAL] = CELL_IF(is_host, cell_int(node->total)),
		[STAGE_SELF] = CELL_IF(is_host, cell_int(node->self)),
		[STAGE_SHARE] = CELL_IF(is_host, cell_ratio(node->total, all)),
		[STAGE_MEAN] = cell_ratio(node->total, node->calls),
		[STAGE_MIN] = CELL_IF(has_calls, cell_int(node->min)),
		[STAGE_MAX] = CELL_IF(has_calls, cell_int(node->max)),
		[STAGE_KIND] = CELL_IF(node->row != NO_ROW,
			cell_word(kind_word((enum kind)r->events.kind[node->row]))),
		[STAGE_PER_STEP] = CELL_IF(is_host && has_steps && s->at->view.nstep > 0,
			cell_real((double)node->total / (double)s->at->view.nstep)),
		[STAGE_SELF_CPU] = CELL_IF(is_host && v->has_cpu_self, cell_int(node->self_cpu)),
		[STAGE_DEVICE] = cell_count(v->device),
		[STAGE_DEVICE_SUM] =
			CELL_IF(v->device < 0 && v->has_device, cell_int(node->device)),
		[STAGE_DEVICE_BUSY] =
			CELL_IF(is_host && v->has_device && (v->has_cpu_self || v->device >= 0),
				cell_int(node->device_busy)));
	stages_put_quartiles(t, groups, at);
}

void stages_put_tree(struct stages *s, struct table *t, const struct stages_view *v)
{
	struct arena_mark mark = arena_mark(&s->at->mem);
	uint32_t *order = calltree_order(v->tree, v->names, &s->at->mem);
	size_t n = v->tree->n - 1, i;
	struct stages_groups groups;
	nsec all = 0;

	for (i = 1; i <= n; i++)
		if (v->tree->v[i].depth == 1)
			saturate_onto(&all, v->tree->v[i].total);
	stages_group(&groups, &s->calls, v->tree->n, &s->at->mem);
	for (i = 0; i < n && i < s->limit; i++)
		put_node(s, t, v, order[i], all, &groups);
	t->ncut += n - i;
	s->calls.n = 0;
	arena_reset(&s->at->mem, mark);
}

void stages_put_table(struct stages *s, const struct table_doc *doc, const struct stages_view *v)
{
	struct table *t = stages_table(s, doc);

	stages_put_tree(s, t, v);
	rows_cut(t, STAGE_NAME, t->ncut);
}

/* stages and modules that were captured into a graph, below those that replay
 * it.  They took no time on the host; their work on devices is in that of the stages around. */

struct replaying {
	struct stages *s;
	struct calltree *tree;
	uint32_t up; /* the stage around the launch */
	stages_is_node *is_node;
	void *ctx;
};

static void add_kernel(void *ctx, const struct replayed *k)
{
	struct replaying *a = ctx;
	struct stages *s = a->s;
	const struct events *ev = &s->at->run->events;
	uint32_t node = a->up;

	for (size_t i = 0; i < k->n; i++) {
		uint32_t call = k->call[i];

		if (!a->is_node(a->ctx, call) || !(KIND_BIT(ev->kind[call]) & s->at->view.kinds) ||
			!filter_name(&s->at->view, ev->name[call]))
			continue;
		node = calltree_child(a->tree, node, stages_name(s, ev->name[call]));
		struct calltree_node *v = &a->tree->v[node];
		v->row = v->row == NO_ROW ? call : v->row;
		v->replays += i >= k->nseen;
		saturate_onto(&v->device, k->dur);
	}
}

void stages_enter(struct stages *s, struct calltree *t, struct frames_node *node, uint32_t up,
	stages_is_node *is_node, void *ctx)
{
	struct replaying a = { s, t, up, is_node, ctx };
	struct filter_view *v = &s->at->view;
	sym name = s->at->run->events.name[node->row];

	node->mark = up;
	if (replays_has(&s->replays, node->row) && (!v->step || filter_host_step(v, node->row)))
		replays_of(&s->replays, node->row, add_kernel, &a);
	if (!is_node(ctx, node->row) || !filter_host(v, node->row) || !filter_name(v, name))
		return;
	node->mark = calltree_child(t, up, stages_name(s, name));
	node->tag = 1;
	if (t->v[node->mark].row == NO_ROW)
		t->v[node->mark].row = node->row;
}
