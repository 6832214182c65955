/* A CUPTI without a device: libcupti.so.13 for tests.  Its functions, and work of the program to
 * records; fake_lanes.c has the buffers, fake_script.c plays records from a file.
 *
 *   FAKE_CUPTI_VERSION       18 .. 130001 [130001]
 *   FAKE_SUBSCRIBE_RC        code of cuptiSubscribe
 *   FAKE_TOO_NEW             a file name: the library of that name is too new for the driver and
 *                            answers 15 when it is subscribed to (user guide, "CUPTI Compatibility
 *                            and Requirements")
 *   FAKE_THREAD_IDS          how cuptiSetThreadIdType fails: "late" until cuInit is over, "never"
 *                            always; threads are told by pthread_self cut short then, which is the
 *                            default (the header's words on CUpti_ActivityThreadIdType)
 *   FAKE_REGISTER_RC         code of cuptiActivityRegisterCallbacks
 *   FAKE_ENABLE_RC           code of cuptiActivityEnable: "no session without privileges" (35) is
 *                            documented for starting to profile, not for subscribing
 *                            (cupti_result.h); FAKE_ENABLE_KIND: only of these kinds, "10,1,2"
 *   FAKE_FLUSH_HANG          cuptiActivityFlushAll never comes back: 1 always, 2 when forced
 *   FAKE_DROPPED             what CUPTI says it dropped, once
 *   FAKE_TORN                the so many-th record begins behind bytes that are none: the walk of
 *                            the buffer ends there, with INVALID_KIND
 *   FAKE_ALL_SYNCS           queries make records of waits, whatever is asked
 *   FAKE_TIMELESS            device work is done at once: each flush gives all records back
 *   FAKE_NO_WORK             no record of device work, as an old CUPTI on new hardware
 *   FAKE_NO_TIMES            every so many-th kernel has no times
 *   FAKE_FATAL               a fatal error after so many launches
 *   FAKE_CLOCK               first time of CUPTI's clock, which steps by 1 us a call: on WSL 2 it
 * is no CLOCK_REALTIME from 13.0 on, but CLOCK_MONOTONIC_RAW (its release notes) */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/cupti.h"
#include "capture/cupti_abi.h"
#include "tests/capture/fake.h"
#include "tests/capture/fake_lanes.h"
#include "tests/capture/fake_records.h"
#include "tests/capture/fake_tools.h"

enum { STREAMS = 64 };

static cupti_callback_fn callback;
static void *callback_user;
static atomic_bool enabled[64];
static atomic_bool driver_call[1024];
static bool wants_init, wants_context;
static atomic_bool all_syncs = true, event_times;
static atomic_uint last_correlation, launches;
static pthread_mutex_t clock_lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t stream_free[STREAMS], fixed_clock;
static atomic_bool has_context, is_initialised, has_system_ids;

static int64_t now(void)
{
	struct timespec t;
	int64_t fixed;

	if (getenv("FAKE_CLOCK")) {
		(void)pthread_mutex_lock(&clock_lock);
		if (!fixed_clock)
			fixed_clock = strtoll(getenv("FAKE_CLOCK"), NULL, 10);
		fixed = fixed_clock += 1000;
		(void)pthread_mutex_unlock(&clock_lock);
		return fixed;
	}
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A time as it stands in records. */
static int64_t told(int64_t ns)
{
	int64_t theirs;

	return tools_clock(&theirs) ? ns + theirs - now() : ns;
}

/* Work takes no time: each flush returns everything. */
static bool is_timeless(void)
{
	return getenv("FAKE_CLOCK") || lanes_setting("FAKE_TIMELESS", 0);
}

/* ---- work to records ---- */

static bool is_on(int kind)
{
	return kind < 64 && atomic_load(&enabled[kind]);
}

static void put_api(struct lane *l, const struct fake_api *api, int64_t start, int64_t end,
	uint32_t correlation, int failed)
{
	unsigned char r[FAKE_RECORD_MAX] = { 0 };
	int kind = api->is_runtime ? ACT_RUNTIME : ACT_DRIVER;
	bool single = !api->is_runtime && api->id < 1024 && atomic_load(&driver_call[api->id]);
	uint64_t external;
	uint32_t tid;
	int i;

	for (i = 0; i < TOOLS_EXTERNAL_KINDS && is_on(ACT_EXTERNAL); i++) {
		if (!tools_external(i, &external))
			continue;
		fake_external(r, i, external, correlation);
		lanes_put(l, r);
	}
	if (!is_on(kind) && !single)
		return;
	tid = atomic_load(&has_system_ids) ? l->tid : (uint32_t)(uintptr_t)pthread_self();
	fake_call(r, kind, api->id, told(start), told(end), tid, correlation, failed);
	lanes_put(l, r);
}

/* When the device does it: after what is on the stream already. */
static int64_t schedule(const struct fake_work *w, int64_t earliest)
{
	int64_t *next = &stream_free[w->stream % STREAMS], start;

	(void)pthread_mutex_lock(&clock_lock);
	start = *next > earliest ? *next : earliest;
	*next = start + w->duration_ns;
	(void)pthread_mutex_unlock(&clock_lock);
	return start;
}

/* As a program that synchronizes does. */
static void wait_for_device(void)
{
	int64_t last = 0;
	int i;

	if (is_timeless())
		return;
	(void)pthread_mutex_lock(&clock_lock);
	for (i = 0; i < STREAMS; i++)
		last = stream_free[i] > last ? stream_free[i] : last;
	(void)pthread_mutex_unlock(&clock_lock);
	while (now() < last)
		(void)usleep(100);
}

static void put_context(struct lane *l)
{
	unsigned char r[FAKE_RECORD_MAX] = { 0 };
	void *context = &has_context;

	if (wants_context)
		callback(callback_user, CB_RESOURCE, CB_CONTEXT_CREATED, &context);
	if (is_on(ACT_DEVICE)) {
		fake_device(r, lanes_version());
		lanes_put(l, r);
	}
	if (is_on(ACT_CONTEXT)) {
		fake_context(r);
		lanes_put(l, r);
	}
}

static void fatal(void)
{
	struct {
		int result;
		const char *message;
	} state = { 999, "the fake device fell off the bus" };

	callback(callback_user, CB_STATE, CB_FATAL, &state);
}

/* What a subscriber hears of a call: at its beginning and at its end. */
static void tell(const struct fake_api *api, uint32_t site)
{
	int domain = api->is_runtime ? CB_RUNTIME : CB_DRIVER;

	if (callback && tools_listens(domain, api->id))
		callback(callback_user, domain, api->id, &site);
}

__attribute__((visibility("default"))) void fake_record(const struct fake_work *w);
void fake_record(const struct fake_work *w)
{
	struct lane *l = lanes_mine();
	const struct fake_api *api = fake_api_of(w);
	uint32_t correlation = atomic_fetch_add(&last_correlation, 1) + 1;
	unsigned char r[FAKE_RECORD_MAX];
	int64_t call = now(), start, end;
	long every = lanes_setting("FAKE_NO_TIMES", 0);
	int i, nodes = w->kind == FAKE_GRAPH && !is_on(ACT_GRAPH) ? w->nodes : 1;

	if (!lanes_are_ready())
		return;
	if (!atomic_exchange(&has_context, true))
		put_context(l);
	tell(api, CB_ENTER);
	end = now();
	for (i = 0; i < nodes; i++) {
		int kind = fake_kind_of(w, is_on(ACT_GRAPH));

		start = schedule(w, end);
		memset(r, 0, sizeof(r));
		if (!kind || !is_on(kind) || getenv("FAKE_NO_WORK") ||
			(w->kind == FAKE_QUERY && !atomic_load(&all_syncs)))
			continue;
		fake_device_work(r, w, kind, told(start), correlation, l->tid);
		if (kind == ACT_CUDA_EVENT && !atomic_load(&event_times))
			fake_without_event_time(r);
		if (every && kind == ACT_KERNEL && correlation % (uint32_t)every == 0)
			fake_without_times(r);
		lanes_put_until(l, r, is_timeless() ? 0 : start + w->duration_ns);
	}
	if (w->kind == FAKE_SYNC_STREAM || w->kind == FAKE_SYNC_DEVICE)
		wait_for_device();
	put_api(l, api, call, end, correlation, w->failed);
	tell(api, CB_EXIT);
	if (atomic_fetch_add(&launches, 1) + 1 == (unsigned)lanes_setting("FAKE_FATAL", 0))
		fatal();
}

__attribute__((visibility("default"))) void fake_profiler(const struct fake_work *w);
void fake_profiler(const struct fake_work *w)
{
	struct fake_api api = { (uint32_t)w->nodes, false, "" };

	tell(&api, CB_ENTER);
	tell(&api, CB_EXIT);
}

__attribute__((visibility("default"))) void fake_init_finished(void);
void fake_init_finished(void)
{
	atomic_store(&is_initialised, true);
	if (wants_init)
		callback(callback_user, CB_RESOURCE, CB_INIT_FINISHED, NULL);
}

__attribute__((visibility("default"))) void fake_driver_gone(void);
void fake_driver_gone(void)
{
	lanes_end();
}

/* ---- CUPTI's functions ---- */

#define X(name, required, args) __attribute__((visibility("default"))) int cupti##name args;
CUPTI_FUNCTIONS(X)
#undef X

int cuptiGetVersion(uint32_t *v)
{
	*v = lanes_version();
	return 0;
}

int cuptiGetTimestamp(uint64_t *t)
{
	*t = (uint64_t)told(now());
	return 0;
}

int cuptiGetResultString(int code, const char **name)
{
	switch (code) {
#define X(id, cupti, number) \
	case number: *name = #cupti; return 0;
		CUPTI_CODES(X)
#undef X
	default: return 1;
	}
}

/* Whether this library is the one that a driver does not serve. */
static bool is_too_new(void)
{
	const char *name = getenv("FAKE_TOO_NEW");
	Dl_info where;

	return name && dladdr(&callback, &where) && strstr(where.dli_fname, name);
}

/* Of two fakes in a process, the one that is subscribed to. */
__attribute__((visibility("default"))) int fake_is_used(void);
int fake_is_used(void)
{
	return callback != NULL;
}

static int subscribe(enum fake_generation g, void **subscriber, cupti_callback_fn f, void *user)
{
	int code = (int)lanes_setting("FAKE_SUBSCRIBE_RC", 0);

	if (!code)
		code = is_too_new() ? CUPTI_NOT_INITIALIZED : tools_mixed(g);
	if (code)
		return code;
	callback = f;
	callback_user = user;
	*subscriber = &callback;
	return 0;
}

int cuptiSubscribe(void **subscriber, cupti_callback_fn f, void *user)
{
	return subscribe(FAKE_PLAIN, subscriber, f, user);
}

int cuptiSubscribe_v2(void **subscriber, cupti_callback_fn f, void *user, void *params)
{
	struct {
		size_t size;
		const char *name;
		char *old_name;
		size_t old_size;
	} p;
	int code = subscribe(FAKE_V2, subscriber, f, user);

	memcpy(&p, params, sizeof(p));
	if (code == CUPTI_OTHER_TOOL && p.old_name)
		(void)snprintf(p.old_name, p.old_size, "CUPTI for Kineto");
	return code;
}

int cuptiUnsubscribe(void *subscriber)
{
	(void)subscriber;
	tools_forget();
	return 0;
}

int cuptiEnableCallback(uint32_t on, void *subscriber, int domain, uint32_t id)
{
	(void)subscriber;
	if (domain == CB_RESOURCE && id == CB_INIT_FINISHED)
		wants_init = on;
	if (domain == CB_RESOURCE && id == CB_CONTEXT_CREATED)
		wants_context = on;
	tools_listen(domain, id, on);
	return 0;
}

int cuptiGetCallbackName(int domain, uint32_t id, const char **name)
{
	*name = fake_api_name(domain == CB_RUNTIME, id);
	return *name ? 0 : 1;
}

int cuptiGetContextId(void *context, uint32_t *id)
{
	(void)context;
	*id = FAKE_CONTEXT;
	return 0;
}

int cuptiGetDeviceId(void *context, uint32_t *id)
{
	(void)context;
	*id = 0;
	return 0;
}

int cuptiSetThreadIdType(int type)
{
	const char *how = getenv("FAKE_THREAD_IDS");

	if (type != THREAD_ID_SYSTEM)
		return 1;
	if (how && (strcmp(how, "late") != 0 || !atomic_load(&is_initialised)))
		return CUPTI_NOT_INITIALIZED;
	atomic_store(&has_system_ids, true);
	return 0;
}

int cuptiActivityRegisterCallbacks(cupti_request_fn r, cupti_complete_fn c)
{
	int code = (int)lanes_setting("FAKE_REGISTER_RC", 0);

	if (!code)
		code = tools_mixed(FAKE_PLAIN);
	if (!code)
		lanes_start(r, c);
	return code;
}

/* Whether a list of numbers has it; no list has all. */
static bool is_named(const char *list, int kind)
{
	char *end;

	if (!list)
		return true;
	do
		if (strtol(list, &end, 10) == kind)
			return true;
	while (end != list && *end == ',' && (list = end + 1));
	return false;
}

int cuptiActivityEnable(int kind)
{
	long code = lanes_setting("FAKE_ENABLE_RC", 0);

	if (!code || !is_named(getenv("FAKE_ENABLE_KIND"), kind))
		code = tools_mixed(FAKE_PLAIN);
	if (code)
		return (int)code;
	if (kind < 0 || kind >= 64)
		return CUPTI_INVALID_KIND;
	atomic_store(&enabled[kind], true);
	return 0;
}

int cuptiActivityDisable(int kind)
{
	int code = tools_mixed(FAKE_PLAIN);

	if (code)
		return code;
	if (kind >= 0 && kind < 64)
		atomic_store(&enabled[kind], false);
	return 0;
}

int cuptiActivityEnableDriverApi(uint32_t id, uint8_t on)
{
	if (id < 1024)
		atomic_store(&driver_call[id], on);
	return 0;
}

int cuptiActivityEnableRuntimeApi(uint32_t id, uint8_t on)
{
	(void)id;
	(void)on;
	return 0;
}

/* On by default; FAKE_ALL_SYNCS: it cannot be switched off. */
int cuptiActivityEnableAllSyncRecords(uint8_t on)
{
	if (lanes_setting("FAKE_ALL_SYNCS", 0))
		return CUPTI_INVALID_KIND;
	atomic_store(&all_syncs, on);
	return 0;
}

/* Off by default (cupti_activity.h). */
int cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t on)
{
	atomic_store(&event_times, on);
	return 0;
}

static void hang_for_ever(void)
{
	for (;;)
		(void)pause();
}

int cuptiActivityFlushAll(uint32_t flag)
{
	long hang = lanes_setting("FAKE_FLUSH_HANG", 0);

	if (hang == 1 || (hang == 2 && flag))
		hang_for_ever();
	/* In a process without GPU work, or within cuInit, it does not come back (HPCToolkit's
	 * issues 195, 295 and 494). */
	if (!atomic_load(&is_initialised) || !lanes_have_work())
		hang_for_ever();
	return lanes_flush(flag, is_timeless() ? INT64_MAX : now()) ? CUPTI_OK
								    : CUPTI_NOT_INITIALIZED;
}

int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, uint8_t **record)
{
	if (!*record) /* the buffer's first */
		(void)usleep((useconds_t)lanes_setting("FAKE_BUFFER_MS", 0) * 1000);
	return fake_next(buffer, valid, record, lanes_version());
}

int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *n)
{
	static atomic_bool told;

	(void)context;
	(void)stream;
	*n = atomic_exchange(&told, true) ? 0 : (size_t)lanes_setting("FAKE_DROPPED", 0);
	return 0;
}

int cuptiActivitySetAttribute(int attribute, size_t *size, void *value)
{
	int code = tools_mixed(FAKE_PLAIN);

	(void)size;
	(void)value;
	if (code)
		return code;
	return attribute == ATTR_ZEROED ? 0 : 1;
}

int cuptiActivityPushExternalCorrelationId(int kind, uint64_t id)
{
	return tools_push(kind, id) ? 0 : 1;
}

int cuptiActivityPopExternalCorrelationId(int kind, uint64_t *id)
{
	/* As the header says: an empty stack is no error to speak of. */
	return tools_pop(kind, id) ? 0 : CUPTI_QUEUE_EMPTY;
}

/* Somebody's buffer comes to whoever registered last. */
__attribute__((visibility("default"))) int cuptiFakeForeign(uint8_t *buffer, size_t size);
int cuptiFakeForeign(uint8_t *buffer, size_t size)
{
	lanes_complete(buffer, size, size / 2);
	return 0;
}
