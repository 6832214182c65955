/*
 * What of a run without a trace answers the questions about bottlenecks: tables of operations, and
 * functions of a sampled profile.
 */
#include <math.h>
#include <string.h>

#include "base/name/name.h"
#include "report/documents/week1.h"

enum { TOP = 3, NAME_LETTERS = 48 };

/* The table of operations by device time, else by CPU time; *key: what that is. */
static const struct table *recorded(const struct answers *in, const char **key)
{
	const struct table *t = answers_rows(in, ask_top, "recorded_device");

	*key = "self_device_ns";
	if (t && !isnan(table_number(t, 0, *key)))
		return t;
	*key = "device_total_ns";
	if (t)
		return t;
	*key = "self_cpu_ns";
	return answers_rows(in, ask_top, "recorded_ops");
}

/* Any row has time on the CPU: rows that have none are then device work, which its op counts too.
 */
static bool has_hosts(const struct table *t)
{
	size_t i;

	for (i = 0; i < table_rows(t); i++)
		if (table_number(t, i, "self_cpu_ns") > 0 &&
			table_number(t, i, "self_device_ns") > 0)
			return true;
	return false;
}

static bool is_counted(const struct table *t, size_t row, bool hosts)
{
	return !hosts || table_number(t, row, "self_cpu_ns") > 0 ||
		table_number(t, row, "cpu_total_ns") > 0;
}

static double sum_of(const struct table *t, const char *key, bool hosts)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, key);

		if (v > 0 && is_counted(t, i, hosts))
			sum += v;
	}
	return sum;
}

static const char *top_sampled(const struct answers *in, struct page *d, struct str *b)
{
	const struct table *t = answers_rows(in, ask_stacks, "sampled_functions");
	size_t i;

	for (i = 0; i < table_rows(t) && i < TOP; i++) {
		str_addf(b, "%s%zu. ", i ? "; " : "", i + 1);
		name_shorten(b, table_word(t, i, "name"), NAME_LETTERS, true);
		str_addf(b, ", %s of the samples", page_value(d, t, i, "self_ratio"));
	}
	return "sampled profile";
}

const char *week1_heaviest(const struct answers *in, struct page *d, size_t most, const char **from)
{
	const char *key, *text;
	const struct table *t = recorded(in, &key);
	bool hosts = has_hosts(t);
	double all = sum_of(t, key, hosts);
	struct str b = { 0 };
	size_t shown = 0, i;

	*from = strcmp(key, "self_cpu_ns") == 0 ? "table of operations, CPU time"
						: "table of operations, device time";
	for (i = 0; i < table_rows(t) && shown < most; i++) {
		double v = table_number(t, i, key);

		if (!(v > 0) || !is_counted(t, i, hosts))
			continue;
		str_addf(&b, "%s%zu. ", shown ? "; " : "", shown + 1);
		name_shorten(&b, table_word(t, i, "name"), NAME_LETTERS, true);
		str_addf(&b, ", %s", section_percent(d, v / all));
		shown++;
	}
	if (!shown)
		*from = top_sampled(in, d, &b);
	text = b.n ? arena_copy(&d->mem, b.s, b.n) : NULL;
	str_free(&b);
	return text;
}

/* What an op is bound by, as its name says. */
enum bound { BOUND_COMPUTE, BOUND_COPY, BOUND_MEMORY, BOUNDS };

static enum bound bound_of(struct span name)
{
	static const struct {
		const char *word;
		enum bound bound;
	} words[] = { { "memcpy", BOUND_COPY }, { "copy", BOUND_COPY }, { "::to", BOUND_COPY },
		{ "mm", BOUND_COMPUTE }, { "gemm", BOUND_COMPUTE }, { "linear", BOUND_COMPUTE },
		{ "conv", BOUND_COMPUTE }, { "attention", BOUND_COMPUTE },
		{ "flash", BOUND_COMPUTE }, { "matmul", BOUND_COMPUTE },
		{ "cutlass", BOUND_COMPUTE } };
	size_t i;

	for (i = 0; i < COUNT_OF(words); i++)
		if (span_has_nocase(name, words[i].word))
			return words[i].bound;
	return BOUND_MEMORY;
}

const char *week1_bound(const struct answers *in, struct page *d, double *passes)
{
	const struct table *t = answers_rows(in, ask_top, "recorded_device");
	double sum[BOUNDS] = { 0 }, all;
	bool hosts = has_hosts(t);
	enum bound most;
	size_t i;

	for (i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, "self_device_ns");

		if (v > 0 && is_counted(t, i, hosts))
			sum[bound_of(table_word(t, i, "name"))] += v;
	}
	all = sum[BOUND_COMPUTE] + sum[BOUND_COPY] + sum[BOUND_MEMORY];
	*passes = all > 0 ? sum[BOUND_MEMORY] / all : NAN;
	if (!(all > 0))
		return NULL;
	most = sum[BOUND_COPY] > sum[BOUND_COMPUTE] ? BOUND_COPY : BOUND_COMPUTE;
	most = sum[BOUND_MEMORY] > sum[most] ? BOUND_MEMORY : most;
	return page_printf(d,
		"%s: by the names of operations compute %s, memory %s, copies %s of device time",
		most == BOUND_COPY              ? "I/O"
			: most == BOUND_COMPUTE ? "compute"
						: "memory",
		section_percent(d, sum[BOUND_COMPUTE] / all),
		section_percent(d, sum[BOUND_MEMORY] / all),
		section_percent(d, sum[BOUND_COPY] / all));
}

double week1_busy(const struct answers *in, const char **from)
{
	const struct table *over = answers_rows(in, ask_summary, "overview");
	const struct table *gpus = answers_rows(in, ask_smi, "gpus");
	double v = over ? table_number(over, 0, "busy_ratio") : NAN;

	*from = "trace, busy time of the steps";
	if (!isnan(v) || !gpus)
		return v;
	*from = "nvidia-smi, share of time with any kernel";
	return table_number(gpus, 0, "utilization_ratio");
}
