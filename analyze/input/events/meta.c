/* Kineto's top-level keys and those of other producers.  Keys count at depth 1 only. */
#include "analyze/input/events/meta.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/cutnote.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

/* --- what a cut says of the whole --- */

enum { STEP_FIELDS = 7 };

static bool time_of(struct json_value v, nsec *t)
{
	return v.type == JSON_NUMBER && num_i64(v.text, t);
}

/* How many values an array has. */
static size_t count(struct json_value array)
{
	size_t n = 0;

	for (struct json_items it = json_list(array); json_more(&it);)
		n++;
	return n;
}

/* The numbers of an array, n of them. */
static bool numbers(struct json_value array, int64_t *to, size_t n)
{
	size_t i = 0;

	if (array.type != JSON_ARRAY)
		return false;
	for (struct json_items it = json_items(array); i < n && json_more(&it);)
		if (!time_of(it.v, &to[i++]))
			return false;
	return i == n;
}

static bool take_time(struct cutnote *c, struct json_value array, struct arena *mem)
{
	int64_t t[2];
	nsec last = INT64_MIN;

	c->time = arena_array(mem, count(array), sizeof(*c->time));
	for (struct json_items it = json_list(array); json_more(&it);) {
		if (!numbers(it.v, t, 2) || t[0] < last || t[1] < t[0])
			return false;
		last = t[1];
		c->time[c->ntime++] = (struct cut_time){ t[0], t[1] };
	}
	return c->ntime > 0;
}

/* [number, host_start, host_end, start, end, incomplete, ndevice] */
static bool take_step(struct step *s, struct json_value v)
{
	int64_t f[STEP_FIELDS];

	if (!numbers(v, f, STEP_FIELDS) || f[2] < f[1] || f[4] < f[3])
		return false;
	*s = (struct step){ .number = f[0],
		.host_start = f[1],
		.host_end = f[2],
		.start = f[3],
		.end = f[4],
		.incomplete = f[5] == STEP_IS_CUT_OFF ? STEP_IS_CUT_OFF
			: f[5] != 0                   ? STEP_LOOKS_CUT_OFF
						      : STEP_IS_WHOLE,
		.ndevice = f[6] };
	return true;
}

static bool take_source(struct steps *s, struct json_value v)
{
	static const char *const words[] = { "profiler", "annotation", "whole" };
	size_t i = FIRST(k, COUNT_OF(words), span_is(v.text, words[k]));

	s->source = (enum step_source)i;
	return i < COUNT_OF(words);
}

static bool take_steps(struct cutnote *c, struct json_value note, struct arena *mem)
{
	struct json_value array = json_get(note, "steps"), delay = json_get(note, "delay_ns");
	size_t n = count(array);

	if (array.type == JSON_NONE)
		return true;
	struct steps *s = c->steps = arena_alloc(mem, sizeof(*s));
	*s = (struct steps){ .delay = NAN };
	if (n == 0 || !take_source(s, json_get(note, "steps_by")))
		return false;
	s->on_device = span_is(json_get(note, "on_device").text, "true");
	if (delay.type == JSON_NUMBER && !num_f64(delay.text, &s->delay))
		s->delay = NAN;
	s->step = arena_array(mem, n, sizeof(*s->step));
	for (struct json_items it = json_items(array); json_more(&it);) {
		if (!take_step(&s->step[s->n], it.v) ||
			(s->n && s->step[s->n].host_start < s->step[s->n - 1].host_start))
			return false;
		s->n++;
	}
	return s->n == n;
}

/* What a cut says of the whole (cutnote.h); nothing where that is malformed. */
static void meta_cut(struct run *run, struct json_value note)
{
	struct cutnote *c = arena_alloc(&run->mem, sizeof(*c));

	*c = (struct cutnote){ 0 };
	if (note.type != JSON_OBJECT || !time_of(json_get(note, "first_ns"), &c->first) ||
		!time_of(json_get(note, "last_ns"), &c->last) || c->last < c->first ||
		!take_time(c, json_get(note, "time"), &run->mem) || !take_steps(c, note, &run->mem))
		return;
	run->cut = c;
	run->first_ns = c->first;
	run->last_ns = c->last;
}

/* --- members --- */

static sym text(struct run *run, struct span t, bool escaped)
{
	if (t.n > LIMIT_META_VALUE)
		t.n = LIMIT_META_VALUE;
	if (escaped)
		t = json_unescape(t, &run->mem, NULL);
	return strings_intern(&run->strings, t);
}

static struct json_value member_value(const struct batch_member *m)
{
	struct json_value v = { m->quoted ? JSON_STRING : JSON_NUMBER, m->value, m->quoted };
	struct span rest;

	return m->quoted ? v : json_value(m->value, &rest);
}

static int64_t integer(struct json_value v, int64_t otherwise)
{
	int64_t n;

	return v.type != JSON_NONE && num_i64(v.text, &n) ? n : otherwise;
}

static enum tristate truth(struct json_value v)
{
	if (span_is(v.text, "true") || span_is(v.text, "True"))
		return YES;
	if (span_is(v.text, "false") || span_is(v.text, "False"))
		return NO;
	return integer(v, 0) != 0 ? YES : NO;
}

static sym name_of(struct run *run, struct json_value v)
{
	return v.type == JSON_NONE || span_is(v.text, "null") ? 0 : text(run, v.text, v.escaped);
}

static void take_gpu(struct meta *m, struct run *run, struct json_value o)
{
	struct gpu *g = &m->gpu[m->ngpu++];

	g->id = integer(json_get(o, "id"), -1);
	g->name = name_of(run, json_get(o, "name"));
	g->memory_bytes = integer(json_get(o, "totalGlobalMem"), -1);
	g->sms = integer(json_get(o, "numSms"), integer(json_get(o, "maxComputeUnits"), -1));
	g->major = integer(json_get(o, "computeMajor"), -1);
	g->minor = integer(json_get(o, "computeMinor"), -1);
	g->max_threads_per_sm = integer(json_get(o, "maxThreadsPerMultiprocessor"), -1);
	g->warp_size = integer(json_get(o, "warpSize"), -1);
	g->registers_per_sm = integer(json_get(o, "regsPerMultiprocessor"), -1);
	g->shared_per_sm = integer(json_get(o, "sharedMemPerMultiprocessor"), -1);
}

static void take_gpus(struct run *run, struct json_value v)
{
	struct meta *m = &run->meta;
	size_t n = 0;

	if (v.type != JSON_ARRAY)
		return;
	for (struct json_items it = json_items(v); json_more(&it);)
		n += it.v.type == JSON_OBJECT;
	m->ngpu_more = n > LIMIT_META_GPUS ? n - LIMIT_META_GPUS : 0;
	n -= m->ngpu_more;
	m->gpu = arena_array(&run->mem, n, sizeof(*m->gpu));
	m->ngpu = 0;
	for (struct json_items it = json_items(v); m->ngpu < n && json_more(&it);)
		if (it.v.type == JSON_OBJECT)
			take_gpu(m, run, it.v);
}

static void take_distributed(struct run *run, struct json_value v)
{
	struct meta *m = &run->meta;

	m->backend = name_of(run, json_get(v, "backend"));
	m->rank = integer(json_get(v, "rank"), m->rank);
	m->world_size = integer(json_get(v, "world_size"), m->world_size);
	m->nccl_version = name_of(run, json_get(v, "nccl_version"));
}

/* Keys whose value is a text or number kept as text. */
static sym *text_field(struct meta *m, struct span key)
{
	const struct {
		const char *key;
		sym *field;
	} fields[] = {
		{ "traceName", &m->trace_name },
		{ "trace_id", &m->trace_id },
		{ "host_name", &m->host_name },
		{ "cuda_runtime_version", &m->cuda_runtime },
		{ "cuda_driver_version", &m->cuda_driver },
		{ "cupti_version", &m->cupti },
		{ "hip_runtime_version", &m->hip_runtime },
		{ "hip_driver_version", &m->hip_driver },
		{ "roctracer_version", &m->roctracer },
		{ "rocprofiler-sdk_version", &m->roctracer },
		{ "PYTORCH_VERSION", &m->torch },
		{ "pytorch_version", &m->torch },
		{ "torch_version", &m->torch },
		{ "nccl_version", &m->nccl_version },
	};

	return FIND_VALUE(i, COUNT_OF(fields), span_is(key, fields[i].key), fields[i].field, NULL);
}

static enum tristate *flag_field(struct meta *m, struct span key)
{
	const struct {
		const char *key;
		enum tristate *field;
	} fields[] = {
		{ "record_shapes", &m->record_shapes },
		{ "with_stack", &m->with_stack },
		{ "profile_memory", &m->profile_memory },
		{ "with_flops", &m->with_flops },
		{ "with_modules", &m->with_modules },
	};

	return FIND_VALUE(i, COUNT_OF(fields), span_is(key, fields[i].key), fields[i].field, NULL);
}

static void take_member(struct run *run, const struct batch_member *b)
{
	struct meta *m = &run->meta;
	struct json_value v = member_value(b);
	sym *field = text_field(m, b->key);
	enum tristate *flag = flag_field(m, b->key);

	if (field)
		*field = name_of(run, v);
	else if (flag)
		*flag = truth(v);
	else if (span_is(b->key, "schemaVersion"))
		m->schema_version = integer(v, -1);
	else if (span_is(b->key, "baseTimeNanoseconds"))
		m->has_base = num_i64(v.text, &m->base_ns);
	else if (span_is(b->key, "deviceProperties"))
		take_gpus(run, v);
	else if (span_is(b->key, "distributedInfo"))
		take_distributed(run, v);
	else if (span_is(b->key, CUTNOTE_KEY))
		meta_cut(run, v);
	if (v.type != JSON_ARRAY && v.type != JSON_OBJECT)
		m->entry[m->nentry++] = (struct meta_entry){ text(run, b->key, true),
			text(run, v.text, v.escaped) };
}

static bool has_sign(
	const struct run *run, const struct gathered *g, const struct producer_sign *sign)
{
	switch (sign->kind) {
	case SIGN_KEY: return ANY(i, g->nmember, span_is(g->member[i].key, sign->text));
	case SIGN_CATEGORY:
		return ANY(i, run->ncat,
			span_is_nocase(strings_get(&run->strings, run->cat[i].cat), sign->text));
	case SIGN_PROCESS:
		return ANY(i, g->names.of.n,
			span_starts(strings_get(&run->strings, g->names.of.lane[i].process_name),
				sign->text));
	case SIGN_NONE: break;
	}
	return false;
}

static enum producer producer_of(const struct run *run, const struct gathered *g)
{
	for (int i = 0; i < PRODUCER_OTHER; i++)
		for (int k = 0; k < PRODUCER_SIGNS; k++)
			if (has_sign(run, g, &producers[i].sign[k]))
				return (enum producer)i;
	return PRODUCER_OTHER;
}

void meta_decode(struct run *run, const struct gathered *g)
{
	run->meta.entry = arena_array(&run->mem, g->nmember, sizeof(*run->meta.entry));
	for (size_t i = 0; i < g->nmember; i++)
		take_member(run, &g->member[i]);
	if (!run->meta.producer) /* which a format may know better */
		run->meta.producer =
			strings_intern(&run->strings, span_of(producers[producer_of(run, g)].name));
}
