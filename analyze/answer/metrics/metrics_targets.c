/*
 * `metrics`: when a metric reached a target, by its exponential moving average.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/trace/columns/record.h"

/* Less is better, more is better, or whichever side the curve does not begin on. */
static int direction_of(const struct metrics_key *k, double target)
{
	int direction = metric_role_direction(k->role);

	if (direction == 0 && k->c.n)
		direction = k->c.y[0] > target ? -1 : 1;
	return direction;
}

static bool is_there(double y, double target, int direction)
{
	return direction < 0 ? y <= target : y >= target;
}

/* The sum of step times up to there, in ns; NaN: no key says them, or not each of them. */
static double time_until(const struct metrics *m, const struct series *of, double x)
{
	const struct metrics_key *step = metrics_find(m, ROLE_STEP_TIME);
	double sum = 0;
	int64_t i;

	if (!step || step->unit != UNIT_NS || m->axis || !series_is_exact(step->s) ||
		step->s->axis != of->axis)
		return NAN;
	for (i = 0; i < step->s->n && step->s->point[i].x <= x; i++)
		sum += step->s->point[i].y * step->factor;
	return sum;
}

static void put_target(
	const struct metrics *m, struct table *t, const struct metrics_key *k, double target)
{
	struct metrics_ema ema = metrics_ema_of(m->limit->window);
	int direction = direction_of(k, target * k->factor);
	double first = NAN, reached = NAN, level = NAN;
	size_t i;

	for (i = 0; i < k->c.n; i++) {
		level = metrics_ema(&ema, k->c.y[i]);
		if (isnan(first) && is_there(k->c.y[i], target * k->factor, direction))
			first = k->c.x[i];
		if (isnan(reached) && is_there(level, target * k->factor, direction))
			reached = k->c.x[i];
	}
	table_row(t);
	table_unit(t, k->unit);
	table_text(t, MTARGET_KEY, k->s->name);
	table_real(t, MTARGET_WANTED, target * k->factor);
	table_real(t, MTARGET_EMA, level);
	table_text(t, MTARGET_SIDE, direction < 0 ? SPAN("at most") : SPAN("at least"));
	table_real(t, MTARGET_FIRST, first);
	table_real(t, MTARGET_REACHED, reached);
	if (!isnan(reached))
		table_real(t, MTARGET_TIME, time_until(m, k->s, reached));
	table_bool(t, MTARGET_MET, k->c.n && is_there(level, target * k->factor, direction));
}

enum status metrics_parse_target(const char *text, struct span *key, double *value, struct err *e)
{
	const char *eq = strrchr(text, '=');

	if (!eq || eq == text)
		return err_set(e, E_USAGE, -1,
			"--target wants KEY=VALUE, such as loss=0.5, not '%s'", text);
	*key = (struct span){ text, (size_t)(eq - text) };
	TRY(setting_number("--target", SETTING_NUMBER, eq + 1 + (eq[1] == '-'), value, e));
	*value = eq[1] == '-' ? -*value : *value;
	return OK;
}

void metrics_put_targets(struct metrics *m, const struct table_doc *doc)
{
	struct lazy_table to = { m->at, doc, NULL };
	size_t i, k;

	for (i = 0; i < m->o->target.n; i++) {
		size_t found = 0;
		struct span key = SPAN("");
		double value = 0;

		if (metrics_parse_target(m->o->target.v[i], &key, &value, m->at->e) != OK)
			continue;
		for (k = 0; k < m->nkey; k++) {
			if (!span_eq(m->key[k].s->name, key) || !m->key[k].c.is_exact)
				continue;
			put_target(m, lazy_table(&to), &m->key[k], value);
			found++;
		}
		if (!found)
			result_note(m->at->out, NOTE_WARNING, "metrics_no_target", m->at->input, -1,
				"no key '%.*s' of which every value is kept, for --target",
				(int)key.n, key.p);
	}
}
