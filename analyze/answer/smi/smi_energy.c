/* `smi`: energy of traces: samples joined by clock, what ran meanwhile, and what each step took. */
#include "analyze/answer/smi/smi.h"

#include <stdio.h>

#include "analyze/analysis/row_limit.h"
#include "analyze/measure/device/devices.h"
#include "analyze/trace/figure.h"
#include "analyze/measure/power/energy.h"
#include "analyze/measure/power/sampleclock.h"
#include "analyze/measure/stepstat.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run_steps.h"

/* One trace, joined with samples. */
struct joined {
	const struct query *q;
	struct result *out;
	const struct run *run;
	const struct record *record; /* that of the samples */
	int input;                   /* the trace's */
	struct smi_gpu *gpu;
	size_t ngpu;
	struct sampleclock clock;
	struct classes classes;
	struct stepstat stat;
	nsec from, to;        /* first step to last one */
	size_t uncovered;     /* devices with time that no samples cover ... */
	double least_covered; /* ... and the least share of it that they do */
	struct table *devices, *parts, *steps;
	struct arena mem;
};

/* One of its devices. */
struct joined_device {
	int64_t id;
	const struct smi_gpu *gpu;
	struct energy power;
	struct energy_split split;
	double step_nj; /* mean of steps that samples cover; NaN: none */
};

/* ---- what the samples and the log beside a trace say of it ---- */

/* Samples of a field on the trace's clock, times `factor`. */
static void joined_field(const struct joined *j, struct energy *e, const struct smi_gpu *g,
	enum smi_field field, double factor, struct arena *mem)
{
	const struct curve *c = &g->curve[field];
	nsec *t = arena_array(mem, c->n, sizeof(*t));
	double *v = arena_array(mem, c->n, sizeof(*v));

	for (size_t i = 0; i < c->n; i++) {
		t[i] = sampleclock_at(&j->clock, c->x[i]);
		v[i] = c->y[i] * factor;
	}
	energy_init(e, t, v, c->n, mem);
}

/* Tokens of each step by the run's log, NaN where it does not say. */
static double tokens_of_step(const struct record *r)
{
	for (size_t i = 0; r && i < r->nseries; i++) {
		const struct series *s = r->series[i];
		struct point first;
		size_t n = series_first(s, 1, &first);

		if (n == 0 || metric_role(s->name) != ROLE_TOKENS || s->axis != AXIS_STEP)
			continue;
		if (s->last.x > first.x && s->last.y > first.y)
			return (s->last.y - first.y) / (s->last.x - first.x);
	}
	return NAN;
}

/* Tokens a second as stated; NaN. */
static double tokens_per_s(const struct record *r)
{
	static const char *const keys[] = { "throughput.tokens_per_sec",
		"perf.approx_tokens_per_sec" };

	for (size_t i = 0; r && i < COUNT_OF(keys); i++) {
		double v = scalar_number(record_find(&r->scalars, keys[i]));

		if (v > 0)
			return v;
	}
	return NAN;
}

/* ---- energy of each step, and what held the GPU back in it ---- */

/* A step whose clock is that far below the median step's is slowed down by it. */
#define SLOW_CLOCK 0.95

enum { PEOPLE_ROWS = 20, REASONS_BITS = 9 };

/* Steps of one device. */
struct step_rows {
	struct joined *j;
	struct joined_device *d;
	struct energy clock; /* MHz in place of W */
	double median_mhz;
	double limit; /* W; NaN */
};

/* NVML's nvmlClocksEventReasons, by bit. */
static const char *const reasons[REASONS_BITS] = { "idle", "app clocks", "power cap", "slowdown",
	"sync boost", "heat", "heat (hw)", "power brake", "display" };

static bool is_whole(const struct energy_part *p, nsec dur)
{
	return dur > 0 && p->ns == dur;
}

static double mean_of(const struct energy *e, const struct step *s)
{
	struct energy_part p = energy_between(e, s->start, s->end);

	return p.ns > 0 ? (double)p.nj / (double)p.ns : NAN;
}

/* The first sample at or behind t. */
static size_t sample_from(const struct step_rows *w, const struct curve *c, nsec t)
{
	return PARTITION_POINT(i, 0, c->n, sampleclock_at(&w->j->clock, c->x[i]) < t);
}

static unsigned bits_of(const struct curve *c, size_t i)
{
	return c->y[i] >= 0 && c->y[i] < 1u << 31 ? (unsigned)saturate_size(c->y[i]) : 0;
}

/* Bits of the samples in the step; of those around it where none is in it. */
static unsigned reasons_in(const struct step_rows *w, const struct step *s)
{
	const struct curve *c = &w->d->gpu->curve[SMI_REASONS];
	size_t first = sample_from(w, c, s->start), end = sample_from(w, c, s->end);
	unsigned bits = 0;

	for (size_t i = first; i < end; i++)
		bits |= bits_of(c, i);
	if (first == end && first > 0)
		bits |= bits_of(c, first - 1);
	if (first == end && first < c->n)
		bits |= bits_of(c, first);
	return bits;
}

static void put_reasons(struct table *t, unsigned bits)
{
	struct str b = { 0 };

	for (unsigned k = 0; k < REASONS_BITS; k++)
		if (bits & 1u << k)
			str_addf(&b, "%s%s", b.n ? ", " : "", reasons[k]);
	TABLE_CELLS(t, [SSTEP_REASONS] = cell_str(t, &b));
}

static void put_clock(const struct step_rows *w, const struct step *s)
{
	double mhz = mean_of(&w->clock, s);

	if (isnan(mhz))
		return;
	TABLE_CELLS(w->j->steps, [SSTEP_CLOCK] = cell_real(mhz * 1e6),
		[SSTEP_CLOCK_RATIO] = cell_real(mhz / w->median_mhz));
}

static void put_step(const struct step_rows *w, size_t i)
{
	const struct joined *j = w->j;
	const struct step *s = &j->run->steps->step[j->stat.step[i]];
	nsec dur = stepstat_dur(&j->stat, j->run, i);
	struct energy_part p = energy_between(&w->d->power, s->start, s->end);
	struct table *t = j->steps;
	double watts;

	TABLE_ROW(t, [SSTEP_TRACE] = cell_word(j->run->path), [SSTEP_DEVICE] = cell_int(w->d->id),
		[SSTEP_STEP] = CELL_IF(j->stat.has_steps, cell_int(s->number)),
		[SSTEP_DUR] = cell_int(dur));
	if (is_whole(&p, dur)) {
		watts = (double)p.nj / (double)dur;
		TABLE_CELLS(t, [SSTEP_ENERGY] = cell_int(p.nj), [SSTEP_ERROR] = cell_real(p.error),
			[SSTEP_WATTS] = cell_real(watts),
			[SSTEP_LIMIT] = cell_real(watts / w->limit));
	}
	put_clock(w, s);
	put_reasons(t, reasons_in(w, s));
	if (j->stat.mark[i])
		table_text(t, SSTEP_MARK, span_of(stepstat_words(j->stat.mark[i])));
}

/* Mean energy of complete steps that are covered; the median clock of all. */
static void sum_up(struct step_rows *w)
{
	const struct joined *j = w->j;
	double *mhz = arena_array(&w->j->mem, j->stat.n, sizeof(*mhz)), sum = 0;
	size_t n = 0, clocks = 0;

	for (size_t i = 0; i < j->stat.n; i++) {
		const struct step *s = &j->run->steps->step[j->stat.step[i]];
		struct energy_part p = energy_between(&w->d->power, s->start, s->end);
		double v = mean_of(&w->clock, s);

		if (!isnan(v))
			mhz[clocks++] = v;
		if (s->incomplete || !is_whole(&p, stepstat_dur(&j->stat, j->run, i)))
			continue;
		sum += (double)p.nj;
		n++;
	}
	w->d->step_nj = n ? sum / (double)n : NAN;
	w->median_mhz = clocks ? quantile_median(mhz, clocks, &w->j->mem) : NAN;
}

/* Slow steps, and those of them that a low clock explains. */
static void say_slowed(const struct step_rows *w)
{
	const struct joined *j = w->j;
	size_t slow = 0, slowed = 0;

	for (size_t i = 0; i < j->stat.n; i++) {
		const struct step *s = &j->run->steps->step[j->stat.step[i]];

		if (!(j->stat.mark[i] & STEP_SLOW))
			continue;
		slow++;
		slowed += mean_of(&w->clock, s) < SLOW_CLOCK * w->median_mhz;
	}
	if (slowed)
		result_note(j->out, NOTE_WARNING, "energy_throttled", j->input, (int64_t)slowed,
			"GPU %" PRId64 ": %zu of %zu slow steps ran at a clock at least 5%% "
			"below the median step's: the GPU was slowed down, not the program",
			w->d->id, slowed, slow);
}

static double limit_of(const struct smi_gpu *g)
{
	const struct curve *c = &g->curve[SMI_POWER_LIMIT];
	double most = NAN;

	for (size_t i = 0; i < c->n; i++)
		most = c->y[i] > 0 && !(most >= c->y[i]) ? c->y[i] : most;
	return most;
}

/* The rows of one device's steps; fills d->step_nj. */
static void put_steps(struct joined *j, struct joined_device *d)
{
	struct step_rows w = { .j = j, .d = d, .limit = limit_of(d->gpu) };
	size_t i, limit = rows_limit(j->q, -1, PEOPLE_ROWS, SIZE_MAX);

	joined_field(j, &w.clock, d->gpu, SMI_CLOCK, 1e-6, &j->mem);
	sum_up(&w);
	for (i = 0; i < j->stat.n && i < limit; i++)
		put_step(&w, i);
	rows_cut(j->steps, SSTEP_MARK, j->stat.n - i);
	say_slowed(&w);
}

/* Power as it is at the moment, before means of the last second. */
static enum smi_field power_field(const struct smi_gpu *g)
{
	static const enum smi_field fields[] = { SMI_POWER_INSTANT, SMI_POWER, SMI_POWER_AVERAGE };

	for (size_t i = 0; i < COUNT_OF(fields); i++)
		if (g->curve[fields[i]].n > 1 && g->series[fields[i]]->axis == AXIS_TIME)
			return fields[i];
	return SMI_FIELDS_N;
}

/* ---- which samples are a trace's ---- */

static bool has_power(const struct record *r)
{
	for (size_t i = 0; r && i < r->nseries; i++) {
		enum smi_field f = smi_field_of(r->series[i]->name);

		if (f == SMI_POWER || f == SMI_POWER_INSTANT || f == SMI_POWER_AVERAGE)
			return true;
	}
	return false;
}

/* Those of its own folder, else of the only other one that has any. */
static const struct record *samples_of(const struct query *q, size_t run)
{
	const struct record *found = NULL;
	size_t n = 0;

	if (has_power(q->run[run]->record))
		return q->run[run]->record;
	for (size_t i = 0; i < q->nrun; i++)
		if (has_power(q->run[i]->record)) {
			found = q->run[i]->record;
			n++;
		}
	return n == 1 ? found : NULL;
}

/* From the first to the last sample of power of any GPU; false: none have times. */
static bool span_of_samples(const struct joined *j, double *first, double *last)
{
	*first = INFINITY;
	*last = -INFINITY;
	for (EACH(const struct smi_gpu, gpu, j->gpu, j->ngpu)) {
		enum smi_field f = power_field(gpu);

		if (f == SMI_FIELDS_N)
			continue;
		const struct curve *c = &gpu->curve[f];
		if (c->restarts)
			return false;
		*first = fmin(*first, c->x[0]);
		*last = fmax(*last, c->x[c->n - 1]);
	}
	return *first <= *last;
}

static void say_apart(const struct joined *j)
{
	static const char *const words[] = {
		[SAMPLECLOCK_NO_DATES] = "the samples have no dates, or their clock was set back",
		[SAMPLECLOCK_NO_EPOCH] = "the trace does not say when it was recorded",
		[SAMPLECLOCK_APART] = "the samples were not taken while it was recorded, whatever "
				      "their zone is (--zone says it)"
	};

	result_note(j->out, NOTE_WARNING, "energy_apart", j->input, -1,
		"no energy of the trace: %s", words[j->clock.state]);
}

static void say_joined(const struct joined *j)
{
	int minutes = abs(j->clock.zone_s) / 60;
	char zone[32] = "UTC";

	if (j->clock.zone_s)
		(void)snprintf(zone, sizeof(zone), "UTC%c%02d:%02d",
			j->clock.zone_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
	if (j->clock.others)
		result_note(j->out, NOTE_WARNING, "energy_clock", j->input, j->clock.others,
			"the samples' clock is taken for %s; %d other zones would do as well "
			"(--zone says it)",
			zone, j->clock.others);
	else
		result_note(j->out, j->clock.zone_s ? NOTE_WARNING : NOTE_INFO, "energy_clock",
			j->input, -1,
			"the samples' clock is taken for %s, with which they cover the trace",
			zone);
}

/* ---- a device ---- */

/* By number, else the only one there is. */
static const struct smi_gpu *gpu_of(const struct joined *j, int64_t device, size_t ndevice)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRId64, device);
	for (EACH(const struct smi_gpu, gpu, j->gpu, j->ngpu))
		if (span_is(gpu->group, text) && power_field(gpu) != SMI_FIELDS_N)
			return gpu;
	if (j->ngpu == 1 && ndevice == 1 && power_field(&j->gpu[0]) != SMI_FIELDS_N)
		return &j->gpu[0];
	return NULL;
}

static void put_parts(const struct joined *j, const struct joined_device *d)
{
	const struct energy_split *s = &d->split;
	bool done[ENERGY_PARTS] = { false };
	unsigned k, best;

	for (unsigned i = 0; i < ENERGY_PARTS; i++) {
		struct table *t = j->parts;

		for (best = ENERGY_PARTS, k = 0; k < ENERGY_PARTS; k++)
			if (!done[k] && s->part[k].ns > 0 &&
				(best == ENERGY_PARTS || s->part[k].nj > s->part[best].nj))
				best = k;
		if (best == ENERGY_PARTS)
			return;
		done[best] = true;
		TABLE_ROW(t, [SPART_TRACE] = cell_word(j->run->path),
			[SPART_DEVICE] = cell_int(d->id),
			[SPART_WHAT] = cell_word(energy_word(best)),
			[SPART_ENERGY] = cell_int(s->part[best].nj),
			[SPART_ERROR] = cell_real(s->part[best].error),
			[SPART_RATIO] = cell_ratio(s->part[best].nj, s->whole.nj),
			[SPART_TIME] = cell_int(s->part[best].ns),
			[SPART_WATTS] =
				cell_real((double)s->part[best].nj / (double)s->part[best].ns));
	}
}

static void put_token(const struct joined *j, const struct joined_device *d, double watts)
{
	double tokens = tokens_of_step(j->run->record), rate = tokens_per_s(j->run->record);

	if (isnan(tokens) && isnan(rate) && j->record != j->run->record) {
		tokens = tokens_of_step(j->record);
		rate = tokens_per_s(j->record);
	}
	if (!isnan(tokens) && !isnan(d->step_nj) && j->stat.has_steps)
		table_real(j->devices, SENE_TOKEN, d->step_nj / tokens);
	else if (!isnan(rate))
		table_real(j->devices, SENE_TOKEN, watts * 1e9 / rate);
}

static void put_device(struct joined *j, const struct joined_device *d)
{
	const struct energy_part *all = &d->split.whole;
	int64_t idle = d->split.part[ENERGY_IDLE].nj;
	struct table *t = j->devices;
	double watts = (double)all->nj / (double)all->ns;
	double covered = (double)all->ns / (double)(j->to - j->from);

	if (covered < 1) {
		j->uncovered++;
		j->least_covered = fmin(j->least_covered, covered);
	}
	TABLE_ROW(t, [SENE_TRACE] = cell_word(j->run->path), [SENE_DEVICE] = cell_int(d->id),
		[SENE_GPU] = cell_text(d->gpu->group), [SENE_COVERED] = cell_real(covered),
		[SENE_SEEN] = cell_int(all->ns), [SENE_INTERVAL] = cell_int(d->power.usual));
	if (all->ns == 0)
		return;
	TABLE_CELLS(t, [SENE_ENERGY] = cell_int(all->nj), [SENE_ERROR] = cell_real(all->error),
		[SENE_WORK] = cell_int(all->nj - idle), [SENE_IDLE] = cell_int(idle),
		[SENE_IDLE_RATIO] = cell_ratio(idle, all->nj), [SENE_WATTS] = cell_real(watts),
		[SENE_STEP] = cell_real(d->step_nj));
	put_token(j, d, watts);
}

static void answer_device(struct joined *j, int64_t id, const struct smi_gpu *gpu)
{
	struct joined_device d = { .id = id, .gpu = gpu, .step_nj = NAN };

	joined_field(j, &d.power, gpu, power_field(gpu), 1, &j->mem);
	energy_split(&d.split, &d.power, j->run, &j->classes, id, j->from, j->to, &j->mem);
	put_steps(j, &d);
	put_device(j, &d);
	put_parts(j, &d);
}

/* ---- a trace ---- */

static void say_devices(const struct joined *j, const struct devices *devices, size_t without)
{
	if (j->uncovered)
		result_note(j->out, NOTE_WARNING, "energy_uncovered", j->input,
			(int64_t)j->uncovered,
			"samples cover %.1f%% of the time from the first step to the last one: "
			"energy is of that part only",
			100 * j->least_covered);
	if (without)
		result_note(j->out, NOTE_WARNING, "energy_no_gpu", j->input, (int64_t)without,
			"%zu of %zu GPUs of the trace have no samples of power: their numbers "
			"are not among those of the GPUs",
			without, devices->n);
	if (without < devices->n)
		result_note(j->out, NOTE_INFO, "energy_sampling", j->input, -1,
			"power between two samples is the line between them; what ran within one "
			"interval is told apart by its time only, and +- says how far that may be "
			"off");
}

static void answer_devices(struct joined *j)
{
	const struct steps *s = j->run->steps;
	struct devices devices;
	size_t without = 0;

	j->uncovered = 0;
	j->least_covered = 1;
	classes_init(&j->classes, j->run, &j->mem);
	stepstat_init(&j->stat, j->run, NULL, &j->mem);
	j->from = s->step[0].start;
	j->to = s->step[0].end;
	for (size_t i = 1; i < s->n; i++)
		j->to = MAX(s->step[i].end, j->to);
	devices_init(&devices, j->run, &j->mem);
	for (size_t i = 0; i < devices.n; i++) {
		const struct smi_gpu *gpu = gpu_of(j, devices.id[i], devices.n);

		if (gpu)
			answer_device(j, devices.id[i], gpu);
		without += !gpu;
	}
	say_devices(j, &devices, without);
}

static void answer_trace(struct joined *j, int zone_s)
{
	double first, last;

	j->ngpu = smi_gpus(j->record, false, &j->mem, &j->gpu);
	if (span_of_samples(j, &first, &last))
		sampleclock_join(&j->clock, j->run, first, last, zone_s);
	else
		j->clock.state = SAMPLECLOCK_NO_DATES;
	if (j->clock.state != SAMPLECLOCK_JOINED) {
		say_apart(j);
		return;
	}
	say_joined(j);
	if (!j->devices) {
		j->devices = result_table_of(j->out, &smi_docs[SMI_ENERGY]);
		j->parts = result_table_of(j->out, &smi_docs[SMI_ENERGY_PARTS]);
		j->steps = result_table_of(j->out, &smi_docs[SMI_ENERGY_STEPS]);
	}
	answer_devices(j);
}

void smi_put_energy(const struct query *q, struct result *out, int zone_s)
{
	struct joined j = { .q = q, .out = out };

	for (size_t i = 0; i < q->nrun; i++) {
		j.run = q->run[i];
		j.input = (int)i;
		j.record = samples_of(q, i);
		if (!j.record || j.run->events.n == 0 || !j.run->order || !j.run->steps ||
			j.run->steps->n == 0)
			continue;
		answer_trace(&j, zone_s);
		arena_clear(&j.mem);
	}
}
