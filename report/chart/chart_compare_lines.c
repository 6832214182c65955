/*
 * Lines of many ranks in one panel: those that differ by name, the rest as a band.
 */
#include <math.h>
#include <string.h>

#include "report/chart/figures.h"

enum { LINES_MAX = 8 };

static void judge_lines(struct chart *c, const struct chart_panel *p, struct figures *f)
{
	size_t i;

	figures_init(c, f, 1, p->nseries, p->y.unit);
	f->title[0] = p->title;
	for (i = 0; i < p->nseries; i++) {
		f->name[i] = p->series[i].title ? p->series[i].title : "";
		f->v[i] = figures_mean(&p->series[i]);
	}
	figures_judge(c, f);
}

/* At each point of the middle line, from the lowest to the highest of those that do not stay. */
static struct chart_series band_of(struct chart *c, const struct chart_panel *p,
	const struct chart_series *like, const bool *is_picked)
{
	struct chart_panel scratch = { .kind = PANEL_XY };
	struct chart_series *s =
		chart_series(c, &scratch, MARK_BAND, "the others", COLOR_BLACK, like->n);
	size_t i, k;

	for (k = 0; k < like->n; k++) {
		s->x[k] = like->x[k];
		for (i = 0; i < p->nseries; i++) {
			double v = is_picked[i] ? NAN : figures_at(&p->series[i], s->x[k]);

			s->lo[k] = isnan(s->lo[k]) || v < s->lo[k] ? v : s->lo[k];
			s->hi[k] = isnan(s->hi[k]) || v > s->hi[k] ? v : s->hi[k];
		}
	}
	return *s;
}

/* The band first, so that the lines lie on it; these get the colours of few lines. */
static void cut_lines(struct chart *c, struct chart_panel *p, const struct figures *f)
{
	bool *is_picked = arena_array(&c->mem, p->nseries, sizeof(*is_picked));
	struct chart_series *kept = arena_array(&c->mem, LINES_MAX + 1, sizeof(*kept));
	size_t n = 0, i;

	if (f->s.nknown == 0)
		return;
	(void)standings_pick(&f->s, LINES_MAX, is_picked);
	kept[n++] = band_of(c, p, &p->series[standings_middle(&f->s)], is_picked);
	for (i = 0; i < p->nseries; i++) {
		const char *word = figures_word(f, i);

		if (!is_picked[i])
			continue;
		kept[n] = p->series[i];
		kept[n].color = theme_series(n - 1);
		if (word)
			kept[n].title = arena_printf(&c->mem, "%s: %s", f->name[i], word);
		n++;
	}
	chart_note(c,
		arena_printf(&c->mem, "%zu of %zu %s, a band of the others", n - 1, p->nseries,
			p->things));
	p->series = kept;
	p->nseries = p->cap = n;
}

void chart_compare_lines(struct chart *c)
{
	bool is_said = c->note != NULL;
	size_t i;

	for (i = 0; i < c->npanel; i++) {
		struct chart_panel *p = &c->panel[i];
		struct figures f;

		if (p->kind != PANEL_XY || !p->things)
			continue;
		judge_lines(c, p, &f);
		is_said = is_said || figures_say(c, &f);
		if (p->nseries > LINES_MAX)
			cut_lines(c, p, &f);
	}
}
