/* Options that all analyses share. */
#pragma once

#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "base/opt.h"

struct command_line;
struct excerpt;

/* What --force is, wherever files are written that nobody named. */
#define DOOR_FORCE_HELP                                                                    \
	"also replace files that traceq did not write, where it writes beside -o or into " \
	"a folder; never an input"

/* Options that commands with a table of their own have as all others do; at: an offset. */
#define OPTION_COLOR(at)                                                        \
	OPT("color", 0, OPT_CHOICE, "WHEN",                                     \
		"use colors [auto: on a terminal, unless NO_COLOR is set]", at, \
		"auto|always|never", "colour")
#define OPTION_WIDE(at) FLAG_OPT("wide", 0, at, "whole names and all columns, however wide")
#define OPTION_ASCII(at)                                                                        \
	OPT("ascii", 0, OPT_FLAG, NULL, "plain ASCII typography, also on a UTF-8 terminal", at, \
		NULL, NULL)
#define OPTION_NO_PAGER(at, more)                                                               \
	OPT("no-pager", 0, OPT_FLAG, NULL, "do not page what is longer than the terminal" more, \
		at, NULL, NULL)
#define OPTION_QUIET(at) FLAG_OPT("quiet", 'q', at, "no progress and no warnings on stderr")
#define OPTION_ALLOW_ENV(at)                                                                          \
	OPT("allow-env", 0, OPT_CHOICE, "KEY",                                                        \
		"compare sides although their GPUs differ, or their steps are cut in different ways", \
		at, "gpu|steps|gpu,steps", NULL)

struct output_options {
	const char *format; /* name of a renderer, or NULL: not said */
	bool is_json;       /* --json */
	const char *path;   /* -o, or NULL for stdout */
	const char *table;  /* --table: the id of the only table, or NULL */
	const char *unit;   /* "us", "ms", "s", or NULL */
	const char *color;  /* "auto", "always", "never", or NULL: not said */
	bool is_wide, is_ascii, is_quiet;
	bool is_forced;                /* --force */
	bool is_unpaged;               /* --no-pager */
	bool is_per_run;               /* --per-run */
	const struct excerpt *excerpt; /* no option: a part (report/format/excerpt.h), as JSON */
};

struct read_options {
	bool is_strict;
	int64_t threads; /* 0 = one per core */
};

/* Writes the groups of filters, output and reading, and where they are parsed into: NULL where only
 * help is wanted.  Returns COMMON_GROUPS. */
enum { COMMON_GROUPS = 3 };
size_t options_common(struct opt_group *group, struct filter *filter, struct output_options *output,
	struct read_options *read);

/* The filters that an analysis takes, into to[0..FILTER_COUNT); returns how many.  ignores: enum
 * filter_bit. */
size_t options_filters(struct opt *to, unsigned ignores);

/* The long name of the first given filter that is ignored, or NULL. */
const char *options_ignored(const struct filter *f, unsigned ignores);

/* The group of analyses that set several runs side by side, into struct output_options. */
extern const struct opt_group options_runs;

/* The group of analyses that take captures of graphs, into a struct opt_list. */
extern const struct opt_group options_capture;

/* The group of analyses that take execution traces, into a struct opt_list. */
extern const struct opt_group options_exectrace;

/* The group of -h and --help, which every command has. */
extern const struct opt_group options_help;

/* Reads the line by the groups, and by that of help.  into: where each group's options go, in place
 * of what the groups say; NULL: as they say.  *operand is allocated with malloc, also on failure.
 * E_USAGE of opt_parse and opt_take; E_HELP, whose offset is the exit code that asks for it. */
enum { LINE_GROUPS_MAX = 12 };
enum status options_parse(const struct opt_group *group, size_t n, void *const *into,
	const struct command_line *line, const char ***operand, size_t *noperand,
	struct err *e) MUST_CHECK;

/* The same, and has the command of that name run with ctx and its operands: the exit code.  What is
 * wrong with the line is said. */
int options_run(const char *name, const struct opt_group *group, size_t n, void *const *into,
	const struct command_line *line,
	int (*run)(const struct command_line *line, void *ctx, const char **operand, size_t n),
	void *ctx);

enum { OUTPUT_OPTS = 11 };
/* The group of output of one analysis: its formats (cmd/command_formats.h) and tables are borrowed.
 */
void options_output(struct opt *to, const char *formats, const char *tables);

/* "table|json|...": the names of the renderers of any table, as choices of an option. */
#define OPTIONS_FORMATS (options_bar_formats + 1)
extern const char options_bar_formats[];
