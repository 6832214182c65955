/*
 * Dumps of PyTorch's flight recorder: a pickle, or the same as JSON.
 */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/snapshots/dump.h"
#include "analyze/input/artifact/snapshots/flight_record.h"
#include "analyze/input/value/pickle.h"

/* Its calls: the others of its keys may stand behind all of them, sorted. */
static bool mentions_calls(struct span text)
{
	return span_has(text, "profiling_name") && span_has(text, "time_created_ns") &&
		span_has(text, "process_group");
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
			((span_has(h->text, "pg_config") && span_has(h->text, "version")) ||
				mentions_calls(h->text));
	return is_it && !head_has(h, "traceEvents") ? MATCH_STRONG : MATCH_NO;
}

static enum status read_dump(struct reading *in, struct err *e)
{
	struct flight f = { .in = in };
	enum status st;

	strings_init(&f.texts, 1);
	strings_init(&f.names, 1);
	compact_init(&f.doc, &f.texts, NULL);
	st = dump_read(in, &f.doc, &f.dump, e);
	if (st == OK)
		st = flight_record_take(&f, e);
	compact_clear(&f.doc);
	strings_clear(&f.names);
	strings_clear(&f.texts);
	return st;
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
