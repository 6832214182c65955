/* `metrics`: what a run is held against: targets, and what the week-1 guide expects. */
#include "analyze/answer/metrics/metrics.h"

#include "analyze/trace/columns/record.h"
#include "analyze/trace/columns/sheet.h"

/* ---- when a metric reached a target, by its exponential moving average ---- */

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

	if (!step || step->unit != UNIT_NS || m->axis || !series_is_exact(step->s) ||
		step->s->axis != of->axis)
		return NAN;
	for (int64_t i = 0; i < step->s->n && step->s->point[i].x <= x; i++)
		sum += step->s->point[i].y * step->factor;
	return sum;
}

static void put_target(
	const struct metrics *m, struct table *t, const struct metrics_key *k, double target)
{
	struct metrics_ema ema = metrics_ema_of(m->limit->window);
	int direction = direction_of(k, target * k->factor);
	double first = NAN, reached = NAN, level = NAN;

	for (size_t i = 0; i < k->c.n; i++) {
		level = metrics_ema(&ema, k->c.y[i]);
		if (isnan(first) && is_there(k->c.y[i], target * k->factor, direction))
			first = k->c.x[i];
		if (isnan(reached) && is_there(level, target * k->factor, direction))
			reached = k->c.x[i];
	}
	table_row(t);
	table_unit(t, k->unit);
	TABLE_CELLS(t, [MTARGET_KEY] = cell_text(k->s->name),
		[MTARGET_WANTED] = cell_real(target * k->factor), [MTARGET_EMA] = cell_real(level),
		[MTARGET_SIDE] = cell_text(direction < 0 ? SPAN("at most") : SPAN("at least")),
		[MTARGET_FIRST] = cell_real(first), [MTARGET_REACHED] = cell_real(reached),
		[MTARGET_TIME] = CELL_IF(!isnan(reached), cell_real(time_until(m, k->s, reached))),
		[MTARGET_MET] =
			cell_bool(k->c.n && is_there(level, target * k->factor, direction)));
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

void metrics_put_targets(struct metrics *m)
{
	struct lazy_table to = { m->at, &metrics_docs[METRICS_TABLE_TARGETS], NULL };

	for (size_t i = 0; i < m->o->target.n; i++) {
		size_t found = 0;
		struct span key = SPAN("");
		double value = 0;

		if (metrics_parse_target(m->o->target.v[i], &key, &value, m->at->e) != OK)
			continue;
		for (size_t k = 0; k < m->nkey; k++) {
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

/* a run of the week-1 guide beside what that expects of a 0.5B model on an A100, and
 * its targets. */

#define MS 1e6

enum { BATCH = 32 }; /* of the expected latency */

/* One quantity. */
struct expected {
	const char *what;
	enum unit unit;
	double low, high; /* base units */
	double target;    /* NaN: none */
	int side;         /* of the target: -1 below, 1 above */
};

static const struct expected model_size = { "model size", UNIT_BYTES, 1e9, 2e9, NAN, 0 };
static const struct expected latency = { "latency/sample at batch size 32", UNIT_NS, 10 * MS,
	30 * MS, 50 * MS, -1 };
static const struct expected rate = { "samples/s", UNIT_NONE, 50, 200, 100, 1 };
static const struct expected memory = { "GPU memory", UNIT_BYTES, 2.0 * (1 << 30), 6.0 * (1 << 30),
	NAN, 0 };
/* "~92%" */
static const struct expected accuracy = { "accuracy", UNIT_RATIO, 0.91, 0.93, NAN, 0 };

static void put(struct lazy_table *to, const struct expected *e, double v)
{
	if (isnan(v))
		return;
	struct table *t = lazy_table(to);
	table_row(t);
	table_unit(t, e->unit);
	TABLE_CELLS(t, [MEXPECT_WHAT] = cell_word(e->what), [MEXPECT_VALUE] = cell_real(v),
		[MEXPECT_LOW] = cell_real(e->low), [MEXPECT_HIGH] = cell_real(e->high),
		[MEXPECT_VERDICT] = cell_text(v < e->low ? SPAN("below")
				: v > e->high            ? SPAN("above")
							 : SPAN("within")),
		[MEXPECT_TARGET] = CELL_IF(e->side,
			cell_textf(t, "%s %g %s: %s", e->side < 0 ? "below" : "above",
				e->unit == UNIT_NS ? e->target / MS : e->target,
				e->unit == UNIT_NS ? "ms" : "samples/s",
				(e->side < 0 ? v < e->target : v > e->target) ? "met" : "missed")));
}

static double number(const struct metrics *m, const char *key, double factor)
{
	return factor * scalar_number(record_find(&m->at->record->scalars, key));
}

/* Of the row of that batch size; 0: the largest of all. */
static double of_sweep(const struct metrics *m, int64_t batch, size_t col)
{
	const struct sheet *s = record_find_sheet(m->at->record, SHEET_SWEEP);
	double most = NAN;

	for (size_t i = 0; s && i < s->table.nrow; i++) {
		const union cell *of = table_cell(&s->table, i, SWEEP_BATCH);
		double v = table_number_at(&s->table, i, col);

		if (of && (batch == 0 || of->i == batch))
			most = fmax(most, v);
	}
	return most;
}

static double or_else(double v, double other)
{
	return isnan(v) ? other : v;
}

void metrics_put_expected(struct metrics *m)
{
	struct lazy_table to = { m->at, &metrics_docs[METRICS_TABLE_EXPECTED], NULL };
	double mib = measure_infos[MEASURE_MIB].factor;

	if (record_find_artifact(m->at->record, "baseline_metrics") < 0)
		return;
	put(&to, &model_size,
		number(m, "model_info.total_size_mb", measure_infos[MEASURE_MEGABYTE].factor));
	put(&to, &latency, of_sweep(m, BATCH, SWEEP_AT(SWEEP_LATENCY_SAMPLE, SWEEP_MEAN)));
	put(&to, &rate,
		or_else(number(m, "full_dataset_metrics.throughput_samples_per_sec", 1),
			of_sweep(m, 0, SWEEP_AT(SWEEP_SAMPLES_PER_S, SWEEP_MEAN))));
	put(&to, &memory,
		or_else(of_sweep(m, 0, SWEEP_AT(SWEEP_PEAK_GPU_BYTES, SWEEP_MEAN)),
			or_else(number(m, "full_dataset_metrics.peak_gpu_mem", mib),
				of_sweep(m, 0, SWEEP_AT(SWEEP_GPU_BYTES, SWEEP_MEAN)))));
	put(&to, &accuracy, number(m, "full_dataset_metrics.accuracy", 1));
}
