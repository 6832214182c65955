/* Other users of CUPTI in the process: noticing them, and saying so. */
#include "capture/cupti_abi.h"
#include "capture/inject/hold.h"
#include "capture/inject/session.h"

static void listen_in(struct session *s, int domain, bool on)
{
	struct api_name a;
	uint32_t id = 0;

	while (session_next_call(s, domain, &id, &a))
		if (a.is_kernel)
			(void)s->cupti.EnableCallback(on, s->cupti.subscriber, domain, id);
}

static void listen(struct session *s, bool on)
{
	listen_in(s, CB_RUNTIME, on);
	listen_in(s, CB_DRIVER, on);
}

static bool has_stopped(struct session *s)
{
	HOLD(&s->lock);
	return s->fatal[0];
}

/* A CUPTI, or what brings one, that has come after ours. */
static void look_at_libraries(struct session *s)
{
	struct libraries *l = &s->libraries;
	const char *ours = s->cupti.path;
	char own[LIBRARIES_PATH_MAX];

	libraries_look(l);
	if (l->second[0] && !l->said_second) {
		l->said_second = true;
		session_complain(s,
			"a second CUPTI has been loaded: %s beside %s; two do not go together, and "
			"records may be missing: have capture use that one, with --cupti=%s",
			l->second, ours, l->second);
	}
	if (l->torch[0] && !l->said_torch && libraries_torch_cupti(l->torch, ours, own)) {
		l->said_torch = true;
		session_complain(s,
			"PyTorch has been loaded after CUPTI and uses %s in place of %s; should it "
			"miss a function or records, have capture use its own, with --cupti=%s",
			ours, own, own);
	}
}

void session_watch(struct session *s)
{
	bool has_kernels = s->set.kinds & CAPTURE_KIND(KERNEL);
	int64_t now = session_monotonic();

	look_at_libraries(s);
	record_clock_look(&s->records.clock, now);
	/* Launches leave no record where neither is recorded, and CUPTI may have stopped itself. */
	if (!s->cupti.subscriber || s->phase != PHASE_RECORD || has_stopped(s) ||
		!(has_kernels || (s->set.kinds & CAPTURE_KIND(RUNTIME))))
		return;
	switch (watch_look(&s->watch, &s->lent, has_kernels, now)) {
	case WATCH_LISTEN: listen(s, true); break;
	case WATCH_STOP: listen(s, false); break;
	case WATCH_LOST:
		listen(s, false);
		session_complain(s,
			"CUPTI gives capture no more records, though the program launches "
			"kernels: another user of CUPTI in it (torch.profiler?) has taken over; "
			"GPU work is missing from %.1f s after the start on",
			(double)(s->watch.moved_ns - s->start_mono_ns) / 1e9);
		break;
	case WATCH_GO_ON: break;
	}
}

bool session_is_shared(const struct session *s)
{
	return s->watch.is_lost || s->kept_buffers || atomic_load(&s->lent.foreign) ||
		s->records.clock.others;
}

bool session_is_whole(struct session *s)
{
	const struct records *r = &s->records;

	return !session_is_shared(s) && !s->lacks_work && !r->incomplete && !r->malformed &&
		!r->unread && !s->dropped_by_cupti && !atomic_load(&s->pool.dropped_buffers);
}
