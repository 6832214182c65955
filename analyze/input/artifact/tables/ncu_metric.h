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

/* The figure that a metric of that name and unit is, by its name of the raw page
 * ("gpu__time_duration.sum") or of the details page ("Duration"); KERNEL_FIGURES: none that is
 * used. *is_unknown: it would be one, if its unit were known. */
enum kernel_figure ncu_figure_of(struct span name, enum ncu_unit unit, bool *is_unknown);

/* How numbers are written: "1,234.5", or where the machine's language was another "1.234,5". */
struct ncu_numbers {
	bool is_swapped; /* a comma begins the decimals */
};

/* By the first cells of a text in which only one of the two makes sense. */
struct ncu_numbers ncu_numbers_of(struct span text);

/* A cell's number; false for what is none. */
bool ncu_number(const struct ncu_numbers *n, struct span cell, double *v);
