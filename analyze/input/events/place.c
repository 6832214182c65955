/* From pid, tid, device and stream as they stand in the text to a lane, by a memo of the texts last
 * seen: traces have tens of lanes and millions of events. */
#include "analyze/input/events/place.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/plan.h"
#include "analyze/input/events/raw.h"
#include "analyze/input/text/num.h"

/* "stream 7", "stream 7 (sync)", "Stream #14(Compute)": the number behind the word; else -1. */
static int64_t stream_number(struct span t)
{
	if (t.n < 7 || !span_is_nocase((struct span){ t.p, 6 }, "stream"))
		return -1;
	size_t i = FIRST_FROM(k, 6, t.n, t.p[k] != ' ' && t.p[k] != '#');
	size_t n = FIRST_FROM(k, i, t.n, !is_digit(t.p[k]));
	return n > i && n - i < 18 ? lane_number((struct span){ t.p + i, n - i }) : -1;
}

static int64_t number_or(struct span t, int64_t otherwise)
{
	int64_t v;

	return num_i64(t, &v) ? v : otherwise;
}

static void place_on_device(const struct plan *plan, const struct raw_event *raw, struct span pid,
	struct span tid, struct lane *l)
{
	l->is_device = true;
	l->device = lane_number(pid);
	if (raw_found(raw, plan->key_device))
		l->device = number_or(raw->arg[plan->key_device], l->device);
	if (l->device == LANE_NO_NUMBER)
		l->device = 0;
	l->stream = lane_number(tid);
	if (l->stream == LANE_NO_NUMBER)
		l->stream = stream_number(tid);
	if (raw_found(raw, plan->key_stream))
		l->stream = number_or(raw->arg[plan->key_stream], l->stream);
}

static uint32_t new_lane(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	bool on_device, int64_t offset)
{
	bool escaped = raw_has(raw, RAW_LANE_ESCAPED);
	struct lane key = { .device = -1, .stream = -1 };

	key.pid = batch_string(b, raw_pid(raw), escaped, offset);
	key.tid = batch_string(b, raw_tid(raw), escaped, offset);
	struct span pid = b->dict[key.pid].text;
	struct span tid = b->dict[key.tid].text;
	key.pid_number = lane_number(pid);
	key.tid_number = lane_number(tid);
	if (on_device)
		place_on_device(plan, raw, pid, tid, &key);
	return lanes_add(&b->lanes, &key);
}

uint32_t place_lane(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	bool on_device, int64_t offset)
{
	struct lane_memo key = { .on_device = on_device }, *m;

	key.pid = short_text(raw_pid(raw));
	key.tid = short_text(raw_tid(raw));
	key.device = short_text(on_device && raw_found(raw, plan->key_device)
			? raw->arg[plan->key_device]
			: RAW_NOTHING);
	key.stream = short_text(on_device && raw_found(raw, plan->key_stream)
			? raw->arg[plan->key_stream]
			: RAW_NOTHING);
	size_t at = short_hash(key.pid) + short_hash(key.tid) * 3 + short_hash(key.stream) * 5 +
		on_device;
	m = &b->lane_memo[at % LANE_MEMOS];
	if (LIKELY(m->lane && short_same(m->pid, key.pid) && short_same(m->tid, key.tid) &&
		    short_same(m->device, key.device) && short_same(m->stream, key.stream) &&
		    m->on_device == on_device))
		return m->lane - 1;
	key.lane = new_lane(plan, b, raw, on_device, offset) + 1;
	if (!raw_has(raw, RAW_LANE_ESCAPED))
		*m = key;
	return key.lane - 1;
}
