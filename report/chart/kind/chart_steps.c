/* Charts of steps: what each was spent on, and how long they took. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char asked[] = "steps --limit=0 --roles";

static const struct bars ledger = {
	.axis = "time in the step",
	.unit = UNIT_NS,
	.is_bare = true,
	.part = {
		{ "compute_ns", "compute", COLOR_COMPUTE },
		{ "exposed_comm_ns", "exposed communication", COLOR_COMM },
		{ "exposed_memcpy_ns", "exposed copies", COLOR_COPY },
		{ "idle_dataloader_ns", "idle: data loader", COLOR_DATA },
		{ "idle_sync_ns", "idle: sync", COLOR_SYNC },
		{ "idle_ns -idle_dataloader_ns -idle_sync_ns -idle_dependency_ns -idle_nothing_ns "
		  "-idle_unknown_ns",
			"idle: the host", COLOR_HOST },
		{ "idle_dependency_ns", "idle: dependency", COLOR_WAIT },
		{ "idle_nothing_ns idle_unknown_ns", "idle: not recorded", COLOR_IDLE },
	},
};

static const struct bars roles = {
	.axis = "time in the step",
	.unit = UNIT_NS,
	.is_bare = true,
	.part = {
		{ "kernel_ns", "kernel", COLOR_COMPUTE },
		{ "memcpy_ns", "memcpy", COLOR_COPY },
		{ "memset_ns", "memset", COLOR_SHADE_3 },
		{ "communication_ns", "communication", COLOR_COMM },
		{ "runtime_ns", "runtime", COLOR_CALL },
		{ "dataloader_ns", "data loader", COLOR_DATA },
		{ "cpu_exec_ns", "CPU", COLOR_HOST },
		{ "other_ns", "other", COLOR_IDLE },
	},
};

/* The rows of one place: of the first table that has any, and of one device where it says. */
static struct chart_rows of_place(
	struct chart *c, const struct chart_rows *all, const struct table *t, double device)
{
	struct chart_rows r = { .result = all->result };

	r.t = arena_array(&c->mem, all->n, sizeof(*r.t));
	r.row = arena_array(&c->mem, all->n, sizeof(*r.row));
	for (size_t i = 0; i < all->n; i++) {
		double d = rows_number(all, i, "device");

		if (all->t[i] != t || (!isnan(device) && !(d == device)))
			continue;
		r.t[r.n] = all->t[i];
		r.row[r.n++] = all->row[i];
	}
	return r;
}

/* A panel of stacked bars for each place. */
static void put_places(struct chart *c, const struct chart_rows *all, const struct bars *b)
{
	c->things = "devices";
	for (size_t i = 0; i < all->n; i++) {
		if (ANY(j, i, rows_same_device(all, i, j)))
			continue;
		struct chart_rows r = of_place(c, all, all->t[i], rows_number(all, i, "device"));
		struct chart_panel *p = bars_panel(c, PANEL_BARS, &r, b);
		p->title = rows_place(c, all, i);
		p->alike = "step";
		chart_name_steps(c, p, &r);
	}
	c->ncol = c->npanel > 2 ? 2 : 1;
}

static bool draw_ledger(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "steps", 0);
	if (ALL(i, r.n, isnan(rows_number(&r, i, "idle_ns"))))
		return chart_refuse(c, r.n ? "no GPU events in the steps" : "no steps");
	put_places(c, &r, &ledger);
	return true;
}

const struct chart_kind chart_kind_step_ledger = {
	.id = "step-ledger",
	.title = "Where each step went on the GPU",
	.doc = "Each step as compute, exposed communication, exposed copies and idle time by what "
	       "the GPU waited for, which add up to the step; a panel for each GPU.",
	.source = "docs/definitions.md, ledger",
	.ask = { asked },
	.draw = draw_ledger,
};

static bool draw_roles(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "step_roles", 0);

	if (r.n == 0)
		return chart_refuse(c, "no steps");
	put_places(c, &r, &roles);
	return true;
}

const struct chart_kind chart_kind_step_breakdown = {
	.id = "step-breakdown",
	.title = "Each step by role",
	.doc = "Each step's time by eight roles; every instant counts for the first that applies, "
	       "so they add up to the step.",
	.source = "torch_tb_profiler, step time breakdown",
	.ask = { asked },
	.draw = draw_roles,
};

/* ---- how long they took ---- */

enum { DOTS_MAX = 60, P95_MIN = 20 };

/* The steps of one input: of its first device, since the others repeat them. */
struct walls {
	size_t from, n; /* its first row, and its steps */
	double *x, *y;
	double median;
};

static struct walls walls_of(struct chart *c, const struct chart_rows *r, size_t from)
{
	double device = rows_number(r, from, "device"), *sorted;
	struct walls w = { .from = from };
	size_t to = rows_end(r, from, NULL, 0);

	w.x = arena_array(&c->mem, to - from, sizeof(*w.x));
	w.y = arena_array(&c->mem, to - from, sizeof(*w.y));
	sorted = arena_array(&c->mem, to - from, sizeof(*sorted));
	for (size_t i = from; i < to; i++) {
		double step = rows_number(r, i, "step");

		if (!isnan(device) && !number_same(rows_number(r, i, "device"), device))
			continue;
		w.x[w.n] = isnan(step) ? (double)w.n : step;
		sorted[w.n] = w.y[w.n] = rows_number(r, i, "wall_ns");
		w.n++;
	}
	chart_sort(sorted, w.n);
	w.median = chart_quantile(sorted, w.n, 0.5);
	return w;
}

static void put_line(struct chart *c, struct chart_panel *p, const struct walls *w,
	const char *title, enum theme_color color)
{
	struct chart_series *s =
		chart_series(c, p, w->n > DOTS_MAX ? MARK_LINE : MARK_DOTTED, title, color, w->n);

	memcpy(s->x, w->x, w->n * sizeof(*w->x));
	memcpy(s->y, w->y, w->n * sizeof(*w->y));
}

/* One input: its line, and what its steps are in the middle. */
static void put_one(struct chart *c, struct chart_panel *p, const struct walls *w)
{
	double *y = arena_array(&c->mem, w->n, sizeof(*y));

	put_line(c, p, w, NULL, COLOR_COMPUTE);
	if (w->n < 3)
		return;
	chart_line(c, p, "median", w->median, false);
	if (w->n < P95_MIN)
		return;
	memcpy(y, w->y, w->n * sizeof(*y));
	chart_sort(y, w->n);
	chart_line(c, p, "p95", chart_quantile(y, w->n, 0.95), false);
}

static bool draw_time(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "steps", 0);
	struct walls *w = arena_array(&c->mem, r.n + 1, sizeof(*w));
	size_t n = 0, i;

	if (r.n == 0)
		return chart_refuse(c, "no steps");
	for (size_t from = 0; from < r.n; from = i) {
		i = rows_end(&r, from, NULL, 0);
		w[n++] = walls_of(c, &r, from);
	}
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);
	p->x = AXIS("step", UNIT_COUNT);
	p->y = AXIS("step time", UNIT_NS, .from_zero = true);
	if (n == 1)
		put_one(c, p, &w[0]);
	for (i = 0; n > 1 && i < n; i++)
		put_line(c, p, &w[i], rows_input(c, &r, w[i].from), theme_series(i));
	p->things = n > 1 ? "inputs" : NULL;
	return true;
}

const struct chart_kind chart_kind_step_time = {
	.id = "step-time",
	.title = "Step time",
	.doc = "Wall time of each step, with the median over all of them, and the 95th percentile "
	       "where there are 20 or more. Of several inputs a line each; of more than eight the "
	       "median one, the slowest, the fastest and those that stand out, and a band from the "
	       "shortest to the longest step of the others.",
	.source = "rldk and rlhf-canary, step time",
	.ask = { asked },
	.draw = draw_time,
};

/* ---- a histogram of all ---- */

enum { BINS_MIN = 5, BINS_MAX = 60, STEPS_MIN = 5 };

/* The inputs' steps of known length, once each, though there is a row for each device of an input.
 */
static size_t all_walls(const struct chart_rows *r, double *v, size_t *ninput)
{
	double device = NAN;
	size_t n = 0;

	*ninput = 0;
	for (size_t i = 0; i < r->n; i++) {
		if (i == 0 || r->t[i] != r->t[i - 1]) {
			device = rows_number(r, i, "device");
			++*ninput;
		}
		v[n] = rows_number(r, i, "wall_ns");
		n += !isnan(v[n]) &&
			(isnan(device) || number_same(rows_number(r, i, "device"), device));
	}
	return n;
}

static bool draw_steps(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "steps", 0);
	double *v = arena_array(&c->mem, r.n, sizeof(*v));
	size_t ninput, n = all_walls(&r, v, &ninput);

	if (n < STEPS_MIN)
		return chart_refuse(
			c, "%zu step%s: a histogram wants %d or more", n, plural_s(n), STEPS_MIN);
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);
	p->x = AXIS("step time", UNIT_NS);
	p->y = AXIS("steps", UNIT_COUNT, .from_zero = true);
	double low = v[0], high = v[0];
	size_t bins = CLAMP(saturate_size(ceil(sqrt((double)n))), BINS_MIN, BINS_MAX);
	for (size_t i = 1; i < n; i++) {
		low = MIN(v[i], low);
		high = MAX(v[i], high);
	}
	double width = high > low ? (high - low) / (double)bins : low > 0 ? low / 100 : 1;
	bins = high > low ? bins : 1;
	struct chart_series *s = chart_series(c, p, MARK_BOXES, NULL, COLOR_COMPUTE, bins);
	for (size_t i = 0; i < bins; i++) {
		s->x[i] = low + width * (double)i;
		s->lo[i] = low + width * (double)(i + 1);
		s->y[i] = 0;
	}
	for (size_t i = 0; i < n; i++) {
		size_t bin = saturate_size((v[i] - low) / width);

		s->y[bin < bins ? bin : bins - 1]++;
	}
	if (ninput > 1)
		chart_say(c, arena_printf(&c->mem, "all %zu inputs", ninput));
	return true;
}

const struct chart_kind chart_kind_step_hist = {
	.id = "step-hist",
	.title = "Steps by duration",
	.doc = "How many steps of all inputs took how long, in as many bins as the square root "
	       "of their number, 5 to 60, from the shortest step to the longest. Two heaps are two "
	       "kinds of steps.",
	.source = "rlhf-canary, step time histogram",
	.ask = { asked },
	.draw = draw_steps,
};
