/* The tables behind unit_of_measure.h: spellings of units. */
#include "analyze/trace/unit_of_measure.h"

const struct measure_info measure_infos[MEASURE_COUNT_OF] = {
#define X(name, word, unit, factor) { word, unit, factor },
	MEASURES(X)
#undef X
};

struct spelling {
	const char *text;
	enum measure measure;
};

static const struct spelling units[] = {
	{ "ns", MEASURE_NS },
	{ "us", MEASURE_US },
	{ "\xc2\xb5s", MEASURE_US },
	{ "\xce\xbcs", MEASURE_US },
	{ "ms", MEASURE_MS },
	{ "s", MEASURE_S },
	{ "sec", MEASURE_S },
	{ "seconds", MEASURE_S },
	{ "samples/sec", MEASURE_PER_S },
	{ "samples/s", MEASURE_PER_S },
	{ "tokens/sec", MEASURE_PER_S },
	{ "tokens/s", MEASURE_PER_S },
	{ "batches/sec", MEASURE_PER_S },
	{ "b", MEASURE_BYTE },
	{ "bytes", MEASURE_BYTE },
	{ "kb", MEASURE_KIB },
	{ "kib", MEASURE_KIB },
	{ "mb", MEASURE_MIB },
	{ "mib", MEASURE_MIB },
	{ "gb", MEASURE_GIB },
	{ "gib", MEASURE_GIB },
	{ "%", MEASURE_PERCENT },
	{ "w", MEASURE_WATT },
	{ "mhz", MEASURE_MHZ },
	{ "c", MEASURE_CELSIUS },
};

double measure_base(enum measure m, double v)
{
	return v * measure_infos[m].factor;
}

enum measure measure_of_unit(struct span word)
{
	for (size_t i = 0; i < COUNT_OF(units); i++)
		if (span_is_nocase(word, units[i].text))
			return units[i].measure;
	return MEASURE_NONE;
}
