/* What a recording says of itself: the head and the tail of its file, its status line for the
 * launcher, and to the person what was lost. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/inject/hold.h"
#include "capture/inject/session.h"
#include "capture/system.h"

enum { LAUNCHES_SUSPICIOUS = 100 };

/* ---- the head of the file ---- */

/* A limit CUPTI or the driver did not tell is left out. */
static void known(struct jtext *t, const char *key, int64_t v)
{
	if (v > 0)
		jtext_f(t, ", \"%s\": %ld", key, v);
}

static void device(struct jtext *t, int id, const struct emit_device *d)
{
	const struct device_limits *l = &d->limits;

	jtext_f(t, "{\"id\": %d, \"name\": ", id);
	jtext_quoted(t, d->name);
	known(t, "totalGlobalMem", d->memory_bytes);
	if (l->major > 0)
		jtext_f(t, ", \"computeMajor\": %d, \"computeMinor\": %d", l->major, l->minor);
	known(t, "maxThreadsPerBlock", l->threads_per_block);
	known(t, "maxThreadsPerMultiprocessor", (int64_t)l->warps_per_sm * l->warp_size);
	known(t, "regsPerBlock", l->regs_per_block);
	known(t, "warpSize", l->warp_size);
	known(t, "sharedMemPerBlock", l->smem_per_block);
	known(t, "numSms", l->sms);
	known(t, "regsPerMultiprocessor", l->regs_per_sm);
	known(t, "sharedMemPerBlockOptin", l->smem_per_block_optin);
	known(t, "sharedMemPerMultiprocessor", l->smem_per_sm);
	JTEXT_LIT(t, "}");
}

static void distributed(struct jtext *t, const struct process_identity *w)
{
	if (w->rank < 0) {
		JTEXT_LIT(t, "\"distributedInfo\": {\"rank\": 0, \"world_size\": 1},\n");
		return;
	}
	jtext_f(t, "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": %d", w->rank);
	known(t, "world_size", w->world);
	JTEXT_LIT(t, "},\n");
}

void session_write_head(struct session *s)
{
	struct jtext *t = &s->out.text;

	JTEXT_LIT(t, "{\n\"schemaVersion\": 1,\n");
	const char *between = "\n";
	JTEXT_LIT(t, "\"deviceProperties\": [");
	for (int i = 0; i < EMIT_DEVICES_MAX; i++) {
		if (!s->emit.device[i].is_known)
			continue;
		jtext_puts(t, between);
		device(t, i, &s->emit.device[i]);
		between = ",\n";
	}
	JTEXT_LIT(t, "],\n");
	distributed(t, &s->whence);
	JTEXT_LIT(t, "\"host_name\": ");
	jtext_quoted(t, s->whence.host);
	if (s->cupti.version)
		jtext_f(t, ",\n\"cupti_version\": %u", s->cupti.version);
	if (s->cupti.driver)
		jtext_f(t, ",\n\"cuda_driver_version\": %d", s->cupti.driver);
	JTEXT_LIT(t, ",\n\"traceq_capture\": {\"program\": ");
	jtext_quoted(t, s->whence.program);
	JTEXT_LIT(t, ", \"options\": ");
	jtext_quoted(t, s->options);
	jtext_f(t,
		"},\n\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": %ld,\n\"traceEvents\": [\n",
		s->emit.base_ns);
}

/* ---- its tail ---- */

static void write_tail(struct session *s)
{
	struct jtext *t = &s->out.text;
	const struct records *r = &s->records;
	uint64_t dropped_buffers = s->pool.dropped_buffers, dropped_bytes = s->pool.dropped_bytes;

	JTEXT_LIT(t, "\n],\n\"traceName\": ");
	jtext_quoted(t, s->out.path);
	jtext_f(t,
		",\n\"traceqCapture\": {\"events\": %lu, \"incomplete\": %lu, \"malformed\": %lu, "
		"\"unread_bytes\": %lu, \"device_ns\": %ld, \"dropped_by_cupti\": %lu, "
		"\"dropped_buffers\": %lu, \"dropped_by_thread\": ",
		s->emit.events, r->incomplete, r->malformed, r->unread_bytes, r->device_ns,
		s->dropped_by_cupti, dropped_buffers);
	losses_put(&s->pool.lost, t);
	JTEXT_LIT(t, ", \"incomplete_by_thread\": ");
	losses_put(&r->lost, t);
	jtext_f(t,
		", \"dropped_bytes\": %lu, \"dropped_ranges\": %lu, \"evicted\": %lu, "
		"\"waits_left_out\": %lu, \"clock_steps_ns\": %ld, \"other_clock\": %lu, "
		"\"other_user\": %s, \"complete\": %s, \"clock\": [[%ld, %ld], [%ld, %ld]]}}\n",
		dropped_bytes, atomic_load(&s->ranges.dropped), s->joins.evicted + s->emit.lost,
		r->left_out, s->clock_steps.sum_ns, r->clock.others,
		session_is_shared(s) ? "true" : "false", session_is_whole(s) ? "true" : "false",
		s->start_ns, s->start_mono_ns, system_realtime(), system_monotonic());
}

void session_write_end(struct session *s)
{
	const struct windows_view *v = &s->emit.view;
	bool many = strcmp(s->set.window, "auto") != 0;
	char name[64];
	for (int i = 0; i < v->n; i++) {
		int64_t start = v->v[i].start_ns > s->start_ns ? v->v[i].start_ns : s->start_ns;
		int64_t end = v->v[i].end_ns == INT64_MAX ? system_realtime() : v->v[i].end_ns;

		(void)snprintf(name, sizeof(name),
			many ? "Iteration Start: traceq #%d" : "Iteration Start: traceq", i + 1);
		emit_instant(&s->emit, name, start);
		if (i + 1 == v->n)
			emit_instant(&s->emit, "Record Window End", end);
	}
	s->out.events = s->emit.events;
	s->out.device_ns = (uint64_t)s->records.device_ns;
	write_tail(s);
}

/* ---- the status line, replaced by renaming ---- */

static void text(struct jtext *t, const char *key, const char *value)
{
	jtext_f(t, ", \"%s\": ", key);
	jtext_quoted(t, value);
}

void status_write(struct session *s, const char *state)
{
	char next[CAPTURE_PATH_MAX + 8];
	struct jtext t = { 0 };
	ssize_t n = -1;

	if (!s->status_path[0])
		return;
	jtext_f(&t, "{\"pid\": %d, \"ppid\": %d, \"rank\": %d", s->whence.pid, s->whence.ppid,
		s->whence.rank);
	text(&t, "exe", s->whence.program);
	text(&t, "state", state);
	text(&t, "part", strcmp(state, "done") != 0 ? s->out.part : "");
	text(&t, "next", s->out.next);
	text(&t, "file", s->out.path);
	jtext_f(&t,
		", \"events\": %lu, \"kernels\": %lu, \"bytes\": %lu, \"dropped\": %lu, "
		"\"partial\": %d, \"cuda\": %d, \"cupti\": %u",
		s->emit.events, s->emit.kernels, s->out.offset,
		s->dropped_by_cupti + s->pool.dropped_buffers, !session_is_whole(s),
		atomic_load(&s->uses_cuda), s->cupti.version);
	text(&t, "libcupti", s->cupti.path);
	text(&t, "error", s->error);
	JTEXT_LIT(&t, "}\n");
	(void)snprintf(next, sizeof(next), "%s.new", s->status_path);
	int fd = open(next, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0) {
		n = write(fd, t.p, t.n);
		(void)close(fd);
	}
	bool is_told = n == (ssize_t)t.n && !t.failed && rename(next, s->status_path) == 0;
	if (!is_told && !s->said_status) {
		s->said_status = true;
		inject_say("the launcher cannot be told of this recording (%s: %s): should the "
			   "program be killed, finish its file with traceq capture --seal",
			s->status_path, strerror(errno));
	}
	if (!is_told && fd >= 0)
		(void)unlink(next);
	jtext_free(&t);
}

/* ---- what was lost ---- */

void session_say_losses(struct session *s)
{
	uint64_t refused = atomic_load(&s->pool.dropped_buffers);
	char threads[128];
	char version[16];

	losses_say(&s->pool.lost, threads, sizeof(threads));
	if (refused)
		session_complain(s,
			"records dropped: CUPTI asked %lu times for a buffer beyond the memory cap "
			"(%ld MiB)%s: raise --memory-cap or record less with --kinds",
			refused, s->set.cap_bytes >> 20, threads);
	if (s->dropped_by_cupti)
		session_complain(s, "CUPTI dropped %lu records", s->dropped_by_cupti);
	if (s->kept_buffers && !s->watch.is_lost)
		session_complain(s,
			"buffers with records that CUPTI does not give back: %lu; another user of "
			"CUPTI in the program (torch.profiler?) may have them",
			s->kept_buffers);
	if (atomic_load(&s->lent.foreign))
		session_complain(s,
			"%lu times CUPTI gave back a buffer that is not capture's: another user "
			"of CUPTI is in the program, whose records and capture's are mixed up",
			atomic_load(&s->lent.foreign));
	if (s->records.clock.others)
		session_complain(s,
			"%lu records have the times of another clock, which another user of "
			"CUPTI in the program (torch.profiler?) has set, and are left out",
			s->records.clock.others);
	losses_say(&s->records.lost, threads, sizeof(threads));
	if (s->records.incomplete)
		session_complain(s, "%lu kernels or copies have no times and are left out%s",
			s->records.incomplete, threads);
	if (s->records.malformed)
		session_complain(s, "%lu buffers end within a record", s->records.malformed);
	if (s->records.unread)
		session_complain(s,
			"%lu buffers end in what is no record: up to %lu bytes behind it are not "
			"in the trace",
			s->records.unread, s->records.unread_bytes);
	if (atomic_load(&s->ranges.dropped))
		session_complain(s, "%lu NVTX ranges dropped: too many at a time",
			atomic_load(&s->ranges.dropped));
	if (s->clock_steps.n)
		session_complain(s,
			"the system's clock was set %lu times while recording, by %.3f s in "
			"all: times of ranges and of GPU work may not fit each other",
			s->clock_steps.n, (double)s->clock_steps.sum_ns / 1e9);
	if (s->windows.left_out)
		session_complain(s, "%lu windows beyond the %dth are not recorded",
			s->windows.left_out, WINDOWS_MAX);
	if (s->records.launches >= LAUNCHES_SUSPICIOUS && s->records.work == 0 &&
		(s->set.kinds & CAPTURE_KIND(KERNEL))) {
		cupti_version_name(s->cupti.version, version);
		session_complain(s,
			"%lu launches but no kernel record: CUPTI %s may be too old for this GPU "
			"(%s); give a newer one with --cupti",
			s->records.launches, version, s->emit.device[0].name);
	}
	HOLD(&s->lock);
	if (s->fatal[0])
		session_complain(s, "CUPTI stopped: %s", s->fatal);
}
