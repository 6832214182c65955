/*
 * `check`: how bad what its parts find is.
 */
#include "analyze/answer/check/check.h"

void check_judge(struct check *c, enum health v, int64_t count, const char *why)
{
	if (count == 0)
		return;
	c->verdicts[v] += count;
	if (v < VERDICT_WARNING || v < c->worst) {
		c->worst = v > c->worst ? v : c->worst;
		return;
	}
	c->why = v == c->worst && c->why ? arena_printf(&c->at->out->mem, "%s; %s", c->why, why)
					 : why;
	c->worst = v;
}
