/* A raw event: what the scanner hands to the decoder. */
#pragma once

#include "analyze/input/events/plan.h"
#include "base/base.h"

enum raw_field {
	RAW_PH = 1 << 0,
	RAW_NAME = 1 << 1,
	RAW_CAT = 1 << 2,
	RAW_PID = 1 << 3,
	RAW_TID = 1 << 4,
	RAW_TS = 1 << 5,
	RAW_DUR = 1 << 6,
	RAW_ARGS = 1 << 7,
	RAW_NAME_ESCAPED = 1 << 8, /* the text holds backslashes */
	RAW_CAT_ESCAPED = 1 << 9,
	RAW_LANE_ESCAPED = 1 << 10, /* pid or tid */
	RAW_ID = 1 << 11
};

struct phrase;

/* The numbers of the combinations (args_set) that args with the same text were. */
struct raw_sets {
	uint32_t known; /* bits of sets */
	uint32_t combination[SET_COUNT];
};

/* One event as it stands in the text; spans point into the window, strings without their quotes. */
struct raw_event {
	const char *begin; /* its '{' */
	unsigned have;     /* enum raw_field */
	uint32_t kind_cat; /* 1 + index of its category in the batch, once it was looked up; 0: not
	                      yet */
	char ph;
	struct span name, cat, pid, tid, ts, dur, id;
	struct phrase *cat_by, *named_by, *placed_by; /* the phrases that say cat, name, pid and
	                                                 tid; NULL: none does */
	uint64_t found;                               /* bit per plan key id: arg[id] is set */
	uint64_t escaped;                             /* of those: strings that hold backslashes */
	uint64_t quoted;                              /* of those: were strings */
	struct span arg[PLAN_MAX_KEYS];
	struct raw_sets *sets; /* NULL: their text is new, or no set's */
};

/* Sixteen readable bytes behind an empty text: what short_text wants. */
#define RAW_NOTHING ((struct span){ "                ", 0 })

/* An event of which nothing is known yet; begin: its '{'. */
static inline void raw_begin(struct raw_event *raw, const char *begin)
{
	raw->begin = begin;
	raw->have = raw->kind_cat = 0;
	raw->ph = 0;
	raw->cat_by = raw->named_by = raw->placed_by = NULL;
	raw->found = raw->escaped = raw->quoted = 0;
	raw->sets = NULL;
}

static inline bool raw_says(unsigned have, unsigned fields)
{
	return (have & fields) == fields;
}

static inline bool raw_has(const struct raw_event *raw, unsigned fields)
{
	return (raw->have & fields) == fields;
}

/* The argument of that plan key is there: arg[key]. */
static inline bool raw_found(const struct raw_event *raw, uint8_t key)
{
	return key != PLAN_NO_KEY && (raw->found >> key & 1);
}

/* The key whose value goes into that column, if the event has any. */
static inline uint8_t raw_key(const struct raw_event *raw, const struct plan_column *c)
{
	return raw_found(raw, c->key) ? c->key : c->other_key;
}

static inline struct span raw_pid(const struct raw_event *raw)
{
	return raw_has(raw, RAW_PID) ? raw->pid : RAW_NOTHING;
}

static inline struct span raw_tid(const struct raw_event *raw)
{
	return raw_has(raw, RAW_TID) ? raw->tid : RAW_NOTHING;
}

static inline struct span raw_name(const struct raw_event *raw)
{
	return raw_has(raw, RAW_NAME) ? raw->name : RAW_NOTHING;
}
