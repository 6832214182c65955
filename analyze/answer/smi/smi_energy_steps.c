/*
 * `smi`: energy of each step, and what held the GPU back in it.
 */
#include <inttypes.h>
#include <math.h>

#include "analyze/answer/smi/smi_energy.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "base/saturate.h"
#include "base/search.h"

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
	size_t first = sample_from(w, c, s->start), end = sample_from(w, c, s->end), i;
	unsigned bits = 0;

	for (i = first; i < end; i++)
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
	unsigned k;

	for (k = 0; k < REASONS_BITS; k++)
		if (bits & 1u << k)
			str_addf(&b, "%s%s", b.n ? ", " : "", reasons[k]);
	if (b.n)
		table_textf(t, SSTEP_REASONS, "%s", b.s);
	str_free(&b);
}

static void put_clock(const struct step_rows *w, const struct step *s)
{
	double mhz = mean_of(&w->clock, s);

	if (isnan(mhz))
		return;
	table_real(w->j->steps, SSTEP_CLOCK, mhz * 1e6);
	table_real(w->j->steps, SSTEP_CLOCK_RATIO, mhz / w->median_mhz);
}

static void put_step(const struct step_rows *w, size_t i)
{
	const struct joined *j = w->j;
	const struct step *s = &j->run->steps->step[j->stat.step[i]];
	nsec dur = stepstat_dur(&j->stat, j->run, i);
	struct energy_part p = energy_between(&w->d->power, s->start, s->end);
	struct table *t = j->steps;
	double watts;

	table_row(t);
	table_text(t, SSTEP_TRACE, span_of(j->run->path));
	table_int(t, SSTEP_DEVICE, w->d->id);
	if (j->stat.has_steps)
		table_int(t, SSTEP_STEP, s->number);
	table_int(t, SSTEP_DUR, dur);
	if (is_whole(&p, dur)) {
		watts = (double)p.nj / (double)dur;
		table_int(t, SSTEP_ENERGY, p.nj);
		table_real(t, SSTEP_ERROR, p.error);
		table_real(t, SSTEP_WATTS, watts);
		table_real(t, SSTEP_LIMIT, watts / w->limit);
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
	size_t i, n = 0, clocks = 0;

	for (i = 0; i < j->stat.n; i++) {
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
	size_t i, slow = 0, slowed = 0;

	for (i = 0; i < j->stat.n; i++) {
		const struct step *s = &j->run->steps->step[j->stat.step[i]];

		if (!(j->stat.mark[i] & STEP_SLOW))
			continue;
		slow++;
		slowed += mean_of(&w->clock, s) < SLOW_CLOCK * w->median_mhz;
	}
	if (slowed)
		result_note(j->out, NOTE_WARNING, "energy_throttled", j->input, (int64_t)slowed,
			"device %" PRId64 ": %zu of %zu slow steps ran at a clock at least 5%% "
			"below the median step's: the GPU was slowed down, not the program",
			w->d->id, slowed, slow);
}

static double limit_of(const struct smi_gpu *g)
{
	const struct curve *c = &g->curve[SMI_POWER_LIMIT];
	double most = NAN;
	size_t i;

	for (i = 0; i < c->n; i++)
		most = c->y[i] > 0 && !(most >= c->y[i]) ? c->y[i] : most;
	return most;
}

void smi_put_steps(struct joined *j, struct joined_device *d)
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
