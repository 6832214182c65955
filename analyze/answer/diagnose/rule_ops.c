/*
 * Rules about single operations: one that dominates (G05), long ones (G06), allocating calls (G08).
 */

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"

/* ---- G05 ---- */

static void check_dominant(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_name *top = &x->device.top_kernel;
	nsec all = rules_device_ns(x);

	if (finding_unknown(f, !top->name || all <= 0, "the trace has no kernels that compute"))
		return;
	rules_put_ratio(k, f, (double)top->sum.ns / (double)all, "G05.note");
	f->share = rules_share(x, top->sum.in_steps);
	f->name = top->name;
	f->count = top->sum.count;
	f->row = top->sum.row;
	f->text = arena_printf(x->mem, "one kernel is %s of all GPU work, %s",
		unit_percent(x->mem, f->value), rules_step_time(x, top->sum.in_steps));
	f->evidence = arena_printf(
		x->mem, "%s x %s", rules_count(x, top->sum.count), rules_name(x, top->name));
}

RULE(G05, "one kernel",
	"One kernel's share of the sum of all GPU work; collectives do not count. Not "
	"bad by itself, but what is gained there counts most.",
	"Profiler Deep Dive: single operation dominates, optimization opportunity",
	.advice = "the place to optimize first: 'traceq kernels' has its launch configuration, and "
		  "with --by line where in the code it comes from",
	.plain_advice =
		"the place to optimize first: 'traceq kernels' has its launch configuration",
	.verdict = "one-kernel",
	.limits = LIMITS(LIMIT("diagnose.G05.note", RATIO, "40%",
		"a note when one kernel takes more than this share of all GPU work")),
	.run = check_dominant)

/* ---- G06 ---- */

static void check_long(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_host *h = &x->host;

	if (finding_unknown(f, x->run->kind_count[KIND_OP] == 0, "the trace has no operators"))
		return;
	f->unit = UNIT_COUNT;
	f->value = (double)h->long_ops.count;
	f->share = rules_host_share(x, h->long_ops.in_steps);
	f->count = h->long_ops.count;
	f->text = arena_printf(x->mem, "%s op%s of %s or more on the CPU, %s",
		rules_count(x, h->long_ops.count), plural_s(h->long_ops.count),
		look_limit_text(k, "G06.op"), rules_step_time(x, h->long_ops.in_steps));
	if (h->long_ops.count == 0)
		return;
	f->severity = SEVERITY_NOTE;
	f->name = h->long_op.name;
	f->row = h->long_op.sum.row;
	f->evidence = arena_printf(x->mem, "%s x %s, %s; longest %s%s",
		rules_count(x, h->long_op.sum.count), rules_name(x, f->name),
		rules_step_time(x, h->long_op.sum.in_steps),
		unit_time(x->mem, (double)x->run->events.dur[f->row]), rules_frame(x, f->row));
}

RULE(G06, "long ops",
	"Operators on the CPU that take long and have no such operator inside. Those "
	"that wait for the GPU are among them (aten::item, aten::copy_ to the host); "
	"the data loader (G10) and steps are not.",
	"Week 1 baseline profiling: operations of more than 10 ms",
	.advice = "see what is below it: an op that waits for the GPU (item, copy) is no work",
	.verdict = "long-ops",
	.limits = LIMITS(
		LIMIT("diagnose.G06.op", TIME, "10ms", "ops of this duration or more are listed")),
	.run = check_long)

/* ---- G08 ---- */

static void check_malloc(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_sum *m = &x->host.mallocs;

	if (finding_unknown(f, !x->has_runtime, "the trace has no runtime calls"))
		return;
	f->unit = UNIT_COUNT;
	f->value = (double)m->count;
	f->share = rules_host_share(x, m->in_steps);
	f->count = m->count;
	f->text = arena_printf(x->mem, "%s calls of cudaMalloc, cudaFree and their like, %s (%s)",
		rules_count(x, m->count), rules_step_time(x, m->in_steps),
		unit_percent(x->mem, f->share));
	if (m->count == 0)
		return;
	if (rules_per_step(x, (double)m->count) > look_limit(k, "G08.warn"))
		f->severity = f->share > look_limit(k, "G08.share") ? SEVERITY_WARN : SEVERITY_NOTE;
	f->row = m->row;
	f->name = x->run->events.name[m->row];
	f->evidence = arena_printf(x->mem, "longest: %s, %s", rules_name(x, f->name),
		unit_time(x->mem, (double)x->run->events.dur[m->row]));
}

RULE(G08, "malloc",
	"Calls that take memory from the device or give it back. The caching allocator needs "
	"none once it has warmed up: calls in every step mean growing shapes, fragmentation "
	"or empty_cache(), and cudaFree waits for the device.",
	"Week 1 baseline profiling: frequent cudaMalloc and cudaFree",
	.advice =
		"keep shapes stable; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; no empty_cache()",
	.plain_advice = "take memory once, before the loop, and use it again; a pool "
			"(cudaMallocAsync, hipMallocAsync)",
	.verdict = "malloc-bound", .has_saving = true, .judged = 1 + JUDGE_ALLOCATOR,
	.limits = LIMITS(
		LIMIT("diagnose.G08.warn", NUMBER, "1",
			"WARN when a step has more allocating calls than this and they take G08.share"),
		LIMIT("diagnose.G08.share", RATIO, "1%",
			"below this share of a step it is a note")),
	.run = check_malloc)
