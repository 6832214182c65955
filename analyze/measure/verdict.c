/* The verdict: which device, which part of its time, and what that is called. */
#include "analyze/measure/verdict.h"

#include "analyze/measure/device/copyclass.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/columns/order.h"
#include "base/unit.h"
#include "base/words.h"

/* A second part is named when it is no smaller than this share of the first, or a loss of this
 * share of the window. */
static const double SECOND_MIN = 0.8, LOSS_MIN = 0.3;
/* What blames nobody names a run only where it is more than this share of the window. */
static const double BLAMELESS_MIN = 0.5;
/* A server is idle that has nothing to do for this share of the run, or for this one, where nothing
 * else is wrong; else that is its second word. */
static const double BETWEEN_MOST = 0.5, BETWEEN_MIN = 0.2;
/* A run is healthy that computes, is busy for this share, and has nothing that costs so much. */
static const double HEALTHY_BUSY = 0.90, HEALTHY_COST = 0.05;

#define HEALTHY "healthy"
#define LEAK    "memory-leak"
#define NO_GPU  "cpu-bound"
#define CUT_OFF "cut-off"
#define NOTHING "empty"
#define UNKNOWN "not-judged"

const char verdict_healthy[] = HEALTHY;
const char verdict_unlaunched[] = "nothing tells which calls launched the work";

#define X(name, verdict, what, doc) verdict "|"
const char verdict_words[] =
	PARTS(X) HEALTHY "|" LEAK "|" NO_GPU "|" CUT_OFF "|" NOTHING "|" UNKNOWN;
#undef X

static const struct verdict_doc docs[] = {
#define X(name, verdict, what, doc) { verdict, doc },
	PARTS(X)
#undef X
		{ HEALTHY,
			"busy for 90% or more, and nothing but faster kernels would save 5% of a "
			"step" },
	{ LEAK, "allocated memory grows from step to step, and computing is the largest part" },
	{ NO_GPU, "the run has no GPU work: the CPU does it all" },
	{ CUT_OFF, "the file ends early and has no GPU work: maybe that is in what is missing" },
	{ NOTHING, "neither host nor GPU work is recorded" },
	{ UNKNOWN,
		"nothing tells what its slices are: no category, process or name is one that traceq "
		"knows; or calls launch GPU work, and none of it is recorded" },
};

const struct verdict_doc *verdict_doc(size_t i)
{
	return i < COUNT_OF(docs) ? &docs[i] : NULL;
}

const char *verdict_meaning(const char *word)
{
	size_t i;

	for (i = 0; i + 1 < COUNT_OF(docs) && strcmp(docs[i].word, word) != 0; i++)
		;
	return docs[i].doc;
}

const char *part_verdict(enum verdict_part p)
{
	return docs[p].word;
}

WORDS(part_word, enum verdict_part, PARTS, 3)

void verdict_parts(const struct account *a, nsec *ns)
{
	nsec host = 0;

	for (int k = 0; k < GAP_CAUSE_COUNT; k++)
		if (GAP_CAUSES_HOST >> k & 1)
			saturate_onto(&host, a->wait[k]);
	host -= a->late;
	for (int k = 0; k < PART_OF_COUNT; k++)
		ns[k] = 0;
	ns[PART_OF_COMPUTE] = a->ledger.compute;
	ns[PART_OF_COMM] = a->ledger.exposed_comm;
	ns[PART_OF_COPY] = a->ledger.exposed_memcpy;
	ns[PART_OF_DATA] = a->wait[GAP_CAUSE_DATA];
	ns[PART_OF_SYNC] = saturate_add(
		saturate_add(a->wait[GAP_CAUSE_SYNC], a->wait[GAP_CAUSE_QUEUE]), a->late);
	ns[a->long_host >= host - a->long_host ? PART_OF_HOST : PART_OF_LAUNCH] = host;
	ns[PART_OF_DEPENDENCY] = a->wait[GAP_CAUSE_DEPENDENCY];
	ns[PART_OF_UNKNOWN] = a->wait[GAP_CAUSE_UNKNOWN];
}

/* The device that computes for the smallest share; SIZE_MAX: there is none. */
static size_t worst_device(const struct window *w)
{
	size_t worst = SIZE_MAX;
	double least = 2;

	for (size_t i = 0; i < w->ndevice; i++) {
		const struct account *a = &w->device[i];
		double share = a->ns > 0 ? (double)a->ledger.compute / (double)a->ns : 2;

		if (share < least) {
			least = share;
			worst = i;
		}
	}
	return worst;
}

static bool can_name(const struct verdict *x, const struct account *a, int part)
{
	if (part != PART_OF_DEPENDENCY && part != PART_OF_UNKNOWN)
		return true;
	return (double)x->ns[part] > BLAMELESS_MIN * (double)a->ns;
}

static void choose_parts(struct verdict *x, const struct account *a)
{
	x->part = PART_OF_COMPUTE;
	for (int k = 1; k < PART_OF_COUNT; k++)
		if (x->ns[k] > x->ns[x->part] && can_name(x, a, k))
			x->part = (enum verdict_part)k;
	x->second_part = x->part == PART_OF_COMPUTE ? PART_OF_COMM : PART_OF_COMPUTE;
	for (int k = 0; k < PART_OF_COUNT; k++)
		if ((enum verdict_part)k != x->part && x->ns[k] > x->ns[x->second_part] &&
			can_name(x, a, k))
			x->second_part = (enum verdict_part)k;
	x->share = (double)x->ns[x->part] / (double)a->ns;
	x->second_share = (double)x->ns[x->second_part] / (double)a->ns;
	if (x->second_share >= SECOND_MIN * x->share ||
		(x->second_part != PART_OF_COMPUTE && x->second_share >= LOSS_MIN))
		x->second = part_verdict(x->second_part);
}

/* ---- kernels ---- */

struct walk {
	struct verdict *x;
	const struct run *run;
	const struct classes *classes;
	struct filter_view view;
	struct casts casts;
	uint8_t *family; /* by sym: 1 + enum family; 0 not asked */
	nsec ns[FAMILY_COUNT], all;
};

static void add_kernel(struct walk *w, uint32_t row)
{
	uint8_t *family = &w->family[w->run->events.name[row]];
	nsec dur = w->run->events.dur[row];

	if (*family == 0)
		*family = (uint8_t)(1 + family_of(run_name(w->run, row)));
	saturate_onto(&w->ns[*family - 1], dur);
	saturate_onto(&w->all, dur);
	if (casts_is(&w->casts, row))
		saturate_onto(&w->x->casts, dur);
}

static void walk_kernels(struct walk *w, int64_t device)
{
	const struct run *r = w->run;
	size_t lane, end;

	order_device_lanes(r->order, r, device, &lane, &end);
	for (; lane < end; lane++) {
		uint32_t at = r->order->device_lane[lane];

		for (size_t i = r->order->device_begin[at]; i < r->order->device_begin[at + 1];
			i++) {
			uint32_t row = r->order->device[i];

			if (r->events.kind[row] == KIND_KERNEL && filter_device(&w->view, row) &&
				classes_of(w->classes, row) == CLASS_COMPUTE)
				add_kernel(w, row);
		}
	}
	for (int k = 1; k < FAMILY_COUNT; k++)
		if (w->ns[k] > w->ns[w->x->family])
			w->x->family = (enum family)k;
	if (w->all > 0)
		w->x->family_share = (double)w->ns[w->x->family] / (double)w->all;
}

/* ---- memory ---- */

static bool leaks(const struct run *r, const struct filter_view *v)
{
	struct memcurves curves;
	struct memcurve_trend t;
	bool found = false;

	if (r->kind_count[KIND_MEMORY] == 0)
		return false;
	memcurves_init(&curves, r, NULL);
	for (size_t i = 0; i < curves.n && !found; i++)
		found = curves.v[i].type != DEVICE_TYPE_CPU &&
			memcurve_trend(&t, &curves.v[i], r, v) &&
			(t.sign == MEMCURVE_LEAK || t.sign == MEMCURVE_RISING);
	memcurves_clear(&curves);
	return found;
}

/* ---- the word ---- */

static bool is_healthy(const struct verdict *x, const struct account *a)
{
	double least = HEALTHY_COST * (double)a->ns;

	for (int k = PART_OF_COMPUTE + 1; k < PART_OF_COUNT; k++)
		if ((double)x->ns[k] >= least)
			return false;
	return account_busy(a) >= HEALTHY_BUSY && (double)x->casts < least;
}

/* With work launched and nothing before it that long, rows are missing.  Of a thread in whose steps
 * nothing is recorded it is known what waits for it (judge->blind). */
bool verdict_is_untold(const struct window *w, const struct account *a)
{
	double ns = (double)a->wait[GAP_CAUSE_UNKNOWN] + (double)a->wait[GAP_CAUSE_DEPENDENCY] +
		(w->has_steps ? 0 : (double)a->wait[GAP_CAUSE_NOTHING]);

	return ns > VERDICT_UNTOLD_MAX * (double)a->ns;
}

static const char *word_without_device(const struct run *r)
{
	if (!r->is_complete && (r->kind_count[KIND_RUNTIME] > 0 || r->meta.ngpu > 0))
		return CUT_OFF;
	if (r->order->host_begin[r->lanes.n] == 0)
		return NOTHING;
	return producers_know(r) && links_lost_work(r) == 0 ? NO_GPU : UNKNOWN;
}

void verdict_init(struct verdict *x, const struct run *r, const struct window *w,
	const struct classes *c, const struct filter_view *v, struct arena *mem)
{
	struct walk walk = { .x = x, .run = r, .classes = c, .view = window_view(w, v) };

	*x = (struct verdict){ .share = NAN,
		.second_share = NAN,
		.family_share = NAN,
		.saves = NAN,
		.device = worst_device(w) };
	if (x->device == SIZE_MAX) {
		x->word = word_without_device(r);
		x->is_unjudged = strcmp(x->word, UNKNOWN) == 0;
		return;
	}
	const struct account *a = &w->device[x->device];
	verdict_parts(a, x->ns);
	choose_parts(x, a);
	x->word = part_verdict(x->part);
	casts_init(&walk.casts, r, mem);
	walk.family = arena_array(mem, r->strings.n, sizeof(*walk.family));
	walk_kernels(&walk, a->id);
	x->is_leak = x->part == PART_OF_COMPUTE && leaks(r, v);
	if (x->is_leak)
		x->word = LEAK;
	else if (x->part == PART_OF_COMPUTE && is_healthy(x, a))
		x->word = HEALTHY;
	if (r->kind_count[KIND_RUNTIME] == 0)
		x->doubt = verdict_is_untold(w, a)
			? "no call that launches work is recorded, so nothing tells why the GPU waits"
			: verdict_unlaunched;
	verdict_between(x, w);
}

void verdict_between(struct verdict *x, const struct window *w)
{
	const struct account *a = &w->device[x->device];

	if (!w->is_serving || w->run <= 0 || x->word == part_verdict(PART_OF_BETWEEN))
		return;
	double share = (double)a->between / (double)w->run;
	bool is_fine = strcmp(x->word, HEALTHY) == 0;
	if (share < BETWEEN_MIN)
		return;
	if (share < BETWEEN_MOST && !is_fine) {
		x->second = part_verdict(PART_OF_BETWEEN);
		x->second_part = PART_OF_BETWEEN;
		x->second_share = share;
		return;
	}
	x->second = is_fine ? NULL : x->word;
	x->second_part = x->part;
	x->second_share = x->share;
	x->word = part_verdict(PART_OF_BETWEEN);
	x->part = PART_OF_BETWEEN;
	x->share = share;
	x->saves = NAN;
	x->change = x->doubt = NULL;
	x->is_leak = false;
}

const char *verdict_run_text(const struct window *w, size_t device, struct arena *mem)
{
	if (w->run <= 0 || device >= w->ndevice)
		return NULL;
	const struct account *a = &w->device[device];
	double run = (double)w->run;
	return arena_printf(mem, "%s of the run, %s idle between %s",
		unit_percent(mem, (double)a->busy_run / run),
		unit_percent(mem, (double)a->between / run), w->is_serving ? "requests" : "steps");
}
