/* The roofline chart: what ops achieve by what they have to compute for each byte, below what the
 * device can do. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

enum { MARKS_MAX = 150, LEAST_OF = 150 /* a smaller disc would be too small to see */ };

static const double TERA = 1e12, ROOM_LEFT = 2, ROOM_RIGHT = 8, ROOM_ABOVE = 3, SLOWEST = 0.01,
		    ALMOST_ALL = 0.9995;

/* Sorts of ops by their classes.  What is in none is the last. */
static const struct disc_sort families[] = {
	{ "matmul", "matmul", COLOR_COMPUTE },
	{ "convolution", "convolution", COLOR_SHADE_6 },
	{ "attention", "attention", COLOR_SHADE_3 },
	{ "normalisation", "normalisation", COLOR_SHADE },
	{ "elementwise", "elementwise", COLOR_SHADE_4 },
	{ "fused kernel", "fused kernel", COLOR_SHADE_2 },
	{ "copy", "copy", COLOR_COPY },
	{ "", "other", COLOR_IDLE },
};
static const struct discs ops = { "intensity", "tflop_per_s", "busy_ns", families,
	COUNT_OF(families) };

/* ---- roofs ---- */

/* The table of peaks of the first input. */
struct roofs {
	struct chart_rows r;
	double low, high; /* operations a byte from end to end of what is drawn */
};

static bool is_alike(const struct chart_rows *r, size_t i, size_t k, const char *key)
{
	return span_eq(rows_word(r, i, key), rows_word(r, k, key));
}

/* Two rows are one roof: the same figure of the same device. */
static bool is_one_roof(const struct chart_rows *r, size_t i, size_t k)
{
	return is_alike(r, i, k, "name") && rows_same(r, i, k, "peak_tflop_per_s");
}

/* The memory's bytes a second of the device of row i. */
static double memory_of(const struct chart_rows *r, size_t i)
{
	for (size_t k = 0; k < r->n; k++)
		if (is_alike(r, i, k, "name") && !isnan(rows_number(r, k, "peak_bytes_per_s")))
			return rows_number(r, k, "peak_bytes_per_s");
	return NAN;
}

/* The highest peak of the units of that device; 0: none is known. */
static double units_of(const struct chart_rows *r, size_t i)
{
	double most = 0;

	for (size_t k = 0; k < r->n; k++)
		if (is_alike(r, i, k, "name") && rows_number(r, k, "peak_tflop_per_s") > most)
			most = rows_number(r, k, "peak_tflop_per_s");
	return most;
}

/* "bf16, fp16 matrix": the formats of a roof, and the units where they are of one kind. */
static void put_formats(struct str *b, const struct chart_rows *r, size_t i)
{
	bool is_mixed = false;

	for (size_t k = i; k < r->n; k++) {
		struct span dtype = rows_word(r, k, "dtype");

		if (!is_one_roof(r, i, k))
			continue;
		is_mixed |= !is_alike(r, i, k, "what");
		if (FIRST_FROM(j, i, k, is_one_roof(r, i, j) && is_alike(r, j, k, "dtype")) == k)
			str_addf(b, "%s%.*s", k > i ? ", " : "", (int)dtype.n, dtype.p);
	}
	if (!is_mixed)
		str_addf(b, " %.*s", (int)rows_word(r, i, "what").n, rows_word(r, i, "what").p);
}

static const char *roof_title(struct chart *c, const struct chart_rows *r, size_t i, bool is_named)
{
	double tflop = rows_number(r, i, "peak_tflop_per_s");
	struct span device = rows_word(r, i, "name");
	SCOPED_STR b = { 0 };

	if (is_named)
		str_addf(&b, "%.*s ", (int)device.n, device.p);
	if (isnan(tflop)) {
		str_addf(&b, "memory %s",
			chart_figure(c, rows_number(r, i, "peak_bytes_per_s"), UNIT_BYTES_PER_S));
	} else {
		put_formats(&b, r, i);
		str_addf(&b, " %.4g TFLOP/s", tflop);
	}
	return chart_text(c, (struct span){ b.s, b.n });
}

/* From the memory's line to the right end, or of the memory from the left end to the highest. */
static void put_roof(
	struct chart *c, struct chart_panel *p, const struct roofs *o, size_t i, bool is_named)
{
	const struct chart_rows *r = &o->r;
	double tflop = rows_number(r, i, "peak_tflop_per_s"), bytes = memory_of(r, i) / TERA;
	double most = units_of(r, i);
	struct chart_series *s =
		chart_series(c, p, MARK_LINE, roof_title(c, r, i, is_named), COLOR_BLACK, 2);

	if (isnan(tflop)) {
		s->x[0] = o->low;
		s->x[1] = most > 0 ? most / bytes : o->high;
		s->y[0] = s->x[0] * bytes;
		s->y[1] = s->x[1] * bytes;
	} else {
		s->x[0] = isnan(bytes) ? o->low : tflop / bytes;
		s->x[1] = o->high;
		s->y[0] = s->y[1] = tflop;
	}
}

static void put_roofs(struct chart *c, struct chart_panel *p, const struct roofs *o)
{
	bool is_named = false;

	for (size_t i = 1; i < o->r.n; i++)
		is_named |= !is_alike(&o->r, 0, i, "name");
	for (size_t i = 0; i < o->r.n; i++)
		if (!ANY(k, i, is_one_roof(&o->r, i, k)))
			put_roof(c, p, o, i, is_named);
	if (o->r.n == 0)
		chart_note(c,
			"no roofs: no peaks are known of the GPU ('peak' in traceq.yaml says "
			"them)");
	else if (!is_named)
		chart_say(c, chart_text(c, rows_word(&o->r, 0, "name")));
}

/* ---- marks ---- */

static bool is_mark(const struct chart_rows *r, size_t i, bool has_roofs)
{
	return rows_number(r, i, "intensity") > 0 && rows_number(r, i, "tflop_per_s") > 0 &&
		rows_number(r, i, "busy_ns") > 0 && (!has_roofs || rows_word(r, i, "bound").n > 0);
}

struct mark_at {
	double busy, tflop;
	size_t row;
};

/* By time, the longest first; then as in the table. */
ORDER(by_time, struct mark_at, compare3_down(a->busy, b->busy), compare3(a->row, b->row))

/* Leaves out the slowest that have no more than SLOWEST of the time: their decades would be empty.
 */
static size_t drop_slowest(struct mark_at *at, size_t n)
{
	double slower, least = 0;
	size_t kept = 0, k;
	double all = SUM(double, i, n, at[i].busy);

	for (EACH(const struct mark_at, ma, at, n)) {
		for (slower = 0, k = 0; k < n; k++)
			slower += at[k].tflop <= ma->tflop ? at[k].busy : 0;
		if (slower <= SLOWEST * all && ma->tflop > least)
			least = ma->tflop;
	}
	for (size_t i = 0; i < n; i++)
		if (at[i].tflop > least)
			at[kept++] = at[i];
	return kept;
}

/*
 * The rows that are drawn, the longest first, none with less than a part in LEAST_OF of its time.
 */
static struct chart_rows list_marks(struct chart *c, const struct chart_rows *r, bool has_roofs)
{
	struct mark_at *at = arena_array(&c->mem, r->n, sizeof(*at));
	struct chart_rows marks = { .result = r->result };
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++)
		if (is_mark(r, i, has_roofs))
			at[n++] = (struct mark_at){ rows_number(r, i, "busy_ns"),
				rows_number(r, i, "tflop_per_s"), i };
	qsort(at, n, sizeof(*at), by_time);
	while (n > 0 && at[n - 1].busy * LEAST_OF < at[0].busy)
		n--;
	marks.n = drop_slowest(at, MIN(n, MARKS_MAX));
	marks.t = arena_array(&c->mem, marks.n, sizeof(*marks.t));
	marks.row = arena_array(&c->mem, marks.n, sizeof(*marks.row));
	for (size_t i = 0; i < marks.n; i++) {
		marks.t[i] = r->t[at[i].row];
		marks.row[i] = r->row[at[i].row];
	}
	return marks;
}

/* The lowest and the highest intensity, those where roofs meet, too, with room for names. */
static void set_ends(struct roofs *o, const struct chart_rows *marks)
{
	o->low = INFINITY;
	o->high = 0;
	for (size_t i = 0; i < marks->n + o->r.n; i++) {
		double v = i < marks->n ? rows_number(marks, i, "intensity")
					: rows_number(&o->r, i - marks->n, "ridge");

		o->low = MIN(v, o->low);
		o->high = MAX(v, o->high);
	}
	o->low /= ROOM_LEFT;
	o->high *= o->r.n > 0 ? ROOM_RIGHT : ROOM_LEFT;
}

static void say_share(struct chart *c, const struct chart_rows *marks)
{
	double share = SUM(double, i, marks->n, rows_number(marks, i, "share_ratio"));

	chart_note(c, "areas are GPU time; %.1f%% of all of it is shown%s", 100 * share,
		share < ALMOST_ALL ? ", the rest computes nothing or is not known" : "");
}

static bool draw_roofline(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows_of_first(c, in, ask, "ops", 0);
	struct roofs o = { .r = chart_rows_of_first(c, in, ask, "peaks", 0) };
	struct chart_rows marks = list_marks(c, &r, o.r.n > 0);

	if (marks.n == 0)
		return chart_refuse(c,
			r.n ? "no op of which operations and bytes are known; "
			      "'traceq roofline' says why"
			    : "no GPU events");
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);
	p->x = AXIS("operations for each byte", UNIT_NONE, .word = "FLOP/byte", .is_log = true);
	p->y = AXIS("achieved", UNIT_NONE, .word = "TFLOP/s", .is_log = true);
	set_ends(&o, &marks);
	for (size_t i = 0; i < o.r.n; i++)
		p->y.at_least = fmax(p->y.at_least, ROOM_ABOVE * units_of(&o.r, i));
	put_roofs(c, p, &o);
	(void)chart_discs(c, p, &marks, &ops);
	say_share(c, &marks);
	return true;
}

const struct chart_kind chart_kind_roofline = {
	.id = "roofline",
	.title = "Ops below the roofs of the GPU",
	.doc = "What ops and their shapes achieve (up) by what they have to compute for each "
	       "byte that they have to move (right), both logarithmic; a disc for each of the "
	       "150 with most time, as far as they could be seen (the slowest with together 1% "
	       "of it are left out); its area is their GPU time. Rising line: what the memory "
	       "allows; level ones: what the units can do in the formats in use. A large disc "
	       "far below its roof is where a better kernel pays. Without peaks of the GPU "
	       "there are no roofs.",
	.source = "Williams, Waterman and Patterson 2009",
	.ask = { "roofline --limit=0 --sort=above" },
	.draw = draw_roofline,
};
