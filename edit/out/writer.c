/* Writers of traces: what they share; Chrome's JSON. */
#include "edit/out/writer.h"

#include <errno.h>

/* --- Chrome's JSON, as Kineto writes it: an object with the events in "traceEvents" --- */

static void put_member(struct str *out, struct span key, struct span value, bool quoted)
{
	str_addc(out, '"');
	str_add(out, key.p, key.n);
	str_adds(out, quoted ? "\": \"" : "\": ");
	str_add(out, value.p, value.n);
	str_adds(out, quoted ? "\",\n" : ",\n");
}

/* A document that begins with a phase is an event to who reads events one by one. */
static bool is_written(const struct document *d, struct span key)
{
	return !span_is(key, "ph") && !(d->without && span_is(key, d->without));
}

static void json_head(const struct document *d, struct str *out)
{
	str_adds(out, "{\n");
	for (size_t i = 0; i < d->nmember; i++)
		if (is_written(d, d->member[i].key))
			put_member(out, d->member[i].key, d->member[i].value, d->member[i].quoted);
	if (d->note.n)
		put_member(out, span_of(d->note_key), d->note, false);
	str_adds(out, "\"traceEvents\": [\n");
}

static void json_tail(struct str *out)
{
	str_adds(out, "\n]\n}\n");
}

const struct writer_kind writer_json = {
	.name = "json",
	.suffix = ".json",
	.head = json_head,
	.tail = json_tail,
};

static const struct writer_kind *const kinds[] = {
#define X(name) &writer_##name,
	WRITERS(X)
#undef X
};

const struct writer_kind *writer_pick(const char *name, const char *path)
{
	struct span file = path ? span_of(path) : (struct span){ "", 0 };

	if (file.n > 3 && span_ends(file, ".gz"))
		file.n -= 3;
	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		const char *suffix = kinds[i]->suffix;

		if (name ? strcmp(name, kinds[i]->name) == 0
			 : file.n > strlen(suffix) && span_ends(file, suffix))
			return kinds[i];
	}
	return NULL;
}

static enum status put_bytes(struct writer *w, const char *p, size_t n, struct err *e)
{
	if (n && fwrite(p, 1, n, w->out) != n) { /* lint: allow text: a trace, no text for people */
		w->has_failed = true;
		return err_set(e, E_IO, -1, "cannot write: %s", strerror(errno));
	}
	w->bytes += (int64_t)n;
	return OK;
}

/* Text that stands beside events. */
static enum status put_text(struct writer *w, const struct str *text, struct err *e)
{
	SCOPED_STR bytes = { 0 };

	if (!w->is_gzip)
		return put_bytes(w, text->s, text->n, e);
	struct deflated piece = deflate_piece((struct span){ text->s, text->n }, w->level, &bytes);
	deflate_add(&w->sum, &piece);
	return put_bytes(w, bytes.s, bytes.n, e);
}

enum status writer_begin(struct writer *w, const struct writer_kind *kind, FILE *out, bool is_gzip,
	int level, const struct document *d, struct err *e)
{
	SCOPED_STR head = { 0 }, text = { 0 };
	enum status st = OK;

	*w = (struct writer){ .kind = kind, .out = out, .is_gzip = is_gzip, .level = level };
	if (is_gzip) {
		deflate_head(&head);
		st = put_bytes(w, head.s, head.n, e);
	}
	if (kind->open)
		w->state = kind->open(d);
	else
		kind->head(d, &text);
	THEN(st, put_text(w, &text, e));
	return st;
}

/* The text deflated, behind how that went. */
static void encode(const struct writer *w, struct span text, struct str *chunk)
{
	struct deflated piece = { 0 };

	str_add(chunk, (const char *)&piece, sizeof(piece));
	piece = deflate_piece(text, w->level, chunk);
	memcpy(chunk->s, &piece, sizeof(piece));
}

void writer_encode(const struct writer *w, struct span events, struct str *chunk)
{
	str_reset(chunk);
	if (events.n && w->is_gzip && !w->kind->take)
		encode(w, events, chunk);
}

enum status writer_put(struct writer *w, struct span events, const struct str *chunk, struct err *e)
{
	SCOPED_STR again = { 0 };
	struct deflated piece;

	if (events.n == 0)
		return OK;
	if (w->kind->take) {
		w->kind->take(w->state, events);
		return OK;
	}
	if (!w->any) {
		/* Without the comma that the first event has before it. */
		events = (struct span){ events.p + 2, events.n - 2 };
		if (w->is_gzip)
			encode(w, events, &again);
		chunk = &again;
	}
	w->any = true;
	if (!w->is_gzip)
		return put_bytes(w, events.p, events.n, e);
	memcpy(&piece, chunk->s, sizeof(piece));
	deflate_add(&w->sum, &piece);
	return put_bytes(w, chunk->s + sizeof(piece), chunk->n - sizeof(piece), e);
}

enum status writer_put_events(struct writer *w, struct span events, struct err *e)
{
	SCOPED_STR chunk = { 0 };

	writer_encode(w, events, &chunk);
	return writer_put(w, events, &chunk, e);
}

enum status writer_end(struct writer *w, struct err *e)
{
	SCOPED_STR text = { 0 };
	enum status st = OK;
	bool more = w->kind->next != NULL;

	if (!more)
		w->kind->tail(&text);
	while (more && st == OK) {
		more = w->kind->next(w->state, &text);
		st = put_text(w, &text, e);
		str_reset(&text);
	}
	THEN(st, put_text(w, &text, e));
	writer_drop(w);
	str_reset(&text);
	if (w->is_gzip) {
		deflate_tail(&w->sum, &text);
		THEN(st, put_bytes(w, text.s, text.n, e));
	}
	return st;
}

void writer_drop(struct writer *w)
{
	if (w->state)
		w->kind->close(w->state);
	w->state = NULL;
}
