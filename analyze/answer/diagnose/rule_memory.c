/* Rules about memory: how full the device is (G11), whether it fills up (G14), and
 * in how many pieces (G21). */
#include <assert.h>

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"

/* Bytes of the device the curve is about; -1 when nobody says. */
static int64_t capacity(const struct look *k)
{
	const struct profile *x = k->profile;
	const struct meta *m = &x->run->meta;

	if (k->capacity > 0)
		return saturate_round(k->capacity);
	for (size_t i = 0; x->curve && i < m->ngpu; i++)
		if (m->gpu[i].id == x->curve->device)
			return m->gpu[i].memory_bytes;
	return -1;
}

/* ---- G11 ---- */

/* The highest reserved, else allocated; ARG_UNKNOWN. */
static int64_t peak_of(const struct memcurve *c)
{
	if (c->peak_reserved < c->n)
		return c->reserved[c->peak_reserved];
	return c->peak < c->n && !c->is_relative ? c->allocated[c->peak] : ARG_UNKNOWN;
}

/* The step in which it is. */
static struct interval place_of_peak(const struct profile *x)
{
	const struct memcurve *c = x->curve;
	size_t peak = c->peak_reserved < c->n ? c->peak_reserved : c->peak;

	return peak < c->n ? rules_step_around(x, x->run->events.start[c->row[peak]])
			   : rules_all_steps(x);
}

static bool knows_full(const struct profile *x, int64_t has, struct finding *f)
{
	if (!rules_know_memory(x, f))
		return false;
	assert(x->curve);
	return !finding_unknown(f, peak_of(x->curve) == ARG_UNKNOWN,
		       "its [memory] events do not say what is allocated in all") &&
		!finding_unknown(f, has <= 0, "the trace does not say how much memory the GPU has");
}

static void check_full(struct look *k, struct finding *f, const struct profile *x)
{
	int64_t has = capacity(k);

	if (x->curve && x->curve->ooms > 0) {
		f->severity = SEVERITY_CRIT;
		f->count = x->curve->ooms;
		f->place = rules_all_steps(x);
		f->text = arena_printf(x->mem, "%lld out-of-memory event%s", (long long)f->count,
			plural_s(f->count));
		f->action = k->is_plain
			? "smaller batches, less that is kept"
			: "smaller batch, gradient checkpointing, gradient accumulation";
		return;
	}
	if (!knows_full(x, has, f))
		return;
	assert(x->curve);
	int64_t peak = peak_of(x->curve);
	f->place = place_of_peak(x);
	f->unit = UNIT_RATIO;
	f->value = (double)peak / (double)has;
	f->severity = look_above(k, f->value, "G11.warn", NULL);
	if (f->severity == SEVERITY_OK &&
		(f->value > look_limit(k, "G11.high") || f->value < look_limit(k, "G11.low")))
		f->severity = SEVERITY_NOTE;
	f->text = arena_printf(x->mem, "peak %s of %s (%s)", unit_bytes(x->mem, (double)peak),
		unit_bytes(x->mem, (double)has), unit_percent(x->mem, f->value));
	if (f->value < look_limit(k, "G11.low"))
		f->action = "there is room for a larger batch";
}

RULE(G11, "memory full",
	"The peak of what the allocator held (reserved; where that is not recorded, "
	"allocated) over the GPU's memory. From 85 to 95% it is well used; above 98%, a "
	"small change may run out of memory; below 50%, a larger batch fits. Memory "
	"that is not the allocator's (contexts, NCCL) is not in it.",
	"Training Profiling Guide: memory near capacity but not out of memory; PyTorch "
	"Profiler Analysis Guide",
	.advice = "close to the limit: smaller batch, gradient accumulation, or "
		  "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",
	.plain_advice = "close to the limit: smaller batches, less that is kept",
	.verdict = "out-of-memory",
	.limits = LIMITS(LIMIT("diagnose.G11.warn", RATIO, "98%",
				 "WARN when the peak is more than this share of the GPU's memory"),
		LIMIT("diagnose.G11.high", RATIO, "95%", "a note when it is more than this"),
		LIMIT("diagnose.G11.low", RATIO, "50%", "a note when it is less than this")),
	.run = check_full)

/* ---- G14 ---- */

/* How bad a trend is; left: steps until the device is full, NaN when nobody knows. */
static enum severity leak_severity(
	const struct look *k, const struct memcurve_trend *t, double left)
{
	if (t->sign != MEMCURVE_LEAK && t->sign != MEMCURVE_RISING)
		return t->sign == MEMCURVE_RESERVED ? SEVERITY_NOTE : SEVERITY_OK;
	if (t->slope <= look_limit(k, "G14.warn"))
		return SEVERITY_NOTE;
	return left < look_limit(k, "G14.crit") ? SEVERITY_CRIT : SEVERITY_WARN;
}

static bool knows_trend(const struct profile *x, struct memcurve_trend *t, struct finding *f)
{
	if (!rules_know_memory(x, f) || finding_unknown(f, !x->has_steps, "nothing marks steps"))
		return false;
	(void)memcurve_trend(t, x->curve, x->run, x->query_view);
	return !finding_unknown(f, t->sign == MEMCURVE_UNKNOWN, "there are too few steps to tell");
}

static void check_leak(struct look *k, struct finding *f, const struct profile *x)
{
	struct memcurve_trend t = { 0 };
	int64_t has = capacity(k);
	double left = NAN;

	if (!knows_trend(x, &t, f))
		return;
	if (has > 0 && t.slope > 0 && !x->curve->is_relative)
		left = ((double)has - (double)t.last) / t.slope;
	f->unit = UNIT_BYTES;
	f->value = t.slope;
	f->count = (int64_t)t.steps;
	f->place = rules_all_steps(x);
	f->severity = leak_severity(k, &t, left);
	f->text = arena_printf(x->mem, "%s: allocated memory changes by %s%s/step over %zu steps",
		memcurve_sign_word(t.sign), t.slope > 0 ? "+" : "", unit_bytes(x->mem, t.slope),
		t.steps);
	if (f->severity == SEVERITY_OK)
		return;
	f->evidence = arena_printf(x->mem, "from %s to %s%s%s%s",
		unit_bytes(x->mem, (double)t.first), unit_bytes(x->mem, (double)t.last),
		isnan(t.p) ? "" : arena_printf(x->mem, " (p = %.2g)", t.p),
		isnan(left) ? "" : "; full in ",
		isnan(left) ? "" : arena_printf(x->mem, "%.0f steps", left));
}

RULE(G14, "memory leak",
	"What is allocated at the ends of steps, and how it changes from one to the next: the "
	"median of the slopes of all pairs of steps (Theil-Sen), and whether chance explains "
	"the trend (Mann-Kendall, p below 0.01); with few steps, growth in every one of them. "
	"Memory that is taken once, as gradients and optimizer state in the first step, is no "
	"leak.\n\n"
	"The guides compare one moment with a baseline (0.5 GB more), which fires in every "
	"training.",
	"Profiling & Metrics, leak check; Theil 1950, Sen 1968, Mann 1945, Kendall 1975",
	.advice = "look for tensors kept from step to step: losses without .item(), lists, caches",
	.verdict = "memory-leak",
	.limits = LIMITS(LIMIT("diagnose.G14.warn", BYTES, "64KiB",
				 "WARN when allocated memory grows by more a step"),
		LIMIT("diagnose.G14.crit", COUNT, "10000",
			"CRIT when at this rate the GPU is full within so many steps")),
	.run = check_leak)

/* ---- G21 ---- */

/* How often it falls by a twentieth of the peak and rises again by as much: teeth of a saw. */
static int64_t teeth(const struct memcurve *c)
{
	int64_t step = c->reserved[c->peak_reserved] / 20, high = 0, low = 0, n = 0;
	bool is_down = false;

	for (size_t i = 0; i < c->n; i++) {
		int64_t v = c->reserved[i];

		if (v == ARG_UNKNOWN)
			continue;
		if (!is_down && v > high)
			high = v;
		if (is_down && v < low)
			low = v;
		if (!is_down && v < high - step) {
			is_down = true;
			low = v;
		} else if (is_down && v > low + step) {
			is_down = false;
			high = v;
			n++;
		}
	}
	return n;
}

static void check_fragments(struct look *k, struct finding *f, const struct profile *x)
{
	const struct memcurve *c = x->curve;

	if (!rules_know_memory(x, f) ||
		finding_unknown(f, c->peak_reserved >= c->n || c->reserved[c->peak_reserved] <= 0,
			"its [memory] events do not say what is reserved"))
		return;
	int64_t reserved = c->reserved[c->peak_reserved];
	int64_t allocated = c->peak < c->n ? c->allocated[c->peak] : 0;
	rules_put_ratio(k, f, 1 - (double)allocated / (double)reserved, "G21.note");
	f->count = teeth(c);
	f->place = place_of_peak(x);
	f->text = arena_printf(x->mem, "%s reserved at most, %s allocated at most (%s unused)",
		unit_bytes(x->mem, (double)reserved), unit_bytes(x->mem, (double)allocated),
		unit_percent(x->mem, f->value));
	if ((double)f->count > look_limit(k, "G21.falls")) {
		f->severity = SEVERITY_WARN;
		f->evidence = arena_printf(x->mem,
			"reserved memory falls and rises again %lld times", (long long)f->count);
	}
}

RULE(G21, "fragmentation",
	"Memory that the allocator holds and nobody uses: the peak of reserved beside the peak "
	"of allocated memory; and how often reserved memory falls and rises again by a "
	"twentieth of its peak, like the teeth of a saw. Allocated memory rises and falls in "
	"every step; that is no fragmentation.",
	"PyTorch Profiler Analysis Guide: a sawtooth is fragmentation",
	.advice = "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; fewer different shapes; no "
		  "empty_cache() in the loop",
	.plain_advice = "fewer different sizes; take memory once and use it again",
	.verdict = "fragmented",
	.limits = LIMITS(
		LIMIT("diagnose.G21.note", RATIO, "25%",
			"a note when more than this share of what is reserved at its peak is not allocated"),
		LIMIT("diagnose.G21.falls", COUNT, "3",
			"WARN when reserved memory falls and rises again more often")),
	.run = check_fragments)
