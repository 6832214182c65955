/*
 * The chart of who is waited for: time in collectives by rank, the shortest marked.
 */
#include <math.h>

#include "report/chart/chart_build.h"
#include "report/chart/charts.h"
#include "report/chart/figures.h"

static const char comms[] = "comms";

static const struct bars in_collectives = {
	.axis = "time in collectives, summed",
	.unit = UNIT_NS,
	.part = { { "device_sum_ns", NULL, COLOR_COMM } },
};

/* Of two the shorter one, where the difference is one; of more those that stand out below. */
static bool is_straggler(const struct figures *f, size_t i)
{
	if (f->s.nknown == 2)
		return i == standings_lowest(&f->s) && i != standings_highest(&f->s) &&
			f->v[standings_highest(&f->s)] - f->v[i] > figures_least(f);
	return f->v[i] < f->s.median && standings_is_out(&f->s, i);
}

static void note_straggler(struct chart *c, const struct figures *f, size_t n, size_t i)
{
	double others = f->s.nknown == 2 ? f->v[standings_highest(&f->s)] : f->s.median;

	if (n == 0)
		chart_note(c, "nobody is far below the others: no rank alone is waited for");
	else if (n > 1)
		chart_note(c, arena_printf(&c->mem, "%zu stragglers: the others wait for them", n));
	else
		chart_note(c,
			arena_printf(&c->mem,
				"%s is the straggler: it comes last, the others wait %s for it",
				f->name[i], chart_figure(c, others - f->v[i], UNIT_NS)));
}

/* Stragglers' bars become those of a series of their own. */
static void mark(struct chart *c, struct chart_panel *p)
{
	struct figures f;
	struct chart_series *all, *late;
	size_t n = 0, which = 0, i;

	figures_init(c, &f, 1, p->nname, UNIT_NS);
	late = chart_series(
		c, p, MARK_LINE, "straggler: the others wait for it", COLOR_DATA, p->nname);
	all = &p->series[0];
	for (i = 0; i < p->nname; i++) {
		f.name[i] = p->whole[i];
		f.v[i] = all->y[i];
	}
	figures_judge(c, &f);
	for (i = 0; i < p->nname; i++) {
		if (!is_straggler(&f, i))
			continue;
		late->y[i] = all->y[i];
		all->y[i] = NAN;
		which = i;
		n++;
	}
	p->is_stacked = true;
	if (n == 0)
		p->nseries--;
	note_straggler(c, &f, n, which);
}

static bool draw_straggler(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, comms, "devices", 0);
	struct chart_panel *p;
	size_t known = 0, i;

	for (i = 0; i < r.n; i++)
		known += rows_number(&r, i, "device_sum_ns") > 0;
	if (known < 2)
		return chart_refuse(c,
			known ? "collectives of one rank only; give the traces of several ranks"
			      : "no collectives");
	p = bars_panel(c, PANEL_ROWS, &r, &in_collectives);
	p->things = "devices";
	mark(c, p);
	return true;
}

const struct chart_kind chart_kind_straggler = {
	.id = "straggler",
	.title = "Time in collectives by rank",
	.doc = "A collective begins on each rank when that rank comes to it and ends for all of them "
	       "together: the rank that spends the least time in collectives is the one the "
	       "others wait for. It is marked where it is far from the others. It needs no common "
	       "clock.",
	.source = "TraceLens, straggler analysis",
	.ask = { comms },
	.draw = draw_straggler,
};
