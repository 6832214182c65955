/* Switching CUPTI on and off, as the settings say. */
#include <stdio.h>

#include "capture/cupti_abi.h"
#include "capture/inject/hold.h"
#include "capture/inject/session.h"
#include "capture/system.h"

/* X(bit of kinds, record kind) */
#define WANTED(X)                 \
	X(KERNEL, ACT_KERNEL)     \
	X(COPY, ACT_MEMCPY)       \
	X(COPY, ACT_MEMCPY2)      \
	X(SET, ACT_MEMSET)        \
	X(RUNTIME, ACT_RUNTIME)   \
	X(SYNC, ACT_SYNC)         \
	X(SYNC, ACT_CUDA_EVENT)   \
	X(EVENTS, ACT_CUDA_EVENT) \
	X(OVERHEAD, ACT_OVERHEAD) \
	X(MEMORY, ACT_MEMORY2)

/* What CUPTI refuses of what it is asked for. */
struct refusals {
	char kinds[256]; /* "CONCURRENT_KERNEL, MEMCPY" */
	size_t n;
	int nasked, nrefused;
	int code; /* of the first */
};

/* Kinds without which nothing is known of what the device did. */
static bool is_device_work(int kind)
{
	return kind == ACT_KERNEL || kind == ACT_GRAPH || kind == ACT_MEMCPY || kind == ACT_MEMSET;
}

static void switch_kind(struct session *s, int kind, bool on, struct refusals *r)
{
	struct cupti *c = &s->cupti;
	int code = on ? c->ActivityEnable(kind) : c->ActivityDisable(kind);

	if (!on)
		return;
	r->nasked++;
	if (code == CUPTI_OK)
		return;
	if (!r->nrefused++)
		r->code = code;
	s->lacks_work |= is_device_work(kind);
	int n = snprintf(r->kinds + r->n, sizeof(r->kinds) - r->n, "%s%s", r->n ? ", " : "",
		cupti_kind_name(kind));
	if (n > 0 && (size_t)n < sizeof(r->kinds) - r->n)
		r->n += (size_t)n;
}

/* Says it, once for all.  False when CUPTI refused whatever it was asked for. */
static bool say_refusals(struct session *s, const struct refusals *r)
{
	char words[CAPTURE_WORDS_MAX];

	if (!r->nrefused)
		return true;
	if (r->nrefused == r->nasked) {
		(void)cupti_say_refused(&s->cupti, r->code, "", words);
		session_complain(s, "%s", words);
		return false;
	}
	cupti_say_why(&s->cupti, r->code, "", words);
	session_complain(s, "cannot record %s: %s; the rest is recorded", r->kinds, words);
	return true;
}

/* CUPTI is no longer ours. */
static void let_go(struct session *s)
{
	(void)s->cupti.Unsubscribe(s->cupti.subscriber);
	s->cupti.subscriber = NULL;
}

/* Settings of kinds that are not as they should be unasked. */
static void tune_kinds(struct session *s)
{
	struct cupti *c = &s->cupti;

	/* Of queries nothing is written. */
	if (c->ActivityEnableAllSyncRecords)
		(void)c->ActivityEnableAllSyncRecords(0);
	/* Off by default: events have no times otherwise. */
	if ((s->set.kinds & CAPTURE_KIND(EVENTS)) && c->ActivityEnableCudaEventDeviceTimestamps)
		(void)c->ActivityEnableCudaEventDeviceTimestamps(1);
}

/* The function of a domain that follows *id (0 at first) and has a name; false behind the last. */
static bool session_next_call(struct session *s, int domain, uint32_t *id, struct api_name *a)
{
	enum { IDS_MAX = 1200 }; /* the last id a domain may have: names beyond are not asked for */
	const char *name = NULL;
	char plain[256];

	while (++*id < IDS_MAX)
		if (s->cupti.GetCallbackName(domain, *id, &name) == CUPTI_OK && name) {
			*a = (struct api_name){ 0 };
			symbols_api_plain(name, plain, sizeof(plain));
			symbols_classify(a, plain);
			return true;
		}
	return false;
}

/* Single functions of the driver; false where CUPTI cannot switch them one by one. */
static bool switch_driver_calls(struct session *s, bool on)
{
	struct cupti *c = &s->cupti;
	struct api_name a;
	uint32_t id = 0;

	if (!c->ActivityEnableDriverApi || c->version < CUPTI_V12_5 ||
		(s->set.kinds & CAPTURE_KIND(ALL_DRIVER)))
		return false;
	while (session_next_call(s, CB_DRIVER, &id, &a))
		if (a.is_wanted && c->ActivityEnableDriverApi(id, on) != CUPTI_OK)
			return false;
	return true;
}

/* Runtime calls nobody wants need not be recorded at all, where CUPTI can leave them out. */
static void switch_noise_off(struct session *s)
{
	struct cupti *c = &s->cupti;
	struct api_name a;
	uint32_t id = 0;

	if (!c->ActivityEnableRuntimeApi || c->version < CUPTI_V12_5)
		return;
	while (session_next_call(s, CB_RUNTIME, &id, &a))
		if (a.is_noise)
			(void)c->ActivityEnableRuntimeApi(id, 0);
}

static void switch_kinds(struct session *s, bool on, struct refusals *r)
{
#define X(bit, kind)                          \
	if (s->set.kinds & CAPTURE_KIND(bit)) \
		switch_kind(s, kind, on, r);
	WANTED(X)
#undef X
	if (on)
		tune_kinds(s);
	if (s->set.graph_whole && (s->set.kinds & CAPTURE_KIND(KERNEL)))
		switch_kind(s, ACT_GRAPH, on, r);
	if (s->set.nvtx && s->cupti.ActivityPushExternalCorrelationId &&
		s->cupti.ActivityPopExternalCorrelationId) {
		switch_kind(s, ACT_EXTERNAL, on, r);
		atomic_store(&s->ranges.push_external,
			on ? s->cupti.ActivityPushExternalCorrelationId : NULL);
		atomic_store(&s->ranges.pop_external,
			on ? s->cupti.ActivityPopExternalCorrelationId : NULL);
	}
	if ((s->set.kinds & (CAPTURE_KIND(DRIVER) | CAPTURE_KIND(ALL_DRIVER))) &&
		!switch_driver_calls(s, on))
		switch_kind(s, ACT_DRIVER, on, r);
	if (on && (s->set.kinds & CAPTURE_KIND(RUNTIME)))
		switch_noise_off(s);
}

void session_end_calls(struct session *s)
{
	if (!s->cupti.subscriber)
		return;
	(void)s->cupti.ActivityDisable(ACT_RUNTIME);
	(void)s->cupti.ActivityDisable(ACT_DRIVER);
	(void)switch_driver_calls(s, false);
}

void session_enable(struct session *s, bool on)
{
	struct refusals r = { 0 };

	if (!s->cupti.subscriber)
		return;
	switch_kinds(s, on, &r);
	if (!say_refusals(s, &r))
		let_go(s);
}

static void set_up_callbacks(struct session *s)
{
	struct cupti *c = &s->cupti;
	void *sub = c->subscriber;

	(void)c->EnableCallback(1, sub, CB_RESOURCE, CB_CONTEXT_CREATED);
	(void)c->EnableCallback(1, sub, CB_RESOURCE, CB_INIT_FINISHED);
	(void)c->EnableCallback(1, sub, CB_STATE, CB_FATAL);
	if (strcmp(s->set.window, "profiler") == 0) {
		(void)c->EnableCallback(1, sub, CB_DRIVER, CB_DRIVER_PROFILER_START);
		(void)c->EnableCallback(1, sub, CB_DRIVER, CB_DRIVER_PROFILER_STOP);
	}
}

static bool open_cupti(struct session *s, cupti_callback_fn callback)
{
	char words[CAPTURE_WORDS_MAX];

	if (!s->set.kinds)
		return false;
	if (!cupti_open(&s->cupti, s->set.cupti, words) ||
		!cupti_subscribe(&s->cupti, callback, s, words)) {
		session_complain(s, "%s", words);
		return false;
	}
	return true;
}

void session_name_threads(struct session *s, bool is_last)
{
	struct cupti *c = &s->cupti;

	if (!c->subscriber || atomic_load(&s->has_thread_ids) || !c->SetThreadIdType)
		return;
	int code = c->SetThreadIdType(THREAD_ID_SYSTEM);
	atomic_store(&s->has_thread_ids, code == CUPTI_OK);
	if (is_last && code != CUPTI_OK)
		inject_say("CUPTI does not tell threads by their ids (%s): API calls stand in rows "
			   "of their own, apart from the NVTX ranges of the same threads",
			cupti_code_name(c, code));
}

#define CLOCKS_APART_NS INT64_C(1000000000)

/* Before anybody can have registered a clock. */
static void start_clock(struct session *s)
{
	uint64_t ns = 0;

	if (s->cupti.GetTimestamp(&ns) != CUPTI_OK || !ns)
		return;
	record_clock_start(&s->records.clock, (int64_t)ns, system_monotonic());
	int64_t off = (int64_t)ns - system_realtime();
	if (off < -CLOCKS_APART_NS || off > CLOCKS_APART_NS)
		session_complain(s,
			"CUPTI's clock is not the system's (they are %.0f s apart, as on WSL "
			"2): times of CUDA calls and of the GPU do not meet those of NVTX ranges",
			(double)off / 1e9);
}

void session_start_cupti(struct session *s, cupti_callback_fn callback, cupti_request_fn request,
	cupti_complete_fn complete)
{
	struct cupti *c = &s->cupti;
	struct refusals r = { 0 };
	uint8_t zeroed = 1;
	size_t size = sizeof(zeroed);

	s->has_pool =
		pool_init(&s->pool, (size_t)s->set.buffer_bytes, capture_buffers_bytes(&s->set));
	if (!s->has_pool || !lent_init(&s->lent) || !open_cupti(s, callback))
		return;
	s->pool.may_refuse = c->version >= CUPTI_V12_9;
	s->records.version = c->version;
	pool_prepare(&s->pool);
	session_name_threads(s, false);
	if (c->ActivitySetAttribute && c->version >= CUPTI_V12_3)
		(void)c->ActivitySetAttribute(ATTR_ZEROED, &size, &zeroed);
	start_clock(s);
	libraries_look(&s->libraries); /* what is there now is no news */
	int code = c->ActivityRegisterCallbacks(request, complete);
	if (code != CUPTI_OK) {
		session_complain(s, "CUPTI takes no buffers (%s); recording NVTX only",
			cupti_code_name(c, code));
		let_go(s);
		return;
	}
	set_up_callbacks(s);
	switch_kind(s, ACT_DEVICE, true, &r);
	switch_kind(s, ACT_CONTEXT, true, &r);
	if (s->set.delay_ns <= s->set.warmup_ns)
		switch_kinds(s, true, &r);
	if (say_refusals(s, &r))
		atomic_store(&s->cupti_ready, true);
	else
		let_go(s);
}

/* Other users of CUPTI in the process: noticing them, and saying so. */

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
	int64_t now = system_monotonic();

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
