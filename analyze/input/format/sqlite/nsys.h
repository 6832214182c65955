/* Exports of Nsight Systems (nsys export --type sqlite): what their readers have in common.
 *
 * A table is one kind of activity, as CUPTI and NVTX record them; texts are numbers of StringIds.
 * Tables and columns come and go with the versions of the schema (2.x, 3.x): what is not there is
 * absent.  Times are ns on the clock of the report, as its own statistics print them.
 * Source: NVIDIA Nsight Systems, "SQLite Export Schema Reference"; CUPTI's activity records. */
#pragma once

#include "analyze/input/events/plan.h"
#include "analyze/input/format/emit_events.h"
#include "analyze/input/format/format.h"
#include "analyze/input/format/sqlite/database.h"
#include "analyze/input/format/sqlite/texts.h"
#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

enum { NSYS_ENUM_IDS = 256, NSYS_NO_WORD = 0 };

/* Ids of an enum table as indexes of the reader's own list of words; NSYS_NO_WORD: none of them. */
struct nsys_enum {
	uint8_t word[NSYS_ENUM_IDS];
};

/* One of the reader's words for an enum: NVIDIA's symbol, and its number where no table says. */
struct nsys_word {
	const char *symbol;
	int id;
};

/* What a process calls by a number: a device, a context. */
struct nsys_called {
	int64_t pid, number;
};

/* A device of the report; -1, an empty text: not said. */
struct nsys_gpu {
	int64_t device, gpu; /* as device work calls it; as TARGET_INFO_GPU does */
	int64_t sms;
};

/* X(member, key of Kineto's args) */
#define NSYS_KEYS(X)                                        \
	X(correlation, "correlation")                       \
	X(device, "device")                                 \
	X(stream, "stream")                                 \
	X(grid, "grid")                                     \
	X(block, "block")                                   \
	X(registers, "registers per thread")                \
	X(shared, "shared memory")                          \
	X(blocks_per_sm, "blocks per SM")                   \
	X(graph, "graph id")                                \
	X(graph_node, "graph node id")                      \
	X(bytes, "bytes")                                   \
	X(sync_kind, "cuda_sync_kind")                      \
	X(wait_stream, "wait_on_stream")                    \
	X(wait_record, "wait_on_cuda_event_record_corr_id") \
	X(sequence, "Sequence number")                      \
	X(dims, "Input Dims")                               \
	X(address, "Addr")                                  \
	X(memory_bytes, "Bytes")                            \
	X(memory_device_type, "Device Type")                \
	X(memory_device, "Device Id")

/* The keys' numbers, or PLAN_NO_KEY. */
struct nsys_keys {
#define X(member, key) uint8_t member;
	NSYS_KEYS(X)
#undef X
};

struct nsys {
	struct database *d;
	struct format_input *in;
	struct emit_sink *out;
	struct emitter m;
	struct arena mem;
	struct nsys_keys key;
	struct texts texts; /* StringIds */
	struct nsys_enum copy_kinds, memory_kinds, sync_kinds, event_types, memory_operations,
		host_kinds;

	/* who means which device (nsys_places.c) */
	bool many_processes;      /* device work of several: lanes are told apart by process */
	bool maps_devices;        /* processes call different devices by one number */
	struct valuemap devices;  /* struct nsys_called: int64_t */
	struct valuemap contexts; /* struct nsys_called: int64_t, the device it is on */
	struct valuemap records;  /* struct nsys_called: of events, while syncs are read */
	struct nsys_gpu *gpu;     /* mem's (nsys_places.c) */
	size_t ngpu;

	/* what of the report is in the run */
	int64_t nrow, ndevice; /* rows that were emitted; of them: device work */
	struct damage damage;
	unsigned unmerged; /* rows in the emitter */
};

/* A column; key: the argument it is for, so that it need not be read where nobody wants that. */
struct nsys_column {
	const char *name, *key;
};

/* What a row is. */
enum nsys_row {
	NSYS_EVENT,
	NSYS_OTHER, /* something that is passed over */
	NSYS_BAD    /* it makes no sense, and is counted */
};

/* A table: its name, the columns that are read, what a row is (NULL: all are events), and what
 * makes an event of one: begins it and puts its arguments.  Its time is in columns 0 and 1, "start"
 * and "end": a row without an end has no known duration, one whose times are none is bad. */
struct nsys_table {
	const char *name;
	const struct nsys_column *columns;
	size_t ncolumn;
	enum nsys_row (*is)(struct nsys *n, const struct rows *r);
	void (*put)(struct nsys *n, const struct rows *r);
};
#define NSYS_TABLE(name, columns, is, put)                \
	{                                                 \
		name, columns, COUNT_OF(columns), is, put \
	}

/* Emits all rows of a table; nothing where there is no such table.  A table that is damaged is read
 * as far as it can be, and counted.  E_LIMIT. */
enum status nsys_read(struct nsys *n, const struct nsys_table *t, struct err *e) MUST_CHECK;

/* Appends what was emitted to the run.  E_LIMIT. */
enum status nsys_merge(struct nsys *n, struct err *e) MUST_CHECK;

/* What the report's own enum table says of a list of words, else NVIDIA's numbers.  word[0] stands
 * for all others; n <= 255. */
void nsys_enum_read(struct nsys *n, const char *table, const struct nsys_word *word, size_t nword,
	struct nsys_enum *out);
unsigned nsys_enum_word(const struct nsys_enum *t, int64_t id);

/* The process of a globalPid or globalTid: 24 bits of pid above 24 of tid; above them machine and
 * hardware. */
static inline int64_t nsys_pid(int64_t global)
{
	return global >> 24 & 0xffffff;
}

static inline int64_t nsys_tid(int64_t global)
{
	return global & 0xffffff;
}

/* Learns which processes have device work, and which device they mean. */
void nsys_places_open(struct nsys *n);
void nsys_places_close(struct nsys *n);

/* The event is of a thread; of a stream of a device (nsys_device's), where a process's work is. */
void nsys_on_thread(struct nsys *n, int64_t global_tid);
void nsys_on_stream(struct nsys *n, int64_t global_pid, int64_t device, int64_t stream);

/* What device work says of its context. */
void nsys_know_context(struct nsys *n, int64_t global_pid, int64_t context, int64_t device);

/* The device of the report that a process means; as it stands where nothing says more. */
int64_t nsys_device(struct nsys *n, int64_t global_pid, int64_t device);

/* The device of a process's context, as its device work says with one voice; -1: unknown. */
int64_t nsys_context_device(struct nsys *n, int64_t global_pid, int64_t context);

/* Devices by the report's list of them: how many multiprocessors one has, -1: not said; all of them
 * as Kineto's deviceProperties. */
int64_t nsys_sms(const struct nsys *n, int64_t device);
void nsys_emit_gpus(struct nsys *n);

/* The tables, one group a file. */
enum status nsys_read_device(struct nsys *n, struct err *e) MUST_CHECK;
enum status nsys_read_calls(struct nsys *n, struct err *e) MUST_CHECK;
enum status nsys_read_ranges(struct nsys *n, struct err *e) MUST_CHECK;
enum status nsys_read_syncs(struct nsys *n, struct err *e) MUST_CHECK;
enum status nsys_read_memory(struct nsys *n, struct err *e) MUST_CHECK;

/* A column's number where the row has one, emitted. */
static inline void nsys_int_of(struct nsys *n, const struct rows *r, int column, uint8_t key)
{
	int64_t v;

	if (key != PLAN_NO_KEY && rows_take_int(r, column, &v))
		emit_int(&n->m, key, v);
}
