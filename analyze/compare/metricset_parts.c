/* Metric sets: what a run consists of. */
#include "analyze/compare/metricset.h"

#include "analyze/compare/outside.h"
#include "analyze/job/job.h"
#include "analyze/job/jobsteps.h"
#include "analyze/job/match/rank_members.h"
#include "analyze/job/sides.h"
#include "analyze/trace/columns/record.h"

static double ranks(const struct side_run *run)
{
	return (double)run->nrank;
}

static double devices(const struct side_run *run)
{
	size_t n = SUM(size_t, i, run->nrank,
		run->part[i].digest->has_device ? run->part[i].digest->ndevice : 0);

	return (double)n;
}

static bool has_step(const struct digest *d, int64_t number)
{
	return ANY(i, d->nstep, d->step[i].number == number);
}

/* Those that all ranks have; NaN where no rank marks them. */
static double steps(const struct side_run *run)
{
	const struct digest *first = run->part[0].digest;
	size_t k, n = 0;
	bool any = false;

	for (k = 0; k < run->nrank; k++)
		any = any || run->part[k].digest->has_steps;
	if (!any)
		return NAN;
	for (size_t i = 0; first->has_steps && i < first->nstep; i++) {
		for (k = 1; k < run->nrank; k++)
			if (!has_step(run->part[k].digest, first->step[i].number))
				break;
		n += k == run->nrank;
	}
	return (double)n;
}

static double outside(const struct side_run *run)
{
	return outside_share(run, 1);
}

static const struct {
	const char *id, *title;
	double (*of)(const struct side_run *run);
	enum unit unit;
} parts[] = {
	{ "ranks", "ranks", ranks, UNIT_COUNT },
	{ "devices", "GPUs that work", devices, UNIT_COUNT },
	{ "steps", "steps of all ranks", steps, UNIT_COUNT },
	{ METRIC_OUTSIDE, "GPU work outside of steps", outside, UNIT_RATIO },
};

static double of_traces(const struct side_run *run, size_t i)
{
	return run->nrank > 0 ? parts[i].of(run) : NAN;
}

/* The last step that a log of the run names; NaN: none does. */
static double last_step(const struct side_run *run)
{
	double last = NAN;
	struct point p;

	for (size_t i = 0; i < run->n; i++) {
		const struct record *r = run->part[i].digest->record;

		for (size_t k = 0; r && k < r->nseries; k++)
			if (r->series[k]->axis == AXIS_STEP && series_last(r->series[k], 1, &p))
				last = fmax(last, p.x);
	}
	return last;
}

/* The most records of a file whose rows say no step; NaN: there are none.  Lines of a text, and
 * samples of a monitor, are as many as time allows. */
static double records(const struct side_run *run)
{
	double most = NAN;

	for (size_t i = 0; i < run->n; i++) {
		const struct record *r = run->part[i].digest->record;
		bool counts = r && r->nartifact > 0 &&
			span_in(span_of(r->artifact[0].kind),
				"jsonl_log|json_rows|metrics_csv|json_figures");

		for (size_t k = 0; counts && k < r->nseries; k++)
			if (r->series[k]->axis == AXIS_ROW)
				most = fmax(most, (double)r->series[k]->n);
	}
	return most;
}

/* Ranks that have a file of that kind; 1 where none says its rank. */
static double ranks_of_kind(const struct side_run *run, const char *kind)
{
	int64_t last = -2; /* one that says none counts beside others */
	size_t n = 0;

	for (size_t i = run->nrank; i < run->n; i++) /* by rank */
		if (run->part[i].rank > last && strcmp(run->part[i].digest->kind, kind) == 0) {
			last = run->part[i].rank;
			n++;
		}
	return (double)n;
}

/* A count of the run, as a part of what it consists of; NaN: it has none. */
static void add(struct metricset *m, const char *id, const char *title, const struct side *s,
	size_t run, double n, struct arena *mem)
{
	struct metric *one = NULL;

	for (size_t i = 0; i < m->n && !one; i++)
		one = strcmp(m->v[i].id, id) == 0 ? &m->v[i] : NULL;
	if (isnan(n) || (one && one->sample[one->n - 1].run == s->run[run].name))
		return;
	if (!one) {
		one = &m->v[m->n++];
		*one = (struct metric){
			.id = id,
			.title = title,
			.unit = UNIT_COUNT,
			.better = BETTER_HIGHER,
			.is_exact = true,
			.is_points = true,
			.sample = arena_array(mem, s->nrun, sizeof(*one->sample)),
		};
	}
	one->sample[one->n++] = metric_sample_one(s->run[run].name, n);
}

static void add_parts(struct metricset *m, size_t i, const struct side *s, struct arena *mem)
{
	for (size_t k = 0; k < s->nrun; k++)
		add(m, parts[i].id, parts[i].title, s, k, of_traces(&s->run[k], i), mem);
	if (m->n > 0 && m->v[m->n - 1].id == parts[i].id)
		m->v[m->n - 1].unit = parts[i].unit;
}

/* It says what came out, not how the run was made. */
static bool has_figures(const struct record *r)
{
	return r && r->nartifact > 0 && (r->nseries > 0 || r->nsheet > 0 || r->scalars.n > 0);
}

bool metric_is_part(const char *id)
{
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		if (strcmp(id, parts[i].id) == 0)
			return true;
	return strcmp(id, METRIC_LAST_STEP) == 0 || strcmp(id, METRIC_RECORDS) == 0 ||
		strncmp(id, METRIC_ARTIFACT, strlen(METRIC_ARTIFACT)) == 0;
}

void metricset_parts(struct metricset *m, const struct side *s, struct arena *mem)
{
	size_t most = COUNT_OF(parts) + 2;

	for (size_t k = 0; k < s->nrun; k++)
		most += s->run[k].n;
	m->v = arena_array(mem, most, sizeof(*m->v));
	m->n = m->left_out = 0;
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		add_parts(m, i, s, mem);
	for (size_t k = 0; k < s->nrun; k++) {
		double last = last_step(&s->run[k]);

		add(m, METRIC_LAST_STEP, "last step of a log", s, k, last, mem);
		if (isnan(last))
			add(m, METRIC_RECORDS, "records", s, k, records(&s->run[k]), mem);
		for (size_t i = 0; i < s->run[k].n; i++) {
			const struct record *r = s->run[k].part[i].digest->record;

			const char *kind = s->run[k].part[i].digest->kind;

			if (has_figures(r))
				add(m, arena_printf(mem, METRIC_ARTIFACT "%s", r->artifact[0].kind),
					r->artifact[0].title, s, k, ranks_of_kind(&s->run[k], kind),
					mem);
		}
	}
}

/* ---- metric sets: how much ranks wait for each other ---- */

/* Share of each step that the mean rank waits for others; returns how many there are. */
static size_t fill_waits(double *v, const struct job *j, struct arena *scratch)
{
	struct jobsteps steps;
	size_t n = 0;

	jobsteps_init(&steps, j->run, scratch);
	for (size_t i = 0; i < j->nstep && i < steps.n; i++) {
		double step = (double)jobsteps_at(&steps, i, jobsteps_slowest(&steps, i))->wall;
		double waits =
			SUM(double, k, j->nrank, (double)j->by_step[i * j->nrank + k].suffered);

		if (step > 0)
			v[n++] = waits / (double)j->nrank / step;
	}
	return n;
}

static void add_run(
	struct metric *m, const struct side *s, size_t i, struct arena *scratch, struct arena *mem)
{
	struct metric_sample *x = &m->sample[m->n];
	struct side_run own;
	struct job j;

	if (!members_job(&own, s, i, scratch))
		return;
	job_init(&j, &own, scratch);
	if (j.nmatched == 0)
		return;
	x->run = s->run[i].name;
	x->v = arena_array(mem, j.nstep, sizeof(*x->v));
	m->n += metric_sample_sum(x, fill_waits(x->v, &j, scratch), false, scratch);
}

void metricset_wait(struct metric *m, const struct side *s, struct arena *mem)
{
	struct arena scratch = { 0 };

	*m = (struct metric){
		.id = "imbalance",
		.title = "waiting for ranks",
		.unit = UNIT_RATIO,
		.better = BETTER_LOWER,
		.is_points = true,
		.sample = arena_array(mem, s->nrun, sizeof(*m->sample)),
	};
	for (size_t i = 0; i < s->nrun; i++) {
		add_run(m, s, i, &scratch, mem);
		arena_clear(&scratch);
	}
}
