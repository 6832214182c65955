/* Chrome's JSON, as Kineto writes it: an object with the events in "traceEvents". */
#include "edit/out/writer.h"

static void put_member(struct str *out, struct span key, struct span value, bool quoted)
{
	str_addc(out, '"');
	str_add(out, key.p, key.n);
	str_adds(out, quoted ? "\": \"" : "\": ");
	str_add(out, value.p, value.n);
	str_adds(out, quoted ? "\",\n" : ",\n");
}

/* A document that begins with a phase is an event to who reads events one by one. */
static bool is_written(const struct document *d, struct span key)
{
	return !span_is(key, "ph") && !(d->without && span_is(key, d->without));
}

static void json_head(const struct document *d, struct str *out)
{
	str_adds(out, "{\n");
	for (size_t i = 0; i < d->nmember; i++)
		if (is_written(d, d->member[i].key))
			put_member(out, d->member[i].key, d->member[i].value, d->member[i].quoted);
	if (d->note.n)
		put_member(out, span_of(d->note_key), d->note, false);
	str_adds(out, "\"traceEvents\": [\n");
}

static void json_tail(struct str *out)
{
	str_adds(out, "\n]\n}\n");
}

const struct writer_kind writer_json = {
	.name = "json",
	.suffix = ".json",
	.head = json_head,
	.tail = json_tail,
};
