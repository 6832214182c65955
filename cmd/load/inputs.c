/* Loading what the command line names: found first, then loaded side by side, then looked over in
 * order, so that nothing depends on which was there first. */
#include "cmd/load/inputs.h"

#include "analyze/trace/links/etjoin.h"
#include "analyze/trace/graphs/replay.h"
#include "base/door.h"
#include "base/parallel.h"
#include "base/ring.h"
#include "cmd/say.h"

/* --- loading one; by any thread --- */

/* A digest has no kernels. */
static enum status refuse_digest(struct run *run, const char *why, struct err *e)
{
	run_clear(run);
	return err_hinted(
		e, E_NODATA, "give the trace that it was made of", "a digest has no %s", why);
}

static enum status load(const struct input *f, const struct inputs_want *want,
	const struct load_options *o, struct run *run, struct err *e)
{
	TRY(f->load(f, o, run, e));
	if (want->ncaptured && run->kept)
		return refuse_digest(run, "kernels that --capture could name", e);
	if (want->nexectrace && run->kept && !want->exectrace->is_found)
		return refuse_digest(run, "operators that --et could tell of", e);
	if (want->ncaptured && run->has_trace)
		replay_attach(run, want->captured, want->ncaptured);
	if (want->nexectrace && run->has_trace)
		etjoin_attach(run, want->exectrace, want->nexectrace);
	return OK;
}

static void release(struct input *f)
{
	if (f->run) {
		run_clear(f->run);
		free(f->run);
	}
	f->run = NULL;
}

/* The i-th of those that are loaded now. */
static void load_one(const struct inputs *in, struct input *f, size_t i)
{
	struct load_options o = in->options;

	o.threads = in->threads_each;
	o.progress = meter_tick;
	o.progress_ctx = &in->meter.file[i];
	struct run *run = zeroed(1, sizeof(*run));
	struct err e;
	err_clear(&e);
	if (load(f, &in->want, &o, run, &e) == OK) {
		f->run = run;
		return;
	}
	free(run);
	f->err = zeroed(1, sizeof(*f->err));
	*f->err = e;
}

static void begin_meter(struct inputs *in, const struct input *first, size_t n, int64_t bytes)
{
	meter_begin(&in->meter, first ? first->path : "", n, bytes, in->is_quiet);
}

/* --- those that do not wait --- */

struct now {
	struct inputs *in;
	size_t *which, n;
};

static void load_now(void *ctx, size_t i)
{
	const struct now *now = ctx;

	load_one(now->in, &now->in->all.input[now->which[i]], i);
}

static bool waits(const struct inputs *in, const struct input *f)
{
	return in->is_waiting && f->may_wait;
}

/* --- what became of them, in order --- */

static enum status look_at(const struct inputs *in, const struct input *f, struct err *e)
{
	if (f->err) {
		*e = *f->err;
		return e->status;
	}
	return in->want.takes_records ? OK : load_want_trace(f->run, e);
}

static void leave(struct inputs *in, const char *path, const char *why, bool is_error)
{
	ARENA_PUSH(&in->mem, in->left, in->nleft, in->left_cap,
		(struct inputs_left){ arena_copy(&in->mem, path, strlen(path)),
			arena_copy(&in->mem, why, strlen(why)), is_error });
}

/* Left out with a word where the others are looked at all the same; false: e is a failure. */
static bool is_spared(struct inputs *in, const struct input *f, const struct err *e)
{
	bool has_no_trace = f->kind == INPUT_RUN && f->has_others && f->run;

	if (f->kind == INPUT_LEFT || (f->kind == INPUT_FURTHER && !in->options.strict))
		leave(in, f->path, e->text, false);
	else if (has_no_trace && e->status == E_FORMAT && !in->options.strict)
		leave(in, f->path, "no trace in it", false);
	else
		return false;
	return true;
}

static void fail(struct inputs *in, const char *path, const struct err *e)
{
	meter_hide(&in->meter);
	(void)say_error(path, e);
	leave(in, path, e->text, true);
	in->nfailed++;
}

/* What was found of one path becomes inputs. */
static enum status look_over(
	struct inputs *in, size_t from, size_t to, const char **where, struct err *e)
{
	bool is_folder = from < to && in->all.input[from].kind != INPUT_NAMED;
	size_t before = in->n;

	for (size_t i = from; i < to; i++) {
		struct input *f = &in->all.input[i];

		if (!waits(in, f) && look_at(in, f, e) != OK) {
			if (!is_spared(in, f, e)) {
				*where = f->shown;
				return e->status;
			}
			err_clear(e);
			release(f);
		} else {
			size_t path_cap = in->cap, run_cap = in->cap;
			in->path =
				arena_grow(&in->mem, in->path, in->n, &path_cap, sizeof(*in->path));
			in->run = arena_grow(&in->mem, in->run, in->n, &run_cap, sizeof(*in->run));
			in->of = arena_grow(&in->mem, in->of, in->n, &in->cap, sizeof(*in->of));
			in->path[in->n] = f->shown;
			in->run[in->n] = f->run;
			in->of[in->n] = f;
			if (waits(in, f))
				in->waiting[in->nwaiting++] = in->n;
			in->n++;
		}
	}
	if (is_folder && in->n == before)
		return err_set(e, E_NODATA, -1, "no run in it has a trace");
	return OK;
}

/* Takes back the inputs from `keep` on. */
static void drop(struct inputs *in, size_t keep)
{
	while (in->n > keep) {
		release(in->of[--in->n]);
		if (in->nwaiting && in->waiting[in->nwaiting - 1] == in->n)
			in->nwaiting--;
	}
}

/* What was found of a path is found[from..to), or why nothing was. */
struct operand {
	const char *path;
	size_t from, to;
	struct err *err;
};

static enum status look_over_all(
	struct inputs *in, const struct operand *o, size_t n, const char **where, struct err *e)
{
	size_t before;

	in->waiting = arena_array(&in->mem, in->all.n, sizeof(*in->waiting));
	for (EACH(const struct operand, operand, o, n)) {
		before = in->n;
		*where = operand->path;
		if (operand->err)
			*e = *operand->err;
		enum status st = operand->err ? e->status
					      : look_over(in, operand->from, operand->to, where, e);
		if (st == OK)
			continue;
		if (!in->want.goes_on || n < 2)
			return st;
		drop(in, before);
		fail(in, *where, e);
		err_clear(e);
	}
	if (n == 0 || in->nfailed < n)
		return OK;
	*where = NULL;
	return err_set(e, E_NODATA, -1, "none of the %zu inputs can be read", n);
}

static struct operand *find_all(struct inputs *in, const char *const *path, size_t npath)
{
	struct operand *o = arena_array(&in->mem, npath, sizeof(*o));

	for (size_t i = 0; i < npath; i++) {
		struct err e;

		err_clear(&e);
		o[i].path = path[i];
		o[i].from = in->all.n;
		if (inputs_find(&in->all, path[i], &e) != OK) {
			input_list_cut(&in->all, o[i].from);
			o[i].err = arena_alloc(&in->mem, sizeof(e));
			*o[i].err = e;
		}
		o[i].to = in->all.n;
	}
	return o;
}

enum status inputs_load(struct inputs *in, const struct inputs_want *want,
	const struct read_options *read, bool is_quiet, const char *const *path, size_t npath,
	const char **where, struct err *e)
{
	*in = (struct inputs){ .want = *want, .is_quiet = is_quiet };
	in->options.needs = want->needs;
	in->options.job_needs = want->job_needs;
	in->options.comm = want->comm;
	in->options.threads = (unsigned)read->threads;
	in->options.strict = read->is_strict;
	in->all.want = &in->want;
	in->all.is_strict = read->is_strict;
	const struct operand *operand = find_all(in, path, npath);
	*where = NULL;
	TRY(door_check(e));
	in->is_waiting = want->is_one_by_one && in->all.n > 1;
	struct now now = { in, arena_array(&in->mem, in->all.n, sizeof(*now.which)), 0 };
	int64_t bytes = 0;
	for (size_t i = 0; i < in->all.n; i++)
		if (!in->all.input[i].err && !waits(in, &in->all.input[i])) {
			bytes += in->all.input[i].bytes;
			now.which[now.n++] = i;
		}
	begin_meter(in, now.n ? &in->all.input[now.which[0]] : NULL, now.n, bytes);
	parallel_run(now.n, parallel_share(in->options.threads, now.n, &in->threads_each), load_now,
		&now);
	meter_end(&in->meter);
	return look_over_all(in, operand, npath, where, e);
}

/* --- those that wait --- */

static enum status name_waiting(void *ctx, size_t i, bool *last, struct err *e UNUSED)
{
	struct inputs *in = ctx;

	*last = in->first + i + 1 == in->nwaiting;
	return OK;
}

static void load_waiting(void *ctx, size_t i)
{
	struct inputs *in = ctx;
	struct input *f = in->of[in->waiting[in->first + i]];

	if (!f->run && !f->err)
		load_one(in, f, i);
}

/* From the given one of those that wait on. */
static void begin_ahead(struct inputs *in, size_t first)
{
	struct ring_steps steps = { name_waiting, load_waiting, NULL, in };
	size_t n = in->nwaiting - first;
	unsigned threads = parallel_share(in->options.threads, n, &in->threads_each);
	int64_t bytes = 0;

	for (size_t i = first; i < in->nwaiting; i++) {
		in->of[in->waiting[i]]->is_closed = false;
		bytes += in->of[in->waiting[i]]->bytes;
	}
	in->first = first;
	begin_meter(in, in->of[in->waiting[first]], n, bytes);
	in->ring = ring_new(&steps, threads + 1, threads);
}

/* One that waits, with those behind it: again, where it was closed or is one before them. */
static void load_it(struct inputs *in, struct input *f, size_t i)
{
	/* Where it stands among those that wait.  They are in order. */
	size_t turn = PARTITION_POINT(k, 0, in->nwaiting, in->waiting[k] < i);

	if (in->ring && (f->is_closed || turn < in->first))
		inputs_stop(in);
	if (!in->ring)
		begin_ahead(in, turn);
	(void)ring_take(in->ring, turn - in->first);
}

enum status inputs_open(struct inputs *in, size_t i, const struct run **run, struct err *e)
{
	struct input *f = in->of[i];

	if (waits(in, f)) {
		load_it(in, f, i);
		in->open = i > 0 ? f : NULL;
	}
	TRY(look_at(in, f, e));
	if (i == 0)
		in->run[0] = f->run;
	*run = f->run;
	return OK;
}

void inputs_close(struct inputs *in)
{
	if (!in->open)
		return;
	in->open->is_closed = in->open->run != NULL;
	release(in->open);
	in->open = NULL;
}

void inputs_stop(struct inputs *in)
{
	ring_free(in->ring);
	in->ring = NULL;
	meter_end(&in->meter);
}

void inputs_miss(struct inputs *in, size_t i, const struct err *e)
{
	if (!is_spared(in, in->of[i], e))
		fail(in, in->path[i], e);
}

/* Those behind one another for one reason, none of them an error, are one note. */
void inputs_list(const struct inputs *in, struct result *out)
{
	for (size_t i = 0, end; i < in->nleft; i = end) {
		const struct inputs_left *left = &in->left[i];

		for (end = i + 1; end < in->nleft && !left->is_error && !in->left[end].is_error &&
			strcmp(in->left[end].why, left->why) == 0;)
			end++;
		if (end == i + 1)
			result_note(out, left->is_error ? NOTE_ERROR : NOTE_WARNING, "left_out", -1,
				1, "%s is left out: %s", left->path, left->why);
		else
			result_note(out, NOTE_WARNING, "left_out", -1, (int64_t)(end - i),
				"%zu files are left out, %s to %s: %s", end - i, left->path,
				in->left[end - 1].path, left->why);
		out->note[out->nnote - 1].is_said = left->is_error;
	}
}

void inputs_clear(struct inputs *in)
{
	inputs_stop(in);
	for (size_t i = 0; i < in->all.n; i++)
		release(&in->all.input[i]);
	input_list_clear(&in->all);
	arena_clear(&in->mem);
	*in = (struct inputs){ 0 };
}
