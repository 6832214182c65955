/* The lists behind log_words.h. */
#include "analyze/input/artifact/logs/log_words.h"

#include "base/ascii.h"

/* Words of a key, any case; a '*' at the end: words that begin so. */
static const char *const quantities[] = { "loss*", "lr", "reward*", "accuracy", "acc", "grad*",
	"learning", "perplexity", "ppl", "throughput", "latency", "tflop*", "mfu", "entropy", "kl",
	"f1", "bleu", "rouge*", "memory", "mem", "gpu", "allocated", "reserved", "memallocated",
	"tokens", "token", "tps", "samples", "samplespersec", "advantage*", "val", "train*",
	"eval*", "epoch*", "step*" };

static const char *const steps[] = { "step", "steps", "iter", "iteration", "global_step",
	"global step", "train step", "train_step", "batch_idx", "micro_step", "it" };

static const struct {
	const char *written, *name;
} names[] = {
	{ "loss", "loss" },
	{ "train loss", "train_loss" },
	{ "val loss", "val_loss" },
	{ "validation loss", "val_loss" },
	{ "eval loss", "eval_loss" },
	{ "learning rate", "learning_rate" },
	{ "grad norm", "grad_norm" },
	{ "step time", "step_time" },
	{ "step", "step" },
	{ "steps", "step" },
	{ "iter", "step" },
	{ "iteration", "step" },
	{ "epoch", "epoch" },
};

static bool fits(struct span word, const char *want)
{
	char begin[24];
	size_t n = strlen(want);

	if (want[n - 1] != '*')
		return span_is_nocase(word, want);
	n--;
	if (word.n < n || n >= sizeof(begin))
		return false;
	memcpy(begin, want, n);
	begin[n] = '\0';
	return span_is_nocase((struct span){ word.p, n }, begin);
}

static bool is_listed(struct span word)
{
	for (size_t k = 0; k < COUNT_OF(quantities); k++)
		if (fits(word, quantities[k]))
			return true;
	return false;
}

bool log_word_is_quantity(struct span key)
{
	size_t i = 0, from;

	while (i < key.n) {
		for (from = i; i < key.n && (is_letter(key.p[i]) || is_digit(key.p[i])); i++)
			;
		if (i > from && is_listed((struct span){ key.p + from, i - from }))
			return true;
		i += i == from;
	}
	return false;
}

bool log_word_is_step(struct span key)
{
	for (size_t i = 0; i < COUNT_OF(steps); i++)
		if (span_is_nocase(key, steps[i]))
			return true;
	return false;
}

bool log_word_is_count(struct span key)
{
	return log_word_is_step(key) || span_is_nocase(key, "epoch");
}

struct span log_word_name(struct span key)
{
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (span_is_nocase(key, names[i].written))
			return span_of(names[i].name);
	return key;
}
