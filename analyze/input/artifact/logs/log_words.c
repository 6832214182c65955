/* The lists behind log_words.h. */
#include "analyze/input/artifact/logs/log_words.h"

#include "analyze/trace/unit_of_measure.h"

static const struct {
	const char *written, *name;
} names[] = {
	{ "loss", "loss" },
	{ "loss is", "loss" },
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
	{ "it/s", "it_per_sec" },
};

/* A word of a key. */
static bool is_listed(struct span word)
{
	return span_in_nocase(word,
		       "lr|accuracy|acc|learning|perplexity|ppl|throughput|latency|mfu|"
		       "entropy|kl|f1|bleu|memory|mem|gpu|allocated|reserved|memallocated|"
		       "tokens|token|tps|samples|samplespersec|val|rew|fps") ||
		span_starts_in_nocase(word,
			"loss|reward|grad|tflop|rouge|advantage|train|eval|epoch|step|episode");
}

bool log_word_is_quantity(struct span key)
{
	size_t i = 0, from;

	while (i < key.n) {
		from = i;
		i = FIRST_FROM(k, from, key.n, !is_letter(key.p[k]) && !is_digit(key.p[k]));
		if (i > from && is_listed((struct span){ key.p + from, i - from }))
			return true;
		i += i == from;
	}
	return false;
}

/* "Iter(train)" without the remark. */
static struct span without_remark(struct span key)
{
	return key.n && key.p[key.n - 1] == ')' ? span_before(key, '(') : key;
}

/* Words by the lower five bits of their first letter, since each word of a line is looked up. */
enum { LETTER = 31 };
typedef const char *const by_letter[LETTER + 1];

static by_letter steps = {
	['b' & LETTER] = "batch|batch_idx",
	['c' & LETTER] = "current_steps|completed step",
	['e' & LETTER] = "episode",
	['g' & LETTER] = "global_step|global step",
	['i' & LETTER] = "iter|iteration|iters|iterations|it",
	['m' & LETTER] = "micro_step",
	['n' & LETTER] = "num_updates",
	['s' & LETTER] = "step|steps|step_i",
	['t' & LETTER] = "train step|train_step|train_iter|total_timesteps|time/total_timesteps",
	['v' & LETTER] = "validate step",
};
static by_letter epochs = {
	['e' & LETTER] = "epoch|ep",
	['t' & LETTER] = "train/epoch|train epoch|training epoch",
};

static bool is_one_of(struct span key, by_letter words)
{
	const char *some = key.n ? words[key.p[0] & LETTER] : NULL;

	return some && span_in_nocase(without_remark(key), some);
}

bool log_word_is_step(struct span key)
{
	return is_one_of(key, steps);
}

bool log_word_is_epoch(struct span key)
{
	return is_one_of(key, epochs);
}

bool log_word_is_count(struct span key)
{
	return log_word_is_step(key) || log_word_is_epoch(key);
}

bool log_word_is_placed(struct span label)
{
	size_t n = FIRST(i, label.n, !is_letter(label.p[i]) && label.p[i] != '_');
	struct span rest = span_trim(span_from(label, n));

	return rest.n > 0 && is_digit(rest.p[0]) && log_word_is_count((struct span){ label.p, n });
}

bool log_word_is_source(struct span key)
{
	const char *dot = memrchr(key.p, '.', key.n);

	return dot && span_in(span_from(key, (size_t)(dot + 1 - key.p)), "py|cc|cpp|cu|c|h|go|rs");
}

bool log_word_qualifies(struct span word)
{
	return span_in_nocase(word,
		"avail|available|free|cached|mem|memory|train|training|val|"
		"valid|validation|eval|test");
}

bool log_word_is_short(struct span word)
{
	return span_in_nocase(word, "seq|avg|max|min|no|num|acc|std|mem|temp|val|approx|tot");
}

struct span log_word_name(struct span key)
{
	if (key.n == 0 || !strchr("ltveigs", key.p[0] | 0x20))
		return key; /* of none of them */
	return FIND_VALUE(i, COUNT_OF(names), span_is_nocase(key, names[i].written),
		span_of(names[i].name), key);
}

static bool is_judge(struct span word)
{
	return word.n && strchr("tveTVE", word.p[0]) &&
		span_in_nocase(word,
			"test|testing|val|valid|validation|validate|validating|eval|evaluation|evaluating");
}

struct span log_word_judge(struct span prefix, struct span text)
{
	const char *open = memrchr(prefix.p, '[', prefix.n);
	struct span tag = open ? span_before(span_between(open + 1, text.p), ']') : SPAN("");

	if (is_judge(tag))
		return tag;
	text = span_trim(text);
	if (span_starts(text, "* ") && log_word_is_quantity(text)) /* " * Acc@1 50.5" */
		return SPAN("summary");
	size_t n = FIRST(i, text.n, !is_letter(text.p[i]));
	struct span word = { text.p, n }, rest = span_trim(span_from(text, n));

	if (span_in_nocase(word, "epoch|iter") && span_starts(rest, "(")) {
		word = span_before(span_from(rest, 1), ')');
		return span_in_nocase(word, "val|test|eval") ? word : SPAN("");
	}
	if (!is_judge(word) || rest.n < 2 || span_has(rest, "%|"))
		return SPAN("");
	char next = span_trim(span_from(rest, 1)).n ? *span_trim(span_from(rest, 1)).p : '0';
	bool is_label = rest.p[0] == '[' || rest.p[0] == '|' ||
		(rest.p[0] == ':' && !is_digit(next) && !strchr("-+.", next));
	return is_label || span_starts_in_nocase(rest, "epoch|step: |step |metrics |results ")
		? word
		: SPAN("");
}

enum { DEVICES_MAX = 64, PER = 4 };

size_t log_word_device(struct span t, size_t i, int *device)
{
	static const char *const words[] = { "gpu", "cuda:", "device" };

	char first = t.p[i] | 0x20;
	if (first != 'g' && first != 'c' && first != 'd')
		return i; /* most letters */
	size_t k = FIRST(w, COUNT_OF(words),
		t.n - i > strlen(words[w]) &&
			span_is_nocase((struct span){ t.p + i, strlen(words[w]) }, words[w]));

	if (k == COUNT_OF(words) ||
		(i > 0 &&
			(is_letter(t.p[i - 1]) || is_digit(t.p[i - 1]) ||
				strchr("_-", t.p[i - 1]))) ||
		(i >= PER && span_is_nocase((struct span){ t.p + i - PER, PER }, "per ")))
		return i;
	size_t from = i + strlen(words[k]);
	from += from < t.n && strchr(" #", t.p[from]);
	size_t to = FIRST_FROM(c, from, t.n, !is_digit(t.p[c]));
	if (to == from || to - from > 2 || to == t.n || !strchr(":,|])} ", t.p[to]))
		return i;
	struct span unit = span_trim(span_from(t, to));
	unit.n = FIRST(c, unit.n, !is_letter(unit.p[c]) && unit.p[c] != '%');
	if (to - from > 1 && t.p[from] == '0') /* "gpu01": a host */
		return i;
	*device = t.p[to - 1] - '0' + (to - from > 1 ? 10 * (t.p[from] - '0') : 0);
	return *device < DEVICES_MAX && measure_of_unit(unit) == MEASURE_NONE ? to : i;
}

bool log_word_is_rule(struct span line)
{
	return ALL(i, line.n, strchr(" \t=-*#_~.+|:", line.p[i]));
}
