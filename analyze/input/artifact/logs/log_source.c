/* Lines of Python, C and their kin, by how they begin and end. */
#include "analyze/input/artifact/logs/log_source.h"

#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/logs/log_items.h"
#include "analyze/input/artifact/logs/log_pairs.h"

enum { RULE_LEAST = 20 };

/* What lines begin with, and what is in them further on; "": they end with a colon. */
static const struct {
	const char *start, *further;
} signs[] = {
	{ "from ", " import " },
	{ "def ", "(" },
	{ "class ", "" },
	{ "for ", " in " },
	{ "with ", " as " },
	{ "if __name__ ", "==" },
	{ "#include ", ">" },
	{ "#include ", "\"" },
};

/* "import numpy as np" */
static bool is_import(struct span line)
{
	return span_starts(line, "import ") &&
		ALL(i, line.n,
			is_letter(line.p[i]) || is_digit(line.p[i]) || strchr(" ._,", line.p[i]));
}

static bool begins(struct span line)
{
	for (size_t i = 0; i < COUNT_OF(signs); i++) {
		bool is_block = signs[i].start[0] != '#' && signs[i].start[1] != 'r';

		if (line.n && line.p[0] == signs[i].start[0] && span_starts(line, signs[i].start) &&
			span_has(line, signs[i].further) && (!is_block || span_ends(line, ":")))
			return true;
	}
	return is_import(line);
}

/* "log(step=5" */
static bool has_call(struct span line)
{
	const char *open = memchr(line.p, '(', line.n), *end = line.p + line.n;
	const char *close = open ? memchr(open, ')', (size_t)(end - open)) : NULL;

	return open && open > line.p && is_letter(open[-1]) &&
		memchr(open, '=', (size_t)((close ? close : end) - open));
}

/* Figures at a step, which no calls, texts or members of objects make. */
static bool is_placed(struct span line)
{
	struct log_pairs pairs;

	if (span_has(line, "(\"") || span_has(line, "('") || span_has(line, "f'") ||
		span_has(line, "f\"") || span_has(line, "self.") || span_has(line, "args.") ||
		span_ends(line, ":") || has_call(line))
		return false;
	log_pairs_find(&pairs, line);
	return pairs.n > 1 && log_pairs_have_count(&pairs);
}

/* No source has such a line: a rule, a dict of figures, a bar, a row of a table, "loss: 0.5". */
static bool ends(struct span line, bool is_indented)
{
	struct span label;
	enum measure m;
	double v;

	if (line.n == 0)
		return false;
	if (span_has(line, "%|") || (line.n > 1 && line.p[0] == '|' && span_ends(line, "|")))
		return true;
	return !is_indented &&
		((line.n >= RULE_LEAST && ALL(i, line.n, line.p[i] == '=')) ||
			(line.p[0] == '{' && log_dict_is_metrics(line)) ||
			label_figure(line, &label, &v, &m));
}

bool log_source_line(bool *is_open, struct span line)
{
	bool is_indented = line.n && is_space_or_tab(line.p[0]);

	line = span_trim(line);
	if (*is_open)
		*is_open = !is_placed(line) && !ends(line, is_indented);
	else
		*is_open = !is_indented && begins(line);
	return *is_open;
}
