/*
 * Names of the figures of benchmarks: tables of words.
 */
#include "analyze/input/artifact/benchmarks/bench_names.h"

#include <string.h>

#include "base/compiler.h"
#include "base/minmax.h"

static const char *const varied[] = { "test_name", "Test name", "label", "run_name", "tag",
	"Engine", "backend", "model", "request_rate", "max_concurrency", "num_prompts",
	"batch_size", "input_len", "output_len", "random_input_len", "random_output_len",
	"fixed_output_len", "random_range_ratio", "dataset_name" };

static const char *const settings[] = { "request_rate", "max_concurrency", "num_prompts",
	"num_requests", "burstiness", "batch_size", "best_of", "input_len", "output_len",
	"random_input_len", "random_output_len", "random_range_ratio", "sharegpt_output_len",
	"fixed_output_len", "seed", "num_gpus", "num_iters", "ramp_up_start_rps",
	"ramp_up_end_rps" };

const char *bench_varied(size_t i)
{
	return i < COUNT_OF(varied) ? varied[i] : NULL;
}

bool bench_is_setting(struct span name)
{
	size_t i;

	for (i = 0; i < COUNT_OF(settings); i++)
		if (span_is(name, settings[i]))
			return true;
	return false;
}

static bool ends(struct span s, const char *end)
{
	struct span want = span_of(end);

	return s.n >= want.n && span_eq((struct span){ s.p + s.n - want.n, want.n }, want);
}

static enum measure measure_of_name(struct span name)
{
	static const struct {
		const char *end;
		enum measure measure;
	} words[] = { { "throughput", MEASURE_PER_S }, { "goodput", MEASURE_PER_S },
		{ "goodput:", MEASURE_PER_S }, { "latency", MEASURE_S }, { "ttft", MEASURE_S },
		{ "tpot", MEASURE_S }, { "itl", MEASURE_S }, { "duration", MEASURE_S },
		{ "elapsed_time", MEASURE_S }, { "_tokens", MEASURE_COUNT },
		{ "_requests", MEASURE_COUNT }, { "completed", MEASURE_COUNT },
		{ "failed", MEASURE_COUNT } };
	enum measure m = measure_of_key(name);
	size_t i;

	for (i = 0; m == MEASURE_NONE && i < COUNT_OF(words); i++)
		if (ends(name, words[i].end))
			m = words[i].measure;
	return m;
}

/* "TTFT" is "ttft", blanks are "_". */
static struct span plain(struct span t, const char *end, struct arena *mem)
{
	char *text = arena_printf(mem, "%.*s%s", (int)t.n, t.p, end), *p;

	for (p = text; *p; p++)
		*p = *p == ' ' ? '_' : *p >= 'A' && *p <= 'Z' ? (char)(*p | 0x20) : *p;
	return span_of(text);
}

/* What a heading of a table means, where that is not its own words. */
static const struct {
	const char *heading, *name;
} headings[] = {
	{ "Tput (req/s)", "request_throughput" },
	{ "Input Tput (tok/s)", "input_throughput" },
	{ "Output Tput (tok/s)", "output_throughput" },
	{ "Total Token Tput (tok/s)", "total_token_throughput" },
	{ "Total Token Throughput (tok/s)", "total_token_throughput" },
	{ "Successful req.", "completed" },
	{ "# of req.", "num_requests" },
	{ "Total # of tokens", "total_num_tokens" },
	{ "Tput (tok/s)", "tokens_per_second" },
};

static struct span name_of_heading(struct span key, struct arena *mem)
{
	const char *open = memchr(key.p, '(', key.n);
	struct span words = key, unit = { "", 0 };
	size_t i;

	for (i = 0; i < COUNT_OF(headings); i++)
		if (span_is(key, headings[i].heading))
			return span_of(headings[i].name);
	if (open && key.p[key.n - 1] == ')') {
		words.n = (size_t)(open - key.p);
		unit = (struct span){ open + 1, key.n - words.n - 2 };
	}
	words = span_trim(words);
	words.n = MIN(words.n, 256);
	return plain(words, span_is(unit, "ms") ? "_ms" : span_is(unit, "us") ? "_us" : "", mem);
}

struct span bench_name(struct span key, enum measure *m, struct arena *mem)
{
	bool is_heading = key.n && (memchr(key.p, ' ', key.n) || memchr(key.p, '(', key.n));
	struct span name = is_heading ? name_of_heading(key, mem) : key;

	*m = measure_of_name(name);
	return name;
}

bool bench_is_list(struct span key, enum measure *m)
{
	static const struct {
		const char *key;
		enum measure measure;
	} lists[] = { { "ttfts", MEASURE_S }, { "itls", MEASURE_S }, { "tpots", MEASURE_S },
		{ "latencies", MEASURE_S }, { "e2els", MEASURE_S }, { "e2e_latencies", MEASURE_S },
		{ "input_lens", MEASURE_COUNT }, { "output_lens", MEASURE_COUNT } };
	size_t i;

	for (i = 0; i < COUNT_OF(lists); i++)
		if (span_is(key, lists[i].key)) {
			*m = lists[i].measure;
			return true;
		}
	return false;
}
