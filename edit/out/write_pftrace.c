/*
 * Perfetto's protobuf: what its own tools and traceq read, with each row's slices in the order of
 * time, and those that cross on rows beside each other, so that none is dropped.  Arrows and
 * asynchronous events are those of Chrome's phases, which it has fields for.
 *
 * All events are held until the last has come, as packets without their times.
 */
#include <stdlib.h>

#include "analyze/input/text/num.h"
#include "base/zeroed.h"
#include "edit/out/annotation.h"
#include "edit/out/write_pftrace_parts.h"
#include "edit/out/pb.h"
#include "edit/out/writer.h"

static void put_metadata(struct pftrace *p, struct span key, struct span value, bool quoted)
{
	size_t at = pbw_begin(&p->metadata, BUNDLE_METADATA);
	struct json_value text = { JSON_STRING, value, true };

	pbw_bytes(&p->metadata, METADATA_NAME, key);
	if (quoted)
		pbw_bytes(&p->metadata, METADATA_STRING, annotation_text(text, &p->mem));
	else
		pbw_bytes(&p->metadata, METADATA_JSON, value);
	pbw_end(&p->metadata, at);
	if (span_is(key, "baseTimeNanoseconds") && !num_i64(value, &p->base))
		p->base = 0;
}

static void *pftrace_open(const struct document *d)
{
	struct pftrace *p = zeroed(1, sizeof(*p));

	strings_init(&p->text, 0);
	strings_init(&p->cats, 0);
	strings_init(&p->names, 0);
	strings_init(&p->keys, 0);
	keymap_init(&p->processes, sizeof(sym));
	keymap_init(&p->lanes, 3 * sizeof(uint32_t));
	arena_init(&p->mem);
	p->first = INT64_MAX;
	for (size_t i = 0; i < d->nmember; i++)
		if (!d->without || !span_is(d->member[i].key, d->without))
			put_metadata(p, d->member[i].key, d->member[i].value, d->member[i].quoted);
	p->before_note = p->metadata.n;
	if (d->note.n)
		put_metadata(p, span_of(d->note_key), d->note, false);
	return p;
}

static void pftrace_close(void *state)
{
	struct pftrace *p = state;

	strings_clear(&p->text);
	strings_clear(&p->cats);
	strings_clear(&p->names);
	strings_clear(&p->keys);
	keymap_clear(&p->processes);
	keymap_clear(&p->lanes);
	free(p->process);
	free(p->lane);
	free(p->event);
	free(p->half);
	str_free(&p->bodies);
	str_free(&p->metadata);
	arena_clear(&p->mem);
	free(p);
}

static void pftrace_take(void *state, struct span events)
{
	struct pftrace *p = state;
	struct json_value v;
	struct span it = events, key;

	while (json_next(&it, &key, &v)) {
		pftrace_take_event(p, v.text);
		arena_clear(&p->mem);
		arena_init(&p->mem);
	}
}

static bool pftrace_next(void *state, struct str *out)
{
	struct pftrace *p = state;

	if (p->is_begun)
		return pftrace_put_lane(p, out);
	pftrace_order(p);
	pftrace_put_head(p, out);
	p->is_begun = true;
	return true;
}

const struct writer_kind writer_pftrace = {
	.name = "pftrace",
	.suffix = ".pftrace",
	.open = pftrace_open,
	.take = pftrace_take,
	.next = pftrace_next,
	.close = pftrace_close,
};
