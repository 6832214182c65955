/* `diff`: how much runs of the same code differ, and who says so. */
#include "analyze/answer/diff/diff.h"
#include "base/setting.h"

/* What is not chosen is not there: this is what the step is held against then. */
static const struct setting own = { "diff.noise", SETTING_RATIO, NOISE_ASSUMED_TEXT, NULL,
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
		e, E_USAGE, -1, "--%s needs a share such as 5%% or 0.05, got '%s'", option, text);
}

enum status diff_noise(struct diff_wishes *w, const struct diff_options *o,
	const struct settings *settings, struct err *e)
{
	static const char *const keys[] = { "diff.noise", "gate.step_time.noise", "gate.noise" };

	w->compare.noise = NAN;
	w->noise_origin = NULL;
	if (o->noise) {
		w->noise_origin = "--noise";
		return diff_ratio(&w->compare.noise, "noise", o->noise, e);
	}
	for (size_t i = 0; settings && i < COUNT_OF(keys) && !w->noise_origin; i++) {
		const struct setting_value *v = settings_get(settings, keys[i]);

		if (v && strcmp(v->origin, "built-in") != 0) {
			w->compare.noise = v->r;
			w->noise_origin = v->origin;
		}
	}
	return OK;
}

/* ---- directions ---- */

/* The NAME of gate.NAME.better; NULL: it is another setting. */
static const char *name_of(const struct setting_value *v, struct arena *mem)
{
	static const char before[] = "gate.", behind[] = ".better";
	size_t n = strlen(v->key), from = sizeof(before) - 1, to = n - (sizeof(behind) - 1);

	if (strcmp(v->setting->key, "gate.*.better") != 0 || n <= from + sizeof(behind) - 1)
		return NULL;
	if (to - from >= 2 && v->key[from] == '"') {
		from++;
		to--;
	}
	return arena_copy(mem, v->key + from, to - from);
}

enum status diff_better(struct diff_wishes *w, const struct diff_options *o,
	const struct settings *settings, struct arena *mem, struct err *e)
{
	size_t n = settings ? settings->n : 0;
	struct better *b = arena_array(mem, n + o->better.n, sizeof(*b));

	w->compare.better = b;
	for (size_t i = 0; i < o->better.n; i++)
		TRY(better_parse(&b[w->compare.nbetter++], o->better.v[i], mem, e));
	w->nasked = o->better.n;
	for (size_t i = 0; i < n; i++) {
		const char *name = name_of(&settings->v[i], mem);

		if (name)
			b[w->compare.nbetter++] = (struct better){ name,
				settings->v[i].i == 1 ? BETTER_HIGHER : BETTER_LOWER };
	}
	return OK;
}

/* ---- noise ---- */

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
		"run-to-run noise is unknown: %s is assumed%s; --noise or %d runs on each side "
		"would tell",
		NOISE_ASSUMED_TEXT,
		d->c.ledger.n > 0 ? " for the step, and rows are listed, not judged" : "",
		DECIDE_MEASURED);
}
