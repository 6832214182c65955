/* Reports of a verdict: to files, and to the CI server that runs us. */
#pragma once

#include "base/opt.h"
#include "report/sink/sink.h"

struct door_output;
struct operands;
struct output_options;
struct settings;

struct sink_options {
#define X(name, help) const char *name;
	SINKS(X)
#undef X
	const char *json_out;
	const char *ci;         /* "auto", "github", "none"; NULL: auto */
	const char *missing;    /* "error", "warn", "pass"; NULL: as configured */
	const char *thresholds; /* an input: cmd/config.h */
};

#define SINKS_TITLE   "Verdict"
#define X(name, help) +1
enum { SINK_OPTS = 0 SINKS(X) + 4, SINK_FILES = SINK_OPTS - 3 };
#undef X
extern const struct opt sink_opts[SINK_OPTS];

/* Where -o, without a format, names a file of one of the reports by its suffix, that report is
 * asked for, and no other answer: *is_taken.  E_USAGE when it is asked for elsewhere, too. */
enum status sinks_take(struct sink_options *o, const struct output_options *output, bool *is_taken,
	struct err *e) MUST_CHECK;

/* Long names of options that say where an answer and its reports go, up to NULL. */
extern const char *const sinks_beside[];

/* The files that will be written, into file[0..SINK_FILES + 1), and what is read as an input
 * (base/door.h).  Returns how many.  Texts are of mem. */
size_t sinks_files(const struct sink_options *o, struct arena *mem, struct door_output *file);

/* Writes all files that were asked for; command: the line that asks it again.  E_IO with the file's
 * name in the text. */
enum status sinks_put(const struct sink_options *o, const struct result *r, const char *command,
	struct err *e) MUST_CHECK;

/* Tells the CI server that runs us, where one does.  E_IO. */
enum status sinks_put_ci(const struct sink_options *o, const struct result *r, const char *command,
	struct err *e) MUST_CHECK;

/* The same where there is no answer: what `why` says, about `where` unless that is NULL.  What
 * cannot be written is passed over. */
void sinks_fail(
	const struct sink_options *o, const char *name, const char *where, const struct err *why);

/* What to do without a base: 'e'rror, 'w'arn or 'p'ass.  name: the analysis, whose setting
 * NAME.missing-baseline counts where the option was not given. */
char sinks_missing(const struct sink_options *o, const struct settings *s, const char *name);

/* None of the first side's paths is there, or all are empty folders. */
bool sinks_base_is_missing(const struct operands *o);
