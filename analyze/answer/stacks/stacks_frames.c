/* `stacks`: the frames of a flame graph, as rectangles in the unit of the stacks.  The tree, widest
 * frames first; or calls in order of time (stacks_lanes.c). */
#include "analyze/analysis/row_limit.h"
#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/host/frames.h"

static const char narrow[] = "narrow";

/* ---- merged ---- */

/* By node of the tree. */
struct place {
	int64_t at, used; /* used: of its width by children */
	size_t row;       /* 1 + its frame; 0: none */
	size_t rest;      /* 1 + the frame of its narrow children; 0: none yet */
	size_t inside;    /* 1 + the narrow frame it is part of; 0: none */
};

/* Totals from own times.  Those of stacks that do not pass are none. */
static enum status sum_up(struct stacks *s)
{
	uint32_t *up = arena_array(&s->at->mem, s->tree.n, sizeof(*up));
	struct str b = { 0 };
	enum status st = OK;

	for (size_t i = 1; i < s->tree.n && st == OK; i++) {
		struct calltree_node *v = &s->tree.v[i];
		bool yes = true;

		if (v->self > 0)
			st = stacks_pass(s, (uint32_t)i, up, &b, &yes);
		v->self = yes && v->self > 0 ? v->self : 0; /* as in stacks */
		v->total = v->self;
	}
	str_free(&b);
	for (size_t i = s->tree.n; i-- > 1;)
		saturate_onto(&s->tree.v[s->tree.v[i].parent].total, s->tree.v[i].total);
	return st;
}

static void add_part(struct stacks_frame *to, const struct calltree_node *v, const char *kind)
{
	saturate_onto(&to->self, v->self);
	to->merged++;
	if (to->merged > 1)
		to->kind = kind;
}

/* A narrow one: the first of its siblings begins a frame, the others and what is above follow. */
static void put_narrow(
	struct stacks *s, struct stacks_frames *f, struct place *place, uint32_t node)
{
	const struct calltree_node *v = &s->tree.v[node];
	struct place *up = &place[v->parent];
	struct stacks_frame *to;

	if (!up->rest) {
		to = stacks_frame(f);
		to->depth = v->depth;
		to->at = up->at + up->used;
		to->kind = stacks_kind(s, v->row);
		to->name = strings_get(&s->names, v->name);
		to->merged = 0;
		to->calls = s->is_sampled ? -1 : 0;
		up->rest = f->n;
	}
	to = &f->v[up->rest - 1];
	place[node].inside = up->rest;
	add_part(to, v, narrow);
	saturate_onto(&to->total, v->total);
	to->length = to->total;
	to->calls += s->is_sampled ? 0 : v->calls;
	saturate_onto(&up->used, v->total);
}

static void put_node(struct stacks *s, struct stacks_frames *f, struct place *place, uint32_t node)
{
	const struct calltree_node *v = &s->tree.v[node];
	struct place *up = &place[v->parent];

	if (v->total == 0)
		return; /* nor has what is above it any */
	if (up->inside) {
		place[node].inside = up->inside;
		add_part(&f->v[up->inside - 1], v, narrow);
		return;
	}
	if (v->total < f->narrowest) {
		put_narrow(s, f, place, node);
		return;
	}
	struct stacks_frame *to = stacks_frame(f);
	place[node].at = to->at = up->at + up->used;
	to->depth = v->depth;
	to->length = to->total = v->total;
	to->self = v->self;
	to->calls = v->calls > 0 && !s->is_sampled ? v->calls : -1;
	to->kind = node == s->waits_node && node ? "waits" : stacks_kind(s, v->row);
	to->name = strings_get(&s->names, v->name);
	to->layers = s->layers ? s->layers[node] : 1;
	to->waits = node == s->waits_node ? (int64_t)s->nwaits : 0;
	to->may_merge = !s->layers && !s->is_sampled && stacks_may_merge(s, v->row);
	saturate_onto(&up->used, v->total);
}

static enum status put_tree(struct stacks *s, struct stacks_frames *f)
{
	struct place *place = arena_array(&s->at->mem, s->tree.n, sizeof(*place));

	TRY(sum_up(s));
	if (s->tree.v[0].total <= 0)
		return err_set(s->at->e, E_NODATA, -1, "no time in stacks of what was asked for");
	if (s->o->merge_layers && !s->is_sampled)
		stacks_merge_layers(s);
	f->narrowest = (s->tree.v[0].total - 1) / s->o->narrowest + 1;
	struct stacks_frame *all = stacks_frame(f);
	all->length = all->total = s->tree.v[0].total;
	all->kind = "all";
	all->waits = s->hides ? (int64_t)s->nwaits : 0;
	all->name = SPAN("all");
	uint32_t *order = calltree_order(&s->tree, &s->names, &s->at->mem);
	for (size_t i = 0; i + 1 < s->tree.n; i++)
		put_node(s, f, place, order[i]);
	return OK;
}

/* ---- the table ---- */

static void put_frame(struct table *t, const struct stacks_frame *v)
{
	SCOPED_STR b = { 0 };

	fields_row(t, v, &(struct fields_of){ 0 });
	if (v->lane_name.n)
		table_text(t, FRAME_LANE, v->lane_name);
	if (v->may_merge && stacks_layer(v->name, &b))
		table_text(t, FRAME_LAYER, (struct span){ arena_copy(t->mem, b.s, b.n), b.n });
	if (v->calls >= 0)
		table_int(t, FRAME_CALLS, v->calls);
	if (v->kind == narrow || !v->name.n)
		table_textf(t, FRAME_NAME, "(%lld frames)", (long long)v->merged);
	else
		table_text(t, FRAME_NAME,
			(struct span){ arena_copy(t->mem, v->name.p, v->name.n), v->name.n });
}

static void put_quiet_notes(struct stacks *s, const struct stacks_frames *f)
{
	int64_t layers = 0, frames = 0;

	for (EACH(const struct stacks_frame, v, f->v, f->n)) {
		layers += v->layers > 1 ? v->layers : 0;
		frames += v->layers > 1;
	}
	if (layers)
		result_note(s->at->out, NOTE_INFO, "merged_layers", s->at->input, layers,
			"%lld frames of layers that differ in a number are %lld "
			"(--no-merge-layers shows them apart)",
			(long long)layers, (long long)frames);
	if (s->hides)
		result_note(s->at->out, NOTE_INFO, "waiting_threads", s->at->input,
			(int64_t)s->nwaits, "%zu thread%s left out (--waits apart shows %s)",
			s->nwaits, plural(s->nwaits, " that only waits is", "s that only wait are"),
			plural(s->nwaits, "it", "them"));
}

enum status stacks_put_frames(struct stacks *s, enum stack_unit unit, size_t limit)
{
	static const enum stacks_table docs[] = { [STACK_IN_BYTES] = STACKS_FRAMES_BYTES,
		[STACK_IN_SAMPLES] = STACKS_FRAMES_COUNT,
		[STACK_IN_NS] = STACKS_FRAMES_NS };
	bool is_time = s->o->order && strcmp(s->o->order, "time") == 0;
	struct stacks_frames f = { 0 };
	size_t ncrossing = 0;
	enum status st = OK;

	if (s->at->run->order)
		classes_init(&s->classes, s->at->run, &s->at->mem);
	if (is_time)
		stacks_put_lanes(s, &f, &ncrossing);
	else
		st = put_tree(s, &f);
	if (st == OK && f.n == 0)
		st = err_set(s->at->e, E_NODATA, -1, "no calls of what was asked for");
	if (st == OK) {
		struct table *t = perrun_table(s->at, &stacks_docs[docs[unit]]);
		int64_t merged = 0;
		for (size_t i = 0; i < f.n; i++) {
			merged += f.v[i].merged > 1 ? f.v[i].merged : 0;
			if (i < limit)
				put_frame(t, &f.v[i]);
		}
		rows_cut(t, FRAME_NAME, f.n > limit ? f.n - limit : 0);
		if (merged)
			result_note(s->at->out, NOTE_INFO, "narrow_frames", s->at->input, merged,
				"%lld frames narrower than a part in %lld of all are one with their neighbours",
				(long long)merged, (long long)s->o->narrowest);
		put_quiet_notes(s, &f);
		if (ncrossing)
			result_note(s->at->out, NOTE_INFO, "crossing_calls", s->at->input,
				(int64_t)ncrossing,
				"%zu call%s inside another one and end%s after it: in lanes of their own",
				ncrossing, plural(ncrossing, " begins", "s begin"),
				plural(ncrossing, "s", ""));
	}
	free(f.v);
	return st;
}

/* `stacks`: Python functions by name, whatever called them. */

struct functions {
	struct stacks *s;
	struct groups groups; /* of struct stacks_function */
};

static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up UNUSED)
{
	struct functions *f = ctx;
	struct perrun *at = f->s->at;
	sym name = at->run->events.name[path[depth].row];

	if (!filter_host(&at->view, path[depth].row) || !filter_name(&at->view, name))
		return;
	path[depth].mark = groups_of(&f->groups, name) + 1;
	struct stacks_function *g = groups_item(&f->groups, path[depth].mark - 1);
	g->open++;
}

/* Of calls within a call of the same function the outermost counts. */
static void leave(void *ctx, struct frames_node *path, size_t depth)
{
	struct functions *f = ctx;
	const struct frames_node *node = &path[depth];

	if (!node->mark)
		return;
	struct stacks_function *g = groups_item(&f->groups, node->mark - 1);
	durations_add(&g->calls, node->dur);
	saturate_onto(&g->self, saturate_sub(node->dur, node->child_ns));
	if (--g->open == 0)
		saturate_onto(&g->total, node->dur);
}

static const struct grouping functions = { .sort = FUNCTION_TOTAL, .name = FUNCTION_NAME };

void stacks_put_functions(struct stacks *s, const struct table_doc *doc, size_t limit)
{
	static const struct stacks_function fresh = { .calls = NO_DURATIONS };
	struct functions f = { .s = s };
	const struct frames_visitor visitor = { &f, enter, leave };

	groups_init(&f.groups, sizeof(sym), sizeof(fresh), &fresh, s->at->run->strings.n);
	(void)frames_walk(s->at->run, KIND_BIT(KIND_PYTHON), &visitor);
	struct groupby g = groupby_of(&functions, s->at, doc, &f.groups, s);
	g.limit = limit;
	groupby_table(&g);
	rows_cut(g.t, FUNCTION_NAME, groupby_put_rows(&g));
	groups_clear(&f.groups);
}
