/*
 * Between the parts of report/escape.h: a walk over a text for one destination.
 */
#ifndef REPORT_ESCAPE_WALK_H
#define REPORT_ESCAPE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* What a format writes in place of the letter that makes a command. */
struct cilog {
	const char *colon;   /* of the first ':'; NULL: a text never begins a line */
	const char *bracket; /* of the '[' */
	bool at_words;       /* lines may be broken at any blank afterwards */
};

/* One destination. */
struct target {
	const char *special;                     /* ASCII that put is asked about */
	void (*put)(struct str *b, uint32_t c);  /* writes these, and what is not ASCII */
	void (*hide)(struct str *b, uint32_t c); /* writes what must not be sent */
	struct cilog log;
};

/* Gives every code point of s to the target, and takes the orders to a CI server out. */
void escape_walk(struct str *b, struct span s, const struct target *t);

/* A code point as \n, \r, \t, \x1b, \u202e, \U000e0041. */
void escape_put(struct str *b, uint32_t c);

/* The same where a backslash has to be doubled. */
void escape_put_doubled(struct str *b, uint32_t c);

#endif
