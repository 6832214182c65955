/* The words of a command line by name or by chance: commands that read files, forms of operands,
 * charts, options and their choices. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "cmd/verb.h"

enum { WORDS_NAMES = 160, WORDS_HEAD = 400 };

/* Names, borrowed from the tables they are in. */
struct words {
	const char *v[WORDS_NAMES];
	size_t n;
};

/* Commands; forms of operands: a letter a file, D and E folders, others as they are. */
void words_verbs(struct words *names);
void words_forms(struct words *names);

/* What stands behind the operands: a chart, or what is done to a store; none of most commands. */
void words_own(const struct verb *v, struct words *names);

/* The options of a command, and the one of that name; NULL: it has none. */
void words_options(const struct verb *v, struct words *names);
const struct opt *words_option(const struct verb *v, const char *name);

/* The name that the word is, else one of them. */
const char *words_pick(const struct words *names, struct span word);

/* The same of an option's choices, "a|b|c"; they are copied into text. */
const char *words_choice(const char *choices, struct span word, char *text, size_t room);

/* Takes the next word of a line, blanks before it; empty at the end. */
struct span words_next(struct span *line);

/* The i-th, modulo how many there are, of words with a separator between. */
struct span words_split(const char *words, char separator, size_t i);

/* A first line by chance, with its line feed; returns its length.  about: the old first line, of
 * which it keeps what chance leaves alone. */
size_t words_head(char head[WORDS_HEAD], struct span about, uint64_t *state);

/* A number by chance below n, and the next state. */
size_t words_below(uint64_t *state, size_t n);
