/* Metric sets: traces' metrics step by step, ranks reduced. */
#include "analyze/compare/metricset.h"

#include "analyze/job/jobsteps.h"
#include "analyze/job/sides.h"
#include "analyze/stat/exceptions.h"
#include "analyze/stat/quantile.h"

enum reduce { REDUCE_MAX, REDUCE_MEAN };

/* A metric of traces: its value in one step of one rank. */
struct kind_of_metric {
	const char *id, *title;
	enum unit unit;
	enum metric_better better;
	bool is_exact, is_points, needs_device;
	bool is_mean; /* of the steps; else their median */
	enum reduce reduce;
	double (*of)(const struct digest *d, const struct digest_step *s);
};

static double step_time(const struct digest *d UNUSED, const struct digest_step *s)
{
	return (double)s->wall;
}

static double per_device(const struct digest *d, nsec sum)
{
	return (double)sum / (double)d->ndevice;
}

/* Over the mean step's time, so that the mean of the steps is busy time over time. */
static double busy(const struct digest *d, const struct digest_step *s)
{
	double idle = per_device(d, s->part[PART_IDLE] + s->part[PART_UNRECORDED]);

	return d->step_ns > 0 ? ((double)s->wall - idle) / d->step_ns : NAN;
}

/* Not known: NaN. */
static double mfu(const struct digest *d UNUSED, const struct digest_step *s)
{
	return s->mfu > 0 ? s->mfu : NAN;
}

static double exposed_comm(const struct digest *d, const struct digest_step *s)
{
	return per_device(d, s->part[PART_COMM]);
}

static double exposed_memcpy(const struct digest *d, const struct digest_step *s)
{
	return per_device(d, s->part[PART_MEMCPY]);
}

static double idle_data(const struct digest *d, const struct digest_step *s)
{
	return per_device(d, s->part[PART_IDLE_DATA]);
}

static double idle_other(const struct digest *d, const struct digest_step *s)
{
	return per_device(
		d, s->part[PART_IDLE] + s->part[PART_UNRECORDED] - s->part[PART_IDLE_DATA]);
}

static double compute(const struct digest *d, const struct digest_step *s)
{
	return per_device(d, s->part[PART_COMPUTE]);
}

static double device_time(const struct digest *d UNUSED, const struct digest_step *s)
{
	return (double)s->device_sum;
}

static double launches(const struct digest *d UNUSED, const struct digest_step *s)
{
	return (double)s->launched;
}

static const struct kind_of_metric kinds[] = {
	{ "step_time", "step time, mean", UNIT_NS, BETTER_LOWER, false, false, false, true,
		REDUCE_MAX, step_time },
	{ "gpu_busy", "GPU busy", UNIT_RATIO, BETTER_HIGHER, false, true, true, true, REDUCE_MEAN,
		busy },
	{ "mfu", "MFU, median", UNIT_RATIO, BETTER_HIGHER, false, false, true, false, REDUCE_MEAN,
		mfu },
	{ "device_time", "GPU time, mean", UNIT_NS, BETTER_LOWER, false, false, true, true,
		REDUCE_MEAN, device_time },
	{ "exposed_comm", "exposed comm, mean", UNIT_NS, BETTER_LOWER, false, false, true, true,
		REDUCE_MEAN, exposed_comm },
	{ "exposed_memcpy", "exposed copies, mean", UNIT_NS, BETTER_LOWER, false, false, true, true,
		REDUCE_MEAN, exposed_memcpy },
	{ "idle_data_loader", "data loader, mean", UNIT_NS, BETTER_LOWER, false, false, true, true,
		REDUCE_MEAN, idle_data },
	{ "idle_other", "other idle time, mean", UNIT_NS, BETTER_LOWER, false, false, true, true,
		REDUCE_MEAN, idle_other },
	{ "compute", "computing, mean", UNIT_NS, BETTER_LOWER, false, false, true, true,
		REDUCE_MEAN, compute },
	{ "launches_per_step", "launches per step", UNIT_COUNT, BETTER_LOWER, true, false, true,
		false, REDUCE_MEAN, launches },
	{ METRIC_UNEVEN, "mean step above the median", UNIT_RATIO, BETTER_LOWER, false, true, false,
		true, REDUCE_MAX, step_time },
};

/* Of usual steps; the others cost what "uneven_steps" says. */
static bool is_of_usual(const struct kind_of_metric *k)
{
	return k->is_mean && !k->is_points;
}

/* Values of the job's steps that count for it, in order; *all: the mean of all. */
static size_t fill_values(double *v, const struct kind_of_metric *k, const struct side_run *run,
	double *all, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	struct jobsteps steps;
	size_t rank, n = 0;

	jobsteps_init(&steps, run, mem);
	const bool *odd = is_of_usual(k) ? jobsteps_odd(&steps, mem) : NULL;
	*all = 0;
	for (size_t i = 0; i < steps.n; i++) {
		double value = 0;

		for (rank = 0; rank < steps.nrank; rank++) {
			double one = k->of(run->part[rank].digest, jobsteps_at(&steps, i, rank));

			if (k->reduce == REDUCE_MAX)
				value = one > value || isnan(one) ? one : value;
			else
				value += one / (double)run->nrank;
			if (isnan(one))
				break;
		}
		*all += value / (double)steps.n;
		if (rank == run->nrank && !(odd && odd[i]))
			v[n++] = value;
	}
	arena_reset(mem, mark);
	return n;
}

static double usual_mean(const double *v, size_t n, struct arena *mem)
{
	bool *odd = arena_array(mem, n, sizeof(*odd));

	exceptions_find(v, n, odd, NULL, mem);
	double sum = SUM(double, i, n, odd[i] ? 0 : v[i]);
	return sum / (double)SUM(size_t, i, n, !odd[i]);
}

struct metric metric_of_medians(const struct metric *m, struct arena *mem)
{
	struct metric out = *m;

	out.is_mean = false;
	out.sample = arena_array(mem, m->n, sizeof(*out.sample));
	for (size_t i = 0; i < m->n; i++) {
		out.sample[i] = m->sample[i];
		out.sample[i].centre = quantile_median(m->sample[i].v, m->sample[i].n, mem);
	}
	return out;
}

static bool all_have_device(const struct side_run *run)
{
	return ALL(i, run->nrank, run->part[i].digest->has_device);
}

static void add_trace_metric(
	struct metric *m, const struct kind_of_metric *k, const struct side *s, struct arena *mem)
{
	*m = (struct metric){
		.id = k->id,
		.title = k->title,
		.unit = k->unit,
		.better = k->better,
		.is_exact = k->is_exact,
		.is_points = k->is_points,
		.is_mean = is_of_usual(k),
		.sample = arena_array(mem, s->nrun, sizeof(*m->sample)),
	};
	for (EACH(const struct side_run, run, s->run, s->nrun)) {
		struct metric_sample *x = &m->sample[m->n];

		if (run->nrank == 0 || (k->needs_device && !all_have_device(run)))
			continue;
		x->run = run->name;
		x->v = arena_array(mem, run->part[0].digest->nstep, sizeof(*x->v));
		double all;
		size_t n = fill_values(x->v, k, run, &all, mem);
		if (strcmp(k->id, METRIC_UNEVEN) == 0)
			n = quantile_above(x->v, n, usual_mean(x->v, n, mem));
		m->n += metric_sample_sum(x, n, k->is_mean, mem);
		if (is_of_usual(k))
			x->mean = all;
	}
}

/* The largest figure of a run's ranks that is no step's; below 0: it does not say it. */
static void add_largest(struct metric *m, const struct metric *as,
	double (*of)(const struct digest *d), const struct side *s, struct arena *mem)
{
	*m = *as;
	m->sample = arena_array(mem, s->nrun, sizeof(*m->sample));
	for (EACH(const struct side_run, run, s->run, s->nrun)) {
		double most = -1;

		for (size_t rank = 0; rank < run->nrank; rank++)
			most = MAX(of(run->part[rank].digest), most);
		if (most >= 0)
			m->sample[m->n++] = metric_sample_one(run->name, most);
	}
}

static double peak_of(const struct digest *d)
{
	return (double)d->peak_bytes;
}

/* Whether memory leaks. */
static double leaks_of(const struct digest *d)
{
	return (double)d->leaks;
}

/* Of the run; -1: no annotations make steps. */
static double between_of(const struct digest *d)
{
	const struct digest_outside *o = &d->outside;

	return o->run > 0 ? (double)o->between / ((double)o->run * (double)d->ndevice) : -1;
}

static const struct metric peak_memory = {
	.id = "peak_memory", .title = "peak memory", .unit = UNIT_BYTES, .better = BETTER_LOWER
};
static const struct metric between_steps = { .id = "between_steps",
	.title = "idle between steps",
	.unit = UNIT_RATIO,
	.better = BETTER_LOWER,
	.is_points = true };
static const struct metric leak = { .id = "leak",
	.title = "memory leak",
	.unit = UNIT_COUNT,
	.better = BETTER_LOWER,
	.is_exact = true,
	.is_points = true };

/* A run's sample beside those of the others; of a run that has one the larger counts. */
static void join(struct metric *m, const struct metric_sample *x)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->sample[i].run == x->run) {
			if (x->centre > m->sample[i].centre)
				m->sample[i] = *x;
			return;
		}
	m->sample[m->n++] = *x;
}

/* What logs say; of what traces say, too, only leaks are one metric. */
static void add_records(struct metricset *m, struct metric *more, size_t n, struct arena *mem)
{
	size_t traces = m->n;

	for (size_t i = 0; i < n; i++) {
		struct metric *same = NULL;

		for (size_t k = 0; k < traces && !same; k++)
			same = strcmp(m->v[k].id, more[i].id) == 0 ? &m->v[k] : NULL;
		if (same && strcmp(same->id, "leak") == 0) {
			for (size_t k = 0; k < more[i].n; k++)
				join(same, &more[i].sample[k]);
			continue;
		}
		m->v[m->n] = more[i];
		if (same)
			m->v[m->n].id = arena_printf(mem, "%s@%s", same->id, more[i].source);
		m->n++;
	}
}

void metricset_init(struct metricset *m, const struct side *s, struct arena *mem)
{
	size_t n;
	struct metric *more = metricset_record(s, &n, &m->left_out, mem);

	m->v = arena_array(mem, COUNT_OF(kinds) + 4 + n, sizeof(*m->v));
	m->n = 0;
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		add_trace_metric(&m->v[m->n], &kinds[i], s, mem);
		m->n += m->v[m->n].n > 0;
	}
	metricset_wait(&m->v[m->n], s, mem);
	m->n += m->v[m->n].n > 0;
	add_largest(&m->v[m->n], &between_steps, between_of, s, mem);
	m->n += m->v[m->n].n > 0;
	add_largest(&m->v[m->n], &peak_memory, peak_of, s, mem);
	m->n += m->v[m->n].n > 0;
	add_largest(&m->v[m->n], &leak, leaks_of, s, mem);
	m->n += m->v[m->n].n > 0;
	for (size_t i = 0; i < m->n; i++)
		m->v[i].source = "trace";
	add_records(m, more, n, mem);
}

const struct metric *metricset_find(const struct metricset *m, const char *id)
{
	return FIND(i, m->v, m->n, strcmp(m->v[i].id, id) == 0);
}

const char *metric_quantity(const struct metric *m)
{
	return m->quantity ? m->quantity : m->id;
}

bool metric_is_called(const struct metric *m, const char *name)
{
	const char *quantity = metric_quantity(m), *slash = strrchr(quantity, '/');
	const char *dot = strrchr(slash ? slash : quantity, '.');
	const char *last = dot ? dot + 1 : slash ? slash + 1 : quantity;

	return strcmp(m->id, name) == 0 || strcmp(quantity, name) == 0 || strcmp(last, name) == 0;
}

size_t metricset_direct(struct metricset *m, const char *name, enum metric_better better)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (metric_is_called(&m->v[i], name)) {
			m->v[i].better = better;
			n++;
		}
	return n;
}

double metric_centre(const struct metric *m)
{
	double logs = 0, sum = 0;
	bool positive = !m->is_points && !m->is_mean, same = true;

	for (size_t i = 0; i < m->n; i++) {
		same = same && m->sample[i].centre == m->sample[0].centre;
		positive = positive && m->sample[i].centre > 0;
		logs += positive ? log(m->sample[i].centre) / (double)m->n : 0;
		sum += m->sample[i].centre / (double)m->n;
	}
	if (m->n == 0)
		return NAN;
	if (same) /* a count stays what it is */
		return m->sample[0].centre;
	return positive ? exp(logs) : sum;
}
