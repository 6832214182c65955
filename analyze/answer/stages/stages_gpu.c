/* `stages`: annotations on devices' timelines, nested by time on each stream. */
#include "analyze/answer/stages/stages.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/order.h"

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

static bool takes(struct regions *g, uint32_t row)
{
	const struct events *ev = &g->s->at->run->events;

	return filter_host(&g->s->at->view, row) && filter_name(&g->s->at->view, ev->name[row]);
}

static void add_lane(struct regions *g, const uint32_t *row, size_t n)
{
	const struct events *ev = &g->s->at->run->events;

	g->depth = 0;
	for (size_t i = 0; i < n; i++) {
		nsec start = ev->start[row[i]], end = events_end(ev, row[i]);

		if (!takes(g, row[i]))
			continue;
		while (g->depth &&
			(start >= g->open[g->depth - 1].end || end > g->open[g->depth - 1].end))
			g->depth--;
		uint32_t up = g->depth ? g->open[g->depth - 1].node : 0;
		uint32_t node = calltree_child(&g->tree, up, stages_name(g->s, ev->name[row[i]]));
		if (g->tree.v[node].row == NO_ROW)
			g->tree.v[node].row = row[i];
		stages_call(g->s, &g->tree, node, saturate_sub(end, start));
		struct calltree_node *v = &g->tree.v[node];
		if (g->busy)
			saturate_onto(&v->device_busy,
				intervals_within(g->busy, saturate_add(start, WIDENED_NS),
					saturate_sub(end, WIDENED_NS)));
		PUSH(g->open, g->depth, g->cap, (struct open){ node, end });
	}
}

/* Rows of GPU annotations by device and lane; in a lane by start. */
struct region_rows {
	uint32_t *row;
	size_t n;
};

static int by_lane(const void *pa, const void *pb, void *ctx)
{
	const struct run *r = *(const struct run *const *)ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	uint32_t x = r->events.lane[a], y = r->events.lane[b];

	return COMPARE_BY(compare3(r->lanes.lane[x].device, r->lanes.lane[y].device),
		compare3(x, y), compare3(a, b));
}

/* How many rows from i on are of its lane. */
static size_t lane_length(const struct run *r, const struct region_rows *rows, size_t i)
{
	const uint32_t *lane = r->events.lane, *row = rows->row;

	return FIRST_FROM(j, i + 1, rows->n, lane[row[j]] != lane[row[i]]) - i;
}

static void list_rows(struct region_rows *rows, const struct run *r)
{
	size_t cap = 0, n;

	for (size_t i = 0; i < r->events.n; i++) {
		if (r->events.kind[i] != KIND_GPU_ANNOTATION)
			continue;
		PUSH(rows->row, rows->n, cap, (uint32_t)i);
	}
	if (rows->n == 0)
		return;
	qsort_r(rows->row, rows->n, sizeof(*rows->row), by_lane, &r);
	uint32_t *scratch = xmalloc((rows->n / 2 + 1) * sizeof(*scratch));
	for (size_t i = 0; i < rows->n; i += n) {
		n = lane_length(r, rows, i);
		order_sort(r, rows->row + i, n, scratch);
	}
	free(scratch);
}

static const struct intervals *busy_of(const struct stages *s, int64_t device)
{
	size_t lo = PARTITION_POINT(i, 0, s->ndevice, s->device[i].id < device);

	return lo < s->ndevice && s->device[lo].id == device ? &s->device[lo].busy : NULL;
}

/* The regions of the device of rows->row[i]; returns where the next device begins. */
static size_t put_device(
	struct stages *s, struct table *t, const struct region_rows *rows, size_t i)
{
	const struct run *r = s->at->run;
	struct regions g = { .s = s };
	int64_t device = r->lanes.lane[r->events.lane[rows->row[i]]].device;
	size_t n;

	calltree_init(&g.tree);
	g.busy = busy_of(s, device);
	for (; i < rows->n; i += n) {
		uint32_t lane = r->events.lane[rows->row[i]];

		if (r->lanes.lane[lane].device != device)
			break;
		n = lane_length(r, rows, i);
		if (!s->at->view.lane || s->at->view.lane[lane])
			add_lane(&g, rows->row + i, n);
	}
	stages_find_self(&g.tree);
	stages_put_tree(s, t,
		&(struct stages_view){ .tree = &g.tree,
			.names = &r->strings,
			.device = device,
			.has_device = g.busy != NULL });
	calltree_clear(&g.tree);
	free(g.open);
	return i;
}

void stages_put_gpu(struct stages *s)
{
	struct region_rows rows = { 0 };
	size_t i = 0;

	if (s->at->run->kind_count[KIND_GPU_ANNOTATION] == 0)
		return;
	list_rows(&rows, s->at->run);
	struct table *t = stages_table(s, &stages_docs[STAGES_GPU]);
	while (i < rows.n)
		i = put_device(s, t, &rows, i);
	rows_cut(t, STAGE_NAME, t->ncut);
	free(rows.row);
}
