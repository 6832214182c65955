/*
 * Logs of a run as plain text.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/logs/log_weight.h"
#include "analyze/input/artifact/logs/text_log.h"
#include "analyze/input/source/alien.h"

enum { LINES_LOOKED_AT = 4000, ENOUGH = 3, CERTAIN = 10 };

/* A first line in JSON, and text below it. */
static bool begins_with_row(const struct head *h)
{
	struct span behind;

	return head_is_row(h, &behind) && behind.n > 0;
}

static enum match probe(const struct head *h)
{
	struct span text = h->text, line;
	int weight = 0, n;

	if ((h->form != HEAD_TEXT && !begins_with_row(h)) || alien_text(h->text))
		return MATCH_NO;
	for (n = 0; n < LINES_LOOKED_AT && weight < CERTAIN && span_line(&text, &line); n++)
		weight += log_weight(line);
	return weight >= ENOUGH ? MATCH_WEAK : MATCH_NO;
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
