/* Streams: the question stays, and what answers it is another, which writes what it sees. */
#include "cmd/stream.h"

#include "analyze/measure/host/nesting.h"
#include "analyze/analysis/perrun.h"
#include "cmd/inquiry.h"
#include "report/format/renderer.h"
#include "report/format/format_stacks.h"

/* ---- calls of a run ---- */

struct callstacks {
	const struct run *run;
	struct speedscope w;
	struct nesting_extent extent;
	bool is_open;    /* a profile is */
	uint32_t *frame; /* by sym: 1 + its number */
	sym *name;       /* by number */
	size_t nname, cap;
};

static void end_lane(struct callstacks *c)
{
	if (c->is_open)
		speedscope_profile_end(&c->w, 0, saturate_sub(c->extent.last, c->extent.first));
	c->is_open = false;
}

static void begin_lane(void *ctx, uint32_t lane, size_t part)
{
	struct callstacks *c = ctx;
	struct str name = { 0 };

	end_lane(c);
	nesting_name(&name, c->run, lane, part);
	speedscope_profile(&c->w, (struct span){ name.s, name.n });
	str_free(&name);
	c->is_open = true;
}

static uint32_t frame_of(struct callstacks *c, uint32_t row)
{
	sym name = c->run->events.name[row];

	if (c->frame[name])
		return c->frame[name] - 1;
	PUSH(c->name, c->nname, c->cap, name);
	c->frame[name] = (uint32_t)c->nname;
	return c->frame[name] - 1;
}

static void open_call(void *ctx, uint32_t row, size_t depth UNUSED)
{
	struct callstacks *c = ctx;

	speedscope_event(&c->w, true, frame_of(c, row),
		saturate_sub(c->run->events.start[row], c->extent.first));
}

static void close_call(void *ctx, uint32_t row, size_t depth UNUSED)
{
	struct callstacks *c = ctx;

	speedscope_event(&c->w, false, frame_of(c, row),
		saturate_sub(events_end(&c->run->events, row), c->extent.first));
}

/* Writes the calls of a run as speedscope's JSON to out: a profile for each thread and stream, in
 * ns since the first call that is written.  kinds: of KINDS_HOST_TREE, KIND_PYTHON and
 * KINDS_DEVICE.  What the view does not take, by its name, too, is left out.  name: of the file.
 * *ncrossing receives how many calls stand in a profile of their own, as they begin inside another
 * one and end after it; NULL: nobody asks.  Needs r->order.  E_NODATA, with nothing written, where
 * there is no call; E_IO.  The same run gives the same bytes.  4 bytes a distinct name, and what
 * nesting_walk takes. */
static enum status callstacks_speedscope(FILE *out, const struct run *r, struct filter_view *view,
	unsigned kinds, struct span name, size_t *ncrossing, struct err *e)
{
	struct callstacks c = { .run = r, .extent = nesting_extent(r, view, kinds) };
	const struct nesting_visitor visitor = { &c, begin_lane, open_call, close_call };

	if (view->status != OK)
		return view->status;
	if (c.extent.n == 0)
		return err_set(e, E_NODATA, -1, "no calls of what was asked for");
	c.frame = zeroed(r->strings.n, sizeof(*c.frame));
	speedscope_begin(&c.w, out, name);
	size_t n = nesting_walk(r, view, kinds, &visitor);
	end_lane(&c);
	for (size_t i = 0; i < c.nname; i++)
		speedscope_frame(&c.w, strings_get(&r->strings, c.name[i]));
	enum status st = speedscope_end(&c.w, e);
	if (ncrossing)
		*ncrossing = n;
	FREE_ALL(c.frame, c.name);
	return st;
}

static enum status put_run(struct perrun *at)
{
	struct stream_to *to = at->ctx;
	unsigned kinds = perrun_is_record(at) ? 0 : to->of->runs.calls(at->q->opts, at->run);
	size_t ncrossing = 0;

	if (!kinds)
		return to->of->per_run.answer(at);
	if (to->is_written)
		return err_hinted(at->e, E_USAGE, "--rank chooses one of several",
			"the format holds the calls of one trace");
	TRY(callstacks_speedscope(
		to->out, at->run, &at->view, kinds, input_name(at->run->path), &ncrossing, at->e));
	to->is_written = true;
	if (ncrossing)
		result_note(at->out, NOTE_WARNING, "crossing_calls", at->input, (int64_t)ncrossing,
			"%zu call%s inside another one and end%s after it: in profiles of their own, "
			"behind those of their threads and streams",
			ncrossing, plural(ncrossing, " begins", "s begin"),
			plural(ncrossing, "s", ""));
	return OK;
}

static enum status put_runs(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	struct stream_to *to = ((const struct stream *)q->analysis)->at;
	const struct perrun_how how = { .answer = put_run, .needs = to->of->per_run.needs };

	return perrun_all(q, &how, to, out, e);
}

void stream_take(struct stream *s, struct inquiry_ask *ask, const struct renderer *renderer)
{
	if (!renderer->is_of_calls || !ask->analysis->runs.calls)
		return;
	s->to.of = ask->analysis;
	s->at = &s->to;
	s->analysis = *ask->analysis;
	s->analysis.per_run = (struct perrun_how){ .answer = NULL };
	s->analysis.compute = put_runs;
	ask->analysis = &s->analysis;
}

enum status stream_open(struct stream *s, const struct output_options *o, struct err *e)
{
	if (!s->at)
		return OK;
	s->to.out = stdout;
	if (!o->path || strcmp(o->path, "-") == 0)
		return door_stdout(e);
	TRY(io_named(o->path, io_create(&s->to.file, o->path, e), e));
	s->to.out = s->to.file.out;
	s->to.is_file = true;
	return OK;
}

enum status stream_close(
	struct stream *s, const struct output_options *o, bool is_good, struct err *e)
{
	if (!s->at || !s->to.is_file)
		return OK;
	if (is_good && s->to.is_written)
		return io_named(o->path, io_commit(&s->to.file, e), e);
	io_abandon(&s->to.file);
	return OK;
}
