/* The index behind `traceq explain`: every word traceq uses, with its definitions. */
#pragma once

#include "base/base.h"

struct commands;

enum word_kind {
	WORD_TERM,
	WORD_COLUMN,
	WORD_TABLE,
	WORD_CHECK, /* a check or a rule of an analysis */
	WORD_NOTE,
	WORD_CHART,
	WORD_COMMAND,
	WORD_FORMAT,
	WORD_KINDS
};

struct word {
	enum word_kind kind;
	const char *word;  /* key, id or term */
	const char *title; /* what people see, or NULL */
	const char *also;  /* "a|b", or NULL */
	const char *where; /* "top.ops, top.device", or NULL */
	const char *definition;
	const char *source; /* or NULL */
};

struct words {
	const struct commands *all;
	struct word *v; /* by kind, then in the order of their lists */
	size_t n, cap;
	struct arena mem;
};

/* Collects all words.  words_clear releases. */
void words_init(struct words *w, const struct commands *all);
void words_clear(struct words *w);

/* "terms", "columns", ...; constant. */
const char *words_kind_title(enum word_kind k);
/* "term", "column", ...; constant. */
const char *words_kind_name(enum word_kind k);

/* Whether the text means that word: its name, its title or one of `also`, ignoring case, with
 * spaces,
 * "-" and "_" the same. */
bool words_match(const struct word *w, const char *text);

/* The nearest word to the text, or NULL. */
const char *words_nearest(const struct words *w, const char *text);

/* ---- words that no table of an analysis explains, for `traceq explain` ---- */

struct glossary_entry {
	const char *word;
	const char *also;       /* other words for it, "a|b", or NULL */
	const char *definition; /* sentences */
	const char *source;     /* where the definition comes from, or NULL */
};

/* General terms by topic; *n receives how many.  Constant. */
const struct glossary_entry *glossary_all(size_t *n);
