/*
 * Streams: the question stays, and what answers it is another, which writes what it sees.
 */
#include "cmd/stream.h"

#include <string.h>

#include "analyze/analysis/perrun.h"
#include "analyze/trace/run.h"
#include "base/door.h"
#include "base/plural.h"
#include "cmd/callstacks.h"
#include "cmd/inquiry.h"
#include "cmd/options.h"
#include "report/answers.h"
#include "report/format/renderer.h"

static enum status put_run(struct perrun *at)
{
	struct stream_to *to = at->ctx;
	unsigned kinds = perrun_is_record(at) ? 0 : to->of->runs.calls(at->q->opts, at->run);
	size_t ncrossing = 0;

	if (!kinds)
		return to->of->per_run.answer(at);
	if (to->is_written) {
		(void)err_set(at->e, E_USAGE, -1, "the format holds the calls of one trace");
		return err_hint(at->e, "--rank chooses one of several");
	}
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
	const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	struct stream_to *to = ((const struct stream *)q->analysis)->at;
	const struct perrun_how how = { .answer = put_run, .needs = to->of->per_run.needs };

	(void)exit_code;
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
