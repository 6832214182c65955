/* The judge: the changes, what they save, and the word. */
#include "analyze/judge/judge.h"

#include <stdatomic.h>

#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/host/pyframes.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/parallel.h"
#include "base/words.h"

/* People see what saves so much. */
static const double SAVING_SHOWN = 0.01, FAMILY_SHOWN = 0.1;

/* What it costs the CPU to launch a kernel by an operator, about. */
enum { SHORT_KERNEL_NS = 20000 };

static const struct change changes[JUDGE_COUNT] = {
	[JUDGE_DATA] = { .kind = CHANGE_DATA, .ns = -1 },
	[JUDGE_ALLOCATOR] = { .kind = CHANGE_ALLOCATOR, .ns = -1 },
	[JUDGE_CHECKPOINT] = { .kind = CHANGE_CHECKPOINT, .ns = -1 },
	[JUDGE_LOGGING] = { .kind = CHANGE_LOGGING, .ns = -1 },
	[JUDGE_GC] = { .kind = CHANGE_GC, .ns = -1 },
	[JUDGE_FUNCTION] = { .kind = CHANGE_PYTHON, .ns = -1 },
	[JUDGE_COPIES] = { .kind = CHANGE_COPY, .ns = -1 },
	[JUDGE_COMM] = { .kind = CHANGE_COMM, .factor = 1, .ns = -1, .is_hidden = true },
	[JUDGE_STARTUP] = { .kind = CHANGE_STARTUP, .ns = -1 },
	[JUDGE_GRAPH] = { .kind = CHANGE_LAUNCH, .factor = 1, .ns = -1, .is_one = true },
	[JUDGE_CASTS] = { .kind = CHANGE_FAMILY, .ns = -1 },
	[JUDGE_FUSED] = { .kind = CHANGE_KERNEL, .ns = -1, .is_one = true },
	[JUDGE_SYNC] = { .kind = CHANGE_SYNC, .ns = -1 },
	[JUDGE_FREE_COMM] = { .kind = CHANGE_COMM, .ns = -1 },
	[JUDGE_HOST] = { .kind = CHANGE_HOST, .factor = 0.5, .ns = -1 },
	[JUDGE_KERNELS] = { .kind = CHANGE_KERNEL, .factor = 0.5, .ns = -1 },
	[JUDGE_FAMILY] = { .kind = CHANGE_FAMILY, .factor = 0.5, .ns = -1 },
};

static const struct judge_doc docs[JUDGE_COUNT] = {
#define X(name, kind, part, scenario, says, effort, advice) \
	{ JUDGE_##kind, PART_OF_##part, scenario, says, advice, EFFORT_##effort },
	JUDGE_CHANGES(X)
#undef X
};

const struct judge_doc *judge_doc(enum judge_change c)
{
	return &docs[c];
}

/* Of a program that is not PyTorch's; NULL: the advice has no words of PyTorch's. */
static const char *const plain[JUDGE_COUNT] = {
	[JUDGE_DATA] = "load and decode the next batch on other threads while this one computes",
	[JUDGE_ALLOCATOR] = "take memory once, before the loop, and use it again",
	[JUDGE_COPIES] =
		"pinned memory, asynchronous copies on a stream of their own, or copy less",
	[JUDGE_STARTUP] = "record after the warm-up",
	[JUDGE_GRAPH] = "launch many as one graph; fewer and larger kernels, larger batches",
	[JUDGE_CASTS] = "keep data in one type: convert once, outside of the step",
	[JUDGE_FUSED] = "write chains of elementwise kernels as one",
	[JUDGE_SYNC] = "no calls that wait for the GPU in the loop, or only every n steps",
	[JUDGE_HOST] = "less work of the CPU between launches, a faster CPU",
};

const char *judge_advice(enum judge_change c, bool is_plain)
{
	return is_plain && plain[c] ? plain[c] : docs[c].advice;
}

bool judge_is_shown(const struct judge_row *row, double whole)
{
	return (double)row->saves >=
		(row->of == JUDGE_FAMILY ? FAMILY_SHOWN : SAVING_SHOWN) * whole;
}

WORDS(effort_word, enum effort, EFFORTS, 2)

const char *kernel_family_word(int f)
{
	return f == FAMILY_CASTS ? "casts" : family_word((enum family)f);
}

/* ---- families of kernels ---- */

static void set_row(uint64_t **rows, uint32_t row, const struct run *r, struct arena *mem)
{
	if (!*rows)
		*rows = arena_array(mem, r->events.n / 64 + 1, sizeof(**rows));
	(*rows)[row / 64] |= (uint64_t)1 << row % 64;
}

static bool has_row(const uint64_t *rows, uint32_t row)
{
	return rows && (rows[row / 64] >> row % 64 & 1);
}

static void find_families(struct judge *j)
{
	const struct depend *d = j->depend;
	const struct run *r = d->run;
	uint8_t *family = arena_array(j->mem, r->strings.n, sizeof(*family)); /* 1 + family */
	struct casts casts;

	casts_init(&casts, r, j->mem);
	for (EACH_DEVICE_ROW(row, r)) {
		if (r->events.kind[row] != KIND_KERNEL ||
			classes_of(&d->classes, row) != CLASS_COMPUTE)
			continue;
		uint8_t *of = &family[r->events.name[row]];
		if (*of == 0)
			*of = (uint8_t)(1 + family_of(run_name(r, row)));
		int f = casts_is(&casts, row) ? FAMILY_CASTS : *of - 1;
		set_row(&j->family[f], row, r, j->mem);
		saturate_onto(&j->family_ns[f], r->events.dur[row]);
		saturate_onto(&j->kernel_ns, r->events.dur[row]);
	}
}

/* ---- elementwise kernels right behind each other ---- */

/* Launched by a call of its own: what is in a graph is launched at once, by no operator. */
static bool is_launched(const struct depend *d, uint32_t row)
{
	const struct run *r = d->run;
	uint32_t side = r->events.args[row];
	uint32_t launch = side == NO_ARGS ? NO_ROW : r->links->launch[side - 1];

	return launch != NO_ROW && !hostwhat_graphs(&d->what, launch);
}

/* What a compiler made is fused as far as it could be. */
static bool is_compiled(const struct run *r, uint32_t row)
{
	return span_starts(run_name(r, row), "triton_");
}

static bool is_elementwise(const struct judge *j, uint32_t row)
{
	return (has_row(j->family[FAMILY_ELEMENTWISE], row) ||
		       has_row(j->family[FAMILY_CASTS], row)) &&
		is_launched(j->depend, row) && !is_compiled(j->depend->run, row);
}

/* Of a chain the longest stays: one pass over the bytes. */
static void fuse_stream(struct judge *j, uint64_t **rows, size_t begin, size_t end)
{
	const struct run *r = j->depend->run;
	uint32_t longest = NO_ROW;

	for (size_t i = begin; i < end; i++) {
		uint32_t row = r->order->device[i];

		if (!is_elementwise(j, row)) {
			longest = NO_ROW;
			continue;
		}
		if (longest == NO_ROW) {
			longest = row;
			continue;
		}
		bool is_longer = r->events.dur[row] > r->events.dur[longest];
		set_row(rows, is_longer ? longest : row, r, j->mem);
		longest = is_longer ? row : longest;
	}
}

static void find_fused(struct judge *j)
{
	const struct run *r = j->depend->run;
	uint64_t *rows = NULL;

	for (size_t lane = 0; lane < r->lanes.n; lane++)
		fuse_stream(
			j, &rows, r->order->device_begin[lane], r->order->device_begin[lane + 1]);
	j->fused = changes[JUDGE_FUSED];
	j->fused.rows = rows;
}

/* ---- what can be tried ---- */

static bool has_syncs(const struct depend *d)
{
	return ANY(i, EVIDENCE_COUNT, i != EVIDENCE_QUEUE && d->returns[i] > 0);
}

/* Whether kernels take less, on average, than it costs the CPU to launch one: where they are longer
 * the CPU can be ahead, and a graph is no remedy. */
static bool has_short_kernels(const struct depend *d)
{
	double n = 0, ns = 0;

	for (EACH_DEVICE_ROW(row, d->run)) {
		if (classes_of(&d->classes, row) != CLASS_COMPUTE || !is_launched(d, row))
			continue;
		n++;
		ns += (double)d->run->events.dur[row];
	}
	return n > 1 && ns < SHORT_KERNEL_NS * n;
}

static bool applies(const struct judge *j, enum judge_change c)
{
	const struct depend *d = j->depend;
	const nsec *total = j->predict->lags.host->total;

	switch (c) {
	case JUDGE_UNEVEN: return j->window->kinds.lost > 0;
	case JUDGE_STARTUP: return total[GROUP_STARTUP] > 0;
	case JUDGE_HOST: return total[GROUP_OTHER] > 0 || total[GROUP_LAUNCH] > 0;
	case JUDGE_COPIES: return d->work_of[CLASS_MEMCPY] > 0;
	case JUDGE_FREE_COMM:
	case JUDGE_COMM: return d->work_of[CLASS_COMM] > 0;
	case JUDGE_KERNELS: return d->work_of[CLASS_COMPUTE] > 0;
	case JUDGE_GRAPH: return has_short_kernels(d);
	case JUDGE_CASTS: return j->family[FAMILY_CASTS] != NULL;
	case JUDGE_FUSED: return j->fused.rows != NULL;
	case JUDGE_SYNC: return has_syncs(d);
	default: return total[change_group(changes[c].kind)] > 0;
	}
}

static struct judge_row *add_row(struct judge *j, enum judge_change c)
{
	struct judge_row *row = ARENA_PUSH(j->mem, j->row, j->n, j->cap,
		(struct judge_row){ c, changes[c], docs[c].scenario, docs[c].says, 0 });
	return row;
}

/* "tokenization.py(2810): encode": without the folders. */
static struct span without_folders(struct span name)
{
	for (size_t i = 0; i < name.n && name.p[i] != '('; i++)
		if (name.p[i] == '/')
			return without_folders((struct span){ name.p + i + 1, name.n - i - 1 });
	return name;
}

static void add_functions(struct judge *j)
{
	const struct run *r = j->depend->run;
	const struct host_weights *h = j->predict->lags.host;

	for (size_t i = 0; i < h->nfunction; i++) {
		struct span name = strings_get(&r->strings, h->function[i]);
		SCOPED_STR says = { 0 };
		bool *match;

		if (!h->is_apart[i])
			continue;
		struct judge_row *row = add_row(j, JUDGE_FUNCTION);
		match = arena_array(j->mem, r->strings.n, sizeof(*match));
		match[h->function[i]] = true;
		row->change.match = match;
		row->scenario = arena_printf(j->mem, "python:^\\Q%.*s\\E$=0", (int)name.n, name.p);
		pyframes_put_name(&says, without_folders(name));
		row->says = arena_printf(j->mem, "%.*s free", (int)says.n, says.s);
	}
}

/* Of all kernels' time: a family with less is not tried. */
static const double FAMILY_MIN = 0.02;

static void add_families(struct judge *j)
{
	for (int f = 0; f < KERNEL_FAMILY_COUNT; f++) {
		if ((double)j->family_ns[f] <= FAMILY_MIN * (double)j->kernel_ns)
			continue;
		struct judge_row *row = add_row(j, JUDGE_FAMILY);
		row->change.rows = j->family[f];
		row->scenario = arena_printf(j->mem, "family:%s=0.5", kernel_family_word(f));
		row->says = arena_printf(j->mem, "%s twice as fast", kernel_family_word(f));
	}
}

static void set_uneven(const struct judge *j, struct judge_row *row)
{
	const struct step_kinds *kinds = &j->window->kinds;

	row->saves = saturate_round(kinds->lost * (double)j->window->ns);
	if (kinds->worst->when == WHEN_RAMP)
		row->says = kinds->worst->slope > 0 ? "steps that do not grow"
						    : "steps as short as the last";
}

static void find_applicable(struct judge *j)
{
	for (int c = 0; c < JUDGE_COUNT; c++) {
		if (c == JUDGE_FUNCTION)
			add_functions(j);
		else if (c == JUDGE_FAMILY)
			add_families(j);
		else if (applies(j, (enum judge_change)c))
			(void)add_row(j, (enum judge_change)c);
		if (c == JUDGE_UNEVEN && applies(j, JUDGE_UNEVEN))
			set_uneven(j, &j->row[j->n - 1]);
		if (c == JUDGE_FUSED && j->fused.rows)
			j->row[j->n - 1].change = j->fused;
		if (c == JUDGE_CASTS && j->family[FAMILY_CASTS])
			j->row[j->n - 1].change.rows = j->family[FAMILY_CASTS];
	}
}

bool judge_family(const struct judge *j, const char *word, struct change *c)
{
	int f = 0;

	while (f < FAMILY_CASTS && strcmp(word, kernel_family_word(f)) != 0)
		f++;
	c->rows = j->family[f];
	if (!c->rows)
		*c = (struct change){ .kind = c->kind, .factor = 1, .ns = -1 };
	return c->rows != NULL;
}

const struct judge_row *judge_row(const struct judge *j, enum judge_change c)
{
	return FIND(i, j->row, j->n, j->row[i].of == c);
}

nsec judge_saves(const struct judge *j, enum judge_change c)
{
	const struct judge_row *row = judge_row(j, c);

	return row ? row->saves : 0;
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

/* Half of the work has no length, or more. */
static bool lacks_durations(const struct depend *d)
{
	int64_t n = 0;

	for (EACH(const struct depend_node, node, d->node, d->n))
		n += depend_is_work(node) && d->run->events.dur[node->row] == 0;
	return 2 * n > d->works;
}

/* Why the dependencies are not to be judged by; NULL: they are. */
static const char *doubt_of(const struct judge *j)
{
	const struct depend *d = j->depend;

	if (lacks_durations(d))
		return "most GPU events have no duration: they are missing, or in another unit";
	if ((double)d->launched < (1 - VERDICT_UNTOLD_MAX) * (double)d->works)
		return verdict_unlaunched;
	for (EACH(const struct account, a, j->window->device, j->window->ndevice))
		if (verdict_is_untold(j->window, a))
			return "too much of what the GPU waited for is not recorded";
	return NULL;
}

/* ---- trying ---- */

void judge_begin(struct judge *j, struct depend *d, const struct predict *p, struct arena *mem)
{
	*j = (struct judge){ .depend = d, .predict = p, .window = p->window, .mem = mem };
	find_families(j);
	find_fused(j);
	find_applicable(j);
	j->doubt = doubt_of(j);
	j->is_capture = is_capture(d->run);
}

void judge_try(struct judge *j, size_t i, struct whatif_times *t)
{
	struct judge_row *row = &j->row[i];
	struct scenario s = { .change = &row->change, .n = 1 };

	if (row->of == JUDGE_UNEVEN)
		return;
	row->saves = MAX(predict_saves(j->predict, &s, t), 0);
	if (row->of != JUDGE_HOST || j->predict->lags.host->total[GROUP_NOTHING] == 0)
		return;
	struct change all = row->change;
	all.is_all = true;
	s.change = &all;
	j->blind = MAX(predict_saves(j->predict, &s, t), 0) - row->saves;
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

	while ((i = atomic_fetch_add(&g->next, 1)) < g->judge->n)
		judge_try(g->judge, i, &t);
	whatif_clear(&t);
}

void judge_init(struct judge *j, const struct run *r, judge_window_fn *window, void *ctx,
	unsigned threads, struct arena *mem)
{
	struct trying g = { .judge = j };
	struct depend *d = xcalloc(1, sizeof(*d));
	struct predict *p = xcalloc(1, sizeof(*p));

	*j = (struct judge){ .depend = d, .predict = p, .is_own = true };
	if (!typical_is_asked(r))
		depend_init(d, r, NULL);
	const struct window *w = window(ctx);
	if (!w) {
		judge_clear(j);
		return;
	}
	if (typical_is_asked(r))
		depend_init(d, r, w->typical.n < w->nstep ? &w->typical.when : NULL);
	predict_init(p, d, w, mem);
	judge_begin(j, d, p, mem);
	j->is_own = true;
	if (!j->doubt)
		parallel_run(MIN(threads, (unsigned)j->n), threads, try_some, &g);
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
