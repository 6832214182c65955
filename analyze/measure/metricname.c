/* Roles of series: patterns on their names, in order; the first that matches decides. */
#include "analyze/measure/metricname.h"

static const struct {
	const char *word;
	int direction;
} roles[ROLE_COUNT] = {
#define X(name, word, direction) { word, direction },
	METRIC_ROLES(X)
#undef X
};

/* `in` must match, `out` (if any) must not be in it. */
static const struct {
	struct meaning in;
	const char *out;
} patterns[] = {
	{ { span_has_in_nocase, "zero_std", ROLE_ZERO_STD }, NULL },
	{ { span_has_in_nocase, "loss", ROLE_LOSS }, "scale" },
	{ { span_in_nocase, "perplexity|ppl", ROLE_LOSS }, NULL },
	{ { span_has_in_nocase, "tokens_per_s|tokens/s", ROLE_TOKENS_PER_S }, NULL },
	{ { span_in_nocase, "tps", ROLE_TOKENS_PER_S }, NULL },
	{ { span_has_in_nocase, "samples_per_s", ROLE_SAMPLES_PER_S }, NULL },
	{ { span_in_nocase, "throughput", ROLE_SAMPLES_PER_S }, NULL },
	{ { span_in_nocase, "num_tokens|num_input_tokens_seen|total_tokens|tokens_seen",
		  ROLE_TOKENS },
		NULL },
	{ { span_has_in_nocase, "grad_norm|gradient_norm", ROLE_GRAD_NORM }, NULL },
	{ { span_in_nocase, "learning_rate|lr", ROLE_RATE }, NULL },
	{ { span_in_nocase, "kl", ROLE_KL }, NULL },
	{ { span_starts_in_nocase, "kl_", ROLE_KL }, "loss" },
	{ { span_has_in_nocase, "approx_kl", ROLE_KL }, NULL },
	{ { span_has_in_nocase, "reward_std|reward_var", ROLE_REWARD_STD }, NULL },
	{ { span_has_in_nocase, "completion_length|response_length|sequence_length", ROLE_LENGTH },
		NULL },
	{ { span_has_in_nocase, "wait|data_loading|data_time", ROLE_WAIT }, NULL },
	{ { span_has_in_nocase, "step_time|iteration_time", ROLE_STEP_TIME }, NULL },
	{ { span_in_nocase, "time_ms|iteration", ROLE_STEP_TIME }, NULL },
	{ { span_in_nocase, "timestamp|_timestamp|time|_runtime|elapsed", ROLE_CLOCK }, NULL },
	{ { span_has_in_nocase, "reserved", ROLE_RESERVED }, NULL },
	{ { span_has_in_nocase, "allocated", ROLE_ALLOCATED }, NULL },
	{ { span_starts_in_nocase, "reward", ROLE_REWARD }, "std" },
	{ { span_has_in_nocase, "mean_reward", ROLE_REWARD }, NULL },
	{ { span_in_nocase, "accuracy|acc|eval_acc", ROLE_ACCURACY }, NULL },
	{ { span_has_in_nocase, "_accuracy", ROLE_ACCURACY }, NULL },
	{ { span_starts_in_nocase, "f1", ROLE_ACCURACY }, NULL },
	{ { span_in_nocase, "score", ROLE_SCORE }, NULL },
	{ { span_starts_in_nocase, "score_", ROLE_SCORE }, NULL },
};

/* The part behind the last '/' or '.'; *rest: what stands before it. */
static struct span last_part(struct span s, struct span *rest)
{
	size_t i = s.n;

	while (i > 0 && s.p[i - 1] != '/' && s.p[i - 1] != '.')
		i--;
	*rest = (struct span){ s.p, i ? i - 1 : 0 };
	return (struct span){ s.p + i, s.n - i };
}

static enum metric_role role_of_part(struct span part)
{
	for (size_t i = 0; i < COUNT_OF(patterns); i++)
		if (patterns[i].in.is(part, patterns[i].in.words) &&
			!(patterns[i].out && span_has_nocase(part, patterns[i].out)))
			return (enum metric_role)patterns[i].in.means;
	return ROLE_OTHER;
}

/* "rewards/format/mean", "rewards/format/std", "completions/mean_length" */
static enum metric_role role_of_path(struct span name, struct span part)
{
	if (span_has_nocase(name, "length") && span_starts(name, "completions"))
		return ROLE_LENGTH;
	if (!span_starts(name, "rewards") && !span_has(name, "/rewards/"))
		return ROLE_OTHER;
	if (span_is(part, "std"))
		return ROLE_REWARD_STD;
	return ROLE_REWARD;
}

enum metric_role metric_role(struct span name)
{
	struct span rest, part = last_part(name, &rest);
	enum metric_role role = role_of_part(part);

	if (role != ROLE_OTHER || rest.n == 0)
		return role;
	return role_of_path(name, part);
}

const char *metric_role_word(enum metric_role r)
{
	return roles[r].word;
}

int metric_role_direction(enum metric_role r)
{
	return roles[r].direction;
}
