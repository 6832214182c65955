/* The companion that places slices on lanes. */
#include "edit/viewer_lanes.h"

#include "analyze/input/text/num.h"
#include "edit/cut.h"
#include "edit/lanes_place.h"
#include "edit/window_notes.h"

/* Further lanes have numbers that neither threads nor streams have. */
enum { FIRST_TID = 100000000 };

struct lane_of {
	struct span pid, tid;    /* as written, without quotes */
	struct span name, order; /* its thread_name and thread_sort_index, the same; p NULL: none */
	struct spans spans;
	bool has_work, is_of_graphs; /* all of its work is that of graphs */
};

/* A lane that slices were moved to. */
struct target {
	uint32_t home;    /* the lane it belongs to */
	unsigned ordinal; /* which of those, 1: the home itself */
	bool is_new, is_of_graphs;
	struct span tid; /* JSON */
};

struct moved {
	int64_t offset;
	uint32_t to;
};

struct lanes_companion {
	struct keymap keys; /* of lanes: hashes of pid and tid */
	struct lane_of *lane;
	size_t nlane, lane_cap;
	struct target *target;
	size_t ntarget, target_cap;
	struct moved *moved; /* by offset */
	size_t nmoved, moved_cap;
	int64_t next_tid;
	struct arena mem;
};

/* ---- looking ---- */

enum seen_what { SEEN_SLICE, SEEN_NAME, SEEN_ORDER };

/* Of a note about an event, whose texts are pid, tid and the value of a name. */
struct seen {
	struct spanned v;
	uint64_t key;
	uint8_t what;
	bool is_of_graph;
};

static enum span_what what_of(enum kind k)
{
	if (kind_is_device(k))
		return SPAN_WORK;
	return k == KIND_GPU_ANNOTATION || k == KIND_GPU_EVENT || k == KIND_SYNC ? SPAN_REGION
										 : SPAN_CALL;
}

/* An arrow's end.  Its id is a call where it leads from one to its work. */
static void see_arrow(struct seen *s, const struct tap_event *event)
{
	struct span cat = raw_has(event->raw, RAW_CAT) ? event->raw->cat : RAW_NOTHING;

	s->v.what = SPAN_POINT;
	s->v.dur = 0;
	s->v.call = 0;
	if (!chain_is_launch(cat))
		return;
	struct span id = parts_id(event->text);
	if (!id.p || !num_u64(id, &s->v.call))
		s->v.call = 0;
}

static bool see_slice(struct seen *s, const struct facts *f, const struct tap_event *event)
{
	uint8_t node = event->plan->key_of[ARG_DEVICE_GRAPH_NODE];
	uint64_t number;

	if (!f->has_time || (f->ph != 'X' && !chain_is_flow(f->ph)))
		return false;
	s->v = (struct spanned){ .start = f->start,
		.dur = f->end - f->start,
		.offset = event->offset,
		.call = f->has_call ? f->call : 0,
		.what = what_of(f->kind) };
	if (f->ph != 'X')
		see_arrow(s, event);
	else
		s->is_of_graph = s->v.what == SPAN_WORK && raw_found(event->raw, node) &&
			num_u64(event->raw->arg[node], &number) && number != 0;
	return true;
}

/* What an M event says about a lane: its value, without quotes. */
static bool see_name(struct seen *s, const struct tap_event *event, struct span *value)
{
	static const struct {
		const char *name, *key;
		enum seen_what what;
	} known[] = { { "thread_name", "name", SEEN_NAME },
		{ "thread_sort_index", "sort_index", SEEN_ORDER } };
	struct parts parts, inner;
	size_t i = FIRST(k, COUNT_OF(known), span_is(raw_name(event->raw), known[k].name));

	if (i == COUNT_OF(known) || !parts_read(&parts, event->text))
		return false;
	const struct part_of *args = parts_find(&parts, "args");
	if (!args || !parts_read(&inner, args->value))
		return false;
	*value = parts_text(&inner, known[i].key);
	s->what = (uint8_t)known[i].what;
	return value->p != NULL;
}

static void see(void *ctx UNUSED, struct batch *b, const struct tap_event *event, struct str *to)
{
	const struct facts f = choice_facts(event, b);
	struct span text[NOTES_TEXTS] = { raw_pid(event->raw), raw_tid(event->raw) };
	struct seen s;

	memset(&s, 0, sizeof(s));
	if (event->is_mended || !raw_has(event->raw, RAW_TID))
		return;
	if (f.ph == 'M' ? !see_name(&s, event, &text[2]) : !see_slice(&s, &f, event))
		return;
	s.key = chain_key(text[0], text[1]);
	notes_add(to, &s, sizeof(s), text, NOTES_TEXTS);
}

static struct span keep(struct lanes_companion *l, struct span text)
{
	return (struct span){ arena_copy(&l->mem, text.p, text.n), text.n };
}

static struct lane_of *lane_of(
	struct lanes_companion *l, const struct seen *s, const struct span *text)
{
	size_t before = l->keys.n;
	uint32_t at = keymap_add(&l->keys, &s->key);

	if (at == before) {
		PUSH(l->lane, l->nlane, l->lane_cap,
			(struct lane_of){ .pid = keep(l, text[0]),
				.tid = keep(l, text[1]),
				.is_of_graphs = true });
	}
	return &l->lane[at];
}

static void take(void *ctx, const struct str *seen)
{
	struct lanes_companion *l = ctx;
	struct span left = { seen->s, seen->n }, text[NOTES_TEXTS];
	struct seen s;

	while (notes_next(&left, &s, sizeof(s), text, NOTES_TEXTS)) {
		struct lane_of *lane = lane_of(l, &s, text);

		if (s.what == SEEN_NAME) {
			lane->name = keep(l, text[2]);
		} else if (s.what == SEEN_ORDER) {
			lane->order = keep(l, text[2]);
		} else {
			spans_add(&lane->spans, &s.v);
			lane->has_work |= s.v.what == SPAN_WORK;
			lane->is_of_graphs &= s.v.what != SPAN_WORK || s.is_of_graph;
		}
	}
}

/* ---- placing ---- */

static void put_id(struct str *out, struct span id)
{
	bool is_number = lane_number(id) != LANE_NO_NUMBER;

	str_adds(out, is_number ? "" : "\"");
	str_add(out, id.p, id.n);
	str_adds(out, is_number ? "" : "\"");
}

static bool is_taken(const struct lanes_companion *l, int64_t tid)
{
	return ANY(i, l->nlane, lane_number(l->lane[i].tid) == tid);
}

static struct span new_tid(struct lanes_companion *l)
{
	for (size_t i = 0; i < l->nlane && is_taken(l, l->next_tid); i++) /* one of nlane + 1 is
	                                                                     free */
		l->next_tid++;
	return span_of(arena_printf(&l->mem, "%" PRId64, l->next_tid++));
}

static struct span tid_of(struct lanes_companion *l, const struct lane_of *lane)
{
	SCOPED_STR text = { 0 };

	put_id(&text, lane->tid);
	return keep(l, (struct span){ text.s, text.n });
}

static uint32_t add_target(struct lanes_companion *l, struct target t)
{
	PUSH(l->target, l->ntarget, l->target_cap, t);
	return (uint32_t)l->ntarget - 1;
}

static void place_group(struct lanes_companion *l, const uint32_t *of, size_t n, bool is_of_graphs)
{
	const struct spans **spans = xcalloc(n, sizeof(struct spans *));
	struct placing p;

	for (size_t i = 0; i < n; i++) {
		spans_seal(&l->lane[of[i]].spans);
		spans[i] = &l->lane[of[i]].spans;
	}
	place_all(&p, spans, n);
	/* Lanes of the placing become targets where something goes to them; of: the lanes read. */
	uint32_t *number = xcalloc(p.nlane, sizeof(*number)); /* 1 + that of the target */
	for (EACH(const struct place_move, move, p.move, p.nmove)) {
		uint32_t to = move->to;
		bool is_new = to >= p.nown;
		struct target t = { of[is_new ? 0 : to],
			(unsigned)(is_of_graphs || !is_new ? to + 1 : to - p.nown + 2), is_new,
			is_of_graphs, { 0 } };

		if (!number[to]) {
			t.tid = is_new ? new_tid(l) : tid_of(l, &l->lane[t.home]);
			number[to] = add_target(l, t) + 1;
		}
		PUSH(l->moved, l->nmoved, l->moved_cap,
			(struct moved){ move->offset, number[to] - 1 });
	}
	free(number);
	place_clear(&p);
	for (size_t i = 0; i < n; i++)
		spans_clear(&l->lane[of[i]].spans);
	free(spans);
}

ORDER(by_offset, struct moved, compare3(a->offset, b->offset))

static bool is_of_graphs(const struct lane_of *lane)
{
	return lane->has_work && lane->is_of_graphs;
}

static void ready(void *ctx)
{
	struct lanes_companion *l = ctx;
	uint32_t *group = xcalloc(l->nlane + 1, sizeof(*group));
	bool *is_done = xcalloc(l->nlane + 1, sizeof(*is_done));
	size_t k, n;

	for (size_t i = 0; i < l->nlane; i++) {
		bool folds = is_of_graphs(&l->lane[i]);

		for (k = i, n = 0; k < (folds ? l->nlane : i + 1); k++)
			if (!is_done[k] &&
				(k == i ||
					(is_of_graphs(&l->lane[k]) &&
						span_eq(l->lane[k].pid, l->lane[i].pid)))) {
				group[n++] = (uint32_t)k;
				is_done[k] = true;
			}
		if (n)
			place_group(l, group, n, n > 1);
	}
	FREE_ALL(group, is_done);
	if (l->nmoved)
		qsort(l->moved, l->nmoved, sizeof(*l->moved), by_offset);
}

/* ---- changing ---- */

static bool apply(void *ctx, struct changing *c)
{
	const struct lanes_companion *l = ctx;
	const struct moved key = { c->event->offset, 0 }, *at;

	if (l->nmoved == 0 || (c->facts->ph != 'X' && !chain_is_flow(c->facts->ph)))
		return true;
	at = bsearch(&key, l->moved, l->nmoved, sizeof(*l->moved), by_offset);
	struct part_of *tid = at ? parts_find(c->parts, "tid") : NULL;
	if (tid)
		tid->with = l->target[at->to].tid;
	return true;
}

static void put_head(struct str *out, const char *name, const struct lane_of *home,
	const struct target *t, const char *key)
{
	str_reset(out);
	str_addf(out, "{\"ph\": \"M\", \"name\": \"%s\", \"pid\": ", name);
	put_id(out, home->pid);
	str_adds(out, ", \"tid\": ");
	str_add(out, t->tid.p, t->tid.n);
	str_addf(out, ", \"args\": {\"%s\": ", key);
}

static void put_m(struct cut *c, struct str *text)
{
	str_adds(text, "}}");
	cut_more(c, 'M', (struct span){ text->s, text->n });
}

static void more(void *ctx, struct cut *c)
{
	const struct lanes_companion *l = ctx;
	SCOPED_STR text = { 0 };

	for (EACH(const struct target, t, l->target, l->ntarget)) {
		const struct lane_of *home = &l->lane[t->home];

		put_head(&text, "thread_name", home, t, "name");
		/* "stream 7 (2)" */
		str_addc(&text, '"');
		if (t->is_of_graphs)
			str_adds(&text, "graphs");
		else if (home->name.p)
			str_add(&text, home->name.p, home->name.n);
		else
			str_addf(&text, "%s %.*s", home->has_work ? "stream" : "thread",
				(int)home->tid.n, home->tid.p);
		if (t->ordinal > 1)
			str_addf(&text, " (%u)", t->ordinal);
		str_addc(&text, '"');
		put_m(c, &text);
		put_head(&text, LANE_HOME_NAME, home, t, "name");
		str_addc(&text, '"');
		if (t->is_of_graphs)
			str_adds(&text, LANE_HOME_STREAM);
		else
			str_add(&text, home->tid.p, home->tid.n);
		str_addc(&text, '"');
		put_m(c, &text);
		if (!t->is_new)
			continue;
		put_head(&text, "thread_sort_index", home, t, "sort_index");
		if (home->order.p)
			put_id(&text, home->order);
		else
			put_id(&text,
				lane_number(home->tid) != LANE_NO_NUMBER ? home->tid : SPAN("0"));
		put_m(c, &text);
	}
}

/* ---- the companion ---- */

static void clear(void *ctx)
{
	struct lanes_companion *l = ctx;

	for (size_t i = 0; i < l->nlane; i++)
		spans_clear(&l->lane[i].spans);
	keymap_clear(&l->keys);
	FREE_ALL(l->lane, l->target, l->moved);
	arena_clear(&l->mem);
	free(l);
}

struct companion lanes_companion(void)
{
	struct lanes_companion *l = xcalloc(1, sizeof(*l));

	keymap_init(&l->keys, sizeof(uint64_t));
	l->next_tid = FIRST_TID;
	return (struct companion){
		.needs = NEED_GRAPHS,
		.see = see,
		.take = take,
		.ready = ready,
		.more = more,
		.clear = clear,
		.change = { .apply = apply, .ctx = l },
		.ctx = l,
	};
}
