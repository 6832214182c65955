/* Kinds of figures: the table of directions. */
#include "analyze/compare/figurekind.h"

#include <math.h>

#define SAME(x)                    \
	{                          \
		(x), (x), (x), (x) \
	}
#define MIB 1048576.0
#define US  1e3

enum kind {
	KIND_OF_PROPERTY,
	KIND_OF_UNKNOWN,
	KIND_OF_ACCURACY,
	KIND_OF_REWARD,
	KIND_OF_RATE,
	KIND_OF_UTILIZATION,
	KIND_OF_LOSS,
	KIND_OF_KL,
	KIND_OF_ERROR,
	KIND_OF_TIME,
	KIND_OF_QUANTILE,
	KIND_OF_MEMORY
};

static const struct figure_kind kinds[] = {
	[KIND_OF_PROPERTY] = { .word = "property", .noise = NAN },
	[KIND_OF_UNKNOWN] = { .word = "unknown", .noise = NAN },
	[KIND_OF_ACCURACY] = { "accuracy", BETTER_HIGHER, { 0.02, 0.03, 0.015, 0.01 },
		.noise = 0.01 },
	[KIND_OF_REWARD] = { "reward", BETTER_HIGHER, { 0.10, 0.15, 0.08, 0.05 }, 0.01,
		.noise = NAN },
	[KIND_OF_RATE] = { "throughput", BETTER_HIGHER, { 0.08, 0.12, 0.05, 0.03 }, .noise = NAN,
		.is_speed = true },
	[KIND_OF_UTILIZATION] = { "utilization", BETTER_HIGHER, SAME(0.05), .noise = NAN,
		.is_speed = true },
	[KIND_OF_LOSS] = { "loss", BETTER_LOWER, SAME(0.50), .noise = NAN, .is_warning = true },
	[KIND_OF_KL] = { "kl", BETTER_LOWER, SAME(0.50), 0.01, .noise = NAN, .is_warning = true },
	[KIND_OF_ERROR] = { "error", BETTER_LOWER, { 0.10, 0.15, 0.08, 0.05 }, 0.005,
		.noise = NAN },
	[KIND_OF_TIME] = { "time", BETTER_LOWER, { 0.10, 0.15, 0.08, 0.05 }, US, .noise = NAN,
		.is_speed = true },
	[KIND_OF_QUANTILE] = { "quantile", BETTER_LOWER, { 0.20, 0.30, 0.16, 0.10 }, US,
		.noise = NAN, .is_warning = true, .is_speed = true },
	[KIND_OF_MEMORY] = { "memory", BETTER_LOWER, SAME(0.20), MIB, .noise = NAN,
		.is_extreme = true },
};

enum where { IS, HAS, STARTS, ENDS };

/* Of one part of a name, ignoring case; the first that matches decides. */
struct pattern {
	enum where where;
	const char *text;
	enum kind kind;
};

/* What has no better side: settings, counts, times of day, and how long all of it took, which is a
 * matter of how much was done. */
static const struct pattern properties[] = {
	{ STARTS, "num_", KIND_OF_PROPERTY },
	{ STARTS, "n_", KIND_OF_PROPERTY },
	{ ENDS, "_count", KIND_OF_PROPERTY },
	{ IS, "count", KIND_OF_PROPERTY },
	{ ENDS, "counts", KIND_OF_PROPERTY },
	{ IS, "calls", KIND_OF_PROPERTY },
	{ ENDS, "_calls", KIND_OF_PROPERTY },
	{ IS, "runs", KIND_OF_PROPERTY },
	{ ENDS, "steps", KIND_OF_PROPERTY },
	{ IS, "step", KIND_OF_PROPERTY },
	{ ENDS, "_step", KIND_OF_PROPERTY },
	{ HAS, "epochs", KIND_OF_PROPERTY },
	{ IS, "epoch", KIND_OF_PROPERTY },
	{ ENDS, "_size", KIND_OF_PROPERTY },
	{ HAS, "seed", KIND_OF_PROPERTY },
	{ HAS, "learning_rate", KIND_OF_PROPERTY },
	{ IS, "lr", KIND_OF_PROPERTY },
	{ HAS, "params", KIND_OF_PROPERTY },
	{ HAS, "window", KIND_OF_PROPERTY },
	{ HAS, "version", KIND_OF_PROPERTY },
	{ HAS, "timestamp", KIND_OF_PROPERTY },
	{ IS, "wall_time", KIND_OF_PROPERTY },
	{ ENDS, "start_time", KIND_OF_PROPERTY },
	{ ENDS, "end_time", KIND_OF_PROPERTY },
	{ IS, "index", KIND_OF_PROPERTY },
	{ IS, "rank", KIND_OF_PROPERTY },
	{ HAS, "world", KIND_OF_PROPERTY },
	{ HAS, "embeddings", KIND_OF_PROPERTY },
	{ HAS, "sample_size", KIND_OF_PROPERTY },
	{ HAS, "total_samples", KIND_OF_PROPERTY },
	{ HAS, "total_groups", KIND_OF_PROPERTY },
	{ HAS, "baseline", KIND_OF_PROPERTY },
	{ HAS, "free", KIND_OF_PROPERTY },
	{ HAS, "available", KIND_OF_PROPERTY },
	{ HAS, "total_memory", KIND_OF_PROPERTY },
	{ HAS, "temperature", KIND_OF_PROPERTY },
	{ HAS, "power", KIND_OF_PROPERTY },
	{ HAS, "clocks", KIND_OF_PROPERTY },
	{ HAS, "length", KIND_OF_PROPERTY },
	{ IS, "tokens", KIND_OF_PROPERTY },
	{ ENDS, "_tokens", KIND_OF_PROPERTY },
	{ HAS, "tokens_seen", KIND_OF_PROPERTY },
	{ IS, "samples", KIND_OF_PROPERTY },
	{ ENDS, "_lens", KIND_OF_PROPERTY },
	{ ENDS, "_requests", KIND_OF_PROPERTY },
	{ STARTS, "total_output_tokens", KIND_OF_PROPERTY },
	{ IS, "completed", KIND_OF_PROPERTY },
	{ IS, "concurrency", KIND_OF_PROPERTY },
	{ HAS, "kl_coef", KIND_OF_PROPERTY },
	{ HAS, "kl_target", KIND_OF_PROPERTY },
	{ IS, "device", KIND_OF_PROPERTY },
	{ HAS, "total_runtime", KIND_OF_PROPERTY },
	{ STARTS, "duration", KIND_OF_PROPERTY },
	{ STARTS, "elapsed", KIND_OF_PROPERTY },
	{ STARTS, "total_time", KIND_OF_PROPERTY },
	{ IS, "train_runtime", KIND_OF_PROPERTY },
};

static const struct pattern patterns[] = {
	{ HAS, "invalid", KIND_OF_ERROR },
	{ HAS, "per_sec", KIND_OF_RATE },
	{ ENDS, "per_s", KIND_OF_RATE },
	{ HAS, "throughput", KIND_OF_RATE },
	{ HAS, "goodput", KIND_OF_RATE },
	{ ENDS, "/s", KIND_OF_RATE },
	{ IS, "tps", KIND_OF_RATE },
	{ HAS, "speedup", KIND_OF_RATE },
	{ HAS, "loss", KIND_OF_LOSS },
	{ HAS, "perplexity", KIND_OF_LOSS },
	{ IS, "ppl", KIND_OF_LOSS },
	{ IS, "kl", KIND_OF_KL },
	{ STARTS, "kl_", KIND_OF_KL },
	{ ENDS, "_kl", KIND_OF_KL },
	{ HAS, "accurac", KIND_OF_ACCURACY },
	{ IS, "acc", KIND_OF_ACCURACY },
	{ ENDS, "_acc", KIND_OF_ACCURACY },
	{ STARTS, "f1", KIND_OF_ACCURACY },
	{ ENDS, "_f1", KIND_OF_ACCURACY },
	{ IS, "precision", KIND_OF_ACCURACY },
	{ HAS, "recall", KIND_OF_ACCURACY },
	{ IS, "auc", KIND_OF_ACCURACY },
	{ HAS, "bleu", KIND_OF_ACCURACY },
	{ HAS, "rouge", KIND_OF_ACCURACY },
	{ HAS, "win_rate", KIND_OF_ACCURACY },
	{ HAS, "pass_rate", KIND_OF_ACCURACY },
	{ HAS, "success_rate", KIND_OF_ACCURACY },
	{ IS, "mean_score", KIND_OF_ACCURACY },
	{ IS, "score", KIND_OF_ACCURACY },
	{ HAS, "valid_rate", KIND_OF_ACCURACY },
	{ HAS, "reward", KIND_OF_REWARD },
	{ HAS, "utili", KIND_OF_UTILIZATION },
	{ HAS, "gpu_util", KIND_OF_UTILIZATION },
	{ IS, "mfu", KIND_OF_UTILIZATION },
	{ ENDS, "_mfu", KIND_OF_UTILIZATION },
	{ HAS, "busy", KIND_OF_UTILIZATION },
	{ HAS, "occupancy", KIND_OF_UTILIZATION },
	{ HAS, "error", KIND_OF_ERROR },
	{ HAS, "fail", KIND_OF_ERROR },
	{ HAS, "nan_", KIND_OF_ERROR },
	{ HAS, "oom", KIND_OF_ERROR },
	{ HAS, "latency", KIND_OF_TIME },
	{ HAS, "duration", KIND_OF_TIME },
	{ ENDS, "time", KIND_OF_TIME },
	{ ENDS, "times", KIND_OF_TIME },
	{ HAS, "_wait", KIND_OF_TIME },
	{ HAS, "overhead", KIND_OF_TIME },
	{ HAS, "memory", KIND_OF_MEMORY },
	{ HAS, "_mem", KIND_OF_MEMORY },
	{ STARTS, "mem_", KIND_OF_MEMORY },
	{ HAS, "allocated", KIND_OF_MEMORY },
	{ HAS, "reserved", KIND_OF_MEMORY },
};

/* Parts that say how values were summed up; the others before them say of what. */
static const struct pattern spreads[] = {
	{ IS, "std", KIND_OF_PROPERTY },
	{ ENDS, "_std", KIND_OF_PROPERTY },
	{ STARTS, "std_", KIND_OF_PROPERTY },
	{ IS, "var", KIND_OF_PROPERTY },
	{ ENDS, "_var", KIND_OF_PROPERTY },
	{ IS, "min", KIND_OF_PROPERTY },
	{ ENDS, "_min", KIND_OF_PROPERTY },
	{ STARTS, "min_", KIND_OF_PROPERTY },
	{ IS, "latest", KIND_OF_PROPERTY },
	{ IS, "trend", KIND_OF_PROPERTY },
	{ IS, "p25", KIND_OF_PROPERTY },
};
/* Of times: how slow the usual and the slow ones are.  Of anything else a spread. */
static const struct pattern quantiles[] = {
	{ IS, "median", KIND_OF_QUANTILE },
	{ IS, "p50", KIND_OF_QUANTILE },
	{ IS, "p75", KIND_OF_QUANTILE },
	{ IS, "p90", KIND_OF_QUANTILE },
	{ IS, "p95", KIND_OF_QUANTILE },
	{ IS, "p99", KIND_OF_QUANTILE },
	{ STARTS, "p50_", KIND_OF_QUANTILE },
	{ STARTS, "p75_", KIND_OF_QUANTILE },
	{ STARTS, "p90_", KIND_OF_QUANTILE },
	{ STARTS, "p95_", KIND_OF_QUANTILE },
	{ STARTS, "p99_", KIND_OF_QUANTILE },
};
static const struct pattern extremes[] = {
	{ IS, "max", KIND_OF_PROPERTY },
	{ ENDS, "_max", KIND_OF_PROPERTY },
	{ STARTS, "max_", KIND_OF_PROPERTY },
};

static bool ends(struct span s, const char *text)
{
	struct span want = span_of(text);

	return s.n >= want.n && span_is_nocase((struct span){ s.p + s.n - want.n, want.n }, text);
}

static bool starts(struct span s, const char *text)
{
	struct span want = span_of(text);

	return s.n >= want.n && span_is_nocase((struct span){ s.p, want.n }, text);
}

static bool matches(const struct pattern *p, struct span part)
{
	switch (p->where) {
	case IS: return span_is_nocase(part, p->text);
	case HAS: return span_has_nocase(part, p->text);
	case STARTS: return starts(part, p->text);
	default: return ends(part, p->text);
	}
}

static const struct pattern *find(const struct pattern *p, size_t n, struct span part)
{
	for (size_t i = 0; i < n; i++)
		if (matches(&p[i], part))
			return &p[i];
	return NULL;
}
#define FIND(list, part) find((list), COUNT_OF(list), (part))

/* The last part of what is left of a name, which is cut off. */
static struct span cut_part(struct span *name)
{
	size_t i = name->n;

	/* "tokens/s" is one word */
	if (i > 2 && name->p[i - 2] == '/' && name->p[i - 1] == 's')
		i -= 2;
	while (i > 0 && name->p[i - 1] != '/' && name->p[i - 1] != '.')
		i--;
	struct span part = (struct span){ name->p + i, name->n - i };
	name->n = i > 0 ? i - 1 : 0;
	return part;
}

static enum kind kind_of_unit(enum unit unit)
{
	return unit == UNIT_NS             ? KIND_OF_TIME
		: unit == UNIT_BYTES       ? KIND_OF_MEMORY
		: unit == UNIT_BYTES_PER_S ? KIND_OF_RATE
					   : KIND_OF_UNKNOWN;
}

const struct figure_kind *figure_kind(struct span name, enum unit unit)
{
	enum kind kind = kind_of_unit(unit);
	bool is_extreme = false, is_quantile = false;
	const struct pattern *p = NULL;

	if (unit == UNIT_NONE && span_is_nocase(name, "time")) /* of day: nobody says how long */
		return &kinds[KIND_OF_PROPERTY];

	while (name.n > 0 && !p) {
		struct span part = cut_part(&name);

		is_extreme = is_extreme || FIND(extremes, part);
		is_quantile = is_quantile || FIND(quantiles, part);
		p = FIND(spreads, part);
		p = p ? p : FIND(properties, part);
		p = p ? p : FIND(patterns, part);
	}
	if (p && (kind == KIND_OF_UNKNOWN || p->kind == KIND_OF_PROPERTY))
		kind = p->kind;
	if (kind == KIND_OF_MEMORY && unit == UNIT_RATIO)
		kind = KIND_OF_UNKNOWN; /* of a controller that is busy, or of what is full */
	if (is_quantile)
		kind = kind == KIND_OF_TIME ? KIND_OF_QUANTILE : KIND_OF_PROPERTY;
	if (is_extreme && !kinds[kind].is_extreme)
		kind = KIND_OF_PROPERTY;
	return &kinds[kind];
}

double figure_kind_floor(const struct figure_kind *k, enum unit unit)
{
	bool is_measured = k == &kinds[KIND_OF_TIME] || k == &kinds[KIND_OF_QUANTILE] ||
		k == &kinds[KIND_OF_MEMORY];

	return is_measured && kind_of_unit(unit) == KIND_OF_UNKNOWN ? 0 : k->floor;
}

bool figure_kind_is_property(const struct figure_kind *k)
{
	return k == &kinds[KIND_OF_PROPERTY];
}
