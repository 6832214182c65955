/* Owners of device work: one walk over the op tree. */
#include "analyze/costmodel/owners.h"

#include "analyze/costmodel/ops.h"
#include "analyze/costmodel/request.h"
#include "analyze/measure/device/replays.h"
#include "analyze/measure/host/frames.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/graphs/replay.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"

/* What a name means; asked for once. */
enum {
	ASKED = 1,
	SAYS_LENGTHS = 2,  /* "...(sq1sk2sqsq3sqsk4)..." */
	IS_ENGINE = 4,     /* "autograd::engine::evaluate_function: ..." */
	IS_CHECKPOINT = 8, /* "CheckpointFunctionBackward" */
	IS_FORWARD = 16,   /* a function of the forward pass that backward never calls by itself */
	OP_SHIFT = 5       /* above: 1 + the op's row in roof_ops */
};

/* Composite functions, which have backward formulas of their own parts.  Source: torch,
 * native_functions.yaml (CompositeImplicitAutograd). */
static const char forward[] =
	"aten::linear|aten::conv1d|aten::conv2d|aten::conv3d|aten::layer_norm|aten::batch_norm|"
	"aten::scaled_dot_product_attention";

/* Open calls: those of the walk, and below the launch of a graph those that were captured. */
struct frame {
	uint32_t row;
	uint32_t whole, direct; /* depth + 1 of the op; 0: none */
	uint32_t site;          /* of the op at this depth, or ROOF_NO_SITE */
	sym about;
	uint8_t phase;
	bool is_backward, is_again;
};

struct walk {
	const struct run *run;
	struct roof_owners *owners;
	struct phases phases;
	uint32_t *name; /* by sym: ASKED and so on */
	struct frame *frame;
	size_t cap, nframe; /* of the calls around the one that is looked at so many have one */
	struct replays replays;
	uint32_t *captured; /* by captured row: its site in the replay that is looked at */
	size_t launch;      /* depth of its launch */
};

static uint32_t ask(const struct walk *w, sym name)
{
	struct span s = strings_get(&w->run->strings, name);
	const struct roof_op *op = roof_op_of(s);
	uint32_t is = ASKED;

	if (op)
		is |= (uint32_t)(op - roof_ops + 1) << OP_SHIFT;
	if (roof_request_is(s))
		is |= SAYS_LENGTHS;
	if (span_starts(s, "autograd::engine::evaluate_function"))
		is |= IS_ENGINE;
	if (span_is(s, "CheckpointFunctionBackward"))
		is |= IS_CHECKPOINT;
	if (span_in(s, forward))
		is |= IS_FORWARD;
	return w->name[name] = is;
}

static const struct roof_op *op_in(uint32_t is)
{
	return is >> OP_SHIFT ? &roof_ops[(is >> OP_SHIFT) - 1] : NULL;
}

/* Whether work is done again: below a checkpoint, up to the engine's own calls there. */
static void follow_backward(struct frame *f, uint32_t is)
{
	if (is & IS_ENGINE) {
		f->is_backward = true;
		f->is_again = false;
	}
	if (is & IS_CHECKPOINT || (f->is_backward && is & IS_FORWARD))
		f->is_again = true;
}

/* The call at `depth`, which owns something: a new site, or the one it has. */
static uint32_t site_at(struct walk *w, size_t depth)
{
	const struct events *ev = &w->run->events;
	struct roof_owners *o = w->owners;
	struct frame *f = &w->frame[depth];
	const struct roof_op *op = op_in(w->name[ev->name[f->row]]);

	if (f->site != ROOF_NO_SITE)
		return f->site;
	o->site = array_grow(o->site, &o->cap, o->n + 1, sizeof(*o->site));
	o->site[o->n] = (struct roof_site){
		.row = f->row,
		.args = op && op->level == ROOF_PART && depth > 0 ? f[-1].row : f->row,
		.host = f->row < ev->n ? f->row : w->frame[w->launch].row,
		.about = f->about,
		.op = op ? (uint16_t)(op - roof_ops + 1) : 0,
		.phase = f->phase,
		.is_again = f->is_again,
	};
	return f->site = (uint32_t)o->n++;
}

/* The site of what the call at `depth` launches itself. */
static uint32_t owner_at(struct walk *w, size_t depth)
{
	const struct frame *f = &w->frame[depth];

	return site_at(w, f->whole ? f->whole - 1 : f->direct ? f->direct - 1 : depth);
}

static uint64_t rank_of(const struct devtime *d, uint32_t row)
{
	const struct devtime_word *word = &d->word[row / 64];

	return word->rank +
		(uint64_t)__builtin_popcountll(word->bits & ((UINT64_C(1) << row % 64) - 1));
}

static bool has_bit(const struct devtime *d, uint32_t row)
{
	return d->word[row / 64].bits >> row % 64 & 1;
}

/* What lengths an annotation says are of what runs, not of what was captured. */
static void open_frame(struct walk *w, size_t depth, uint32_t row)
{
	const struct events *ev = &w->run->events;
	sym name = ev->name[row];
	enum kind kind = (enum kind)ev->kind[row];
	uint32_t is = w->name[name] ? w->name[name] : ask(w, name);
	const struct roof_op *op = kind == KIND_OP ? op_in(is) : NULL;

	w->frame = array_grow(w->frame, &w->cap, depth + 1, sizeof(*w->frame));
	struct frame *f = &w->frame[depth];
	*f = depth ? f[-1] : (struct frame){ .phase = PHASE_OTHER };
	f->row = row;
	f->site = ROOF_NO_SITE;
	f->phase = (uint8_t)phases_of(&w->phases, name, kind, (enum phase)f->phase);
	if (is & SAYS_LENGTHS && row < ev->n)
		f->about = name;
	follow_backward(f, is);
	if (op && !f->whole)
		*(op->level == ROOF_DIRECT ? &f->direct : &f->whole) = (uint32_t)depth + 1;
}

/* A kernel of a replay: the captured calls around it stand below the launch. */
static void visit_kernel(void *ctx, const struct replayed *k)
{
	struct walk *w = ctx;
	const struct run *r = w->run;
	uint32_t first = r->replay->first;

	if (k->nown == 0 || r->events.kind[k->call[k->nown - 1]] != KIND_OP)
		return;
	for (size_t i = 0; i < k->n; i++)
		if (i >= k->nseen)
			w->captured[k->call[i] - first] = ROOF_NO_SITE;
	for (size_t i = 0; i < k->nown; i++) {
		open_frame(w, w->launch + 1 + i, k->call[i]);
		w->frame[w->launch + 1 + i].site = w->captured[k->call[i] - first];
	}
	w->owners->replayed[r->events.args[k->row] - 1] = owner_at(w, w->launch + k->nown);
	for (size_t i = 0; i < k->nown; i++)
		w->captured[k->call[i] - first] = w->frame[w->launch + 1 + i].site;
}

/* Frames of a call and those around it, where they are not there yet. */
static void open_frames(struct walk *w, const struct optree_node *path, size_t depth)
{
	for (; w->nframe <= depth; w->nframe++)
		open_frame(w, w->nframe, path[w->nframe].row);
}

/* Most calls own nothing, nor does what they call: they get no frame. */
HOT_INLINE void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct walk *w = ctx;
	const struct optree_node *node = &path[depth];

	w->nframe = MIN(w->nframe, depth);
	if (node->kind == KIND_OP && has_bit(&w->owners->of, node->row)) {
		open_frames(w, path, depth);
		w->owners->by_rank[rank_of(&w->owners->of, node->row)] = owner_at(w, depth);
	}
	if (UNLIKELY(w->captured && replays_has(&w->replays, node->row))) {
		open_frames(w, path, depth);
		w->launch = depth;
		replays_of(&w->replays, node->row, visit_kernel, w);
	}
}

static uint32_t *no_sites(size_t n)
{
	uint32_t *site = array_grow(NULL, &(size_t){ 0 }, n + 1, sizeof(*site));

	FILL(site, n, ROOF_NO_SITE);
	return site;
}

void roof_owners_init(struct roof_owners *o, const struct run *r, const struct filter_view *v,
	const struct devtime *of, struct arena *mem)
{
	struct walk w = { .run = r, .owners = o };
	const struct optree_visitor visitor = { .ctx = &w, .enter = enter };

	*o = (struct roof_owners){ 0 };
	if (of)
		o->of = *of;
	else
		devtime_init(&o->of, r, v);
	o->by_rank = no_sites(o->of.n);
	phases_init(&w.phases, r, mem);
	w.name = arena_array(mem, r->strings.n, sizeof(*w.name));
	replays_init(&w.replays, r, v, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION));
	if (r->replay) {
		o->replayed = no_sites(r->args.n[ARGS_DEVICE]);
		w.captured = no_sites(r->replay->n);
	}
	optree_walk_inlined(
		r, optree_kinds(r), NULL, &visitor, 0, r->order->host_begin[r->lanes.n]);
	replays_clear(&w.replays);
	FREE_ALL(w.captured, w.frame);
}

void roof_owners_clear(struct roof_owners *o)
{
	devtime_clear(&o->of);
	FREE_ALL(o->by_rank, o->replayed, o->site);
}

uint32_t roof_owners_site(const struct roof_owners *o, const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];

	if (side == NO_ARGS || !r->links)
		return ROOF_NO_SITE;
	if (o->replayed && o->replayed[side - 1] != ROOF_NO_SITE)
		return o->replayed[side - 1];
	uint32_t op = (r->replay ? r->replay->op : r->links->op)[side - 1];
	return op == NO_ROW || !has_bit(&o->of, op) ? ROOF_NO_SITE
						    : o->by_rank[rank_of(&o->of, op)];
}

/* ---- modules of calls: one walk over Python functions and ops together ---- */

struct module_walk {
	const struct run *run;
	struct keymap rows; /* of sites on the host */
	sym *of_row;        /* by index in rows */
	uint8_t *is_module; /* by sym: 0 not asked, 1 no, 2 yes */
};

static bool is_module(struct module_walk *w, sym name)
{
	if (!w->is_module[name])
		w->is_module[name] =
			1 + span_starts(strings_get(&w->run->strings, name), "nn.Module: ");
	return w->is_module[name] == 2;
}

static void enter_module(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct module_walk *w = ctx;
	struct frames_node *node = &path[depth];
	const struct events *ev = &w->run->events;

	node->mark = up;
	if (ev->kind[node->row] == KIND_PYTHON) {
		if (is_module(w, ev->name[node->row]))
			node->mark = ev->name[node->row];
		return;
	}
	if (!up)
		return;
	uint32_t at = keymap_find(&w->rows, &node->row);
	if (at != KEYMAP_NONE)
		w->of_row[at] = up;
}

/* The module around a captured call; 0: none that was captured with it. */
static sym of_captured(struct module_walk *w, uint32_t row)
{
	const struct events *ev = &w->run->events;

	for (; row != NO_ROW; row = replay_up(w->run->replay, row))
		if (ev->kind[row] == KIND_PYTHON && is_module(w, ev->name[row]))
			return ev->name[row];
	return 0;
}

static sym of_host(struct module_walk *w, uint32_t host)
{
	uint32_t at = keymap_find(&w->rows, &host);

	return at == KEYMAP_NONE ? 0 : w->of_row[at];
}

/* By functions around the call, in the capture first; where there are none, what it says itself. */
static sym module_of(struct module_walk *w, const struct roof_site *site)
{
	uint32_t side = w->run->events.args[site->row];
	sym module = site->row < w->run->events.n ? 0 : of_captured(w, site->row);

	if (!module)
		module = of_host(w, site->host);
	if (!module && side != NO_ARGS)
		module = args_sym(&w->run->args, ARG_OP_MODULES, side - 1);
	return module;
}

sym *roof_modules(const struct roof_owners *o, const struct run *r, struct arena *mem)
{
	struct module_walk w = { .run = r };
	const struct frames_visitor visitor = { &w, enter_module, NULL };
	sym *module = arena_array(mem, o->n, sizeof(*module));

	w.of_row = arena_array(mem, o->n, sizeof(*w.of_row));
	w.is_module = arena_array(mem, r->strings.n, sizeof(*w.is_module));
	keymap_init(&w.rows, sizeof(uint32_t));
	for (size_t i = 0; i < o->n; i++)
		(void)keymap_add(&w.rows, &o->site[i].host);
	if (r->kind_count[KIND_PYTHON] > 0)
		(void)frames_walk(r, optree_kinds(r) | KIND_BIT(KIND_PYTHON), &visitor);
	for (size_t i = 0; i < o->n; i++)
		module[i] = module_of(&w, &o->site[i]);
	keymap_clear(&w.rows);
	return module;
}
