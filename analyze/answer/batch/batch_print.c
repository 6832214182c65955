/*
 * `batch` in the layout of the documents: the section of week 1's summary report about batch sizes,
 * and the throughput that 40_profile_gpu.py prints.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/batch/batch.h"
#include "analyze/analysis/perrun.h"
#include "analyze/analysis/printed.h"
#include "analyze/trace/columns/record.h"

enum { RULE = 70, TITLE = 60, BENCHMARK = 45 };
static const double MS = 1e6, MIB = 1048576, GIB = 1073741824;

static void put_number(struct str *b, double v)
{
	if (isnan(v))
		str_adds(b, "n/a");
	else
		str_addf(b, "%.2f", v);
}

/* "  Title: mean +- std unit" */
static void put_pair(struct table *t, const char *title, double mean, double std, const char *unit)
{
	struct str b = { 0 };

	if (isnan(mean))
		return;
	put_number(&b, mean);
	str_adds(&b, " \xc2\xb1 ");
	put_number(&b, std);
	printed_line(t, "  %s: %s %s", title, b.s, unit);
	str_free(&b);
}

/* As the file says, else as it follows from the latency. */
static double rate_of(const struct batch_size *s)
{
	return isnan(s->written) ? s->rate : s->written;
}

static void put_tested(struct table *t, const struct batch *b)
{
	struct str list = { 0 };
	size_t i, best = 0;

	for (i = 0; i < b->n; i++) {
		str_addf(&list, "%s%lld", i ? ", " : "", (long long)b->v[i].batch);
		if (rate_of(&b->v[i]) > rate_of(&b->v[best]))
			best = i;
	}
	printed_line(t, "Tested Batch Sizes: [%s]", list.s);
	str_free(&list);
	printed_line(
		t, "Optimal Batch Size (highest throughput): %lld", (long long)b->v[best].batch);
}

static void put_report(struct table *t, const struct batch *b)
{
	size_t i;

	printed_line(t, "BATCH SIZE ANALYSIS");
	printed_rule(t, '-', RULE);
	put_tested(t, b);
	for (i = 0; i < b->n; i++) {
		const struct batch_size *s = &b->v[i];

		printed_line(t, "%s", "");
		printed_line(t, "Batch Size %lld:", (long long)s->batch);
		put_pair(t, "Latency/sample", s->sample_ns / MS, s->sample_std / MS, "ms");
		put_pair(t, "Throughput", rate_of(s),
			isnan(s->written) ? s->rate_std : s->written_std, "samples/sec");
		put_pair(t, "GPU Memory", s->used / MIB, s->used_std / MIB, "MB");
	}
	printed_line(t, "%s", "");
}

/* Whether reading found the figures to be their formula. */
static bool is_mock(const struct record *r)
{
	size_t i;

	for (i = 0; i < r->nnote; i++)
		if (strcmp(r->note[i].id, "mock_throughput") == 0)
			return true;
	return false;
}

/* Their title and their note stand only over figures that are their mock's. */
static void put_benchmark(struct table *t, const struct batch *b, bool is_mock)
{
	size_t i;

	printed_title(
		t, is_mock ? "Throughput Benchmarking (Mock)" : "Throughput Benchmarking", TITLE);
	printed_line(t, "%s", "");
	if (is_mock) {
		printed_line(t, "Note: This is a mock benchmark. For real benchmarking,");
		printed_line(t, "      run with actual model loaded.");
		printed_line(t, "%s", "");
	}
	printed_line(t, "%-15s %-15s %-15s", "Batch Size", "Samples/sec", "Memory (GB)");
	printed_rule(t, '-', BENCHMARK);
	for (i = 0; i < b->n; i++)
		printed_line(t, "%-15lld %-15.2f %-15.2f", (long long)b->v[i].batch,
			b->v[i].written, b->v[i].peak / GIB);
}

void batch_print(const struct perrun *at, const struct batch *b, bool is_benchmark)
{
	struct table *t =
		printed_table(at->out, at->input, is_benchmark ? "seed_throughput" : "seed_sizes");

	if (is_benchmark)
		put_benchmark(t, b, is_mock(at->record));
	else
		put_report(t, b);
}
