/* What is wrong with a job, in sentences. */
#include "analyze/job/waits/jobwhy_parts.h"
#include "analyze/trace/makers.h"
#include "base/base.h"
#include "base/unit.h"

enum { RANKS_SHOWN = 6, STEPS_ENOUGH = 3 };
static const double mostly = 0.7;       /* of the collectives: it is not another one each time */
static const double stage_uneven = 1.1; /* of the median stage's compute: worth a word */

#define SMI   "nvidia-smi -q"
#define LINKS "nvidia-smi nvlink -s"
#define CHOSE "NCCL chose (NCCL_DEBUG=INFO)"

/* The sentence, and what to do about it, in the words of who made the devices; NULL: nothing. */
static void finish(struct job_why *y, struct str *b, const struct why_work *w, const char *advice)
{
	y->text = (struct span){ arena_copy(w->mem, b->s ? b->s : "", b->n), b->n };
	const struct digest_conditions *env = &w->j->rank[0].digest->env;
	enum maker maker =
		maker_named(digest_condition(env, "gpu"), digest_condition(env, "producer"));

	if (advice)
		y->advice = span_of(maker_words(maker, w->mem, advice));
	str_free(b);
}

/* "rank 3"; the file's name of one without a number. */
static void put_rank(struct str *b, const struct job *j, uint32_t rank)
{
	const struct job_rank *r = &j->rank[rank];
	const char *slash = strrchr(r->digest->path, '/');

	if (r->rank >= 0)
		str_addf(b, "rank %lld", (long long)r->rank);
	else
		str_adds(b, slash ? slash + 1 : r->digest->path);
}

/* The i-th of a list of n: "2, 3 and 5". */
static void put_number(struct str *b, size_t i, size_t n, int64_t rank)
{
	const char *before = i == 0 ? "" : i + 1 == n ? " and " : ", ";

	str_addf(b, "%s%lld", before, (long long)rank);
}

/* "ranks 2, 3 and 5", "ranks 0, 1, 2, 3, 4, 5 and 10 more" */
static void put_ranks(struct str *b, const struct job *j, const uint32_t *rank, size_t n)
{
	size_t shown = MIN(RANKS_SHOWN, n);

	if (n == 1) {
		put_rank(b, j, rank[0]);
		return;
	}
	str_adds(b, "ranks ");
	for (size_t i = 0; i < shown; i++)
		put_number(b, i, n, j->rank[rank[i]].rank);
	if (n > shown)
		str_addf(b, " and %zu more", n - shown);
}

/* "12.30 ms a step (8.1%)" */
static void put_wait(struct str *b, const struct job_why *y, const struct why_work *w)
{
	unit_put_time(b, (double)y->wait);
	if (w->f->ledgers.has_steps)
		str_adds(b, " a step");
	if (!isnan(y->share)) {
		str_adds(b, " (");
		unit_put_percent(b, y->share);
		str_addc(b, ')');
	}
}

static const char *the_others(const struct why_work *w)
{
	return w->j->nrank == 2 ? "the other" : "the others";
}

/* What of the host its device waits for, the longest two: "launch 8.10 ms, Python 2.00 ms". */
static void put_host(struct str *b, const struct job_ledger *l)
{
	static const enum digest_part parts[] = { PART_IDLE_ALLOCATOR, PART_IDLE_CHECKPOINT,
		PART_IDLE_LOGGING, PART_IDLE_GC, PART_IDLE_COMPILE, PART_IDLE_RUNTIME, PART_IDLE_OP,
		PART_IDLE_PYTHON, PART_IDLE_LAUNCH };
	enum { PARTS = sizeof(parts) / sizeof(*parts) };
	size_t first = 0, second = 1;

	for (size_t i = 0; i < PARTS; i++)
		if (l->part[parts[i]] > l->part[parts[first]])
			first = i;
	second = first == 0;
	for (size_t i = 0; i < PARTS; i++)
		if (i != first && l->part[parts[i]] > l->part[parts[second]])
			second = i;
	str_addf(b, " (%s ", digest_part_word(parts[first]));
	unit_put_time(b, l->part[parts[first]]);
	if (l->part[parts[second]] > 0) {
		str_addf(b, ", %s ", digest_part_word(parts[second]));
		unit_put_time(b, l->part[parts[second]]);
	}
	str_addc(b, ')');
}

static void put_kernels(struct str *b, const struct job_why *y, const struct why_work *w,
	const struct why_kernels *k)
{
	if (y->cause == JOB_CAUSE_SLOWER) {
		str_adds(b, ": the same kernels");
		if (!isnan(k->ratio))
			str_addf(b, ", %.2f times slower", k->ratio);
		if (k->gpu.n > 0)
			str_addf(b, " (its GPU is %.*s, theirs %.*s)", (int)k->gpu.n, k->gpu.p,
				(int)k->peer_gpu.n, k->peer_gpu.p);
	} else if (k->by_shape && !isnan(k->elements)) {
		str_addf(b, ": kernels of %.2f times the elements", k->elements);
	} else if (k->calls > k->peer_calls) {
		str_addf(b, ": %.0f kernels a step, %s %.0f", k->calls, the_others(w),
			k->peer_calls);
	} else {
		str_adds(b, ": other kernels");
	}
}

/* What a late rank does longer than the others, and what to do about it, by cause. */
static const struct cause_text {
	const char *does; /* how long, the others how long */
	const char *behind;
	const char *advice;
} causes[] = {
	[JOB_CAUSE_SLOWER] = { " computes ", "",
		"compare clocks, power, temperature and throttle reasons of its GPU with the "
		"others' (" SMI "), and see what else runs on it" },
	[JOB_CAUSE_WORK] = { " computes ", "",
		"give all ranks as much to do: batches by tokens, not by samples; lengths in "
		"buckets" },
	[JOB_CAUSE_SEQUENCES] = { " computes attention for ", ": longer sequences",
		"give all ranks as much attention to do: batches by the sum of squared "
		"lengths, long sequences split over ranks" },
	[JOB_CAUSE_BATCHES] = { " computes ", ", and so do those of its pipeline: longer sequences",
		"give all ranks as much to do: batches by tokens, not by samples; lengths in "
		"buckets" },
	[JOB_CAUSE_INPUT] = { " is in the data loader for ", "",
		"look at the data loader of that rank: its workers, its shard's files, disk "
		"and CPU load of its machine" },
	[JOB_CAUSE_HOST] = { " waits for its host for ", "",
		"look at that rank's host: cores it is bound to, other processes, garbage "
		"collection, logging on one rank alone" },
	[JOB_CAUSE_SYNC] = { " idles after calls that wait for the GPU for ", "",
		"'traceq idle' of its trace says which calls wait: .item(), .cpu() or prints "
		"on one rank alone" },
	[JOB_CAUSE_COPIES] = { " has copies that nothing hides, ", "",
		"'traceq copies' of its trace says which they are: pinned memory and "
		"non_blocking copies run beside computing" },
	[JOB_CAUSE_LINK] = { " transfers for ", "",
		"check its links (" LINKS ", ibstat, counters of errors), and which "
		"network card its GPU uses" },
	[JOB_CAUSE_OTHER] = { " idles for ", ": nothing recorded says why",
		"'traceq idle' of its trace shows the gaps; record the CPU, too, where it is "
		"not" },
};

static const struct cause_text *cause_text(enum job_cause c)
{
	static const struct cause_text none = { NULL, NULL,
		"compare its trace with that of another rank: 'traceq diff'" };

	return (size_t)c < COUNT_OF(causes) && causes[c].does ? &causes[c] : &none;
}

/* "it computes 95.00 ms, the others 60.20 ms: the same kernels, 1.58 times slower" */
static void put_cause(struct str *b, const struct job_why *y, const struct why_work *w,
	const struct why_kernels *k)
{
	const struct cause_text *text = cause_text(y->cause);
	bool is_host = y->cause == JOB_CAUSE_HOST && why_has_devices(w);

	if (!text->does) {
		str_adds(b, " has nothing in its trace that stands out");
		return;
	}
	str_adds(b, y->cause == JOB_CAUSE_HOST && !is_host ? " computes " : text->does);
	unit_put_time(b, (double)y->own);
	if (is_host && y->rank != WHY_NOBODY)
		put_host(b, &w->f->ledgers.v[y->rank]);
	str_addf(b, ", %s ", the_others(w));
	unit_put_time(b, (double)y->others);
	str_adds(b, text->behind);
	if (k && (y->cause == JOB_CAUSE_SLOWER || y->cause == JOB_CAUSE_WORK))
		put_kernels(b, y, w, k);
}

/* "the other 7", "rank 0" where there is one other */
static void put_others(struct str *b, const struct why_work *w, const struct why_slow *s)
{
	size_t n = w->j->nrank - s->n;
	uint32_t i = 0;

	if (n != 1) {
		str_addf(b, "the other %zu", n);
		return;
	}
	while (s->is_slow[i])
		i++;
	put_rank(b, w->j, i);
}

void why_say_slow(struct job_why *y, const struct why_work *w, const struct why_slow *s,
	const struct why_kernels *k)
{
	struct str b = { 0 };

	put_ranks(&b, w->j, s->rank, s->n);
	str_adds(&b, s->n > 1 ? " make " : " makes ");
	put_others(&b, w, s);
	str_adds(&b, " wait ");
	put_wait(&b, y, w);
	why_put_pattern(&b, w, s->by_step);
	str_adds(&b, ": ");
	if (s->n > 1)
		put_rank(&b, w->j, s->rank[0]);
	else
		str_adds(&b, "it");
	put_cause(&b, y, w, k);
	if (s->is_vague)
		str_addf(&b, "; as much more of %s step is idle, copies or communication",
			w->j->nrank == 2 ? "the other's" : "the others'");
	else if (s->is_idle)
		str_addf(&b, "; %s idle%s as long, in no collective", the_others(w),
			w->j->nrank == 2 ? "s" : "");
	finish(y, &b, w, cause_text(y->cause)->advice);
}

/* "rank 1 (no trace)", "one of ranks 1 and 3 (no trace)", "a rank without a trace" */
static void put_absent(struct str *b, const struct why_absent *a)
{
	if (a->n == 0 || a->n > RANKS_SHOWN) {
		str_adds(b,
			a->n == 0 ? "a rank without a trace" : "one of the ranks without a trace");
		return;
	}
	str_adds(b, a->n > 1 ? "one of ranks " : "rank ");
	for (size_t i = 0; i < a->n; i++)
		put_number(b, i, a->n, a->rank[i]);
	str_adds(b, " (no trace)");
}

void why_say_absent(
	struct job_why *y, const struct why_work *w, const struct why_absent *a, bool is_sure)
{
	struct str b = { 0 };

	put_absent(&b, a);
	str_addf(&b, " %s the %zu ranks with traces wait ", is_sure ? "makes" : "may make",
		w->j->nrank);
	put_wait(&b, y, w);
	str_adds(&b,
		is_sure ? ": what it does is not recorded, nor whether links of its groups are slow"
			: ": transfers of groups that lack it are as long, and no other group tells "
			  "how long they need");
	finish(y, &b, w, "get the trace of that rank: without it nothing tells by what it is late");
}

void why_say_experts(struct job_why *y, const struct why_work *w, const struct why_slow *s)
{
	const struct job_experts *x = &w->f->experts;
	struct str b = { 0 };

	if (s) {
		put_ranks(&b, w->j, s->rank, s->n);
		str_addf(&b, " get%s %.2f times the mean rank's tokens: ", s->n > 1 ? "" : "s",
			x->ratio[s->rank[0]]);
		put_others(&b, w, s);
		str_addf(&b, plural(w->j->nrank - s->n, " waits ", " wait "));
		put_wait(&b, y, w);
		str_addf(&b, " for %s; ", s->n > 1 ? "them" : "it");
		if (s->n > 1)
			put_rank(&b, w->j, s->rank[0]);
		else
			str_adds(&b, "it");
		put_cause(&b, y, w, NULL);
	} else {
		str_addf(&b,
			"the rank with most tokens gets %.2f times the mean, another one each time: "
			"ranks wait ",
			x->imbalance);
		put_wait(&b, y, w);
		str_adds(&b, " for each other");
	}
	finish(y, &b, w,
		"balance the experts: an auxiliary loss or a bias in the router, a limit on "
		"the tokens that an expert takes, copies of the busiest experts");
}

/* "all_reduce of 64.00 MiB" */
static void put_flow(struct str *b, const struct job_flow *f)
{
	str_adds(b, commclass_word(f->key.op));
	if (f->key.bytes >= 0) {
		str_adds(b, " of ");
		unit_put_bytes(b, (double)f->key.bytes);
	}
}

/* "in group tp_1 (ranks 2 and 3)", "from rank 2 to rank 3" */
static void put_where(struct str *b, const struct why_work *w, const struct job_flow *f)
{
	const struct job_group *g = &w->j->group[f->key.group];

	if (f->key.a != UINT32_MAX) {
		str_adds(b, " from ");
		put_rank(b, w->j, f->key.a);
		str_adds(b, " to ");
		put_rank(b, w->j, f->key.b);
		return;
	}
	str_adds(b, " in group ");
	if (g->name.n > 0)
		str_addf(b, "%.*s (", (int)g->name.n, g->name.p);
	put_ranks(b, w->j, g->member, g->nmember);
	if (g->name.n > 0)
		str_addc(b, ')');
}

void why_say_link(struct job_why *y, const struct why_work *w, const struct why_link *l)
{
	const struct job_flow *f = l->flow;
	struct str b = { 0 };

	if (l->rank != WHY_NOBODY) {
		str_adds(&b, "all that ");
		put_rank(&b, w->j, l->rank);
		str_adds(&b, " moves is slow: ");
	}
	put_flow(&b, f);
	str_adds(&b, " takes ");
	unit_put_time(&b, f->median);
	put_where(&b, w, f);
	str_adds(&b, ", ");
	unit_put_time(&b, f->peers);
	str_addf(&b, " in %zu other%s of its size: %.2f times; ", f->npeer, plural_s(f->npeer),
		f->median / f->peers);
	if (isnan(y->last_ratio)) {
		put_wait(&b, y, w);
		str_adds(&b, " more");
	} else {
		str_adds(&b, "the others wait ");
		put_wait(&b, y, w);
		str_adds(&b, " for it");
	}
	finish(y, &b, w,
		"check the links of that group (" LINKS ", ibstat, counters of "
		"errors), and which network cards and paths " CHOSE);
}

/* A stage's means over its ranks. */
struct stage {
	double bubble, compute;
};

static struct stage stage_of(const struct why_work *w, uint32_t stage)
{
	const struct job_stages *s = &w->f->stages;
	struct stage sum = { 0, 0 };
	size_t n = 0;

	for (size_t i = 0; i < w->j->nrank; i++) {
		if (s->of[i] != stage)
			continue;
		sum.bubble += s->bubble[i];
		sum.compute += w->f->ledgers.v[i].part[PART_COMPUTE];
		n++;
	}
	return n ? (struct stage){ sum.bubble / (double)n, sum.compute / (double)n } : sum;
}

/* "; stage 2 computes 40.00 ms, the mean stage 31.00 ms" where one is far longer. */
static void put_longest_stage(struct str *b, const struct why_work *w)
{
	double longest = 0, sum = 0;
	uint32_t which = 0;

	for (uint32_t i = 0; i < w->f->stages.n; i++) {
		double compute = stage_of(w, i).compute;

		sum += compute;
		if (compute > longest) {
			longest = compute;
			which = i;
		}
	}
	double mean = sum / w->f->stages.n;
	if (longest < stage_uneven * mean)
		return;
	str_addf(b, "; stage %u computes ", (unsigned)which);
	unit_put_time(b, longest);
	str_adds(b, ", the mean stage ");
	unit_put_time(b, mean);
}

void why_say_bubble(struct job_why *y, const struct why_work *w)
{
	const struct job_stages *s = &w->f->stages;
	double most = -1, least = job_stages_least(s->n, s->micro);
	struct str b = { 0 };
	uint32_t which = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if (stage_of(w, i).bubble <= most)
			continue;
		most = stage_of(w, i).bubble;
		which = i;
	}
	str_addf(&b, "the %u stages of the pipeline wait ", (unsigned)s->n);
	put_wait(&b, y, w);
	str_addf(&b, " for each other, stage %u most (", (unsigned)which);
	unit_put_percent(&b, most / w->f->ledgers.step);
	str_addc(&b, ')');
	if (!isnan(least)) {
		str_addf(&b, "; with %.0f micro-batches they must for ", s->micro);
		unit_put_percent(&b, least);
	}
	put_longest_stage(&b, w);
	finish(y, &b, w,
		"more micro-batches per step make bubbles smaller, and so do interleaved or "
		"zero-bubble schedules; layers can move from long stages to short ones");
}

/* The rank that comes last most often. */
static uint32_t often_last(const struct job *j)
{
	uint32_t top = 0;

	for (uint32_t i = 1; i < j->nrank; i++)
		if (j->rank[i].nlast > j->rank[top].nlast)
			top = i;
	return top;
}

/* Whom they wait for: one mostly, whose lead is not known well enough, or another one each time. */
static void put_last(struct str *b, const struct why_work *w)
{
	const struct job *j = w->j;
	uint32_t top = often_last(j);
	const struct job_rank *r = &j->rank[top];
	bool is_one = (double)r->nlast > mostly * (double)r->nmeet;

	if (r->nmeet == 0 || r->nlast == 0) {
		str_adds(b, ", for another one each time");
		return;
	}
	str_adds(b, is_one ? ", mostly for " : ", for another one each time: ");
	put_rank(b, j, top);
	str_adds(b, is_one ? ", which comes last in " : " comes last most often, in ");
	unit_put_percent(b, (double)r->nlast / (double)r->nmeet);
	str_adds(b, " of its collectives");
	if (is_one && j->nstep < STEPS_ENOUGH)
		str_addf(b, ": %zu step%s cannot tell whether it always does", j->nstep,
			plural_s(j->nstep));
	else if (is_one)
		str_adds(b, ", but by little in some steps");
}

void why_say_moving(struct job_why *y, const struct why_work *w)
{
	struct str b = { 0 };

	str_adds(&b, "ranks wait ");
	put_wait(&b, y, w);
	str_adds(&b, " for each other");
	put_last(&b, w);
	if (y->cause != JOB_CAUSE_NONE) {
		str_adds(&b, "; who is late");
		put_cause(&b, y, w, NULL);
	}
	finish(y, &b, w,
		y->cause == JOB_CAUSE_SLOWER ? cause_text(JOB_CAUSE_WORK)->advice
			: y->cause == JOB_CAUSE_SEQUENCES || y->cause == JOB_CAUSE_BATCHES
			? cause_text(y->cause)->advice
			: "see what differs from step to step: lengths of batches, checkpoints, "
			  "garbage collection, other jobs on the machines");
}

void why_say_balanced(struct job_why *y, const struct why_work *w)
{
	const struct job *j = w->j;
	struct str b = { 0 };
	double sum = SUM(double, i, j->nrank, w->f->ledgers.v[i].suffered / (double)j->nrank);

	y->wait = saturate_round(sum);
	y->share = sum / w->f->ledgers.step;
	str_adds(&b, "no rank makes the others wait: the mean one waits ");
	put_wait(&b, y, w);
	finish(y, &b, w, NULL);
}

void why_say_unjudged(struct job_why *y, const struct why_work *w)
{
	const struct job *j = w->j;
	const char *advice = NULL;
	struct str b = { 0 };

	if (j->nrank < 2) {
		str_adds(&b, "one rank alone: whom it waits for is in the traces of the others");
	} else if (j->ncollective == 0) {
		str_adds(&b, "the traces have no collectives on their GPUs");
	} else if (j->nstep == 0) {
		str_adds(&b, "the ranks have no step in common");
	} else {
		str_addf(&b, "%zu of %zu collectives could be matched between the ranks",
			j->nmatched, j->ncollective);
		advice = "record the same steps on all ranks, with the arguments of "
			 "collectives (PyTorch 2.2 and later)";
	}
	finish(y, &b, w, advice);
}
