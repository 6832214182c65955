/* Folded stacks: "a;b;c 17" a line, of py-spy -f raw, torch's export_stacks, perf's stackcollapse,
 * and of austin, which writes about them in front ("# mode: wall") and counts us. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/stacks/stack_rows.h"
#include "analyze/input/text/num.h"

enum { LINES_LOOKED_AT = 100 };

static const double US = 1e3; /* in ns */

/* The stack and the number behind its last blank. */
static bool split(struct span line, struct span *stack, double *weight)
{
	const char *blank = line.n ? memrchr(line.p, ' ', line.n) : NULL;

	if (!blank || blank == line.p || !real_of(span_between(blank + 1, line.p + line.n), weight))
		return false;
	*stack = span_between(line.p, blank);
	return *weight >= 0;
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line, stack;
	size_t n = 0, good = 0, deep = 0;
	double w;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	while (n < LINES_LOOKED_AT && span_line(&text, &line)) {
		if (line.n == 0 || line.p[0] == '#' || (text.n == 0 && !h->is_whole))
			continue;
		n++;
		if (split(line, &stack, &w)) {
			good++;
			deep += memchr(stack.p, ';', stack.n) != NULL;
		}
	}
	return n > 0 && good >= n - n / 20 && deep * 2 >= n ? MATCH_STRONG : MATCH_NO;
}

/* Of torch's export_stacks: "train.py(12):_step", no blanks.  Its numbers are us of self time. */
static bool is_of_torch(struct span stack)
{
	return span_has_nocase(stack, ".py(") && span_has_nocase(stack, "):_") &&
		!memchr(stack.p, ' ', stack.n);
}

struct folded {
	struct stack_rows rows;
	bool is_begun, is_us; /* of torch or austin */
};

static enum took take_line(void *ctx, struct span line, const struct lines *l UNUSED)
{
	struct folded *f = ctx;
	struct span stack;
	double w;

	if (span_starts(line, "# austin:"))
		f->is_begun = f->is_us = true;
	if (line.n == 0 || line.p[0] == '#')
		return TOOK;
	if (!split(line, &stack, &w))
		return TOOK_ALIEN;
	f->is_us = f->is_begun ? f->is_us : is_of_torch(stack);
	f->is_begun = true;
	stack_rows_add_text(
		&f->rows, stack, f->is_us ? w * US : w, f->is_us ? STACK_IN_NS : STACK_IN_SAMPLES);
	return TOOK;
}

static enum status read_stacks(struct reading *in, struct err *e)
{
	struct folded f = { .is_begun = false };
	struct untaken untaken;

	stack_rows_open(&f.rows, in);
	enum status st = reading_lines(in, take_line, &f, &untaken, e);
	reading_passed(in, NOTE_WARNING, "alien_lines", &untaken.alien,
		"line{|s} without a count, passed over");
	stack_rows_close(&f.rows);
	return st;
}

const struct artifact artifact_folded = {
	.name = "folded",
	.title = "folded stacks",
	.summary = "py-spy record -f raw, export_stacks of torch, stackcollapse",
	.probe = probe,
	.read = read_stacks,
};
