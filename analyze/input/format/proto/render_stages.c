/*
 * GpuRenderStageEvents and GpuCounterEvents: what PyTorch's exporter of 2026 says of devices.
 *
 * A stage is a kernel, a copy, a set or an annotation on a hardware queue, which is a stream.  Its
 * arguments are texts beside it, its launch a message of its own.
 */
#include <stdio.h>

#include "analyze/input/events/raw.h"
#include "analyze/input/format/proto/decoder.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"
#include "base/ascii.h"
#include "base/base.h"

struct stage {
	uint64_t event_id, queue_iid, stage_iid, kernel_iid, name_iid;
	int64_t gpu, dur;
	bool has_dur, has_correlation, has_stream;
	struct span name, launch;
};

static bool read_stage(struct span body, struct stage *s)
{
	struct wire w = wire_of(body);
	struct wire_field f;

	*s = (struct stage){ 0 };
	while (wire_next(&w, &f)) {
		switch (f.number) {
		case STAGE_EVENT_ID: s->event_id = f.value; break;
		case STAGE_DURATION:
			s->has_dur = true;
			s->dur = f.value > INT64_MAX ? INT64_MAX : wire_int64(&f);
			break;
		case STAGE_GPU: s->gpu = wire_int64(&f); break;
		case STAGE_QUEUE_IID: s->queue_iid = f.value; break;
		case STAGE_STAGE_IID: s->stage_iid = f.value; break;
		case STAGE_NAME: s->name = f.bytes; break;
		case STAGE_KERNEL_IID: s->kernel_iid = f.value; break;
		case STAGE_NAME_IID: s->name_iid = f.value; break;
		case STAGE_LAUNCH: s->launch = f.bytes; break;
		default: break;
		}
	}
	return !w.damaged;
}

static const struct interned *find(
	const struct decoder *d, const struct packet *p, uint32_t field, uint64_t iid)
{
	return iid && p->view->book ? interned_find(p->view->book, field, iid, d->place) : NULL;
}

static struct span text_of(const struct interned *e)
{
	return e ? e->text : RAW_NOTHING;
}

/* Kineto's category for a stage; without a word for it, by what else is there. */
static struct span category_of(struct span stage, const struct stage *s)
{
	if (span_is_nocase(stage, "memcpy"))
		return (struct span){ "gpu_memcpy                ", 10 };
	if (span_is_nocase(stage, "memset"))
		return (struct span){ "gpu_memset                ", 10 };
	if (span_is_nocase(stage, "annotation"))
		return (struct span){ "gpu_user_annotation                ", 19 };
	if (span_is_nocase(stage, "kernel") || s->kernel_iid || s->launch.p)
		return (struct span){ "kernel                ", 6 };
	return (struct span){ NULL, 0 };
}

/* "stream 007": 7; -1 when there is no number. */
static int64_t stream_of(struct span queue)
{
	int64_t v = 0;
	size_t i = queue.n;

	while (i > 0 && is_digit(queue.p[i - 1]))
		i--;
	size_t digits = queue.n - i;
	for (; i < queue.n && digits <= 18; i++)
		v = v * 10 + (queue.p[i] - '0');
	return digits == 0 || digits > 18 ? -1 : v;
}

static struct span number_text(struct decoder *d, int64_t v)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%" PRId64, v);

	return emit_keep(&d->m, (struct span){ text, (size_t)n });
}

static bool emit_dim(struct decoder *d, const char *key, struct span dim)
{
	struct wire w = wire_of(dim);
	struct wire_field f;
	int64_t v[3] = { 1, 1, 1 };

	while (wire_next(&w, &f))
		if (f.type == WIRE_VARINT && f.number >= 1 && f.number <= 3)
			v[f.number - 1] = wire_int64(&f);
	emit_vec3(&d->m, emit_key(&d->m, key), v[0], v[1], v[2]);
	return !w.damaged;
}

/* Names of a launch's arguments in Kineto's words. */
static const char *launch_key(struct span name)
{
	if (span_is(name, "registers_per_thread"))
		return "registers per thread";
	return span_is(name, "shared_mem_dynamic") ? "shared memory" : NULL;
}

static bool emit_launch_arg(struct decoder *d, const struct packet *p, struct span arg)
{
	struct wire w = wire_of(arg);
	struct span name = RAW_NOTHING;
	struct wire_field f, value = { .number = 0 };

	while (wire_next(&w, &f)) {
		if (wire_is(&f, LAUNCH_ARG_NAME_IID, WIRE_VARINT))
			name = text_of(find(d, p, INTERNED_KERNEL_ARG, f.value));
		else if (wire_is(&f, LAUNCH_ARG_NAME, WIRE_BYTES))
			name = f.bytes;
		else if (f.type == WIRE_VARINT &&
			(f.number == LAUNCH_ARG_INT || f.number == LAUNCH_ARG_UINT))
			value = f;
	}
	const char *key = launch_key(name);
	if (key && value.number)
		emit_int(&d->m, emit_key(&d->m, key), wire_int64(&value));
	return !w.damaged;
}

static bool emit_launch(struct decoder *d, const struct packet *p, struct span launch)
{
	struct wire w = wire_of(launch);
	struct wire_field f;
	bool whole = true;

	while (wire_next(&w, &f)) {
		if (wire_is(&f, LAUNCH_GRID, WIRE_BYTES))
			whole &= emit_dim(d, "grid", f.bytes);
		else if (wire_is(&f, LAUNCH_BLOCK, WIRE_BYTES))
			whole &= emit_dim(d, "block", f.bytes);
		else if (wire_is(&f, LAUNCH_ARG, WIRE_BYTES))
			whole &= emit_launch_arg(d, p, f.bytes);
	}
	return whole && !w.damaged;
}

/* The exporter says "device id" and "stream id" in texts, as "device" would be a number. */
static struct span extra_key(struct span name)
{
	if (span_is(name, "device id"))
		return (struct span){ name.p, 6 };
	return span_is(name, "stream id") ? (struct span){ name.p, 6 } : name;
}

static bool emit_extra(struct decoder *d, struct span extra, struct stage *s)
{
	struct wire w = wire_of(extra);
	struct span name = RAW_NOTHING, value = RAW_NOTHING;
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (wire_is(&f, EXTRA_NAME, WIRE_BYTES))
			name = extra_key(f.bytes);
		else if (wire_is(&f, EXTRA_VALUE, WIRE_BYTES))
			value = f.bytes;
	}
	uint8_t key = keys_find(d->keys, name).plan;
	if (key == PLAN_NO_KEY || key == d->keys->empty)
		return !w.damaged;
	emit_text(&d->m, key, value);
	s->has_correlation |= span_is(name, "correlation");
	s->has_stream |= key == d->m.plan->key_stream;
	return !w.damaged;
}

static bool emit_extras(struct decoder *d, const struct packet *p, struct stage *s)
{
	struct wire w = wire_of(p->body);
	struct wire_field f;
	bool whole = true;

	while (wire_next(&w, &f))
		if (wire_is(&f, STAGE_EXTRA, WIRE_BYTES))
			whole &= emit_extra(d, f.bytes, s);
	if (s->launch.p)
		whole &= emit_launch(d, p, s->launch);
	return whole;
}

static void begin_stage(struct decoder *d, const struct packet *p, const struct stage *s)
{
	const struct interned *stage = find(d, p, INTERNED_GPU_SPEC, s->stage_iid);
	const struct interned *name = find(d, p, INTERNED_NAME, s->name_iid);

	if (!name)
		name = find(d, p, INTERNED_KERNEL, s->kernel_iid);
	emit_begin(&d->m, 'X', category_of(text_of(stage), s),
		s->name.p ? s->name : text_of(name ? name : stage));
	if (!s->name.p && (name || stage))
		decoder_name(d, name ? name : stage);
}

void decode_stage(struct decoder *d, const struct packet *p)
{
	struct stage s;

	if (!read_stage(p->body, &s)) {
		decoder_damaged(d, p);
		return;
	}
	const struct interned *queue = find(d, p, INTERNED_GPU_SPEC, s.queue_iid);
	int64_t stream = stream_of(text_of(queue));
	begin_stage(d, p, &s);
	emit_lane(
		&d->m, number_text(d, s.gpu), stream < 0 ? text_of(queue) : number_text(d, stream));
	if (!emit_extras(d, p, &s))
		decoder_damaged(d, p);
	emit_int(&d->m, d->m.plan->key_device, s.gpu);
	if (!s.has_stream && stream >= 0)
		emit_int(&d->m, d->m.plan->key_stream, stream);
	if (!s.has_correlation && s.event_id)
		emit_uint(&d->m, emit_key(&d->m, "correlation"), s.event_id);
	d->is_torch |= s.kernel_iid != 0;
	emit_end(&d->m, p->time, s.has_dur ? s.dur : 0, p->offset);
}

/* --- counters --- */

/* The name of a counter in a GpuCounterDescriptor. */
static struct span counter_name(struct span specs, uint64_t id)
{
	struct wire w = wire_of(specs);
	struct wire_field f, of, name;

	while (wire_next(&w, &f))
		if (wire_is(&f, SPECS_SPEC, WIRE_BYTES) &&
			wire_find(f.bytes, SPEC_ID, WIRE_VARINT, &of) && of.value == id &&
			wire_find(f.bytes, SPEC_NAME, WIRE_BYTES, &name))
			return name.bytes;
	return (struct span){ NULL, 0 };
}

/* Samples of CUPTI's that are those of NVML by the name samples have (load_file.c). */
static struct span sample_name(struct span name)
{
	static const struct {
		const char *counter;
		struct span sample;
	} same[] = {
		{ "Power (W)", { "power (W)                ", 9 } },
		{ "Temperature (C)", { "temperature (C)                ", 15 } },
		{ "SM Clock (MHz)", { "SM clock (MHz)                ", 14 } },
	};

	for (size_t i = 0; i < COUNT_OF(same); i++)
		if (span_is(name, same[i].counter))
			return same[i].sample;
	return (struct span){ NULL, 0 };
}

static bool emit_counter(struct decoder *d, const struct packet *p, struct span value,
	struct span specs, struct span gpu)
{
	struct wire w = wire_of(value);
	struct span name = { NULL, 0 }, sample;
	struct wire_field f, v = { .number = 0 };

	while (wire_next(&w, &f)) {
		if (wire_is(&f, VALUE_ID, WIRE_VARINT))
			name = counter_name(specs, f.value);
		else if (wire_is(&f, VALUE_INT, WIRE_VARINT) ||
			wire_is(&f, VALUE_DOUBLE, WIRE_FIXED64))
			v = f;
	}
	sample = sample_name(name);
	emit_begin(&d->m, 'C', sample.p ? (struct span){ "nvml                ", 4 } : sample,
		sample.p ? sample : name);
	emit_lane(&d->m, gpu, RAW_NOTHING);
	if (v.number)
		emit_real(&d->m, d->keys->empty,
			v.number == VALUE_INT ? (double)wire_int64(&v) : wire_double(&v));
	emit_end(&d->m, p->time, 0, p->offset);
	return !w.damaged;
}

/* An interned descriptor says the device and holds the list of counters. */
static void read_interned_specs(struct span entry, struct span *specs, int64_t *gpu)
{
	struct wire w = wire_of(entry);
	struct wire_field f;

	while (wire_next(&w, &f)) {
		if (f.type == WIRE_BYTES)
			*specs = f.bytes;
		else if (f.type == WIRE_VARINT && f.number != INTERNED_IID)
			*gpu = wire_int64(&f);
	}
}

void decode_gpu_counters(struct decoder *d, const struct packet *p)
{
	struct wire w = wire_of(p->body);
	struct span specs = { p->body.p, 0 };
	const struct interned *entry;
	struct wire_field f;
	int64_t gpu = 0;
	bool whole = true;

	while (wire_next(&w, &f)) {
		if (wire_is(&f, GPU_COUNTER_SPECS, WIRE_BYTES)) {
			specs = f.bytes;
		} else if (wire_is(&f, GPU_COUNTER_GPU, WIRE_VARINT)) {
			gpu = wire_int64(&f);
		} else if (wire_is(&f, GPU_COUNTER_SPECS_IID, WIRE_VARINT)) {
			entry = find(d, p, INTERNED_GPU_COUNTERS, f.value);
			read_interned_specs(text_of(entry), &specs, &gpu);
		}
	}
	whole = !w.damaged;
	for (w = wire_of(p->body); whole && wire_next(&w, &f);)
		if (wire_is(&f, GPU_COUNTER_VALUE, WIRE_BYTES))
			whole = emit_counter(d, p, f.bytes, specs, number_text(d, gpu));
	if (!whole)
		decoder_damaged(d, p);
}
