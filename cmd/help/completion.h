/*
 * Shell completion, made from the tables of commands and options.
 */
#ifndef CMD_HELP_COMPLETION_H
#define CMD_HELP_COMPLETION_H

#include <stdbool.h>

struct opt;
struct str;

/* Each appends the whole script of one shell. */
void completion_bash(struct str *out);
void completion_zsh(struct str *out);
void completion_fish(struct str *out);

/* The option's value is the name of a file. */
bool completion_wants_file(const struct opt *o);

/* Appends s for use between single quotes: a quote becomes '\''. */
void completion_quote(struct str *out, const char *s);

/* Appends "a|b" or "a\nb\n" as "a b"; NULL is nothing. */
void completion_words(struct str *out, const char *words);

#endif
