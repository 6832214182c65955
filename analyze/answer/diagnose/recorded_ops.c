/* Rules about tables of operations: one that dominates (R09), conversions (R10), the optimizer
 * (R11), the three heaviest (R12). */
#include "analyze/answer/diagnose/rules.h"

enum { TOP = 3 };

/* One column of one list of operations. */
struct ops {
	struct ops_sum of;
	int artifact;
	const char *what;      /* "CUDA time" */
	size_t top[TOP], ntop; /* rows, heaviest first */
};

static double value_of(const struct ops *o, size_t row)
{
	return ops_counts(&o->of, row) ? table_number_at(o->of.t, row, o->of.col) : NAN;
}

static void keep_largest(struct ops *o, size_t row)
{
	for (size_t i = 0; i < TOP; i++) {
		size_t old = i < o->ntop ? o->top[i] : SIZE_MAX;

		if (old != SIZE_MAX && value_of(o, row) <= value_of(o, old))
			continue;
		o->top[i] = row;
		if (old == SIZE_MAX) {
			o->ntop++;
			return;
		}
		row = old;
	}
}

/* The heaviest; false when the column says nothing. */
static bool add_up(struct ops *o)
{
	for (size_t i = 0; i < o->of.t->nrow; i++)
		if (value_of(o, i) > 0)
			keep_largest(o, i);
	return o->of.sum > 0;
}

/* The columns that are looked at, device first. */
static bool ops_of(const struct look *k, size_t i, bool is_device, struct ops *o)
{
	const struct sheet *s = recorded_sheet(k, SHEET_OPS, i);

	if (!s)
		return false;
	*o = (struct ops){ .of = ops_sum(&s->table, is_device ? OPS_SELF_DEVICE : OPS_SELF_CPU,
				   is_device ? "top_cuda_ops" : "top_cpu_ops"),
		.artifact = s->artifact,
		.what = arena_printf(
			k->mem, "%s time", is_device ? recorded_device(k, s->artifact) : "CPU") };
	return true;
}

/* ---- R09 ---- */

/* Matrix products and attention are expected to be high. */
static bool is_expected(struct span name)
{
	return span_has_in_nocase(
		name, "aten::mm|aten::bmm|aten::addmm|aten::linear|flash_attention");
}

static void check_dominant(struct look *k)
{
	struct finding *f;
	struct ops o;

	for (size_t i = 0; ops_of(k, i / 2, i % 2 == 0, &o); i++) {
		if (!add_up(&o) || o.ntop < 2)
			continue;
		struct span name = table_text_at(o.of.t, o.top[0], OPS_NAME);
		double share = value_of(&o, o.top[0]) / o.of.sum;
		if (!(share > look_limit(k, "R09.note")))
			continue;
		f = look_found(k, SEVERITY_NOTE, o.artifact,
			"Single operation dominates: %s is %s of %s", look_name(k->mem, name),
			unit_percent(k->mem, share), o.what);
		f->value = share;
		f->saves = share;
		if (is_expected(name))
			f->action = "Optimization opportunity; matrix products and attention are "
				    "expected to be high";
	}
}

RULE(R09, "one operation",
	"One operation's share of the self time of the operations listed: of GPU time and of "
	"CPU time, each in its list. Lists of ten operations are not all of a run; a list of one says nothing.",
	"Profiler Deep Dive: single operation dominates, optimization opportunity",
	.advice = "Optimization opportunity",
	.limits = LIMITS(LIMIT("diagnose.R09.note", RATIO, "40%",
		"a note when one operation takes more than this share of a list's self time")),
	.record = check_dominant)

/* ---- R10, R11 ---- */

static bool is_cast(struct span name)
{
	return span_is(name, "aten::to") || span_is(name, "aten::_to_copy");
}

static bool is_optimizer(struct span name)
{
	return span_has(name, "Optimizer.step");
}

/* Their share of operations, in the list where it is larger, unless no list has any. */
static void check_share(
	struct look *k, bool (*is)(struct span), const char *limit, const char *words)
{
	double share = 0;
	const char *what = "";
	int from = -1;
	struct ops o;

	for (size_t i = 0; ops_of(k, i / 2, i % 2 == 0, &o); i++) {
		double sum = 0;

		if (!add_up(&o))
			continue;
		for (size_t row = 0; row < o.of.t->nrow; row++) {
			double v = value_of(&o, row);

			if (v > 0 && is(table_text_at(o.of.t, row, OPS_NAME)))
				sum += v;
		}
		if (sum / o.of.sum <= share)
			continue;
		share = sum / o.of.sum;
		what = o.what;
		from = o.artifact;
	}
	if (!(share > 0))
		return;
	struct finding *f =
		look_found(k, share > look_limit(k, limit) ? SEVERITY_NOTE : SEVERITY_OK, from,
			"%s %s of %s", words, unit_percent(k->mem, share), what);
	f->value = share;
	f->saves = share;
}

static void check_casts(struct look *k)
{
	check_share(k, is_cast, "R10.note", "`to` operations (aten::to, aten::_to_copy) are");
}

RULE(R10, "conversions",
	"The share of aten::to and aten::_to_copy in the self time of the operations listed, in "
	"the list (GPU, CPU) where it is larger. Copies between host and device are among them.",
	"Profiler Deep Dive: `to` operations high, dtype mismatches",
	.advice = "Dtype mismatches causing conversions: keep tensors in one dtype, cast once",
	.limits = LIMITS(LIMIT("diagnose.R10.note", RATIO, "10%",
		"a note when aten::to and aten::_to_copy take more than this share of a list")),
	.record = check_casts)

static void check_optimizer(struct look *k)
{
	check_share(k, is_optimizer, "R11.note", "Optimizer.step is");
}

RULE(R11, "optimizer",
	"The share of Optimizer.step in the self time of the operations listed, in the list "
	"(GPU, CPU) where it is larger. The guide calls more than 15% overhead.",
	"Profiler Deep Dive: Optimizer.step should be reasonable, not dominant",
	.advice = "should be reasonable, not dominant: fused or foreach optimizer, gradient "
		  "accumulation",
	.limits = LIMITS(LIMIT("diagnose.R11.note", RATIO, "15%",
		"a note when Optimizer.step takes more than this share of a list")),
	.record = check_optimizer)

/* ---- R12 ---- */

static void check_top(struct look *k)
{
	struct finding *f;
	struct ops o;

	if (k->profile)
		return; /* the trace knows all operations */
	for (size_t i = 0; ops_of(k, i / 2, i % 2 == 0, &o); i++) {
		const char *text = "";
		double sum = 0;

		if (!add_up(&o))
			continue;
		for (size_t j = 0; j < o.ntop; j++) {
			struct span name = table_text_at(o.of.t, o.top[j], OPS_NAME);
			double v = value_of(&o, o.top[j]);

			text = arena_printf(k->mem, "%s%s%zu. %s %s (%s)", text, j ? ", " : "",
				j + 1, look_name(k->mem, name), unit_time(k->mem, v),
				unit_percent(k->mem, v / o.of.sum));
			sum += v;
		}
		f = look_found(k, SEVERITY_NOTE, o.artifact, "Top %zu by self %s: %s", o.ntop,
			o.what, text);
		f->value = sum / o.of.sum;
	}
}

RULE(R12, "top 3",
	"Without a trace: the three operations with most self time, of GPU and of CPU, in "
	"each table of operations (op CSVs, key_averages() tables, summaries), with their "
	"shares of what is listed.",
	"Week 1 baseline profiling: the top 3 computational bottlenecks", .record = check_top)
