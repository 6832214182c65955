/* What findings could save: their scenarios, timed once each. */
#include "analyze/answer/diagnose/saves.h"

#include "analyze/answer/diagnose/rules.h"

/* Of its share: what saves less says so. */
static const double MOST = 0.5;

void saves_of(const struct profile *x, struct finding *f, struct whatif_times *t)
{
	const struct scenario *change = f->change ? f->change : f->rule->change;

	if (!f->rule->has_saving || f->severity < SEVERITY_NOTE)
		return;
	f->saves = f->share;
	/* Where too little is known, or nothing says what launched the work there is nothing to
	 * time again. */
	if (f->is_untold || !(f->share > 0) || !x->judge || x->verdict.doubt ||
		x->judge->depend->launched == 0 || !(change || f->rule->judged))
		return;
	nsec saves = f->rule->judged
		? judge_saves(x->judge, (enum judge_change)(f->rule->judged - 1))
		: predict_saves(x->judge->predict, change, t);
	f->saves = fmax(fmin(rules_share(x, saves), f->share), 0);
	f->is_predicted = true;
	if (f->saves < MOST * f->share)
		f->text = arena_printf(x->mem,
			"%s; fixing it saves at most %s: other work fills the same time", f->text,
			unit_percent(x->mem, f->saves));
}
