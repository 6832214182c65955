/*
 * Rules about single operations: one that dominates (G05), long ones (G06), allocating calls (G08).
 */
#include <math.h>

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"
#include "base/plural.h"
#include "base/saturate.h"

/* ---- G05 ---- */

static const struct setting dominant_settings[] = {
	RULE_SETTING("G05.note", RATIO, "40%",
		"a note when one kernel takes more than this share of all device work"),
};

static nsec work_ns(const struct profile *x)
{
	nsec sum = 0;
	int k;

	for (k = 0; k < CLASS_COUNT; k++)
		saturate_onto(&sum, x->device.sum[k]);
	return sum;
}

static void check_dominant(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct profile_name *top = &x->device.top_kernel;
	nsec all = work_ns(x);

	if (!top->name || all <= 0) {
		rules_unknown(f, "the trace has no kernels that compute");
		return;
	}
	f->unit = UNIT_RATIO;
	f->value = (double)top->sum.ns / (double)all;
	f->share = rules_share(x, top->sum.ns);
	if (f->value > rules_limit(in, "G05.note")->r)
		f->severity = SEVERITY_NOTE;
	f->name = top->name;
	f->count = top->sum.count;
	f->row = top->sum.row;
	f->text = rules_text(x, "one kernel is %s of all device work, %s",
		rules_percent(x, f->value), rules_step_time(x, top->sum.ns));
	f->evidence =
		rules_text(x, "%s x %s", rules_count(x, top->sum.count), rules_name(x, top->name));
	f->action = "the place to optimize first: 'traceq kernels' has its launch configuration";
}

const struct rule rule_G05 = {
	.word = { "G05", "one kernel",
		"One kernel's share of the sum of all device work; collectives do not count. Not bad "
		"by itself, but what is gained there counts most.",
		"Profiler Deep Dive: single operation dominates, optimization opportunity" },
	.verdict = "one-kernel",
	.setting = dominant_settings,
	.nsetting = COUNT_OF(dominant_settings),
	.check = check_dominant,
};

/* ---- G06 ---- */

static const struct setting long_settings[] = {
	RULE_SETTING("G06.op", TIME, "10ms", "ops of this duration or more are listed"),
};

static void check_long(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct profile_host *h = &x->host;

	if (x->run->kind_count[KIND_OP] == 0) {
		rules_unknown(f, "the trace has no operators");
		return;
	}
	f->unit = UNIT_COUNT;
	f->value = (double)h->long_ops.count;
	f->share = rules_share(x, h->long_ops.ns);
	f->count = h->long_ops.count;
	f->text = rules_text(x, "%s op%s of %s or more on the CPU, %s",
		rules_count(x, h->long_ops.count), plural_s(h->long_ops.count),
		rules_limit(in, "G06.op")->text, rules_step_time(x, h->long_ops.ns));
	if (h->long_ops.count == 0)
		return;
	f->severity = SEVERITY_NOTE;
	f->name = h->long_op.name;
	f->row = h->long_op.sum.row;
	f->evidence = rules_text(x, "%s x %s, %s/step; longest %s%s",
		rules_count(x, h->long_op.sum.count), rules_name(x, f->name),
		rules_time(x, rules_per_step(x, (double)h->long_op.sum.ns)),
		rules_time(x, (double)x->run->events.dur[f->row]), rules_frame(x, f->row));
	f->action = "see what is below it: an op that waits for the device (item, copy) is no work";
}

const struct rule rule_G06 = {
	.word = { "G06", "long ops",
		"Operators on the CPU that take long and have no such operator inside. Those that "
		"wait for the device are among them (aten::item, aten::copy_ to the host); the data "
		"loader (G10) and steps are not.",
		"Week 1 baseline profiling: operations of more than 10 ms" },
	.verdict = "long-ops",
	.setting = long_settings,
	.nsetting = COUNT_OF(long_settings),
	.check = check_long,
};

/* ---- G08 ---- */

static const struct setting malloc_settings[] = {
	RULE_SETTING("G08.warn", NUMBER, "1",
		"WARN when a step has more allocating calls than this and they take G08.share"),
	RULE_SETTING("G08.share", RATIO, "1%", "below this share of a step it is a note"),
};

static void check_malloc(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct profile_sum *m = &x->host.mallocs;

	if (!x->has_runtime) {
		rules_unknown(f, "the trace has no runtime calls");
		return;
	}
	f->unit = UNIT_COUNT;
	f->value = (double)m->count;
	f->share = rules_share(x, m->ns);
	f->count = m->count;
	f->text = rules_text(x, "%s calls of cudaMalloc, cudaFree and their like, %s (%s)",
		rules_count(x, m->count), rules_step_time(x, m->ns), rules_percent(x, f->share));
	if (m->count == 0)
		return;
	if (rules_per_step(x, (double)m->count) > rules_limit(in, "G08.warn")->r)
		f->severity =
			f->share > rules_limit(in, "G08.share")->r ? SEVERITY_WARN : SEVERITY_NOTE;
	f->row = m->row;
	f->name = x->run->events.name[m->row];
	f->evidence = rules_text(x, "longest: %s, %s", rules_name(x, f->name),
		rules_time(x, (double)x->run->events.dur[m->row]));
	f->action =
		"keep shapes stable; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; no empty_cache()";
}

const struct rule rule_G08 = {
	.word = { "G08", "malloc",
		"Calls that take memory from the device or give it back. The caching allocator needs "
		"none once it has warmed up: calls in every step mean growing shapes, fragmentation "
		"or empty_cache(), and cudaFree waits for the device.",
		"Week 1 baseline profiling: frequent cudaMalloc and cudaFree" },
	.verdict = "malloc-bound",
	.setting = malloc_settings,
	.nsetting = COUNT_OF(malloc_settings),
	.check = check_malloc,
};
