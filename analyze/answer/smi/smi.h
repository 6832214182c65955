/* `smi`: what its parts share.  Private to analyze/answer/smi/. */
#pragma once

#include "analyze/measure/curve.h"
#include "analyze/analysis/perrun.h"

struct smi_options {
	bool is_untrimmed;
	int64_t points; /* of each GPU's timeline; below 0: the default */
	const char *target;
	const char *zone; /* of the samples' clock; NULL: it is found */
};

/* X(NAME, what nvidia-smi calls it) */
#define SMI_FIELDS(X)                                \
	X(UTIL, "utilization.gpu")                   \
	X(UTIL_MEMORY, "utilization.memory")         \
	X(USED, "memory.used")                       \
	X(FREE, "memory.free")                       \
	X(TOTAL, "memory.total")                     \
	X(TEMPERATURE, "temperature.gpu")            \
	X(POWER, "power.draw")                       \
	X(POWER_LIMIT, "power.limit")                \
	X(CLOCK, "clocks.sm")                        \
	X(CLOCK_MAX, "clocks.max.sm")                \
	X(POWER_INSTANT, "power.draw.instant")       \
	X(POWER_AVERAGE, "power.draw.average")       \
	X(REASONS, "clocks_throttle_reasons.active") \
	X(COUNTER, "total_energy_consumption")

#define SMI_ID(name, ...) SMI_##name,
enum smi_field { SMI_FIELDS(SMI_ID) SMI_FIELDS_N };

/* The field a series is of, or SMI_FIELDS_N: as nvidia-smi writes it, with or without its unit. */
enum smi_field smi_field_of(struct span name);

/* Samples of one GPU, in base units: ratios, bytes, degrees C, W, Hz, J. */
struct smi_gpu {
	struct span group; /* as the record tells GPUs apart: index, uuid, or order of rows */
	struct span name;  /* "NVIDIA A100", or empty */
	const struct series *series[SMI_FIELDS_N];
	struct curve curve[SMI_FIELDS_N]; /* n 0: not sampled */
	double *weight;                   /* seconds each sample of the leading field stands for */
	enum smi_field lead; /* the field whose samples give times: UTIL if there is one */
	size_t from, to;     /* samples of it that are left after trimming */
	size_t gaps;         /* pauses of more than SMI_GAP intervals */
	double interval;     /* median seconds between samples; NaN: one sample */
	bool is_timed;       /* x is seconds, else numbers of samples */
};

enum { SMI_GAP = 5 };
#define SMI_IDLE 0.05 /* utilisation up to this is idle */
#define SMI_BUSY 0.80

/* All GPUs of a record, in order of first sight; returns how many.  Memory is the arena's. */
size_t smi_gpus(const struct record *r, bool is_trimmed, struct arena *mem, struct smi_gpu **out);

/* Figures of one GPU over its samples [from, to); NaN: not known. */
struct smi_figures {
	double seconds;                              /* that the samples stand for */
	double util, util_p10, util_p50, idle, busy; /* weighted mean; quantiles; shares of time */
	double util_memory;
	double used_mean, used_peak, capacity;
	double temperature_mean, temperature_max;
	double power_mean, power_max, power_limit, energy; /* energy in J */
	double clock_mean, clock_top; /* Hz; top: the highest the GPU can, else was seen */
	double throttled;             /* share of busy time with a clock below 90% of the top */
	struct curve_trend used;      /* bytes per second */
};
void smi_figures(struct smi_figures *f, const struct smi_gpu *g, struct arena *mem);

/* Mean of a field over samples [from, to) of the lead, weighted by time; NaN: none. */
double smi_mean_between(const struct smi_gpu *g, enum smi_field field, size_t from, size_t to);

/* The i-th sample of the lead follows a pause of more than SMI_GAP usual intervals. */
bool smi_is_after_pause(const struct smi_gpu *g, size_t i);

/* smi_energy.c: energy of the traces of the query for which there are samples, by device, by what
 * ran, by step.  zone_s: as sampleclock_join. */
void smi_put_energy(const struct query *q, struct result *out, int zone_s);

#define TABLES_DEF "analyze/answer/smi/smi_tables.def"
#include "base/table_names_impl.h"
