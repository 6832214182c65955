/* Phrases: stretches of an event's text that recur word for word, and which of them comes next.
 *
 * A program does the same work again and again, so the part of an event that is neither time nor id
 * (`{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": `) has been seen before,
 * and after the same few phrases the same one follows: in real traces 85 to 97 of 100 times.  So
 * the scanner compares the text with the phrase it expects, and only where they differ reads it
 * value by value.  Equal bytes read from the same point mean the same; the guess decides nothing
 * but the time it takes. */
#pragma once

#include "analyze/input/events/raw.h"

enum {
	PHRASES_MAX = 4096,
	PHRASE_SLOTS = 2 * PHRASES_MAX,
	PHRASE_MIN_BYTES = 8,
	PHRASE_MOST_BYTES = 1 << 16
};

/* The members an event's phrase says, and what was found out about them. */
struct phrase {
	const char *text;  /* its first sight, in the window */
	uint32_t n;        /* bytes, up to the first byte of the value that follows */
	uint32_t field;    /* whose value that is */
	unsigned have;     /* enum raw_field: which of these it sets */
	uint32_t kind_cat; /* as raw_event's */
	uint32_t name_id;  /* 1 + the batch's number of the name; 0: not asked yet */
	uint32_t lane;     /* 1 + the batch's lane of a host event; 0: not asked yet */
	struct span name, cat, pid, tid;
	char ph;
};

/* Of one window. */
struct phrases {
	struct phrase *all; /* all[0] is none and matches nothing */
	uint32_t n;
	uint64_t seed;
	uint64_t history;             /* the last phrases, 12 bits each */
	uint16_t next[PHRASE_SLOTS];  /* by history: the phrase that followed it last time */
	uint16_t known[PHRASE_SLOTS]; /* hash table over the texts; 0 = free */
};

void phrases_init(struct phrases *ps, uint64_t seed);
void phrases_clear(struct phrases *ps);

/* Forgets all, for the next window. */
void phrases_reset(struct phrases *ps);

/* Where it is remembered what follows the last phrases. */
static inline size_t phrases_due(const struct phrases *ps)
{
	return (size_t)(ps->history * UINT64_C(0x9e3779b97f4a7c15) >> 51);
}

/* The phrase that is expected. */
static inline struct phrase *phrases_guess(const struct phrases *ps)
{
	return &ps->all[ps->next[phrases_due(ps)]];
}

/* A phrase was met; NULL: one that is not known. */
static inline void phrases_note(struct phrases *ps, const struct phrase *p)
{
	ps->history = ps->history << 8 ^ (uint64_t)(p ? p - ps->all : 0);
}

/* Takes in what was read value by value, and expects it next time.  Returns the phrase with that
 * text, or NULL when it is not worth knowing or there are too many. */
struct phrase *phrases_learn(struct phrases *ps, const struct phrase *p);
