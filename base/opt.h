/* Options as data: one table per command gives parsing, --help, the man page and completion. */
#pragma once

#include "base/base.h"

enum opt_type {
	OPT_FLAG,   /* bool: --name, --no-name */
	OPT_INT,    /* int64_t, 0 or more */
	OPT_TEXT,   /* const char *: borrowed from argv */
	OPT_CHOICE, /* const char *: one of `choices` */
	OPT_LIST    /* struct opt_list: may be given several times */
};

struct opt_list {
	const char **v;
	size_t n;
};

/* An option's words are declared once, as a list of X(ID, "word"): `enum key { KEYS(OPT_ID) }`
 * numbers them, OPT_WORDS(KEYS) are its choices, and opt_which says which one was given. */
#define OPT_ID(id, word)   id,
#define OPT_WORD(id, word) "|" word
#define OPT_WORDS(list)    (&("" list(OPT_WORD))[1])

/* Which of "a|b|c" the word is, from 0; 0 also for NULL and a word that is none of them. */
int opt_which(const char *choices, const char *word);

/* One option.  The value lands at `offset` in the option struct of its owner. */
struct opt {
	const char *name; /* long name without dashes; NULL: there is only the letter */
	char letter;      /* short form, or 0 */
	enum opt_type type;
	const char *arg;  /* placeholder with its unit: "N", "TIME", "REGEX"; NULL for flags */
	const char *help; /* one sentence, no full stop; a default in brackets at the end; NULL of
	                     one that no help shows */
	size_t offset;
	const char *choices; /* OPT_CHOICE: "a|b|c"; for help and completion only in other types */
	const char *alias;   /* another long name for the same thing, or NULL: "row-limit" */
};

/* A row of a table; a macro, and no braces, so that clang-format wraps it instead of aligning
 * columns. */
#define OPT(name, letter, type, arg, help, offset, choices, alias)    \
	{                                                             \
		name, letter, type, arg, help, offset, choices, alias \
	}

/* The usual ones, which have no other name. */
#define FLAG_OPT(name, letter, at, doc)       OPT(name, letter, OPT_FLAG, NULL, doc, at, NULL, NULL)
#define TEXT_OPT(name, letter, arg, at, doc)  OPT(name, letter, OPT_TEXT, arg, doc, at, NULL, NULL)
#define INT_OPT(name, letter, arg, at, doc)   OPT(name, letter, OPT_INT, arg, doc, at, NULL, NULL)
#define LIST_OPT(name, letter, arg, at, doc)  OPT(name, letter, OPT_LIST, arg, doc, at, NULL, NULL)
#define CHOICE_OPT(name, arg, at, words, doc) OPT(name, 0, OPT_CHOICE, arg, doc, at, words, NULL)
/* -n: rows of what is listed. */
#define LIMIT_OPT(at, doc) OPT("limit", 'n', OPT_INT, "N", doc, at, NULL, "row-limit")

/* A table and the struct its offsets are of.  A command has several (its own, the common ones). */
struct opt_group {
	const char *title; /* heading in help */
	const struct opt *opt;
	size_t n;
	void *into; /* NULL where only help is wanted */
};

/* Parses argv[1..argc) by all groups.  Options may stand anywhere, "--" ends them, "--name=value",
 * "-n5" and "-n 5" work; abbreviations do not.  *operand receives the others in order (allocated
 * with malloc, also on failure; strings borrowed); lists are malloc'ed too: opt_free_lists.
 * E_USAGE with a did-you-mean for an unknown option, a missing or malformed value. */
enum status opt_parse(const struct opt_group *group, size_t ngroup, int argc, char **argv,
	const char ***operand, size_t *noperand, struct err *e) MUST_CHECK;

/* What a program gives in place of a command line: each thing as what it is.  No text of it is read
 * as a word: none becomes another option, ends the options, or is taken apart. */
struct opt_value {
	const char *name; /* the option's long one */
	const char *text; /* NULL of a flag */
	bool is_off;      /* of a flag */
};
struct opt_given {
	const struct opt_value *value;
	size_t nvalue;
	const char *const *operand;
	size_t noperand;
	size_t nfirst; /* where there are two sides, so many operands are the first */
};

/* As opt_parse does with words; all texts are borrowed. */
enum status opt_take(const struct opt_group *group, size_t ngroup, const struct opt_given *given,
	const char ***operand, size_t *noperand, struct err *e) MUST_CHECK;

/* Frees and empties the lists of all options in the groups. */
void opt_free_lists(const struct opt_group *group, size_t ngroup);

/* The nearest of the words (n of them) to `word`, the first of equally near ones, or NULL when none
 * is near: more than a third of its letters wrong, in short words more than one.  A word that
 * starts with it is near. */
const char *opt_nearest(const char *word, const char *const *words, size_t n);

/* Behind a sentence on a word that is not known: "; did you mean 'NEAR'?"; NULL: otherwise. */
struct opt_mean {
	char s[512];
} opt_mean(const char *near, const char *otherwise);
