/*
 * Rules about data that is moved: between host and device (G03), between types (G04), between ranks
 * (G13).
 */
#include <math.h>

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

#define NO_DEVICE "the trace has no device events"

/* ---- G03 ---- */

static const struct setting copy_settings[] = {
	RULE_SETTING("G03.warn", RATIO, "10%",
		"WARN when copies with nothing computing take more than this share of a step"),
	RULE_SETTING("G03.crit", RATIO, "30%", "CRIT above this share"),
};

static const struct change no_copies[] = { { .kind = CHANGE_COPY, .ns = -1 } };

/* "HtoD 3.00/step 231.0 MiB pageable" for each direction, the longest first is not needed. */
static const char *copy_list(const struct profile *x)
{
	const char *text = NULL;
	int d;

	for (d = 0; d < COPY_DIRECTION_COUNT; d++) {
		const struct profile_copies *c = &x->device.copies[d];

		if (c->all.count == 0)
			continue;
		text = rules_text(x, "%s%s%s %s", text ? text : "", text ? "; " : "",
			rules_count(x, c->all.count),
			copyclass_direction_word((enum copy_direction)d));
		if (c->bytes != ARG_UNKNOWN)
			text = rules_text(x, "%s %s", text,
				rules_bytes(x, rules_per_step(x, (double)c->bytes)));
		if (c->pageable > 0)
			text = rules_text(x, "%s, pageable %s", text,
				rules_percent(x, (double)c->pageable / (double)c->all.ns));
	}
	return text;
}

static void check_copies(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct profile_copies *c = x->device.copies;
	nsec host, pageable;

	if (!x->has_device) {
		rules_unknown(f, NO_DEVICE);
		return;
	}
	host = saturate_add(c[COPY_HTOD].all.ns, c[COPY_DTOH].all.ns);
	saturate_onto(&host, c[COPY_UNKNOWN].all.ns);
	pageable = saturate_add(c[COPY_HTOD].pageable, c[COPY_DTOH].pageable);
	f->unit = UNIT_NS;
	f->value = rules_per_step(x, (double)x->account.ledger.exposed_memcpy);
	f->share = rules_share(x, x->account.ledger.exposed_memcpy);
	f->severity = rules_above(in, f->share, "G03.warn", "G03.crit");
	/* Copies between devices are the program's design more than a mistake. */
	if (f->severity > SEVERITY_NOTE && host < x->device.sum[CLASS_MEMCPY] / 2)
		f->severity = SEVERITY_NOTE;
	f->count = x->device.count[CLASS_MEMCPY];
	f->name = x->device.top_copy.name;
	f->row = f->name ? x->device.top_copy.sum.row : NO_ROW;
	f->text = rules_text(x, "%s (%s) copying while nothing computes",
		rules_step_time(x, x->account.ledger.exposed_memcpy), rules_percent(x, f->share));
	f->evidence = copy_list(x);
	f->action = pageable > host / 2
		? "pin_memory=True and .to(device, non_blocking=True)"
		: "copy on a stream of its own while the device computes; copy less";
}

const struct rule rule_G03 = {
	.word = { "G03", "memcpy",
		"Exposed copies: time in which a copy runs and no kernel, collective or set does. "
		"Copies from and to pageable memory are staged by the driver, slower, and hold the "
		"host up. When most of the copying is within or between devices this is a note.\n\n"
		"The documents look at the share of copies in CUDA time (above 30%), which counts "
		"copies that are hidden, too: rule Q02 has that number.",
		"Profiler Deep Dive, copy dominance; TraceLens, exposed memcpy" },
	.verdict = "copy-bound",
	.has_saving = true,
	.what_if = { .change = no_copies, .n = COUNT_OF(no_copies) },
	.setting = copy_settings,
	.nsetting = COUNT_OF(copy_settings),
	.check = check_copies,
};

/* ---- G04 ---- */

static const struct setting cast_settings[] = {
	RULE_SETTING("G04.warn", RATIO, "2%",
		"WARN when kernels that convert types take more than this share of a step"),
	RULE_SETTING("G04.count", COUNT, "200", "a note when there are more of them in a step"),
};

static void check_casts(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct profile_sum *c = &x->device.casts;

	if (!x->has_device) {
		rules_unknown(f, NO_DEVICE);
		return;
	}
	f->unit = UNIT_NS;
	f->value = rules_per_step(x, (double)c->ns);
	f->share = rules_share(x, c->ns);
	f->severity = rules_above(in, f->share, "G04.warn", NULL);
	if (f->severity == SEVERITY_OK && x->has_steps &&
		rules_per_step(x, (double)c->count) > rules_limit(in, "G04.count")->r)
		f->severity = SEVERITY_NOTE;
	f->count = c->count;
	f->text = rules_text(x, "%s (%s) converting types, %s", rules_step_time(x, c->ns),
		rules_percent(x, f->share), rules_count(x, c->count));
	if (c->count > 0) {
		f->row = c->row;
		f->name = x->run->events.name[c->row];
		f->evidence = rules_text(x, "longest: %s, %s%s", rules_name(x, f->name),
			rules_time(x, (double)x->run->events.dur[c->row]), rules_input(x, c->row));
	}
	f->action = "keep tensors in one dtype: cast once, outside of the step; check autocast";
}

const struct rule rule_G04 = {
	.word = { "G04", "casts",
		"Kernels that change the type of a tensor (aten::to, aten::_to_copy): known by the "
		"kernel's name, else by the op that launched it. Some are the price of mixed "
		"precision; many mean that types do not match. Copies between host and device "
		"are G03's.",
		"Profiler Deep Dive: high aten::to, aten::_to_copy are dtype mismatches" },
	.verdict = "cast-bound",
	.has_saving = true,
	.setting = cast_settings,
	.nsetting = COUNT_OF(cast_settings),
	.check = check_casts,
};

/* ---- G13 ---- */

static const struct setting comm_settings[] = {
	RULE_SETTING("G13.warn", RATIO, "10%",
		"WARN when collectives with nothing computing take more than this share of a step"),
	RULE_SETTING("G13.crit", RATIO, "30%", "CRIT above this share"),
};

/* They take their time, and nothing waits for them. */
static const struct change hidden_comm[] = {
	{ .kind = CHANGE_COMM, .factor = 1, .ns = -1, .is_hidden = true },
};

/* The kind of collectives that takes most time. */
static enum comm_op main_comm(const struct profile_comm *c)
{
	int k, best = COMM_UNKNOWN;

	for (k = 0; k < COMM_OP_COUNT; k++)
		if (c->ns[k] > c->ns[best])
			best = k;
	return (enum comm_op)best;
}

/* Messages below this are bound by latency more than by the links. */
enum { SHORT_MESSAGE = 256 * 1024 };

/* What helps depends on the collective, and on how long its messages are. */
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
	const char *advice = of[main_comm(c)];

	if (c->sized > 0 && c->bytes / c->sized < SHORT_MESSAGE)
		return "messages are short, so latency counts: fewer and larger ones (buckets, "
		       "coalescing)";
	return advice ? advice
		      : "start it earlier, beside work that does not need it; 'traceq comms' has "
			"sizes and bandwidths";
}

/* "; messages of 24.0 MiB, 43.1 GB/s on the bus", where the trace has sizes. */
static const char *comm_sizes(const struct profile *x)
{
	const struct profile_comm *c = &x->device.comm;

	if (c->sized == 0 || c->sized_ns <= 0)
		return "";
	return rules_text(x, "; messages of %s, %.1f GB/s bus bandwidth",
		rules_bytes(x, (double)c->bytes / (double)c->sized),
		c->bus_bytes / (double)c->sized_ns);
}

static void check_comm(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct ledger *l = &x->account.ledger;

	if (!x->has_device) {
		rules_unknown(f, NO_DEVICE);
		return;
	}
	f->unit = UNIT_NS;
	f->value = rules_per_step(x, (double)l->exposed_comm);
	f->share = rules_share(x, l->exposed_comm);
	f->severity = rules_above(in, f->share, "G13.warn", "G13.crit");
	f->count = x->device.count[CLASS_COMM];
	f->text = rules_text(x, "%s (%s) communicating while nothing computes",
		rules_step_time(x, l->exposed_comm), rules_percent(x, f->share));
	if (x->device.top_comm.name) {
		f->name = x->device.top_comm.name;
		f->row = x->device.top_comm.sum.row;
		f->evidence = rules_text(x, "%s x %s, %s of all hidden by computing%s",
			rules_count(x, x->device.top_comm.sum.count), rules_name(x, f->name),
			rules_percent(
				x, l->comm > 0 ? (double)l->comm_compute / (double)l->comm : 0),
			comm_sizes(x));
	}
	f->action = comm_advice(x);
}

const struct rule rule_G13 = {
	.word = { "G13", "communication",
		"Exposed communication: time in which a collective runs and nothing computes. Part of "
		"it may be waiting for a slower rank: traces of the others tell.",
		"TraceLens, exposed communication; HTA, overlap of communication and computation" },
	.verdict = "comm-bound",
	.has_saving = true,
	.what_if = { .change = hidden_comm, .n = COUNT_OF(hidden_comm) },
	.setting = comm_settings,
	.nsetting = COUNT_OF(comm_settings),
	.check = check_comm,
};
