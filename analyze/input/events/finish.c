/* After the last byte: lane names, devices known by name only, the span. */
#include "analyze/input/events/finish.h"

#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/producers.h"
#include "base/base.h"

/* --- joining B and E --- */

/* What is joined, and what of it is open. */
struct joining {
	struct run *run;
	uint32_t *thread; /* by lane: lanes of one (pid, tid) are one thread, whatever they hold */
	uint32_t *half;   /* rows of B and E, by thread and time */
	size_t n;
	uint32_t *open; /* rows of B */
	size_t depth;
	uint32_t *open_of; /* by name: how many of them are open */
};

static int by_thread_time_row(const void *pa, const void *pb, void *ctx)
{
	const struct joining *j = ctx;
	const struct events *e = &j->run->events;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	uint32_t x = j->thread[e->lane[a]], y = j->thread[e->lane[b]];

	if (x != y)
		return x < y ? -1 : 1; /* lint: allow byhand: hot */
	if (e->start[a] != e->start[b])
		return e->start[a] < e->start[b] ? -1 : 1; /* lint: allow byhand: hot */
	return (a > b) - (a < b);                          /* lint: allow byhand: hot */
}

static uint32_t *find_threads(const struct run *run)
{
	uint32_t *thread = xcalloc(run->lanes.n, sizeof(*thread));
	struct lanes seen;

	lanes_init(&seen);
	for (size_t i = 0; i < run->lanes.n; i++) {
		struct lane key = { .pid = run->lanes.lane[i].pid, .device = -1, .stream = -1 };

		key.tid = run->lanes.lane[i].tid;
		thread[i] = lanes_add(&seen, &key);
	}
	lanes_clear(&seen);
	return thread;
}

static bool is_half(const struct events *e, size_t i)
{
	return (e->flags[i] & (EVENT_BEGIN | EVENT_END)) != 0;
}

/* The last timestamp of each lane. */
static nsec *lane_ends(const struct run *run)
{
	nsec *end = xcalloc(run->lanes.n, sizeof(*end));

	FILL(end, run->lanes.n, INT64_MIN);
	for (size_t i = 0; i < run->events.n; i++) {
		nsec t = events_end(&run->events, i);

		if (t > end[run->events.lane[i]])
			end[run->events.lane[i]] = t;
	}
	return end;
}

static void close_slice(struct run *run, uint32_t row, nsec end)
{
	struct events *e = &run->events;

	e->flags[row] &= (uint8_t)~EVENT_BEGIN;
	if (sub_overflows(end, e->start[row], &e->dur[row]))
		e->dur[row] = INT64_MAX;
}

/* Takes the innermost open row off. */
static uint32_t pop(struct joining *j)
{
	uint32_t row = j->open[--j->depth];

	j->open_of[j->run->events.name[row]]--;
	return row;
}

static void close_unfinished(struct joining *j, nsec end)
{
	uint32_t row = pop(j);

	close_slice(j->run, row, end);
	j->run->events.flags[row] |= EVENT_UNFINISHED;
	tally_add(&j->run->tally, PROBLEM_BEGIN_WITHOUT_END, 1, -1);
}

/* Closes what is still open on a thread: nobody knows when it ended. */
static void close_rest(struct joining *j, const nsec *end)
{
	while (j->depth > 0)
		close_unfinished(j, end[j->run->events.lane[j->open[j->depth - 1]]]);
}

/* An E without a name closes the innermost B; with one, the innermost B of that name, and what was
 * opened inside has ended by then. */
static void close_one(struct joining *j, uint32_t row)
{
	const struct events *e = &j->run->events;
	sym name = e->name[row];

	if (j->depth == 0 || (name && j->open_of[name] == 0)) {
		tally_add(&j->run->tally, PROBLEM_END_WITHOUT_BEGIN, 1, -1);
		return;
	}
	while (name && e->name[j->open[j->depth - 1]] != name)
		close_unfinished(j, e->start[row]);
	close_slice(j->run, pop(j), e->start[row]);
}

static void join(struct joining *j, const nsec *end)
{
	const struct events *e = &j->run->events;

	for (size_t i = 0; i < j->n; i++) {
		uint32_t row = j->half[i];

		if (i > 0 && j->thread[e->lane[row]] != j->thread[e->lane[j->half[i - 1]]])
			close_rest(j, end);
		if (!(e->flags[row] & EVENT_BEGIN)) {
			close_one(j, row);
			continue;
		}
		j->open[j->depth++] = row;
		j->open_of[e->name[row]]++;
	}
	close_rest(j, end);
}

static void drop_ends(struct run *run)
{
	struct events *e = &run->events;

	for (size_t i = 0; i < e->n; i++)
		if (e->flags[i] & EVENT_END) {
			e->flags[i] |= EVENT_DROP;
			run->kind_count[e->kind[i]]--;
		}
	events_drop(e);
}

/* Joins EVENT_BEGIN and EVENT_END rows thread by thread (pid and tid, whatever the category), last
 * in first out, in order of time (file order where equal); E rows disappear.  An E with a name
 * closes the innermost B of that name.  A B without E lasts to the E of what is around it, else to
 * the lane's last timestamp, and is marked unfinished; an E without B is counted.
 * Source: Trace Event Format, "Duration Events"; names as in Perfetto's slice tracker. */
static void pairs_join(struct run *run)
{
	struct joining j = { .run = run, .thread = find_threads(run) };
	const struct events *e = &run->events;
	nsec *end = lane_ends(run);
	size_t i;

	for (i = 0; i < e->n; i++)
		j.n += is_half(e, i);
	j.half = xcalloc(j.n, sizeof(*j.half));
	for (i = 0, j.n = 0; i < e->n; i++)
		if (is_half(e, i))
			j.half[j.n++] = (uint32_t)i;
	qsort_r(j.half, j.n, sizeof(*j.half), by_thread_time_row, &j);
	j.open = xcalloc(j.n, sizeof(*j.open));
	j.open_of = xcalloc(run->strings.n, sizeof(*j.open_of));
	join(&j, end);
	drop_ends(run);
	FREE_ALL(j.open, j.open_of, j.half, j.thread, end);
}

/* --- lanes, kinds, times --- */

#define FAR_FROM_ZERO_NS INT64_C(60000000000) /* a minute */

/* The names given to (pid, tid), or NULL.  Looking up inserts: the table is used up by that. */
static const struct lane *names_of(struct gathered *g, sym pid, sym tid)
{
	struct lane key = { .pid = pid, .tid = tid, .device = -1, .stream = -1 };
	size_t before = g->names.of.n;
	uint32_t at = lanes_add(&g->names.of, &key);

	return at < before ? &g->names.of.lane[at] : NULL;
}

static void name_lanes(struct run *run, struct gathered *g)
{
	for (EACH(struct lane, l, run->lanes.lane, run->lanes.n)) {
		const struct lane *n = names_of(g, l->pid, l->tid);

		if (n)
			l->thread_name = n->thread_name;
		n = names_of(g, l->pid, UINT32_MAX);
		if (n) {
			l->process_name = n->process_name;
			l->process_labels = n->process_labels;
		}
	}
}

/* The number behind the last ':' or '#' or blank: "/device:GPU:1" is 1; else 0. */
static int64_t trailing_number(struct span t)
{
	size_t i = t.n;

	while (i > 0 && is_digit(t.p[i - 1]))
		i--;
	int64_t v = lane_number((struct span){ t.p + i, t.n - i });
	return v == LANE_NO_NUMBER ? 0 : v;
}

/* "GPU0", "NeuronCore 3", and rocprof's process for the copies of all GPUs: its threads are queues,
 * whatever they are called. */
static bool is_device_itself(struct span process)
{
	while (process.n && (is_digit(process.p[process.n - 1]) || process.p[process.n - 1] == ' '))
		process.n--;
	return span_in_nocase(process, "gpu|neuroncore|hpu|copy");
}

static bool is_accelerator(struct span process)
{
	return (span_starts(process, "/device:") && !span_starts(process, "/device:CPU")) ||
		span_is(process, "Ascend Hardware") || is_device_itself(process);
}

static bool is_stream(struct span thread)
{
	return span_has(thread, "Stream") || span_has(thread, "stream");
}

/* By lane: streams hold device work, and where a process has none its rows of ops; the other
 * threads of an accelerator only name it.  The caller frees it. */
static bool *find_work_lanes(const struct run *run)
{
	bool *holds = xcalloc(run->lanes.n, sizeof(*holds));
	bool *has_streams = xcalloc(run->strings.n, sizeof(*has_streams)); /* by pid */

	for (size_t i = 0; i < run->lanes.n; i++) {
		const struct lane *l = &run->lanes.lane[i];

		holds[i] = is_device_itself(strings_get(&run->strings, l->process_name)) ||
			is_stream(strings_get(&run->strings, l->thread_name));
		has_streams[l->pid] |= holds[i];
	}
	for (size_t i = 0; i < run->lanes.n; i++) {
		struct span thread = strings_get(&run->strings, run->lanes.lane[i].thread_name);

		holds[i] |= !has_streams[run->lanes.lane[i].pid] &&
			(span_starts(thread, "XLA Ops") || span_starts(thread, "TensorFlow Ops"));
	}
	free(has_streams);
	return holds;
}

static enum kind device_kind(struct span process, struct span name)
{
	if (span_is(process, "COPY") || span_starts(name, "Memcpy") || span_starts(name, "MEMCPY"))
		return KIND_MEMCPY;
	if (span_starts(name, "Memset") || span_starts(name, "MEMSET"))
		return KIND_MEMSET;
	/* A task without an operator is called by its type. */
	return span_is(process, "Ascend Hardware") &&
			ALL(i, name.n, !(name.p[i] >= 'a' && name.p[i] <= 'z'))
		? producers_task_kind(name)
		: KIND_KERNEL;
}

static bool has_category(const struct run *run, const char *word)
{
	return ANY(i, run->ncat, span_is(strings_get(&run->strings, run->cat[i].cat), word));
}

/* JAX, TensorFlow, Ascend and rocprof write no categories: their devices are processes. */
static bool find_devices(struct run *run)
{
	bool any = false;

	for (EACH(struct lane, l, run->lanes.lane, run->lanes.n)) {
		struct span process = strings_get(&run->strings, l->process_name);

		if (l->is_device || !is_accelerator(process))
			continue;
		l->is_device = any = true;
		l->device = trailing_number(process);
		l->stream = l->tid_number == LANE_NO_NUMBER ? 0 : l->tid_number;
	}
	return any;
}

/* The number behind '#' where the name ends in it; -1: "DEVICE<node1>0:3a:0:0 #0.1" is half a GPU.
 */
static int64_t number_said(struct span process)
{
	const char *mark = memrchr(process.p, '#', process.n);
	int64_t n;

	return mark && num_i64(span_between(mark + 1, process.p + process.n), &n) ? n : -1;
}

/* unitrace counts pids of devices down from 2^32: their processes' names say which they are, else
 * each name is one. */
static void number_devices(struct run *run)
{
	uint32_t *number = xcalloc(run->strings.n, sizeof(*number)), n = 0; /* by name: 1 + index */
	struct gpu *gpu = arena_array(&run->mem, LIMIT_META_GPUS, sizeof(*gpu));
	bool is_said = true;

	for (EACH(struct lane, l, run->lanes.lane, run->lanes.n)) {
		struct span process = strings_get(&run->strings, l->process_name);

		if (!l->is_device || !span_has(process, "DEVICE<") || number[l->process_name])
			continue;
		is_said = is_said && number_said(process) >= 0;
		if (n < LIMIT_META_GPUS)
			gpu[n] = (struct gpu){ number_said(process), l->process_name, -1, -1, -1,
				-1, -1, -1, -1, -1 };
		number[l->process_name] = ++n;
	}
	for (size_t i = 0; i < run->lanes.n && n > 0; i++) {
		struct lane *l = &run->lanes.lane[i];
		uint32_t index = l->is_device ? number[l->process_name] : 0;

		if (index > 0)
			l->device = is_said
				? number_said(strings_get(&run->strings, l->process_name))
				: (int64_t)index - 1;
	}
	run->meta.gpu = gpu;
	run->meta.ngpu = MIN(n, LIMIT_META_GPUS);
	for (size_t i = 0; i < run->meta.ngpu && !is_said; i++)
		gpu[i].id = (int64_t)i;
	free(number);
}

/* "kind_src:pageable kind_dst:device size:4096 dest:0 async:1": the bytes; ARG_UNKNOWN. */
static int64_t bytes_in(struct span details)
{
	static const char key[] = "size:";
	const char *p = memmem(details.p, details.n, key, sizeof(key) - 1);
	int64_t bytes;

	if (!p)
		return ARG_UNKNOWN;
	struct span number = span_between(p + sizeof(key) - 1, details.p + details.n);
	number.n = FIRST(i, number.n, !is_digit(number.p[i]));
	return num_i64(number, &bytes) ? bytes : ARG_UNKNOWN;
}

/* A copy's row among the arguments of device work; NO_ARGS when nothing is known about it. */
static uint32_t copy_args(struct run *run, sym details)
{
	struct args *a = &run->args;

	if (details == 0)
		return NO_ARGS;
	uint32_t args = args_row(a, ARGS_DEVICE);
	args_change(a, ARG_DEVICE_BYTES, args - 1,
		(union arg_value){ .i64 = bytes_in(strings_get(&run->strings, details)) });
	args_change(a, ARG_DEVICE_COPY, args - 1, (union arg_value){ .sym = details });
	return args;
}

/* A call of a runtime or driver, by its name alone: hipLaunchKernel, zeEventHostSynchronize. */
static bool is_call(struct span name)
{
	static const char *const apis[] = { "hip", "hsa_", "cuda", "cu", "ze", "nrt_", "syn" };

	for (size_t i = 0; i < COUNT_OF(apis); i++) {
		struct span rest = span_from(name, strlen(apis[i]));

		if (span_starts(name, apis[i]) && rest.n &&
			(rest.p[-1] == '_' || (rest.p[0] >= 'A' && rest.p[0] <= 'Z')))
			return true;
	}
	return false;
}

/* What an event is by its place and name; its own kind where these say nothing. */
static enum kind kind_by_name(const struct run *run, const bool *holds_work, size_t row)
{
	const struct lane *l = &run->lanes.lane[run->events.lane[row]];
	enum kind k = (enum kind)run->events.kind[row];
	struct span process = strings_get(&run->strings, l->process_name),
		    name = run_name(run, row);

	if (k == KIND_KERNEL && span_has(name, "AppendMemoryCopy"))
		return KIND_MEMCPY;
	if (k == KIND_KERNEL && span_has(name, "AppendMemoryFill"))
		return KIND_MEMSET;
	if (k != KIND_OTHER && k != KIND_OP)
		return k;
	if (!l->is_device)
		return is_call(name) || span_is(process, "CANN")                  ? KIND_RUNTIME
			: span_in(process, "Communication|HCCL|Overlap Analysis") ? KIND_SPAN
										  : k;
	return holds_work[run->events.lane[row]] ? device_kind(process, name) : KIND_GPU_ANNOTATION;
}

static void reclassify(struct run *run)
{
	const sym *details = run->args.col[ARG_OP_COPY].sym;
	struct events *e = &run->events;
	bool *holds_work = find_work_lanes(run);

	for (size_t i = 0; i < e->n; i++) {
		enum kind was = (enum kind)e->kind[i], k = kind_by_name(run, holds_work, i);

		if (k == was)
			continue;
		e->kind[i] = (uint8_t)k;
		/* Its row is in the table of other kinds. */
		if (!kind_is_device(was))
			e->args[i] = k == KIND_MEMCPY && details && e->args[i] != NO_ARGS
				? copy_args(run, details[e->args[i] - 1])
				: NO_ARGS;
		run->kind_count[was]--;
		run->kind_count[k]++;
	}
	free(holds_work);
}

static void drop_zero_times(struct run *run)
{
	struct events *e = &run->events;
	int64_t dropped = 0;

	for (size_t i = 0; i < e->n; i++)
		if (e->start[i] == 0 && kind_is_device((enum kind)e->kind[i])) {
			e->flags[i] |= EVENT_DROP;
			dropped++;
		}
	events_drop(e);
	tally_add(&run->tally, PROBLEM_ZERO_TIME_KERNEL, dropped, -1);
}

/* A device event at exactly 0 in a trace whose other times are far away has no timestamp: CUPTI
 * could not give one.  It is left out; span and totals would mean nothing otherwise. */
static void settle_zero_times(struct run *run, nsec zero_last)
{
	bool others = run->first_ns <= run->last_ns;

	if (others && run->first_ns >= FAR_FROM_ZERO_NS) {
		drop_zero_times(run);
		return;
	}
	run->first_ns = MIN(run->first_ns, 0);
	run->last_ns = MAX(run->last_ns, zero_last);
}

/* No recording has a hole of a day, and none lasts so long in an event, not even where it hangs...
 */
#define STRAY_NS INT64_C(86400000000000)
/* ...but where nearly all of it, all but one of STRAY_FEW at either end, lasts a part of that. */
enum { STRAY_TIMES = 10, STRAY_FEW = 200 };

ORDER(by_time, nsec, compare3(*a, *b))

/* Between what nearly all events of the run begin. */
static void usual_starts(const struct run *run, nsec *first, nsec *last)
{
	const struct events *e = &run->events;
	size_t few = e->n / STRAY_FEW;
	nsec *start = xmalloc(e->n * sizeof(*start));

	for (size_t i = 0; i < e->n; i++)
		start[i] = e->start[i];
	sort_rows(start, e->n, sizeof(*start), by_time);
	*first = start[few];
	*last = start[e->n - 1 - few];
	free(start);
}

/* An event that lies or lasts days in a recording of seconds has a broken time, or one in another
 * unit. It is left out, as everything else would be next to nothing beside it. */
static void drop_strays(struct run *run)
{
	struct events *e = &run->events;
	nsec first, last, from = INT64_MAX, to = INT64_MIN;
	int64_t dropped = 0;

	if (e->n == 0 || run->first_ns > run->last_ns ||
		saturate_sub(run->last_ns, run->first_ns) < STRAY_NS)
		return;
	usual_starts(run, &first, &last);
	nsec span = saturate_sub(last, first);
	nsec far = span > INT64_MAX / STRAY_TIMES ? INT64_MAX : MAX(STRAY_TIMES * span, STRAY_NS);
	for (size_t i = 0; i < e->n; i++) {
		if (e->dur[i] >= far || saturate_sub(first, e->start[i]) >= far ||
			saturate_sub(e->start[i], last) >= far) {
			e->flags[i] |= EVENT_DROP;
			dropped++;
		} else {
			from = MIN(e->start[i], from);
			to = MAX(events_end(e, i), to);
		}
	}
	if (!dropped)
		return;
	events_drop(e);
	run->first_ns = from;
	run->last_ns = to;
	tally_add(&run->tally, PROBLEM_STRAY, dropped, -1);
}

/* By category in the order of first sight, then by phase. */
ORDER(by_cat_phase, struct cat_count, compare3(a->cat, b->cat), a->has_cat - b->has_cat,
	compare3(a->ph, b->ph))

void finish_run(struct run *run, struct gathered *g)
{
	if (run->ncat)
		qsort(run->cat, run->ncat, sizeof(*run->cat), by_cat_phase);
	homes_fold(&g->homes, run);
	name_lanes(run, g);
	bool has_devices = find_devices(run), is_unitrace = has_category(run, "gpu_op");
	if (is_unitrace)
		number_devices(run);
	if (has_devices || is_unitrace)
		reclassify(run);
	if (g->saw_begin_end)
		pairs_join(run);
	arrows_tie(&g->arrows, run);
	if (g->zero_last != INT64_MIN)
		settle_zero_times(run, g->zero_last);
	drop_strays(run);
	if (run->first_ns > run->last_ns) {
		run->first_ns = g->bare_first;
		run->last_ns = g->bare_last;
	}
}
