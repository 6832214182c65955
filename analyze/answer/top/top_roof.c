/*
 * `top --by shape`: what the ops' own work should cost, as `roofline` has it, by the rows of `top`.
 */
#include "analyze/answer/top/top.h"
#include "analyze/costmodel/roof.h"

enum status top_roof_check(const void *opts, const struct settings *settings, struct err *e)
{
	const struct top_options *o = opts;
	struct peaks_given given;

	return peaks_read(&given, settings, o->peak, e);
}

enum status top_roof_collect(struct top *t)
{
	struct peaks_given given;
	struct classes classes;
	struct roof o;

	if (t->by != TOP_BY_SHAPE || t->is_torch)
		return OK;
	TRY(peaks_read(&given, t->at->q->settings, t->o->peak, t->at->e));
	t->roof.sum = arena_array(&t->at->mem, t->ops.n + 1, sizeof(*t->roof.sum));
	if (!t->has_device)
		return OK;
	classes_init(&classes, t->at->run, &t->at->mem);
	roof_init(&o, t->at->run, &t->at->view, &classes, &given, ROOF_CALLS, NULL, &t->at->mem);
	/* Each call to the row that it is in, if the filters left it there. */
	for (EACH(const struct roof_made, c, o.call, o.ncall)) {
		uint32_t at = c->row == NO_ROW
			? TOP_NO_GROUP
			: top_groups_find(&t->ops, top_ops_id(t, c->row, PHASE_OTHER));
		if (at != TOP_NO_GROUP)
			roof_sum_add(&t->roof.sum[at], &o.cost[c->cost], &o.peaks[c->device], 1,
				c->busy, c->own);
	}
	for (EACH(const struct roof_sum, sum, t->roof.sum, t->ops.n))
		t->roof.any |= sum->flop_busy > 0 || sum->roof_busy > 0;
	for (size_t i = 0; t->roof.any && i < o.devices.n; i++)
		if (o.busy[i] > 0)
			peaks_say(&o.peaks[i], t->at->out, t->at->input);
	roof_clear(&o);
	return OK;
}

void top_roof_notes(struct top *t)
{
	nsec busy = 0, known = 0;

	if (!t->roof.any)
		return;
	for (EACH(const struct roof_sum, sum, t->roof.sum, t->ops.n)) {
		saturate_onto(&busy, sum->busy);
		saturate_onto(&known, sum->flop_busy);
	}
	if ((double)known < 0.995 * (double)busy)
		result_note(t->at->out, NOTE_INFO, "roof_partial", t->at->input, -1,
			"operations of %.1f%% of the ops' GPU time are known; 'traceq "
			"roofline' says why not of the rest",
			100 * (double)known / (double)busy);
}
