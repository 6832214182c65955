/* Merging. */
#include "edit/merge.h"

#include "analyze/input/text/num.h"
#include "edit/choice.h"
#include "edit/time_range.h"

/* ---- what is decided ---- */

static uint64_t largest(const struct run *r, enum arg arg, enum args_table table)
{
	const uint32_t *id = r->args.col[arg].id;

	return MOST(uint64_t, i, id ? r->args.n[table] : 0, ids_unpack(&r->ids, id[i]));
}

void merge_look(struct merge_rank *m, const struct run *r)
{
	static const struct {
		enum arg arg;
		enum args_table table;
	} ids[] = { { ARG_OP_EXTERNAL_ID, ARGS_OP }, { ARG_LAUNCH_CORRELATION, ARGS_LAUNCH },
		{ ARG_LAUNCH_EXTERNAL_ID, ARGS_LAUNCH }, { ARG_DEVICE_CORRELATION, ARGS_DEVICE },
		{ ARG_DEVICE_EXTERNAL_ID, ARGS_DEVICE } };

	m->id_max = MOST(uint64_t, i, COUNT_OF(ids), largest(r, ids[i].arg, ids[i].table));
	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->lanes.lane[i].is_device && r->lanes.lane[i].device >= 0)
			m->devices |= UINT64_C(1) << MIN(r->lanes.lane[i].device, 63);
	m->base = r->meta.has_base ? r->meta.base_ns : 0;
}

void merge_settle(struct merge_rank *m, size_t n, size_t reference)
{
	uint64_t devices = 0, ids = 0;

	for (EACH(struct merge_rank, rank, m, n)) {
		rank->ids = ids;
		rank->moves_devices = (rank->devices & devices) != 0;
		rank->zero = m[reference].base;
		rank->shift = saturate_sub(rank->base, rank->zero);
		devices |= rank->devices;
		if (add_overflows(ids, rank->id_max, &ids))
			ids = 0;
	}
}

/* A time of the rank's own in the reference's. */
static nsec merge_time(const struct merge_rank *m, nsec own)
{
	if (!m->clock.is_known)
		return saturate_add(own, m->shift);
	/* Clocks are fitted to times of day, where files say them. */
	return saturate_sub(job_time(&m->clock, saturate_add(own, m->base)), m->zero);
}

/* ---- what is changed ---- */

/* "rank 3: " before what a JSON string says. */
static void put_named(struct str *out, int64_t rank, struct span value)
{
	str_addf(out, "\"rank %" PRId64 "%s", rank, value.n > 2 ? ": " : "");
	str_add(out, value.p + 1, value.n - 1);
}

static void change_pid(const struct merge_rank *m, struct part_of *pid, struct arena *mem)
{
	struct str text = { 0 };
	int64_t n;
	struct span v = pid->value;

	if (v.n > 2 && v.p[0] == '"' &&
		lane_number((struct span){ v.p + 1, v.n - 2 }) != LANE_NO_NUMBER)
		v = (struct span){ v.p + 1, v.n - 2 };
	if (num_i64(v, &n))
		str_addf(&text, "%" PRId64, saturate_add(n, saturate_times(m->number, MERGE_PIDS)));
	else if (v.n >= 2 && v.p[0] == '"')
		put_named(&text, m->number, v);
	else
		return;
	part_becomes(pid, &text, mem);
}

static void put_us(struct part_of *part, nsec t, struct arena *mem)
{
	char text[NUMBER_US_MAX];
	size_t n = number_us(text, t);

	part->with = (struct span){ arena_copy(mem, text, n), n };
}

static void change_time(const struct merge_rank *m, struct changing *c)
{
	struct part_of *ts = parts_find(c->parts, "ts"), *dur = parts_find(c->parts, "dur");
	nsec start, length;

	if (!ts || !num_ns(parts_text(c->parts, "ts"), &start))
		return;
	nsec at = merge_time(m, start);
	if (at != start)
		put_us(ts, at, c->mem);
	if (!dur || !m->clock.is_known || m->clock.drift == 0 ||
		!num_ns(parts_text(c->parts, "dur"), &length) || length <= 0)
		return;
	put_us(dur, saturate_sub(merge_time(m, saturate_add(start, length)), at), c->mem);
}

/* has_zero: 0 is a number as others are; of ids it says that there is none. */
static void move_number(struct part_of *part, uint64_t by, bool has_zero, struct arena *mem)
{
	struct span v = part->value;
	struct str text = { 0 };
	bool quoted = v.n > 2 && v.p[0] == '"';
	uint64_t id;

	if (quoted)
		v = (struct span){ v.p + 1, v.n - 2 };
	if (by == 0 || !num_u64(v, &id) || (id == 0 && !has_zero) || add_overflows(id, by, &id))
		return;
	str_addf(&text, quoted ? "\"%" PRIu64 "\"" : "%" PRIu64, id);
	part_becomes(part, &text, mem);
}

static void change_args(const struct merge_rank *m, struct changing *c, struct part_of *args)
{
	static const char *const ids[] = { "correlation", "External id", "external id",
		"wait_on_cuda_event_record_corr_id" };
	struct parts inner;
	struct str text = { 0 };

	if (!parts_read(&inner, args->value))
		return;
	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		struct part_of *id = parts_find(&inner, ids[i]);

		if (id)
			move_number(id, m->ids, false, c->mem);
	}
	struct part_of *device = m->moves_devices && kind_is_on_device(c->facts->kind)
		? parts_find(&inner, "device")
		: NULL;
	if (device)
		move_number(device, (uint64_t)m->number * MERGE_DEVICES, true, c->mem);
	parts_put(&inner, &text);
	part_becomes(args, &text, c->mem);
}

static void put_sort_index(const struct merge_rank *m, struct part_of *part, struct arena *mem)
{
	struct str text = { 0 };
	int64_t n;

	if (!num_i64(part->value, &n))
		return;
	n = n < 0 ? 0 : n < 2 * MERGE_PIDS ? n : 2 * MERGE_PIDS - 1;
	str_addf(&text, "%" PRId64, saturate_add(saturate_times(m->number, 2 * MERGE_PIDS), n));
	part_becomes(part, &text, mem);
}

/* An M event: names of processes say the rank, and so does their order. */
static void change_name(const struct merge_rank *m, struct changing *c, struct part_of *args)
{
	struct span what = parts_text(c->parts, "name");
	struct parts inner;
	struct str text = { 0 }, named = { 0 };

	if (!parts_read(&inner, args->value))
		return;
	struct part_of *value =
		parts_find(&inner, span_is(what, "process_sort_index") ? "sort_index" : "name");
	if (!value)
		return;
	if (span_is(what, "process_sort_index")) {
		put_sort_index(m, value, c->mem);
	} else if (span_is(what, "process_name") && value->value.n >= 2) {
		put_named(&named, m->number, value->value);
		part_becomes(value, &named, c->mem);
	}
	parts_put(&inner, &text);
	part_becomes(args, &text, c->mem);
}

static bool apply(void *ctx, struct changing *c)
{
	const struct merge_rank *m = ctx;
	struct part_of *pid = parts_find(c->parts, "pid"), *id = parts_find(c->parts, "id");
	struct part_of *args = parts_find(c->parts, "args");

	if (pid)
		change_pid(m, pid, c->mem);
	change_time(m, c);
	if (id && c->facts->ph != 'C')
		move_number(id, m->ids, false, c->mem);
	if (args && c->facts->ph == 'M')
		change_name(m, c, args);
	else if (args)
		change_args(m, c, args);
	return true;
}

struct change merge_change(const struct merge_rank *m)
{
	return (struct change){ .apply = apply, .ctx = (void *)(uintptr_t)m };
}
