/* Traces of other formats and from pipes, as files of Chrome's JSON. */
#include "edit/rereadable_trace.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/tap.h"
#include "analyze/input/format/format.h"
#include "analyze/input/load.h"
#include "analyze/input/source/source.h"
#include "base/door.h"
#include "base/minmax.h"
#include "base/reach.h"
#include "edit/out/writer.h"
#include "edit/renumber_ids.h"
#include "edit/row_events.h"
#include "edit/time_range.h"
#include "edit/window_notes.h"

/* What a trace of another format says of its events, kept in a file until its rows are whole. */

struct event_spool {
	struct io_temp temp;
	FILE *file;         /* NULL: nothing was said */
	struct str note;    /* the one that was read last */
	uint64_t first_row; /* of the window it is of */
};

/* Of an event, or of the window whose events are behind it. */
struct said {
	uint64_t row; /* counted from the window's first; NO_ROW: none; of the window: that row */
	bool is_window;
};

static void add(struct str *to, uint64_t row, bool is_window, struct span text)
{
	struct said head;

	memset(&head, 0, sizeof(head));
	head.row = row;
	head.is_window = is_window;
	notes_add(to, &head, sizeof(head), &text, 1);
}

static void take_text(void *ctx UNUSED, struct batch *b, uint32_t row, struct span text)
{
	add(&b->tapped.text[0], row == TAP_NO_ROW ? NO_ROW : row, false, text);
}

static enum status spool_failed(struct err *e)
{
	return err_set(e, E_IO, -1, "cannot write a temporary file: %s", strerror(errno));
}

/* As it is, by fwrite. */
static bool write_all(struct event_spool *s, const struct str *notes)
{
	return fwrite(notes->s, 1, notes->n, s->file) == notes->n; /* lint: allow text: as it is */
}

static enum status take_window(void *ctx, struct batch *b, size_t first_row, struct err *e)
{
	struct event_spool *s = ctx;
	const struct str *text = &b->tapped.text[0];
	struct str head = { 0 };

	if (!s->file && !(s->file = fopen(s->temp.path, "w+b"))) /* lint: allow fopen: our own */
		return spool_failed(e);
	if (text->n == 0)
		return OK;
	add(&head, first_row, true, SPAN(""));
	bool ok = write_all(s, &head) && write_all(s, text);
	str_free(&head);
	return ok ? OK : spool_failed(e);
}

/* Sets said and rows of a tap whose ctx begins with a struct event_spool, temp of which is made. */
static void event_spool_listen(struct tap *tap)
{
	tap->said = take_text;
	tap->rows = take_window;
}

/* From the first event again.  E_IO. */
static enum status event_spool_rewind(struct event_spool *s, struct err *e)
{
	return s->file && fseek(s->file, 0, SEEK_SET) != 0 ? spool_failed(e) : OK;
}

/* The next event: its text, and its row or NO_ROW.  False behind the last, and where the file
 * cannot be read. */
static bool event_spool_next(struct event_spool *s, uint32_t *row, struct str *text)
{
	struct said head;
	struct span said;

	while (s->file && notes_read(s->file, &s->note, &head, sizeof(head), &said, 1)) {
		if (head.is_window) {
			s->first_row = head.row;
			continue;
		}
		*row = head.row == NO_ROW ? NO_ROW : (uint32_t)(s->first_row + head.row);
		str_reset(text);
		str_add(text, said.p, said.n);
		return true;
	}
	return false;
}

/* Gives an event's text the duration of its row, and whether it was cut off. */
static void event_spool_finish(struct str *text, const struct run *r, uint32_t row)
{
	const struct events *ev = &r->events;
	bool has_args = text->n > 1 && text->s[text->n - 2] == '}';

	text->n--; /* the '}' of the event, and then of its arguments */
	if (ev->flags[row] & EVENT_CUT) {
		text->n -= has_args;
		str_adds(text, has_args ? ", " : ", \"args\": {");
		str_adds(text, "\"finished\": false}");
	}
	number_put(text, "dur", ev->dur[row]);
	str_addc(text, '}');
}

static void event_spool_drop(struct event_spool *s)
{
	if (s->file)
		(void)fclose(s->file);
	str_free(&s->note);
	io_temp_drop(&s->temp);
}

enum { ROWS_TEXT = 4 << 20, PIPE_BYTES = 1 << 16 };

/* ---- from a pipe ---- */

static bool is_piped(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 ||
		(stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static enum status failed(const char *what, struct err *e)
{
	return err_set(e, E_IO, -1, "%s: %s", what, strerror(errno));
}

static enum status spool(FILE *in, int fd, struct err *e)
{
	char buf[PIPE_BYTES];
	size_t n;

	while ((n = fread(buf, 1, sizeof(buf), in)) > 0)
		for (size_t at = 0; at < n;) {
			ssize_t k = write(fd, buf + at, n - at); /* lint: allow text: as it is */

			if (k < 0 && errno != EINTR)
				return failed("cannot keep what comes through the pipe", e);
			at += (size_t)MAX(k, 0);
		}
	return ferror(in) ? failed("cannot read", e) : OK;
}

static enum status take_pipe(
	struct rereadable *p, const char *path, const char *folder, struct err *e)
{
	FILE *in = strcmp(path, "-") == 0 ? stdin : reach_file(path);
	enum status st;

	if (!in)
		return failed("cannot open", e);
	door_input_fd(fileno(in), path);
	st = io_temp_make(&p->piped, folder, e);
	if (st == OK)
		st = spool(in, p->piped.fd, e);
	if (in != stdin)
		(void)fclose(in);
	if (st == OK)
		p->path = p->piped.path;
	return st;
}

/* ---- from another format ---- */

struct members {
	struct event_spool said; /* first: event_spool_listen */
	struct batch_member *v;
	size_t n;
	struct arena *mem;
};

static void take_members(void *ctx, const struct batch_member *v, size_t n)
{
	struct members *m = ctx;

	m->v = arena_array(m->mem, n, sizeof(*m->v));
	for (size_t i = 0; i < n; i++)
		m->v[i] = batch_member_copy(&v[i], m->mem);
	m->n = n;
}

/* Events on their way to the file. */
struct putting {
	const struct run *run;
	struct writer *w;
	struct str text;
	enum status st;
	struct err *err;
};

static void flush(struct putting *p, size_t least)
{
	if (p->text.n < least || p->st != OK)
		return;
	p->st = writer_put_events(p->w, (struct span){ p->text.s, p->text.n }, p->err);
	str_reset(&p->text);
}

/* A row's event; said: as the trace says it, and then its arrows, too, or NULL. */
static void put_row(struct putting *p, size_t row, struct str *said)
{
	enum kind kind = (enum kind)p->run->events.kind[row];

	str_adds(&p->text, ",\n");
	if (said) {
		if (kind != KIND_MEMORY && kind != KIND_INSTANT)
			event_spool_finish(said, p->run, (uint32_t)row);
		str_add(&p->text, said->s, said->n);
	} else {
		rows_put(p->run, row, &p->text);
		if (kind_is_device(kind))
			(void)rows_put_arrow(p->run, row, &p->text);
	}
	flush(p, ROWS_TEXT);
}

/* Rows in their order, and between them what became none. */
static enum status put_rows(
	const struct run *r, struct event_spool *said, struct writer *w, struct err *e)
{
	struct putting p = { .run = r, .w = w, .err = e };
	struct str text = { 0 };
	size_t next = 0;
	uint32_t row;

	if (!said->file)
		(void)rows_put_names(r, &p.text);
	p.st = event_spool_rewind(said, e);
	while (p.st == OK && event_spool_next(said, &row, &text)) {
		if (row == NO_ROW) {
			str_adds(&p.text, ",\n");
			str_add(&p.text, text.s, text.n);
			flush(&p, ROWS_TEXT);
			continue;
		}
		while (next < row)
			put_row(&p, next++, NULL);
		put_row(&p, next++, &text);
	}
	while (p.st == OK && next < r->events.n)
		put_row(&p, next++, NULL);
	flush(&p, 1);
	str_free(&p.text);
	str_free(&text);
	return p.st;
}

static enum status put_run(const struct run *r, struct members *m, int fd, struct err *e)
{
	const struct document d = { .member = m->v, .nmember = m->n };
	FILE *out = fdopen(dup(fd), "wb");
	struct writer w;
	enum status st;

	if (!out)
		return failed("cannot write a temporary file", e);
	st = writer_begin(&w, &writer_json, out, false, 0, &d, e);
	if (st == OK)
		st = put_rows(r, &m->said, &w, e);
	if (st == OK)
		st = writer_end(&w, e);
	if (fclose(out) != 0 && st == OK)
		st = failed("cannot write a temporary file", e);
	return st;
}

static enum status make(
	struct rereadable *p, const char *folder, const struct load_options *o, struct err *e)
{
	struct arena mem;
	struct members members = { .mem = &mem };
	struct tap tap = { .members = take_members, .ctx = &members };
	struct load_options all = *o;
	struct run run;

	arena_init(&mem);
	all.needs = ROWS_NEEDS;
	all.tap = &tap;
	event_spool_listen(&tap);
	enum status st = io_temp_make(&members.said.temp, folder, e);
	if (st == OK)
		st = load_single(p->path, &all, &run, e);
	if (st == OK) {
		renumber_ids(&run);
		st = io_temp_make(&p->made, folder, e);
		if (st == OK)
			st = put_run(&run, &members, p->made.fd, e);
		run_clear(&run);
	}
	if (st == OK)
		p->path = p->made.path;
	event_spool_drop(&members.said);
	arena_clear(&mem);
	return st;
}

enum status rereadable_open(struct rereadable *p, const char *path, const char *folder,
	const struct load_options *o, struct err *e)
{
	struct source s;

	*p = (struct rereadable){ .path = path };
	if (is_piped(path))
		TRY(take_pipe(p, path, folder, e));
	TRY(source_open(&s, p->path, o->inflate, e));
	bool other = format_find(&s) != NULL;
	source_close(&s);
	return other ? make(p, folder, o, e) : OK;
}

void rereadable_close(struct rereadable *p)
{
	io_temp_drop(&p->piped);
	io_temp_drop(&p->made);
}
