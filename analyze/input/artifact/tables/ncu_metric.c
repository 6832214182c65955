/* Names, units and numbers of Nsight Compute.  Its prefixes are decimal: a Kbyte is 1000 bytes. */
#include "analyze/input/artifact/tables/ncu_metric.h"

#include "analyze/input/text/num.h"

static const struct {
	const char *words;
	enum ncu_unit unit;
	double factor;
} units[] = {
	{ "ns|nsecond", NCU_UNIT_NS, 1 },
	{ "us|usecond", NCU_UNIT_NS, 1e3 },
	{ "ms|msecond", NCU_UNIT_NS, 1e6 },
	{ "s|second", NCU_UNIT_NS, 1e9 },
	{ "%", NCU_UNIT_RATIO, 0.01 },
	{ "byte", NCU_UNIT_BYTES, 1 },
	{ "kbyte", NCU_UNIT_BYTES, 1e3 },
	{ "mbyte", NCU_UNIT_BYTES, 1e6 },
	{ "gbyte", NCU_UNIT_BYTES, 1e9 },
	{ "tbyte", NCU_UNIT_BYTES, 1e12 },
	{ "register|registers|warp", NCU_UNIT_COUNT, 1 },
};

enum ncu_unit ncu_unit_of(struct span word, double *factor)
{
	struct span head, per;

	(void)span_cut(word, '/', &head, &per);
	bool is_rate = span_in(per, "s|second");
	*factor = 1;
	if (per.n && !is_rate && !span_in(per, "block|thread"))
		return NCU_UNIT_OTHER;
	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (!span_in_nocase(head, units[i].words))
			continue;
		*factor = units[i].factor;
		if (is_rate)
			return units[i].unit == NCU_UNIT_BYTES ? NCU_UNIT_BYTES_PER_S
							       : NCU_UNIT_OTHER;
		return units[i].unit;
	}
	return NCU_UNIT_OTHER;
}

/* A metric of one name may be several things, told apart by their units. */
static const struct {
	const char *names;
	enum ncu_unit unit;
	enum kernel_figure figure;
} metrics[] = {
	{ "gpu__time_duration.sum|gpu__time_duration.avg|gpu__time_duration.max|Duration",
		NCU_UNIT_NS, KERNEL_NS },
	{ "sm__warps_active.avg.pct_of_peak_sustained_active|Achieved Occupancy", NCU_UNIT_RATIO,
		KERNEL_OCCUPANCY },
	{ "sm__maximum_warps_per_active_cycle_pct|Theoretical Occupancy", NCU_UNIT_RATIO,
		KERNEL_THEORETICAL },
	{ "sm__throughput.avg.pct_of_peak_sustained_elapsed|Compute (SM) Throughput|"
	  "SM [%]",
		NCU_UNIT_RATIO, KERNEL_SM },
	{ "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed|"
	  "Memory Throughput|Memory [%]",
		NCU_UNIT_RATIO, KERNEL_MEMORY },
	{ "dram__throughput.avg.pct_of_peak_sustained_elapsed|"
	  "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed|DRAM Throughput",
		NCU_UNIT_RATIO, KERNEL_DRAM },
	{ "dram__bytes.sum", NCU_UNIT_BYTES, KERNEL_BYTES },
	{ "dram__bytes_read.sum", NCU_UNIT_BYTES, KERNEL_BYTES_READ },
	{ "dram__bytes_write.sum", NCU_UNIT_BYTES, KERNEL_BYTES_WRITTEN },
	{ "dram__bytes.sum.per_second|Memory Throughput", NCU_UNIT_BYTES_PER_S,
		KERNEL_BYTES_PER_S },
	{ "launch__registers_per_thread|Registers Per Thread", NCU_UNIT_COUNT, KERNEL_REGISTERS },
	{ "launch__shared_mem_per_block", NCU_UNIT_BYTES, KERNEL_SHARED },
	{ "launch__shared_mem_per_block_static|Static Shared Memory Per Block", NCU_UNIT_BYTES,
		KERNEL_SHARED_STATIC },
	{ "launch__shared_mem_per_block_dynamic|Dynamic Shared Memory Per Block", NCU_UNIT_BYTES,
		KERNEL_SHARED_DYNAMIC },
};

enum kernel_figure ncu_figure_of(struct span name, enum ncu_unit unit, bool *is_unknown)
{
	*is_unknown = false;
	for (size_t i = 0; i < COUNT_OF(metrics); i++) {
		if (!span_in(name, metrics[i].names))
			continue;
		if (metrics[i].unit == unit)
			return metrics[i].figure;
		*is_unknown = *is_unknown || unit == NCU_UNIT_OTHER;
	}
	return KERNEL_FIGURES;
}

/* ---- numbers ---- */

/* Digits and separators only, and something that only one way of writing has: -1 or 1; else 0. */
static int way_of(struct span t)
{
	size_t dots = 0, commas = 0, behind = 0;
	char last = 0;

	for (size_t i = 0; i < t.n; i++) {
		if (is_digit(t.p[i])) {
			behind++;
			continue;
		}
		if (t.p[i] != '.' && t.p[i] != ',')
			return 0;
		dots += t.p[i] == '.';
		commas += t.p[i] == ',';
		last = t.p[i];
		behind = 0;
	}
	if (dots && commas)
		return last == ',' ? 1 : -1;
	if (dots > 1 || commas > 1) /* thousands of thousands */
		return dots > 1 ? 1 : -1;
	if (dots + commas == 1 && behind != 3)
		return commas ? 1 : -1;
	return 0;
}

struct ncu_numbers ncu_numbers_of(struct span text)
{
	int64_t swapped = 0, usual = 0;
	const char *p = text.p, *end = text.p + text.n, *q;

	while (p < end && (p = memchr(p, '"', (size_t)(end - p)))) {
		p++;
		q = memchr(p, '"', (size_t)(end - p));
		if (!q)
			break;
		int way = way_of(span_between(p, q));
		swapped += way > 0;
		usual += way < 0;
		p = q + 1;
	}
	return (struct ncu_numbers){ .is_swapped = swapped > usual };
}

bool ncu_number(const struct ncu_numbers *n, struct span cell, double *v)
{
	char plain[64];
	size_t i, k = 0;

	for (i = 0; i < cell.n && k < sizeof(plain); i++) {
		char c = cell.p[i];

		if (c == (n->is_swapped ? '.' : ','))
			continue;
		plain[k++] = n->is_swapped && c == ',' ? '.' : c;
	}
	return i == cell.n && k > 0 && real_of((struct span){ plain, k }, v);
}
