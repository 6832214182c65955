/*
 * A file with the text of key_averages().table() in front.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/tables/op_table.h"
#include "analyze/input/artifact/logs/text_log.h"

enum { LINES_LOOKED_AT = 8 };

static enum match probe(const struct head *h)
{
	return head_has_line(h, LINES_LOOKED_AT, op_table_is_heading);
}

const struct artifact artifact_op_table = {
	.name = "op_table",
	.title = "table of operations (key_averages)",
	.summary = "text of torch's key_averages().table(), by itself",
	.probe = probe,
	.read = text_log_read,
};
