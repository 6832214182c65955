/* Two flame graphs as one: the boxes of the second input, coloured by what changed. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/unit.h"
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"
#include "report/chart/kind/chart_flame.h"

enum { DEPTH_MAX = 1024, GONE_MAX = 200, GONE_NAMED = 3 };

/* What became of a frame, in the order of the key: from so much of itself on. */
static const struct change {
	const char *title;
	enum theme_color color;
	double from;
} changes[] = {
	{ "new", COLOR_COMM, INFINITY },
	{ "longer by half or more", COLOR_DATA, 0.5 },
	{ "longer", COLOR_COPY, 0.05 },
	{ "much the same", COLOR_IDLE, -0.05 },
	{ "shorter", COLOR_SYNC, -1.0 / 3 },
	{ "shorter by a third or more", COLOR_COMPUTE, -INFINITY },
	{ "narrow frames", COLOR_BLACK, NAN },
};
enum { NEW = 0, SAME = 3, NARROW = COUNT_OF(changes) - 1 };

/* A change by less of all than this is none. */
static const double LEAST_OF_ALL = 0.0005;

struct frame {
	uint64_t path;  /* of its names, root first */
	size_t row, up; /* up: the frame below it; itself at the root */
	double total;   /* of steps as many as the second input's */
	double was;     /* of the same path in the first; NaN: there is none */
	bool is_there;  /* of the first: in the second, too */
};

struct side {
	struct frame *v;
	size_t n;
	double steps; /* 0: not known */
};

struct both {
	struct chart_rows rows;
	struct side base, new;
	double all;
};

static bool is_narrow(const struct both *b, const struct frame *f)
{
	return span_is(rows_word(&b->rows, f->row, "kind"), "narrow");
}

/* Rows come root first, what a frame calls right behind it. */
static void take_side(struct chart *c, struct both *b, struct side *s, size_t from, size_t to)
{
	size_t path[DEPTH_MAX + 1] = { 0 };

	s->v = arena_array(&c->mem, to - from, sizeof(*s->v));
	for (size_t i = from; i < to; i++) {
		double depth = rows_number(&b->rows, i, "depth");
		struct span name = rows_word(&b->rows, i, "name");
		size_t at = saturate_size(fmin(depth, DEPTH_MAX));
		struct frame f = { .row = i,
			.total = rows_number(&b->rows, i, "total_ns"),
			.was = NAN,
			.up = at ? path[at - 1] : 0 };

		f.path = XXH3_64bits_withSeed(name.p, name.n, at ? s->v[f.up].path : 0);
		if (at == 0) /* the root is there in both, whatever it is called */
			f.path = 0;
		if (span_is(name, "ProfilerStep*"))
			s->steps = fmax(s->steps, rows_number(&b->rows, i, "calls"));
		path[at] = s->n;
		s->v[s->n++] = f;
	}
}

ORDER(by_path, struct frame *const, compare3((*a)->path, (*b)->path))

static void match(struct chart *c, struct both *b)
{
	struct frame **v = arena_array(&c->mem, b->base.n, sizeof(*v));
	double scale = b->base.steps > 0 && b->new.steps > 0 ? b->new.steps / b->base.steps : 1;

	for (size_t i = 0; i < b->base.n; i++) {
		b->base.v[i].total *= scale;
		v[i] = &b->base.v[i];
	}
	sort_rows(v, b->base.n, sizeof(*v), by_path);
	for (EACH(struct frame, f, b->new.v, b->new.n)) {
		struct frame *key = f;
		struct frame **was = bsearch(&key, v, b->base.n, sizeof(*v), by_path);

		if (!was || is_narrow(b, f))
			continue;
		f->was = (*was)->total;
		(*was)->is_there = true;
	}
}

static size_t change_of(const struct both *b, const struct frame *f)
{
	double by = f->total - f->was;

	if (is_narrow(b, f))
		return NARROW;
	if (isnan(f->was))
		return NEW;
	if (fabs(by) < LEAST_OF_ALL * b->all)
		return SAME;
	return FIRST(i, NARROW - 1, by / f->was >= changes[i].from);
}

static const char *title_of(struct chart *c, const struct both *b, const struct frame *f)
{
	struct span name = rows_word(&b->rows, f->row, "name");
	SCOPED_STR s = { 0 };

	if (c->look.is_page)
		return is_narrow(b, f) ? "(narrow frames)" : chart_text(c, name);
	str_addf(&s, "%.*s: %s", (int)name.n, name.p, IN_TIME(f->total));
	if (!isnan(f->was))
		str_addf(&s, ", was %s", IN_TIME(f->was));
	else if (!is_narrow(b, f))
		str_adds(&s, ", new");
	return chart_text(c, (struct span){ s.s, s.n });
}

static void put_change(struct chart *c, struct chart_panel *p, const struct both *b, size_t change)
{
	double least = c->look.is_page ? 0 : b->all / 2000;
	size_t n = 0;

	for (size_t i = 0; i < b->new.n; i++)
		n += change_of(b, &b->new.v[i]) == change && b->new.v[i].total >= least;
	if (n == 0)
		return;
	struct chart_series *s =
		chart_series(c, p, MARK_TILE, changes[change].title, changes[change].color, n);
	s->size = arena_array(&c->mem, n, sizeof(*s->size));
	n = 0;
	for (EACH(const struct frame, f, b->new.v, b->new.n)) {
		if (f->total < least || change_of(b, f) != change)
			continue;
		double depth = rows_number(&b->rows, f->row, "depth");
		s->x[n] = rows_number(&b->rows, f->row, "at_ns");
		s->lo[n] = s->x[n] + f->total;
		s->y[n] = depth;
		s->size[n] = isnan(f->was) ? 0 : f->was;
		s->inside[n] = chart_text(c, rows_word(&b->rows, f->row, "name"));
		s->label[n++] = title_of(c, b, f);
		p->nrow = MAX(p->nrow, saturate_size(depth) + 1);
	}
}

/* ---- frames of the first input alone ---- */

ORDER(by_total, struct frame *const, compare3_down((*a)->total, (*b)->total),
	compare3((*a)->row, (*b)->row))

static const char *path_of(struct chart *c, const struct both *b, const struct frame *f)
{
	const struct frame *v = b->base.v;
	SCOPED_STR s = { 0 };
	size_t at = (size_t)(f - v), up = v[at].up;
	struct span name = rows_word(&b->rows, f->row, "name");

	str_add(&s, name.p, name.n);
	if (up != at && v[up].up != up) {
		name = rows_word(&b->rows, v[up].row, "name");
		str_addf(&s, " in %.*s", (int)name.n, name.p);
	}
	return chart_text(c, (struct span){ s.s, s.n });
}

/* The outermost of them, the longest first. */
static void put_gone(struct chart *c, struct chart_panel *p, const struct both *b)
{
	const struct frame **v = arena_array(&c->mem, b->base.n, sizeof(*v));
	size_t n = 0;

	for (EACH(const struct frame, f, b->base.v, b->base.n))
		if (!f->is_there && b->base.v[f->up].is_there && !is_narrow(b, f) &&
			f->total >= LEAST_OF_ALL * b->all)
			v[n++] = f;
	sort_rows(v, n, sizeof(*v), by_total);
	p->ngone = MIN(n, GONE_MAX);
	p->gone = arena_array(&c->mem, p->ngone, sizeof(*p->gone));
	p->was = arena_array(&c->mem, p->ngone, sizeof(*p->was));
	for (size_t i = 0; i < p->ngone; i++) {
		p->gone[i] = path_of(c, b, v[i]);
		p->was[i] = v[i]->total;
	}
	for (size_t i = 0; i < p->ngone && i < GONE_NAMED; i++)
		chart_note(c, "%s%s: %s", i ? "" : "gone: ", p->gone[i], IN_TIME(p->was[i]));
}

static bool draw(const struct answers *in, struct chart *c, const char *ask)
{
	struct both b = { .rows = chart_rows(c, in, ask, "frames", 0) };
	size_t i = 0;

	while (i < b.rows.n && b.rows.t[i] == b.rows.t[0])
		i++;
	if (b.rows.n == 0 || i == b.rows.n || b.rows.t[b.rows.n - 1] != b.rows.t[i])
		return chart_refuse(c, "two inputs are compared: BASE NEW");
	take_side(c, &b, &b.base, 0, i);
	take_side(c, &b, &b.new, i, b.rows.n);
	b.all = b.new.v[0].total;
	match(c, &b);
	struct chart_panel *p = chart_panel(c, PANEL_FLAME, NULL);
	p->is_compared = true;
	p->x = AXIS("time on the stack of the second input", UNIT_NS, .from_zero = true,
		.at_least = b.all);
	for (size_t k = 0; k < COUNT_OF(changes); k++)
		put_change(c, p, &b, k);
	if (b.base.steps > 0 && b.new.steps > 0)
		chart_note(c, "the first, of %.0f steps, as if it had %.0f", b.base.steps,
			b.new.steps);
	else
		chart_note(c, "steps are not known: what ran longer was recorded for longer, too");
	chart_note(c, "in all %s, was %s", IN_TIME(b.all), IN_TIME(b.base.v[0].total));
	put_gone(c, p, &b);
	flame_note_quiet(c, &b.rows, i, b.rows.n);
	return true;
}

const struct chart_kind chart_kind_flame_diff = {
	.id = "flame-diff",
	.title = "Flame graph of what changed",
	.doc = "The flame graph of the second of two inputs, BASE NEW: each box is as wide as the time "
	       "it was on the stack there, in the colour of what became of it: longer, shorter, much "
	       "the same (within 5%, or 0.05% of all) or new. Frames are the same where all names below "
	       "them are. Where steps are recorded the first is taken as if it had as many as the "
	       "second. What only the first has is listed.",
	.source = "Brendan Gregg, differential flame graphs",
	.ask = { "stacks --order=merged --narrowest=50000" },
	.draw = draw,
};
