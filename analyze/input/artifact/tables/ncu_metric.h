/* Metrics of Nsight Compute: which of them a kernel's figure is, and in what units they come. */
#pragma once

#include "analyze/input/artifact/tables/kernel_rows.h"
#include "base/base.h"

/* What a number is, in base units. */
enum ncu_unit {
	NCU_UNIT_OTHER, /* one that is not known, or none at all */
	NCU_UNIT_NS,
	NCU_UNIT_RATIO,
	NCU_UNIT_BYTES,
	NCU_UNIT_BYTES_PER_S,
	NCU_UNIT_COUNT
};

/* The unit of "usecond", "us", "%", "Mbyte", "Kbyte/block", ...; *factor: base units in one. */
enum ncu_unit ncu_unit_of(struct span word, double *factor);

/* Figures of a launch as they are read, some of which are parts of others. */
enum ncu_figure {
	NCU_NS,
	NCU_OCCUPANCY,
	NCU_THEORETICAL,
	NCU_SM,
	NCU_MEMORY,
	NCU_DRAM,
	NCU_BYTES,
	NCU_BYTES_READ,
	NCU_BYTES_WRITTEN,
	NCU_BYTES_PER_S,
	NCU_REGISTERS,
	NCU_SHARED,
	NCU_SHARED_STATIC,
	NCU_SHARED_DYNAMIC,
	NCU_FIGURES
};

struct ncu_launch {
	double v[NCU_FIGURES]; /* NaN: not known */
	double calls;          /* launches it is the mean of */
	double min_ns, max_ns; /* of those; NaN: not known */
	struct span grid, block;
};

/*
 * The figure that a metric of that name and unit is, by its name of the raw page
 * ("gpu__time_duration.sum") or of the details page ("Duration"); NCU_FIGURES: none that is used.
 * *is_unknown: it would be one, if its unit were known.
 */
enum ncu_figure ncu_figure_of(struct span name, enum ncu_unit unit, bool *is_unknown);

/* The launch as rows of kernels take it; sums of parts where the whole is not there. */
struct kernel_launch ncu_launch_of(const struct ncu_launch *l);

/* How numbers are written: "1,234.5", or where the machine's language was another "1.234,5". */
struct ncu_numbers {
	bool is_swapped; /* a comma begins the decimals */
};

/* By the first cells of a text in which only one of the two makes sense. */
struct ncu_numbers ncu_numbers_of(struct span text);

/* A cell's number; false for what is none. */
bool ncu_number(const struct ncu_numbers *n, struct span cell, double *v);
