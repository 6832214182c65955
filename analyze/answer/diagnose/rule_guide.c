/* Rules whose limits are the guides': variance of steps (G17), shares of phases (G18), short
 * kernels (G19), kernels too small for the device (G20), attention (G22).
 *
 * None of them says that time is lost.  They are notes that help to find out. */
#include "analyze/answer/diagnose/rules.h"
#include "analyze/measure/interval.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/columns/lanes.h"
#include "analyze/stat/exceptions.h"
#include "analyze/trace/run.h"

#define NO_KERNELS "the trace has no kernels that compute"

/* ---- G17 ---- */

/* Of the steps that count. */
static double spread_of(const struct profile *x, double *mean)
{
	const struct stepstat *s = &x->window.stat;
	double m2 = 0;

	*mean = 0;
	for (size_t i = 0; i < s->count; i++) {
		double v = (double)stepstat_dur(s, x->run, s->from + i), d = v - *mean;

		*mean += d / (double)(i + 1);
		m2 += d * (v - *mean);
	}
	return s->count > 1 && *mean > 0 ? sqrt(m2 / (double)(s->count - 1)) / *mean : NAN;
}

static void check_spread(struct look *k, struct finding *f, const struct profile *x)
{
	const struct stepstat *s = &x->window.stat;
	double mean = NAN, spread = x->has_steps ? spread_of(x, &mean) : NAN;

	if (finding_unknown(f, !x->has_steps, "nothing marks steps") ||
		finding_unknown(f, isnan(spread) || s->count < EXCEPTIONS_VALUES,
			"there are too few steps to tell"))
		return;
	rules_put_ratio(k, f, spread, "G17.note");
	f->count = (int64_t)s->count;
	f->text = arena_printf(x->mem, "steps vary by %s: %s to %s, mean %s",
		unit_percent(x->mem, spread), unit_time(x->mem, (double)s->min),
		unit_time(x->mem, (double)s->max), unit_time(x->mem, mean));
}

RULE(G17, "step variance",
	"Standard deviation over mean of the steps that count. The guide wants less than 10 "
	"%: means of steps that differ more say little, and slow ones are worth a look.",
	"PyTorch Profiler Analysis Guide: step time variance below 10%",
	.advice = "'traceq steps' has each of them; --steps chooses", .verdict = "unsteady",
	.is_symptom = true,
	.limits = LIMITS(LIMIT("diagnose.G17.note", RATIO, "10%",
		"a note when the standard deviation of steps is above this share of their mean")),
	.run = check_spread)

/* ---- G18 ---- */

static const struct {
	enum phase phase;
	const char *limit, *advice;
} limits[] = {
	{ PHASE_FORWARD, "G18.forward", "forward: a smaller model, mixed precision" },
	{ PHASE_BACKWARD, "G18.backward",
		"backward: mixed precision; recomputing (gradient checkpointing) is part of it" },
	{ PHASE_OPTIMIZER, "G18.optimizer",
		"optimizer: fused=True or foreach=True; accumulate gradients" },
	{ PHASE_DATA, "G18.data", "data loading: more workers, better preprocessing" },
};

/* Time of annotations of a kind that name a phase, each phase's united. */
static bool sum_phases(const struct profile *x, enum kind kind, nsec *ns)
{
	struct intervals set[PHASE_COUNT] = { { 0 } };
	const struct events *ev = &x->run->events;
	struct filter_view view = *x->query_view;
	struct phases phases;

	phases_init(&phases, x->run, x->mem);
	view.kinds |= KIND_BIT(kind);
	for (EACH_OF_KIND(i, ev, (int)kind)) {
		uint32_t row = (uint32_t)i;
		uint8_t says = phases_look(&phases, ev->name[row]);

		if (says < PHASES_SAY)
			continue;
		if (kind == KIND_GPU_ANNOTATION
				? x->run->lanes.lane[ev->lane[row]].device != x->account.id ||
					!filter_device(&view, row)
				: !filter_host(&view, row))
			continue;
		intervals_add(&set[says - PHASES_SAY], ev->start[row], events_end(ev, row));
	}
	for (int k = 0; k < PHASE_COUNT; k++) {
		intervals_unite(&set[k]);
		ns[k] = intervals_length(&set[k]);
		intervals_clear(&set[k]);
	}
	return ns[PHASE_FORWARD] > 0 && ns[PHASE_BACKWARD] > 0;
}

static void judge_phases(const struct look *k, struct finding *f, const nsec *ns)
{
	const struct profile *x = k->profile;
	const char *text = "";
	double most = 0;
	double all = SUM(double, i, COUNT_OF(limits), (double)ns[limits[i].phase]);

	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		double share = (double)ns[limits[i].phase] / all;
		double beyond = share - look_limit(k, limits[i].limit);

		if (ns[limits[i].phase] > 0)
			text = arena_printf(x->mem, "%s%s%s %s", text, *text ? ", " : "",
				phase_word(limits[i].phase), unit_percent(x->mem, share));
		if (!(beyond > most))
			continue;
		most = beyond;
		f->severity = SEVERITY_NOTE;
		f->value = share;
		f->action = limits[i].advice;
	}
	f->unit = UNIT_RATIO;
	f->text = arena_printf(x->mem, "%s; the guide: 35-40, 40-45, 10-15, below 10", text);
}

static void check_phases(struct look *k, struct finding *f, const struct profile *x)
{
	nsec ns[PHASE_COUNT];
	bool is_known = (x->has_device && sum_phases(x, KIND_GPU_ANNOTATION, ns)) ||
		sum_phases(x, KIND_ANNOTATION, ns);

	if (!finding_unknown(f, !is_known, "no annotations name a forward and a backward pass"))
		judge_phases(k, f, ns);
}

RULE(G18, "phases",
	"Shares of forward, backward, optimizer and data loading in their sum, by the "
	"annotations (record_function) that name them: on the GPU's timeline where they "
	"are there, else on the CPU. The guide expects 35 to 40%, 40 to 45%, 10 to 15% "
	"(more is overhead) and less than 10%. 'traceq stages' has the regions.",
	"PyTorch Profiler Analysis Guide: shares of phases", .verdict = "unbalanced",
	.is_symptom = true,
	.limits = LIMITS(LIMIT("diagnose.G18.forward", RATIO, "40%",
				 "the guide's upper end of forward: 35-40%"),
		LIMIT("diagnose.G18.backward", RATIO, "45%", "of backward: 40-45%"),
		LIMIT("diagnose.G18.optimizer", RATIO, "15%",
			"of the optimizer: 10-15%, overhead above"),
		LIMIT("diagnose.G18.data", RATIO, "10%", "of data loading")),
	.run = check_phases)

/* ---- G19 ---- */

static void check_short(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_device *d = &x->device;

	if (finding_unknown(f, !x->has_device || d->kernels == 0, NO_KERNELS))
		return;
	nsec wait = saturate_add(x->verdict.ns[PART_OF_LAUNCH], x->verdict.ns[PART_OF_DEPENDENCY]);
	rules_put_ratio(k, f, (double)d->short_kernels.count / (double)d->kernels, "G19.note");
	if (!(rules_share(x, wait) > look_limit(k, "G19.wait")))
		f->severity = SEVERITY_OK;
	f->share = rules_share(x, d->short_kernels.in_steps);
	f->count = d->short_kernels.count;
	f->text =
		arena_printf(x->mem, "%s of kernels take less than %s, and %s %s waiting for them",
			unit_percent(x->mem, f->value), look_limit_text(k, "G19.kernel"),
			x->has_steps ? "of a step" : "of the run",
			unit_percent(x->mem, rules_share(x, wait)));
}

RULE(G19, "short kernels",
	"The share of kernels below 100 us. Many of them are bad where the GPU waits for launches "
	"or between kernels; where it does not, launching keeps up and they cost little.",
	"PyTorch Profiler Analysis Guide: many kernels below 100 us",
	.advice = "fuse them: torch.compile, foreach and fused optimizers; CUDA graphs; larger "
		  "batches",
	.plain_advice = "fuse them; launch them as one graph; larger batches",
	.verdict = "launch-bound", .is_symptom = true,
	.limits = LIMITS(
		LIMIT("diagnose.G19.kernel", TIME, "100us", "kernels below this are short"),
		LIMIT("diagnose.G19.note", RATIO, "50%",
			"a note when more than this share of kernels is, and"),
		LIMIT("diagnose.G19.wait", RATIO, "10%",
			"the GPU waits for launches or between kernels for more than this share")),
	.run = check_short)

/* ---- G20 ---- */

static void check_blocks(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_device *d = &x->device;

	if (finding_unknown(f, !x->has_device || d->kernels == 0, NO_KERNELS))
		return;
	if (finding_unknown(f, d->blocks_ns == 0, "no kernel says its blocks per SM"))
		return;
	rules_put_ratio(k, f, (double)d->small.ns / (double)d->blocks_ns, "G20.note");
	f->share = rules_share(x, d->small.in_steps);
	f->count = d->small.count;
	f->text = arena_printf(x->mem, "%s of kernel time with fewer than %s blocks per SM, %s",
		unit_percent(x->mem, f->value), look_limit_text(k, "G20.blocks"),
		rules_step_time(x, d->small.in_steps));
	rules_put_longest(x, f, &d->small);
}

RULE(G20, "small kernels",
	"Kernels that compute and have fewer than 0.5 blocks for each multiprocessor "
	"(\"blocks per SM\"): most of the GPU has none of their work. Above 1 is good.",
	"PyTorch Profiler Analysis Guide: blocks per SM",
	.advice =
		"more work a kernel: larger batches, fusing; 'traceq kernels' lists blocks per SM",
	.verdict = "small-kernels",
	.limits = LIMITS(LIMIT("diagnose.G20.blocks", NUMBER, "0.5",
				 "kernels with fewer blocks per SM are too small"),
		LIMIT("diagnose.G20.note", RATIO, "20%",
			"a note when they take more than this share of the time of kernels that compute")),
	.run = check_blocks)

/* ---- G22 ---- */

static void check_attention(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_device *d = &x->device;
	bool is_plain = d->softmax_ops > 0 && d->bmm_ops > 0;
	nsec plain = d->plain.in_steps;

	if (finding_unknown(f, !x->has_device || (d->attention.ns == 0 && !is_plain),
		    "nothing in the trace is named like attention"))
		return;
	if (d->attention.ns > 0) {
		f->unit = UNIT_RATIO;
		f->share = f->value = rules_share(x, d->attention.in_steps);
		f->count = d->attention.count;
		f->row = d->attention.row;
		f->name = x->run->events.name[f->row];
		f->text = arena_printf(x->mem, "fused attention kernels, %s (%s)",
			rules_step_time(x, d->attention.in_steps), unit_percent(x->mem, f->share));
		return;
	}
	f->share = rules_share(x, plain);
	rules_put_ratio(k, f, f->share, "G22.note");
	f->text = arena_printf(x->mem,
		"no flash or fmha kernel; aten::bmm and aten::_softmax take %s (%s)",
		rules_step_time(x, plain), unit_percent(x->mem, f->share));
}

RULE(G22, "attention",
	"Whether attention runs as a fused kernel (flash, fmha, attention in the name), or as "
	"batched products and a softmax, which write their large matrix to memory.",
	"PyTorch Profiler Analysis Guide: is flash attention used",
	.advice = "scaled_dot_product_attention in float16 or bfloat16, or "
		  "attn_implementation=\"flash_attention_2\"",
	.verdict = "attention",
	.limits = LIMITS(LIMIT("diagnose.G22.note", RATIO, "5%",
		"a note when softmax and batched products of attention take more than this share of a "
		"step")),
	.run = check_attention)
