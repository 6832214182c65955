/* The tables behind unit_of_measure.h: spellings of units, and ends of keys. */
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

/* Longest first where one ends in another. */
static const struct spelling ends[] = {
	{ "_per_second", MEASURE_PER_S },
	{ "_per_sec", MEASURE_PER_S },
	{ "_per_s", MEASURE_PER_S },
	{ "_mem_used", MEASURE_MIB },
	{ "peak_gpu_mem", MEASURE_MIB },
	{ "_gib", MEASURE_GIB },
	{ "_gb", MEASURE_GIB },
	{ "_mib", MEASURE_MIB },
	{ "_mb", MEASURE_MIB },
	{ "_mb_peak", MEASURE_MIB },
	{ "_kb", MEASURE_KIB },
	{ "_bytes", MEASURE_BYTE },
	{ "_seconds", MEASURE_S },
	{ "_sec", MEASURE_S },
	{ "_secs", MEASURE_S },
	{ "_time_ms", MEASURE_MS },
	{ "_ms", MEASURE_MS },
	{ "_us", MEASURE_US },
	{ "_ns", MEASURE_NS },
	{ "_percent", MEASURE_PERCENT },
	{ "_pct", MEASURE_PERCENT },
	{ "seconds", MEASURE_S },
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

enum measure measure_of_key(struct span key)
{
	for (size_t i = 0; i < COUNT_OF(ends); i++)
		if (span_ends(key, ends[i].text))
			return ends[i].measure;
	return MEASURE_NONE;
}

enum measure measure_of_unit(struct span word)
{
	for (size_t i = 0; i < COUNT_OF(units); i++)
		if (span_is_nocase(word, units[i].text))
			return units[i].measure;
	return MEASURE_NONE;
}
