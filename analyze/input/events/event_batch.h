/* A batch: what one window's text became, with ids of its own.  Reused window after window.
 *
 * Texts get batch-local numbers by a dictionary whose entries point into the window; merging
 * (merge_batches.h) gives them the run's numbers, in file order. */
#pragma once

#include "analyze/input/events/arrows.h"
#include "analyze/input/events/phrases.h"
#include "analyze/input/events/tap.h"
#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/idmap.h"
#include "analyze/trace/columns/lanes.h"
#include "analyze/trace/columns/tally.h"
#include "base/base.h"

/* A text of up to 16 bytes as two words, for comparing without a call; longer ones go by
 * dictionary. */
struct short_text {
	uint64_t lo, hi;
	uint32_t n;
};

enum dict_odd { DICT_INVALID_UTF8 = 1, DICT_CONTROL = 2, DICT_BAD_ESCAPE = 4 };

struct dict_entry {
	uint64_t hash;    /* strings_hash of the text */
	struct span text; /* in the window or in the batch's arena */
	int64_t offset;   /* of its first sight, in the input */
	unsigned odd;     /* enum dict_odd */
};

/* A category of this window. */
struct batch_cat {
	struct span text;    /* raw, as in the file */
	sym name;            /* dictionary id */
	bool present;        /* false: stands for "no cat" */
	bool is_own;         /* marks of traceq's own, which are no events of the run */
	enum kind kind;      /* of slices */
	uint32_t count[128]; /* by ph; [0]: no or unknown ph */
};

/* A remembered lane: the texts that led to it. */
struct lane_memo {
	struct short_text pid, tid, device, stream;
	uint32_t lane; /* 1 + index; 0 = empty */
	bool on_device;
};

/* A text of any length, in the window: of one beyond 16 bytes `ends` has the first and last 8. */
struct set_text {
	struct short_text ends;
	const char *p;
};

/* A remembered combination of a set's arguments: the texts that led to it. */
struct set_memo {
	uint64_t found, quoted; /* keys of the set */
	struct set_text text[SET_MAX_ARGS];
	uint32_t combination; /* its number */
	uint64_t round;       /* of the batch that it is of; 0: empty */
};

enum name_what { NAME_PROCESS, NAME_LABELS, NAME_THREAD, NAME_HOME };

/* An M event that names something; NAME_HOME: the lane a lane belongs to. */
struct batch_name {
	sym pid, tid;
	bool has_tid;
	enum name_what what;
	sym value;
};

/* A top-level member of the document, as text (owned by the batch's arena). */
struct batch_member {
	struct span key, value;
	bool quoted;
};

/* The same member with its texts in mem. */
struct batch_member batch_member_copy(const struct batch_member *v, struct arena *mem);

enum { LANE_MEMOS = 64, CAT_MEMOS = 64, SET_MEMOS = 256 };

struct batch {
	struct events events; /* name: dictionary id; lane: index into lanes */
	struct args args;     /* ARG_SYM: dictionary id; ARG_ID: packed by ids */
	struct lanes lanes;   /* pid, tid: dictionary ids */
	struct ids ids;
	struct tally tally;

	struct dict_entry *dict;
	size_t ndict, dict_cap;
	uint32_t *slot; /* dictionary's hash table: 0 free, else 1 + id */
	size_t nslot;

	struct batch_cat *cat;
	size_t ncat, cat_cap;
	uint32_t *cat_of; /* by dictionary id: 1 + category of that name; 0 = none yet */
	size_t cat_of_cap;
	uint32_t no_cat; /* 1 + the category of events without one; 0 = none yet */
	struct {
		struct short_text text;
		uint32_t cat;
	} cat_memo[CAT_MEMOS]; /* cat: 1 + index */
	struct lane_memo lane_memo[LANE_MEMOS];
	struct set_memo *set_memo[SET_COUNT]; /* SET_MEMOS of each set that was seen */
	uint64_t round;    /* how many windows it was emptied for: memos of others do not count */
	void *scan_memory; /* the scanner's own; NULL at first, freed with the batch */
	struct phrases phrases;

	struct batch_name *name;
	size_t nname, name_cap;
	struct batch_member *member;
	size_t nmember, member_cap;
	struct arrows arrows; /* pid, tid: dictionary ids */

	int64_t nevent;
	int64_t kind_count[KIND_COUNT];
	nsec first, last;           /* over slices with a cat other than Trace */
	nsec bare_first, bare_last; /* over slices without cat */
	nsec zero_last; /* last end of device work at time 0, which is in none of the others */
	bool saw_window_end, saw_begin_end;
	bool is_plain; /* its texts are of no JSON: control characters may stand in them */
	uint64_t seed;
	struct tapped tapped; /* by the plan's tap; emptied with the batch */
	struct arena mem;     /* unescaped texts, members; emptied with the batch */
};

void batch_init(struct batch *b, unsigned needs, uint64_t seed);
void batch_clear(struct batch *b);

/* Empties it for the next window; memory is kept. */
void batch_reset(struct batch *b);

/* The dictionary id of a text; its bytes must stay until the batch is merged. */
sym batch_text(struct batch *b, struct span text, int64_t offset);

/* The same for a JSON string's inside that holds backslashes: unescaped into the arena first. */
sym batch_escaped(struct batch *b, struct span text, int64_t offset);

/* Either of them. */
static inline sym batch_string(struct batch *b, struct span text, bool escaped, int64_t offset)
{
	return escaped ? batch_escaped(b, text, offset) : batch_text(b, text, offset);
}

/* The dictionary id of an array's or object's JSON text.  Where it is spread over lines its blanks
 * are made as Kineto writes them, ", " and ": ", so that layouts agree. */
sym batch_json(struct batch *b, struct span text, int64_t offset);

/* The category (index into b->cat) of a raw text; present: false for events without one. */
uint32_t batch_cat(struct batch *b, struct span text, bool escaped, bool present);

/* The span of slices goes from start to end at least; present: the slice has a category. */
static inline void batch_widen(struct batch *b, bool present, nsec start, nsec end)
{
	nsec *first = present ? &b->first : &b->bare_first;
	nsec *last = present ? &b->last : &b->bare_last;

	if (start < *first)
		*first = start;
	if (end > *last)
		*last = end;
}

/* Counts an oddity. */
void batch_problem(struct batch *b, enum problem p, int64_t offset);

/* Up to 16 bytes as words; n > 16 gives n only, and never equals anything.  p has 16 readable
 * bytes. */
static inline struct short_text short_text(struct span t)
{
	struct short_text s = { 0, 0, (uint32_t)t.n };

	if (t.n <= 8) {
		uint64_t w;

		memcpy(&w, t.p, 8);
		s.lo = t.n ? w << (64 - 8 * t.n) : 0;
	} else if (t.n <= 16) {
		uint64_t w;

		memcpy(&s.lo, t.p, 8);
		memcpy(&w, t.p + t.n - 8, 8);
		s.hi = w;
	} else {
		s.n = UINT32_MAX;
	}
	return s;
}

static inline bool short_same(struct short_text a, struct short_text b)
{
	return a.lo == b.lo && a.hi == b.hi && a.n == b.n && a.n != UINT32_MAX;
}

static inline size_t short_hash(struct short_text a)
{
	uint64_t h = (a.lo ^ a.hi * 0x9e3779b97f4a7c15u ^ a.n) * 0xd6e8feb86659fd93u;

	return (size_t)(h >> 40);
}
