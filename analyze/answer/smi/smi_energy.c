/*
 * `smi`: energy of traces: samples joined by clock, and what ran meanwhile.
 */
#include "analyze/answer/smi/smi_energy.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/measure/device/devices.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "base/minmax.h"

/* Power as it is at the moment, before means of the last second. */
static enum smi_field power_field(const struct smi_gpu *g)
{
	static const enum smi_field fields[] = { SMI_POWER_INSTANT, SMI_POWER, SMI_POWER_AVERAGE };
	size_t i;

	for (i = 0; i < COUNT_OF(fields); i++)
		if (g->curve[fields[i]].n > 1 && g->series[fields[i]]->axis == AXIS_TIME)
			return fields[i];
	return SMI_FIELDS_N;
}

/* ---- which samples are a trace's ---- */

static bool has_power(const struct record *r)
{
	size_t i;

	for (i = 0; r && i < r->nseries; i++) {
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
	size_t i, n = 0;

	if (has_power(q->run[run]->record))
		return q->run[run]->record;
	for (i = 0; i < q->nrun; i++)
		if (has_power(q->run[i]->record)) {
			found = q->run[i]->record;
			n++;
		}
	return n == 1 ? found : NULL;
}

/* From the first to the last sample of power of any GPU; false: none have times. */
static bool span_of_samples(const struct joined *j, double *first, double *last)
{
	size_t i;

	*first = INFINITY;
	*last = -INFINITY;
	for (i = 0; i < j->ngpu; i++) {
		enum smi_field f = power_field(&j->gpu[i]);
		const struct curve *c;

		if (f == SMI_FIELDS_N)
			continue;
		c = &j->gpu[i].curve[f];
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
	size_t i;

	(void)snprintf(text, sizeof(text), "%" PRId64, device);
	for (i = 0; i < j->ngpu; i++)
		if (span_is(j->gpu[i].group, text) && power_field(&j->gpu[i]) != SMI_FIELDS_N)
			return &j->gpu[i];
	if (j->ngpu == 1 && ndevice == 1 && power_field(&j->gpu[0]) != SMI_FIELDS_N)
		return &j->gpu[0];
	return NULL;
}

static void put_parts(const struct joined *j, const struct joined_device *d)
{
	const struct energy_split *s = &d->split;
	bool done[ENERGY_PARTS] = { false };
	unsigned i, k, best;

	for (i = 0; i < ENERGY_PARTS; i++) {
		struct table *t = j->parts;

		for (best = ENERGY_PARTS, k = 0; k < ENERGY_PARTS; k++)
			if (!done[k] && s->part[k].ns > 0 &&
				(best == ENERGY_PARTS || s->part[k].nj > s->part[best].nj))
				best = k;
		if (best == ENERGY_PARTS)
			return;
		done[best] = true;
		table_row(t);
		table_text(t, SPART_TRACE, span_of(j->run->path));
		table_int(t, SPART_DEVICE, d->id);
		table_text(t, SPART_WHAT, span_of(energy_word(best)));
		table_int(t, SPART_ENERGY, s->part[best].nj);
		table_real(t, SPART_ERROR, s->part[best].error);
		if (s->whole.nj > 0)
			table_real(t, SPART_RATIO, (double)s->part[best].nj / (double)s->whole.nj);
		table_int(t, SPART_TIME, s->part[best].ns);
		table_real(t, SPART_WATTS, (double)s->part[best].nj / (double)s->part[best].ns);
	}
}

static void put_token(const struct joined *j, const struct joined_device *d, double watts)
{
	double tokens = smi_tokens_of_step(j->run->record), rate = smi_tokens_per_s(j->run->record);

	if (isnan(tokens) && isnan(rate) && j->record != j->run->record) {
		tokens = smi_tokens_of_step(j->record);
		rate = smi_tokens_per_s(j->record);
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
	table_row(t);
	table_text(t, SENE_TRACE, span_of(j->run->path));
	table_int(t, SENE_DEVICE, d->id);
	table_text(t, SENE_GPU, d->gpu->group);
	table_real(t, SENE_COVERED, covered);
	table_int(t, SENE_SEEN, all->ns);
	table_int(t, SENE_INTERVAL, d->power.usual);
	if (all->ns == 0)
		return;
	table_int(t, SENE_ENERGY, all->nj);
	table_real(t, SENE_ERROR, all->error);
	table_int(t, SENE_WORK, all->nj - idle);
	table_int(t, SENE_IDLE, idle);
	if (all->nj > 0)
		table_real(t, SENE_IDLE_RATIO, (double)idle / (double)all->nj);
	table_real(t, SENE_WATTS, watts);
	table_real(t, SENE_STEP, d->step_nj);
	put_token(j, d, watts);
}

static void answer_device(struct joined *j, int64_t id, const struct smi_gpu *gpu)
{
	struct joined_device d = { .id = id, .gpu = gpu, .step_nj = NAN };

	joined_field(j, &d.power, gpu, power_field(gpu), 1, &j->mem);
	energy_split(&d.split, &d.power, j->run, &j->classes, id, j->from, j->to, &j->mem);
	smi_put_steps(j, &d);
	put_device(j, &d);
	put_parts(j, &d);
}

/* ---- a trace ---- */

static struct table *new_table(const struct joined *j, unsigned which)
{
	const struct table_doc *doc = &smi_docs[which];

	return result_table(j->out, doc->id, doc->title, doc->col, doc->ncol);
}

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
			"%zu of %zu devices of the trace have no samples of power: their numbers "
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
	size_t i, without = 0;

	j->uncovered = 0;
	j->least_covered = 1;
	classes_init(&j->classes, j->run, &j->mem);
	stepstat_init(&j->stat, j->run, NULL, &j->mem);
	j->from = s->step[0].start;
	j->to = s->step[0].end;
	for (i = 1; i < s->n; i++)
		j->to = MAX(s->step[i].end, j->to);
	devices_init(&devices, j->run, &j->mem);
	for (i = 0; i < devices.n; i++) {
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
		j->devices = new_table(j, SMI_ENERGY);
		j->parts = new_table(j, SMI_ENERGY_PARTS);
		j->steps = new_table(j, SMI_ENERGY_STEPS);
	}
	answer_devices(j);
}

void smi_put_energy(const struct query *q, struct result *out, int zone_s)
{
	struct joined j = { .q = q, .out = out };
	size_t i;

	for (i = 0; i < q->nrun; i++) {
		j.run = q->run[i];
		j.input = (int)i;
		j.record = samples_of(q, i);
		if (!j.record || j.run->events.n == 0 || !j.run->order || !j.run->steps ||
			j.run->steps->n == 0)
			continue;
		arena_init(&j.mem);
		answer_trace(&j, zone_s);
		arena_clear(&j.mem);
	}
}
