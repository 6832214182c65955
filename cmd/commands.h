/* The lists of what traceq can do: its analyses, and the commands that are none.
 *
 * They stand above everything: main knows them, and hands them down to who has to tell of them
 * (help, completion, mcp, settings).  What is in them refers to neither. */
#pragma once

#include "cmd/command.h"

#define ANALYSES(X) \
	X(top)      \
	X(summary)  \
	X(steps)    \
	X(kernels)  \
	X(roofline) \
	X(idle)     \
	X(launches) \
	X(critical) \
	X(memory)   \
	X(stages)   \
	X(stacks)   \
	X(timeline) \
	X(copies)   \
	X(comms)    \
	X(ranks)    \
	X(diagnose) \
	X(metrics)  \
	X(batch)    \
	X(smi)      \
	X(hang)     \
	X(fit)      \
	X(gate)     \
	X(noise)    \
	X(info)     \
	X(check)    \
	X(sql)      \
	X(diff)

#define COMMANDS(X)   \
	X(overview)   \
	X(plot)       \
	X(report)     \
	X(capture)    \
	X(baseline)   \
	X(digest)     \
	X(cut)        \
	X(merge)      \
	X(export)     \
	X(explain)    \
	X(mcp)        \
	X(config)     \
	X(completion) \
	X(help)       \
	X(version)

#define X(name) extern const struct analysis analysis_##name;
ANALYSES(X)
#undef X
#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

extern const struct commands commands_all;
