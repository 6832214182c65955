/* Names, units and numbers of Nsight Compute.  Its prefixes are decimal: a Kbyte is 1000 bytes. */
#include "analyze/input/artifact/tables/ncu_metric.h"

#include "analyze/input/text/num.h"
#include "base/ascii.h"

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
	const char *slash = memchr(word.p, '/', word.n);
	struct span head = { word.p, slash ? (size_t)(slash - word.p) : word.n };
	struct span per = slash ? (struct span){ slash + 1, word.n - head.n - 1 } : SPAN("");
	bool is_rate = span_is(per, "s") || span_is(per, "second");

	*factor = 1;
	if (per.n && !is_rate && !span_is(per, "block") && !span_is(per, "thread"))
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
	enum ncu_figure figure;
} metrics[] = {
	{ "gpu__time_duration.sum|gpu__time_duration.avg|gpu__time_duration.max|Duration",
		NCU_UNIT_NS, NCU_NS },
	{ "sm__warps_active.avg.pct_of_peak_sustained_active|Achieved Occupancy", NCU_UNIT_RATIO,
		NCU_OCCUPANCY },
	{ "sm__maximum_warps_per_active_cycle_pct|Theoretical Occupancy", NCU_UNIT_RATIO,
		NCU_THEORETICAL },
	{ "sm__throughput.avg.pct_of_peak_sustained_elapsed|Compute (SM) Throughput|"
	  "SM [%]",
		NCU_UNIT_RATIO, NCU_SM },
	{ "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed|"
	  "Memory Throughput|Memory [%]",
		NCU_UNIT_RATIO, NCU_MEMORY },
	{ "dram__throughput.avg.pct_of_peak_sustained_elapsed|"
	  "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed|DRAM Throughput",
		NCU_UNIT_RATIO, NCU_DRAM },
	{ "dram__bytes.sum", NCU_UNIT_BYTES, NCU_BYTES },
	{ "dram__bytes_read.sum", NCU_UNIT_BYTES, NCU_BYTES_READ },
	{ "dram__bytes_write.sum", NCU_UNIT_BYTES, NCU_BYTES_WRITTEN },
	{ "dram__bytes.sum.per_second|Memory Throughput", NCU_UNIT_BYTES_PER_S, NCU_BYTES_PER_S },
	{ "launch__registers_per_thread|Registers Per Thread", NCU_UNIT_COUNT, NCU_REGISTERS },
	{ "launch__shared_mem_per_block", NCU_UNIT_BYTES, NCU_SHARED },
	{ "launch__shared_mem_per_block_static|Static Shared Memory Per Block", NCU_UNIT_BYTES,
		NCU_SHARED_STATIC },
	{ "launch__shared_mem_per_block_dynamic|Dynamic Shared Memory Per Block", NCU_UNIT_BYTES,
		NCU_SHARED_DYNAMIC },
};

enum ncu_figure ncu_figure_of(struct span name, enum ncu_unit unit, bool *is_unknown)
{
	*is_unknown = false;
	for (size_t i = 0; i < COUNT_OF(metrics); i++) {
		if (!span_in(name, metrics[i].names))
			continue;
		if (metrics[i].unit == unit)
			return metrics[i].figure;
		*is_unknown = *is_unknown || unit == NCU_UNIT_OTHER;
	}
	return NCU_FIGURES;
}

/* The whole, else the sum of its parts. */
static double whole_of(double whole, double a, double b)
{
	return isnan(whole) ? a + b : whole;
}

struct kernel_launch ncu_launch_of(const struct ncu_launch *l)
{
	static const enum ncu_figure shares[KERNEL_SHARES] = {
		[KERNEL_SHARE_OCCUPANCY] = NCU_OCCUPANCY,
		[KERNEL_SHARE_THEORETICAL] = NCU_THEORETICAL,
		[KERNEL_SHARE_SM] = NCU_SM,
		[KERNEL_SHARE_MEMORY] = NCU_MEMORY,
		[KERNEL_SHARE_DRAM] = NCU_DRAM,
	};
	struct kernel_launch k = kernel_launch_new();

	k.calls = l->calls;
	k.ns = l->v[NCU_NS];
	k.min_ns = l->min_ns;
	k.max_ns = l->max_ns;
	for (int i = 0; i < KERNEL_SHARES; i++)
		k.share[i] = l->v[shares[i]];
	k.bytes = whole_of(l->v[NCU_BYTES], l->v[NCU_BYTES_READ], l->v[NCU_BYTES_WRITTEN]);
	if (isnan(k.bytes))
		k.bytes = l->v[NCU_BYTES_PER_S] * l->v[NCU_NS] / 1e9;
	k.registers = l->v[NCU_REGISTERS];
	k.shared = whole_of(l->v[NCU_SHARED], l->v[NCU_SHARED_STATIC], l->v[NCU_SHARED_DYNAMIC]);
	k.grid = l->grid;
	k.block = l->block;
	return k;
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
		int way = way_of((struct span){ p, (size_t)(q - p) });
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
