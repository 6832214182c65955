/*
 * Traces of graph captures, which name the kernels of graph replays in other traces: loaded before
 * those, and kept as long.
 */
#ifndef CMD_LOAD_CAPTURES_H
#define CMD_LOAD_CAPTURES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/trace/graphs/captured.h"
#include "base/err.h"
#include "base/opt.h"
#include "cmd/load/inputs.h"

struct captures {
	struct inputs inputs;
	struct captured *v; /* of each run that has graphs; malloc'ed */
	size_t n;
};

/*
 * Loads what the paths name: files, and folders with a file for each batch size or rank.  needs:
 * what the answer needs of a trace.  E_NODATA where one of the paths holds no capture.  On failure
 * *where is what the error is about.  captures_clear releases, also then.
 */
enum status captures_load(struct captures *c, const struct opt_list *path, unsigned needs,
	const struct read_options *read, bool is_quiet, const char **where,
	struct err *e) MUST_CHECK;
void captures_clear(struct captures *c);

/* What a run has to be loaded with besides, so that it can be named by captures. */
unsigned captures_needs(void);

#endif
