/* Whether CUPTI still records for us.
 *
 * Nothing tells a user of CUPTI that another one in the process has registered its own buffer
 * functions or has switched kinds off; records just cease to come, as they do when the program
 * pauses.  So when neither a buffer was asked for nor given back for some flushes, CUPTI is asked
 * to call us at each launch: launches that would more than fill all buffers it has of us, and still
 * no buffer moves, are recorded for somebody else or not at all.  While buffers move nothing is
 * called. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The buffers that CUPTI has of us at the moment.
 *
 * A process has one pair of buffer functions, and any user of CUPTI in it may register its own:
 * then buffers of ours go to it, or buffers of its come to us.  So it is kept which are ours, and
 * whether anything comes and goes at all. */
enum { LENT_SLOTS = 16384 }; /* a power of two */

struct lent_slot {
	uint8_t *p; /* NULL: free */
	size_t size;
	uint64_t moved; /* the count of moves when it was lent */
};

struct lent {
	pthread_mutex_t lock;
	struct lent_slot *slot; /* LENT_SLOTS, found by hashing; NULL: nothing is kept */
	size_t n;
	_Atomic uint64_t bytes;   /* of all that are out */
	_Atomic uint64_t moves;   /* how often CUPTI asked for one or gave one back */
	_Atomic uint64_t foreign; /* buffers given to us that are not ours */
	bool is_blind;            /* more were out than fit: every buffer is taken for ours */
};

/* False without memory. */
bool lent_init(struct lent *l);

/* CUPTI gets a buffer; or asked for one and got none (NULL). */
void lent_put(struct lent *l, uint8_t *p, size_t size);

/* It gives one back: true, with the size it was lent with, when it is ours.  *size as CUPTI tells
 * it stays where nothing is known.  NULL is nobody's. */
bool lent_take(struct lent *l, uint8_t *p, size_t *size);

/* How many of those that are out since before that count of moves hold records.  Only while nobody
 * writes to them. */
size_t lent_used(struct lent *l, uint64_t before);

enum {
	WATCH_QUIET = 3,         /* flushes without a move before we listen */
	WATCH_RECORD_BYTES = 40, /* a launch leaves one record at least, and none is smaller */
	WATCH_LAUNCHES_MIN = 64  /* so many must be heard of */
};

enum watch_advice {
	WATCH_GO_ON,
	WATCH_LISTEN, /* have launches told */
	WATCH_STOP,   /* no longer */
	WATCH_LOST    /* CUPTI records for us no more; stop listening */
};

struct watch {
	_Atomic uint64_t launches[2]; /* heard of: of the driver's functions, of the runtime's */
	uint64_t moves;               /* at the last look */
	int quiet;
	bool is_listening, is_lost;
	int64_t moved_ns; /* when buffers were last seen to move, as the looks tell time */
};

/* A launch began. */
void watch_heard(struct watch *w, bool is_runtime);

/* After a flush: what to do.  has_driver: a launch by a driver function leaves a record, too. */
enum watch_advice watch_look(struct watch *w, struct lent *lent, bool has_driver, int64_t now_ns);

/* Libraries that the program loads after CUPTI and that go with another one. */
enum { LIBRARIES_CUPTIS = 8, LIBRARIES_PATH_MAX = 1024 };

struct libraries {
	unsigned long long adds;           /* how often something was loaded, at the last look */
	uintptr_t cupti[LIBRARIES_CUPTIS]; /* where the CUPTIs are that were there at the first look
	                                    */
	size_t ncuptis;
	bool has_looked, said_second, said_torch;
	/* What this look found, "": nothing. */
	char second[LIBRARIES_PATH_MAX], torch[LIBRARIES_PATH_MAX];
};

/* The first time: what is there; later: what has come.  Costs next to nothing where nothing has. */
void libraries_look(struct libraries *l);

/* The CUPTI that a PyTorch brings whose library lies at torch, where it is another file than cupti
 * but of the same name: true, with its path in own[LIBRARIES_PATH_MAX].  The loader gives PyTorch
 * the one that is there already. */
bool libraries_torch_cupti(const char *torch, const char *cupti, char *own);
