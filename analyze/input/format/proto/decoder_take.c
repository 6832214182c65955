/* Which packet goes where. */
#include "analyze/input/format/proto/decoder.h"
#include "analyze/input/format/proto/event_json.h"
#include "analyze/input/format/proto/packet.h"
#include "base/base.h"

static void take_name(struct decoder *d, const struct said_name *name)
{
	tracks_emit_name(&d->m, name);
	if (UNLIKELY(d->is_heard))
		event_json_name(d, name);
}

void decoder_take(struct decoder *d, const struct packet *packet, size_t n, uint64_t place)
{
	size_t said = 0;

	for (size_t i = 0; i < n; i++) {
		const struct packet *p = &packet[i];

		d->place = place + i;
		for (; said < d->names.n && d->names.name[said].place <= d->place; said++)
			take_name(d, &d->names.name[said]);
		d->notes.place = d->place;
		d->notes.book = p->view->book;
		d->nevents++;
		if (LIKELY(p->field == PACKET_TRACK_EVENT))
			decode_track_event(d, p);
		else if (p->field == PACKET_RENDER_STAGE)
			decode_stage(d, p);
		else
			decode_gpu_counters(d, p);
	}
	for (; said < d->names.n; said++)
		take_name(d, &d->names.name[said]);
}
