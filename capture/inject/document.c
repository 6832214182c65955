/*
 * Head and tail of the document.
 */
#include "capture/inject/document.h"
#include "capture/inject/losses.h"

#include <string.h>

#include "capture/inject/emit.h"
#include "capture/inject/jtext.h"
#include "capture/process_identity.h"

static void number(struct jtext *t, const char *key, int64_t v)
{
	JTEXT_LIT(t, ", \"");
	jtext_puts(t, key);
	JTEXT_LIT(t, "\": ");
	jtext_i64(t, v);
}

/* A limit CUPTI or the driver did not tell is left out. */
static void known(struct jtext *t, const char *key, int64_t v)
{
	if (v > 0)
		number(t, key, v);
}

static void device(struct jtext *t, int id, const struct emit_device *d)
{
	const struct device_limits *l = &d->limits;

	JTEXT_LIT(t, "{\"id\": ");
	jtext_i64(t, id);
	JTEXT_LIT(t, ", \"name\": ");
	jtext_string(t, d->name, strlen(d->name));
	known(t, "totalGlobalMem", d->memory_bytes);
	if (l->major > 0) {
		number(t, "computeMajor", l->major);
		number(t, "computeMinor", l->minor);
	}
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

static void devices(struct jtext *t, const struct emit *e)
{
	const char *between = "\n";
	int i;

	JTEXT_LIT(t, "\"deviceProperties\": [");
	for (i = 0; i < EMIT_DEVICES_MAX; i++) {
		if (!e->device[i].is_known)
			continue;
		jtext_puts(t, between);
		device(t, i, &e->device[i]);
		between = ",\n";
	}
	JTEXT_LIT(t, "],\n");
}

static void distributed(struct jtext *t, const struct process_identity *w)
{
	if (w->rank < 0) {
		JTEXT_LIT(t, "\"distributedInfo\": {\"rank\": 0, \"world_size\": 1},\n");
		return;
	}
	JTEXT_LIT(t, "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": ");
	jtext_i64(t, w->rank);
	if (w->world > 0)
		number(t, "world_size", w->world);
	JTEXT_LIT(t, "},\n");
}

void document_head(struct jtext *t, const struct document_head *h)
{
	JTEXT_LIT(t, "{\n\"schemaVersion\": 1,\n");
	devices(t, h->emit);
	distributed(t, h->whence);
	JTEXT_LIT(t, "\"host_name\": ");
	jtext_string(t, h->whence->host, strlen(h->whence->host));
	if (h->cupti_version) {
		JTEXT_LIT(t, ",\n\"cupti_version\": ");
		jtext_u64(t, h->cupti_version);
	}
	if (h->driver_version) {
		JTEXT_LIT(t, ",\n\"cuda_driver_version\": ");
		jtext_i64(t, h->driver_version);
	}
	JTEXT_LIT(t, ",\n\"traceq_capture\": {\"program\": ");
	jtext_string(t, h->whence->program, strlen(h->whence->program));
	JTEXT_LIT(t, ", \"options\": ");
	jtext_string(t, h->options, strlen(h->options));
	JTEXT_LIT(t, "},\n\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": ");
	jtext_i64(t, h->emit->base_ns);
	JTEXT_LIT(t, ",\n\"traceEvents\": [\n");
}

static void clocks(struct jtext *t, int64_t realtime, int64_t monotonic)
{
	JTEXT_LIT(t, "[");
	jtext_i64(t, realtime);
	JTEXT_LIT(t, ", ");
	jtext_i64(t, monotonic);
	JTEXT_LIT(t, "]");
}

void document_tail(struct jtext *t, const struct document_tail *d)
{
	JTEXT_LIT(t, "\n],\n\"traceName\": ");
	jtext_string(t, d->path, strlen(d->path));
	JTEXT_LIT(t, ",\n\"traceqCapture\": {\"events\": ");
	jtext_u64(t, d->events);
	number(t, "incomplete", (int64_t)d->incomplete);
	number(t, "malformed", (int64_t)d->malformed);
	number(t, "unread_bytes", (int64_t)d->unread_bytes);
	number(t, "device_ns", d->device_ns);
	number(t, "dropped_by_cupti", (int64_t)d->dropped_by_cupti);
	number(t, "dropped_buffers", (int64_t)d->dropped_buffers);
	JTEXT_LIT(t, ", \"dropped_by_thread\": ");
	losses_put(d->dropped, t);
	JTEXT_LIT(t, ", \"incomplete_by_thread\": ");
	losses_put(d->without_times, t);
	number(t, "dropped_bytes", (int64_t)d->dropped_bytes);
	number(t, "dropped_ranges", (int64_t)d->dropped_ranges);
	number(t, "evicted", (int64_t)d->evicted);
	number(t, "waits_left_out", (int64_t)d->left_out);
	number(t, "clock_steps_ns", d->clock_steps_ns);
	number(t, "other_clock", (int64_t)d->other_clock);
	JTEXT_LIT(t, ", \"other_user\": ");
	jtext_puts(t, d->is_shared ? "true" : "false");
	JTEXT_LIT(t, ", \"complete\": ");
	jtext_puts(t, d->is_whole ? "true" : "false");
	JTEXT_LIT(t, ", \"clock\": [");
	clocks(t, d->realtime_ns[0], d->monotonic_ns[0]);
	JTEXT_LIT(t, ", ");
	clocks(t, d->realtime_ns[1], d->monotonic_ns[1]);
	JTEXT_LIT(t, "]}}\n");
}
