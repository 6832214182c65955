/*
 * Dumps of PyTorch's flight recorder: a pickle, or the same as JSON.
 */
#include <string.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/snapshots/flight_record.h"
#include "analyze/input/value/pickle.h"

static bool mentions(struct span text, const char *word)
{
	return memmem(text.p, text.n, word, strlen(word)) != NULL;
}

/* Its calls: the others of its keys may stand behind all of them, sorted. */
static bool mentions_calls(struct span text)
{
	return mentions(text, "profiling_name") && mentions(text, "time_created_ns") &&
		mentions(text, "process_group");
}

/* Its keys stand in a pickle as they are. */
static enum match probe(const struct head *h)
{
	bool is_it;

	if (h->form == HEAD_OBJECT)
		is_it = (head_has(h, "version") &&
				head_count(h, "pg_config pg_status entries") >= 2) ||
			(head_has(h, "entries") && mentions_calls(h->text));
	else
		is_it = pickle_is(h->text) &&
			((mentions(h->text, "pg_config") && mentions(h->text, "version")) ||
				mentions_calls(h->text));
	return is_it && !head_has(h, "traceEvents") ? MATCH_STRONG : MATCH_NO;
}

static enum status read_pickle(
	struct reading *in, struct span text, struct value **dump, struct err *e)
{
	size_t end;

	TRY(pickle_read(text, &in->mem, dump, &end, e));
	if (end < text.n)
		reading_note(in, NOTE_WARNING, "trailing_garbage", 1, (int64_t)end,
			"bytes after the end of the pickle; ignored");
	return OK;
}

static enum status read_dump(struct reading *in, struct err *e)
{
	struct json_value doc;
	struct value *dump;
	struct span text;

	if (pickle_is(in->head->text)) {
		TRY(reading_all(in, &text, e));
		TRY(read_pickle(in, text, &dump, e));
	} else {
		TRY(jsondoc_read(in, &doc, e));
		TRY(value_of_json(doc, &in->mem, &dump, e));
	}
	return flight_record_read(in, dump, e);
}

const struct artifact artifact_flight_recorder = {
	.name = "flight_recorder",
	.title = "PyTorch flight recorder dump",
	.summary =
		"nccl_trace_rank_N, _dump_N: the collectives a rank called last, as pickle or JSON; "
		"for 'traceq hang'",
	.probe = probe,
	.read = read_dump,
};
