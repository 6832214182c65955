/* What PyTorch dumps, as a compact document. */
#include "analyze/input/artifact/snapshots/dump.h"

#include "analyze/input/artifact/head.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/value/pickle.h"

enum status dump_read(struct reading *in, struct compact *c, compact_value *document, struct err *e)
{
	struct json_value doc;
	bool has_more = false;
	int64_t end = 0;

	if (!pickle_is(in->head->text)) {
		TRY(jsondoc_read(in, &doc, e));
		return compact_of_json(c, doc, document, e);
	}
	TRY(pickle_read(c, in->source, document, &end, &has_more, e));
	if (has_more)
		reading_note(in, NOTE_WARNING, "trailing_garbage", 1, end,
			"bytes after the end of the pickle; ignored");
	return OK;
}
