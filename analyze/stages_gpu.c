/*
 * `stages`: annotations on devices' timelines, nested by time on each stream.
 */
#include <stdlib.h>

#include "analyze/saturate.h"
#include "analyze/stages.h"
#include "analyze/store/order.h"
#include "analyze/store/run.h"
#include "base/die.h"

enum { WIDENED_NS = 1 }; /* at each end, by Kineto */

/* A region that is open. */
struct open {
	uint32_t node;
	nsec end;
};

struct regions {
	struct stages *s;
	const struct intervals *busy; /* of the device, or NULL */
	struct calltree tree;
	struct open *open;
	size_t depth, cap;
};

static void count(struct regions *g, uint32_t node, nsec start, nsec end)
{
	struct calltree_node *v;

	calltree_count(&g->tree, node, saturate_sub(end, start), 0);
	v = &g->tree.v[node];
	if (g->busy)
		v->device_busy = saturate_add(v->device_busy,
			intervals_within(g->busy, saturate_add(start, WIDENED_NS),
				saturate_sub(end, WIDENED_NS)));
}

static bool takes(struct regions *g, uint32_t row)
{
	const struct events *ev = &g->s->at->run->events;

	return filter_host(&g->s->at->view, row) && filter_name(&g->s->at->view, ev->name[row]);
}

static void add_lane(struct regions *g, const uint32_t *row, size_t n)
{
	const struct events *ev = &g->s->at->run->events;
	size_t i;

	g->depth = 0;
	for (i = 0; i < n; i++) {
		nsec start = ev->start[row[i]], end = events_end(ev, row[i]);
		uint32_t up, node;

		if (!takes(g, row[i]))
			continue;
		while (g->depth &&
			(start >= g->open[g->depth - 1].end || end > g->open[g->depth - 1].end))
			g->depth--;
		up = g->depth ? g->open[g->depth - 1].node : 0;
		node = calltree_child(&g->tree, up, stages_name(g->s, ev->name[row[i]]));
		if (g->tree.v[node].row == NO_ROW)
			g->tree.v[node].row = row[i];
		count(g, node, start, end);
		g->open = array_grow(g->open, &g->cap, g->depth + 1, sizeof(*g->open));
		g->open[g->depth++] = (struct open){ node, end };
	}
}

/* Rows of GPU annotations on a lane, sorted; *n receives how many.  The caller frees. */
static uint32_t *rows_of(const struct run *r, uint32_t lane, size_t *n)
{
	const struct events *ev = &r->events;
	uint32_t *row = NULL, *scratch;
	size_t cap = 0, i;

	for (i = 0, *n = 0; i < ev->n; i++) {
		if (ev->kind[i] != KIND_GPU_ANNOTATION || ev->lane[i] != lane)
			continue;
		row = array_grow(row, &cap, *n + 1, sizeof(*row));
		row[(*n)++] = (uint32_t)i;
	}
	scratch = malloc((*n / 2 + 1) * sizeof(*scratch));
	if (!scratch)
		die_oom(*n * sizeof(*scratch));
	order_sort(r, row, *n, scratch);
	free(scratch);
	return row;
}

static void put_device(struct stages *s, struct table *t, int64_t device, const bool *has)
{
	const struct run *r = s->at->run;
	struct regions g = { .s = s };
	size_t i, n;

	calltree_init(&g.tree);
	for (i = 0; i < s->ndevice; i++)
		if (s->device[i].id == device)
			g.busy = &s->device[i].busy;
	for (i = 0; i < r->lanes.n; i++) {
		uint32_t *row;

		if (!has[i] || r->lanes.lane[i].device != device ||
			(s->at->view.lane && !s->at->view.lane[i]))
			continue;
		row = rows_of(r, (uint32_t)i, &n);
		add_lane(&g, row, n);
		free(row);
	}
	stages_find_self(&g.tree);
	stages_put_tree(s, t,
		&(struct stages_view){ .tree = &g.tree,
			.names = &r->strings,
			.device = device,
			.has_device = g.busy != NULL });
	calltree_clear(&g.tree);
	free(g.open);
}

void stages_put_gpu(struct stages *s, const struct table_doc *doc)
{
	const struct run *r = s->at->run;
	bool *has = arena_array(&s->at->mem, r->lanes.n, sizeof(*has));
	struct table *t;
	size_t i, j;

	if (r->kind_count[KIND_GPU_ANNOTATION] == 0)
		return;
	for (i = 0; i < r->events.n; i++)
		if (r->events.kind[i] == KIND_GPU_ANNOTATION)
			has[r->events.lane[i]] = true;
	t = each_table(s->at, doc);
	for (i = 0; i < r->lanes.n; i++) {
		bool is_first = has[i];

		for (j = 0; j < i && is_first; j++)
			is_first = !has[j] || r->lanes.lane[j].device != r->lanes.lane[i].device;
		if (is_first)
			put_device(s, t, r->lanes.lane[i].device, has);
	}
	each_put_cut(t, STAGE_NAME, t->ncut);
}
