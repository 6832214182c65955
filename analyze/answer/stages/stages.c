/* `stages`: the regions a user named, nested, with their time on CPU and devices.  Options and
 * notes. */
#include "analyze/answer/stages/stages.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/analysis/shared.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run_steps.h"
#include "base/opt.h"

enum { PEOPLE_ROWS = 30 };

#define AT(field) offsetof(struct stages_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of each table; 0 = all [30; all for machines]"),
	FLAG_OPT("fold", 0, AT(fold), "count ProfilerStep#5, #6, ... as one ProfilerStep* [yes]"),
};

/* Each device that has work, and when it is busy. */
static void find_devices(struct stages *s)
{
	const struct run *r = s->at->run;
	size_t cap = 0;

	for (size_t i = 0; i < r->order->ndevice_lane; i++) {
		int64_t id = r->lanes.lane[r->order->device_lane[i]].device;

		if ((s->ndevice && s->device[s->ndevice - 1].id == id) ||
			!filter_in(&s->at->view.set->device, id))
			continue;
		s->device = array_grow(s->device, &cap, s->ndevice + 1, sizeof(*s->device));
		s->device[s->ndevice] = (struct stages_device){ .id = id };
		intervals_of_device(&s->device[s->ndevice++].busy, r, id, KINDS_DEVICE);
	}
}

static enum status answer_run(struct perrun *at)
{
	struct stages s = { .at = at, .o = at->q->opts };
	size_t before = at->out->ntable;

	s.limit = rows_limit(at->q, s.o->limit, PEOPLE_ROWS, SIZE_MAX);
	s.has_device = at->run->order->device_begin[at->run->lanes.n] > 0;
	find_devices(&s);
	shared_devtime(at->shared, &s.devtime, at->run, &at->view);
	devtime_launches_init(&s.launched, at->run, &at->view);
	stages_await(&s);
	replays_init(&s.replays, at->run, &at->view,
		KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION) | KIND_BIT(KIND_PYTHON));
	stages_put_host(&s);
	stages_put_gpu(&s);
	stages_put_modules(&s);
	if (at->out->ntable == before || at->out->table[before]->nrow == 0)
		result_note(at->out, NOTE_INFO, "no_stages", at->input, -1,
			"the trace has no annotations; %s makes them",
			recording_word(at->run, RECORDING_ANNOTATIONS));
	replays_clear(&s.replays);
	stages_calls_clear(&s.calls);
	stages_await_clear(&s);
	devtime_clear(&s.launched);
	devtime_clear(&s.devtime);
	for (size_t i = 0; i < s.ndevice; i++)
		intervals_clear(&s.device[i].busy);
	free(s.device);
	return OK;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("stages", "name", "total_ns", "self_ns|calls", .key = "path", .in_order = true,
		.rows = 40),
	FOLD("regions", "name", "total_ns", "device_busy_ns|calls", .key = "path", .in_order = true,
		.rows = 40),
	FOLD("modules", "name", "total_ns", "self_ns|calls", .key = "path", .in_order = true,
		.rows = 40),
};

ANALYSIS(stages) = {
	.name = "stages",
	.summary = "the regions a user named, nested: record_function, annotations, modules",
	.help.doc =
		"One row for each call path of annotations on the CPU: how often, how long, "
		"how much of it in no stage below, what GPU work was launched inside, by the "
		"autograd threads that it waits for, too, and how long GPUs were busy "
		"meanwhile. Regions on GPUs are those the profiler draws from the first to the "
		"last work of an annotation.\n\n"
		"Modules are calls of torch.nn.Module, from Python functions (with_stack=True), "
		"or the Module Hierarchy of operators (with_modules=True).\n\n"
		"A stage that -f, -v or --steps leaves out is skipped; those below it move up.",
	.help.source = "torch.profiler.record_function; HTA get_gpu_user_annotation_breakdown; "
		       "docs/definitions.md",
	.help.examples = "traceq stages trace.json.gz\n"
			 "traceq stages trace.json.gz --steps 5-9 -v 'Optimizer'\n"
			 "traceq stages trace.json.gz --format csv",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_PYTHON | NEED_STACKS),
	.shares = SHARED_BIT(DEVTIME),
	.runs.takes_capture = true,
	ANALYSIS_OPTIONS(options, struct stages_options, .limit = -1, .fold = true),
	.options.ignores = FILTER_COMM,
	ANALYSIS_TABLES(stages, STAGES),
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW, .folds = FOLDS(fold_docs) },
};
