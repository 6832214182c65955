/* Memory snapshots and flight recorder dumps by a rule, and the odd numbers in all files. */
#include "base/compiler.h"
#include "tests/fuzz/valid_odd.h"

#define SNAPSHOT_BASE 139637976727552.0

static const char *const odd_numbers[] = { "NaN", "Infinity", "-Infinity", "0", "-1", "1e308",
	"-1e308", "1e400", "9223372036854775807", "18446744073709551616", "1e-320", "\"\"", "null",
	"N/A", "" };

enum { NO_JSON = 2 }; /* the last so many of them */

struct valid_odd valid_odd_draw(struct draw *d, int is_json)
{
	struct valid_odd o = { .number = NULL };
	size_t how = draw_below(d, 256), n = COUNT_OF(odd_numbers) - (is_json ? NO_JSON : 0);

	if (how >= 160)
		o.number = odd_numbers[how % n];
	o.every = 1 + draw_below(d, 16);
	o.from = draw_below(d, 256) / 8;
	return o;
}

static bool is_next_odd(struct valid_odd *o)
{
	size_t nth = o->nth++;

	return o->number && nth >= o->from && (nth - o->from) % o->every == 0;
}

void valid_odd_put(struct str *out, struct valid_odd *o, double v)
{
	if (is_next_odd(o))
		str_adds(out, o->number);
	else
		str_addf(out, "%.15g", v);
}

void valid_odd_text(struct str *out, struct valid_odd *o, const char *text, size_t n)
{
	if (is_next_odd(o))
		str_adds(out, o->number);
	else
		str_add(out, text, n);
}

size_t valid_odd_rows(struct draw *d)
{
	static const size_t rows[] = { 20, 10, 1, 2, 3, 40, 100, 400, 5, 7, 1, 30, 50, 6, 25, 0 };

	return rows[draw_below(d, COUNT_OF(rows))];
}

/* ---- memory snapshots ---- */

static void put_member(struct str *out, struct valid_odd *o, const char *key, double v)
{
	str_addf(out, ",\"%s\":", key);
	valid_odd_put(out, o, v);
}

static void put_frames(struct str *out, size_t i)
{
	str_addf(out,
		",\"frames\":[{\"name\":\"forward\",\"filename\":\"model.py\",\"line\":%zu},"
		"{\"name\":\"<module>\",\"filename\":\"train.py\",\"line\":12}]",
		i % 5);
}

static void put_block(
	struct str *out, struct draw *d, struct valid_odd *o, size_t k, double at, double size)
{
	static const char *const states[] = { "active_allocated", "inactive", "active_pending_free",
		"active_awaiting_free", "strange" };
	size_t state = draw_chance(d, 0, 20) ? k % 2 : (size_t)draw_chance(d, 0, 4);

	str_addf(out, "%s{\"address\":%.0f", k ? "," : "", at);
	put_member(out, o, "size", size);
	put_member(out, o, "requested_size", size - 24);
	str_addf(out, ",\"state\":\"%s\"", states[state]);
	put_frames(out, k);
	str_addc(out, '}');
}

static void put_segment(struct str *out, struct draw *d, struct valid_odd *o, size_t i)
{
	size_t k, n = 1 + (size_t)draw_chance(d, 0, 3);
	double at = SNAPSHOT_BASE + (double)i * 20971520, size = 20971520 / (double)n;

	str_addf(out, "%s{\"device\":%zu,\"address\":%.0f", i ? "," : "", i % 2, at);
	put_member(out, o, "total_size", 20971520);
	str_addf(out,
		",\"stream\":0,\"segment_type\":\"large\",\"segment_pool_id\":[0,0],"
		"\"is_expandable\":%s",
		draw_chance(d, 0, 3) ? "false" : "true");
	put_member(out, o, "allocated_size", size);
	put_member(out, o, "active_size", size);
	put_member(out, o, "requested_size", size - 24);
	str_adds(out, ",\"frames\":[],\"blocks\":[");
	for (k = 0; k < n; k++)
		put_block(out, d, o, k, at + (double)k * size, size);
	str_adds(out, "]}");
}

static void put_history(
	struct str *out, struct draw *d, struct valid_odd *o, size_t rows, size_t order)
{
	static const char *const actions[] = { "alloc", "free_requested", "free_completed",
		"segment_alloc", "segment_free", "oom", "snapshot", "segment_map", "segment_unmap",
		"strange" };
	size_t i, what;

	for (i = 0; i < rows; i++) {
		size_t block = i / 3;

		what = draw_chance(d, 0, 10) ? i % 3 : (size_t)draw_chance(d, 0, 9);
		str_addf(out, "%s{\"action\":\"%s\"", i ? "," : "", actions[what]);
		put_member(out, o, what == 5 ? "device_free" : "addr",
			SNAPSHOT_BASE + 512 * (double)block);
		put_member(out, o, "size", 512);
		str_adds(out, ",\"stream\":0");
		put_member(out, o, "time_us",
			(double)(order == 1          ? rows - i
					: order == 2 ? 0
						     : 10 * i));
		put_frames(out, i);
		str_addc(out, '}');
	}
}

void valid_rule_snapshot(struct draw *d, struct valid_odd *o, struct str *out)
{
	size_t rows = valid_odd_rows(d), segments = valid_odd_rows(d) / 4, i;
	size_t how = draw_below(d, 256) / 64;

	str_adds(out, "{\"segments\":[");
	for (i = 0; i < segments; i++)
		put_segment(out, d, o, i);
	str_adds(out, "],\"device_traces\":[[");
	put_history(out, d, o, rows, how);
	str_adds(out, "],[");
	put_history(out, d, o, rows / 4, how);
	str_adds(out, "]],\"allocator_settings\":{\"expandable_segments\":false}}\n");
}

/* ---- flight recorder dumps ---- */

static void put_groups(struct str *out, size_t world)
{
	size_t i;

	str_adds(out,
		"{\"version\":\"2.9\",\"nccl_version\":\"2.27.3\",\"pg_config\":{\"0\":{\"name\":"
		"\"0\",\"desc\":\"default_pg\",\"ranks\":\"[");
	for (i = 0; i < world; i++)
		str_addf(out, "%s%zu", i ? ", " : "", i);
	str_adds(out,
		"]\"},\"1\":{\"name\":\"1\",\"desc\":\"dp\",\"ranks\":\"[0, 1]\"}},"
		"\"pg_status\":{},\"entries\":[");
}

static void put_call(struct str *out, struct draw *d, struct valid_odd *o, size_t i, size_t state)
{
	static const char *const ops[] = { "all_reduce", "_all_gather_base", "send 0->1",
		"recv 0<-1", "coalesced", "strange" };
	static const char *const states[] = { "completed", "started", "scheduled", "strange" };
	size_t op = draw_chance(d, 0, 15) ? i % 2 : (size_t)draw_chance(d, 0, 5);

	str_addf(out,
		"%s{\"pg_id\":%d,\"process_group\":[\"%d\",\"x\"],\"profiling_name\":\"nccl:%s\"",
		i ? "," : "", op == 3, op == 3, ops[op]);
	put_member(out, o, "record_id", (double)i);
	put_member(out, o, "collective_seq_id", (double)(i + 1));
	str_addf(out, ",\"p2p_seq_id\":0,\"is_p2p\":%s,\"state\":\"%s\"",
		op == 2 || op == 3 ? "true" : "false", states[state]);
	put_member(out, o, "time_created_ns", 1.75e18 + 1e9 * (double)i);
	str_adds(out, ",\"input_sizes\":[[");
	valid_odd_put(out, o, 1024);
	str_addf(out,
		"]],\"output_sizes\":[[1024]],\"input_dtypes\":[\"Float\"],"
		"\"output_dtypes\":[\"Float\"],\"retired\":%s,\"timeout_ms\":600000",
		state ? "false" : "true");
	put_frames(out, i);
	str_addc(out, '}');
}

/* Further ranks are a call behind. */
void valid_rule_dump(struct draw *d, unsigned rank, struct valid_odd *o, struct str *out)
{
	static const size_t worlds[] = { 4, 2, 1, 0, 100, 8, 3, 16 };
	size_t rows = valid_odd_rows(d) / 2, world = worlds[draw_below(d, COUNT_OF(worlds))], i;

	put_groups(out, world);
	rows -= rank && rows > 1;
	for (i = 0; i < rows; i++)
		put_call(out, d, o, i, i + 2 < rows ? 0 : i + 1 < rows ? 1 : 2);
	str_adds(out, "]}\n");
}
