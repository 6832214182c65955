/*
 * The chart of a sampled profile: its stacks as a flame graph.
 */
#include <math.h>
#include <string.h>

#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char ask[] = "stacks --source=samples --limit=2000";

enum { NODES_MAX = 4000, COLORS = 3, NONE = -1 };

/* Boxes narrower than this share are no more than lines. */
static const double NARROWEST = 1.0 / 2000;

struct node {
	struct span name;
	int parent, child, next, depth;
	double weight, left, used; /* used: of its width by children */
};

struct flame {
	struct node *v;
	int n, deepest;
};

/* The child of that name, new or old; `up` itself where there are too many nodes. */
static int child_of(struct flame *f, int up, struct span name)
{
	struct node *v = &f->v[up];
	int at;

	for (at = v->child; at != NONE; at = f->v[at].next)
		if (span_eq(f->v[at].name, name))
			return at;
	if (f->n == NODES_MAX)
		return up;
	at = f->n++;
	f->v[at] = (struct node){
		.name = name, .parent = up, .child = NONE, .next = v->child, .depth = v->depth + 1
	};
	v->child = at;
	f->deepest = f->v[at].depth > f->deepest ? f->v[at].depth : f->deepest;
	return at;
}

static void add_stack(struct flame *f, struct span stack, double weight)
{
	int at = 0;

	f->v[0].weight += weight;
	while (stack.n > 0) {
		const char *end = memchr(stack.p, ';', stack.n);
		struct span frame = { stack.p, end ? (size_t)(end - stack.p) : stack.n };
		int up = at;

		at = child_of(f, at, frame);
		if (at != up)
			f->v[at].weight += weight;
		stack.p += frame.n + (end != NULL);
		stack.n -= frame.n + (end != NULL);
	}
}

/* Parents come before their children. */
static void lay_out(struct flame *f)
{
	int i;

	for (i = 1; i < f->n; i++) {
		struct node *v = &f->v[i], *up = &f->v[v->parent];

		v->left = up->left + up->used;
		up->used += v->weight;
	}
}

/* The same name has the same colour. */
static size_t color_of(struct span name)
{
	size_t sum = 0, i;

	for (i = 0; i < name.n; i++)
		sum = sum * 31 + (unsigned char)name.p[i];
	return sum % COLORS;
}

static bool is_drawn(const struct flame *f, int i, size_t color)
{
	return f->v[i].weight >= f->v[0].weight * NARROWEST && color_of(f->v[i].name) == color;
}

static void put_tiles(struct chart *c, struct chart_panel *p, const struct flame *f, size_t color)
{
	static const enum theme_color colors[COLORS] = { COLOR_COPY, COLOR_EIGHTH, COLOR_DATA };
	struct chart_series *s;
	size_t n = 0;
	int i;

	for (i = 1; i < f->n; i++)
		n += is_drawn(f, i, color) ? 1 : 0;
	if (n == 0)
		return;
	s = chart_series(c, p, MARK_TILE, NULL, colors[color], n);
	for (i = 1, n = 0; i < f->n; i++) {
		if (!is_drawn(f, i, color))
			continue;
		s->x[n] = f->v[i].left;
		s->lo[n] = f->v[i].left + f->v[i].weight;
		s->y[n] = f->v[i].depth - 1;
		s->label[n++] = chart_text(c, f->v[i].name);
	}
}

static bool draw_flame(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_first(c, in, ask, "sampled_stacks", 0);
	bool is_time = r.n > 0 && !isnan(rows_number(&r, 0, "sampled_ns"));
	struct flame f = { .n = 1 };
	struct chart_panel *p;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no sampled stacks");
	f.v = arena_array(&c->mem, NODES_MAX, sizeof(*f.v));
	f.v[0] = (struct node){ .parent = NONE, .child = NONE, .next = NONE };
	for (i = 0; i < r.n; i++)
		add_stack(&f, rows_word(&r, i, "stack"),
			rows_number(&r, i, is_time ? "sampled_ns" : "samples"));
	lay_out(&f);
	p = chart_panel(c, PANEL_FLAME, NULL);
	p->x = (struct chart_axis){ is_time ? "time" : "samples", is_time ? UNIT_NS : UNIT_COUNT,
		NULL, true, false, f.v[0].weight };
	p->nrow = (size_t)f.deepest;
	for (i = 0; i < COLORS; i++)
		put_tiles(c, p, &f, i);
	return true;
}

const struct chart_kind chart_kind_flame = {
	.id = "flame",
	.title = "Flame graph of the sampled profile",
	.doc = "Stacks of a sampling profiler (py-spy): each box is a function, as wide as the "
	       "samples or the time it was on the stack, on the one that called it. The order from "
	       "left to right means nothing.",
	.source = "Brendan Gregg, FlameGraph; py-spy record",
	.ask = { ask },
	.draw = draw_flame,
};
