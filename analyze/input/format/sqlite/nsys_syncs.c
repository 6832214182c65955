/*
 * Waiting of a report: who waited for what.
 *
 * A wait for an event names its record by eventSyncId: an event is recorded many times under one
 * eventId.  The rows' own device is not filled in; that of their context is.
 * Source: CUpti_ActivitySynchronization2, CUpti_ActivityCudaEvent2.
 */
#include "analyze/input/format/sqlite/nsys.h"

enum { START, END, DEVICE, CONTEXT, STREAM, PROCESS, CORRELATION, TYPE, EVENT_SYNC };

static const struct nsys_column columns[] = { { "start", NULL }, { "end", NULL },
	{ "deviceId", NULL }, { "contextId", NULL }, { "streamId", NULL }, { "globalPid", NULL },
	{ "correlationId", "correlation" }, { "syncType", NULL },
	{ "eventSyncId", "wait_on_cuda_event_record_corr_id" } };

/* ENUM_CUPTI_SYNC_TYPE, and Kineto's names of them. */
enum { SYNC_UNKNOWN, SYNC_EVENT, SYNC_STREAM_WAIT, SYNC_STREAM, SYNC_CONTEXT };
static const struct nsys_word types[] = { { NULL, 0 },
	{ "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE", 1 },
	{ "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT", 2 },
	{ "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE", 3 },
	{ "CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE", 4 } };

/* CUPTI's "no stream". */
#define NO_STREAM INT64_C(0xffffffff)

static struct span sync_name(unsigned type)
{
	switch (type) {
	case SYNC_EVENT: return EMIT_WORD("Event Sync");
	case SYNC_STREAM_WAIT: return EMIT_WORD("Stream Wait Event");
	case SYNC_STREAM: return EMIT_WORD("Stream Sync");
	case SYNC_CONTEXT: return EMIT_WORD("Context Sync");
	default: return EMIT_WORD("Unknown Sync");
	}
}

enum { RECORD_PROCESS, RECORD_STREAM, RECORD_CORRELATION, RECORD_SYNC, RECORD_COLUMNS };

/* A record of an event: its call, and the stream it is in. */
struct record {
	int64_t correlation, stream;
};

/* Records by (process, eventSyncId). */
static void read_records(struct nsys *n)
{
	static const char *const names[] = { "globalPid", "streamId", "correlationId",
		"eventSyncId" };
	struct rows *r = n->key.wait_record == PLAN_NO_KEY
		? NULL
		: rows_if(n->d, "CUPTI_ACTIVITY_KIND_CUDA_EVENT", names, RECORD_COLUMNS);

	while (rows_more(r)) {
		struct nsys_called key = { nsys_pid(rows_int(r, RECORD_PROCESS, 0)), 0 };
		struct record this;

		if (!rows_take_int(r, RECORD_SYNC, &key.number) || key.number == 0 ||
			!rows_take_int(r, RECORD_STREAM, &this.stream) ||
			!rows_take_int(r, RECORD_CORRELATION, &this.correlation))
			continue;
		*(struct record *)valuemap_slot(&n->records, &key, NULL) = this;
	}
	rows_close(r);
}

/* What a wait for an event waits for. */
static void put_record(struct nsys *n, const struct rows *r, int64_t pid)
{
	struct nsys_called key = { nsys_pid(pid), rows_int(r, EVENT_SYNC, 0) };
	const struct record *record = key.number ? valuemap_find(&n->records, &key) : NULL;

	if (!record)
		return;
	emit_int(&n->m, n->key.wait_stream, record->stream);
	emit_int(&n->m, n->key.wait_record, record->correlation);
}

static void put_sync(struct nsys *n, const struct rows *r)
{
	unsigned type = nsys_enum_word(&n->sync_kinds, rows_int(r, TYPE, -1));
	int64_t pid = rows_int(r, PROCESS, 0), stream = rows_int(r, STREAM, -1);
	int64_t device = nsys_context_device(n, pid, rows_int(r, CONTEXT, -1));

	if (device < 0)
		device = nsys_device(n, pid, rows_int(r, DEVICE, 0));
	emit_begin(&n->m, 'X', EMIT_WORD("cuda_sync"), sync_name(type));
	nsys_on_stream(n, pid, device, stream == NO_STREAM || type == SYNC_CONTEXT ? -1 : stream);
	nsys_int_of(n, r, CORRELATION, n->key.correlation);
	emit_text(&n->m, n->key.sync_kind, sync_name(type));
	if (type == SYNC_EVENT || type == SYNC_STREAM_WAIT)
		put_record(n, r, pid);
}

enum status nsys_read_syncs(struct nsys *n, struct err *e)
{
	static const struct nsys_table table =
		NSYS_TABLE("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", columns, NULL, put_sync);

	nsys_enum_read(n, "ENUM_CUPTI_SYNC_TYPE", types, COUNT_OF(types), &n->sync_kinds);
	valuemap_init(&n->records, sizeof(struct nsys_called), sizeof(struct record));
	read_records(n);
	enum status st = nsys_read(n, &table, e);
	valuemap_clear(&n->records);
	return st;
}
