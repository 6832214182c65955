/* The tables behind unit_of_measure.h: spellings of units. */
#include "analyze/trace/unit_of_measure.h"

const struct measure_info measure_infos[MEASURE_COUNT_OF] = {
#define X(name, word, unit, factor) { word, unit, factor },
	MEASURES(X)
#undef X
};

enum { LONGEST = 12 /* of the words below */ };

static const struct meaning units[] = {
	{ span_in_nocase, "ns", MEASURE_NS },
	{ span_in_nocase, "us|usec|\xc2\xb5s|\xce\xbcs", MEASURE_US },
	{ span_in_nocase, "ms|msec", MEASURE_MS },
	{ span_in_nocase, "s|sec|seconds", MEASURE_S },
	{ span_in_nocase, "samples/sec|samples/s|tokens/sec|tokens/s|batches/sec|requests/sec",
		MEASURE_PER_S },
	{ span_in, "MB/s|MB/sec", MEASURE_MB_PER_S },
	{ span_in, "GB/s|GB/sec", MEASURE_GB_PER_S },
	{ span_in, "Gbps|Gb/s|Gb/sec|Gbit/s", MEASURE_GBIT_PER_S },
	{ span_in_nocase, "b|bytes", MEASURE_BYTE },
	{ span_in_nocase, "kb|kib", MEASURE_KIB },
	{ span_in_nocase, "mb|mib", MEASURE_MIB },
	{ span_in_nocase, "gb|gib", MEASURE_GIB },
	{ span_in_nocase, "%", MEASURE_PERCENT },
	{ span_in_nocase, "w", MEASURE_WATT },
	{ span_in_nocase, "mhz", MEASURE_MHZ },
	{ span_in_nocase, "c", MEASURE_CELSIUS },
};

double measure_base(enum measure m, double v)
{
	return v * measure_infos[m].factor;
}

enum measure measure_of_unit(struct span word)
{
	if (word.n == 0 || word.n > LONGEST || !strchr("scbwz%", word.p[word.n - 1] | 0x20))
		return MEASURE_NONE; /* most words */
	return (enum measure)MEANING_OF(word, units, MEASURE_NONE);
}
