/* Flame graphs: the frames of `stacks`, merged by their paths or in order of time. */
#include "base/unit.h"
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"
#include "report/chart/kind/chart_flame.h"

enum { LANES_MAX = 16 };

/* What frames are, in the order of the key. */
static const struct sort {
	const char *kind, *title;
	enum theme_color color;
} sorts[] = {
	{ "python_function", "Python", COLOR_PYTHON },
	{ "user_annotation", "annotation", COLOR_SHADE_2 },
	{ "cpu_op", "CPU op", COLOR_HOST },
	{ "runtime", "runtime call", COLOR_CALL },
	{ "waits", "thread that only waits", COLOR_IDLE },
	{ "compute", "compute", COLOR_COMPUTE },
	{ "comm", "comm", COLOR_COMM },
	{ "memcpy", "copy, set", COLOR_COPY },
	{ NULL, "several, or none of these", COLOR_IDLE },
};
enum { FUNCTIONS = 0, WAITS = 4, DEVICE_FROM, COPIES = 7, REST = COUNT_OF(sorts) - 1 };

struct flame {
	struct chart_rows rows;
	size_t *base; /* by row of the table: its place from the first row on; SIZE_MAX: not drawn
	               */
	size_t nrow, nlane, hidden;
	double all;
	bool *waits; /* by row: it is of a thread that only waits */
	size_t nwaits;
	bool is_time, is_page;
	enum unit unit; /* what its boxes are wide in */
	const char *at, *length, *total, *self;
};

static size_t sort_of(const struct flame *f, size_t row)
{
	struct span kind = rows_word(&f->rows, row, "kind");

	if (f->waits[row])
		return WAITS;
	if (span_is(kind, "memset"))
		return COPIES;
	if (span_is(kind, "frame"))
		return FUNCTIONS;
	return FIND_VALUE(i, REST, span_is(kind, sorts[i].kind), i, REST);
}

static bool is_lane(const struct flame *f, size_t row)
{
	return number_same(rows_number(&f->rows, row, "depth"), 0);
}

/* Whether what is merged is device work. */
static bool is_of_devices(const struct flame *f)
{
	return ANY(i, f->rows.n, sort_of(f, i) >= DEVICE_FROM && sort_of(f, i) < REST);
}

/* How much of its lane's time the LANES_MAX-th of them has. */
static double least_shown(struct chart *c, const struct flame *f)
{
	double *v = arena_array(&c->mem, f->rows.n, sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < f->rows.n; i++)
		if (is_lane(f, i))
			v[n++] = rows_number(&f->rows, i, f->total);
	if (n <= LANES_MAX)
		return -1;
	chart_sort(v, n);
	return v[n - LANES_MAX];
}

/* All that is on such a lane, or on the frame that such threads have. */
static void find_waits(struct chart *c, struct flame *f)
{
	double from = INFINITY; /* their frame's depth */

	f->waits = arena_array(&c->mem, f->rows.n, sizeof(*f->waits));
	for (size_t i = 0; i < f->rows.n; i++) {
		double depth = rows_number(&f->rows, i, "depth");

		if (depth <= from) {
			bool is = span_is(rows_word(&f->rows, i, "kind"), "waits");

			from = is ? depth : INFINITY;
			f->nwaits +=
				is ? saturate_size(rows_number(&f->rows, i, "waiting_threads")) : 0;
		}
		f->waits[i] = depth >= from;
	}
}

/* The rows of a lane come together, the lane itself first. */
static void place(struct chart *c, struct flame *f)
{
	double least = least_shown(c, f);
	size_t base = 0;
	bool is_shown = false;

	f->base = arena_array(&c->mem, f->rows.n, sizeof(*f->base));
	for (size_t i = 0; i < f->rows.n; i++) {
		double depth = rows_number(&f->rows, i, "depth");
		double right =
			rows_number(&f->rows, i, f->at) + rows_number(&f->rows, i, f->length);

		if (is_lane(f, i)) {
			base = f->nrow;
			is_shown =
				f->nlane < LANES_MAX && rows_number(&f->rows, i, f->total) >= least;
			f->nlane += is_shown;
			f->hidden += !is_shown;
		}
		f->base[i] = is_shown && depth >= 0 ? base + saturate_size(depth) : SIZE_MAX;
		f->all = MAX(right, f->all);
		if (f->base[i] != SIZE_MAX && f->base[i] + 1 > f->nrow)
			f->nrow = f->base[i] + 1;
	}
}

static void put_amount(struct str *b, const struct flame *f, double v)
{
	if (f->unit == UNIT_COUNT)
		str_addf(b, "%.0f sample%s", v, v > 1 || v < 1 ? "s" : "");
	else if (f->unit == UNIT_BYTES)
		unit_put_bytes(b, v);
	else
		unit_put_time(b, v);
}

static bool is_several(const struct flame *f, size_t row)
{
	return span_is(rows_word(&f->rows, row, "kind"), "narrow");
}

/* Of several how many, by itself. */
static const char *inside_of(struct chart *c, const struct flame *f, size_t row)
{
	if (is_several(f, row))
		return arena_printf(&c->mem, "%.0f", rows_number(&f->rows, row, "merged"));
	return chart_text(c, rows_word(&f->rows, row, "name"));
}

/* A frame where a page says the rest: "aten::mm". */
static const char *page_title_of(struct chart *c, const struct flame *f, size_t row)
{
	return is_several(f, row) ? "(narrow frames)"
				  : chart_text(c, rows_word(&f->rows, row, "name"));
}

/* "aten::mm: 12.3 ms, 4.5%, 17 calls, self 1.2 ms": all that is known of a frame. */
static const char *title_of(struct chart *c, const struct flame *f, size_t row)
{
	double total = rows_number(&f->rows, row, f->total);
	double calls = rows_number(&f->rows, row, "calls");
	double frames = rows_number(&f->rows, row, "merged");
	struct span name = rows_word(&f->rows, row, "name");
	SCOPED_STR b = { 0 };

	str_add(&b, name.p, name.n);
	str_adds(&b, ": ");
	put_amount(&b, f, total);
	str_adds(&b, ", ");
	unit_put_percent(&b, f->all > 0 ? total / f->all : 0);
	if (calls > 0)
		str_addf(&b, ", %.0f call%s", calls, calls > 1 ? "s" : "");
	str_adds(&b, ", self ");
	put_amount(&b, f, rows_number(&f->rows, row, f->self));
	if (frames > 1 && !is_several(f, row))
		str_addf(&b, ", %.0f frames", frames);
	return chart_text(c, (struct span){ b.s, b.n });
}

/* What a page merges it under; NULL: it stays by itself. */
static const char *layer_of(struct chart *c, const struct flame *f, size_t row)
{
	struct span layer = rows_word(&f->rows, row, "layer");

	return layer.n ? chart_text(c, layer) : NULL;
}

static void put_tiles(struct chart *c, struct chart_panel *p, const struct flame *f, size_t sort)
{
	size_t n = SUM(size_t, i, f->rows.n, f->base[i] != SIZE_MAX && sort_of(f, i) == sort);

	if (n == 0)
		return;
	struct chart_series *s = chart_series(c, p, MARK_TILE,
		sort == FUNCTIONS && f->unit != UNIT_NS ? "function" : sorts[sort].title,
		sorts[sort].color, n);
	s->is_waiting = sort == WAITS;
	s->more = arena_array(&c->mem, n, sizeof(*s->more));
	for (size_t i = n = 0; i < f->rows.n; i++) {
		if (f->base[i] == SIZE_MAX || sort_of(f, i) != sort)
			continue;
		s->x[n] = rows_number(&f->rows, i, f->at);
		s->lo[n] = s->x[n] + rows_number(&f->rows, i, f->length);
		s->y[n] = (double)f->base[i];
		if (c->look.is_page)
			s->more[n] = layer_of(c, f, i);
		s->inside[n] = inside_of(c, f, i);
		s->label[n++] = c->look.is_page ? page_title_of(c, f, i) : title_of(c, f, i);
	}
}

void flame_note_quiet(struct chart *c, const struct chart_rows *r, size_t from, size_t to)
{
	double n = 0, rows = 0, waits = rows_number(r, from, "waiting_threads");

	for (size_t i = from; i < to; i++) {
		double layers = rows_number(r, i, "layers");

		n += layers > 1 ? layers : 0;
		rows += layers > 1;
	}
	if (n > 0)
		chart_note(c, "%.0f frames of layers that differ in a number are %.0f", n, rows);
	if (waits > 0)
		chart_note(c, "%.0f thread%s not shown", waits,
			waits > 1 ? "s that only wait are" : " that only waits is");
}

static void put_notes(struct chart *c, const struct flame *f)
{
	double n = 0, rows = 0;

	for (size_t i = 0; i < f->rows.n; i++) {
		double frames = rows_number(&f->rows, i, "merged");

		n += frames > 1 ? frames : 0;
		rows += frames > 1;
	}
	if (n > 0)
		chart_note(c,
			"%.0f frames narrower than a part in %s are %.0f with their "
			"neighbours",
			n, f->is_page ? f->is_time ? "500,000" : "50,000" : "2000", rows);
	flame_note_quiet(c, &f->rows, 0, f->rows.n);
	if (f->hidden)
		chart_note(c, "the %zu threads and streams with the most time; %zu have less",
			f->nlane, f->hidden);
}

static bool draw(const struct answers *in, struct chart *c, const char *ask)
{
	static const struct {
		enum unit unit;
		const char *at, *length, *total, *self, *word;
	} units[] = {
		{ UNIT_NS, "at_ns", "length_ns", "total_ns", "self_ns", NULL },
		{ UNIT_BYTES, "at_bytes", "length_bytes", "total_bytes", "self_bytes", "bytes" },
		{ UNIT_COUNT, "at_samples", "length_samples", "total_samples", "self_samples",
			"samples" },
	};
	struct flame f = { .rows = chart_rows_of_first(c, in, ask, "frames", 0) };

	if (f.rows.n == 0)
		return chart_refuse(c, "no frames");
	f.is_page = c->look.is_page;
	f.is_time = rows_word(&f.rows, 0, "lane").n > 0;
	size_t u = FIRST(i, COUNT_OF(units) - 1, !isnan(rows_number(&f.rows, 0, units[i].total)));
	f.unit = units[u].unit;
	f.at = units[u].at;
	f.length = units[u].length;
	f.total = units[u].total;
	f.self = units[u].self;
	find_waits(c, &f);
	place(c, &f);
	struct chart_panel *p = chart_panel(c, PANEL_FLAME, NULL);
	p->x = AXIS(f.is_time               ? "time since the first call"
			: units[u].word     ? units[u].word
			: is_of_devices(&f) ? "GPU time"
					    : "time on the stack",
		f.unit, .from_zero = true, .at_least = f.all);
	p->nrow = f.nrow;
	p->is_icicle = f.is_time;
	p->waiting = f.nwaits;
	if (f.is_time)
		c->title = "Flame chart: calls in order of time";
	for (size_t i = 0; i < COUNT_OF(sorts); i++)
		put_tiles(c, p, &f, i);
	put_notes(c, &f);
	return true;
}

const struct chart_kind chart_kind_flame = {
	.id = "flame",
	.title = "Flame graph",
	.doc = "Each box is a function, an operator, a call or a kernel, as wide as the time "
	       "it was on the stack, on the one that called it: all calls of the same path are "
	       "one box, the widest to the left; the order from left to right means nothing. "
	       "'traceq stacks TRACE -o x.svg' draws the same, with its options: --metric device, "
	       "-f, --steps. In SVG and HTML a pointer over a box shows its name, time, share "
	       "and calls.",
	.source = "Brendan Gregg, FlameGraph",
	.ask = { "stacks --order=merged" },
	.page_ask = { "stacks --order=merged --narrowest=50000 --no-merge-layers --waits=apart" },
	.answer = "stacks",
	.draw = draw,
};

const struct chart_kind chart_kind_flame_chart = {
	.id = "flame-chart",
	.title = "Flame chart: calls in order of time",
	.doc = "Each box is a call at its place in time, below the one that called it; threads and "
	       "streams below each other. What is narrower than a part in 2000 is one box with its "
	       "neighbours, which says how many they are. --steps looks at some steps. 'traceq "
	       "stacks TRACE --order time -o x.svg' draws the same.",
	.source = "Chrome DevTools, flame chart",
	.ask = { "stacks --order=time" },
	.page_ask = { "stacks --order=time --narrowest=500000 --waits=apart" },
	.draw = draw,
};

const struct chart_kind chart_kind_flame_sampled = {
	.id = "flame-sampled",
	.title = "Flame graph of the sampled profile",
	.doc = "Stacks of a sampling profiler (py-spy) that lies beside the trace, as `flame` draws "
	       "those of the trace.",
	.source = "Brendan Gregg, FlameGraph; py-spy record",
	.ask = { "stacks --source=samples --order=merged" },
	.page_ask = { "stacks --source=samples --order=merged --narrowest=50000" },
	.draw = draw,
};
