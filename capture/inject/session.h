/* One recording of one process: everything it owns, and who touches what.
 *
 *   the program's threads   pool and lent (through CUPTI), ranges, windows, joins' contexts
 *   the worker              all the rest
 *   the exiting thread      asks the worker to finish and waits, not for ever */
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "capture/cupti.h"
#include "capture/inject/gzout.h"
#include "capture/inject/nvml.h"
#include "capture/inject/ranges.h"
#include "capture/inject/records.h"
#include "capture/inject/watch.h"
#include "capture/process_identity.h"

enum { SESSION_WORDS_MAX = 1024 };

/* When the kinds are on and what becomes of records; the worker moves on. */
enum phase {
	PHASE_WAIT,   /* CUPTI records nothing yet */
	PHASE_RECORD, /* it does; the windows decide what is kept */
	PHASE_DONE    /* the file is finished, the program goes on */
};

struct session {
	struct capture_settings set;
	const char *options; /* CAPTURE_VARIABLE's value */
	struct process_identity whence;
	struct cupti cupti;
	struct pool pool;
	struct lent lent; /* of the pool's buffers those that CUPTI has */
	struct libraries libraries;
	struct watch watch;   /* whether any come back */
	struct ranges ranges; /* lives longer than the recording */
	struct windows windows;
	struct gzout out;
	struct emit emit;
	struct symbols symbols;
	struct joins joins;
	struct records records;
	struct nvml nvml;

	/* The worker's own stand together: compilers read several of them at once. */
	bool has_pool, has_file;
	bool has_cupti; /* the worker has seen that */
	bool has_flushed, is_delay_over;
	enum phase phase;
	int64_t start_ns;      /* of the recording, CLOCK_REALTIME */
	int64_t start_mono_ns; /* the same moment, CLOCK_MONOTONIC */
	int64_t next_flush_ns, next_checkpoint_ns, next_nvml_ns; /* CLOCK_MONOTONIC */
	struct clock_steps clock_steps;
	bool nvml_asked;
	uint64_t dropped_by_cupti;
	bool lacks_work;       /* a kind of device work that was asked for is refused */
	uint64_t kept_buffers; /* with records, that CUPTI did not give back at the end */
	bool said_disk, said_status;
	char error[SESSION_WORDS_MAX]; /* what went wrong first, for the status line */
	char fatal[SESSION_WORDS_MAX]; /* CUPTI's last words; under `lock` */

	pthread_t worker;
	bool has_worker;
	int wake[2];            /* a pipe: written to by whoever wants the worker's attention */
	_Atomic bool uses_cuda; /* InitializeInjection was called */
	_Atomic bool has_thread_ids; /* CUPTI tells threads by the system's ids */
	_Atomic bool cupti_ready;    /* all of cupti and pool is set: the worker may use them */
	_Atomic bool is_initialised; /* cuInit is over, or a context was made */
	_Atomic bool stop;           /* asked to finish */
	_Atomic bool finishing;      /* somebody is at it */
	_Atomic int signal;          /* that asked, 0: none */
	_Atomic uint64_t strides;    /* what the worker has dealt with: progress */
	pthread_mutex_t lock;        /* of finished and fatal */
	pthread_cond_t finished_cond;
	bool finished;
	char status_path[CAPTURE_PATH_MAX]; /* "": nobody asked for a status line */
};

/* Reads CAPTURE_VARIABLE.  False, and said, when it is there but wrong; or silently without it. */
bool session_init(struct session *s);

/* CUDA is there: subscribes to CUPTI and switches kinds on.  Whatever fails is said, and the rest
 * goes on.  callback and the buffer functions get no pointer of ours from CUPTI. */
void session_start_cupti(struct session *s, cupti_callback_fn callback, cupti_request_fn request,
	cupti_complete_fn complete);

/* Has CUPTI tell threads as the system does, where it does not yet: within cuInit it may not be
 * able to.  is_last: says so when it still cannot.  By the thread that initialises CUDA. */
void session_name_threads(struct session *s, bool is_last);

/* Switches the asked-for kinds on or off. */
void session_enable(struct session *s, bool on);

/* After a flush: has CUPTI stopped recording for us?  Says so, once. */
void session_watch(struct session *s);

/* Whether another user of CUPTI was noticed in the program. */
bool session_is_shared(const struct session *s);

/* Whether the device work that was asked for stands in the file, as far as we know. */
bool session_is_whole(struct session *s);

/* Switches API calls off, and leaves device work on: what was launched is still to be told. */
void session_end_calls(struct session *s);

/* Says it and remembers the first for the status line. */
void session_complain(struct session *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Asks the worker to finish and waits; false when it gave no sign of life for that time. */
bool session_finish(struct session *s, int64_t timeout_ns);

/* Wakes the worker; from anywhere, a signal handler too. */
void session_wake(struct session *s);

/* In a forked child: nothing of the parent's recording is ours. */
void session_after_fork(struct session *s);

/* Starts the worker, once. */
bool worker_start(struct session *s);

/* Writes the status line into the run directory; state as the launcher knows it. */
void status_write(struct session *s, const char *state);

/* Says what was dropped, left out or went wrong. */
void session_say_losses(struct session *s);

/* What stands in the file before its events, and behind them: the windows' instants, the tail. */
void session_write_head(struct session *s);
void session_write_end(struct session *s);

/* One NVTX event to the file. */
void ranges_write(struct session *s, const struct range_event *e);

/* Words to the person from inside a program that is not ours: one line each to stderr, "traceq:
 * capture: ...", by one write(2); never through stdio, whose buffers are the program's. */

void inject_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
