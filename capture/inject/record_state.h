/* What turning records into events needs to know from one record to the next. */
#pragma once

#include "capture/inject/pool.h"
#include "capture/inject/emit.h"
#include "capture/inject/joins.h"
#include "capture/inject/symbols.h"

struct ranges;

enum { RECORDS_HELD = 4096, RECORD_BYTES_MAX = 224, RECORDS_SHAPES = 512, SHAPE_TEXT_MAX = 640 };

/* cuptiActivityGetNextRecord. */
typedef int (*records_next_fn)(uint8_t *buffer, size_t valid, uint8_t **record);

/* What a kernel's arguments are made from, and their text. */
struct shape_key {
	uint32_t device;
	int32_t grid[3], block[3], static_smem, dynamic_smem, smem_limit;
	uint32_t registers;
	uint32_t cluster[3];
};
struct shape {
	struct shape_key key;
	size_t n; /* 0: free */
	char text[SHAPE_TEXT_MAX];
};

struct held {
	int64_t since_ns;
	bool for_stream; /* else for the API record */
	size_t n;
	unsigned char record[RECORD_BYTES_MAX];
};

struct records {
	struct emit *emit; /* borrowed, as the next three */
	struct symbols *names;
	struct joins *joins;
	struct ranges *ranges; /* NULL: no range has a name */
	uint32_t version;      /* of the library that wrote the records */
	int64_t kinds;         /* CAPTURE_KIND bits */
	int64_t patience_ns;   /* how long a record is held */
	bool has_external;     /* records tell ranges: worth waiting for them */
	struct held *held;
	size_t nheld;
	struct shape *shape;
	int64_t allocated[EMIT_DEVICES_MAX];
	/* Called between two records: the text may go on to the file.  NULL: nobody asks. */
	void (*pump)(void *user);
	void *pump_user;
	/* Told. */
	uint64_t incomplete; /* device work without times */
	struct losses lost;  /* the same, by the thread that launched it, where that is known */
	uint64_t malformed;  /* records that overrun their buffer */
	uint64_t left_out;   /* waits on streams that never did anything */
	uint64_t unread, unread_bytes; /* buffers that end in what is no record, and what is behind
	                                */
	uint64_t launches;             /* kernel launches seen */
	uint64_t work;                 /* device records seen, in a window or not */
	int64_t last_ns;               /* the latest end */
	int64_t device_ns; /* the same of device work that is in the file; 0: there is none */
	struct record_clock clock;
};
