/* Measures: the units in which files of runs write their numbers, and the base units of the house.
 *
 * A number is kept as it was written, with its measure; whoever computes with it converts once. */
#pragma once

#include "base/base.h"
#include "base/table.h"

/* X(NAME, word, base unit, base units in one) The source documents write GB and MB and mean powers
 * of 1024, as torch does; their one decimal MB (a model's size) is MEASURE_MEGABYTE. */
#define MEASURES(X)                                       \
	X(NONE, "", UNIT_NONE, 1)                         \
	X(COUNT, "count", UNIT_COUNT, 1)                  \
	X(NS, "ns", UNIT_NS, 1)                           \
	X(US, "us", UNIT_NS, 1e3)                         \
	X(MS, "ms", UNIT_NS, 1e6)                         \
	X(S, "s", UNIT_NS, 1e9)                           \
	X(BYTE, "B", UNIT_BYTES, 1)                       \
	X(KIB, "KiB", UNIT_BYTES, 1024)                   \
	X(MIB, "MiB", UNIT_BYTES, 1048576)                \
	X(GIB, "GiB", UNIT_BYTES, 1073741824)             \
	X(MEGABYTE, "MB", UNIT_BYTES, 1e6)                \
	X(RATIO, "ratio", UNIT_RATIO, 1)                  \
	X(PERCENT, "%", UNIT_RATIO, 0.01)                 \
	X(PER_S, "1/s", UNIT_NONE, 1)                     \
	X(MB_PER_S, "MB/s", UNIT_BYTES_PER_S, 1e6)        \
	X(GB_PER_S, "GB/s", UNIT_BYTES_PER_S, 1e9)        \
	X(GBIT_PER_S, "Gbit/s", UNIT_BYTES_PER_S, 1.25e8) \
	X(CELSIUS, "C", UNIT_NONE, 1)                     \
	X(WATT, "W", UNIT_NONE, 1)                        \
	X(MHZ, "MHz", UNIT_NONE, 1)                       \
	X(EPOCH_S, "s since 1970", UNIT_NONE, 1)

#define MEASURE_ID(name, ...) MEASURE_##name,
enum measure { MEASURES(MEASURE_ID) MEASURE_COUNT_OF };

struct measure_info {
	const char *word; /* short, for people: "MiB" */
	enum unit base;   /* what it converts to: ns, bytes, ratio, or nothing */
	double factor;    /* base units in one of it */
};
extern const struct measure_info measure_infos[MEASURE_COUNT_OF];

/* v of that measure in its base unit: ns, bytes, ratio; unchanged where there is none. */
double measure_base(enum measure m, double v);

/* The measure of a unit's own spelling, any case: "MiB", "%", "W", "MHz", "us", and the micro sign
 * U+00B5 or U+03BC before "s"; MEASURE_NONE for other texts. */
enum measure measure_of_unit(struct span word);
