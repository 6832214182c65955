/* Panels of many ranks: the same axes, those that differ by name, the rest together. */
#include "report/chart/figures.h"

/* ---- bars ---- */

/* The bars of one sort, by their places in the panel. */
struct heap {
	size_t *at, n;
	struct figures f;
};

static bool is_of_sort(const struct chart_panel *p, size_t i, size_t of)
{
	return !p->sort || p->sort[i] == p->sort[of];
}

static struct heap heap_of(struct chart *c, const struct chart_panel *p, size_t first)
{
	bool is_stack = p->is_stacked && p->nseries > 1;
	struct heap h = { .n = 0 };

	h.at = arena_array(&c->mem, p->nname, sizeof(*h.at));
	for (size_t i = first; i < p->nname; i++)
		if (is_of_sort(p, i, first))
			h.at[h.n++] = i;
	figures_init(c, &h.f, is_stack ? p->nseries + 1 : 1, h.n, p->y.unit);
	for (size_t i = 0; i < h.n; i++) {
		h.f.name[i] = p->whole[h.at[i]];
		for (size_t j = 0; is_stack && j < p->nseries; j++) {
			figures_put(&h.f, i, j, p->series[j].y[h.at[i]]);
			h.f.title[j + 1] = p->series[j].title;
		}
		if (!is_stack)
			h.f.v[i] = p->series[0].y[h.at[i]];
	}
	figures_judge(c, &h.f);
	return h;
}

/* Bars that stay, and their values. */
struct kept {
	size_t n;
	const char **name;
	double **y; /* of each series */
};

static void keep_bar(
	struct chart *c, struct kept *k, const struct chart_panel *p, size_t i, const char *why)
{
	k->name[k->n] = why ? arena_printf(&c->mem, "%s: %s", p->whole[i], why) : p->whole[i];
	for (size_t j = 0; j < p->nseries; j++)
		k->y[j][k->n] = p->series[j].y[i];
	k->n++;
}

static void keep_heap(struct chart *c, struct kept *k, const struct chart_panel *p,
	const struct heap *h, size_t most)
{
	bool *is_picked = arena_array(&c->mem, h->n, sizeof(*is_picked));

	(void)standings_pick(&h->f.s, most, is_picked);
	for (size_t i = 0; i < h->n; i++)
		if (is_picked[i])
			keep_bar(c, k, p, h->at[i], figures_word(&h->f, i));
	/* The mean of all bars that do not stay. */
	size_t nrest = SUM(size_t, i, h->n, !is_picked[i]);
	if (nrest == 0)
		return;
	k->name[k->n] = arena_printf(&c->mem, "mean of the other %zu", nrest);
	for (size_t j = 0; j < p->nseries; j++) {
		double sum = 0, n = 0;

		for (size_t i = 0; i < h->n; i++) {
			double v = is_picked[i] ? NAN : p->series[j].y[h->at[i]];

			sum += isnan(v) ? 0 : v;
			n += isnan(v) ? 0 : 1;
		}
		k->y[j][k->n] = n > 0 ? sum / n : NAN;
	}
	k->n++;
}

static size_t most_of(const struct chart_panel *p)
{
	return p->most ? p->most : CHART_ROWS_MAX;
}

/* As many bars as there is room for, of each sort those that differ and the mean of the others. */
static void cut_panel(struct chart *c, struct chart_panel *p, const struct heap *h, size_t nheap)
{
	size_t most = most_of(p) / nheap;
	struct kept k = { .n = 0 };

	k.name = arena_array(&c->mem, p->nname + nheap, sizeof(*k.name));
	k.y = arena_array(&c->mem, p->nseries + 1, sizeof(*k.y));
	for (size_t j = 0; j < p->nseries; j++)
		k.y[j] = arena_array(&c->mem, p->nname + nheap, sizeof(double));
	for (size_t i = 0; i < nheap; i++)
		keep_heap(c, &k, p, &h[i], most > STANDING_MIN ? most - 1 : STANDING_MIN);
	chart_note(c, "%zu of %zu %s", k.n - nheap, p->nname, p->things);
	p->name = p->brief = p->whole = k.name;
	p->nname = k.n;
	for (size_t j = 0; j < p->nseries; j++) {
		p->series[j].y = k.y[j];
		p->series[j].n = k.n;
	}
}

static void compare_panel(struct chart *c, struct chart_panel *p, bool *is_said)
{
	struct heap *h = arena_array(&c->mem, p->nname + 1, sizeof(*h));
	size_t n = 0;

	for (size_t i = 0; i < p->nname; i++)
		if (!ANY(k, i, is_of_sort(p, k, i)))
			h[n++] = heap_of(c, p, i);
	for (size_t i = 0; i < n && !*is_said; i++)
		*is_said = figures_say(c, &h[i].f);
	if (p->nname > most_of(p))
		cut_panel(c, p, h, n);
}

static void compare_rows(struct chart *c)
{
	bool is_said = c->note != NULL; /* the chart knows better */

	for (size_t i = 0; i < c->npanel; i++)
		if (c->panel[i].kind == PANEL_ROWS && c->panel[i].things && c->panel[i].nseries > 0)
			compare_panel(c, &c->panel[i], &is_said);
}

/* ---- lines in one panel ---- */

enum { LINES_MAX = 8 };

/* At each point of the middle line, from the lowest to the highest of those that do not stay. */
static struct chart_series band_of(struct chart *c, const struct chart_panel *p,
	const struct chart_series *like, const bool *is_picked)
{
	struct chart_panel scratch = { .kind = PANEL_XY };
	struct chart_series *s =
		chart_series(c, &scratch, MARK_BAND, "the others", COLOR_BLACK, like->n);

	for (size_t k = 0; k < like->n; k++) {
		s->x[k] = like->x[k];
		for (size_t i = 0; i < p->nseries; i++) {
			double v = is_picked[i] ? NAN : figures_at(&p->series[i], s->x[k]);

			s->lo[k] = isnan(s->lo[k]) || v < s->lo[k] ? v : s->lo[k];
			s->hi[k] = isnan(s->hi[k]) || v > s->hi[k] ? v : s->hi[k];
		}
	}
	return *s;
}

/* The band first, so that the lines lie on it.  These get the colours of few lines. */
static void cut_lines(struct chart *c, struct chart_panel *p, const struct figures *f)
{
	bool *is_picked = arena_array(&c->mem, p->nseries, sizeof(*is_picked));
	struct chart_series *kept = arena_array(&c->mem, LINES_MAX + 1, sizeof(*kept));
	size_t n = 0;

	if (f->s.nknown == 0)
		return;
	(void)standings_pick(&f->s, LINES_MAX, is_picked);
	kept[n++] = band_of(c, p, &p->series[standings_middle(&f->s)], is_picked);
	for (size_t i = 0; i < p->nseries; i++) {
		const char *word = figures_word(f, i);

		if (!is_picked[i])
			continue;
		kept[n] = p->series[i];
		kept[n].color = theme_series(n - 1);
		if (word)
			kept[n].title = arena_printf(&c->mem, "%s: %s", f->name[i], word);
		n++;
	}
	chart_note(c, "%zu of %zu %s, a band of the others", n - 1, p->nseries, p->things);
	p->series = kept;
	p->nseries = p->cap = n;
}

static void compare_lines(struct chart *c)
{
	bool is_said = c->note != NULL;

	for (EACH(struct chart_panel, p, c->panel, c->npanel)) {
		struct figures f;

		if (p->kind != PANEL_XY || !p->things)
			continue;
		figures_init(c, &f, 1, p->nseries, p->y.unit);
		f.title[0] = p->title;
		for (size_t i = 0; i < p->nseries; i++) {
			f.name[i] = p->series[i].title ? p->series[i].title : "";
			f.v[i] = figures_mean(&p->series[i]);
		}
		figures_judge(c, &f);
		is_said = is_said || figures_say(c, &f);
		if (p->nseries > LINES_MAX)
			cut_lines(c, p, &f);
	}
}

/* ---- charts ---- */

enum { GROUP_MIN = 3, GRID = 240 };

/* The panels that are alike, by their places in the chart. */
struct group {
	size_t *at, n;
	struct figures f;
	bool *is_picked; /* of them */
};

static bool is_like(const struct chart_panel *p, const struct chart_panel *q)
{
	return p->alike && q->alike && p->kind == q->kind && strcmp(p->alike, q->alike) == 0;
}

static struct group group_of(struct chart *c, size_t first)
{
	struct group g = { .n = 0 };

	g.at = arena_array(&c->mem, c->npanel, sizeof(*g.at));
	for (size_t i = first; i < c->npanel; i++)
		if (is_like(&c->panel[i], &c->panel[first]))
			g.at[g.n++] = i;
	return g;
}

static bool is_first_of_group(const struct chart *c, size_t i)
{
	return !ANY(k, i, is_like(&c->panel[k], &c->panel[i])) && c->panel[i].alike != NULL;
}

static void widen(struct chart_range *r, double min, double max)
{
	r->min = r->is_set && r->min < min ? r->min : min;
	r->max = r->is_set && r->max > max ? r->max : max;
	r->is_set = true;
}

static void put_figures(struct figures *f, size_t i, const struct chart_panel *p)
{
	f->name[i] = p->title ? p->title : "";
	if (p->kind == PANEL_XY) {
		f->v[i] = p->judged < p->nseries ? figures_mean(&p->series[p->judged]) : NAN;
		f->title[0] = p->judged < p->nseries ? p->series[p->judged].title : NULL;
		return;
	}
	for (size_t j = 0; j < p->nseries && j + 1 < f->nrow; j++) {
		figures_put(f, i, j, figures_mean(&p->series[j]));
		f->title[j + 1] = p->series[j].title;
	}
}

static void compare_group(struct chart *c, struct group *g)
{
	const struct chart_panel *first = &c->panel[g->at[0]];

	figures_init(
		c, &g->f, first->kind == PANEL_XY ? 1 : first->nseries + 1, g->n, first->y.unit);
	for (size_t i = 0; i < g->n; i++)
		put_figures(&g->f, i, &c->panel[g->at[i]]);
	figures_judge(c, &g->f);
}

/* All panels of a few; of many those picked, who say why, and for bars room for one more. */
static void pick_group(struct chart *c, struct group *g, size_t most)
{
	const struct standings *s = &g->f.s;
	bool is_cut = g->n > most, is_bars = c->panel[g->at[0]].kind == PANEL_BARS;

	g->is_picked = arena_array(&c->mem, g->n, sizeof(*g->is_picked));
	if (is_cut)
		(void)standings_pick(s, is_bars ? most - 1 : most, g->is_picked);
	for (size_t i = 0; i < g->n; i++) {
		struct chart_panel *p = &c->panel[g->at[i]];
		const char *word = figures_word(&g->f, i);

		g->is_picked[i] |= !is_cut;
		if (word && (is_cut || standings_is_out(s, i)))
			p->title = arena_printf(&c->mem, "%s: %s", p->title ? p->title : "", word);
	}
}

/* ---- the rest of many panels ---- */

/* From the lowest to the highest of those that are not picked, in each panel that is. */
static void put_band(struct chart *c, const struct group *g)
{
	struct chart_panel *one = &c->panel[g->at[0]];
	double *x = arena_array(&c->mem, GRID, sizeof(*x)), *lo, *hi;

	lo = arena_array(&c->mem, GRID, sizeof(*lo));
	hi = arena_array(&c->mem, GRID, sizeof(*hi));
	for (size_t k = 0; k < GRID; k++) {
		x[k] = one->x_all.min + (one->x_all.max - one->x_all.min) * (double)k / (GRID - 1);
		lo[k] = hi[k] = NAN;
		for (size_t i = 0; i < g->n; i++) {
			const struct chart_panel *p = &c->panel[g->at[i]];
			double v = g->is_picked[i] || p->judged >= p->nseries
				? NAN
				: figures_at(&p->series[p->judged], x[k]);

			lo[k] = isnan(lo[k]) || v < lo[k] ? v : lo[k];
			hi[k] = isnan(hi[k]) || v > hi[k] ? v : hi[k];
		}
	}
	for (size_t i = 0; i < g->n; i++) {
		if (!g->is_picked[i])
			continue;
		struct chart_series *band = chart_series(
			c, &c->panel[g->at[i]], MARK_BAND, "the others", COLOR_BLACK, GRID);
		memcpy(band->x, x, GRID * sizeof(*x));
		memcpy(band->lo, lo, GRID * sizeof(*lo));
		memcpy(band->hi, hi, GRID * sizeof(*hi));
	}
}

/* Mean of bars of a name, part j, over the panels that are not picked. */
static double mean_bar(const struct chart *c, const struct group *g, size_t j, const char *name)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < g->n; i++) {
		const struct chart_panel *p = &c->panel[g->at[i]];

		if (g->is_picked[i] || j >= p->nseries)
			continue;
		size_t k = FIRST(w, p->nname, strcmp(p->whole[w], name) == 0);
		if (k == p->nname)
			continue;
		sum += isnan(p->series[j].y[k]) ? 0 : p->series[j].y[k];
		n++;
	}
	return n > 0 ? sum / n : NAN;
}

/* A panel of bars behind all others: the means of those that are not picked. */
static void put_mean(struct chart *c, const struct group *g, size_t nrest)
{
	const struct chart_panel like = c->panel[g->at[standings_middle(&g->f.s)]];
	struct chart_panel mean = like;

	mean.title = arena_printf(&c->mem, "mean of the other %zu", nrest);
	mean.alike = NULL;
	mean.series = arena_array(&c->mem, like.nseries, sizeof(*mean.series));
	for (size_t j = 0; j < like.nseries; j++) {
		mean.series[j] = like.series[j];
		mean.series[j].y = arena_array(&c->mem, like.nname, sizeof(double));
		for (size_t k = 0; k < like.nname; k++)
			mean.series[j].y[k] = mean_bar(c, g, j, like.whole[k]);
	}
	*chart_panel(c, PANEL_BARS, NULL) = mean;
}

static void put_rest(struct chart *c, const struct group *g)
{
	size_t nrest = SUM(size_t, i, g->n, !g->is_picked[i]);

	if (nrest == 0)
		return;
	if (c->panel[g->at[0]].kind == PANEL_XY)
		put_band(c, g);
	else
		put_mean(c, g, nrest);
}

static bool has_band(const struct chart *c)
{
	const struct chart_panel *p = &c->panel[0];

	return p->nseries > 0 && p->series[p->nseries - 1].mark == MARK_BAND;
}

/* ---- a chart ---- */

/* The panels of a group stay as they are, or those that are picked and the rest together.  Returns
 * whether somebody is said to stand out, now or before. */
static bool compare_panels(struct chart *c, size_t first, size_t most, bool *stays, bool is_said)
{
	struct group g = group_of(c, first);

	struct chart_range x = { 0 }, y = { 0 };
	double min, max;
	for (size_t i = 0; i < g.n; i++) {
		if (chart_range_x(&c->panel[g.at[i]], &min, &max))
			widen(&x, min, max);
		if (chart_range_y(&c->panel[g.at[i]], &min, &max))
			widen(&y, min, max);
	}
	for (size_t i = 0; g.n > 1 && i < g.n; i++) {
		c->panel[g.at[i]].x_all = x;
		c->panel[g.at[i]].y_all = y;
	}
	if (c->things) {
		compare_group(c, &g);
		is_said = is_said || figures_say(c, &g.f);
		pick_group(c, &g, most);
		put_rest(c, &g);
	}
	for (size_t i = 0; i < g.n; i++)
		stays[g.at[i]] = !c->things || g.is_picked[i];
	return is_said;
}

void chart_compare(struct chart *c)
{
	bool *stays = arena_array(&c->mem, c->npanel + 1, sizeof(*stays));
	size_t ngroup = SUM(size_t, i, c->npanel, is_first_of_group(c, i)), all = c->npanel,
	       kept = 0, named = 0;
	bool is_said = false;

	compare_rows(c);
	compare_lines(c);
	if (ngroup == 0)
		return;
	size_t most = all <= CHART_PANELS_MAX ? all : CHART_PANELS_MAX / ngroup;
	most = MAX(most, GROUP_MIN);
	for (size_t i = 0; i < all; i++)
		if (is_first_of_group(c, i))
			is_said = compare_panels(c, i, most, stays, is_said);
	for (size_t i = 0; i < c->npanel && (!c->things || kept < CHART_PANELS_MAX); i++) {
		if (i < all && !stays[i])
			continue;
		named += i < all;
		c->panel[kept++] = c->panel[i];
	}
	if (named < all)
		chart_note(c, "%zu of %zu %s%s", named, all, c->things,
			has_band(c) ? ", a band of the others" : "");
	c->npanel = kept;
}
