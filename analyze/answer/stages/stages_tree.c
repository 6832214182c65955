/*
 * `stages`: a tree of regions, and its rows.
 */
#include "analyze/answer/stages/stages.h"

#include <string.h>

#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/minmax.h"
#include "base/saturate.h"

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
	size_t i;

	for (i = 1; i < t->n; i++)
		saturate_onto(&t->v[i].self, t->v[i].total);
	for (i = 1; i < t->n; i++) {
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
	if (n && span_starts(text, v->prefix))
		return (struct span){ text.p + n, text.n - n };
	return text;
}

static struct span path_of(
	const struct stages *s, const struct stages_view *v, uint32_t node, struct arena *mem)
{
	struct str b = { 0 };
	uint32_t *up = arena_array(&s->at->mem, v->tree->v[node].depth, sizeof(*up));
	size_t n = 0;
	char *p;

	for (; node; node = v->tree->v[node].parent)
		up[n++] = node;
	while (n-- > 0) {
		struct span name = text_of(s, v, v->tree->v[up[n]].name);

		str_adds(&b, b.n ? " / " : "");
		str_add(&b, name.p, name.n);
	}
	p = arena_copy(mem, b.n ? b.s : "", b.n);
	n = b.n;
	str_free(&b);
	return (struct span){ p, n };
}

static void put_name(
	const struct stages *s, struct table *t, const struct stages_view *v, uint32_t at)
{
	const struct calltree_node *node = &v->tree->v[at];
	struct span name = text_of(s, v, node->name);
	size_t indent = INDENT * ((size_t)node->depth - 1);

	indent = MIN(INDENT_MAX, indent);
	if (s->at->q->for_people)
		table_textf(t, STAGE_NAME, "%*s%.*s", (int)indent, "", (int)name.n, name.p);
	else /* names of a hierarchy do not live as long as the result */
		table_text(t, STAGE_NAME,
			v->names == &s->at->run->strings
				? name
				: (struct span){ arena_copy(t->mem, name.p, name.n), name.n });
	table_text(t, STAGE_PATH, path_of(s, v, at, t->mem));
}

/* It is known by work on devices alone, of replays of graphs: nothing of it ran on the host. */
static bool is_captured(const struct calltree_node *node)
{
	return node->calls == 0 && node->total == 0 && node->device > 0;
}

static void put_calls(const struct stages *s, struct table *t, const struct calltree_node *node)
{
	bool is_host = !is_captured(node);

	if (is_host || node->replays > 0)
		table_int(t, STAGE_CALLS, node->calls + node->replays);
	if (s->at->run->replay)
		table_int(t, STAGE_REPLAYS, node->replays);
	if (!is_host)
		return;
	table_int(t, STAGE_TOTAL, node->total);
	table_int(t, STAGE_SELF, node->self);
}

static void put_node(const struct stages *s, struct table *t, const struct stages_view *v,
	uint32_t at, nsec all, const struct stages_groups *groups)
{
	const struct calltree_node *node = &v->tree->v[at];
	const struct steps *steps = s->at->run->steps;

	table_row(t);
	put_name(s, t, v, at);
	table_int(t, STAGE_DEPTH, (int64_t)node->depth - 1);
	put_calls(s, t, node);
	if (all > 0 && !is_captured(node))
		table_real(t, STAGE_SHARE, (double)node->total / (double)all);
	if (node->calls > 0)
		table_real(t, STAGE_MEAN, (double)node->total / (double)node->calls);
	if (node->min <= node->max) {
		table_int(t, STAGE_MIN, node->min);
		table_int(t, STAGE_MAX, node->max);
	}
	stages_put_quartiles(t, groups, at);
	if (node->row != NO_ROW)
		table_text(t, STAGE_KIND,
			span_of(kind_word((enum kind)s->at->run->events.kind[node->row])));
	if (steps && !is_captured(node) && steps->source != STEPS_WHOLE && s->at->view.nstep > 0)
		table_real(t, STAGE_PER_STEP, (double)node->total / (double)s->at->view.nstep);
	if (v->has_cpu_self && !is_captured(node))
		table_int(t, STAGE_SELF_CPU, node->self_cpu);
	if (v->device >= 0)
		table_int(t, STAGE_DEVICE, v->device);
	else if (v->has_device)
		table_int(t, STAGE_DEVICE_SUM, node->device);
	if (v->has_device && !is_captured(node) && (v->has_cpu_self || v->device >= 0))
		table_int(t, STAGE_DEVICE_BUSY, node->device_busy);
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
