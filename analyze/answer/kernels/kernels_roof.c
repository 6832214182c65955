/* `kernels --roof`: kernels against what the device can do.
 *
 * Formulas are of calls of ops, which may launch several kernels.  A call counts once, with all its
 * kernels, in the row of its longest one: nothing is divided by a guess, rows add up to what
 * `roofline` has, and the other kernels have no figure of their own.
 *
 *	  aten::mm   [ gemm      ]              gemm: FLOP of the call over 8 + 2
 *	             |<--- 8 --->|[sum]         sum:  unknown, gemm has them */

#include "analyze/answer/kernels/kernels.h"
#include "analyze/costmodel/roof.h"
#include "analyze/trace/producers.h"

enum status kernels_roof_check(const void *opts, const struct settings *settings, struct err *e)
{
	const struct kernels_options *o = opts;
	struct peaks_given given;

	if (o->peak && !o->roof)
		return err_set(e, E_USAGE, -1, "--peak goes with --roof");
	return peaks_read(&given, settings, o->peak, e);
}

/* How much of the time of kernels is known, and what is missing. */
static void add_notes(const struct kernels *k, const struct roof *o)
{
	const struct kernel_group *g = k->groups.item;
	nsec all = 0, known = 0;

	if (k->count == 0)
		return;
	for (size_t i = 0; i < k->groups.n; i++) {
		saturate_onto(&all, g[i].calls.sum);
		saturate_onto(&known, k->roof[i].sum.flop_busy);
	}
	if (!o->has_shapes)
		result_note(k->p->out, NOTE_WARNING, "kernels_no_shapes", k->p->input, -1,
			"no op that launched GPU work says the shapes of its tensors (%s): "
			"operations of kernels are unknown",
			recording_word(k->p->run, RECORDING_SHAPES));
	else if ((double)known < 0.995 * (double)all)
		result_note(k->p->out, NOTE_INFO, "kernels_roof_partial", k->p->input, -1,
			"operations of %.1f%% of the kernels' time are known; 'traceq roofline' says why "
			"not of the rest",
			100 * (double)known / (double)all);
	for (size_t i = 0; o->has_shapes && i < o->devices.n; i++)
		if (o->busy[i] > 0)
			peaks_say(&o->peaks[i], k->p->out, k->p->input);
}

enum status kernels_roof(struct kernels *k)
{
	struct peaks_given given;
	struct roof o;

	if (!k->o->roof)
		return OK;
	TRY(peaks_read(&given, k->p->q->settings, k->o->peak, k->p->e));
	k->roof = arena_array(&k->p->mem, k->groups.n + 1, sizeof(*k->roof));
	roof_init(&o, k->p->run, &k->p->view, &k->classes, &given, ROOF_CALLS, NULL, &k->p->mem);
	for (EACH(const struct roof_made, c, o.call, o.ncall)) {
		uint32_t at = c->kernel == NO_ROW ? KEYMAP_NONE : kernels_find(k, c->kernel);
		if (at == KEYMAP_NONE)
			continue;
		struct kernels_roof *to = &k->roof[at];
		roof_sum_add(&to->sum, &o.cost[c->cost], &o.peaks[c->device], 1, c->busy, c->own);
		saturate_onto(&to->longest, k->p->run->events.dur[c->kernel]);
	}
	add_notes(k, &o);
	roof_clear(&o);
	return OK;
}

/* Why something is not known: of the calls, or that other kernels have it. */
static struct span why_of(const struct kernel_group *g, const struct kernels_roof *r)
{
	enum roof_reason why = roof_sum_why(&r->sum);
	nsec others = saturate_sub(g->calls.sum, r->longest);

	if (others > (why == ROOF_WHY_KNOWN ? 0 : r->sum.why[why]))
		return SPAN("a longer kernel of the same call has them");
	return why == ROOF_WHY_KNOWN ? SPAN("") : span_of(roof_reason_words[why]);
}

void kernels_put_roof(const struct kernels *k, struct table *t, uint32_t group)
{
	const struct kernels_roof *r = &k->roof[group];
	struct span why = why_of(groups_item(&k->groups, group), r);
	const struct roof_sum *s = &r->sum;

	TABLE_CELLS(t, [KERNEL_WHY] = cell_name(why));
	if (s->calls == 0)
		return;
	TABLE_CELLS(t, [KERNEL_OWNED] = cell_int(s->calls), [KERNEL_OWNED_BUSY] = cell_int(s->busy),
		[KERNEL_KNOWN] = cell_real(roof_sum_known(s)),
		[KERNEL_FLOP] = CELL_IF(s->flop_busy > 0, cell_int(s->flop)),
		[KERNEL_TFLOPS] = cell_real(roof_sum_tflops(s)),
		[KERNEL_RATIO] = cell_real(roof_sum_ratio(s)),
		[KERNEL_BOUND] = cell_word(roof_sum_bound(s)));
}
