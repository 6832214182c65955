/* Charts of memory: the curve of allocated and reserved bytes, leaks, and what holds it. */
#include "report/chart/charts.h"
#include "report/chart/kind/chart_memory.h"
#include "report/chart/kind/chart_points.h"

static void put_curve(struct chart *c, struct chart_panel *p, const struct chart_rows *r,
	size_t from, size_t to, const char *key, const char *title, enum theme_color color)
{
	if (!rows_known(r, from, to, key))
		return;
	struct chart_series *s = chart_series(c, p, MARK_STEP, title, color, to - from);
	rows_fill(s->x, r, from, to, "at_ns");
	rows_fill(s->y, r, from, to, key);
}

static bool draw_curve(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "curve", 0);
	size_t to;

	if (r.n == 0)
		return chart_refuse(
			c, "no allocator events; 'traceq memory' says what records them");
	if (c->look.is_page && memory_blocks(c, in, ask, &r)) {
		c->title = "Memory over time: blocks by who allocated them";
		return true;
	}
	bool is_cpu_only = ALL(from, r.n, span_is(rows_word(&r, from, "device"), "CPU"));
	c->things = "devices";
	for (size_t from = 0; from < r.n; from = to) {
		to = ROWS_END(&r, from, "device");
		if (is_cpu_only || !span_is(rows_word(&r, from, "device"), "CPU")) {
			struct span device = rows_word(&r, from, "device");
			const char *input = rows_input(c, &r, from);
			struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);
			p->title = arena_printf(&c->mem, "%s%s%.*s", input, *input ? ", " : "",
				(int)device.n, device.n ? device.p : "");
			p->alike = "device";
			p->x = AXIS("time since the first event", UNIT_NS);
			p->y = AXIS("memory", UNIT_BYTES, .from_zero = true);
			put_curve(
				c, p, &r, from, to, "allocated_bytes", "allocated", COLOR_COMPUTE);
			put_curve(c, p, &r, from, to, "reserved_bytes", "reserved", COLOR_COPY);
			memory_limits(c, p, in, ask, &r, from);
		}
	}
	return true;
}

const struct chart_kind chart_kind_memory_curve = {
	.id = "memory-curve",
	.title = "Memory over time",
	.doc = "Allocated and reserved bytes of each GPU, from the allocator's records; "
	       "thinned so that every peak stays; with what the GPU has, and where memory ran out. "
	       "Of a memory snapshot -o x.html is a page of its blocks, as PyTorch's memory_viz "
	       "draws them: who allocated what, how long it lived, what was held when.",
	.source = "torch_tb_profiler, memory view; PyTorch, memory_viz",
	.ask = { "memory --points=4000" },
	.page_ask = { "memory --points=4000 --lives=200000" },
	.draw = draw_curve,
};

/* ---- leaks ---- */

enum { PANELS_MAX = 12 };

/* The points of a row's key, of the same input: [from, to); false when there are none. */
static bool find_points(const struct chart_rows *r, const struct chart_rows *memory, size_t i,
	size_t *from, size_t *to)
{
	struct span key = rows_word(memory, i, "key");

	for (*from = 0; *from < r->n; *from = *to) {
		*to = points_end(r, *from);
		if (r->t[*from]->input == memory->t[i]->input &&
			span_eq(rows_word(r, *from, "key"), key))
			return true;
	}
	return false;
}

static bool draw_leak(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows memory = chart_rows(c, in, ask, "memory", PANELS_MAX);
	struct chart_rows r = chart_rows(c, in, ask, "points", 0);
	size_t from, to;

	for (size_t i = 0; i < memory.n; i++) {
		struct span verdict = rows_word(&memory, i, "verdict");

		if (!find_points(&r, &memory, i, &from, &to))
			continue;
		double grown = rows_number(&memory, i, "growth_bytes");
		bool is_known = verdict.n && !span_is(verdict, "unknown");
		struct chart_panel *p = chart_panel(c, PANEL_XY,
			arena_printf(&c->mem, "%s%s%.*s%s%s", points_title(c, &r, from, true),
				is_known ? ", " : "", is_known ? (int)verdict.n : 0, verdict.p,
				isnan(grown)        ? ""
					: grown < 0 ? ", "
						    : ", +",
				isnan(grown) ? "" : chart_figure(c, grown, UNIT_BYTES)));
		struct points s = points_of(c, &r, from, to);
		p->x = points_axis(c, in, &s);
		p->y = AXIS("memory", UNIT_BYTES);
		points_line(c, p, &s, "y", NULL, COLOR_COMPUTE);
		double base = rows_number(&memory, i, "baseline_bytes");
		if (!isnan(base))
			chart_line(c, p, "baseline", base, false);
	}
	if (memory.left)
		chart_say_first(c, memory.n, "keys");
	return c->npanel > 0 || chart_refuse(c, "no memory over steps in a log");
}

const struct chart_kind chart_kind_mem_leak = {
	.id = "mem-leak",
	.title = "Memory over steps",
	.doc = "Memory as the log says it, with the baseline of its growth as a line and the verdict "
	       "about it.",
	.source = "the guides of DeepSeekMath-V2: leak detection",
	.ask = { points_ask },
	.draw = draw_leak,
};

/* ---- by category ---- */

static const char key[] = "memory_bytes";

enum { CATEGORIES_MAX = 8 };

/* Rows of one category: what it holds from each time on. */
struct category {
	struct span name;
	size_t from, to;
	double peak;
};

/* All of one file; times are those of the file, in ns. */
struct timeline {
	const struct chart_rows *r;
	struct category *v; /* without those that never hold anything */
	size_t n;
	struct category total; /* to <= from: the file has none */
	double *at;            /* all times, ascending, each once */
	size_t nat;
};

static double time_of(const struct chart_rows *r, size_t i)
{
	return rows_number(r, i, "x") * 1e9;
}

/* The first category from row `from` on.  Its rows are of one table, one behind the other. */
static struct category next_category(const struct chart_rows *r, size_t from)
{
	struct category k = { .from = from };

	while (k.from < r->n && !span_is(rows_word(r, k.from, "key"), key))
		k.from++;
	k.to = k.from;
	if (k.from == r->n)
		return k;
	k.name = rows_word(r, k.from, "group");
	while (k.to < r->n && r->t[k.to] == r->t[k.from] &&
		span_is(rows_word(r, k.to, "key"), key) &&
		span_eq(rows_word(r, k.to, "group"), k.name)) {
		k.peak = fmax(k.peak, rows_number(r, k.to, "y"));
		k.to++;
	}
	return k;
}

/* Of one file, the first that has any. */
static void collect(struct chart *c, struct timeline *t, const struct chart_rows *r)
{
	size_t from = 0;

	*t = (struct timeline){ .r = r, .v = arena_array(&c->mem, r->n, sizeof(*t->v)) };
	for (struct category k = next_category(r, 0); k.to > k.from; k = next_category(r, k.to)) {
		if (t->n + (t->total.to > 0) == 0)
			from = k.from;
		if (r->t[k.from] != r->t[from] || !k.name.n || !(k.peak > 0))
			continue;
		if (span_is(k.name, "total"))
			t->total = k;
		else
			t->v[t->n++] = k;
	}
	size_t n = SUM(size_t, k, t->n, t->v[k].to - t->v[k].from);
	t->at = arena_array(&c->mem, n, sizeof(*t->at));
	n = 0;
	for (size_t k = 0; k < t->n; k++)
		for (size_t i = t->v[k].from; i < t->v[k].to; i++)
			t->at[n++] = time_of(t->r, i);
	chart_sort(t->at, n);
	for (size_t i = 0; i < n; i++)
		if (t->nat == 0 || t->at[i] > t->at[t->nat - 1])
			t->at[t->nat++] = t->at[i];
}

/* Adds what a category holds to what is below it, time by time; before its first it holds none. */
static void add_to(const struct timeline *t, const struct category *k, double *sum)
{
	size_t next = k->from;
	double holds = 0;

	for (size_t i = 0; i < t->nat; i++) {
		while (next < k->to && time_of(t->r, next) <= t->at[i])
			holds = rows_number(t->r, next++, "y");
		sum[i] += isnan(holds) ? 0 : holds;
	}
}

static size_t column_of(const struct timeline *t, size_t i)
{
	double span = t->at[t->nat - 1] - t->at[0];

	return span > 0 ? saturate_size((t->at[i] - t->at[0]) / span * CHART_COLUMNS_MAX) : 0;
}

/* Times that stay: of each of CHART_COLUMNS_MAX columns the first, lowest, highest, last. */
static size_t thin(const double *all, const struct timeline *t, size_t *keep)
{
	size_t n = 0, to;

	for (size_t from = 0; from < t->nat; from = to) {
		size_t column = column_of(t, from), low = from, high = from;

		for (to = from; to < t->nat && column_of(t, to) == column; to++) {
			low = all[to] < all[low] ? to : low;
			high = all[to] > all[high] ? to : high;
		}
		for (size_t i = from; i < to; i++)
			if (i == from || i == low || i == high || i == to - 1)
				keep[n++] = i;
	}
	return n;
}

/* A band between two sums, with an edge where they change. */
static void put_band(struct chart *c, struct chart_panel *p, const char *title,
	enum theme_color color, const struct timeline *t, const size_t *keep, size_t n,
	const double *below, const double *above)
{
	struct chart_series *s = chart_series(c, p, MARK_BAND, title, color, 2 * n - 1);
	size_t out = 0;

	s->is_solid = true;
	for (size_t i = 0; i < n; i++) {
		size_t before = i ? keep[i - 1] : keep[0];

		for (size_t at = i ? before : keep[i];; at = keep[i]) {
			s->x[out] = t->at[keep[i]] - t->at[0];
			s->lo[out] = below[at];
			s->hi[out] = above[at];
			s->y[out] = (below[at] + above[at]) / 2; /* where its name stands */
			out++;
			if (at == keep[i])
				break;
		}
	}
}

/* torch's categories have a colour each, whatever else there is. */
static enum theme_color color_of(struct span name, size_t k)
{
	static const struct meaning known[] = {
		{ span_in, "parameter", COLOR_SHADE_4 },
		{ span_in, "optimizer_state", COLOR_SHADE },
		{ span_in, "gradient", COLOR_SHADE_6 },
		{ span_in, "activation", COLOR_SHADE_3 },
		{ span_in, "input", COLOR_DATA },
		{ span_in, "temporary", COLOR_SHADE_5 },
		{ span_in, "autograd_detail", COLOR_SHADE_2 },
		{ span_in, "unknown", COLOR_IDLE },
	};

	return (enum theme_color)MEANING_OF(name, known, (int)theme_series(k));
}

ORDER(by_peak, struct category, compare3_down(a->peak, b->peak), a->from < b->from ? -1 : 1)

static void put_stack(struct chart *c, struct chart_panel *p, struct timeline *t)
{
	size_t shown =
		c->look.limit && c->look.limit < CATEGORIES_MAX ? c->look.limit : CATEGORIES_MAX;
	double *below = arena_array(&c->mem, t->nat, sizeof(*below)), *above;
	double *all = arena_array(&c->mem, t->nat, sizeof(*all));
	size_t *keep = arena_array(&c->mem, t->nat, sizeof(*keep));

	for (size_t k = 0; k < t->n; k++)
		add_to(t, &t->v[k], all);
	size_t n = thin(all, t, keep);
	qsort(t->v, t->n, sizeof(*t->v), by_peak);
	shown = MIN(t->n, shown);
	for (size_t k = 0; k < shown; k++, below = above) {
		above = arena_array(&c->mem, t->nat, sizeof(*above));
		memcpy(above, below, t->nat * sizeof(*above));
		add_to(t, &t->v[k], above);
		put_band(c, p, chart_text(c, t->v[k].name), color_of(t->v[k].name, k), t, keep, n,
			below, above);
	}
	if (shown < t->n)
		put_band(c, p, arena_printf(&c->mem, "%zu others", t->n - shown), COLOR_IDLE, t,
			keep, n, below, all);
}

/* The total that the file states: it may know more than its categories. */
static void put_total(struct chart *c, struct chart_panel *p, const struct timeline *t)
{
	size_t n = t->total.to - t->total.from;

	if (n == 0)
		return;
	struct chart_series *s = chart_series(c, p, MARK_STEP, "total", COLOR_BLACK, n + 1);
	s->is_dashed = true;
	for (size_t i = 0; i < n; i++) {
		s->x[i] = time_of(t->r, t->total.from + i) - t->at[0];
		s->y[i] = rows_number(t->r, t->total.from + i, "y");
	}
	/* what it is at its last change it is to the end */
	s->x[n] = t->at[t->nat - 1] - t->at[0];
	s->y[n] = s->y[n - 1];
}

static bool draw_categories(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "points", 0);
	struct timeline t;

	collect(c, &t, &r);
	if (t.n == 0)
		return chart_refuse(c,
			next_category(&r, 0).from < r.n
				? "the memory timeline holds nothing: all of its sizes are 0"
				: "no memory timeline; torch's export_memory_timeline writes one");
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);
	p->x = AXIS("time since the first value", UNIT_NS);
	p->y = AXIS("memory", UNIT_BYTES, .from_zero = true);
	put_stack(c, p, &t);
	put_total(c, p, &t);
	return true;
}

const struct chart_kind chart_kind_memory_categories = {
	.id = "memory-categories",
	.title = "Memory by what it holds",
	.doc = "Bytes of parameters, gradients, activations and other categories over time, on each "
	       "other, from a memory timeline of torch: the one with the highest peak at the bottom; "
	       "dashed: all of them together, as the file has it.",
	.source = "HTA and torch, memory timeline",
	.ask = { points_ask },
	.draw = draw_categories,
};
