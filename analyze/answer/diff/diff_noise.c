/*
 * `diff`: how much runs of the same code differ, and who says so.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/diff/diff.h"
#include "base/setting.h"

/* What is not chosen is not there: 4% is what the step is held against then. */
static const struct setting own = { "diff.noise", SETTING_RATIO, "4%", NULL,
	"how much runs of the same code differ; where it is not set, that of gate's step_time counts, "
	"then gate.noise; unset, it is assumed, and rows are not judged" };

const struct setting *diff_setting(size_t i)
{
	return i == 0 ? &own : NULL;
}

enum status diff_ratio(double *r, const char *option, const char *text, struct err *e)
{
	const struct setting row = { .key = option, .type = SETTING_RATIO };
	struct setting_value v;

	if (setting_parse(&row, text, &v, e) == OK) {
		*r = v.r;
		return OK;
	}
	return err_set(
		e, E_USAGE, -1, "--%s wants a share such as 5%% or 0.05, got '%s'", option, text);
}

enum status diff_noise(struct diff_wishes *w, const struct diff_options *o,
	const struct settings *settings, struct err *e)
{
	static const char *const keys[] = { "diff.noise", "gate.step_time.noise", "gate.noise" };
	size_t i;

	w->compare.noise = NAN;
	w->noise_origin = NULL;
	if (o->noise) {
		w->noise_origin = "--noise";
		return diff_ratio(&w->compare.noise, "noise", o->noise, e);
	}
	for (i = 0; settings && i < COUNT_OF(keys) && !w->noise_origin; i++) {
		const struct setting_value *v = settings_get(settings, keys[i]);

		if (v && strcmp(v->origin, "built-in") != 0) {
			w->compare.noise = v->r;
			w->noise_origin = v->origin;
		}
	}
	return OK;
}

const char *diff_noise_word(const struct diff *d)
{
	if (d->c.step.change.is_measured)
		return "measured";
	return d->w.noise_origin ? "declared" : "assumed";
}

void diff_note_noise(struct diff *d)
{
	if (contrast_knows_noise(&d->c))
		return;
	result_note(d->out, NOTE_INFO, "noise_unknown", -1, -1,
		"how much runs of the same code differ is not known: %g%% is assumed%s; --noise or %d "
		"runs on each side tell",
		100 * contrast_noise_assumed,
		d->c.ledger.n > 0 ? " for the step, and rows are listed, not judged" : "",
		DECIDE_MEASURED);
}
