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

/* Of one part of a name; the first row that matches decides.  What has no better side: settings,
 * counts, times of day, and how long all of it took, which is a matter of how much was done. */
static const struct meaning properties[] = {
	{ span_starts_in_nocase, "num_|n_|total_output_tokens|duration|elapsed|total_time",
		KIND_OF_PROPERTY },
	{ span_ends_in_nocase,
		"_count|counts|_calls|steps|_step|_size|start_time|end_time|_tokens|_lens|"
		"_requests",
		KIND_OF_PROPERTY },
	{ span_in_nocase,
		"count|calls|runs|step|epoch|lr|wall_time|index|rank|tokens|samples|completed|"
		"concurrency|device|train_runtime",
		KIND_OF_PROPERTY },
	{ span_has_in_nocase,
		"epochs|seed|learning_rate|params|window|version|timestamp|world|embeddings|"
		"sample_size|total_samples|total_groups|baseline|free|available|total_memory|"
		"temperature|power|clocks|length|tokens_seen|kl_coef|kl_target|total_runtime",
		KIND_OF_PROPERTY },
};

static const struct meaning patterns[] = {
	{ span_has_in_nocase, "invalid", KIND_OF_ERROR },
	{ span_has_in_nocase, "per_sec|throughput|goodput|speedup", KIND_OF_RATE },
	{ span_ends_in_nocase, "per_s|/s", KIND_OF_RATE },
	{ span_in_nocase, "tps", KIND_OF_RATE },
	{ span_has_in_nocase, "loss|perplexity", KIND_OF_LOSS },
	{ span_in_nocase, "ppl", KIND_OF_LOSS },
	{ span_in_nocase, "kl", KIND_OF_KL },
	{ span_starts_in_nocase, "kl_", KIND_OF_KL },
	{ span_ends_in_nocase, "_kl", KIND_OF_KL },
	{ span_has_in_nocase,
		"accurac|recall|bleu|rouge|win_rate|pass_rate|success_rate|valid_rate",
		KIND_OF_ACCURACY },
	{ span_in_nocase, "acc|precision|auc|mean_score|score", KIND_OF_ACCURACY },
	{ span_ends_in_nocase, "_acc|_f1", KIND_OF_ACCURACY },
	{ span_starts_in_nocase, "f1", KIND_OF_ACCURACY },
	{ span_has_in_nocase, "reward", KIND_OF_REWARD },
	{ span_has_in_nocase, "utili|gpu_util|busy|occupancy", KIND_OF_UTILIZATION },
	{ span_in_nocase, "mfu", KIND_OF_UTILIZATION },
	{ span_ends_in_nocase, "_mfu", KIND_OF_UTILIZATION },
	{ span_has_in_nocase, "error|fail|nan_|oom", KIND_OF_ERROR },
	{ span_has_in_nocase, "latency|duration|_wait|overhead", KIND_OF_TIME },
	{ span_ends_in_nocase, "time|times", KIND_OF_TIME },
	{ span_has_in_nocase, "memory|_mem|allocated|reserved", KIND_OF_MEMORY },
	{ span_starts_in_nocase, "mem_", KIND_OF_MEMORY },
};

/* Parts that say how values were summed up; the others before them say of what. */
static bool is_spread(struct span part)
{
	return span_in_nocase(part, "std|var|min|latest|trend|p25") ||
		span_ends_in_nocase(part, "_std|_var|_min") ||
		span_starts_in_nocase(part, "std_|min_");
}

/* Of times: how slow the usual and the slow ones are.  Of anything else a spread. */
static bool names_quantile(struct span part)
{
	return span_in_nocase(part, "median|p50|p75|p90|p95|p99") ||
		span_starts_in_nocase(part, "p50_|p75_|p90_|p95_|p99_");
}

static bool names_extreme(struct span part)
{
	return span_in_nocase(part, "max") || span_ends_in_nocase(part, "_max") ||
		span_starts_in_nocase(part, "max_");
}

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
	enum { SAYS_NOTHING = -1 };
	enum kind kind = kind_of_unit(unit);
	bool is_extreme = false, is_quantile = false;
	int says = SAYS_NOTHING;

	if (unit == UNIT_NONE && span_is_nocase(name, "time")) /* of day: nobody says how long */
		return &kinds[KIND_OF_PROPERTY];

	while (name.n > 0 && says == SAYS_NOTHING) {
		struct span part = cut_part(&name);

		is_extreme = is_extreme || names_extreme(part);
		is_quantile = is_quantile || names_quantile(part);
		says = is_spread(part) ? KIND_OF_PROPERTY
				       : MEANING_OF(part, properties, SAYS_NOTHING);
		if (says == SAYS_NOTHING)
			says = MEANING_OF(part, patterns, SAYS_NOTHING);
	}
	if (says != SAYS_NOTHING && (kind == KIND_OF_UNKNOWN || says == KIND_OF_PROPERTY))
		kind = (enum kind)says;
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
