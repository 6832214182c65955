/* Descriptors become entries of a book.  A track is put together from its own and its parents'. */
#include "analyze/input/format/proto/tracks.h"

#include <stdio.h>

#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/proto/interned.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"

enum { MOST_PARENTS = 32 };

void tracks_init(struct tracks *t, uint64_t seed, struct arena *mem)
{
	book_init(&t->book, seed, mem);
	t->n = 0;
	t->mem = mem;
	t->names = NULL;
	idwords_init(&t->words, mem);
}

void tracks_clear(struct tracks *t)
{
	idwords_clear(&t->words);
}

static void say(struct tracks *t, uint64_t place, enum name_what what, struct span pid,
	struct span tid, struct span value)
{
	struct said_names *to = t->names;

	PUSH(to->name, to->n, to->cap, (struct said_name){ place, what, false, pid, tid, value });
}

/* The sort index of a process or thread. */
static void say_order(struct tracks *t, uint64_t place, enum name_what what,
	const struct descriptor *d, struct span order)
{
	say(t, place, what, d->pid, what == NAME_THREAD ? d->tid : RAW_NOTHING, order);
	t->names->name[t->names->n - 1].is_order = true;
}

void tracks_emit_name(struct emitter *m, const struct said_name *n)
{
	if (n->is_order)
		return;
	switch (n->what) {
	case NAME_PROCESS: emit_process_name(m, n->pid, n->value); break;
	case NAME_LABELS: emit_process_labels(m, n->pid, n->value); break;
	case NAME_THREAD: emit_thread_name(m, n->pid, n->tid, n->value); break;
	case NAME_HOME: break; /* tracks say their threads */
	}
}

/* The first text of a field that may come again. */
static struct span first_text(struct span message, uint32_t number)
{
	struct wire_field f;

	return wire_find(message, number, WIRE_BYTES, &f) ? f.bytes : (struct span){ NULL, 0 };
}

/* Ids of processes and threads are 32 bits, written as 64; p NULL: there is none. */
static struct span decimal(struct arena *mem, const struct wire_field *f)
{
	char text[24];

	if (!wire_has(f, WIRE_VARINT))
		return (struct span){ NULL, 0 };
	int n = snprintf(text, sizeof(text), "%" PRId64, wire_int64(f));
	return interned_copy(mem, (struct span){ text, (size_t)n });
}

/* The same, or the word that it stands for, into *id; whether there is one. */
static void take_id(struct tracks *t, const struct wire_field *f, struct span *id, bool *has)
{
	if (!wire_has(f, WIRE_VARINT))
		return;
	*has = true;
	if (!idwords_find(&t->words, wire_int64(f), id))
		*id = decimal(t->mem, f);
}

/* Whether it is the id itself, which traceq writes where there is no other name. */
static bool is_id(const struct tracks *t, struct span name, struct span id)
{
	return t->words.numbers.n && name.n == id.n && memcmp(name.p, id.p, id.n) == 0;
}

/* A ProcessDescriptor: pid and names. */
static bool take_process(
	struct tracks *t, struct span message, struct descriptor *d, uint64_t place)
{
	struct wire_field f[PROCESS_NAME + 1];
	bool whole = wire_fields(message, f, COUNT_OF(f));
	struct span name = wire_text(&f[PROCESS_NAME]);
	struct span labels = first_text(message, PROCESS_LABELS);
	struct span order = decimal(t->mem, &f[PROCESS_SORT]);

	take_id(t, &f[PROCESS_PID], &d->pid, &d->has_pid);
	if (!name.p)
		name = first_text(message, PROCESS_CMDLINE);
	if (d->has_pid && name.n && !is_id(t, name, d->pid))
		say(t, place, NAME_PROCESS, d->pid, RAW_NOTHING, interned_copy(t->mem, name));
	if (d->has_pid && labels.n)
		say(t, place, NAME_LABELS, d->pid, RAW_NOTHING, interned_copy(t->mem, labels));
	if (d->has_pid && order.p)
		say_order(t, place, NAME_PROCESS, d, order);
	if (!d->name.p)
		d->name = interned_copy(t->mem, name);
	return whole;
}

static bool take_thread(struct tracks *t, struct span message, struct descriptor *d, uint64_t place)
{
	struct wire_field f[THREAD_NAME + 1];
	bool whole = wire_fields(message, f, COUNT_OF(f));
	struct span name = wire_text(&f[THREAD_NAME]), order = decimal(t->mem, &f[THREAD_SORT]);

	take_id(t, &f[THREAD_PID], &d->pid, &d->has_pid);
	take_id(t, &f[THREAD_TID], &d->tid, &d->has_tid);
	if (name.n) {
		d->name = interned_copy(t->mem, name);
		if (d->has_pid && d->has_tid && !is_id(t, name, d->tid))
			say(t, place, NAME_THREAD, d->pid, d->tid, d->name);
	}
	if (d->has_pid && d->has_tid && order.p)
		say_order(t, place, NAME_THREAD, d, order);
	return whole;
}

static bool take_counter(struct tracks *t, struct span message, struct descriptor *d)
{
	struct wire_field f[COUNTER_UNIT_NAME + 1];
	bool whole = wire_fields(message, f, COUNT_OF(f));
	struct span category = first_text(message, COUNTER_CATEGORIES);
	int64_t multiplier = (int64_t)wire_number(&f[COUNTER_MULTIPLIER]);

	d->is_counter = true;
	d->is_thread_time = wire_number(&f[COUNTER_TYPE]);
	d->counts_deltas = wire_number(&f[COUNTER_INCREMENTAL]);
	d->multiplier = multiplier ? multiplier : 1;
	if (category.p)
		d->category = interned_copy(t->mem, category);
	if (wire_has(&f[COUNTER_UNIT_NAME], WIRE_BYTES))
		d->unit = interned_copy(t->mem, f[COUNTER_UNIT_NAME].bytes);
	return whole;
}

bool tracks_take(struct tracks *t, struct span message, uint64_t place)
{
	struct descriptor *d = arena_alloc(t->mem, sizeof(*d));
	struct wire_field f[TRACK_STATIC_NAME + 1];
	bool whole = wire_fields(message, f, COUNT_OF(f));

	d->multiplier = 1;
	d->uuid = wire_number(&f[TRACK_UUID]);
	d->parent = wire_number(&f[TRACK_PARENT]);
	d->has_parent = wire_has(&f[TRACK_PARENT], WIRE_VARINT);
	if (wire_has(&f[TRACK_NAME], WIRE_BYTES))
		d->name = interned_copy(t->mem, f[TRACK_NAME].bytes);
	if (wire_has(&f[TRACK_PROCESS], WIRE_BYTES))
		whole &= take_process(t, f[TRACK_PROCESS].bytes, d, place);
	if (wire_has(&f[TRACK_THREAD], WIRE_BYTES))
		whole &= take_thread(t, f[TRACK_THREAD].bytes, d, place);
	if (wire_has(&f[TRACK_COUNTER], WIRE_BYTES))
		whole &= take_counter(t, f[TRACK_COUNTER].bytes, d);
	if (wire_has(&f[TRACK_STATIC_NAME], WIRE_BYTES))
		d->name = interned_copy(t->mem, f[TRACK_STATIC_NAME].bytes);
	(void)book_put(&t->book, 0, d->uuid, place, d);
	t->n++;
	return whole;
}

bool tracks_take_thread(struct tracks *t, struct span message, uint64_t uuid, uint64_t place)
{
	struct descriptor *d = arena_alloc(t->mem, sizeof(*d));

	d->multiplier = 1;
	d->uuid = uuid;
	(void)book_put(&t->book, 0, uuid, place, d);
	t->n++;
	return take_thread(t, message, d, place);
}

static void name_process(struct tracks *t, struct span message, uint64_t place)
{
	struct wire_field f[TREE_CMDLINE];

	(void)wire_fields(message, f, COUNT_OF(f));
	struct span pid = decimal(t->mem, &f[TREE_PID]), name = first_text(message, TREE_CMDLINE);
	if (pid.p && name.n)
		say(t, place, NAME_PROCESS, pid, RAW_NOTHING, interned_copy(t->mem, name));
}

static void name_thread(struct tracks *t, struct span message, uint64_t place)
{
	struct wire_field f[TREE_TGID + 1];

	(void)wire_fields(message, f, COUNT_OF(f));
	struct span pid = decimal(t->mem, &f[TREE_TGID]), tid = decimal(t->mem, &f[TREE_TID]);
	struct span name = wire_text(&f[TREE_THREAD_NAME]);
	if (pid.p && tid.p && name.n)
		say(t, place, NAME_THREAD, pid, tid, interned_copy(t->mem, name));
}

bool tracks_take_tree(struct tracks *t, struct span message, uint64_t place)
{
	struct wire w = wire_of(message);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (wire_is(&f, TREE_PROCESS, WIRE_BYTES))
			name_process(t, f.bytes, place);
		else if (wire_is(&f, TREE_THREAD, WIRE_BYTES))
			name_thread(t, f.bytes, place);
	}
	return !w.damaged;
}

/* "stream 7", as PyTorch names the threads of a device. */
static bool is_stream(struct span name)
{
	return name.n > 7 && span_is_nocase((struct span){ name.p, 7 }, "stream ") &&
		name.p[7] >= '-' && name.p[7] <= '9';
}

/* A track that is neither process nor thread is a lane of its name, else of its number. */
static struct span lane_of(const struct descriptor *d, uint64_t uuid, struct arena *mem)
{
	char text[32];

	if (d && d->name.n)
		return d->name;
	int n = snprintf(text, sizeof(text), "track %" PRIu64, uuid);
	return interned_copy(mem, (struct span){ text, (size_t)n });
}

/* The thread's track, for slices that cross others of it and so are on a track below it. */
static const struct descriptor *not_beside(
	const struct tracks *t, const struct descriptor *d, uint64_t place)
{
	if (!d || d->has_pid || d->is_counter || !d->has_parent || !span_is(d->name, "beside"))
		return d;
	const struct descriptor *up = book_find(&t->book, 0, d->parent, place);
	return up && up->has_tid ? up : d;
}

void tracks_find(
	const struct tracks *t, uint64_t uuid, uint64_t place, struct arena *mem, struct track *to)
{
	const struct descriptor *d = not_beside(t, book_find(&t->book, 0, uuid, place), place);
	const struct descriptor *up = d;

	*to = (struct track){ .multiplier = 1 };
	for (unsigned hops = 0; up && !up->has_pid && hops < MOST_PARENTS; hops++)
		up = up->has_parent ? book_find(&t->book, 0, up->parent, place) : NULL;
	if (up && up->has_pid)
		to->pid = up->pid;
	if (d) {
		to->name = d->name;
		to->category = d->category;
		to->unit = d->unit;
		to->multiplier = d->multiplier;
		to->is_counter = d->is_counter;
		to->counts_deltas = d->counts_deltas;
		to->is_thread_time = d->is_thread_time;
		to->is_stream = d->has_tid && is_stream(d->name);
		to->is_overhead = d->has_tid && span_is(d->name, "Overhead");
	}
	if (d && d->has_tid)
		to->tid = d->tid;
	else if ((!d || !d->has_pid) && !to->is_counter)
		to->tid = lane_of(d, uuid, mem);
}
