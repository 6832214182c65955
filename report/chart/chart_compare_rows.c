/*
 * Bars of many ranks, devices or streams: those that differ by name, the rest as their mean.
 */
#include <math.h>
#include <string.h>

#include "report/chart/figures.h"

/* The bars of one sort, by their places in the panel. */
struct heap {
	size_t *at, n;
	struct figures f;
};

static bool is_of_sort(const struct chart_panel *p, size_t i, size_t of)
{
	return !p->sort || p->sort[i] == p->sort[of];
}

static bool is_first_of_sort(const struct chart_panel *p, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (is_of_sort(p, k, i))
			return false;
	return true;
}

static struct heap heap_of(struct chart *c, const struct chart_panel *p, size_t first)
{
	bool is_stack = p->is_stacked && p->nseries > 1;
	struct heap h = { .n = 0 };
	size_t i, j;

	h.at = arena_array(&c->mem, p->nname, sizeof(*h.at));
	for (i = first; i < p->nname; i++)
		if (is_of_sort(p, i, first))
			h.at[h.n++] = i;
	figures_init(c, &h.f, is_stack ? p->nseries + 1 : 1, h.n, p->y.unit);
	for (i = 0; i < h.n; i++) {
		h.f.name[i] = p->whole[h.at[i]];
		for (j = 0; is_stack && j < p->nseries; j++) {
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
	size_t j;

	k->name[k->n] = why ? arena_printf(&c->mem, "%s: %s", p->whole[i], why) : p->whole[i];
	for (j = 0; j < p->nseries; j++)
		k->y[j][k->n] = p->series[j].y[i];
	k->n++;
}

/* The mean of all bars that do not stay. */
static void keep_mean(struct chart *c, struct kept *k, const struct chart_panel *p,
	const struct heap *h, const bool *is_picked)
{
	size_t i, j, nrest = 0;

	for (i = 0; i < h->n; i++)
		nrest += !is_picked[i];
	if (nrest == 0)
		return;
	k->name[k->n] = arena_printf(&c->mem, "mean of the other %zu", nrest);
	for (j = 0; j < p->nseries; j++) {
		double sum = 0, n = 0;

		for (i = 0; i < h->n; i++) {
			double v = is_picked[i] ? NAN : p->series[j].y[h->at[i]];

			sum += isnan(v) ? 0 : v;
			n += isnan(v) ? 0 : 1;
		}
		k->y[j][k->n] = n > 0 ? sum / n : NAN;
	}
	k->n++;
}

static void keep_heap(struct chart *c, struct kept *k, const struct chart_panel *p,
	const struct heap *h, size_t most)
{
	bool *is_picked = arena_array(&c->mem, h->n, sizeof(*is_picked));
	size_t i;

	(void)standings_pick(&h->f.s, most, is_picked);
	for (i = 0; i < h->n; i++)
		if (is_picked[i])
			keep_bar(c, k, p, h->at[i], figures_word(&h->f, i));
	keep_mean(c, k, p, h, is_picked);
}

static void say_cut(struct chart *c, const struct chart_panel *p, size_t nmean, size_t n)
{
	chart_note(c, arena_printf(&c->mem, "%zu of %zu %s", n - nmean, p->nname, p->things));
}

static size_t most_of(const struct chart_panel *p)
{
	return p->most ? p->most : CHART_ROWS_MAX;
}

/* As many bars as there is room for, of each sort those that differ and the mean of the others. */
static void cut_panel(struct chart *c, struct chart_panel *p, const struct heap *h, size_t nheap)
{
	size_t most = most_of(p) / nheap, i, j;
	struct kept k = { .n = 0 };

	k.name = arena_array(&c->mem, p->nname + nheap, sizeof(*k.name));
	k.y = arena_array(&c->mem, p->nseries + 1, sizeof(*k.y));
	for (j = 0; j < p->nseries; j++)
		k.y[j] = arena_array(&c->mem, p->nname + nheap, sizeof(double));
	for (i = 0; i < nheap; i++)
		keep_heap(c, &k, p, &h[i], most > STANDING_MIN ? most - 1 : STANDING_MIN);
	say_cut(c, p, nheap, k.n);
	p->name = p->brief = p->whole = k.name;
	p->nname = k.n;
	for (j = 0; j < p->nseries; j++) {
		p->series[j].y = k.y[j];
		p->series[j].n = k.n;
	}
}

static void compare_panel(struct chart *c, struct chart_panel *p, bool *is_said)
{
	struct heap *h = arena_array(&c->mem, p->nname + 1, sizeof(*h));
	size_t n = 0, i;

	for (i = 0; i < p->nname; i++)
		if (is_first_of_sort(p, i))
			h[n++] = heap_of(c, p, i);
	for (i = 0; i < n && !*is_said; i++)
		*is_said = figures_say(c, &h[i].f);
	if (p->nname > most_of(p))
		cut_panel(c, p, h, n);
}

void chart_compare_rows(struct chart *c)
{
	bool is_said = c->note != NULL; /* the chart knows better */
	size_t i;

	for (i = 0; i < c->npanel; i++)
		if (c->panel[i].kind == PANEL_ROWS && c->panel[i].things && c->panel[i].nseries > 0)
			compare_panel(c, &c->panel[i], &is_said);
}
