/* The text that exporters serve to Prometheus, and OpenMetrics: a sample a line. */
#pragma once

#include "base/base.h"

/* vllm:num_requests_running{engine="0",model_name="m"} 12.0 1735689600123 */
struct prometheus_sample {
	struct span name;
	struct span labels; /* inside the braces; "": none */
	double value;
	double time; /* seconds since 1970; NaN: not said */
};

/* False: the line is none. */
bool prometheus_sample(struct span line, struct prometheus_sample *s);

/* Takes the next label off; its value with escapes as written.  False behind the last. */
bool prometheus_label(struct span *labels, struct span *key, struct span *value);
