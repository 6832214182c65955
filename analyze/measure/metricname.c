/* Roles of series: patterns on their names, in order; the first that matches decides. */
#include "analyze/measure/metricname.h"

#include "base/minmax.h"

static const struct {
	const char *word;
	int direction;
} roles[ROLE_COUNT] = {
#define X(name, word, direction) { word, direction },
	METRIC_ROLES(X)
#undef X
};

enum where { IS, HAS, STARTS };

/* `in` must match, `out` (if any) must not be in it. */
struct pattern {
	enum where where;
	const char *in, *out;
	enum metric_role role;
};

static const struct pattern patterns[] = {
	{ HAS, "zero_std", NULL, ROLE_ZERO_STD },
	{ HAS, "loss", "scale", ROLE_LOSS },
	{ IS, "perplexity", NULL, ROLE_LOSS },
	{ IS, "ppl", NULL, ROLE_LOSS },
	{ HAS, "tokens_per_s", NULL, ROLE_TOKENS_PER_S },
	{ HAS, "tokens/s", NULL, ROLE_TOKENS_PER_S },
	{ IS, "tps", NULL, ROLE_TOKENS_PER_S },
	{ HAS, "samples_per_s", NULL, ROLE_SAMPLES_PER_S },
	{ IS, "throughput", NULL, ROLE_SAMPLES_PER_S },
	{ IS, "num_tokens", NULL, ROLE_TOKENS },
	{ IS, "num_input_tokens_seen", NULL, ROLE_TOKENS },
	{ IS, "total_tokens", NULL, ROLE_TOKENS },
	{ IS, "tokens_seen", NULL, ROLE_TOKENS },
	{ HAS, "grad_norm", NULL, ROLE_GRAD_NORM },
	{ HAS, "gradient_norm", NULL, ROLE_GRAD_NORM },
	{ IS, "learning_rate", NULL, ROLE_RATE },
	{ IS, "lr", NULL, ROLE_RATE },
	{ IS, "kl", NULL, ROLE_KL },
	{ STARTS, "kl_", "loss", ROLE_KL },
	{ HAS, "approx_kl", NULL, ROLE_KL },
	{ HAS, "reward_std", NULL, ROLE_REWARD_STD },
	{ HAS, "reward_var", NULL, ROLE_REWARD_STD },
	{ HAS, "completion_length", NULL, ROLE_LENGTH },
	{ HAS, "response_length", NULL, ROLE_LENGTH },
	{ HAS, "sequence_length", NULL, ROLE_LENGTH },
	{ HAS, "wait", NULL, ROLE_WAIT },
	{ HAS, "data_loading", NULL, ROLE_WAIT },
	{ HAS, "data_time", NULL, ROLE_WAIT },
	{ HAS, "step_time", NULL, ROLE_STEP_TIME },
	{ HAS, "iteration_time", NULL, ROLE_STEP_TIME },
	{ IS, "time_ms", NULL, ROLE_STEP_TIME },
	{ IS, "iteration", NULL, ROLE_STEP_TIME },
	{ IS, "timestamp", NULL, ROLE_CLOCK },
	{ IS, "_timestamp", NULL, ROLE_CLOCK },
	{ IS, "time", NULL, ROLE_CLOCK },
	{ IS, "_runtime", NULL, ROLE_CLOCK },
	{ IS, "elapsed", NULL, ROLE_CLOCK },
	{ HAS, "reserved", NULL, ROLE_RESERVED },
	{ HAS, "allocated", NULL, ROLE_ALLOCATED },
	{ STARTS, "reward", "std", ROLE_REWARD },
	{ HAS, "mean_reward", NULL, ROLE_REWARD },
	{ IS, "accuracy", NULL, ROLE_ACCURACY },
	{ IS, "acc", NULL, ROLE_ACCURACY },
	{ IS, "eval_acc", NULL, ROLE_ACCURACY },
	{ HAS, "_accuracy", NULL, ROLE_ACCURACY },
	{ STARTS, "f1", NULL, ROLE_ACCURACY },
	{ IS, "score", NULL, ROLE_SCORE },
	{ STARTS, "score_", NULL, ROLE_SCORE },
};

static bool matches(const struct pattern *p, struct span s)
{
	if (p->out && span_has_nocase(s, p->out))
		return false;
	switch (p->where) {
	case IS: return span_is_nocase(s, p->in);
	case HAS: return span_has_nocase(s, p->in);
	case STARTS: break;
	}
	return span_has_nocase((struct span){ s.p, MIN(s.n, span_of(p->in).n) }, p->in);
}

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
		if (matches(&patterns[i], part))
			return patterns[i].role;
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
