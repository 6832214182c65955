/*
 * Commands: what can stand after `traceq`.
 *
 * Every analysis is one by itself (cmd/answer.c); the others are the constant structs listed here.
 * Both are seen as a struct verb by help, man pages and completion.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "base/opt.h"
#include "cmd/options.h"

struct str;

/* Exit codes of the program. */
enum { EXIT_ANSWERED = 0, EXIT_VERDICT = 1, EXIT_NO_ANSWER = 2 };

/* A command that is no analysis. */
struct command {
	const char *name;
	const char *summary;           /* one line */
	const char *operands;          /* usage: "[WORD]" */
	const char *doc;               /* paragraphs separated by blank lines */
	const char *examples;          /* lines "traceq explain self_cpu_ns" */
	const char *exit_codes;        /* lines "0  answered"; NULL: the program's */
	const struct opt_group *group; /* its options; into is NULL: for help only */
	size_t ngroup;
	/*
	 * More groups behind these, of which one may be of filters, which it writes into filter;
	 * returns how many.  Or NULL.
	 */
	size_t (*more_groups)(struct opt_group *to, struct opt *filter);
	/* Appends the words an operand can be, one a line, for completion; NULL: operands are
	 * files. */
	void (*words)(struct str *out);
	const struct table_doc *table; /* those of --json; NULL: there are none */
	size_t ntable;
	const struct column *more; /* columns that the first has beside its own (schema.h); NULL */
	/* argv[0] is the command's name.  Returns the exit code; prints its own errors. */
	int (*run)(int argc, char **argv);
	/* The same of values that a program gives; NULL: it takes words only. */
	int (*run_given)(const struct opt_given *given);
};

#define COMMANDS(X)   \
	X(overview)   \
	X(plot)       \
	X(report)     \
	X(capture)    \
	X(baseline)   \
	X(digest)     \
	X(cut)        \
	X(merge)      \
	X(explain)    \
	X(mcp)        \
	X(config)     \
	X(completion) \
	X(help)       \
	X(version)

#define X(name) extern const struct command command_##name;
COMMANDS(X)
#undef X

enum { VERB_GROUPS_MAX = 9, VERB_WORDS_MAX = 512 };

/*
 * One command as help, man pages and completion see it.  Points into itself: not to be copied.
 */
struct verb {
	const char *name, *summary, *operands, *doc, *source, *examples;
	const char *exit_codes;                  /* its own or the program's */
	struct opt_group group[VERB_GROUPS_MAX]; /* `into` is NULL in all of them */
	size_t ngroup, nown;             /* the first nown groups are its own, the others common */
	struct opt filter[FILTER_COUNT]; /* those of an analysis */
	size_t nfilter;
	struct opt output[OUTPUT_OPTS]; /* the same, with its own formats */
	char formats[VERB_WORDS_MAX], tables[VERB_WORDS_MAX];
	void (*words)(struct str *out);
	const struct analysis *analysis; /* one of these two is NULL */
	const struct command *command;
};

/* How many verbs there are, and the i-th of them: analyses first, each in list order. */
size_t verb_count(void);
void verb_get(size_t i, struct verb *v);

/* The verb of that name; false when there is none. */
bool verb_find(const char *name, struct verb *v);

/* What stands for the files in the usage of an analysis: "FILE", "[FILE]", "FILE...". */
const char *verb_operands(const struct analysis *a);

/* The name of the verb nearest to the word, or NULL. */
const char *verb_nearest(const char *word);

#endif
