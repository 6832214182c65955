/* The two functions by which the driver and NVTX reach us, and how a recording ends: at exit, by a
 * signal, never in a forked child's hands.
 *
 * The driver calls InitializeInjection within cuInit; NVTX calls InitializeInjectionNvtx2 once for
 * each object that uses it, from any thread, also where CUDA never is.  CUPTI's callbacks carry no
 * pointer of ours, so the session is a static one. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "capture/cupti_abi.h"
#include "capture/inject/hold.h"
#include "capture/inject/nvtx.h"
#include "capture/inject/session.h"
#include "capture/system.h"

#define EXPORT __attribute__((visibility("default")))

/* int InitializeInjection(void): 1 when all is well, as the driver wants it. */
EXPORT int InitializeInjection(void);
EXPORT int InitializeInjectionNvtx2(nvtx_export_fn get_export);

enum { SIGNALS = 3, WAIT_STEPS = 200 };
static const int signals[SIGNALS] = { SIGTERM, SIGINT, SIGHUP };

static struct session session;
static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_asked, is_ready; /* session_init was called; it said yes */
static pid_t owner;
static timer_t timers[SIGNALS]; /* end a process whose worker hangs */
static bool has_timer[SIGNALS];
static bool is_caught[SIGNALS]; /* on_signal is the handler */

/* ---- the end ---- */

static void end_at_exit(void)
{
	if (!is_ready || getpid() != owner || atomic_exchange(&session.finishing, true))
		return;
	if (!session_finish(&session, session.set.exit_timeout_ns))
		inject_say("CUPTI did not answer for %.0f s at exit: the trace ends at its last "
			   "checkpoint",
			(double)session.set.exit_timeout_ns / 1e9);
}

static void restore_default(int number)
{
	struct sigaction plain = { .sa_handler = SIG_DFL };

	(void)sigaction(number, &plain, NULL);
}

/* The worker finishes the file and sends the signal again, which then ends the process.  Should it
 * hang, a timer sends the signal.  A second one ends the process at once, and so does the first
 * where nobody would send it again: in a forked child, which has no worker. */
static void on_signal(int number)
{
	struct itimerspec when = { .it_value = { 0, 1 } };
	int64_t timeout = session.set.exit_timeout_ns;

	restore_default(number);
	if (getpid() != owner || !session.has_worker || atomic_exchange(&session.finishing, true)) {
		(void)raise(number);
		return;
	}
	when.it_value.tv_sec = (time_t)(timeout / 1000000000);
	when.it_value.tv_nsec = (long)(timeout % 1000000000) + 1;
	for (int i = 0; i < SIGNALS; i++)
		if (signals[i] == number && has_timer[i])
			(void)timer_settime(timers[i], 0, &when, NULL);
	atomic_store(&session.signal, number);
	atomic_store(&session.stop, true);
	session_wake(&session);
	/*
	 * The thread waits for its end here: were it to go on, it would find its sleep cut short
	 * and, say, exit with another status.  Not for ever: it may hold a lock the worker wants.
	 */
	const struct timespec pause = { 0, 10000000 };
	sigset_t only;
	(void)sigemptyset(&only);
	(void)sigaddset(&only, number);
	(void)pthread_sigmask(SIG_UNBLOCK, &only, NULL);
	for (int i = 0; i < WAIT_STEPS; i++)
		(void)nanosleep(&pause, NULL);
}

/* Only where the program has left a signal alone.  The first process of a container is not ended by
 * a signal that it has left alone: there is nothing to finish for. */
static void catch_signals(void)
{
	struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, now;

	if (getpid() == 1)
		return;
	(void)sigfillset(&ours.sa_mask);
	for (int i = 0; i < SIGNALS; i++) {
		struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = signals[i] };

		if (sigaction(signals[i], NULL, &now) != 0 || now.sa_handler != SIG_DFL ||
			(now.sa_flags & SA_SIGINFO))
			continue;
		has_timer[i] = timer_create(CLOCK_MONOTONIC, &event, &timers[i]) == 0;
		is_caught[i] = sigaction(signals[i], &ours, NULL) == 0;
	}
}

/* A forked child leaves its signals to the program again, but for handlers that are not ours. */
static void release_signals(void)
{
	struct sigaction now;

	for (int i = 0; i < SIGNALS; i++) {
		has_timer[i] = false; /* timers stay behind in the parent */
		if (is_caught[i] && sigaction(signals[i], NULL, &now) == 0 &&
			now.sa_handler == on_signal)
			restore_default(signals[i]);
		is_caught[i] = false;
	}
}

static void in_child(void)
{
	if (!is_ready)
		return;
	(void)pthread_mutex_init(&start_lock, NULL);
	release_signals();
	session_after_fork(&session);
	owner = getpid();
}

/* ---- the start ---- */

static void start_for_ranges(void *user UNUSED)
{
	HOLD(&start_lock);
	if (session.set.cpu && !session.has_worker && worker_start(&session))
		(void)atexit(end_at_exit);
}

/* Under start_lock: reads the settings, once. */
static bool get_ready(void)
{
	if (is_asked)
		return is_ready;
	is_asked = true;
	is_ready = session_init(&session);
	owner = getpid();
	if (!is_ready)
		return false;
	if (session.set.cpu) {
		session.ranges.on_thread_user = &session;
		session.ranges.on_thread = start_for_ranges;
	}
	(void)pthread_atfork(NULL, NULL, in_child);
	return true;
}

/* ---- what CUPTI calls ---- */

static void lend(uint8_t **buffer, size_t *size, size_t *records)
{
	*records = 0;
	*buffer = pool_lend(&session.pool, size);
	lent_put(&session.lent, *buffer, *size);
}

static void take_back(
	void *context UNUSED, uint32_t stream UNUSED, uint8_t *buffer, size_t size, size_t valid)
{
	/* What is not ours is some other user's of CUPTI: not to be read, kept or freed. */
	if (lent_take(&session.lent, buffer, &size))
		pool_take_back(&session.pool, buffer, size, valid);
}

static void context_created(const void *data)
{
	void *context;
	uint32_t id, device;

	if (!session.cupti.GetContextId) /* in a forked child nothing of CUPTI is ours */
		return;
	atomic_store(&session.is_initialised, true);
	memcpy(&context, data, sizeof(context));
	if (session.cupti.GetContextId(context, &id) == CUPTI_OK &&
		session.cupti.GetDeviceId(context, &device) == CUPTI_OK)
		joins_put_context(&session.joins, id, device);
}

static void went_wrong(const void *data)
{
	const char *message;

	memcpy(&message, (const char *)data + 8, sizeof(message));
	HOLD(&session.lock);
	(void)snprintf(session.fatal, sizeof(session.fatal),
		"%s; the trace ends %.1f s after its start", message ? message : "no reason given",
		(double)(system_monotonic() - session.start_mono_ns) / 1e9);
}

/* The ends of windows, and launches while we listen for them. */
static void api_called(int domain, uint32_t id, const void *data)
{
	uint32_t site;

	memcpy(&site, data, sizeof(site));
	if (domain == CB_RUNTIME ||
		(id != CB_DRIVER_PROFILER_START && id != CB_DRIVER_PROFILER_STOP)) {
		if (site == CB_ENTER)
			watch_heard(&session.watch, domain == CB_RUNTIME);
		return;
	}
	if (id == CB_DRIVER_PROFILER_START && site == CB_EXIT)
		windows_open(&session.windows, system_realtime());
	else if (id == CB_DRIVER_PROFILER_STOP && site == CB_ENTER)
		windows_close(&session.windows, system_realtime());
}

static void init_finished(void)
{
	atomic_store(&session.is_initialised, true);
	/* Handlers run in reverse: this one is after the driver's, so ours comes first. */
	(void)atexit(end_at_exit);
	session_name_threads(&session, true);
}

static void callback(void *user UNUSED, int domain, uint32_t id, const void *data)
{
	if (domain == CB_RESOURCE && id == CB_CONTEXT_CREATED)
		context_created(data);
	else if (domain == CB_RESOURCE && id == CB_INIT_FINISHED)
		init_finished();
	else if (domain == CB_STATE && id == CB_FATAL)
		went_wrong(data);
	else if (domain == CB_DRIVER || domain == CB_RUNTIME)
		api_called(domain, id, data);
}

/* ---- entry points ---- */

int InitializeInjection(void)
{
	HOLD(&start_lock);
	if (get_ready() && !atomic_exchange(&session.uses_cuda, true)) {
		session_start_cupti(&session, callback, lend, take_back);
		if (worker_start(&session)) {
			(void)atexit(end_at_exit);
			catch_signals();
		}
	}
	return 1;
}

int InitializeInjectionNvtx2(nvtx_export_fn get_export)
{
	(void)pthread_mutex_lock(&start_lock);
	bool is_wanted = get_ready() && session.set.nvtx;
	(void)pthread_mutex_unlock(&start_lock);
	if (is_wanted && !nvtx_attach(&session.ranges, get_export))
		inject_say("this NVTX is of no known version: its ranges are not recorded");
	return 1;
}
