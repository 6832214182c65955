/* What windows remember of tracks and names. */
#include "analyze/input/format/proto/decoder.h"

#include "base/base.h"

void decoder_init(struct decoder *d, const struct plan *plan, const struct keys *keys,
	const struct tracks *tracks)
{
	memset(d, 0, sizeof(*d));
	emitter_init(&d->m, plan);
	d->is_heard = plan->tap && plan->tap->said;
	d->keys = keys;
	d->tracks = tracks;
	d->notes.m = &d->m;
	d->notes.keys = keys;
}

void decoder_clear(struct decoder *d)
{
	emitter_clear(&d->m);
	str_free(&d->notes.json);
	str_free(&d->echo);
	FREE_ALL(d->names.name, d->half, d->uuid);
}

void decoder_begin(struct decoder *d)
{
	for (size_t i = 0; i < SEEN_TRACKS; i++)
		d->seen_track[i].is_there = false;
	memset(d->seen_name, 0, sizeof(d->seen_name));
	repeats_begin(&d->repeats);
	d->nhalf = d->nuuid = d->names.n = 0;
	d->nevents = 0;
}

/* The number of a track among those of halves; new ones of the same uuid are fine, but rare. */
static uint32_t number_track(struct decoder *d, uint64_t uuid, int32_t pid, int32_t tid)
{
	if (pid || tid) /* a lane of its own */
		uuid = (uuid ^ (uint64_t)(uint32_t)pid << 32 ^ (uint32_t)tid) *
				UINT64_C(0x9e3779b97f4a7c15) |
			1;
	PUSH(d->uuid, d->nuuid, d->uuid_cap, uuid);
	return (uint32_t)d->nuuid - 1;
}

static NEVER_INLINE void look_up(struct decoder *d, const struct packet *p, struct seen_track *s)
{
	tracks_find(d->tracks, s->uuid, d->place, &d->m.batch.mem, &s->track);
	if (s->pid)
		s->track.pid = emit_keepf(&d->m, "%" PRId32, s->pid);
	if (s->tid)
		s->track.tid = emit_keepf(&d->m, "%" PRId32, s->tid);
	if (!s->track.pid.p)
		s->track.pid = RAW_NOTHING;
	if (!s->track.tid.p)
		s->track.tid = RAW_NOTHING;
	s->number = number_track(d, s->uuid, s->pid, s->tid);
	s->said = p->said;
	s->lane = (struct phrase){ 0 };
	s->is_there = true;
}

struct seen_track *decoder_track(
	struct decoder *d, const struct packet *p, uint64_t uuid, int32_t pid, int32_t tid)
{
	uint64_t h = (uuid ^ (uint64_t)(uint32_t)pid << 20 ^ (uint32_t)tid) *
		UINT64_C(0x9e3779b97f4a7c15);
	struct seen_track *s = &d->seen_track[h >> 58];

	if (LIKELY(s->is_there && s->uuid == uuid && s->pid == pid && s->tid == tid &&
		    s->said == p->said))
		return s;
	s->uuid = uuid;
	s->pid = pid;
	s->tid = tid;
	look_up(d, p, s);
	return s;
}

void decoder_name(struct decoder *d, const struct interned *entry)
{
	struct seen_name *s = &d->seen_name[entry->number % SEEN_NAMES];

	if (UNLIKELY(s->entry != entry->number + 1)) {
		s->entry = entry->number + 1;
		s->number = emit_name_number(&d->m, entry->text);
	}
	emit_named(&d->m, s->number);
}

void decoder_half(struct decoder *d, nsec time, uint32_t row, uint32_t track)
{
	PUSH(d->half, d->nhalf, d->half_cap, (struct half){ time, row, track });
}

void decoder_damaged(struct decoder *d, const struct packet *p)
{
	emit_problem(&d->m, PROBLEM_SKIPPED_RECORD, p->offset);
}
