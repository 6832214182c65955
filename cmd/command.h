/* The contract of commands: what can stand after `traceq`.
 *
 * Every analysis is one by itself (cmd/answer.c).  The others are constant structs.  Both are seen
 * as a struct verb by help, man pages and completion. */
#pragma once

#include "analyze/analysis/analysis.h"
#include "base/opt.h"

struct command_line;
struct commands;
struct excerpt;

/* Exit codes of the program; of a command also that its help is wanted, which main prints. */
enum {
	EXIT_ANSWERED = 0,
	EXIT_VERDICT = 1,
	EXIT_NO_ANSWER = 2,
	EXIT_HELP_BRIEF = -1, /* -h */
	EXIT_HELP_FULL = -2   /* --help */
};

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
	/* More groups behind these, of which one may be of filters, which it writes into filter;
	 * returns how many.  Or NULL. */
	size_t (*more_groups)(struct opt_group *to, struct opt *filter);
	/* Appends the words an operand can be, one a line, for completion; NULL: operands are
	 * files. */
	void (*words)(const struct commands *all, struct str *out);
	const struct table_doc *table; /* those of --json; NULL: there are none */
	size_t ntable;
	const struct column *more; /* columns that the first has beside its own (schema.h); NULL */
	/* Returns the exit code; prints its own errors. */
	int (*run)(const struct command_line *line);
};

/* Defines command_NAME; that it stands in the list too, lint sees to (`unused`). */
#define COMMAND(name)                               \
	extern const struct command command_##name; \
	const struct command command_##name
/* In it: a member of several, and how many they are. */
#define COMMAND_HAS(member, v) .member = (v), .n##member = COUNT_OF(v)

/* All there are, in the order of their lists (cmd/commands.h), handed down from main. */
struct commands {
	struct analyses analyses;
	const struct command *const *v;
	size_t n;
};

/* What a command is run with: words, or what a program gives in their place. */
struct command_line {
	const struct commands *all;
	int argc;
	char **argv;                   /* argv[0] is the command's name */
	const struct opt_given *given; /* NULL: words */
	const struct excerpt *excerpt; /* that part of an answer (report/format/excerpt.h), or NULL
	                                */
};
