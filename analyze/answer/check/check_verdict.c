/*
 * `check`: what every part of it does: opens a table, and says how bad something is.
 */
#include "analyze/answer/check/check.h"

struct table *check_table(const struct check *c, enum check_table table)
{
	const struct table_doc *doc = &check_docs[table];
	struct table *t = result_table(c->out, doc->id, doc->title, doc->col, doc->ncol);

	t->input = c->input;
	return t;
}

void check_judge(struct check *c, enum health v, int64_t count, const char *why)
{
	if (count == 0)
		return;
	c->verdicts[v] += count;
	if (v < VERDICT_WARNING || v < c->worst) {
		c->worst = v > c->worst ? v : c->worst;
		return;
	}
	c->why = v == c->worst && c->why ? arena_printf(&c->out->mem, "%s; %s", c->why, why) : why;
	c->worst = v;
}
