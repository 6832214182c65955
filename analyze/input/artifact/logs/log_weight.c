/*
 * Signs of logs of runs, weighed.
 */
#include "analyze/input/artifact/logs/log_weight.h"

#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/logs/log_bar.h"
#include "analyze/input/artifact/logs/log_dict.h"
#include "analyze/input/artifact/logs/log_flags.h"
#include "analyze/input/artifact/logs/log_forms.h"
#include "analyze/input/artifact/logs/log_pairs.h"
#include "analyze/input/artifact/logs/log_plain.h"
#include "analyze/input/artifact/logs/log_prefix.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/artifact/tables/op_table.h"
#include "analyze/input/text/num.h"
#include "base/str.h"

/* NAME=1 alone on a line, in capitals: the environment of a program. */
static bool is_environment(struct span line)
{
	size_t i;

	for (i = 0; i < line.n && line.p[i] != '='; i++)
		if (!(line.p[i] >= 'A' && line.p[i] <= 'Z') && line.p[i] != '_')
			return false;
	return i < line.n;
}

static int figures_weight(struct span text, bool is_said)
{
	struct log_pairs pairs;
	struct span label;
	bool quantity = false;
	enum measure m;
	double v;
	size_t i;

	if (label_figure(text, &label, &v, &m))
		return log_word_is_quantity(label) ? 1 + 2 * is_said : 0;
	log_pairs_find(&pairs, text, NULL);
	if (!log_pairs_are_figures(&pairs))
		return 0;
	for (i = 0; i < pairs.n; i++)
		quantity |=
			!log_word_is_count(pairs.v[i].key) && log_word_is_quantity(pairs.v[i].key);
	if (log_pairs_have_count(&pairs) && pairs.n > 1)
		return 5;
	return quantity ? 1 + 2 * is_said : 0;
}

static int text_weight(struct span text, bool is_said)
{
	struct log_bar bar;

	if (log_form_find(text, NULL))
		return 10;
	if (log_bar_find(&bar, text))
		return bar.postfix.n ? 5 : 1;
	if (span_starts(text, "Current memory: ") || span_starts(text, "Peak memory: "))
		return 10;
	return is_environment(text) ? 0 : figures_weight(text, is_said);
}

int log_weight(struct span line)
{
	struct log_prefix prefix;
	struct str plain = { 0 };
	int weight;

	if (op_table_is_heading(line) || log_flags_is_known(line))
		return 10;
	line = log_plain(line, &plain);
	if (plain.n == 0) { /* numbers want bytes behind them */
		str_add(&plain, line.p, line.n);
		str_add(&plain, "\0\0\0\0\0\0\0\0", REAL_PADDING);
		line.p = plain.s;
	}
	log_prefix_find(&prefix, line);
	weight = log_dict_is_metrics(line)
		? 10
		: text_weight((struct span){ line.p + prefix.n, line.n - prefix.n }, prefix.n > 0);
	str_free(&plain);
	return weight;
}
