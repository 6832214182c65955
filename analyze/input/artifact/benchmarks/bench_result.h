/*
 * Which JSON objects are results of a benchmark of an inference server.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_BENCHMARKS_BENCH_RESULT_H
#define ANALYZE_INPUT_ARTIFACT_BENCHMARKS_BENCH_RESULT_H

#include <stdbool.h>

#include "analyze/input/artifact/head.h"
#include "analyze/input/text/json_text.h"

/* One result: an object with keys of vLLM's or SGLang's, or a row of a table of results. */
bool bench_is_result(struct json_value v);

/* {"Test name": {"0": "a"}, "Mean TTFT (ms)": {"0": 1.5}}: a table by columns. */
bool bench_is_columns(struct json_value v);

/* A file that begins like that is results: one, one a line, an array or an object of them. */
enum match bench_probe(const struct head *h);

#endif
