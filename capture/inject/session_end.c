/*
 * The last words of a recording: what was lost, to the person; windows and tail, to the file.
 */
#include <stdio.h>
#include <string.h>

#include "capture/inject/document.h"
#include "capture/inject/session.h"

enum { LAUNCHES_SUSPICIOUS = 100 };

void session_say_losses(struct session *s)
{
	uint64_t refused = atomic_load(&s->pool.dropped_buffers);
	char threads[128];
	char version[16];

	losses_say(&s->pool.lost, threads, sizeof(threads));
	if (refused)
		session_complain(s,
			"records dropped: CUPTI asked %llu times for a buffer beyond the memory cap "
			"(%lld MiB)%s: raise --memory-cap or record less with --kinds",
			(unsigned long long)refused, (long long)(s->set.cap_bytes >> 20), threads);
	if (s->dropped_by_cupti)
		session_complain(
			s, "CUPTI dropped %llu records", (unsigned long long)s->dropped_by_cupti);
	if (s->digest_file_buffers && !s->watch.is_lost)
		session_complain(s,
			"buffers with records that CUPTI does not give back: %llu; another user of "
			"CUPTI in the program (torch.profiler?) may have them",
			(unsigned long long)s->digest_file_buffers);
	if (atomic_load(&s->lent.foreign))
		session_complain(s,
			"%llu times CUPTI gave back a buffer that is not capture's: another user "
			"of CUPTI is in the program, whose records and capture's are mixed up",
			(unsigned long long)atomic_load(&s->lent.foreign));
	if (s->records.clock.others)
		session_complain(s,
			"%llu records have the times of another clock, which another user of "
			"CUPTI in the program (torch.profiler?) has set, and are left out",
			(unsigned long long)s->records.clock.others);
	losses_say(&s->records.lost, threads, sizeof(threads));
	if (s->records.incomplete)
		session_complain(s, "%llu kernels or copies have no times and are left out%s",
			(unsigned long long)s->records.incomplete, threads);
	if (s->records.malformed)
		session_complain(s, "%llu buffers end within a record",
			(unsigned long long)s->records.malformed);
	if (s->records.unread)
		session_complain(s,
			"%llu buffers end in what is no record: up to %llu bytes behind it are not "
			"in the trace",
			(unsigned long long)s->records.unread,
			(unsigned long long)s->records.unread_bytes);
	if (atomic_load(&s->ranges.dropped))
		session_complain(s, "%llu NVTX ranges dropped: too many at a time",
			(unsigned long long)atomic_load(&s->ranges.dropped));
	if (s->clock_steps.n)
		session_complain(s,
			"the system's clock was set %llu times while recording, by %.3f s in all: "
			"times of ranges and of device work may not fit each other",
			(unsigned long long)s->clock_steps.n, (double)s->clock_steps.sum_ns / 1e9);
	if (s->windows.left_out)
		session_complain(s, "%llu windows beyond the %dth are not recorded",
			(unsigned long long)s->windows.left_out, WINDOWS_MAX);
	if (s->records.launches >= LAUNCHES_SUSPICIOUS && s->records.work == 0 &&
		(s->set.kinds & CAPTURE_KIND(KERNEL))) {
		cupti_version_name(s->cupti.version, version);
		session_complain(s,
			"%llu launches but no kernel record: CUPTI %s may be too old for this GPU "
			"(%s); give a newer one with --cupti",
			(unsigned long long)s->records.launches, version, s->emit.device[0].name);
	}
	(void)pthread_mutex_lock(&s->lock);
	if (s->fatal[0])
		session_complain(s, "CUPTI stopped: %s", s->fatal);
	(void)pthread_mutex_unlock(&s->lock);
}

static void write_windows(struct session *s)
{
	const struct windows_view *v = &s->emit.view;
	bool many = strcmp(s->set.window, "auto") != 0;
	char name[64];
	int i;

	for (i = 0; i < v->n; i++) {
		int64_t start = v->v[i].start_ns > s->start_ns ? v->v[i].start_ns : s->start_ns;
		int64_t end = v->v[i].end_ns == INT64_MAX ? ranges_now() : v->v[i].end_ns;

		(void)snprintf(name, sizeof(name),
			many ? "Iteration Start: traceq #%d" : "Iteration Start: traceq", i + 1);
		emit_instant(&s->emit, name, start);
		if (i + 1 == v->n)
			emit_instant(&s->emit, "Record Window End", end);
	}
}

static void write_tail(struct session *s)
{
	struct document_tail tail = {
		.path = s->out.path,
		.events = s->emit.events,
		.incomplete = s->records.incomplete,
		.dropped = &s->pool.lost,
		.without_times = &s->records.lost,
		.malformed = s->records.malformed,
		.unread_bytes = s->records.unread_bytes,
		.device_ns = s->records.device_ns,
		.dropped_by_cupti = s->dropped_by_cupti,
		.dropped_buffers = s->pool.dropped_buffers,
		.dropped_bytes = s->pool.dropped_bytes,
		.dropped_ranges = atomic_load(&s->ranges.dropped),
		.evicted = s->joins.evicted + s->emit.lost,
		.left_out = s->records.left_out,
		.clock_steps_ns = s->clock_steps.sum_ns,
		.other_clock = s->records.clock.others,
		.is_shared = session_is_shared(s),
		.is_whole = session_is_whole(s),
		.realtime_ns = { s->start_ns, ranges_now() },
		.monotonic_ns = { s->start_mono_ns, session_monotonic() },
	};

	document_tail(&s->out.text, &tail);
}

void session_write_end(struct session *s)
{
	write_windows(s);
	s->out.events = s->emit.events;
	s->out.device_ns = (uint64_t)s->records.device_ns;
	write_tail(s);
}
