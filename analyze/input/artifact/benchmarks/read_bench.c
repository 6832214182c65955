/*
 * Results of benchmarks of inference servers: vllm bench serve, latency and throughput, SGLang's
 * bench_serving, bench_one_batch and bench_offline_throughput.
 *
 * A file is one result, results one a line, an array of them, an object of them by name, or a table
 * by columns ({"serving": {"Test name": {"0": ...}, "Mean TTFT (ms)": {"0": ...}}}).  Every figure
 * becomes a series, of one point for each time it was measured; results that were set up alike are
 * repeats of one group.  Lists of requests are series, too; requests that failed are none of them.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/head.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/text/json_text.h"
#include "analyze/input/text/jsondoc_check.h"
#include "analyze/trace/figure.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

/* What benchmarks of inference servers call their figures: vLLM's and SGLang's.
 *
 * Keys of one result: settings, which say what was measured, and figures, which say what came out.
 * Tables made of results write "Mean TTFT (ms)" for mean_ttft_ms.  Which JSON objects are results
 * is known by keys that come together in no other file. */

/* Settings that several results of one file may differ in: these stand in the label of a result. */
static const char *const varied[] = { "test_name", "Test name", "label", "run_name", "tag",
	"Engine", "backend", "model", "request_rate", "max_concurrency", "num_prompts",
	"batch_size", "input_len", "output_len", "random_input_len", "random_output_len",
	"fixed_output_len", "random_range_ratio", "dataset_name" };

/* A setting whose value is a number: "request_rate", "batch_size". */
static bool is_setting(struct span name)
{
	return span_in(name,
		"request_rate|max_concurrency|num_prompts|num_requests|burstiness|batch_size|best_of|"
		"input_len|output_len|random_input_len|random_output_len|random_range_ratio|"
		"sharegpt_output_len|fixed_output_len|seed|num_gpus|num_iters|ramp_up_start_rps|"
		"ramp_up_end_rps");
}

static bool ends_in(struct span name, const char *words)
{
	struct span word;

	while (span_words(&words, &word))
		if (name.n >= word.n && span_eq(span_from(name, name.n - word.n), word))
			return true;
	return false;
}

/* What a name ends in. */
static const struct meaning endings[] = {
	{ ends_in, "throughput|goodput|goodput:", MEASURE_PER_S },
	{ ends_in, "latency|ttft|tpot|itl|duration|elapsed_time", MEASURE_S },
	{ ends_in, "_tokens|_requests|completed|failed", MEASURE_COUNT },
};

static enum measure measure_of_name(struct span name)
{
	enum measure m = measure_of_key(name);

	return m != MEASURE_NONE ? m : (enum measure)MEANING_OF(name, endings, MEASURE_NONE);
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
	struct span words, unit;

	for (size_t i = 0; i < COUNT_OF(headings); i++)
		if (span_is(key, headings[i].heading))
			return span_of(headings[i].name);
	(void)span_bracketed(key, '(', &words, &unit);
	words.n = MIN(words.n, 256);
	return jsondoc_key_of_title(words,
		span_is(unit, "ms")           ? "_ms"
			: span_is(unit, "us") ? "_us"
					      : "",
		mem);
}

/* The name of a figure, unit and all: "Mean TTFT (ms)" is "mean_ttft_ms", "Tput (req/s)"
 * "request_throughput", others are as they are.  *m: its measure, which times without a unit in
 * their name have, too: those are seconds.  In mem, or where key is. */
static struct span name_of(struct span key, enum measure *m, struct arena *mem)
{
	bool is_heading = key.n && (memchr(key.p, ' ', key.n) || memchr(key.p, '(', key.n));
	struct span name = is_heading ? name_of_heading(key, mem) : key;

	*m = measure_of_name(name);
	return name;
}

/* A list of lists, or of numbers, one a request: "ttfts", "itls", "latencies"; false: another one.
 */
static bool is_list(struct span key, enum measure *m)
{
	static const struct meaning lists[] = {
		{ span_in, "ttfts|itls|tpots|latencies|e2els|e2e_latencies", MEASURE_S },
		{ span_in, "input_lens|output_lens", MEASURE_COUNT },
	};

	*m = (enum measure)MEANING_OF(key, lists, MEASURE_NONE);
	return *m != MEASURE_NONE;
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

/* One result: an object with keys of vLLM's or SGLang's, or a row of a table of results.  One pass
 * over the object: lists of requests in it may be long. */
static bool is_result(struct json_value v)
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

/* {"Test name": {"0": "a"}, "Mean TTFT (ms)": {"0": 1.5}}: a table by columns. */
static bool is_columns(struct json_value v)
{
	return v.type == JSON_OBJECT && json_get(v, "Test name").type == JSON_OBJECT;
}

/* The first member of an object that is a result or a table, as far as the text goes. */
static bool has_results(struct json_value object)
{
	for (struct json_items it = json_items(object); json_more(&it);)
		if (it.v.type == JSON_OBJECT)
			return is_result(it.v) || is_columns(it.v);
	return false;
}

/* A file that begins like that is results: one, one a line, an array or an object of them. */
static enum match probe(const struct head *h)
{
	struct json_value first = h->first;

	if ((h->form != HEAD_OBJECT && h->form != HEAD_LINES && h->form != HEAD_ARRAY) ||
		head_count(h, "traceEvents ph") > 0)
		return MATCH_NO;
	if (first.type == JSON_OBJECT)
		return is_result(first) || (h->form == HEAD_OBJECT && has_results(first))
			? MATCH_STRONG
			: MATCH_NO;
	/* Cut: its keys so far. */
	return ANY(i, FORMS_CUT, head_count(h, forms[i].keys) >= forms[i].least) ? MATCH_STRONG
										 : MATCH_NO;
}

enum { RESULTS_MAX = 65536, LABEL_BYTES = 512 };

struct result_of {
	struct json_value object;
	struct span name; /* its key in an object of results; else empty */
};

struct bench {
	struct reading *in;
	struct result_of *v;
	size_t n, cap;
	bool differs[COUNT_OF(varied)];
	struct passed others, failed;
};

/* ---- results of a file ---- */

static void take(struct bench *b, struct json_value v, struct span name, int64_t offset)
{
	if (!is_result(v)) {
		passed_add(&b->others, offset);
		return;
	}
	if (b->n == RESULTS_MAX) {
		b->in->record->series_left_out++;
		return;
	}
	ARENA_PUSH(&b->in->mem, b->v, b->n, b->cap, (struct result_of){ v, name });
}

/* The setting at the number of varied, of a result; as written. */
static struct span setting_of(struct json_value object, size_t i)
{
	struct json_value v = json_get(object, varied[i]);

	return v.type == JSON_STRING || v.type == JSON_NUMBER || v.type == JSON_WORD ? v.text
										     : SPAN("");
}

static bool is_name(const char *setting)
{
	return span_in(span_of(setting), "test_name|Test name");
}

/* What tells a result from the others: its name, or the settings in which they differ. */
static struct span label_of(const struct bench *b, const struct result_of *r)
{
	SCOPED_STR text = { 0 };

	if (r->name.n)
		return jsondoc_key(b->in, SPAN(""), r->name);
	for (size_t k = 0; k < COUNT_OF(varied); k++) {
		struct span v = setting_of(r->object, k);

		if (!b->differs[k] || v.n == 0)
			continue;
		v.n = MIN(v.n, LABEL_BYTES);
		str_addf(&text, "%s%s%s%.*s", text.n ? ", " : "",
			is_name(varied[k]) ? "" : varied[k], is_name(varied[k]) ? "" : " ",
			(int)v.n, v.p);
		if (is_name(varied[k]) || text.n > LABEL_BYTES)
			break;
	}
	return span_of(arena_copy(&b->in->mem, text.n ? text.s : "", text.n));
}

/* ---- figures ---- */

static struct series *series_of(
	struct bench *b, struct span name, struct span group, enum measure m)
{
	struct series *s = reading_series(b->in, name, group, AXIS_REPEAT, m);

	s->measure = m;
	return s;
}

/* One more value of a figure. */
static void repeat(struct series *s, double value)
{
	series_add(s, (double)(s->n + s->nan + s->inf), value);
}

/* The request of that number failed: it has an error. */
static bool next_failed(struct span *errors)
{
	struct span none;
	struct json_value v;

	return errors->n && json_next(errors, &none, &v) && v.type == JSON_STRING && v.text.n > 0;
}

static void put_list(struct bench *b, struct span key, struct span group, struct json_value result,
	struct json_value list, enum measure m)
{
	struct json_value errors = json_get(result, "errors"), w;
	struct span error = errors.type == JSON_ARRAY ? errors.text : SPAN("");
	struct series *s = series_of(b, key, group, m);
	double d;

	for (struct json_items it = json_items(list); json_more(&it);) {
		bool is_failed = next_failed(&error);

		if (it.v.type == JSON_ARRAY) {
			for (struct span inside = it.v.text;
				!is_failed && json_next(&inside, &it.key, &w);)
				if (jsondoc_number(w, &d))
					repeat(s, d);
		} else if (is_failed || !jsondoc_number(it.v, &d)) {
			series_add_missing(s);
		} else {
			repeat(s, d);
		}
	}
}

static void count_failed(struct bench *b, struct json_value result)
{
	struct json_value errors = json_get(result, "errors");

	for (struct json_items it = json_list(errors); json_more(&it);)
		b->failed.n += it.v.type == JSON_STRING && it.v.text.n > 0;
}

/* "percentiles": {"50": s, "99": s}, or of another name {"p50": ms}. */
static void put_percentiles(
	struct bench *b, struct span key, struct span group, struct json_value object)
{
	struct span of = SPAN("latency");
	enum measure m;
	double d;

	if (span_starts(key, "percentiles_") && key.n > 12)
		of = span_from(key, 12);
	for (struct json_items it = json_items(object); json_more(&it);) {
		struct span full = span_of(arena_printf(&b->in->mem, "%s%.*s_%.*s",
			it.key.n && it.key.p[0] == 'p' ? "" : "p", (int)MIN(it.key.n, 16), it.key.p,
			(int)MIN(of.n, 64), of.p));

		if (!jsondoc_number(it.v, &d))
			continue;
		full = name_of(full, &m, &b->in->mem);
		repeat(series_of(b, full, group, m), d);
	}
}

/* All results have the setting, and the same. */
static bool is_common(const struct bench *b, struct span key)
{
	const char *name = arena_copy(&b->in->mem, key.p, key.n);
	struct json_value first = { JSON_NONE, SPAN(""), false };

	if (b->n > 1)
		first = json_get(b->v[0].object, name);
	for (size_t i = 1; i < b->n; i++)
		if (!span_eq(json_get(b->v[i].object, name).text, first.text))
			return false;
	return true;
}

static void put_member(struct bench *b, struct json_value result, struct span group, bool is_first,
	struct span key, struct json_value v)
{
	enum measure m = MEASURE_NONE;
	double d;

	if (v.type == JSON_ARRAY) {
		if (is_list(key, &m))
			put_list(b, key, group, result, v, m);
		return;
	}
	if (v.type == JSON_OBJECT && span_starts(key, "percentiles")) {
		put_percentiles(b, key, group, v);
		return;
	}
	struct span name = name_of(jsondoc_key(b->in, SPAN(""), key), &m, &b->in->mem);
	if (v.type == JSON_NUMBER && !is_setting(name)) {
		if (jsondoc_number(v, &d))
			repeat(series_of(b, name, group, m), d);
	} else if (!span_is(v.text, "null") && is_first && is_common(b, key)) {
		jsondoc_flatten(b->in, &b->in->record->config, name, v);
	}
}

static void put_result(struct bench *b, const struct result_of *r)
{
	struct span group = record_text(b->in->record, label_of(b, r));
	struct arena_mark mark = arena_mark(&b->in->mem);

	for (struct json_items it = json_items(r->object); json_more(&it);
		arena_reset(&b->in->mem, mark))
		put_member(b, r->object, group, r == b->v, it.key, it.v);
	count_failed(b, r->object);
}

/* A table by columns: the cell of each row is a figure of the result in that row. */
static void put_columns(struct bench *b, struct json_value table)
{
	struct json_value names = json_get(table, "Test name"), v;
	struct span row;
	struct arena_mark mark = arena_mark(&b->in->mem);
	enum measure m;
	double d;

	for (struct json_items it = json_items(table); json_more(&it);
		arena_reset(&b->in->mem, mark)) {
		struct span name = name_of(jsondoc_key(b->in, SPAN(""), it.key), &m, &b->in->mem);

		for (struct span cells = it.v.text;
			it.v.type == JSON_OBJECT && json_next(&cells, &row, &v);) {
			struct json_value of =
				json_get(names, arena_copy(&b->in->mem, row.p, row.n));

			if (v.type == JSON_NUMBER && jsondoc_number(v, &d) && !is_setting(name))
				repeat(series_of(
					       b, name, of.type == JSON_STRING ? of.text : row, m),
					d);
		}
	}
}

/* ---- files ---- */

static enum status take_document(struct bench *b, struct span text, struct err *e)
{
	struct json_value v;
	struct span key, rest;
	size_t end;

	TRY(jsondoc_check(text, &end, e));
	struct json_value doc = json_value((struct span){ text.p, end }, &rest);
	if (is_result(doc)) {
		take(b, doc, SPAN(""), 0);
		return OK;
	}
	for (struct span it = doc.text; json_next(&it, &key, &v);) {
		if (doc.type == JSON_OBJECT && is_columns(v))
			put_columns(b, v);
		else
			take(b, v, key, v.text.p - text.p);
	}
	return OK;
}

static void take_lines(struct bench *b, struct span text)
{
	struct span at = text, line, rest;
	int64_t torn = -1;

	while (span_line(&at, &line)) {
		line = span_trim(line);
		if (line.n == 0)
			continue;
		struct json_value v = json_value(line, &rest);
		if (v.type == JSON_NONE && at.n == 0)
			torn = line.p - text.p;
		else
			take(b, v, SPAN(""), line.p - text.p);
	}
	if (torn >= 0)
		reading_torn(b->in, torn);
}

static void say(const struct bench *b)
{
	reading_passed(b->in, NOTE_WARNING, "alien_lines", &b->others,
		"part{ is|s are} no result of a benchmark, passed over");
	reading_passed(b->in, NOTE_WARNING, "failed_requests", &b->failed,
		"request{|s} failed: what is listed of {it|them} is left out, as the benchmark's own "
		"figures do");
}

static enum status read_bench(struct reading *in, struct err *e)
{
	struct bench b = { .in = in, .failed.at = -1 };
	struct span text;

	TRY(reading_all(in, &text, e));
	if (in->head->form == HEAD_LINES)
		take_lines(&b, text);
	else
		TRY(take_document(&b, text, e));
	for (size_t k = 0; k < COUNT_OF(varied); k++)
		for (size_t i = 1; i < b.n && !b.differs[k]; i++)
			b.differs[k] = !span_eq(
				setting_of(b.v[i].object, k), setting_of(b.v[0].object, k));
	for (size_t i = 0; i < b.n; i++)
		put_result(&b, &b.v[i]);
	reading_artifact(in)->rows = (int64_t)b.n;
	say(&b);
	if (in->record->nseries == 0)
		return err_set(e, E_NODATA, 0, "no figure of a benchmark in it");
	return OK;
}

const struct artifact artifact_bench = {
	.name = "bench",
	.title = "results of an inference benchmark",
	.summary = "vllm bench serve, latency, throughput; SGLang's bench_serving, bench_one_batch",
	.probe = probe,
	.read = read_bench,
};
