/* The tables of the common options, whose meaning is in cmd/answer.c and cmd/screen.c; and how a
 * command's line is read by its tables. */
#include "cmd/options.h"

#include <assert.h>

#include "cmd/command.h"
#include "cmd/say.h"
#include "report/format/renderer.h"

#define FILTER(field) offsetof(struct filter, field)
#define READ(field)   offsetof(struct read_options, field)
#define OUTPUT(field) offsetof(struct output_options, field)
#define HELP(field)   offsetof(struct help_options, field)

/* Choices made from the lists: every word with a bar before it. */
#define X(name) "|" #name
const char options_bar_formats[] = RENDERERS_OF_ANY(X);
#undef X
#define X(name, word) "|" word
static const char bar_kinds[] = KINDS(X);
#undef X

/* In the order of enum filter_bit. */
static const struct opt filter_opts[] = {
	TEXT_OPT("filter", 'f', "REGEX", FILTER(match), "only names that match (PCRE2)"),
	TEXT_OPT("exclude", 'v', "REGEX", FILTER(exclude), "without names that match"),
	TEXT_OPT("steps", 0, "LIST", FILTER(steps), "only these steps, by number: 5-9 or 5,7,9-"),
	TEXT_OPT("device", 0, "LIST", FILTER(device), "only these GPUs: 0,2"),
	TEXT_OPT("stream", 0, "LIST", FILTER(stream), "only these streams: 7,20"),
	TEXT_OPT("rank", 0, "LIST", FILTER(rank), "only files of these ranks: 0-3"),
	OPT("cat", 0, OPT_TEXT, "LIST",
		"only these kinds of events, or categories as the file spells them", FILTER(cat),
		bar_kinds + 1, NULL),
	TEXT_OPT("comm", 0, "REGEX", FILTER(comm),
		"kernels whose names match (PCRE2) are collectives, beside those that are known"),
};

/* Those that are not the same for all analyses. */
enum { OUTPUT_FORMAT = 0, OUTPUT_TABLE = 4 };
static const struct opt output_opts[] = {
	/* Checked by cmd/command_formats.c: not all answers have all formats. */
	OPT("format", 0, OPT_TEXT, "FORMAT",
		"how the answer is written [by the suffix of -o, else table]", OUTPUT(format),
		OPTIONS_FORMATS, NULL),
	FLAG_OPT("json", 0, OUTPUT(is_json), "the same as --format json"),
	TEXT_OPT("output", 'o', "FILE", OUTPUT(path),
		"write the answer to FILE, which appears when it is complete; its suffix says "
		"in which format"),
	FLAG_OPT("force", 0, OUTPUT(is_forced), DOOR_FORCE_HELP),
	TEXT_OPT("table", 0, "NAME", OUTPUT(table),
		"only this table of the answer; csv, tsv and parquet, which hold one, have the main one, "
		"and with -o FOLDER/ a file for each"),
	OPT("unit", 'u', OPT_CHOICE, "UNIT",
		"unit of times in text formats [one that suits each column]", OUTPUT(unit),
		"us|ms|s", "time-unit"),
	OPTION_COLOR(OUTPUT(color)),
	OPTION_WIDE(OUTPUT(is_wide)),
	OPTION_ASCII(OUTPUT(is_ascii)),
	OPTION_NO_PAGER(OUTPUT(is_unpaged), "; also traceq --no-pager COMMAND"),
	OPTION_QUIET(OUTPUT(is_quiet)),
};

static const struct opt read_opts[] = {
	FLAG_OPT("strict", 0, READ(is_strict),
		"a damaged or truncated file is an error, not a warning"),
	INT_OPT("threads", 'j', "N", READ(threads),
		"threads that read; the answer is the same for any number [one per core]"),
};

static const struct opt runs_opts[] = {
	FLAG_OPT("per-rank", 0, OUTPUT(is_per_run),
		"of several inputs the page of each, one after the other: neither their job, where "
		"they are its ranks, nor a table of all"),
	FLAG_OPT("per-run", 0, OUTPUT(is_per_run), "the same"),
};

const struct opt_group options_runs = { "Several inputs", runs_opts, COUNT_OF(runs_opts), NULL };

static const struct opt capture_opts[] = {
	LIST_OPT("capture", 0, "FILE", 0,
		"trace of the capture of CUDA or HIP graphs, or a folder of such: names the "
		"kernels of their replays, with shapes, modules and stages; may be repeated"),
};

const struct opt_group options_capture = { "Graph replays", capture_opts, COUNT_OF(capture_opts),
	NULL };

static const struct opt exectrace_opts[] = {
	LIST_OPT("et", 0, "FILE", 0,
		"execution trace of the same program (ExecutionTraceObserver): says what operators read "
		"and write; of several that of which most is found; may be repeated [that of the trace's "
		"process and rank, of those in its folder]"),
};

const struct opt_group options_exectrace = { "Execution traces", exectrace_opts,
	COUNT_OF(exectrace_opts), NULL };

struct help_options {
	bool brief, full;
};

static const struct opt help_opts[] = {
	FLAG_OPT(NULL, 'h', HELP(brief), "one screen of help"),
	FLAG_OPT("help", 0, HELP(full), "all of it"),
};

const struct opt_group options_help = { "Help", help_opts, COUNT_OF(help_opts), NULL };

_Static_assert(COUNT_OF(filter_opts) == FILTER_COUNT, "a bit for each");

size_t options_filters(struct opt *to, unsigned ignores)
{
	size_t n = 0;

	for (size_t i = 0; i < FILTER_COUNT; i++)
		if (!(ignores >> i & 1))
			to[n++] = filter_opts[i];
	return n;
}

const char *options_ignored(const struct filter *f, unsigned ignores)
{
	for (size_t i = 0; i < FILTER_COUNT; i++) {
		const char *const *value = (const char *const *)(const void *)((const char *)f +
			filter_opts[i].offset);

		if ((ignores >> i & 1) && *value)
			return filter_opts[i].name;
	}
	return NULL;
}

_Static_assert(COUNT_OF(output_opts) == OUTPUT_OPTS, "room for them");

void options_output(struct opt *to, const char *formats, const char *tables)
{
	memcpy(to, output_opts, sizeof(output_opts));
	to[OUTPUT_FORMAT].choices = formats;
	to[OUTPUT_TABLE].choices = tables;
}

size_t options_common(struct opt_group *group, struct filter *filter, struct output_options *output,
	struct read_options *read)
{
	group[0] =
		(struct opt_group){ "What to look at", filter_opts, COUNT_OF(filter_opts), filter };
	group[1] = (struct opt_group){ "Output", output_opts, COUNT_OF(output_opts), output };
	group[2] = (struct opt_group){ "Reading", read_opts, COUNT_OF(read_opts), read };
	return COMMON_GROUPS;
}

enum status options_parse(const struct opt_group *group, size_t n, void *const *into,
	const struct command_line *line, const char ***operand, size_t *noperand, struct err *e)
{
	struct opt_group all[LINE_GROUPS_MAX];
	struct help_options help = { 0 };

	assert(n < LINE_GROUPS_MAX);
	for (size_t i = 0; i < n; i++) {
		all[i] = group[i];
		if (into)
			all[i].into = into[i];
	}
	all[n] = options_help;
	all[n++].into = &help;
	TRY(line->given ? opt_take(all, n, line->given, operand, noperand, e)
			: opt_parse(all, n, line->argc, line->argv, operand, noperand, e));
	if (!help.brief && !help.full)
		return OK;
	return err_set(e, E_HELP, help.full ? EXIT_HELP_FULL : EXIT_HELP_BRIEF, "help");
}

int options_run(const char *name, const struct opt_group *group, size_t n, void *const *into,
	const struct command_line *line,
	int (*run)(const struct command_line *line, void *ctx, const char **operand, size_t n),
	void *ctx)
{
	const char **operand;
	size_t noperand;
	struct err e;
	int exit_code = options_parse(group, n, into, line, &operand, &noperand, &e) == OK
		? run(line, ctx, operand, noperand)
		: say_usage(name, &e);

	free(operand);
	return exit_code;
}
