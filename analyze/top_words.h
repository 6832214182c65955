/*
 * The words of `top`'s options, and its notes.
 */
#ifndef ANALYZE_TOP_WORDS_H
#define ANALYZE_TOP_WORDS_H

#include "analyze/top.h"

/*
 * --sort: a short form or one of torch's sort_by words, in which cuda, xpu, privateuse1 and device
 * are the same.  NULL is TOP_KEY_NONE.  E_USAGE, with a guess, for anything else.
 */
enum status top_parse_key(const char *text, enum top_key *key, struct err *e) MUST_CHECK;

/* --by and --per; the option table has checked the words.  NULL: the default. */
enum top_by top_parse_by(const char *text);
enum top_per top_parse_per(const char *text);

/* Says what the reader should know about this run's figures. */
void top_add_notes(struct top *t);

#endif
