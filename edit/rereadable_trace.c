/* Traces of other formats and from pipes, as files of Chrome's JSON. */
#include "edit/rereadable_trace.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/input/format/format.h"
#include "analyze/input/load.h"
#include "analyze/input/source/source.h"
#include "analyze/trace/links/links.h"
#include "base/door.h"
#include "base/reach.h"
#include "edit/out/writer.h"
#include "edit/renumber_ids.h"
#include "edit/time_range.h"
#include "edit/window_notes.h"
#include "report/escape.h"

/*
 * Rows of a run as events of Chrome's JSON: how a trace of another format is written as one.
 *
 * What traceq reads of an event is in it, under the names that Kineto has for it, and nothing else.
 */

/* Everything that rows can say. */
#define ROWS_NEEDS                                                                               \
	(NEED_LINKS | NEED_SHAPES | NEED_KERNEL | NEED_BYTES | NEED_MEMORY | NEED_PYTHON |       \
		NEED_COMM | NEED_AUTOGRAD | NEED_STACKS | NEED_SYNC | NEED_INPUTS | NEED_TYPES | \
		NEED_FLOPS | NEED_PEERS | NEED_GRAPHS | NEED_CALL_IDS)

/* The category Kineto gives a kind; NULL: it has none. */
static const char *category(enum kind kind, struct span name)
{
	switch (kind) {
	case KIND_OP: return "cpu_op";
	case KIND_ANNOTATION: return "user_annotation";
	case KIND_PYTHON: return "python_function";
	case KIND_RUNTIME:
		if (span_starts(name, "hip") || span_starts(name, "hsa"))
			return "hip_runtime";
		return span_starts(name, "cu") && !span_starts(name, "cuda") ? "cuda_driver"
									     : "cuda_runtime";
	case KIND_KERNEL: return "kernel";
	case KIND_MEMCPY: return "gpu_memcpy";
	case KIND_MEMSET: return "gpu_memset";
	case KIND_SYNC: return "cuda_sync";
	case KIND_GPU_ANNOTATION: return "gpu_user_annotation";
	case KIND_GPU_EVENT: return "cuda_event";
	case KIND_OVERHEAD: return "overhead";
	case KIND_SPAN: return "Trace";
	case KIND_MEMORY:
	case KIND_INSTANT: return "cpu_instant_event";
	default: return NULL;
	}
}

/* A pid or tid: a number where it is one. */
static void put_place(
	struct str *out, const char *key, const struct run *r, sym text, int64_t number)
{
	str_addf(out, ", \"%s\": ", key);
	if (number != LANE_NO_NUMBER)
		str_addf(out, "%" PRId64, number);
	else
		escape_json(out, strings_get(&r->strings, text));
}

static void put_lane(struct str *out, const struct run *r, const struct lane *l)
{
	put_place(out, "pid", r, l->pid, l->pid_number);
	put_place(out, "tid", r, l->tid, l->tid_number);
}

/* ---- arguments ---- */

/* `, "key": ` or what stands before the first one. */
static void begin_arg(struct str *out, bool *any, const char *key)
{
	str_adds(out, *any ? ", \"" : ", \"args\": {\"");
	str_adds(out, key);
	str_adds(out, "\": ");
	*any = true;
}

static void put_id(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	uint32_t id = r->args.col[arg].id ? r->args.col[arg].id[at] : 0;

	if (!id)
		return;
	begin_arg(out, any, arg_infos[arg].key);
	str_addf(out, "%" PRIu64, ids_unpack(&r->ids, id));
}

static void put_text(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	sym s = args_sym(&r->args, arg, at);
	struct span t = strings_get(&r->strings, s);

	if (!s)
		return;
	begin_arg(out, any, arg_infos[arg].key);
	if (t.n > 0 && (t.p[0] == '[' || t.p[0] == '{'))
		str_add(out, t.p, t.n);
	else
		escape_json(out, t);
}

static void put_number(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	int64_t i = arg_infos[arg].type == ARG_I64 ? args_i64(&r->args, arg, at) : 0;
	double f = arg_infos[arg].type == ARG_F64 ? args_f64(&r->args, arg, at) : 0;

	if (i == ARG_UNKNOWN || !isfinite(f))
		return;
	begin_arg(out, any, arg_infos[arg].key);
	if (arg_infos[arg].type == ARG_I64)
		str_addf(out, "%" PRId64, i);
	else
		str_addf(out, "%.17g", f);
}

static void put_vec3(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	uint32_t v[3];

	args_vec3(&r->args, arg, at, v);
	if (!(v[0] | v[1] | v[2]))
		return;
	begin_arg(out, any, arg_infos[arg].key);
	str_addf(out, "[%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", v[0], v[1], v[2]);
}

static void put_arg(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	switch (arg_infos[arg].type) {
	case ARG_ID: put_id(r, arg, at, out, any); break;
	case ARG_SYM: put_text(r, arg, at, out, any); break;
	case ARG_I64:
	case ARG_F64: put_number(r, arg, at, out, any); break;
	case ARG_VEC3: put_vec3(r, arg, at, out, any); break;
	}
}

static void put_args(const struct run *r, size_t row, struct str *out)
{
	const struct events *ev = &r->events;
	const struct lane *l = &r->lanes.lane[ev->lane[row]];
	enum kind kind = (enum kind)ev->kind[row];
	enum args_table table = args_table_of(kind);
	bool any = false;

	if (l->is_device && l->device >= 0) {
		begin_arg(out, &any, "device");
		str_addf(out, "%" PRId64, l->device);
	}
	if (l->is_device && l->stream >= 0) {
		begin_arg(out, &any, "stream");
		str_addf(out, "%" PRId64, l->stream);
	}
	for (unsigned i = 0; ev->args[row] != NO_ARGS && i < ARG_COUNT; i++)
		if (arg_infos[i].table == table && args_keeps(&r->args, (enum arg)i) &&
			arg_is_of((enum arg)i, kind))
			put_arg(r, (enum arg)i, ev->args[row] - 1, out, &any);
	if (ev->flags[row] & EVENT_CUT) {
		begin_arg(out, &any, "finished");
		str_adds(out, "false");
	}
	str_adds(out, any ? "}" : "");
}

/* ---- events ---- */

/* Appends the event of that row, one line without its end. */
static void rows_put(const struct run *r, size_t row, struct str *out)
{
	const struct events *ev = &r->events;
	enum kind kind = (enum kind)ev->kind[row];
	struct span name = run_name(r, row);
	const char *cat = category(kind, name);
	bool instant = kind == KIND_MEMORY || kind == KIND_INSTANT;

	str_addf(out, "{\"ph\": \"%c\"", instant ? 'i' : 'X');
	if (cat)
		str_addf(out, ", \"cat\": \"%s\"", cat);
	str_adds(out, ", \"name\": ");
	escape_json(out, name);
	put_lane(out, r, &r->lanes.lane[ev->lane[row]]);
	number_put(out, "ts", ev->start[row]);
	if (instant)
		str_adds(out, ", \"s\": \"t\"");
	else
		number_put(out, "dur", ev->dur[row]);
	put_args(r, row, out);
	str_addc(out, '}');
}

/* Appends the arrow from a call to work it launched, two events with ",\n" before each; nothing
 * where no launch is known.  Needs links. */
static void rows_put_arrow(const struct run *r, size_t row, struct str *out)
{
	const struct events *ev = &r->events;
	uint32_t args = ev->args[row];

	if (args == NO_ARGS || !r->links || r->links->launch[args - 1] == NO_ROW)
		return;
	uint32_t launch = r->links->launch[args - 1];
	uint32_t id = r->args.col[ARG_DEVICE_CORRELATION].id[args - 1];
	for (int end = 0; end < 2; end++) {
		size_t at = end ? row : launch;

		str_addf(out, ",\n{\"ph\": \"%s\", \"id\": %" PRIu64, end ? "f" : "s",
			ids_unpack(&r->ids, id));
		put_lane(out, r, &r->lanes.lane[ev->lane[at]]);
		number_put(out, "ts", ev->start[at]);
		str_addf(out, ", \"cat\": \"ac2g\", \"name\": \"ac2g\"%s}",
			end ? ", \"bp\": \"e\"" : "");
	}
}

static void put_name(const struct run *r, const struct lane *l, const char *what, sym name,
	bool of_thread, struct str *out)
{
	if (!name)
		return;
	str_addf(out, ",\n{\"ph\": \"M\", \"name\": \"%s\"", what);
	put_place(out, "pid", r, l->pid, l->pid_number);
	if (of_thread)
		put_place(out, "tid", r, l->tid, l->tid_number);
	str_addf(out, ", \"args\": {\"%s\": ",
		span_is(span_of(what), "process_labels") ? "labels" : "name");
	escape_json(out, strings_get(&r->strings, name));
	str_adds(out, "}}");
}

static bool is_first_of_process(const struct run *r, size_t lane)
{
	return ALL(i, lane, r->lanes.lane[i].pid != r->lanes.lane[lane].pid);
}

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
	SCOPED_STR head = { 0 };

	if (!s->file && !(s->file = fopen(s->temp.path, "w+b"))) /* lint: allow fopen: our own */
		return spool_failed(e);
	if (text->n == 0)
		return OK;
	add(&head, first_row, true, SPAN(""));
	bool ok = write_all(s, &head) && write_all(s, text);
	return ok ? OK : spool_failed(e);
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

	if (!in)
		return failed("cannot open", e);
	door_input_fd(fileno(in), path);
	enum status st = io_temp_make(&p->piped, folder, e);
	THEN(st, spool(in, p->piped.fd, e));
	if (in != stdin)
		(void)fclose(in);
	if (st == OK)
		p->path = p->piped.path;
	return st;
}

/* ---- from another format ---- */

struct members {
	struct event_spool said; /* first: the ctx of take_window */
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
			rows_put_arrow(p->run, row, &p->text);
	}
	flush(p, ROWS_TEXT);
}

/* Rows in their order, and between them what became none. */
static enum status put_rows(
	const struct run *r, struct event_spool *said, struct writer *w, struct err *e)
{
	struct putting p = { .run = r, .w = w, .err = e };
	SCOPED_STR text = { 0 };
	size_t next = 0;
	uint32_t row;

	/* Appends the names of processes and threads, with ",\n" before each. */
	if (!said->file)
		for (size_t i = 0; i < r->lanes.n; i++) {
			const struct lane *l = &r->lanes.lane[i];
			if (is_first_of_process(r, i)) {
				put_name(r, l, "process_name", l->process_name, false, &p.text);
				put_name(r, l, "process_labels", l->process_labels, false, &p.text);
			}
			put_name(r, l, "thread_name", l->thread_name, true, &p.text);
		}
	else if (fseek(said->file, 0, SEEK_SET) != 0)
		p.st = spool_failed(e);
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
	return p.st;
}

static enum status put_run(const struct run *r, struct members *m, int fd, struct err *e)
{
	const struct document d = { .member = m->v, .nmember = m->n };
	FILE *out = fdopen(dup(fd), "wb");
	struct writer w;

	if (!out)
		return failed("cannot write a temporary file", e);
	enum status st = writer_begin(&w, &writer_json, out, false, 0, &d, e);
	THEN(st, put_rows(r, &m->said, &w, e));
	THEN(st, writer_end(&w, e));
	if (fclose(out) != 0 && st == OK)
		st = failed("cannot write a temporary file", e);
	return st;
}

static enum status make(
	struct rereadable *p, const char *folder, const struct load_options *o, struct err *e)
{
	SCOPED_ARENA mem = { 0 };
	struct members members = { .mem = &mem };
	const struct tap tap = {
		.said = take_text, .rows = take_window, .members = take_members, .ctx = &members
	};
	struct load_options all = *o;
	struct run run;

	all.needs = ROWS_NEEDS;
	all.tap = &tap;
	enum status st = io_temp_make(&members.said.temp, folder, e);
	THEN(st, load_single(p->path, &all, &run, e));
	if (st == OK) {
		renumber_ids(&run);
		st = io_temp_make(&p->made, folder, e);
		THEN(st, put_run(&run, &members, p->made.fd, e));
		run_clear(&run);
	}
	if (st == OK)
		p->path = p->made.path;
	if (members.said.file)
		(void)fclose(members.said.file);
	str_free(&members.said.note);
	io_temp_drop(&members.said.temp);
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
