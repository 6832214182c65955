/* A run as `top` looks at it: what is in it, which names are left out or one, and what the reader
 * should know of it. */
#include "analyze/analysis/notes.h"
#include "analyze/analysis/runs_table.h"
#include "analyze/analysis/shared.h"
#include "analyze/answer/top/top.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run_steps.h"
#include "base/parallel.h"

size_t top_steps(const struct top *t)
{
	const struct steps *s = t->at->run->steps;

	return s && s->source != STEPS_WHOLE ? t->at->view.nstep : 0;
}

struct span top_name(const struct top *t, sym name)
{
	if (t->folded && name == t->folded)
		return SPAN("ProfilerStep*");
	return strings_get(&t->at->run->strings, name);
}

void top_run_init(struct top *t)
{
	const struct order *o = t->at->run->order;

	t->has_device = o->device_begin[t->at->run->lanes.n] > 0;
	t->tree = optree_kinds(t->at->run);
	/* By sym: itself, and for ProfilerStep#N the first of them; and which names torch hides. */
	const struct strings *names = &t->at->run->strings;
	t->canon = arena_array(&t->at->mem, names->n, sizeof(*t->canon));
	if (t->is_torch)
		t->hidden = arena_array(&t->at->mem, names->n, sizeof(*t->hidden));
	for (size_t i = 0; i < names->n; i++) {
		struct span s = strings_get(names, (sym)i);

		t->canon[i] = (sym)i;
		if (t->is_torch)
			t->hidden[i] = optree_hides(s);
		if (!t->o->fold || s.n < 14 || !span_starts(s, "ProfilerStep#"))
			continue;
		if (!t->folded)
			t->folded = (sym)i;
		t->canon[i] = t->folded;
	}
	phases_init(&t->phases, t->at->run, &t->at->mem);
	t->has_memory =
		(t->at->run->args.needs & NEED_MEMORY) && t->at->run->kind_count[KIND_MEMORY] > 0;
	if (t->has_memory)
		top_memory_init(&t->memory, t->at->run, t->is_torch, &t->at->mem);
	if (t->at->run->args.needs & NEED_FLOPS)
		t->flops = t->at->run->args.col[ARG_OP_FLOPS].f64;
	shared_devtime(t->at->shared, &t->devtime, t->at->run, &t->at->view);
}

unsigned top_threads(const struct top *t)
{
	return t->at->view.name ? 1 : parallel_threads(t->at->q->threads, t->at->run->events.n);
}

void top_note_recording(struct top *t)
{
	const struct steps *s = t->at->run->steps;

	(void)notes_no_device(t->at->out, t->at->run, t->at->input,
		t->at->run->is_complete
			? arena_printf(&t->at->mem,
				  "no GPU kernel events (%s); showing CPU time only",
				  recording_word(t->at->run,
					  links_lost_work(t->at->run) ? RECORDING_LAUNCHED
								      : RECORDING_DEVICE))
			: "no GPU kernel events before the file ends: they may be in what is "
			  "missing; showing CPU time only");
	if (s && s->source == STEPS_WHOLE)
		result_note(t->at->out, NOTE_INFO, "no_steps", t->at->input, -1,
			"no steps in this trace (%s); there are no figures per step",
			recording_word(t->at->run, RECORDING_STEPS));
}

void top_add_notes(struct top *t)
{
	bool has_rows = t->totals.nhost || t->totals.ndevice;

	top_note_recording(t);
	if ((t->key >= TOP_CPU_BYTES || t->o->memory) && !t->has_memory)
		result_note(t->at->out, NOTE_WARNING, "no_memory_events", t->at->input, -1,
			"no allocator events in this trace; %s: memory is unknown",
			recording_word(t->at->run, RECORDING_MEMORY));
	if (!has_rows)
		result_note(t->at->out, NOTE_WARNING, "no_rows", t->at->input, -1,
			"no operator, runtime call, kernel or slice passes the filters, or there is none in "
			"this trace");
	else if (t->at->view.name && t->ops.n == 0 && t->device.n == 0)
		result_note(t->at->out, NOTE_WARNING, "no_match", t->at->input, -1,
			"no name passes -f and -v");
	else if (t->by == TOP_BY_SHAPE && t->ops.n == 0)
		result_note(t->at->out, NOTE_WARNING, "no_ops", t->at->input, -1,
			"no operator passes the filters, or there is none in this trace: "
			"shapes are those of operators; --by kernel shows the GPU's work");
	if (t->by == TOP_BY_SHAPE && t->ops.n &&
		!ANY(i, t->ops.n, top_id_b(top_group(&t->ops, i)->id)))
		result_note(t->at->out, NOTE_WARNING, "no_shapes", t->at->input, -1,
			"no input shapes in this trace (%s): rows are by name",
			recording_word(t->at->run, RECORDING_SHAPES));
	top_roof_notes(t);
}

/* `top` of several runs: what stands side by side. */

static const struct runs_cell cells[TRUN_COLUMNS] = {
	[TRUN_WORK_SHARE] = { "device|recorded_device", "share_ratio|sorted_ratio", NULL, NULL },
	[TRUN_WORK] = { "device|recorded_device", "name", NULL, NULL },
	[TRUN_OP_SHARE] = { "ops|recorded_ops", "share_ratio|sorted_ratio", NULL, NULL },
	[TRUN_OP] = { "ops|recorded_ops", "name", NULL, NULL },
};

bool top_wants_pages(const void *opts)
{
	const struct top_options *o = opts;

	return o->by || o->per || o->sort || o->tree || o->memory;
}

/* Rows, too, are asked of the pages. */
static bool wants_pages(const void *opts)
{
	return ((const struct top_options *)opts)->limit >= 0 || top_wants_pages(opts);
}

const struct runs_doc top_runs = {
	.doc = &top_docs[TOP_RUNS],
	.from = "totals",
	.cell = cells,
	.wants_pages = wants_pages,
};
