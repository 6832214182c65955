/* The plan of a load: which keys inside args are worth reading, for which kinds.  Made once from
 * the needs, constant while scanning, shared by all threads. */
#pragma once

#include "analyze/trace/columns/args.h"
#include "base/base.h"

/* Keys inside args: those of ARGS (distinct texts), and these which decide lanes and names. */
enum { PLAN_MAX_KEYS = 64, PLAN_SLOTS = 512 };
enum { PLAN_NO_KEY = 0xff, PLAN_END = 0xfe };

struct plan_key {
	const char *text;
	uint8_t n;
	uint8_t id; /* index into raw_event.arg */
	bool used;
};

/* A kept argument and where the scanner puts it. */
struct plan_column {
	uint8_t arg;       /* enum arg */
	uint8_t key;       /* index into raw_event.arg */
	uint8_t other_key; /* another spelling of the same, or PLAN_NO_KEY */
	uint8_t size;      /* arg_size of its type */
};

/* The kept arguments of a set, and all their keys. */
struct plan_set {
	struct plan_column column[ARG_COUNT];
	unsigned ncolumn;
	uint64_t keys;
};

/* What an event is to the args scanner when it is no slice of a known kind. */
enum plan_class {
	CLASS_ANY = KIND_COUNT, /* the kind is not known yet */
	CLASS_META,             /* ph M */
	CLASS_NOTHING,          /* no argument is worth reading */
	PLAN_CLASSES
};

struct scanner;
struct tap;

struct plan {
	const struct scanner *scanner;
	const struct tap *tap; /* who reads along (tap.h), or NULL */
	unsigned needs;
	unsigned kinds_kept;  /* KIND_BIT set: which events become rows */
	bool is_for_tap;      /* events are counted and shown to the tap, and nothing else */
	bool keeps_functions; /* Python functions of FUNCTION_MIN_NS or more, if not all */
	bool keeps_marks;     /* also marks of steps, whatever kind they are of */
	uint64_t seed;        /* of strings_hash */
	unsigned nkey;
	struct plan_key slot[PLAN_SLOTS]; /* hash table of keys */
	uint64_t want[PLAN_CLASSES];      /* keys worth reading, by kind or enum plan_class */
	uint8_t key_of[ARG_COUNT];        /* key id of each argument, or PLAN_NO_KEY */
	struct plan_column column[ARGS_TABLE_COUNT][ARG_COUNT]; /* kept arguments of each table
	                                                           that are in no set */
	unsigned ncolumn[ARGS_TABLE_COUNT];
	struct plan_set set[SET_COUNT];
	uint8_t set_of[ARGS_TABLE_COUNT][SET_COUNT]; /* the kept sets of each table (enum args_set)
	                                              */
	unsigned nset[ARGS_TABLE_COUNT];
	uint64_t set_keys;               /* of all sets */
	uint64_t keys[ARGS_TABLE_COUNT]; /* keys of the kept arguments of a table, aliases too */
	uint8_t key_device, key_stream, key_name, key_labels, key_finished;
	uint8_t key_empty; /* of the key "", which is not in slot; or PLAN_NO_KEY */
};

void plan_init(struct plan *p, unsigned needs, const struct scanner *scanner, uint64_t seed);

/* Of events of other kinds than these (KIND_BIT set) no argument is read, and no row made but of
 * marks of steps; with rows false of none at all, although the arguments are read for the tap. */
void plan_narrow(struct plan *p, unsigned kinds, bool rows);

/* Where a key of that length and bytes would stand; collisions go to the next slot. */
static inline unsigned plan_slot(const char *key, size_t n)
{
	return ((unsigned)n * 37u + (unsigned char)key[0] * 11u + (unsigned char)key[n - 1] * 5u +
		       (unsigned char)key[n / 2] * 3u) %
		PLAN_SLOTS;
}

/* The id of an args key (n > 0), or PLAN_NO_KEY when nobody wants it. */
static inline uint8_t plan_key(const struct plan *p, const char *key, size_t n)
{
	unsigned at = plan_slot(key, n);

	for (; p->slot[at].used; at = (at + 1) % PLAN_SLOTS)
		if (p->slot[at].n == n && memcmp(p->slot[at].text, key, n) == 0)
			return p->slot[at].id;
	return PLAN_NO_KEY;
}
