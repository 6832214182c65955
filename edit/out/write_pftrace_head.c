/* Packets of a Perfetto trace that are no events: clocks, names of all kinds, tracks. */
#include "edit/out/write_pftrace_parts.h"
#include "edit/out/pb.h"
#include "report/escape.h"

/* FIRST_WORD: words as pids and tids count from here. */
enum { SEQUENCE = 1, FIRST_WORD = 0x7f000000 };

/* ---- what stands before the events ---- */

uint64_t pftrace_time(const struct pftrace *p, nsec t)
{
	return (uint64_t)t - (p->first < 0 ? (uint64_t)p->first : 0);
}

static void put_clock(struct str *out, uint64_t id, uint64_t t)
{
	size_t at = pbw_begin(out, SNAPSHOT_CLOCK);

	pbw_varint(out, CLOCK_ID, id);
	pbw_varint(out, CLOCK_TIMESTAMP, t);
	pbw_end(out, at);
}

size_t pftrace_begin_packet(struct str *out)
{
	size_t at = pbw_begin(out, TRACE_PACKET);

	pbw_varint(out, PACKET_SEQUENCE, SEQUENCE);
	return at;
}

static void put_clocks(const struct pftrace *p, struct str *out)
{
	size_t packet = pftrace_begin_packet(out), at = pbw_begin(out, PACKET_CLOCK_SNAPSHOT);
	nsec first = p->nevent ? p->first : 0;

	put_clock(out, CLOCK_BOOTTIME_ID, pftrace_time(p, first));
	if (p->base)
		put_clock(out, CLOCK_REALTIME_ID, (uint64_t)p->base + (uint64_t)first);
	pbw_varint(out, SNAPSHOT_PRIMARY, CLOCK_BOOTTIME_ID);
	pbw_end(out, at);
	pbw_end(out, packet);
}

static void put_entries(struct str *out, uint32_t field, const struct strings *s)
{
	for (sym i = 0; i < s->n; i++) {
		size_t at = pbw_begin(out, field);

		pbw_varint(out, 1, i + 1u);
		pbw_bytes(out, 2, strings_get(s, i));
		pbw_end(out, at);
	}
}

static void put_interned(const struct pftrace *p, struct str *out)
{
	size_t packet = pftrace_begin_packet(out);

	pbw_varint(out, PACKET_FLAGS, FLAG_STATE_CLEARED);
	size_t at = pbw_begin(out, PACKET_INTERNED);
	put_entries(out, INTERNED_CATEGORY, &p->cats);
	put_entries(out, INTERNED_NAME, &p->names);
	put_entries(out, INTERNED_NOTE_NAME, &p->keys);
	pbw_end(out, at);
	pbw_end(out, packet);
}

/* What fits an int32 is written as it is. */
static bool is_number(const struct pftrace *p, sym text)
{
	int64_t v = lane_number(strings_get(&p->text, text));

	return v != LANE_NO_NUMBER && v >= INT32_MIN && v < FIRST_WORD;
}

/* A pid or tid as int32: a number, or one for a word and for what is larger. */
static uint64_t number_of(const struct pftrace *p, sym text)
{
	if (is_number(p, text))
		return (uint64_t)lane_number(strings_get(&p->text, text));
	return FIRST_WORD + (uint64_t)text;
}

/* One that is not written as it is, into the object of those; seen: by text. */
static void put_word(const struct pftrace *p, sym text, bool *seen, struct str *to)
{
	if (seen[text] || is_number(p, text))
		return;
	seen[text] = true;
	str_addf(to, "%s\"%" PRIu64 "\": ", to->n ? ", " : "{", number_of(p, text));
	escape_json(to, strings_get(&p->text, text));
}

/* Which numbers stand for which pids and tids: a member of the document of traceq's own. */
static void put_words(const struct pftrace *p, struct str *out)
{
	bool *seen = zeroed(p->text.n + 1, sizeof(*seen));
	SCOPED_STR words = { 0 };
	size_t at;

	for (size_t i = 0; i < p->processes.n; i++)
		put_word(p, p->process[i].pid, seen, &words);
	for (EACH(const struct pf_lane, lane, p->lane, p->lanes.n))
		if (lane->row == PF_THREAD)
			put_word(p, lane->tid, seen, &words);
	if (words.n) {
		str_addc(&words, '}');
		at = pbw_begin(out, BUNDLE_METADATA);
		pbw_bytes(out, METADATA_NAME, SPAN("traceq_ids"));
		pbw_bytes(out, METADATA_JSON, (struct span){ words.s, words.n });
		pbw_end(out, at);
	}
	free(seen);
}

/* A name; without one the pid or tid where that is a word. */
static void put_name(const struct pftrace *p, struct str *out, uint32_t field, sym name, sym number)
{
	struct span word = strings_get(&p->text, number);

	if (name)
		pbw_bytes(out, field, strings_get(&p->text, name));
	else if (lane_number(word) == LANE_NO_NUMBER && word.n)
		pbw_bytes(out, field, word);
}

static void put_process(const struct pftrace *p, uint32_t i, struct str *out)
{
	const struct pf_process *v = &p->process[i];
	size_t packet = pftrace_begin_packet(out), track = pbw_begin(out, PACKET_TRACK);

	pbw_varint(out, TRACK_UUID, i + 1u);
	size_t at = pbw_begin(out, TRACK_PROCESS);
	pbw_varint(out, PROCESS_PID, number_of(p, v->pid));
	if (v->has_sort)
		pbw_varint(out, PROCESS_SORT, (uint64_t)v->sort);
	put_name(p, out, PROCESS_NAME, v->name, v->pid);
	if (v->labels)
		pbw_bytes(out, PROCESS_LABELS, strings_get(&p->text, v->labels));
	pbw_end(out, at);
	pbw_end(out, track);
	pbw_end(out, packet);
}

void pftrace_put_head(struct pftrace *p, struct str *out)
{
	put_clocks(p, out);
	put_interned(p, out);
	size_t packet = pftrace_begin_packet(out);
	size_t at = pbw_begin(out, PACKET_CHROME_EVENTS);
	put_words(p, out);
	/* A note's times would not be those of events that are written as later. */
	str_add(out, p->metadata.s, p->first < 0 ? p->before_note : p->metadata.n);
	pbw_end(out, at);
	pbw_end(out, packet);
	for (uint32_t i = 0; i < p->processes.n; i++)
		put_process(p, i, out);
	p->track = p->processes.n;
}

/* ---- tracks ---- */

static void put_counter(const struct pftrace *p, const struct pf_lane *v, struct str *out)
{
	pbw_bytes(out, TRACK_NAME, strings_get(&p->text, v->name));
	size_t at = pbw_begin(out, TRACK_COUNTER);
	if (v->cat)
		pbw_bytes(out, COUNTER_CATEGORIES, strings_get(&p->text, v->cat));
	if (v->unit)
		pbw_bytes(out, COUNTER_UNIT_NAME, strings_get(&p->text, v->unit));
	pbw_end(out, at);
}

uint64_t pftrace_put_track(
	struct pftrace *p, uint32_t lane, int level, uint64_t parent, struct str *out)
{
	struct pf_lane *v = &p->lane[lane];
	size_t packet = pftrace_begin_packet(out), track = pbw_begin(out, PACKET_TRACK), at;
	uint64_t uuid = ++p->track;

	v->is_put = true;
	pbw_varint(out, TRACK_UUID, uuid);
	pbw_varint(out, TRACK_PARENT, level ? parent : v->process + 1u);
	if (level) {
		pbw_bytes(out, TRACK_NAME, SPAN("beside"));
	} else if (v->row == PF_THREAD) {
		at = pbw_begin(out, TRACK_THREAD);
		pbw_varint(out, THREAD_PID, number_of(p, p->process[v->process].pid));
		pbw_varint(out, THREAD_TID, number_of(p, v->tid));
		if (v->has_sort)
			pbw_varint(out, THREAD_SORT, (uint64_t)v->sort);
		put_name(p, out, THREAD_NAME, v->name, v->tid);
		pbw_end(out, at);
	} else {
		put_counter(p, v, out);
	}
	pbw_end(out, track);
	pbw_end(out, packet);
	return uuid;
}
