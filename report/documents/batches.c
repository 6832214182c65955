/* Batch sizes: the section of week 1's summary report about them, and the throughput that
 * 40_profile_gpu.py prints. */
#include "report/documents/printed.h"
#include "report/documents/week1.h"

enum { RULE = 70, TITLE = 60, BENCHMARK = 45 };
static const double MS = 1e6, MIB = 0x1p20, GIB = 0x1p30;

static double size_of(const struct table *sizes, size_t row)
{
	return table_number(sizes, row, "batch_size");
}

/* As the file says, else as it follows from the latency. */
static double rate_of(const struct table *sizes, size_t row, bool is_std)
{
	bool is_written = !isnan(table_number(sizes, row, "samples_per_s_written"));

	return table_number(sizes, row,
		is_written       ? is_std ? "samples_per_s_written_std" : "samples_per_s_written"
			: is_std ? "samples_per_s_std"
				 : "samples_per_s");
}

/* "  Title: mean +- std unit" */
static void put_pair(
	struct printed *p, const char *title, double mean, double std, const char *unit)
{
	if (!isnan(mean))
		str_addf(&p->b, "  %s: %s \xc2\xb1 %s %s\n", title,
			week1_fixed(p->mem, mean, 2, false), week1_fixed(p->mem, std, 2, false),
			unit);
}

static void put_sizes(struct printed *p, const struct table *sizes)
{
	size_t best = 0, n = table_rows(sizes);

	str_adds(&p->b, "BATCH SIZE ANALYSIS\n");
	printed_rule(p, '-', RULE);
	str_adds(&p->b, "Tested Batch Sizes: [");
	for (size_t i = 0; i < n; i++) {
		str_addf(&p->b, "%s%.0f", i ? ", " : "", size_of(sizes, i));
		if (rate_of(sizes, i, false) > rate_of(sizes, best, false))
			best = i;
	}
	str_addf(&p->b, "]\nOptimal Batch Size (highest throughput): %.0f\n", size_of(sizes, best));
	for (size_t i = 0; i < n; i++) {
		str_addf(&p->b, "\nBatch Size %.0f:\n", size_of(sizes, i));
		put_pair(p, "Latency/sample", table_number(sizes, i, "latency_per_sample_ns") / MS,
			table_number(sizes, i, "latency_std_ns") / MS, "ms");
		put_pair(p, "Throughput", rate_of(sizes, i, false), rate_of(sizes, i, true),
			"samples/sec");
		put_pair(p, "GPU Memory", table_number(sizes, i, "used_bytes") / MIB,
			table_number(sizes, i, "used_std_bytes") / MIB, "MB");
	}
	str_adds(&p->b, "\n");
}

/* The figures of that input are the script's formula, as reading found. */
static bool is_mock(const struct printed *p)
{
	const struct result *r = answers_find(p->in, ask_batch)->result;

	return ANY(i, r->nnote,
		r->note[i].input == p->input && strcmp(r->note[i].id, "mock_throughput") == 0);
}

/* Their title and their note stand only over figures that are their mock's. */
static void put_benchmark(struct printed *p, const struct table *sizes)
{
	printed_title(p, is_mock(p) ? "Throughput Benchmarking (Mock)" : "Throughput Benchmarking",
		TITLE);
	str_addf(&p->b, "\n%s%-15s %-15s %-15s\n",
		is_mock(p) ? "Note: This is a mock benchmark. For real benchmarking,\n"
			     "      run with actual model loaded.\n\n"
			   : "",
		"Batch Size", "Samples/sec", "Memory (GB)");
	printed_rule(p, '-', BENCHMARK);
	for (size_t i = 0; i < table_rows(sizes); i++)
		str_addf(&p->b, "%-15.0f %-15.2f %-15.2f\n", size_of(sizes, i),
			table_number(sizes, i, "samples_per_s_written"),
			table_number(sizes, i, "peak_bytes") / GIB);
}

/* The sweep is that of 40_profile_gpu.py. */
static bool is_benchmark(const struct printed *p)
{
	return span_is(table_word(printed_table(p, ask_batch, "answer"), 0, "kind"), "gpu_profile");
}

void batches_put_benchmark(struct printed *p)
{
	const struct table *sizes = printed_table(p, ask_batch, "sizes");

	if (table_rows(sizes) > 0 && is_benchmark(p))
		put_benchmark(p, sizes);
}

void batches_put_sizes(struct printed *p)
{
	const struct table *sizes;

	for (size_t i = 0; (sizes = answers_table(p->in, ask_batch, "sizes", i)); i++) {
		p->input = sizes->input;
		if (table_rows(sizes) > 0 && !is_benchmark(p)) {
			put_sizes(p, sizes);
			return;
		}
	}
}

static enum status put_batch(struct printed *p)
{
	const struct table *sizes;

	for (size_t i = 0; (sizes = answers_table(p->in, ask_batch, "sizes", i)); i++) {
		p->input = sizes->input;
		(is_benchmark(p) ? put_benchmark : put_sizes)(p, sizes);
	}
	return OK;
}

const struct document document_batch = {
	.answer = "batch",
	.ask = ask_batch,
	.call = "traceq batch SWEEP --format seed",
	.about = "the part of week 1's summary report about batch sizes; of gpu_profile.json the "
		 "throughput that 40_profile_gpu.py prints",
	.put = put_batch,
};
