/* The one thread of a recording: buffers to events to file, ten times a second; a flush of CUPTI
 * and a checkpoint now and then; the end. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/cupti_abi.h"
#include "capture/inject/hold.h"
#include "capture/inject/session.h"
#include "capture/system.h"

enum { TICK_MS = 100, FIRST_LOOK_MAX = 256, NICE = 5, DEVICE_LOOK_US = 5000 };
enum { DEVICE_PATIENCE_NS = 2000000000, WORKER_STACK = 512 << 10 };

/* ---- the file ---- */

/* Before the file has a name, the launcher knows it. */
static void tell_launcher(void *session)
{
	status_write(session, "record");
}

static bool open_file(struct session *s)
{
	char path[GZOUT_PATH_MAX];

	if (s->has_file)
		return !s->out.failed;
	if (s->out.failed)
		return false;
	if (!process_identity_expand(&s->whence, s->set.out, path, sizeof(path) - 32)) {
		session_complain(s, "bad file name '%s': nothing is recorded", s->set.out);
		s->out.failed = true;
		return false;
	}
	if (!gzout_open(&s->out, path, (int)s->set.level, tell_launcher, s)) {
		session_complain(s, "%s: nothing is recorded", s->out.error);
		return false;
	}
	s->has_file = true;
	/* NVTX may be here before the first DEVICE record. */
	if (s->has_cupti && atomic_load(&s->is_initialised))
		device_records_ask_driver(&s->emit);
	session_write_head(s);
	/* From here on the file can be sealed. */
	return gzout_commit(&s->out) && gzout_settle(&s->out);
}

static void pump(struct session *s)
{
	if (s->has_file)
		(void)gzout_pump(&s->out);
	if (s->has_file && s->out.failed && !s->said_disk) {
		s->said_disk = true;
		session_complain(s, "%s: %s; the trace ends here, %.1f s after its start",
			s->out.part, s->out.error,
			(double)(system_monotonic() - s->start_mono_ns) / 1e9);
	}
}

/* What a killed program leaves is whole up to here. */
static void checkpoint(struct session *s)
{
	s->next_checkpoint_ns = system_monotonic() + s->set.flush_ns;
	clock_steps_look(&s->clock_steps, system_realtime(), system_monotonic());
	if (!s->has_file || s->out.failed)
		return;
	records_settle(&s->records, system_realtime(), false);
	s->out.events = s->emit.events;
	s->out.device_ns = (uint64_t)s->records.device_ns;
	(void)gzout_commit(&s->out);
	pump(s);
	status_write(s, "record");
}

/* ---- CUPTI's buffers back ---- */

/* Whether CUPTI may be asked for its buffers: before cuInit is over, and where nothing was ever
 * recorded, cuptiActivityFlushAll may not come back. */
static bool may_flush(struct session *s)
{
	return s->has_cupti && atomic_load(&s->is_initialised) && atomic_load(&s->lent.moves);
}

static void count_dropped(struct session *s)
{
	size_t n = 0;

	if (s->cupti.ActivityGetNumDroppedRecords(NULL, 0, &n) == CUPTI_OK)
		s->dropped_by_cupti += n;
}

/* False where CUPTI gives nothing back: there is nothing, or it has ended. */
static bool call_back(struct session *s, uint32_t how)
{
	if (!may_flush(s) || s->cupti.ActivityFlushAll(how) != CUPTI_OK)
		return false;
	count_dropped(s);
	atomic_fetch_add(&s->strides, 1);
	return true;
}

/* ---- buffers ---- */

/* Its events to the file.  It goes back to the pool. */
static void use_buffer(struct session *s, const struct pool_item *item)
{
	if (s->has_file && !s->out.failed)
		records_buffer(
			&s->records, s->cupti.ActivityGetNextRecord, item->p, item->valid, true);
	pump(s);
	pool_recycle(&s->pool, item);
	atomic_fetch_add(&s->strides, 1);
	if (system_monotonic() >= s->next_checkpoint_ns)
		checkpoint(s);
}

/* The head of the file tells the devices, so they are looked for in what came first. */
static void first_drain(struct session *s)
{
	struct pool_item items[FIRST_LOOK_MAX];
	size_t n = 0;

	while (n < FIRST_LOOK_MAX && pool_next(&s->pool, &items[n]))
		n++;
	if (!n)
		return;
	(void)call_back(s, 0);
	while (n < FIRST_LOOK_MAX && pool_next(&s->pool, &items[n]))
		n++;
	for (size_t i = 0; i < n; i++) {
		device_records_find(&s->records, s->cupti.ActivityGetNextRecord, items[i].p,
			items[i].valid, true);
		atomic_fetch_add(&s->strides, 1);
	}
	(void)open_file(s);
	atomic_fetch_add(&s->strides, 1);
	for (size_t i = 0; i < n; i++)
		use_buffer(s, &items[i]);
}

static void drain_buffers(struct session *s, bool is_last)
{
	struct pool_item item;

	if (!s->has_cupti)
		return;
	if (!s->has_file && !s->out.failed)
		first_drain(s);
	/* A program may be faster than we are, and the clock must be looked at all the same: only
	 * what is there now, unless it is the last time and no more can come. */
	for (size_t left = pool_waiting(&s->pool); left || is_last; left -= left > 0) {
		if (!pool_next(&s->pool, &item))
			break;
		use_buffer(s, &item);
	}
	pool_prepare(&s->pool);
}

static void take_range(void *user, const struct range_event *e)
{
	struct session *s = user;

	if (open_file(s))
		ranges_write(s, e);
	pump(s);
	atomic_fetch_add(&s->strides, 1);
}

static void drain(struct session *s, bool is_last)
{
	windows_look(&s->windows, &s->emit.view);
	drain_buffers(s, is_last);
	/* With CUPTI the head waits for the devices; ranges wait with it, but not for ever. */
	if (!s->has_cupti || s->has_file || s->has_flushed || is_last)
		ranges_drain(&s->ranges, is_last, take_range, s);
	pump(s);
}

/* ---- time ---- */

static void flush(struct session *s)
{
	(void)call_back(s, 0);
	if (s->has_cupti)
		session_watch(s);
	s->has_flushed = true;
	drain(s, false);
	checkpoint(s);
}

static void sample(struct session *s, int64_t now)
{
	char words[256];

	if (!s->set.nvml_ns || !s->has_file || s->out.failed || now < s->next_nvml_ns)
		return;
	s->next_nvml_ns = now + s->set.nvml_ns;
	if (!s->nvml_asked) {
		s->nvml_asked = true;
		if (!nvml_open(&s->nvml, words, sizeof(words)))
			session_complain(s, "%s", words);
	}
	nvml_sample(&s->nvml, &s->emit, system_realtime());
}

/* CUPTI may come after the worker, where ranges alone had started it. */
static void meet_cupti(struct session *s)
{
	if (s->has_cupti || !atomic_load(&s->cupti_ready))
		return;
	s->has_cupti = true;
	s->symbols.api_name = s->cupti.GetCallbackName;
	if (s->set.delay_ns <= s->set.warmup_ns)
		s->phase = PHASE_RECORD; /* switched on at the start */
}

/* wait -> record, as the clock goes. */
static void move_on(struct session *s, int64_t now)
{
	int64_t since = now - s->start_mono_ns;

	if (s->has_cupti && s->phase == PHASE_WAIT && since >= s->set.delay_ns - s->set.warmup_ns) {
		session_enable(s, true);
		s->phase = PHASE_RECORD;
	}
	if (!s->is_delay_over && since >= s->set.delay_ns) {
		s->is_delay_over = true;
		if (s->set.delay_ns && strcmp(s->set.window, "auto") == 0)
			windows_open(&s->windows, s->start_ns + s->set.delay_ns);
	}
}

static bool is_over(const struct session *s, int64_t now)
{
	return s->set.duration_ns && now - s->start_mono_ns >= s->set.delay_ns + s->set.duration_ns;
}

/* How long the worker may sleep. */
static int next_ms(const struct session *s, int64_t now)
{
	int64_t ms = TICK_MS, wait;

	if (s->set.nvml_ns && s->has_file) {
		wait = (s->next_nvml_ns - now) / 1000000;
		ms = wait < ms ? wait : ms;
	}
	wait = (s->next_flush_ns - now) / 1000000;
	ms = wait < ms ? wait : ms;
	return ms < 1 ? 1 : (int)ms;
}

/* ---- the end ---- */

/* A forced flush gives kernels that are not done without times, and never again: so what was
 * launched is waited for, though not for ever: launches without work, and buffers that do not come
 * back since there is such work in them.  goes_on: the program does not end. */
static void wait_for_device(struct session *s, bool goes_on)
{
	int64_t patience = s->set.exit_timeout_ns / 2;
	uint64_t moves = atomic_load(&s->lent.moves);

	if (patience > DEVICE_PATIENCE_NS)
		patience = DEVICE_PATIENCE_NS;
	int64_t end = system_monotonic() + patience;
	if (goes_on)
		session_end_calls(s);
	while (call_back(s, 0)) {
		drain(s, false);
		if ((!joins_pending(&s->joins) && !lent_used(&s->lent, moves)) ||
			system_monotonic() >= end)
			break;
		(void)usleep(DEVICE_LOOK_US);
	}
}

static void finish(struct session *s, bool goes_on)
{
	const char *state = "done";

	meet_cupti(s);
	if (s->has_cupti) {
		wait_for_device(s, goes_on);
		/* A call that was under way may ask for another buffer behind the flush. */
		uint64_t before = atomic_load(&s->lent.moves);
		session_enable(s, false);
		if (call_back(s, FLUSH_FORCED))
			s->kept_buffers = lent_used(&s->lent, before);
	}
	if (s->has_pool)
		pool_close(&s->pool);
	drain(s, true);
	atomic_store(&s->ranges.is_on, false);
	records_settle(&s->records, system_realtime(), true);
	if (s->has_file && !s->out.failed) {
		session_write_end(s);
		(void)gzout_finish(&s->out);
		pump(s);
	}
	session_say_losses(s);
	if (s->has_file && s->out.failed)
		state = "broken";
	status_write(s, state);
	gzout_forget(&s->out);
	s->phase = PHASE_DONE;
}

static void announce(struct session *s)
{
	HOLD(&s->lock);
	s->finished = true;
	(void)pthread_cond_broadcast(&s->finished_cond);
}

/* ---- the loop ---- */

static void set_up_thread(void)
{
	cpu_set_t *all = CPU_ALLOC(4096);

	(void)prctl(PR_SET_NAME, "traceq-capture");
	(void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
	/* A rank that is bound to one core should not share it with us. */
	if (all) {
		size_t size = CPU_ALLOC_SIZE(4096);

		CPU_ZERO_S(size, all);
		for (size_t i = 0; i < 4096; i++)
			CPU_SET_S(i, size, all);
		(void)sched_setaffinity(0, size, all);
		CPU_FREE(all);
	}
}

static void sleep_until_wanted(struct session *s)
{
	struct pollfd p = { .fd = s->wake[0], .events = POLLIN };
	char bytes[64];

	if (poll(&p, 1, next_ms(s, system_monotonic())) > 0)
		while (read(s->wake[0], bytes, sizeof(bytes)) > 0)
			;
}

static void *work(void *session)
{
	struct session *s = session;

	set_up_thread();
	s->next_flush_ns = s->next_checkpoint_ns = system_monotonic() + s->set.flush_ns;
	status_write(s, "wait");
	while (!atomic_load(&s->stop)) {
		int64_t now = system_monotonic();

		meet_cupti(s);
		move_on(s, now);
		if (is_over(s, now)) {
			if (strcmp(s->set.window, "auto") == 0)
				windows_close(&s->windows,
					s->start_ns + s->set.delay_ns + s->set.duration_ns);
			break;
		}
		drain(s, false);
		sample(s, now);
		if (now >= s->next_flush_ns) {
			s->next_flush_ns = now + s->set.flush_ns;
			flush(s);
		}
		sleep_until_wanted(s);
	}
	finish(s, !atomic_load(&s->stop));
	announce(s);
	/* Asked by a signal whose handler has restored the default: now it may end the program.  A
	 * handler that comes later ends it itself. */
	(void)atomic_exchange(&s->finishing, true);
	int signal = atomic_load(&s->signal);
	if (signal)
		(void)kill(getpid(), signal);
	return NULL;
}

bool worker_start(struct session *s)
{
	pthread_attr_t attr;
	sigset_t all, old;

	if (s->has_worker)
		return true;
	if (!symbols_init(&s->symbols, NULL) || pipe2(s->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
		session_complain(s, "cannot start: %s; nothing is recorded", strerror(errno));
		return false;
	}
	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setstacksize(&attr, WORKER_STACK);
	/* It is waited for by `finished`, and only so long. */
	(void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	bool ok = pthread_create(&s->worker, &attr, work, s) == 0;
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	(void)pthread_attr_destroy(&attr);
	s->has_worker = ok;
	if (!ok)
		session_complain(s, "cannot start a thread; nothing is recorded");
	return ok;
}
