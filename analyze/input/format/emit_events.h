/* Emitting: events that stand in no JSON become rows as if they did.
 *
 * What a reader of another format says of an event is decoded by the code that decodes Chrome's
 * JSON (decode.h), so that kinds, lanes and arguments mean the same, and what is dropped is counted
 * the same.  An emitter holds one batch; a reader with threads has one each, and merges them in
 * the order of the file.
 *
 *     emit_begin(m, 'X', cat, name);
 *     emit_lane(m, pid, tid);
 *     emit_int(m, key_stream, 7);
 *     emit_end(m, start, dur, offset);
 *     ...
 *     TRY(emit_merge(out, m, e));        every few thousand events
 *
 * Every text that is given, but categories, which are few, must stay where it is until the emitter
 * is merged, and have 16 readable bytes behind it; emit_keep makes one that does. */
#pragma once

#include "analyze/input/events/decode.h"
#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/phrases.h"
#include "analyze/input/events/plan.h"
#include "analyze/input/events/raw.h"
#include "base/base.h"

struct gathered;
struct producer_info;
struct run;

enum { EMIT_PADDING = 16, EMIT_DIGITS = 48, EMIT_CATS = 32 };

/* Where events go, and what the format says of the whole trace. */
struct emit_sink {
	const struct plan *plan;
	struct run *run;
	struct gathered *g;
	const struct producer_info *producer; /* NULL: by what is in it */
};

struct emitter {
	const struct plan *plan;
	struct batch batch;
	struct raw_event raw;
	struct span cat[EMIT_CATS]; /* kept ones, where their bytes' place leads; p NULL: none */
	uint64_t text_keys;         /* bit per plan key: an argument that is kept as text */
	char digits[PLAN_MAX_KEYS][EMIT_DIGITS]; /* of this event's numbers */
	struct phrase named;                     /* by emit_named */
};

void emitter_init(struct emitter *m, const struct plan *plan);
void emitter_clear(struct emitter *m);

/* A word of the program's own, which needs no copy. */
#define EMIT_WORD(literal) ((struct span){ literal "                ", sizeof(literal) - 1 })

/* A copy in the batch's memory, gone with the merge. */
struct span emit_keep(struct emitter *m, struct span text);

/* The same of a text that is made here; printf-style. */
struct span emit_keepf(struct emitter *m, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The number of an args key ("stream", "External id"), or PLAN_NO_KEY when nobody asked for it: a
 * column that need not be read. */
static inline uint8_t emit_key(const struct emitter *m, const char *key)
{
	return plan_key(m->plan, key, strlen(key));
}

/* Starts an event of ph X, B, E, i or C.  cat.p NULL: it has none; name.p NULL likewise. */
void emit_begin(struct emitter *m, char ph, struct span cat, struct span name);

/* Its category, when that was found out later. */
void emit_category(struct emitter *m, struct span cat);

/* The number of a name that many events have, good until the merge; and that the event that has
 * begun with that name has that number: it is not searched for again. */
uint32_t emit_name_number(struct emitter *m, struct span name);
void emit_named(struct emitter *m, uint32_t number);

/* Its process and thread as they would stand in JSON: "1234", "stream 7". */
void emit_lane(struct emitter *m, struct span pid, struct span tid);

/* The same, remembering for these two texts what they came to; *memo is zero after every merge. */
void emit_lane_memo(struct emitter *m, struct span pid, struct span tid, struct phrase *memo);

/* Its arguments; those of PLAN_NO_KEY are dropped.  json: an array's or object's text, or null. */
void emit_int(struct emitter *m, uint8_t key, int64_t value);
void emit_uint(struct emitter *m, uint8_t key, uint64_t value);
void emit_real(struct emitter *m, uint8_t key, double value);
void emit_text(struct emitter *m, uint8_t key, struct span value);
void emit_json(struct emitter *m, uint8_t key, struct span value);

/* "[128, 1, 1]" */
void emit_vec3(struct emitter *m, uint8_t key, int64_t x, int64_t y, int64_t z);

/* Ends it: times in ns; dur of ph X only, DECODE_NO_DURATION when its end is not known.  offset:
 * of the event in the input, -1 when that means nothing. */
void emit_end(struct emitter *m, nsec start, nsec dur, int64_t offset);

/* Ends a slice (ph X) whose end comes later: the number of its row in the batch, whose duration is
 * 0 and whose flags say EVENT_OPEN, and EVENT_END, too, when it has no category.  Who joins begins
 * and ends gives it both, and widens the run's span by its end. */
enum emit_unkept {
	EMIT_UNKEPT_FIRST = 0x7ffffff0, /* above all rows */
	EMIT_UNKEPT,                    /* its kind is not kept, so that there is no row */
	EMIT_UNKEPT_BARE,               /* and it has no category */
	EMIT_UNKEPT_SPAN                /* and it does not count for the run's span */
};
uint32_t emit_pending(struct emitter *m, nsec start, int64_t offset);

/* Forms: what an event that became a row has in common with those that differ from it in nothing
 * but their time and some numbers.  These need not be decoded: their rows are copies.
 *
 *     emit_form_begin(m, row, start, &f);      behind emit_pending, which answered row
 *     at = emit_form_number(m, &f, key);       for each key whose number may be another
 *     ...
 *     row = emit_like(m, &f, start, number);
 *
 * A form is good until the merge. */
enum { FORM_NUMBERS = 6 };

/* What emit_form_number answers in place of a number's place. */
enum { FORM_FIXED = -1, FORM_UNREAD = -2 };

struct emit_form {
	uint32_t row;    /* of the event it was made from; NO_ROW: its kind is not kept */
	uint32_t unkept; /* enum emit_unkept, when it has no row */
	uint32_t cat;    /* category of the batch */
	uint8_t kind;    /* enum kind */
	uint8_t table;   /* enum args_table of its arguments; ARGS_NONE: it has none */
	uint8_t nnumber;
	uint8_t ncolumn; /* columns that a number is put into */
	struct {
		uint8_t arg, number;
	} column[FORM_NUMBERS];
};

/* The form of the slice that emit_pending has just ended, and what it answered.  False when it has
 * none: it began at 0, or its kind is not known. */
bool emit_form_begin(const struct emitter *m, uint32_t answer, nsec start, struct emit_form *f);

/* May the argument of that key be another whole number, not below 0, in events of this form?  Its
 * place among the numbers of emit_like; FORM_UNREAD: yes, and it is not wanted; FORM_FIXED: no. */
int emit_form_number(const struct emitter *m, struct emit_form *f, uint8_t key);

/* An event of that form, with that start, not 0, and those numbers: emit_pending's answer. */
uint32_t emit_like(
	struct emitter *m, const struct emit_form *f, nsec start, const uint64_t *number);

/* An event that is only counted: flows (s, t, f), asynchronous ones (b, n, e), others. */
void emit_count(struct emitter *m, char ph, struct span cat);

/* So many of them. */
void emit_counts(struct emitter *m, char ph, struct span cat, uint32_t n);

/* M events; of the last wins. */
void emit_process_name(struct emitter *m, struct span pid, struct span name);
void emit_process_labels(struct emitter *m, struct span pid, struct span labels);
void emit_thread_name(struct emitter *m, struct span pid, struct span tid, struct span name);

/* A member of the document as Kineto writes it: "deviceProperties", "distributedInfo",
 * "baseTimeNanoseconds", "cuda_runtime_version" ... (meta.c).  quoted: value is a string's inside;
 * else JSON text. */
void emit_member(struct emitter *m, const char *key, struct span value, bool quoted);

/* The text as a JSON string with its quotes, for members' values; control characters are blanks. */
void emit_quote(struct str *to, struct span text);

/* Devices as Kineto's deviceProperties.  Into a list of them that is empty at first: an object is
 * begun (name.p NULL: it has none), numbers are added, and a '}' ends it; the whole list is
 * emitted, if anything is in it, and released. */
void emit_gpu_begin(struct str *list, int64_t id, struct span name);
void emit_gpu_number(struct str *list, const char *key, int64_t value);
void emit_gpus(struct emitter *m, struct str *list);

/* Counts an oddity. */
void emit_problem(struct emitter *m, enum problem p, int64_t offset);

/* Appends to the run what was emitted, and empties the emitter.  E_LIMIT. */
enum status emit_merge(struct emit_sink *to, struct emitter *m, struct err *e) MUST_CHECK;
