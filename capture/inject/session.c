/* Starting and ending a recording. */
#include "capture/inject/session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/inject/hold.h"
#include "capture/system.h"

void session_complain(struct session *s, const char *fmt, ...)
{
	char words[SESSION_WORDS_MAX];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(words, sizeof(words), fmt, ap);
	va_end(ap);
	inject_say("%s", words);
	if (!s->error[0])
		(void)snprintf(s->error, sizeof(s->error), "%s", words);
}

/* ---- making it ---- */

static void on_window(void *user, bool begins, int64_t now_ns)
{
	struct session *s = user;

	if (begins)
		windows_open(&s->windows, now_ns);
	else
		windows_close(&s->windows, now_ns);
}

static void init_windows(struct session *s)
{
	struct jtext name = { 0 };
	const char *nvtx = strncmp(s->set.window, "nvtx:", 5) == 0 ? s->set.window + 5 : NULL;

	windows_init(&s->windows);
	if (strcmp(s->set.window, "auto") == 0 && s->set.delay_ns == 0)
		windows_open(&s->windows, 0);
	if (!nvtx)
		return;
	jtext_string(&name, nvtx, strlen(nvtx));
	if (name.n < sizeof(s->ranges.window_name)) {
		memcpy(s->ranges.window_name, name.p, name.n);
		s->ranges.on_window_user = s;
		s->ranges.on_window = on_window;
	}
	jtext_free(&name);
}

static void init_status(struct session *s)
{
	const char *dir = secure_getenv(CAPTURE_RUN_DIR);

	s->status_path[0] = 0;
	if (!dir || dir[0] != '/' || strlen(dir) > sizeof(s->status_path) - 64)
		return;
	(void)snprintf(s->status_path, sizeof(s->status_path), "%s/%d-%lld.json", dir,
		s->whence.pid, (long long)s->whence.start_ns);
}

void session_wake(struct session *s)
{
	char byte = 0;

	if (s->wake[1] >= 0)
		(void)!write(s->wake[1], &byte, 1);
}

static void wake_worker(void *session)
{
	session_wake(session);
}

/* A megabyte of records is four of text: it goes on to the file as it comes. */
static void pump_text(void *session)
{
	struct session *s = session;

	if (s->has_file)
		(void)gzout_pump(&s->out);
}

static void connect_records(struct session *s)
{
	s->records.emit = &s->emit;
	s->records.names = &s->symbols;
	s->records.joins = &s->joins;
	s->records.ranges = &s->ranges;
	s->records.kinds = s->set.kinds;
	s->records.patience_ns = 2 * s->set.flush_ns;
	s->records.pump_user = s;
	s->records.pump = pump_text;
}

static bool init_parts(struct session *s)
{
	int64_t now = system_realtime();

	if (!ranges_init(&s->ranges, capture_ranges_bytes(&s->set)) || !joins_init(&s->joins) ||
		!records_init(&s->records) ||
		!emit_init(&s->emit, &s->out.text, s->whence.pid, now))
		return false;
	s->ranges.on_pressure_user = s;
	s->ranges.on_pressure = wake_worker;
	s->emit.flow = s->set.flow;
	s->start_ns = now;
	s->start_mono_ns = system_monotonic();
	connect_records(s);
	return true;
}

static void read_comm(struct session *s)
{
	(void)system_read("/proc/self/comm", s->emit.comm, sizeof(s->emit.comm));
	s->emit.comm[strcspn(s->emit.comm, "\n")] = 0;
}

/* The wait for the worker's end has a limit, which a clock that is set must not move. */
static void init_lock(struct session *s)
{
	pthread_condattr_t attr;

	(void)pthread_mutex_init(&s->lock, NULL);
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&s->finished_cond, &attr);
	(void)pthread_condattr_destroy(&attr);
}

bool session_init(struct session *s)
{
	char error[CAPTURE_WORDS_MAX];
	/* A program with more rights than whoever starts it takes no files' names from them. */
	const char *options = secure_getenv(CAPTURE_VARIABLE);

	memset(s, 0, sizeof(*s));
	s->out.fd = s->wake[0] = s->wake[1] = -1;
	if (!options) {
		if (getenv(CAPTURE_VARIABLE))
			inject_say(
				"this program has rights of its own (set-user-id, set-group-id or "
				"file capabilities): nothing is recorded");
		return false;
	}
	s->options = strdup(options); /* the program may change its environment */
	if (!s->options || !capture_settings_decode(&s->set, options, error)) {
		inject_say("%s: nothing is recorded", s->options ? error : "no memory");
		return false;
	}
	process_identity_ask(&s->whence);
	init_lock(s);
	if (!init_parts(s)) {
		inject_say("no memory: nothing is recorded");
		return false;
	}
	read_comm(s);
	init_windows(s);
	init_status(s);
	return true;
}

/* ---- the end ---- */

/* Waits for the worker's end; false when `ns` went by first.  The lock is held. */
static bool wait_finished(struct session *s, int64_t ns)
{
	int64_t end = system_monotonic() + ns;
	struct timespec until = { (time_t)(end / 1000000000), (long)(end % 1000000000) };
	while (!s->finished)
		if (pthread_cond_timedwait(&s->finished_cond, &s->lock, &until) != 0)
			break;
	return s->finished;
}

bool session_finish(struct session *s, int64_t timeout_ns)
{
	uint64_t before;
	bool done;

	if (!s->has_worker)
		return true;
	atomic_store(&s->stop, true);
	session_wake(s);
	HOLD(&s->lock);
	do { /* what is slow but comes is waited for */
		before = atomic_load(&s->strides);
		done = wait_finished(s, timeout_ns);
	} while (!done && atomic_load(&s->strides) != before);
	return done;
}

void session_after_fork(struct session *s)
{
	/* The parent's file, buffers and worker are the parent's.  Memory of half-made states is
	 * left alone. */
	if (s->out.fd >= 0)
		(void)close(s->out.fd);
	for (int i = 0; i < 2; i++)
		if (s->wake[i] >= 0)
			(void)close(s->wake[i]);
	s->wake[0] = s->wake[1] = -1;
	s->out = (struct gzout){ .fd = -1 };
	s->has_worker = s->has_pool = s->has_file = s->finished = false;
	s->has_cupti = s->has_flushed = s->is_delay_over = false;
	atomic_store(&s->cupti_ready, false);
	atomic_store(&s->is_initialised, false);
	s->cupti = (struct cupti){ 0 };
	s->phase = PHASE_WAIT;
	s->error[0] = s->fatal[0] = 0;
	s->said_disk = s->said_status = false;
	s->dropped_by_cupti = s->kept_buffers = 0;
	s->lacks_work = false;
	atomic_store(&s->has_thread_ids, false);
	s->libraries = (struct libraries){ 0 };
	memset(&s->watch, 0, sizeof(s->watch));
	memset(&s->clock_steps, 0, sizeof(s->clock_steps));
	/* CUPTI may ask for buffers in the child, too.  The lock may have been another thread's. */
	(void)pthread_mutex_init(&s->pool.lock, NULL);
	s->pool.is_closed = true;
	memset(&s->lent, 0, sizeof(s->lent)); /* the parent's */
	atomic_store(&s->uses_cuda, false);
	atomic_store(&s->stop, false);
	atomic_store(&s->finishing, false);
	atomic_store(&s->signal, 0);
	init_lock(s);
	ranges_after_fork(&s->ranges);
	process_identity_ask(&s->whence);
	/* The parent's worker may have been at these.  They are nobody's now. */
	joins_free(&s->joins);
	records_free(&s->records);
	emit_free(&s->emit);
	if (!joins_init(&s->joins) || !records_init(&s->records))
		atomic_store(&s->ranges.is_on, false);
	(void)emit_init(&s->emit, &s->out.text, s->whence.pid, system_realtime());
	s->emit.flow = s->set.flow;
	s->start_ns = system_realtime();
	s->start_mono_ns = system_monotonic();
	connect_records(s);
	read_comm(s);
	init_windows(s);
	init_status(s);
}

/* ---- messages ---- */

/* Bytes at p that must not reach a terminal or a CI server's log: a control (C0, DEL, C1), a mark
 * of direction or without width (U+200B to 200F, 2028 to 202E, 2060 to 206F, FEFF), the first of
 * "##". The same rule as the answers' own, which this library does not link. */
static size_t unsafe_bytes(const unsigned char *p, size_t n)
{
	if (p[0] < ' ' || p[0] == 0x7f || (n > 1 && p[0] == '#' && p[1] == '#'))
		return 1;
	if (n > 1 && p[0] == 0xc2 && p[1] < 0xa0)
		return 2;
	if (n > 2 && p[0] == 0xe2 && p[1] == 0x80)
		return (p[2] >= 0x8b && p[2] <= 0x8f) || (p[2] >= 0xa8 && p[2] <= 0xae) ? 3 : 0;
	if (n > 2 && p[0] == 0xe2 && p[1] == 0x81)
		return p[2] >= 0xa0 && p[2] <= 0xaf ? 3 : 0;
	return n > 2 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

void inject_say(const char *fmt, ...)
{
	static const char head[] = "traceq: capture: ";
	int saved = errno;
	char text[2048];
	size_t n = sizeof(head) - 1;
	va_list ap;

	memcpy(text, head, n);
	va_start(ap, fmt);
	int k = vsnprintf(text + n, sizeof(text) - n - 1, fmt, ap);
	va_end(ap);
	if (k > 0)
		n += (size_t)k < sizeof(text) - n - 1 ? (size_t)k : sizeof(text) - n - 2;
	for (size_t i = 0; i < n; i++)
		for (k = (int)unsafe_bytes((unsigned char *)text + i, n - i); k > 0; k--)
			text[i + (size_t)k - 1] = '?';
	text[n++] = '\n';
	while (write(STDERR_FILENO, text, n) < 0 && errno == EINTR)
		;
	errno = saved;
}
