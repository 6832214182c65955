/* Rows as events of Chrome's JSON. */
#include "edit/row_events.h"

#include <inttypes.h>
#include <math.h>

#include "analyze/trace/links/links.h"
#include "edit/time_range.h"
#include "report/escape.h"
#include "base/search.h"

/* The category Kineto gives a kind; NULL: it has none. */
static const char *category(enum kind kind, struct span name)
{
	switch (kind) {
	case KIND_OP: return "cpu_op";
	case KIND_ANNOTATION: return "user_annotation";
	case KIND_PYTHON: return "python_function";
	case KIND_RUNTIME:
		if (span_starts(name, "hip") || span_starts(name, "hsa"))
			return "hip_runtime";
		return span_starts(name, "cu") && !span_starts(name, "cuda") ? "cuda_driver"
									     : "cuda_runtime";
	case KIND_KERNEL: return "kernel";
	case KIND_MEMCPY: return "gpu_memcpy";
	case KIND_MEMSET: return "gpu_memset";
	case KIND_SYNC: return "cuda_sync";
	case KIND_GPU_ANNOTATION: return "gpu_user_annotation";
	case KIND_GPU_EVENT: return "cuda_event";
	case KIND_OVERHEAD: return "overhead";
	case KIND_SPAN: return "Trace";
	case KIND_MEMORY:
	case KIND_INSTANT: return "cpu_instant_event";
	default: return NULL;
	}
}

/* A pid or tid: a number where it is one. */
static void put_place(
	struct str *out, const char *key, const struct run *r, sym text, int64_t number)
{
	str_addf(out, ", \"%s\": ", key);
	if (number != LANE_NO_NUMBER)
		str_addf(out, "%" PRId64, number);
	else
		escape_json(out, strings_get(&r->strings, text));
}

static void put_lane(struct str *out, const struct run *r, const struct lane *l)
{
	put_place(out, "pid", r, l->pid, l->pid_number);
	put_place(out, "tid", r, l->tid, l->tid_number);
}

/* ---- arguments ---- */

/* `, "key": ` or what stands before the first one. */
static void begin_arg(struct str *out, bool *any, const char *key)
{
	str_adds(out, *any ? ", \"" : ", \"args\": {\"");
	str_adds(out, key);
	str_adds(out, "\": ");
	*any = true;
}

static bool is_json(struct span t)
{
	return t.n > 0 && (t.p[0] == '[' || t.p[0] == '{');
}

static uint64_t id_of(const struct run *r, uint32_t id)
{
	return id & ID_WIDE ? ids_wide(&r->ids, id & ~ID_WIDE) : id;
}

static void put_id(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	uint32_t id = r->args.col[arg].id ? r->args.col[arg].id[at] : 0;

	if (!id)
		return;
	begin_arg(out, any, arg_infos[arg].key);
	str_addf(out, "%" PRIu64, id_of(r, id));
}

static void put_text(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	sym s = args_sym(&r->args, arg, at);
	struct span t = strings_get(&r->strings, s);

	if (!s)
		return;
	begin_arg(out, any, arg_infos[arg].key);
	if (is_json(t))
		str_add(out, t.p, t.n);
	else
		escape_json(out, t);
}

static void put_number(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	int64_t i = arg_infos[arg].type == ARG_I64 ? args_i64(&r->args, arg, at) : 0;
	double f = arg_infos[arg].type == ARG_F64 ? args_f64(&r->args, arg, at) : 0;

	if (i == ARG_UNKNOWN || !isfinite(f))
		return;
	begin_arg(out, any, arg_infos[arg].key);
	if (arg_infos[arg].type == ARG_I64)
		str_addf(out, "%" PRId64, i);
	else
		str_addf(out, "%.17g", f);
}

static void put_vec3(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	uint32_t v[3];

	args_vec3(&r->args, arg, at, v);
	if (!(v[0] | v[1] | v[2]))
		return;
	begin_arg(out, any, arg_infos[arg].key);
	str_addf(out, "[%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", v[0], v[1], v[2]);
}

static void put_arg(const struct run *r, enum arg arg, size_t at, struct str *out, bool *any)
{
	switch (arg_infos[arg].type) {
	case ARG_ID: put_id(r, arg, at, out, any); break;
	case ARG_SYM: put_text(r, arg, at, out, any); break;
	case ARG_I64:
	case ARG_F64: put_number(r, arg, at, out, any); break;
	case ARG_VEC3: put_vec3(r, arg, at, out, any); break;
	}
}

static void put_args(const struct run *r, size_t row, struct str *out)
{
	const struct events *ev = &r->events;
	const struct lane *l = &r->lanes.lane[ev->lane[row]];
	enum kind kind = (enum kind)ev->kind[row];
	enum args_table table = args_table_of(kind);
	bool any = false;

	if (l->is_device && l->device >= 0) {
		begin_arg(out, &any, "device");
		str_addf(out, "%" PRId64, l->device);
	}
	if (l->is_device && l->stream >= 0) {
		begin_arg(out, &any, "stream");
		str_addf(out, "%" PRId64, l->stream);
	}
	for (unsigned i = 0; ev->args[row] != NO_ARGS && i < ARG_COUNT; i++)
		if (arg_infos[i].table == table && args_keeps(&r->args, (enum arg)i) &&
			arg_is_of((enum arg)i, kind))
			put_arg(r, (enum arg)i, ev->args[row] - 1, out, &any);
	if (ev->flags[row] & EVENT_CUT) {
		begin_arg(out, &any, "finished");
		str_adds(out, "false");
	}
	str_adds(out, any ? "}" : "");
}

/* ---- events ---- */

void rows_put(const struct run *r, size_t row, struct str *out)
{
	const struct events *ev = &r->events;
	enum kind kind = (enum kind)ev->kind[row];
	struct span name = run_name(r, row);
	const char *cat = category(kind, name);
	bool instant = kind == KIND_MEMORY || kind == KIND_INSTANT;

	str_addf(out, "{\"ph\": \"%c\"", instant ? 'i' : 'X');
	if (cat)
		str_addf(out, ", \"cat\": \"%s\"", cat);
	str_adds(out, ", \"name\": ");
	escape_json(out, name);
	put_lane(out, r, &r->lanes.lane[ev->lane[row]]);
	number_put(out, "ts", ev->start[row]);
	if (instant)
		str_adds(out, ", \"s\": \"t\"");
	else
		number_put(out, "dur", ev->dur[row]);
	put_args(r, row, out);
	str_addc(out, '}');
}

int rows_put_arrow(const struct run *r, size_t row, struct str *out)
{
	const struct events *ev = &r->events;
	uint32_t args = ev->args[row];

	if (args == NO_ARGS || !r->links || r->links->launch[args - 1] == NO_ROW)
		return 0;
	uint32_t launch = r->links->launch[args - 1];
	uint32_t id = r->args.col[ARG_DEVICE_CORRELATION].id[args - 1];
	for (int end = 0; end < 2; end++) {
		size_t at = end ? row : launch;

		str_addf(
			out, ",\n{\"ph\": \"%s\", \"id\": %" PRIu64, end ? "f" : "s", id_of(r, id));
		put_lane(out, r, &r->lanes.lane[ev->lane[at]]);
		number_put(out, "ts", ev->start[at]);
		str_addf(out, ", \"cat\": \"ac2g\", \"name\": \"ac2g\"%s}",
			end ? ", \"bp\": \"e\"" : "");
	}
	return 2;
}

static int64_t put_name(const struct run *r, const struct lane *l, const char *what, sym name,
	bool of_thread, struct str *out)
{
	if (!name)
		return 0;
	str_addf(out, ",\n{\"ph\": \"M\", \"name\": \"%s\"", what);
	put_place(out, "pid", r, l->pid, l->pid_number);
	if (of_thread)
		put_place(out, "tid", r, l->tid, l->tid_number);
	str_addf(out, ", \"args\": {\"%s\": ",
		span_is(span_of(what), "process_labels") ? "labels" : "name");
	escape_json(out, strings_get(&r->strings, name));
	str_adds(out, "}}");
	return 1;
}

static bool is_first_of_process(const struct run *r, size_t lane)
{
	return !ANY(i, lane, r->lanes.lane[i].pid == r->lanes.lane[lane].pid);
}

int64_t rows_put_names(const struct run *r, struct str *out)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->lanes.n; i++) {
		const struct lane *l = &r->lanes.lane[i];

		if (is_first_of_process(r, i)) {
			n += put_name(r, l, "process_name", l->process_name, false, out);
			n += put_name(r, l, "process_labels", l->process_labels, false, out);
		}
		n += put_name(r, l, "thread_name", l->thread_name, true, out);
	}
	return n;
}
