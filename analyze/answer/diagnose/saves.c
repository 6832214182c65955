/*
 * What findings could save: their scenarios, timed once each.
 */
#include "analyze/answer/diagnose/saves.h"

#include <math.h>

#include "analyze/answer/diagnose/rules.h"

/* Of its share: what saves less says so. */
static const double MOST = 0.5;

/* Where nothing says what launched the work there is nothing to time again. */
static bool knows(struct saves *s)
{
	const struct profile *x = s->profile;

	if (!x->has_device || !x->has_runtime)
		return false;
	if (!s->is_made) {
		depend_init(&s->depend, x->run);
		predict_init(&s->predict, &s->depend, &x->window, x->mem);
		s->is_made = true;
	}
	return s->depend.launched > 0;
}

void saves_of(struct saves *s, struct finding *f)
{
	const struct profile *x = s->profile;

	if (!f->rule->has_saving || f->severity < SEVERITY_NOTE)
		return;
	f->saves = f->share;
	if (!f->rule->change || f->is_untold || !(f->share > 0) || !knows(s))
		return;
	nsec saves = predict_saves(&s->predict, f->rule->change, &s->times);
	f->saves = fmax(fmin(rules_share(x, saves), f->share), 0);
	f->is_predicted = true;
	if (f->saves < MOST * f->share)
		f->text = arena_printf(x->mem,
			"%s; fixing it saves at most %s: other work fills the same time", f->text,
			unit_percent(x->mem, f->saves));
}

void saves_clear(struct saves *s)
{
	if (!s->is_made)
		return;
	whatif_clear(&s->times);
	predict_clear(&s->predict);
	depend_clear(&s->depend);
}
