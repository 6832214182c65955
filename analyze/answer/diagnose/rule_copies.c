/* Rules about data that is moved: between host and device (G03), between types (G04), between ranks
 * (G13). */

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"

#define NO_DEVICE "the trace has no GPU events"

/* ---- G03 ---- */

/* "HtoD 3.00/step 231.0 MiB pageable" for each direction, the longest first is not needed. */
static const char *copy_list(const struct profile *x)
{
	const char *text = NULL;

	for (int d = 0; d < COPY_DIRECTION_COUNT; d++) {
		const struct profile_copies *c = &x->device.copies[d];

		if (c->all.count == 0)
			continue;
		text = arena_printf(x->mem, "%s%s%s %s", text ? text : "", text ? "; " : "",
			rules_count(x, c->all.count),
			copyclass_direction_word((enum copy_direction)d));
		if (c->bytes != ARG_UNKNOWN)
			text = arena_printf(x->mem, "%s %s", text,
				unit_bytes(x->mem, rules_per_step(x, (double)c->bytes)));
		if (c->pageable > 0)
			text = arena_printf(x->mem, "%s, pageable %s", text,
				unit_percent(x->mem, (double)c->pageable / (double)c->all.ns));
	}
	return text;
}

static void check_copies(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_copies *c = x->device.copies;

	if (finding_unknown(f, !x->has_device, NO_DEVICE))
		return;
	nsec host = saturate_add(c[COPY_HTOD].all.ns, c[COPY_DTOH].all.ns);
	saturate_onto(&host, c[COPY_UNKNOWN].all.ns);
	nsec pageable = saturate_add(c[COPY_HTOD].pageable, c[COPY_DTOH].pageable);
	rules_put_time(k, f, x->account.ledger.exposed_memcpy, "G03.warn", "G03.crit");
	/* Copies between devices are the program's design more than a mistake. */
	if (f->severity > SEVERITY_NOTE && host < x->device.sum[CLASS_MEMCPY] / 2)
		f->severity = SEVERITY_NOTE;
	f->count = x->device.count[CLASS_MEMCPY];
	f->name = x->device.top_copy.name;
	f->row = f->name ? x->device.top_copy.sum.row : NO_ROW;
	f->text = arena_printf(x->mem, "%s (%s) of exposed copies",
		rules_step_time(x, x->account.ledger.exposed_memcpy),
		unit_percent(x->mem, f->share));
	f->evidence = copy_list(x);
	if (pageable > host / 2 && f->severity >= SEVERITY_NOTE)
		f->action = k->is_plain
			? "pinned memory of the host (cudaMallocHost) and asynchronous copies"
			: "pin_memory=True and .to(device, non_blocking=True)";
}

RULE(G03, "memcpy",
	"Exposed copies: time in which a copy runs and no kernel, collective or set "
	"does. Copies from and to pageable memory are staged by the driver, slower, and "
	"hold the host up. When most of the copying is within or between GPUs this is a "
	"note.\n\n"
	"The guides look at the share of copies in CUDA time (above 30%), which "
	"counts copies that are hidden, too: rule Q02 has that number.",
	"Profiler Deep Dive, copy dominance; TraceLens, exposed copies",
	.advice = "copy on a stream of its own while the GPU computes; copy less",
	.verdict = "copy-bound", .has_saving = true, .judged = 1 + JUDGE_COPIES,
	.limits = LIMITS(
		LIMIT("diagnose.G03.warn", RATIO, "10%",
			"WARN when copies with nothing computing take more than this share of a step"),
		LIMIT("diagnose.G03.crit", RATIO, "30%", "CRIT above this share")),
	.run = check_copies)

/* ---- G04 ---- */

static void check_casts(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_sum *c = &x->device.casts;

	if (finding_unknown(f, !x->has_device, NO_DEVICE))
		return;
	rules_put_time(k, f, c->in_steps, "G04.warn", NULL);
	if (f->severity == SEVERITY_OK && x->has_steps &&
		rules_per_step(x, (double)c->count) > look_limit(k, "G04.count"))
		f->severity = SEVERITY_NOTE;
	f->count = c->count;
	f->text = arena_printf(x->mem, "%s (%s) converting types, %s",
		rules_step_time(x, c->in_steps), unit_percent(x->mem, f->share),
		rules_count(x, c->count));
	rules_put_longest(x, f, c);
}

RULE(G04, "casts",
	"Kernels that change the type of a tensor (aten::to, aten::_to_copy): known by the "
	"kernel's name, else by the op that launched it. Some are the price of mixed precision; "
	"many mean that types do not match. Copies between host and device are G03's.",
	"Profiler Deep Dive: high aten::to, aten::_to_copy are dtype mismatches",
	.advice =
		"keep tensors in one dtype: cast once, outside of the step; check autocast; 'traceq "
		"kernels --by line' says where they are",
	.plain_advice = "keep data in one type: convert once, outside of the step",
	.verdict = "cast-bound", .has_saving = true, .judged = 1 + JUDGE_CASTS,
	.limits = LIMITS(
		LIMIT("diagnose.G04.warn", RATIO, "2%",
			"WARN when kernels that convert types take more than this share of a step"),
		LIMIT("diagnose.G04.count", COUNT, "200",
			"a note when there are more of them in a step")),
	.run = check_casts)

/* ---- G13 ---- */

/* The kind of collectives that takes most time. */
static enum comm_op main_comm(const struct profile_comm *c)
{
	int best = COMM_UNKNOWN;

	for (int k = 0; k < COMM_OP_COUNT; k++)
		if (c->ns[k] > c->ns[best])
			best = k;
	return (enum comm_op)best;
}

/* Messages below this are bound by latency more than by the links. */
enum { SHORT_MESSAGE = 256 * 1024 };

/* Of the links' peak; where switches add up, as NVLink's do, collectives seem a little faster. */
static const double AT_PEAK = 0.8, ABOVE_PEAK = 1.1;

/* Whether the links can do no more, where sizes and peaks are known. */
static bool is_at_peak(const struct profile *x)
{
	const struct profile_comm *c = &x->device.comm;
	double of_peak = c->bus_bytes * 1e9 / ((double)c->sized_ns * x->link_Bps);

	return c->sized_ns > 0 && of_peak >= AT_PEAK && of_peak <= ABOVE_PEAK;
}

/* What helps depends on the collective, and on how long its messages are; NULL: nothing special. */
static const char *comm_advice(const struct profile *x)
{
	static const char *const of[COMM_OP_COUNT] = {
		[COMM_ALL_REDUCE] = "larger buckets (bucket_cap_mb), earlier start, no_sync() "
				    "between accumulation steps",
		[COMM_ALL_GATHER] = "prefetch the next layer's shard (forward_prefetch, "
				    "backward_prefetch); shard within a node only (HSDP)",
		[COMM_REDUCE_SCATTER] = "start it earlier (backward_prefetch); shard within a "
					"node only (HSDP)",
		[COMM_ALL_TO_ALL] = "balance what each rank gets; overlap the exchange with work "
				    "that does not need it; exchange within a node first",
		[COMM_SEND_RECV] = "all_to_all: balance what ranks send; pipelines: balance the "
				   "stages, more micro-batches; overlap either with other work",
		[COMM_DISPATCH] = "balance the experts; overlap dispatch and combine with the "
				  "shared experts or a second micro-batch",
		[COMM_COMBINE] = "balance the experts; overlap dispatch and combine with the "
				 "shared experts or a second micro-batch",
	};
	const struct profile_comm *c = &x->device.comm;
	enum comm_op op = main_comm(c);

	if (is_at_peak(x))
		return op == COMM_ALL_REDUCE || op == COMM_ALL_GATHER || op == COMM_REDUCE_SCATTER
			? "fewer bytes: no_sync() between accumulation steps, gradients in 16 "
			  "bits, shards within a node only (HSDP); overlap with other work"
			: "fewer bytes: formats of fewer bits; overlap with other work";
	if (c->sized > 0 && c->bytes / c->sized < SHORT_MESSAGE)
		return "messages are short, so latency counts: fewer and larger ones (buckets, "
		       "coalescing)";
	return of[op];
}

/* "; messages of 24.0 MiB, 43.1 GB/s on the bus", where the trace has sizes. */
static const char *comm_sizes(const struct profile *x)
{
	const struct profile_comm *c = &x->device.comm;

	if (c->sized == 0 || c->sized_ns <= 0)
		return "";
	return arena_printf(x->mem, "; messages of %s, %.1f GB/s bus bandwidth%s",
		unit_bytes(x->mem, (double)c->bytes / (double)c->sized),
		c->bus_bytes / (double)c->sized_ns,
		!is_at_peak(x) ? ""
			       : arena_printf(x->mem, " of %.0f GB/s that the links can do",
					 x->link_Bps / 1e9));
}

static void check_comm(struct look *k, struct finding *f, const struct profile *x)
{
	const struct ledger *l = &x->account.ledger;

	if (finding_unknown(f, !x->has_device, NO_DEVICE))
		return;
	rules_put_time(k, f, l->exposed_comm, "G13.warn", "G13.crit");
	f->count = x->device.count[CLASS_COMM];
	f->text = arena_printf(x->mem, "%s (%s) of exposed communication%s",
		rules_step_time(x, l->exposed_comm), unit_percent(x->mem, f->share),
		is_at_peak(x) ? " at the peak of the links" : "");
	if (x->device.top_comm.name) {
		f->name = x->device.top_comm.name;
		f->row = x->device.top_comm.sum.row;
		f->evidence = arena_printf(x->mem, "%s x %s, %s of all hidden by computing%s",
			rules_count(x, x->device.top_comm.sum.count), rules_name(x, f->name),
			unit_percent(x->mem,
				l->comm > 0 ? (double)l->comm_compute / (double)l->comm : 0),
			comm_sizes(x));
	}
	if (f->severity >= SEVERITY_NOTE)
		f->action = comm_advice(x);
}

RULE(G13, "communication",
	"Exposed communication: time in which a collective runs and nothing computes. Part of "
	"it may be waiting for a slower rank: traces of the others tell. At the peak of the links "
	"is a bus bandwidth of 80% or more of what the device's links can do ('traceq "
	"roofline').",
	"TraceLens, exposed communication; HTA, overlap of communication and computation",
	.advice =
		"start it earlier, beside work that does not need it; 'traceq comms' has sizes and "
		"bandwidths",
	.verdict = "comm-bound", .has_saving = true,
	/* They take their time, and nothing waits for them. */
	.judged = 1 + JUDGE_COMM,
	.limits = LIMITS(
		LIMIT("diagnose.G13.warn", RATIO, "10%",
			"WARN when collectives with nothing computing take more than this share of a step"),
		LIMIT("diagnose.G13.crit", RATIO, "30%", "CRIT above this share")),
	.run = check_comm)
