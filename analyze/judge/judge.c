/*
 * The judge: the changes, what they save, and the word.
 */
#include "analyze/judge/judge.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/measure/device/family.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"
#include "base/minmax.h"
#include "base/parallel.h"
#include "base/saturate.h"
#include "base/xalloc.h"

/* A remedy that saves so much of a step names the run before all that nobody can do. */
static const double REMEDY_MIN = 0.15;
/* Savings that differ by less than this share of the larger are alike. */
static const double ALIKE = 0.1;
/* A second word saves at least this share of the first. */
static const double SECOND_MIN = 0.5;
/* A run is healthy that is busy for this share, and where only kernels save so much. */
static const double HEALTHY_BUSY = 0.90, HEALTHY_SAVING = 0.05;
/* Nothing is judged by what saves less, nor where so much is not known. */
static const double SAVING_MIN = 0.05, UNKNOWN_MAX = 0.2;

/* What it costs the CPU to launch a kernel by an operator, about. */
enum { SHORT_KERNEL_NS = 20000 };

static const struct change changes[JUDGE_COUNT] = {
	[JUDGE_DATA] = { .kind = CHANGE_DATA, .ns = -1 },
	[JUDGE_COPIES] = { .kind = CHANGE_COPY, .ns = -1 },
	[JUDGE_COMM] = { .kind = CHANGE_COMM, .factor = 1, .ns = -1, .is_hidden = true },
	[JUDGE_STARTUP] = { .kind = CHANGE_STARTUP, .ns = -1 },
	[JUDGE_GRAPH] = { .kind = CHANGE_LAUNCH, .factor = 1, .ns = -1, .is_one = true },
	[JUDGE_FUSED] = { .kind = CHANGE_KERNEL, .ns = -1 },
	[JUDGE_SYNC] = { .kind = CHANGE_SYNC, .ns = -1 },
	[JUDGE_FREE_COMM] = { .kind = CHANGE_COMM, .ns = -1 },
	[JUDGE_HOST] = { .kind = CHANGE_HOST, .factor = 0.5, .ns = -1 },
	[JUDGE_KERNELS] = { .kind = CHANGE_KERNEL, .factor = 0.5, .ns = -1 },
};

static const struct judge_doc docs[JUDGE_COUNT] = {
#define X(name, kind, part, scenario, says, effort, advice) \
	{ JUDGE_##kind, PART_OF_##part, scenario, says, effort, advice },
	JUDGE_CHANGES(X)
#undef X
};

const struct judge_doc *judge_doc(enum judge_change c)
{
	return &docs[c];
}

/* Alone: what is in a graph is launched at once, by no operator. */
static bool is_launched(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];
	uint32_t launch = side == NO_ARGS ? NO_ROW : r->links->launch[side - 1];

	return launch != NO_ROW && !span_has(run_name(r, launch), "Graph");
}

/* ---- elementwise kernels right behind each other ---- */

struct fusing {
	const struct run *run;
	struct depend *depend;
	uint8_t *family; /* by sym: 1 + enum family; 0 not asked */
	uint64_t *rows;  /* bits: those that go */
	bool is_any;
};

static bool is_elementwise(struct fusing *f, uint32_t row)
{
	uint8_t *family = &f->family[f->run->events.name[row]];

	if (f->run->events.kind[row] != KIND_KERNEL ||
		classes_of(&f->depend->classes, row) != CLASS_COMPUTE || !is_launched(f->run, row))
		return false;
	if (*family == 0)
		*family = (uint8_t)(1 + family_of(run_name(f->run, row)));
	return *family == 1 + FAMILY_ELEMENTWISE;
}

static void drop(struct fusing *f, uint32_t row)
{
	f->rows[row / 64] |= (uint64_t)1 << row % 64;
	f->is_any = true;
}

/* Of a chain the longest stays: one pass over the bytes. */
static void fuse_stream(struct fusing *f, size_t begin, size_t end)
{
	const struct events *ev = &f->run->events;
	uint32_t longest = NO_ROW;

	for (size_t i = begin; i < end; i++) {
		uint32_t row = f->run->order->device[i];

		if (!is_elementwise(f, row)) {
			longest = NO_ROW;
			continue;
		}
		if (longest == NO_ROW) {
			longest = row;
			continue;
		}
		bool is_longer = ev->dur[row] > ev->dur[longest];
		drop(f, is_longer ? longest : row);
		longest = is_longer ? row : longest;
	}
}

static void find_fused(struct judge *j, struct arena *mem)
{
	const struct run *r = j->depend->run;
	struct fusing f = { .run = r, .depend = j->depend };

	f.family = arena_array(mem, r->strings.n, sizeof(*f.family));
	f.rows = arena_array(mem, r->events.n / 64 + 1, sizeof(*f.rows));
	for (size_t lane = 0; lane < r->lanes.n; lane++)
		fuse_stream(&f, r->order->device_begin[lane], r->order->device_begin[lane + 1]);
	j->fused = changes[JUDGE_FUSED];
	j->fused.rows = f.rows;
	j->applies[JUDGE_FUSED] = f.is_any;
}

/* ---- what can be tried ---- */

static bool has_syncs(const struct depend *d)
{
	for (int i = 0; i < EVIDENCE_COUNT; i++)
		if (d->returns[i] > 0)
			return true;
	return false;
}

/* Whether kernels take less, on average, than it costs the CPU to launch one: where they are longer
 * the CPU can be ahead, and a graph is no remedy. */
static bool has_short_kernels(const struct depend *d)
{
	double n = 0, ns = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct depend_node *k = &d->node[i];

		if (!depend_is_work(k) || k->cls != CLASS_COMPUTE || !is_launched(d->run, k->row))
			continue;
		n++;
		ns += (double)d->run->events.dur[k->row];
	}
	return n > 1 && ns < SHORT_KERNEL_NS * n;
}

static void find_applicable(struct judge *j)
{
	const struct depend *d = j->depend;
	nsec in[GROUP_COUNT] = { 0 };

	for (size_t i = 0; i < d->nhost; i++)
		for (int g = 0; g < GROUP_COUNT; g++)
			saturate_onto(&in[g], j->predict->lags.host->ns[i][g]);
	j->applies[JUDGE_DATA] = in[GROUP_DATA] > 0;
	j->applies[JUDGE_STARTUP] = in[GROUP_STARTUP] > 0;
	j->applies[JUDGE_HOST] = in[GROUP_OTHER] > 0 || in[GROUP_LAUNCH] > 0;
	j->applies[JUDGE_COPIES] = d->work_of[CLASS_MEMCPY] > 0;
	j->applies[JUDGE_FREE_COMM] = d->work_of[CLASS_COMM] > 0;
	j->applies[JUDGE_COMM] = d->work_of[CLASS_COMM] > 0;
	j->applies[JUDGE_KERNELS] = d->work_of[CLASS_COMPUTE] > 0;
	j->applies[JUDGE_GRAPH] = has_short_kernels(d);
	j->applies[JUDGE_SYNC] = has_syncs(d);
}

/* Time in which the device waits for something that the trace does not have.  With work launched
 * and nothing before it that long, rows are missing. */
static double unrecorded_of(const struct account *a)
{
	return (double)a->wait[GAP_CAUSE_UNKNOWN] + (double)a->wait[GAP_CAUSE_NOTHING] +
		(double)a->wait[GAP_CAUSE_DEPENDENCY];
}

/* Graphs are captured, and none is replayed. */
static bool is_capture(const struct run *r)
{
	bool captures = false;

	for (sym i = 0; i < r->strings.n; i++) {
		struct span name = strings_get(&r->strings, i);

		if (span_has(name, "GraphLaunch"))
			return false;
		captures |= span_is(name, "cudaStreamBeginCapture") ||
			span_is(name, "hipStreamBeginCapture");
	}
	return captures;
}

/* Why the dependencies are not to be judged by; NULL: they are. */
static const char *doubt_of(const struct judge *j)
{
	const struct depend *d = j->depend;

	if ((double)d->launched < (1 - UNKNOWN_MAX) * (double)d->works)
		return "what launched the work is not recorded";
	for (size_t i = 0; i < j->window->ndevice; i++) {
		const struct account *a = &j->window->device[i];

		if (unrecorded_of(a) > UNKNOWN_MAX * (double)a->ns)
			return "too much of what the GPU waited for is not recorded";
	}
	return NULL;
}

/* ---- trying ---- */

struct scenario judge_scenario(const struct judge *j, enum judge_change c)
{
	return (struct scenario){ .change = c == JUDGE_FUSED ? &j->fused : &changes[c], .n = 1 };
}

void judge_begin(struct judge *j, struct depend *d, const struct predict *p, struct arena *mem)
{
	*j = (struct judge){ .depend = d, .predict = p, .window = p->window };
	find_applicable(j);
	find_fused(j, mem);
	j->doubt = doubt_of(j);
	j->is_capture = is_capture(d->run);
}

void judge_try(struct judge *j, enum judge_change c, struct whatif_times *t)
{
	struct scenario s = judge_scenario(j, c);

	if (j->applies[c])
		j->saves[c] = MAX(predict_saves(j->predict, &s, t), 0);
	if (c != JUDGE_HOST)
		return;
	struct change all = changes[JUDGE_HOST];
	all.is_all = true;
	s.change = &all;
	j->blind = MAX(predict_saves(j->predict, &s, t), 0) - j->saves[c];
}

struct trying {
	struct judge *judge;
	atomic_size_t next;
};

/* Job of parallel_run. */
static void try_some(void *ctx, size_t thread UNUSED)
{
	struct trying *g = ctx;
	struct whatif_times t = { 0 };
	size_t i;

	while ((i = atomic_fetch_add(&g->next, 1)) < JUDGE_COUNT)
		judge_try(g->judge, (enum judge_change)i, &t);
	whatif_clear(&t);
}

void judge_init(struct judge *j, const struct run *r, const struct window *w, unsigned threads,
	struct arena *mem)
{
	struct trying g = { .judge = j };
	struct depend *d = xcalloc(1, sizeof(*d));
	struct predict *p = xcalloc(1, sizeof(*p));

	depend_init(d, r);
	predict_init(p, d, w, mem);
	judge_begin(j, d, p, mem);
	j->is_own = true;
	if (!j->doubt)
		parallel_run(MIN(threads, JUDGE_COUNT), threads, try_some, &g);
}

void judge_clear(struct judge *j)
{
	if (j->is_own) {
		predict_clear((struct predict *)j->predict);
		depend_clear(j->depend);
		free((struct predict *)j->predict);
		free(j->depend);
	}
	*j = (struct judge){ 0 };
}

/* ---- the word ---- */

/* The best of those of the kind (JUDGE_COUNT: there is none) with another word than `but`. */
static enum judge_change best_of(const struct judge *j, unsigned kinds, enum verdict_part but)
{
	enum judge_change best = JUDGE_COUNT;

	for (int c = 0; c < JUDGE_COUNT; c++)
		if ((kinds >> docs[c].kind & 1) && j->saves[c] > 0 && docs[c].part != but &&
			(best == JUDGE_COUNT || j->saves[c] > j->saves[best]))
			best = (enum judge_change)c;
	return best;
}

/* What the host did comes before waiting behind it, where both save nearly the same, or where the
 * GPU waits longer for it and it saves half as much. */
static enum judge_change before_sync(
	const struct judge *j, const struct verdict *v, enum judge_change c, unsigned kinds)
{
	if (c != JUDGE_SYNC)
		return c;
	enum judge_change other = best_of(j, kinds, PART_OF_SYNC);
	if (other == JUDGE_COUNT)
		return c;
	double least = v->ns[docs[other].part] >= v->ns[PART_OF_SYNC] ? SECOND_MIN : 1 - ALIKE;
	return (double)j->saves[other] >= least * (double)j->saves[c] ? other : c;
}

static bool is_healthy(const struct judge *j, const struct verdict *v, double whole)
{
	for (int c = 0; c < JUDGE_COUNT; c++)
		if (c != JUDGE_KERNELS && (double)j->saves[c] >= HEALTHY_SAVING * whole)
			return false;
	return account_busy(&j->window->device[v->device]) >= HEALTHY_BUSY;
}

static void set_second(const struct judge *j, struct verdict *v, enum judge_change first)
{
	enum judge_change c = best_of(j, 1u << JUDGE_REMEDY | 1u << JUDGE_SENSITIVITY, v->part);

	v->second = NULL;
	/* Launching is time of the host's. */
	if (c == JUDGE_COUNT || (first == JUDGE_GRAPH && c == JUDGE_HOST) ||
		(double)j->saves[c] < SECOND_MIN * (double)j->saves[first])
		return;
	v->second_part = docs[c].part;
	v->second = part_verdict(v->second_part);
	v->second_change = docs[c].says;
}

/* Of the window; starting up is no part of its own there, and launching is the host's time. */
static double share_of(const struct judge *j, const struct verdict *v, enum verdict_part part)
{
	double ns = part == PART_OF_STARTUP ? (double)j->saves[JUDGE_STARTUP] : (double)v->ns[part];

	if (part == PART_OF_HOST || part == PART_OF_LAUNCH)
		ns = (double)v->ns[PART_OF_HOST] + (double)v->ns[PART_OF_LAUNCH];

	return ns / (double)j->window->device[v->device].ns;
}

static void name_capture(struct verdict *v)
{
	v->word = part_verdict(PART_OF_STARTUP);
	v->doubt = "graphs are captured here, and none is replayed: profile their replays";
	v->second = NULL;
}

void judge_name(const struct judge *j, struct verdict *v)
{
	double whole = v->device == SIZE_MAX ? 0 : (double)j->window->device[v->device].ns;
	unsigned all = 1u << JUDGE_REMEDY | 1u << JUDGE_SENSITIVITY;

	if (v->device == SIZE_MAX)
		return;
	if (j->is_capture) {
		name_capture(v);
		return;
	}
	v->doubt = j->doubt;
	if (j->doubt)
		return;
	/* It was tried at half the time. */
	if ((double)j->blind > UNKNOWN_MAX / 2 * whole) {
		v->doubt = "nothing is recorded of what the CPU does for too much of a step";
		return;
	}
	enum judge_change c = best_of(j, 1u << JUDGE_REMEDY, PART_OF_COUNT);
	if (c == JUDGE_COUNT || (double)j->saves[c] < REMEDY_MIN * whole)
		c = best_of(j, all, PART_OF_COUNT);
	if (c == JUDGE_COUNT || (double)j->saves[c] < SAVING_MIN * whole) {
		v->doubt = "no change saves anything";
		return;
	}
	c = before_sync(j, v, c, all);
	v->part = docs[c].part;
	v->change = docs[c].says;
	v->saves = (double)j->saves[c] / whole;
	v->share = share_of(j, v, v->part);
	set_second(j, v, c);
	v->second_share = share_of(j, v, v->second_part);
	if (v->is_leak && v->part == PART_OF_COMPUTE)
		return;
	v->is_leak = false;
	v->word = is_healthy(j, v, whole) ? verdict_healthy : part_verdict(v->part);
}
