/* Logs of a run as plain text: which texts are some, by signs that are weighed. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/logs/log_forms.h"
#include "analyze/input/artifact/logs/log_bars.h"
#include "analyze/input/artifact/logs/log_items.h"
#include "analyze/input/artifact/logs/log_pairs.h"
#include "analyze/input/artifact/logs/log_prefix.h"
#include "analyze/input/artifact/logs/log_source.h"
#include "analyze/input/artifact/logs/log_table.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/artifact/logs/log_wrapped.h"
#include "analyze/input/artifact/logs/text_log.h"
#include "analyze/input/artifact/tables/nsys_tables.h"
#include "analyze/input/artifact/tables/op_table.h"
#include "analyze/input/source/alien.h"
#include "analyze/trace/figure.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

/* --- how much of a log a line has --- */

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

	if (label_figure(text, &label, &v, &m))
		return log_word_is_quantity(label) ? 1 + 2 * is_said : 0;
	log_pairs_find(&pairs, text);
	if (!log_pairs_are_figures(&pairs))
		return 0;
	if (log_pairs_are_rates(&pairs))
		return 3;
	for (EACH(const struct log_pair, pair, pairs.v, pairs.n))
		quantity |= !log_word_is_count(pair->key) && log_word_is_quantity(pair->key);
	return log_pairs_have_count(&pairs) && pairs.n > 1 ? 5 : quantity ? 1 + 2 * is_said : 0;
}

static int text_weight(struct span text, bool is_said)
{
	struct log_bar bar;

	if (log_form_find(text, NULL))
		return 10;
	if (log_bar_find(&bar, text))
		return bar.postfix.n ? 5 : MAX(1, figures_weight(bar.behind, true));
	if (span_starts(text, "Current memory: ") || span_starts(text, "Peak memory: "))
		return 10;
	return is_environment(text) ? 0 : figures_weight(text, is_said);
}

int log_weight(struct span line)
{
	struct log_prefix prefix;
	SCOPED_STR plain = { 0 };

	if (op_table_is_heading(line) || log_flags_is_known(line) || nsys_is_printed(line))
		return 10;
	line = log_plain(line, &plain);
	if (plain.n == 0) { /* numbers want bytes behind them */
		str_add(&plain, line.p, line.n);
		str_add(&plain, "\0\0\0\0\0\0\0\0", REAL_PADDING);
		line.p = plain.s;
	}
	log_prefix_find(&prefix, line);
	return log_dict_is_metrics(line)
		? 10
		: text_weight((struct span){ line.p + prefix.n, line.n - prefix.n }, prefix.n > 0);
}

enum {
	LINES_LOOKED_AT = 4000,
	ENOUGH = 3,
	ROW = 2,
	CERTAIN = 10,
	PLACED = 5,
	RISES = 8,
	RISES_BEHIND = 200,
	RISES_WRAPPED = 2
};

/* A first line in JSON, and text below it. */
static bool begins_with_row(const struct head *h)
{
	struct span behind;

	return head_is_row(h, &behind) && behind.n > 0;
}

/* Its lines are in JSON. */
static bool wraps(const struct head *h)
{
	SCOPED_STR raw = { 0 };

	return log_unwrapped(h->line, &raw).p != h->line.p;
}

/* A row below its heading, at a step. */
static bool is_row(
	struct log_table *t, struct log_entries *entries, struct span line, struct str *plain)
{
	struct log_prefix prefix;
	struct log_pairs pairs;
	struct log_bar bar;
	struct span label;

	line = log_plain(line, plain);
	log_prefix_find(&prefix, line);
	line = (struct span){ line.p + prefix.n, line.n - prefix.n };
	if (log_bar_find(&bar, line))
		line = bar.title;
	if (log_table_entry(entries, line))
		return entries->pairs.n &&
			log_word_is_quantity(entries->pairs.v[entries->pairs.n - 1].key);
	entries->n = 0;
	return !log_table_heading(t, line, false) && log_table_row(t, line, &pairs, &label) &&
		(t->has_texts ? ANY(i, pairs.n, figure_kind(pairs.v[i].key, UNIT_NONE)->better)
			      : label.n == 0);
}

/* A figure at a step. */
static bool is_at_step(struct span line, double *step)
{
	struct log_prefix prefix;
	struct log_pairs pairs;

	log_prefix_find(&prefix, line);
	log_pairs_find(&pairs, (struct span){ line.p + prefix.n, line.n - prefix.n });
	for (size_t i = 0; i < pairs.n && pairs.n > 1; i++)
		if (log_word_is_step(pairs.v[i].key) &&
			pairs.v[i].value == floor(pairs.v[i].value)) {
			*step = pairs.v[i].value;
			return true;
		}
	return false;
}

/* An array of JSON, as traces begin also where they are damaged. */
static bool is_array(struct span text)
{
	struct span in = span_trim(text);

	if (!span_starts(in, "["))
		return false;
	in = span_trim((struct span){ in.p + 1, in.n - 1 });
	return in.n > 0 && strchr("{,[\"]", in.p[0]);
}

/* A log by its first lines; or, behind other texts that stand before it and behind much else, by
 * lines that only logs have and figures at steps that rise.  Source that such lines stand in goes
 * on behind them. */
static enum match probe(const struct head *h)
{
	struct span text = h->text, line;
	struct log_table table = { .n = 0 };
	struct log_entries entries = { .n = 0 };
	SCOPED_STR plain = { 0 };
	SCOPED_STR raw = { 0 };
	bool is_before, is_open = false;

	bool is_wrapped = h->form == HEAD_LINES && wraps(h);
	if ((h->form != HEAD_TEXT && !is_wrapped && !begins_with_row(h)) || is_array(text))
		return MATCH_NO;
	const char *alien = alien_text(text, &is_before);
	bool has_screen = memmem(text.p, text.n, "| NVIDIA-SMI ", 13);
	bool is_source = alien && (strcmp(alien, ALIEN_SOURCE) == 0 || span_starts(text, "#!"));
	int weight = 0, rises = 0, enough = is_source ? RISES_BEHIND : RISES;
	double step = -1, before;

	if (alien && !is_before)
		return MATCH_NO;
	for (int n = 0;
		(weight < CERTAIN || has_screen) && rises < enough && span_line(&text, &line);
		n++) {
		line = log_unwrapped(line, &raw);
		int more = log_weight(line);

		before = step;
		bool is_next = more >= PLACED && is_at_step(line, &step) && step > before;
		rises += is_next || more >= CERTAIN || (more >= PLACED && span_has(line, "%|"));
		if (is_source && log_source_line(&is_open, line))
			rises = 0;
		if (!alien && n < LINES_LOOKED_AT)
			weight += more + ROW * is_row(&table, &entries, line, &plain);
	}
	if (is_wrapped) /* of other texts in JSON few have such lines */
		return weight >= CERTAIN || rises >= RISES_WRAPPED ? MATCH_FAIR : MATCH_NO;
	if (has_screen && rises >= RISES) /* more than the screen that it begins with */
		return MATCH_FAIR;
	return weight >= ENOUGH || rises >= RISES ? MATCH_WEAK : MATCH_NO;
}

const struct artifact artifact_text_log = {
	.name = "text_log",
	.title = "log of a run (text)",
	.summary =
		"console output: step lines of training and serving programs, metrics as Python prints "
		"them, tables of operations, memory, options",
	.is_log = true,
	.probe = probe,
	.read = text_log_read,
};

/* A file with the text of key_averages().table() in front. */
const struct artifact artifact_op_table = {
	.name = "op_table",
	.title = "table of operations (key_averages)",
	.summary = "text of torch's key_averages().table(), by itself",
	.line = op_table_is_heading,
	.lines = 8,
	.read = text_log_read,
};
