/*
 * `smi`: a trace and the samples beside it.  Private to analyze/answer/smi/.
 */
#ifndef ANALYZE_ANSWER_SMI_SMI_ENERGY_H
#define ANALYZE_ANSWER_SMI_SMI_ENERGY_H

#include "analyze/answer/smi/smi.h"
#include "analyze/measure/device/classes.h"
#include "analyze/measure/power/energy.h"
#include "analyze/measure/power/sampleclock.h"
#include "analyze/measure/stepstat.h"

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

/* smi_joined.c: samples of a field on the trace's clock, times `factor`. */
void joined_field(const struct joined *j, struct energy *e, const struct smi_gpu *g,
	enum smi_field field, double factor, struct arena *mem);

/* smi_energy_steps.c: the rows of one device's steps; fills d->step_nj. */
void smi_put_steps(struct joined *j, struct joined_device *d);

/* Tokens of each step by the run's log, NaN where it does not say; tokens a second as stated. */
double smi_tokens_of_step(const struct record *r);
double smi_tokens_per_s(const struct record *r);

#endif
