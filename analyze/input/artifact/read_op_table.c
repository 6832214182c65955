/*
 * A file with the text of key_averages().table() in front.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/op_table.h"
#include "analyze/input/artifact/text_log.h"

enum { LINES_LOOKED_AT = 8 };

static enum match probe(const struct head *h)
{
	struct span text = h->text, line;
	int n;

	if (h->form != HEAD_TEXT)
		return MATCH_NO;
	for (n = 0; n < LINES_LOOKED_AT && head_line(&text, &line); n++)
		if (op_table_is_heading(line))
			return MATCH_STRONG;
	return MATCH_NO;
}

const struct artifact artifact_op_table = {
	.name = "op_table",
	.title = "table of operations (key_averages)",
	.summary = "text of torch's key_averages().table(), by itself",
	.probe = probe,
	.read = text_log_read,
};
