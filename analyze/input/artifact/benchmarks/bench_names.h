/*
 * What benchmarks of inference servers call their figures: vLLM's and SGLang's.
 *
 * Keys of one result: settings, which say what was measured, and figures, which say what came out.
 * Tables made of results write "Mean TTFT (ms)" for mean_ttft_ms.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_BENCHMARKS_BENCH_NAMES_H
#define ANALYZE_INPUT_ARTIFACT_BENCHMARKS_BENCH_NAMES_H

#include "analyze/input/artifact/head.h"
#include "analyze/input/text/json_text.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/arena.h"
#include "base/str.h"

/* A setting whose value is a number: "request_rate", "batch_size". */
bool bench_is_setting(struct span name);

/*
 * A setting that several results of one file may differ in: the i-th of them, which stands in the
 * label of a result; NULL behind the last.
 */
const char *bench_varied(size_t i);

/*
 * The name of a figure, unit and all: "Mean TTFT (ms)" is "mean_ttft_ms", "Tput (req/s)"
 * "request_throughput", others are as they are.  *m: its measure, which times without a unit in
 * their name have, too: those are seconds.  In mem, or where key is.
 */
struct span bench_name(struct span key, enum measure *m, struct arena *mem);

/* A list of lists, or of numbers, one a request: "ttfts", "itls", "latencies"; false: another one.
 */
bool bench_is_list(struct span key, enum measure *m);

/* One result: an object with keys of vLLM's or SGLang's, or a row of a table of results. */
bool bench_is_result(struct json_value v);

/* {"Test name": {"0": "a"}, "Mean TTFT (ms)": {"0": 1.5}}: a table by columns. */
bool bench_is_columns(struct json_value v);

/* A file that begins like that is results: one, one a line, an array or an object of them. */
enum match bench_probe(const struct head *h);

#endif
