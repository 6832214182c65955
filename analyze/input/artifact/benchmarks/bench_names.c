/*
 * Names of the figures of benchmarks: tables of words; and which JSON objects are results: by keys
 * that come together in no other file.
 */
#include "analyze/trace/figure.h"
#include "analyze/input/artifact/benchmarks/bench_names.h"

#include "base/minmax.h"

static const char *const varied[] = { "test_name", "Test name", "label", "run_name", "tag",
	"Engine", "backend", "model", "request_rate", "max_concurrency", "num_prompts",
	"batch_size", "input_len", "output_len", "random_input_len", "random_output_len",
	"fixed_output_len", "random_range_ratio", "dataset_name" };

static const char settings[] =
	"request_rate|max_concurrency|num_prompts|num_requests|burstiness|batch_size|best_of|input_len|"
	"output_len|random_input_len|random_output_len|random_range_ratio|sharegpt_output_len|"
	"fixed_output_len|seed|num_gpus|num_iters|ramp_up_start_rps|ramp_up_end_rps";

const char *bench_varied(size_t i)
{
	return i < COUNT_OF(varied) ? varied[i] : NULL;
}

bool bench_is_setting(struct span name)
{
	return span_in(name, settings);
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

	for (size_t i = 0; m == MEASURE_NONE && i < COUNT_OF(words); i++)
		if (ends(name, words[i].end))
			m = words[i].measure;
	return m;
}

/* "TTFT" is "ttft", blanks are "_". */
static struct span plain(struct span t, const char *end, struct arena *mem)
{
	char *text = arena_printf(mem, "%.*s%s", (int)t.n, t.p, end);

	for (char *p = text; *p; p++)
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

	for (size_t i = 0; i < COUNT_OF(headings); i++)
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

	for (size_t i = 0; i < COUNT_OF(lists); i++)
		if (span_is(key, lists[i].key)) {
			*m = lists[i].measure;
			return true;
		}
	return false;
}

/* --- which objects are results --- */

/* Keys, with bars between, and how many of them say that an object is of the kind. */
static const struct {
	const char *keys;
	size_t least;
} forms[] = {
	{ "request_throughput|output_throughput|total_token_throughput|input_throughput|"
	  "mean_ttft_ms|median_ttft_ms|p99_ttft_ms|mean_tpot_ms|mean_itl_ms|mean_e2e_latency_ms|"
	  "median_e2e_latency_ms",
		2 },
	{ "prefill_latency|prefill_throughput|median_decode_latency|median_decode_throughput|"
	  "total_latency|overall_throughput|last_gen_throughput",
		2 },
	{ "avg_latency|latencies|percentiles", 2 },
	{ "batch_size|latency|overall_throughput|output_throughput", 3 },
	{ "elapsed_time|num_requests|total_num_tokens|requests_per_second|tokens_per_second", 4 },
};
/* Those of which a beginning is enough. */
enum { FORMS_CUT = 3 };

/* {"Test name": "a", "Tput (req/s)": 1.5, ...} */
static bool is_of_table(struct span key)
{
	return span_in(key, "Tput (req/s)|Mean TTFT (ms)|Mean latency (ms)");
}

/* One pass over the object: lists of requests in it may be long. */
bool bench_is_result(struct json_value v)
{
	size_t n[COUNT_OF(forms)] = { 0 }, i;
	bool is_named = false, is_row = false;

	if (v.type != JSON_OBJECT)
		return false;
	for (struct json_items it = json_items(v); json_more(&it);) {
		is_named = is_named || (span_is(it.key, "Test name") && it.v.type == JSON_STRING);
		is_row = is_row || is_of_table(it.key);
		if (is_named && is_row)
			return true;
		for (i = 0; i < COUNT_OF(forms); i++) {
			n[i] += span_in(it.key, forms[i].keys);
			if (n[i] >= forms[i].least)
				return true;
		}
	}
	return false;
}

bool bench_is_columns(struct json_value v)
{
	return v.type == JSON_OBJECT && json_get(v, "Test name").type == JSON_OBJECT;
}

/* The first member of an object that is a result or a table, as far as the text goes. */
static bool has_results(struct json_value object)
{
	for (struct json_items it = json_items(object); json_more(&it);)
		if (it.v.type == JSON_OBJECT)
			return bench_is_result(it.v) || bench_is_columns(it.v);
	return false;
}

enum match bench_probe(const struct head *h)
{
	struct json_value first = h->first;

	if (h->form != HEAD_OBJECT && h->form != HEAD_LINES && h->form != HEAD_ARRAY)
		return MATCH_NO;
	if (head_has(h, "traceEvents") || head_has(h, "ph"))
		return MATCH_NO;
	if (first.type == JSON_OBJECT)
		return bench_is_result(first) || (h->form == HEAD_OBJECT && has_results(first))
			? MATCH_STRONG
			: MATCH_NO;
	/* Cut: its keys so far. */
	for (size_t i = 0; i < FORMS_CUT; i++)
		if (head_count(h, forms[i].keys) >= forms[i].least)
			return MATCH_STRONG;
	return MATCH_NO;
}
