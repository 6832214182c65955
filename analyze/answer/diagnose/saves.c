/* What findings could save: their scenarios, timed once each. */
#include "analyze/answer/diagnose/saves.h"

#include "analyze/answer/diagnose/rules.h"

/* Of its share: what saves less says so. */
static const double MOST = 0.5;

/* Why a change saves so little of what it is about, where having none of it would save so much.
 * What hides behind nothing takes long itself; host work between waits is no launching. */
static const char *too_little(const struct profile *x, const struct finding *f, nsec none)
{
	double most = rules_share(x, none);

	return most < f->share * MOST
		? arena_printf(x->mem,
			  "%s; fixing it saves at most %s: other work fills the same time", f->text,
			  unit_percent(x->mem, f->saves))
		: arena_printf(x->mem, "%s; %s saves at most %s, having less of it up to %s",
			  f->text,
			  f->rule->judged == 1 + JUDGE_COMM ? "hiding it behind other work"
							    : "launching all at once",
			  unit_percent(x->mem, f->saves), unit_percent(x->mem, most));
}

void saves_of(const struct profile *x, struct finding *f, struct whatif_times *t)
{
	const struct scenario *change = f->change ? f->change : f->rule->change;
	const struct judge_row *row = NULL;
	nsec none = 0;

	if (!f->rule->has_saving || f->severity < SEVERITY_NOTE)
		return;
	f->saves = f->share;
	/* Where too little is known, or nothing says what launched the work there is nothing to
	 * time again. */
	if (f->is_untold || !(f->share > 0) || !x->judge || x->verdict.doubt ||
		x->judge->depend->launched == 0 || !(change || f->rule->judged))
		return;
	if (f->rule->judged)
		row = judge_row(x->judge, (enum judge_change)(f->rule->judged - 1));
	if (f->rule->judged == 1 + JUDGE_COMM)
		none = judge_saves(x->judge, JUDGE_FREE_COMM);
	else if (change)
		none = predict_saves(x->judge->predict, change, t);
	f->saves = fmax(fmin(rules_share(x, row ? row->saves : none), f->share), 0);
	f->is_predicted = true;
	if (f->saves < MOST * f->share)
		f->text = too_little(x, f, row ? none : 0);
}
