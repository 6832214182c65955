/*
 * Options of the capture command, and the settings they make.
 */
#ifndef CMD_CAPTURE_CAPTURE_SETTINGS_H
#define CMD_CAPTURE_CAPTURE_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/settings.h"

#define CAPTURE_DEFAULT_OUT "traceq-%n-%h_%p.%t.pt.trace.json.gz"

/* As typed; NULL where an option was not given. */
struct capture_options {
	const char *out, *delay, *warmup, *duration, *window, *kinds, *graph, *nvtx, *nvml, *buffer,
		*cap, *flush, *exit_timeout, *cupti, *lib;
	int64_t level;
	bool flow, cpu, force, check, env, seal;
};

/* False when an option is malformed or two contradict each other; that has been said. */
bool capture_make_settings(const struct capture_options *o, struct capture_settings *s);

#endif
