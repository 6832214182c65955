/* NVTX ranges and marks, between the program's threads and the worker.
 *
 * Each thread collects in a lane of its own.  The worker takes what is there.  A thread pays two
 * clock readings, a table look-up and two uncontended locks for a range.  What the program passes
 * is copied at the call. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "capture/inject/intern.h"

enum {
	RANGES_DEPTH_MAX = 128,   /* nested ranges of one thread */
	RANGES_INFO = 16384,      /* the last so many ranges are known by their id */
	RANGES_OPEN = 4096,       /* start/end ranges open at a time */
	RANGES_ROWS = 64,         /* rows for them */
	RANGES_NAMES = 512 << 10, /* bytes of names that are kept */
	RANGES_CHUNK = 32,        /* events that a lane gets room for at a time */
	RANGES_TEXT = 1024,       /* bytes of names that are not kept, with them */
	RANGES_CATEGORIES = 256
};

enum range_type {
	RANGE_STACK, /* push .. pop */
	RANGE_LANE,  /* start .. end, on a row of its own */
	RANGE_MARK,
	RANGE_THREAD_NAME /* a name for thread `thread` */
};

enum range_payload { PAYLOAD_NONE, PAYLOAD_U64, PAYLOAD_I64, PAYLOAD_REAL };

/* A domain, as its handle. */
struct range_domain {
	struct name name; /* .n 0: the default one */
	struct {
		uint32_t id;
		struct name name;
	} category[RANGES_CATEGORIES];
	int ncategory;
	struct range_domain *next;
};

/* What a call says of its range. */
struct range_text {
	const struct range_domain *domain; /* NULL: default */
	struct name name;
	bool is_owned; /* name.json is this event's, to be freed */
	bool has_color;
	uint32_t category; /* 0: none */
	uint32_t color;    /* ARGB */
	enum range_payload payload_type;
	uint64_t payload; /* bits of the value */
};

struct range_event {
	enum range_type type;
	uint32_t thread; /* on which it began */
	uint32_t row;    /* of RANGE_LANE */
	int64_t start_ns, end_ns;
	uint64_t id;
	struct range_text text;
	bool is_told; /* of open ranges: CUPTI has its id on the thread's stack */
};

/* Events of a lane, the oldest first, and names of theirs that the table of names cannot hold. */
struct range_chunk {
	struct range_chunk *next;
	size_t n, text_n;
	struct range_event v[RANGES_CHUNK];
	char text[RANGES_TEXT];
};

/* One thread's events and open ranges. */
struct range_lane {
	pthread_mutex_t lock;
	uint32_t thread;
	bool is_dead; /* the thread has ended */
	struct range_chunk *first, *last;
	struct range_event open[RANGES_DEPTH_MAX];
	int depth;
	int too_deep; /* pushes beyond RANGES_DEPTH_MAX */
	struct range_lane *next;
};

/* What is known of a range by its id. */
struct range_info {
	_Atomic uint64_t id;
	uint64_t parent; /* the range it began in, 0: none */
	struct name name;
	_Atomic bool is_over;
};

struct ranges {
	pthread_mutex_t lock; /* of all below but counters and info.is_over */
	struct intern names;
	struct range_lane *lanes;
	struct range_domain *domains;
	void *kept;                          /* registered strings: a list, for ever */
	struct range_domain *default_domain; /* NULL until it has a category */
	struct range_info *info;
	struct range_event *open; /* RANGES_OPEN start/end ranges, .id 0: free */
	bool row_taken[RANGES_ROWS];
	pthread_key_t key; /* tells the end of a thread */
	_Atomic uint64_t last_id;
	_Atomic uint64_t dropped;  /* ranges beyond bytes_max */
	size_t bytes_max;          /* what may wait for the worker, all threads together */
	_Atomic size_t bytes;      /* of chunks in lanes, and of long names */
	struct range_chunk *spare; /* chunks that have been emptied */
	_Atomic bool is_pressed; /* many are waiting: on_pressure was called since the last drain */
	_Atomic bool is_on;      /* off: calls are ignored */
	/* Tells CUPTI of a range, so that device work carries its id; NULL until CUPTI runs. */
	int (*_Atomic push_external)(int kind, uint64_t id);
	int (*_Atomic pop_external)(int kind, uint64_t *id);
	/* Told of each beginning and end whose quoted name is window_name; NULL: nobody asks. */
	void (*on_window)(void *user, bool begins, int64_t now_ns);
	void *on_window_user;
	/* Told when half of what may wait does; NULL: nobody asks. */
	void (*on_pressure)(void *user);
	void *on_pressure_user;
	/* Told of the first call of each thread; NULL: nobody asks. */
	void (*on_thread)(void *user);
	void *on_thread_user;
	char window_name[512];
};

/* bytes_max: what may wait for the worker; more is dropped and counted.  False without memory. */
bool ranges_init(struct ranges *r, size_t bytes_max);

/* In a forked child: its other threads are gone, their locks may be held. */
void ranges_after_fork(struct ranges *r);

/* Calls of the program's threads.  text->name is already kept (ranges_name) or owned; ownership
 * passes on.  push and pop return the level, as NVTX does; start an id for end. */
struct name ranges_name(struct ranges *r, const char *raw, size_t n, bool *is_owned);
int ranges_push(struct ranges *r, const struct range_text *text);
int ranges_pop(struct ranges *r, const struct range_domain *domain);
uint64_t ranges_start(struct ranges *r, const struct range_text *text);
void ranges_end(struct ranges *r, uint64_t id);
void ranges_mark(struct ranges *r, const struct range_text *text);
void ranges_name_thread(struct ranges *r, uint32_t thread, const struct range_text *text);
/* The name must live on. */
struct range_domain *ranges_domain(struct ranges *r, struct name name);
void ranges_category(struct ranges *r, struct range_domain *domain, uint32_t id, struct name name);

/* For the worker.  Calls take() for each finished event, in order of their ends within a thread;
 * is_last: also those still open, as if they ended now.  take() may not keep the event. */
void ranges_drain(struct ranges *r, bool is_last,
	void (*take)(void *user, const struct range_event *e), void *user);

/* This thread's lane, made at its first call; NULL without memory. */
struct range_lane *ranges_lane(struct ranges *r);

/* Appends to a lane, under its lock; drops the event when too much is waiting. */
void ranges_add(struct ranges *r, struct range_lane *lane, struct range_event *e);

/* Frees what an event owns. */
void range_text_drop(struct range_text *text);

/* A recent range by its id; false when it is unknown, or its name was not kept. */
bool ranges_find(struct ranges *r, uint64_t id, struct name *name, uint64_t *parent, bool *is_over);

/* This thread's id as the system knows it. */
uint32_t ranges_thread(void);
