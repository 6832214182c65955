/*
 * Which JSON objects are results of a benchmark: by keys that come together in no other file.
 */
#include "analyze/input/artifact/benchmarks/bench_result.h"

#include <string.h>

#include "base/compiler.h"

/* Keys, each with a blank around it, and how many of them say that an object is of the kind. */
static const struct {
	const char *keys;
	size_t least;
} forms[] = {
	{ " request_throughput output_throughput total_token_throughput input_throughput "
	  "mean_ttft_ms median_ttft_ms p99_ttft_ms mean_tpot_ms mean_itl_ms mean_e2e_latency_ms "
	  "median_e2e_latency_ms ",
		2 },
	{ " prefill_latency prefill_throughput median_decode_latency median_decode_throughput "
	  "total_latency overall_throughput last_gen_throughput ",
		2 },
	{ " avg_latency latencies percentiles ", 2 },
	{ " batch_size latency overall_throughput output_throughput ", 3 },
	{ " elapsed_time num_requests total_num_tokens requests_per_second tokens_per_second ", 4 },
};
/* Those of which a beginning is enough. */
enum { FORMS_CUT = 3, KEY_BYTES = 64 };

static bool is_listed(const char *keys, struct span key)
{
	char word[KEY_BYTES];

	if (key.n == 0 || key.n + 3 > sizeof(word))
		return false;
	word[0] = ' ';
	memcpy(word + 1, key.p, key.n);
	memcpy(word + 1 + key.n, " ", 2);
	return strstr(keys, word) != NULL;
}

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
	struct span it = v.text, key;
	struct json_value member;

	if (v.type != JSON_OBJECT)
		return false;
	while (json_next(&it, &key, &member)) {
		is_named = is_named || (span_is(key, "Test name") && member.type == JSON_STRING);
		is_row = is_row || is_of_table(key);
		if (is_named && is_row)
			return true;
		for (i = 0; i < COUNT_OF(forms); i++) {
			n[i] += is_listed(forms[i].keys, key);
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
	struct span it = object.text, key;
	struct json_value v;

	while (json_next(&it, &key, &v))
		if (v.type == JSON_OBJECT)
			return bench_is_result(v) || bench_is_columns(v);
	return false;
}

enum match bench_probe(const struct head *h)
{
	struct json_value first = h->first;
	size_t i;

	if (h->form != HEAD_OBJECT && h->form != HEAD_LINES && h->form != HEAD_ARRAY)
		return MATCH_NO;
	if (head_has(h, "traceEvents") || head_has(h, "ph"))
		return MATCH_NO;
	if (first.type == JSON_OBJECT)
		return bench_is_result(first) || (h->form == HEAD_OBJECT && has_results(first))
			? MATCH_STRONG
			: MATCH_NO;
	/* Cut: its keys so far. */
	for (i = 0; i < FORMS_CUT; i++)
		if (head_count(h, forms[i].keys + 1) >= forms[i].least)
			return MATCH_STRONG;
	return MATCH_NO;
}
