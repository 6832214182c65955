/* GpuRenderStageEvents and GpuCounterEvents: what PyTorch's exporter of 2026 says of devices.
 *
 * A stage is a kernel, a copy, a set or an annotation on a hardware queue, which is a stream.  Its
 * arguments are texts beside it, its launch a message of its own. */

#include "analyze/input/events/raw.h"
#include "analyze/input/format/proto/decoder.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"
#include "base/base.h"

/* A GpuRenderStageEvent, and what its further arguments have said. */
struct stage {
	struct wire_field f[STAGE_LAUNCH + 1];
	bool has_correlation, has_stream;
};

/* What a field's number stands for. */
static const struct interned *find(const struct decoder *d, const struct packet *p, uint32_t field,
	const struct wire_field *said)
{
	uint64_t iid = wire_number(said);

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
		return SPAN("gpu_memcpy");
	if (span_is_nocase(stage, "memset"))
		return SPAN("gpu_memset");
	if (span_is_nocase(stage, "annotation"))
		return SPAN("gpu_user_annotation");
	if (span_is_nocase(stage, "kernel") || wire_number(&s->f[STAGE_KERNEL_IID]) ||
		wire_has(&s->f[STAGE_LAUNCH], WIRE_BYTES))
		return SPAN("kernel");
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

static bool emit_dim(struct decoder *d, const char *key, const struct wire_field *dim)
{
	struct wire_field f[4];
	int64_t v[4];

	if (!wire_has(dim, WIRE_BYTES))
		return true;
	bool whole = wire_fields(dim->bytes, f, COUNT_OF(f));
	for (size_t i = 1; i < COUNT_OF(f); i++)
		v[i] = wire_has(&f[i], WIRE_VARINT) ? wire_int64(&f[i]) : 1;
	emit_vec3(&d->m, emit_key(&d->m, key), v[1], v[2], v[3]);
	return whole;
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
	struct wire_field f[LAUNCH_ARG_UINT + 1];
	bool whole = wire_fields(arg, f, COUNT_OF(f));
	const struct wire_field *value =
		&f[wire_has(&f[LAUNCH_ARG_UINT], WIRE_VARINT) ? LAUNCH_ARG_UINT : LAUNCH_ARG_INT];
	struct span name = wire_text(&f[LAUNCH_ARG_NAME]);

	if (!name.p)
		name = text_of(find(d, p, INTERNED_KERNEL_ARG, &f[LAUNCH_ARG_NAME_IID]));
	const char *key = launch_key(name);
	if (key && wire_has(value, WIRE_VARINT))
		emit_int(&d->m, emit_key(&d->m, key), wire_int64(value));
	return whole;
}

static bool emit_launch(struct decoder *d, const struct packet *p, struct span launch)
{
	struct wire w = wire_of(launch);
	struct wire_field f[LAUNCH_BLOCK + 1], arg;
	bool whole = wire_fields(launch, f, COUNT_OF(f));

	whole &= emit_dim(d, "grid", &f[LAUNCH_GRID]);
	whole &= emit_dim(d, "block", &f[LAUNCH_BLOCK]);
	while (wire_next(&w, &arg))
		if (wire_is(&arg, LAUNCH_ARG, WIRE_BYTES))
			whole &= emit_launch_arg(d, p, arg.bytes);
	return whole;
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
	struct wire_field f[EXTRA_VALUE + 1];
	bool whole = wire_fields(extra, f, COUNT_OF(f));
	if (!wire_has(&f[EXTRA_NAME], WIRE_BYTES))
		return whole;
	struct span name = extra_key(wire_text(&f[EXTRA_NAME])), value = wire_text(&f[EXTRA_VALUE]);
	uint8_t key = keys_find(d->keys, name).plan;

	if (key == PLAN_NO_KEY || key == d->keys->empty)
		return whole;
	emit_text(&d->m, key, value.p ? value : RAW_NOTHING);
	s->has_correlation |= span_is(name, "correlation");
	s->has_stream |= key == d->m.plan->key_stream;
	return whole;
}

static bool emit_extras(struct decoder *d, const struct packet *p, struct stage *s)
{
	struct wire w = wire_of(p->body);
	struct wire_field f;
	bool whole = true;

	while (wire_next(&w, &f))
		if (wire_is(&f, STAGE_EXTRA, WIRE_BYTES))
			whole &= emit_extra(d, f.bytes, s);
	if (wire_has(&s->f[STAGE_LAUNCH], WIRE_BYTES))
		whole &= emit_launch(d, p, s->f[STAGE_LAUNCH].bytes);
	return whole;
}

static void begin_stage(struct decoder *d, const struct packet *p, const struct stage *s)
{
	const struct interned *stage = find(d, p, INTERNED_GPU_SPEC, &s->f[STAGE_STAGE_IID]);
	const struct interned *name = find(d, p, INTERNED_NAME, &s->f[STAGE_NAME_IID]);
	struct span own = wire_text(&s->f[STAGE_NAME]);

	if (!name)
		name = find(d, p, INTERNED_KERNEL, &s->f[STAGE_KERNEL_IID]);
	emit_begin(&d->m, 'X', category_of(text_of(stage), s),
		own.p ? own : text_of(name ? name : stage));
	if (!own.p && (name || stage))
		decoder_name(d, name ? name : stage);
}

void decode_stage(struct decoder *d, const struct packet *p)
{
	struct stage s = { .has_stream = false };

	if (!wire_fields(p->body, s.f, COUNT_OF(s.f))) {
		decoder_damaged(d, p);
		return;
	}
	struct span queue = text_of(find(d, p, INTERNED_GPU_SPEC, &s.f[STAGE_QUEUE_IID]));
	int64_t stream = stream_of(queue), gpu = (int64_t)wire_number(&s.f[STAGE_GPU]);
	uint64_t event = wire_number(&s.f[STAGE_EVENT_ID]);
	begin_stage(d, p, &s);
	emit_lane(&d->m, emit_keepf(&d->m, "%" PRId64, gpu),
		stream < 0 ? queue : emit_keepf(&d->m, "%" PRId64, stream));
	if (!emit_extras(d, p, &s))
		decoder_damaged(d, p);
	emit_int(&d->m, d->m.plan->key_device, gpu);
	if (!s.has_stream && stream >= 0)
		emit_int(&d->m, d->m.plan->key_stream, stream);
	if (!s.has_correlation && event)
		emit_uint(&d->m, emit_key(&d->m, "correlation"), event);
	d->is_torch |= wire_number(&s.f[STAGE_KERNEL_IID]) != 0;
	emit_end(&d->m, p->time, (nsec)MIN(wire_number(&s.f[STAGE_DURATION]), (uint64_t)INT64_MAX),
		p->offset);
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
	struct span specs, int64_t gpu)
{
	struct wire_field f[VALUE_DOUBLE + 1];
	bool whole = wire_fields(value, f, COUNT_OF(f));
	struct span name = { NULL, 0 }, sample;

	if (wire_has(&f[VALUE_ID], WIRE_VARINT))
		name = counter_name(specs, f[VALUE_ID].value);
	sample = sample_name(name);
	emit_begin(&d->m, 'C', sample.p ? SPAN("nvml") : sample, sample.p ? sample : name);
	emit_lane(&d->m, emit_keepf(&d->m, "%" PRId64, gpu), RAW_NOTHING);
	if (wire_has(&f[VALUE_DOUBLE], WIRE_FIXED64))
		emit_real(&d->m, d->keys->empty, wire_double(&f[VALUE_DOUBLE]));
	else if (wire_has(&f[VALUE_INT], WIRE_VARINT))
		emit_real(&d->m, d->keys->empty, (double)wire_int64(&f[VALUE_INT]));
	emit_end(&d->m, p->time, 0, p->offset);
	return whole;
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
	struct wire_field f[GPU_COUNTER_SPECS_IID + 1], value;
	bool whole = wire_fields(p->body, f, COUNT_OF(f));
	const struct interned *entry = find(d, p, INTERNED_GPU_COUNTERS, &f[GPU_COUNTER_SPECS_IID]);
	struct span specs = wire_text(&f[GPU_COUNTER_SPECS]);
	int64_t gpu = (int64_t)wire_number(&f[GPU_COUNTER_GPU]);

	if (entry)
		read_interned_specs(entry->text, &specs, &gpu);
	while (whole && wire_next(&w, &value))
		if (wire_is(&value, GPU_COUNTER_VALUE, WIRE_BYTES))
			whole = emit_counter(d, p, value.bytes, specs, gpu);
	if (!whole)
		decoder_damaged(d, p);
}
