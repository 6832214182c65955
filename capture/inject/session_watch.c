/*
 * Other users of CUPTI in the process: noticing them, and saying so.
 */
#include "capture/cupti_abi.h"
#include "capture/inject/session.h"

/* The last id a domain may have; names beyond it are not asked for. */
enum { CBIDS_MAX = 1200 };

static void listen_in(struct session *s, int domain, bool on)
{
	struct cupti *c = &s->cupti;
	uint32_t id;

	for (id = 1; id < CBIDS_MAX; id++) {
		const char *name = NULL;
		struct api_name a = { 0 };
		char plain[256];

		if (c->GetCallbackName(domain, id, &name) != CUPTI_OK || !name)
			continue;
		symbols_api_plain(name, plain, sizeof(plain));
		symbols_classify(&a, plain);
		if (a.is_kernel)
			(void)c->EnableCallback(on, c->subscriber, domain, id);
	}
}

static void listen(struct session *s, bool on)
{
	listen_in(s, CB_RUNTIME, on);
	listen_in(s, CB_DRIVER, on);
}

static bool has_stopped(struct session *s)
{
	bool stopped;

	(void)pthread_mutex_lock(&s->lock);
	stopped = s->fatal[0];
	(void)pthread_mutex_unlock(&s->lock);
	return stopped;
}

void session_watch(struct session *s)
{
	bool has_kernels = s->set.kinds & CAPTURE_KIND(KERNEL);
	int64_t now = session_monotonic();

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
			"device work is missing from %.1f s after the start on",
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

bool session_is_whole(const struct session *s)
{
	return !session_is_shared(s) && !s->lacks_work;
}
