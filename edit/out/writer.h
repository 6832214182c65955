/* Writers of traces: from texts of events, as Chrome's JSON has them, to a file of some format.
 *
 *     begin --> encode (any thread, a window each) --> put (in the order of the file) --> end
 *
 * A new format is a struct here and a line in WRITERS. */
#pragma once

#include <stdio.h>

#include "analyze/input/events/event_batch.h"
#include "base/gzip/deflate.h"

/* What stands in a document beside its events. */
struct document {
	const struct batch_member *member;
	size_t nmember;
	struct span note;     /* a member of traceq's own; empty: none */
	const char *note_key; /* its key */
	const char *without;  /* a member that is left out; NULL: none is */
};

struct writer_kind {
	const char *name;   /* "json" */
	const char *suffix; /* ".json" */
	/* What stands before the first event, and behind the last.  Events, each with ",\n" before
	 * it, are written as they are, but for the first comma. */
	void (*head)(const struct document *d, struct str *out);
	void (*tail)(struct str *out);
	/* In place of these, for a format whose events are not in the order they come in: all are
	 * taken, and then written piece by piece until next says false. */
	void *(*open)(const struct document *d);
	void (*take)(void *state, struct span events);
	bool (*next)(void *state, struct str *out);
	void (*close)(void *state);
};

#define WRITERS(X) \
	X(json)    \
	X(pftrace)

#define X(name) extern const struct writer_kind writer_##name;
WRITERS(X)
#undef X

/* A file being written. */
struct writer {
	const struct writer_kind *kind;
	FILE *out;
	bool is_gzip;
	int level;
	bool any;        /* an event was written */
	bool has_failed; /* to be written: the error is about the file */
	struct deflate_sum sum;
	int64_t bytes; /* in the file so far */
	void *state;   /* of a kind with open */
};

/* The kind of that name, or whose suffix the path has (before ".gz"); NULL: none.  Either may be
 * NULL. */
const struct writer_kind *writer_pick(const char *name, const char *path);

/* "|json|pftrace": their names, as choices of an option. */
#define WRITER_NAME_OF(name) "|" #name
#define WRITER_NAMES         WRITERS(WRITER_NAME_OF)

/* level: as of deflate_piece.  E_IO as of all that writes. */
enum status writer_begin(struct writer *w, const struct writer_kind *kind, FILE *out, bool is_gzip,
	int level, const struct document *d, struct err *e) MUST_CHECK;

/* Sets chunk to what a compressed file will have of these events.  Any thread. */
void writer_encode(const struct writer *w, struct span events, struct str *chunk);

/* Writes the chunk that writer_encode made of these events. */
enum status writer_put(
	struct writer *w, struct span events, const struct str *chunk, struct err *e) MUST_CHECK;

/* Both of them. */
enum status writer_put_events(struct writer *w, struct span events, struct err *e) MUST_CHECK;

/* Ends the file; closing it is the caller's.  writer_drop releases what an unended one holds. */
enum status writer_end(struct writer *w, struct err *e) MUST_CHECK;
void writer_drop(struct writer *w);
