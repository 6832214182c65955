/*
 * Folded stacks: "a;b;c 17" a line, of py-spy -f raw, torch's export_stacks, perf's stackcollapse.
 */
#include <inttypes.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "analyze/input/text/num.h"
#include "base/plural.h"

enum { LINES_LOOKED_AT = 100 };

static const double US = 1e3; /* in ns */

/* The stack and the number behind its last blank. */
static bool split(struct span line, struct span *stack, double *weight)
{
	size_t i = line.n;

	while (i > 0 && line.p[i - 1] != ' ')
		i--;
	if (i < 2 || !real_of((struct span){ line.p + i, line.n - i }, weight) || *weight < 0)
		return false;
	*stack = (struct span){ line.p, i - 1 };
	return true;
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line, stack;
	size_t n = 0, good = 0, deep = 0;
	double w;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	while (n < LINES_LOOKED_AT && span_line(&text, &line)) {
		if (line.n == 0 || (text.n == 0 && !h->is_whole))
			continue;
		n++;
		if (split(line, &stack, &w)) {
			good++;
			deep += memchr(stack.p, ';', stack.n) != NULL;
		}
	}
	return n > 0 && good >= n - n / 20 && deep * 2 >= n ? MATCH_STRONG : MATCH_NO;
}

/* Of torch's export_stacks: "train.py(12):_step", no blanks; its numbers are us of self time. */
static bool is_of_torch(struct span stack)
{
	return span_has_nocase(stack, ".py(") && span_has_nocase(stack, "):_") &&
		!memchr(stack.p, ' ', stack.n);
}

static enum status read_stacks(struct reading *in, struct err *e)
{
	struct stack_rows rows;
	struct lines lines;
	struct span line, stack;
	int64_t alien = 0, alien_at = 0;
	bool is_first = true, is_torch = false;
	enum status st;
	double w;

	stack_rows_open(&rows, in);
	lines_open(&lines, in);
	while (lines_next(&lines, &line)) {
		if (line.n == 0)
			continue;
		if (split(line, &stack, &w)) {
			is_torch = is_first ? is_of_torch(stack) : is_torch;
			is_first = false;
			stack_rows_add_text(&rows, stack, is_torch ? w * US : w, is_torch);
		} else if (alien++ == 0) {
			alien_at = lines.offset;
		}
	}
	if (alien)
		reading_note(in, NOTE_WARNING, "alien_lines", alien, alien_at,
			"%" PRId64 " line%s without a count, passed over", alien, plural_s(alien));
	st = lines_end(&lines, e);
	lines_close(&lines);
	stack_rows_close(&rows);
	return st;
}

const struct artifact artifact_folded = {
	.name = "folded",
	.title = "folded stacks",
	.summary = "py-spy record -f raw, export_stacks of torch, stackcollapse",
	.probe = probe,
	.read = read_stacks,
};
