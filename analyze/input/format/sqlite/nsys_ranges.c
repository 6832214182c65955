/*
 * NVTX of a report: ranges and marks.
 *
 * Ranges that PyTorch pushes for its operators (emit_nvtx) are ops, all others annotations.  A
 * range that begins and ends on different threads is on no thread: its process has a lane for such.
 */
#include "analyze/input/format/sqlite/nsys.h"
#include "analyze/input/format/torch_range.h"

enum { START, END, TYPE, TEXT, TEXT_ID, THREAD, END_THREAD };

static const struct nsys_column columns[] = { { "start", NULL }, { "end", NULL },
	{ "eventType", NULL }, { "text", NULL }, { "textId", NULL }, { "globalTid", NULL },
	{ "endGlobalTid", NULL } };

/* ENUM_NSYS_EVENT_TYPE.  "Nvtxt" are ranges of text files that were merged into a report. */
enum {
	EVENT_OTHER,
	EVENT_MARK,
	EVENT_PUSH_POP,
	EVENT_START_END,
	EVENT_TEXT_MARK,
	EVENT_TEXT_PUSH_POP,
	EVENT_TEXT_START_END
};
static const struct nsys_word types[] = { { NULL, 0 }, { "NvtxMark", 34 },
	{ "NvtxPushPopRange", 59 }, { "NvtxStartEndRange", 60 }, { "NvtxtMark", 65 },
	{ "NvtxtPushPopRange", 70 }, { "NvtxtStartEndRange", 71 } };

static struct span range_text(struct nsys *n, const struct rows *r)
{
	struct span text = rows_text(r, TEXT);

	if (text.p)
		return text;
	return nsys_text_of(n, r, TEXT_ID);
}

static void put_lane(struct nsys *n, const struct rows *r)
{
	int64_t thread = rows_int(r, THREAD, 0);

	if (rows_int(r, END_THREAD, thread) == thread)
		nsys_on_thread(n, thread);
	else
		emit_lane(&n->m, nsys_number(n, nsys_pid(thread)), nsys_made(n, -1000, "NVTX"));
}

static void put_range(struct nsys *n, const struct rows *r, nsec start, nsec dur)
{
	struct span text = range_text(n, r);
	struct torch_range torch = torch_range_read(text);

	emit_begin(&n->m, 'X', torch.is_op ? EMIT_WORD("cpu_op") : EMIT_WORD("user_annotation"),
		torch.name.p ? emit_keep(&n->m, torch.name) : torch.name);
	put_lane(n, r);
	if (torch.sequence >= 0)
		emit_int(&n->m, n->key.sequence, torch.sequence);
	if (torch.sizes.p && n->key.dims != PLAN_NO_KEY)
		emit_json(&n->m, n->key.dims, emit_keep(&n->m, torch.sizes));
	nsys_end(n, start, dur);
}

static void put_mark(struct nsys *n, const struct rows *r, nsec start)
{
	struct span text = range_text(n, r);

	emit_begin(
		&n->m, 'i', EMIT_WORD("user_annotation"), text.p ? emit_keep(&n->m, text) : text);
	put_lane(n, r);
	nsys_end(n, start, 0);
}

static bool put_event(struct nsys *n, const struct rows *r)
{
	unsigned type = nsys_enum_word(&n->event_types, rows_int(r, TYPE, -1));
	nsec start, dur;

	if (type == EVENT_OTHER && !rows_is_null(r, TYPE))
		return true; /* names of domains and categories */
	if (!nsys_times(r, &start, &dur))
		return false;
	if (type == EVENT_MARK || type == EVENT_TEXT_MARK)
		put_mark(n, r, start);
	else
		put_range(n, r, start, dur);
	return true;
}

enum status nsys_read_ranges(struct nsys *n, struct err *e)
{
	static const struct nsys_table table = NSYS_TABLE("NVTX_EVENTS", columns, put_event);

	nsys_enum_read(n, "ENUM_NSYS_EVENT_TYPE", types, COUNT_OF(types), &n->event_types);
	return nsys_read(n, &table, e);
}
