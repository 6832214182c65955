/* Verbs: one view over analyses and commands, for help, man pages, completion and agents. */
#pragma once

#include "cmd/command.h"
#include "cmd/options.h"

enum { VERB_GROUPS_MAX = 9, VERB_WORDS_MAX = 512 };

/* One command as help, man pages and completion see it.  Points into itself: not to be copied. */
struct verb {
	const char *name, *summary, *operands, *doc, *source, *examples;
	const char *exit_codes;                  /* its own or the program's */
	struct opt_group group[VERB_GROUPS_MAX]; /* `into` is NULL in all of them */
	size_t ngroup, nown;             /* the first nown groups are its own, the others common */
	struct opt filter[FILTER_COUNT]; /* those of an analysis */
	size_t nfilter;
	struct opt output[OUTPUT_OPTS]; /* the same, with its own formats */
	char formats[VERB_WORDS_MAX], tables[VERB_WORDS_MAX];
	void (*words)(const struct commands *all, struct str *out);
	const struct analysis *analysis; /* one of these two is NULL */
	const struct command *command;
};

/* The i-th verb, analyses first, each in list order; false behind the last. */
bool verb_get(const struct commands *all, size_t i, struct verb *v);

/* The verb of that name; false when there is none. */
bool verb_find(const struct commands *all, const char *name, struct verb *v);

/* What carries it out, without what help says of it: one of the two, the other is NULL. */
struct verb_runs {
	const struct analysis *analysis;
	const struct command *command;
};
bool verb_runs(const struct commands *all, const char *name, struct verb_runs *by);

/* The groups of an analysis that are its own, in the order of help; into: where each is parsed
 * into, NULL where only help is wanted.  Returns how many were written, at most VERB_OWN_GROUPS. */
enum { VERB_OWN_GROUPS = 6 };
struct verb_into {
	void *own, *output, *capture, *exectrace, *config, *sinks;
};
size_t verb_groups(const struct analysis *a, const struct verb_into *into, struct opt_group *group);

/* What stands for the files in the usage of an analysis: "FILE", "[FILE]", "FILE...". */
const char *verb_operands(const struct analysis *a);

/* The name of the verb nearest to the word, or NULL. */
const char *verb_nearest(const struct commands *all, const char *word);

/* ---- what there is to say about traceq as a whole ---- */

/* What a FILE operand can be, and three example lines; constant. */
extern const char about_files[], about_examples[];

/* The exit codes, a line for each: "0  answered"; constant. */
extern const char about_exit_codes[];

/* The environment variables traceq looks at, name and meaning by turns, NULL at the end. */
extern const char *const about_environment[];
