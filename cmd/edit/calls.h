/*
 * What is cut as calls over time or as stacks: formats that are no traces, which `stacks` writes.
 */
#ifndef CMD_EDIT_CALLS_H
#define CMD_EDIT_CALLS_H

#include <stdint.h>

#include "base/err.h"
#include "base/table.h"
#include "cmd/edit/edited.h"

struct analysis;
struct cut;
struct cut_want;
struct load_options;
struct renderer;
struct wants;

/* What the options say is sound for such a format: E_USAGE for those that mean nothing to it. */
enum status calls_check(
	const struct renderer *format, const struct wants *w, struct err *e) MUST_CHECK;

/* A file of calls. */
struct calls {
	const struct analysis *stacks; /* which answers */
	const struct renderer *format;
	const char *name;     /* of the trace, as the file has it */
	const char **where;   /* what an error is about, the trace at first */
	struct result result; /* with notes about it; result_clear */
	int64_t bytes;        /* written */
};

/* How the trace is written that the calls are of, for edited_check and edited_begin; path NULL:
 * nobody knows as yet. */
struct edited_options calls_trace(const struct edited_options *o, const char *path);

/*
 * Behind cut_survey of the trace at path: writes the calls of what is kept where the options say,
 * through a trace beside it.  As cut_write, as `stacks` answers, and E_IO; nothing is there then.
 */
enum status calls_write(struct calls *c, const struct edited_options *o, struct cut *cut,
	const struct cut_want *want, const char *path, const struct load_options *load,
	struct err *e) MUST_CHECK;

#endif
