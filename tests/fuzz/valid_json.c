/* A run as Chrome JSON: as Kineto writes it, as a bare list, with begins and ends, with times as
 * texts, or without categories. */
#include <inttypes.h>

#include "tests/fuzz/valid_run.h"

enum form { FORM_KINETO, FORM_LIST, FORM_BEGINS, FORM_TEXTS, FORM_NO_CATS, FORMS };

/* Most are Kineto's. */
static enum form form_of(const struct valid_run *r)
{
	return r->shape.form < 192 ? FORM_KINETO : (enum form)(r->shape.form % FORMS);
}

static void put_text(struct str *out, const char *s)
{
	str_addc(out, '"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			str_addf(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			str_addf(out, "\\u%04x", c);
		else
			str_addc(out, *s);
	}
	str_addc(out, '"');
}

/* ns as microseconds with three decimals. */
static void put_us(struct str *out, int64_t ns, bool as_text)
{
	uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;

	str_addf(out, "%s%s%" PRIu64 ".%03" PRIu64 "%s", as_text ? "\"" : "", ns < 0 ? "-" : "",
		v / 1000, v % 1000, as_text ? "\"" : "");
}

static void put_coll(struct str *out, const struct valid_coll *c)
{
	if (c->name)
		str_addf(out, ",\"Collective name\":\"%s\"", c->name);
	if (c->in >= 0)
		str_addf(out, ",\"In msg nelems\":%" PRId64, c->in);
	if (c->out >= 0)
		str_addf(out, ",\"Out msg nelems\":%" PRId64, c->out);
	if (c->size >= 0)
		str_addf(out, ",\"Group size\":%" PRId64, c->size);
	if (c->dtype)
		str_addf(out, ",\"dtype\":\"%s\"", c->dtype);
	if (c->group)
		str_addf(out, ",\"Process Group Name\":\"%s\"", c->group);
	if (c->ranks)
		str_addf(out, ",\"Process Group Ranks\":\"%s\"", c->ranks);
	if (c->seq >= 0)
		str_addf(out, ",\"Seq\":%" PRId64, c->seq);
}

static void put_op(struct str *out, const struct valid_run *r, const struct valid_event *e)
{
	str_addf(out, "\"External id\":%" PRId64 ",\"Ev Idx\":%" PRId64, e->ext, e->ext);
	if (valid_run_has(r, VALID_SHAPES) && (e->v[0] || e->v[1]))
		str_addf(out,
			",\"Input Dims\":[[%" PRId64 "],[%" PRId64 ",%" PRId64 "],[%" PRId64
			",%" PRId64 "],[],[]],\"Input type\":[\"c10::BFloat16\",\"c10::BFloat16\","
			"\"c10::BFloat16\",\"Scalar\",\"Scalar\"]",
			e->v[1], e->v[0], e->v[0], e->v[0], e->v[1]);
}

static void put_work(struct str *out, const struct valid_event *e)
{
	str_addf(out,
		"\"External id\":%" PRId64 ",\"device\":%" PRId64
		",\"context\":1,\"stream\":%" PRId64,
		e->ext, e->v[0], e->tid);
	if (e->corr)
		str_addf(out, ",\"correlation\":%" PRId64, e->corr);
}

static void put_kernel(struct str *out, const struct valid_run *r, const struct valid_event *e)
{
	double blocks = (double)e->v[1] / (double)r->sms;

	put_work(out, e);
	str_addf(out,
		",\"queued\":0,\"registers per thread\":96,\"shared memory\":%" PRId64
		",\"grid\":[%" PRId64 ",1,1],\"block\":[%" PRId64 ",1,1]",
		e->v[3], e->v[1], e->v[2]);
	if (r->sms > 0)
		str_addf(out, ",\"blocks per SM\":%.6f,\"warps per SM\":%.6f", blocks,
			blocks * (double)e->v[2] / 32);
	str_addf(out, ",\"est. achieved occupancy %%\":%" PRId64, e->v[2] / 11);
}

/* Members of args, without the braces. */
static void put_args(struct str *out, const struct valid_run *r, const struct valid_event *e)
{
	switch (e->cat) {
	case VALID_KERNEL: put_kernel(out, r, e); break;
	case VALID_MEMCPY:
		put_work(out, e);
		str_addf(out, ",\"bytes\":%" PRId64 ",\"memory bandwidth (GB/s)\":%.3f", e->v[1],
			e->dur > 0 ? (double)e->v[1] / (double)e->dur : 0.0);
		break;
	case VALID_MEMSET:
		put_work(out, e);
		str_addf(out, ",\"bytes\":%" PRId64, e->v[1]);
		break;
	case VALID_SYNC:
		put_work(out, e);
		str_adds(out, ",\"cuda_sync_kind\":\"Stream Sync\"");
		break;
	case VALID_RUNTIME:
		str_addf(out, "\"External id\":%" PRId64 ",\"cbid\":211,\"correlation\":%" PRId64,
			e->ext, e->corr);
		break;
	case VALID_PYTHON:
		str_addf(out, "\"Python id\":%" PRId64, e->v[0]);
		if (e->v[1])
			str_addf(out, ",\"Python parent id\":%" PRId64, e->v[1]);
		break;
	case VALID_MEMORY:
		str_addf(out,
			"\"Total Reserved\":%" PRId64 ",\"Total Allocated\":%" PRId64
			",\"Bytes\":%" PRId64 ",\"Addr\":139888192126976,\"Device Id\":%" PRId64
			",\"Device Type\":1",
			e->v[2], e->v[1], e->v[0], e->v[3]);
		break;
	case VALID_COUNTER: str_addf(out, "\"watts\":%" PRId64, e->v[0]); break;
	default: put_op(out, r, e); break;
	}
	if (e->coll)
		put_coll(out, e->coll);
}

static const char *cat_of(const struct valid_event *e)
{
	static const char *const cats[] = {
#define X(name, word) word,
		VALID_CATS(X)
#undef X
	};

	return cats[e->cat];
}

/* The profiler's own process has a name in place of a number. */
static void put_place(struct str *out, const char *key, int64_t id)
{
	if (id == -2)
		str_addf(out, ",\"%s\":\"Spans\"", key);
	else
		str_addf(out, ",\"%s\":%" PRId64, key, id);
}

static void put_event(struct str *out, const struct valid_run *r, const struct valid_event *e,
	enum form form, char ph)
{
	int64_t stop = (int64_t)((uint64_t)e->ts + (uint64_t)e->dur);

	str_addf(out, "{\"ph\":\"%c\"", ph);
	if (form != FORM_NO_CATS)
		str_addf(out, ",\"cat\":\"%s\"", cat_of(e));
	str_adds(out, ",\"name\":");
	put_text(out, e->name);
	put_place(out, "pid", e->pid);
	put_place(out, "tid", e->tid);
	str_adds(out, ",\"ts\":");
	put_us(out, ph == 'E' ? stop : e->ts, form == FORM_TEXTS);
	if (ph == 'X') {
		str_adds(out, ",\"dur\":");
		put_us(out, e->dur, form == FORM_TEXTS);
	}
	if (e->cat == VALID_FLOW) {
		str_addf(out, ",\"id\":%" PRId64 "%s", e->corr, ph == 'f' ? ",\"bp\":\"e\"" : "");
	} else if (!e->bare && ph != 'E') {
		str_adds(out, ",\"args\":{");
		put_args(out, r, e);
		str_addc(out, '}');
	}
	str_addc(out, '}');
}

/* Those of the host as begin and end. */
static bool is_split(const struct valid_event *e, enum form form)
{
	return form == FORM_BEGINS && e->ph == 'X' &&
		(e->cat == VALID_OP || e->cat == VALID_ANNOTATION);
}

static void put_hardware(struct str *out, const struct valid_run *r)
{
	static const char *const names[] = { "NVIDIA H100 80GB HBM3", "Tesla T4",
		"AMD Instinct MI300X", "NVIDIA A100-SXM4-40GB", "Some device", "" };
	unsigned i;

	str_adds(out, ",\"deviceProperties\":[");
	for (i = 0; i < r->shape.devices; i++)
		str_addf(out,
			"%s{\"id\":%u,\"name\":\"%s\",\"totalGlobalMem\":%" PRId64
			",\"computeMajor\":9,\"computeMinor\":0,\"warpSize\":32,"
			"\"maxThreadsPerMultiprocessor\":2048,\"regsPerMultiprocessor\":65536,"
			"\"numSms\":%" PRId64 "}",
			i ? "," : "", i, names[r->shape.hardware % COUNT_OF(names)], r->memory,
			r->sms);
	str_addc(out, ']');
}

static void put_head(struct str *out, const struct valid_run *r)
{
	size_t i;

	str_addf(out, "{\"schemaVersion\":1,\"baseTimeNanoseconds\":%" PRId64, r->base_ns);
	if (valid_run_has(r, VALID_HARDWARE))
		put_hardware(out, r);
	if (valid_run_has(r, VALID_JOB))
		str_addf(out,
			",\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":%" PRId64
			",\"world_size\":%" PRId64
			",\"pg_count\":1,\"pg_config\":[{\"pg_name\":\"0\",\"pg_desc\":\"default_pg\","
			"\"backend_config\":\"cuda:nccl\",\"pg_size\":%" PRId64 "}]}",
			r->rank, r->world, r->world);
	for (i = 0; i < COUNT_OF(r->props); i++)
		if (r->props[i])
			str_addf(out, ",%s", r->props[i]);
	str_adds(out, ",\"traceEvents\":");
}

void valid_run_write(const struct valid_run *r, struct str *out)
{
	enum form form = form_of(r);
	size_t i;

	if (form != FORM_LIST)
		put_head(out, r);
	str_addc(out, '[');
	for (i = 0; i < r->n; i++) {
		const struct valid_event *e = &r->ev[i];

		str_adds(out, i ? ",\n" : "\n");
		if (is_split(e, form)) {
			put_event(out, r, e, form, 'B');
			str_addc(out, ',');
			put_event(out, r, e, form, 'E');
		} else {
			put_event(out, r, e, form, e->ph);
		}
	}
	str_addc(out, ']');
	if (form != FORM_LIST)
		str_adds(out, ",\"traceName\":\"rank.pt.trace.json\"}");
	str_addc(out, '\n');
}
