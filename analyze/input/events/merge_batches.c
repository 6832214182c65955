/* From batch numbers to run numbers: a remap table each for texts, lanes and wide ids, then columns
 * appended. */
#include "analyze/input/events/merge_batches.h"

#include <stdio.h>

#include "analyze/input/events/event_batch.h"
#include "analyze/input/text/limits.h"

/* --- lanes that belong to another --- */

ORDER(by_lane, struct home, compare3(a->pid, b->pid), compare3(a->tid, b->tid))

/* The lane of a stream, as it is called where nothing was moved. */
static sym tid_of_stream(struct strings *s, int64_t stream)
{
	char text[24];
	int n = snprintf(text, sizeof(text), "%" PRId64, stream);

	return strings_intern(s, (struct span){ text, (size_t)n });
}

static struct lane lane_at_home(struct run *run, const struct lane *l, const struct home *h)
{
	struct span of = strings_get(&run->strings, h->of);
	struct lane at = *l;

	if (span_is(of, LANE_HOME_STREAM)) {
		at.tid = l->is_device ? tid_of_stream(&run->strings, l->stream) : l->tid;
	} else {
		at.tid = h->of;
		/* The stream of what says none is that of its lane. */
		if (l->is_device && l->stream == l->tid_number && lane_number(of) != LANE_NO_NUMBER)
			at.stream = lane_number(of);
	}
	at.tid_number = lane_number(strings_get(&run->strings, at.tid));
	return at;
}

void homes_fold(struct homes *h, struct run *run)
{
	struct lanes folded;

	if (h->n == 0)
		return;
	qsort(h->v, h->n, sizeof(*h->v), by_lane);
	uint32_t *to = xcalloc(run->lanes.n + 1, sizeof(*to));
	lanes_init(&folded);
	for (size_t i = 0; i < run->lanes.n; i++) {
		const struct lane *l = &run->lanes.lane[i];
		const struct home key = { l->pid, l->tid, 0 }, *home;
		struct lane at = *l;

		home = bsearch(&key, h->v, h->n, sizeof(*h->v), by_lane);
		if (home)
			at = lane_at_home(run, l, home);
		to[i] = lanes_add(&folded, &at);
	}
	for (size_t i = 0; i < run->events.n; i++)
		run->events.lane[i] = to[run->events.lane[i]];
	lanes_clear(&run->lanes);
	run->lanes = folded;
	free(to);
}

void gathered_init(struct gathered *g)
{
	*g = (struct gathered){
		.bare_first = INT64_MAX, .bare_last = INT64_MIN, .zero_last = INT64_MIN
	};
	lanes_init(&g->names.of);
}

void gathered_clear(struct gathered *g)
{
	lanes_clear(&g->names.of);
	free(g->homes.v);
	arena_clear(&g->mem);
	FREE_ALL(g->arrows.v, g->text, g->lane, g->id, g->set, g->member, g->cat_slot);
	*g = (struct gathered){ 0 };
}

static void note_oddities(struct run *run, const struct dict_entry *d)
{
	if (d->odd & DICT_INVALID_UTF8)
		tally_add(&run->tally, PROBLEM_INVALID_UTF8, 1, d->offset);
	if (d->odd & DICT_CONTROL)
		tally_add(&run->tally, PROBLEM_CONTROL_CHARACTER, 1, d->offset);
	if (d->odd & DICT_BAD_ESCAPE)
		tally_add(&run->tally, PROBLEM_REPAIRED_ESCAPE, 1, d->offset);
}

static void map_texts(struct run *run, struct gathered *g, const struct batch *b)
{
	g->text = array_grow(g->text, &g->text_cap, b->ndict, sizeof(*g->text));
	for (size_t i = 0; i < b->ndict; i++) {
		size_t before = run->strings.n;

		g->text[i] = strings_intern_hashed(&run->strings, b->dict[i].text, b->dict[i].hash);
		if (b->dict[i].odd && run->strings.n > before)
			note_oddities(run, &b->dict[i]);
	}
}

static void map_lanes(struct run *run, struct gathered *g, const struct batch *b)
{
	g->lane = array_grow(g->lane, &g->lane_cap, b->lanes.n, sizeof(*g->lane));
	for (size_t i = 0; i < b->lanes.n; i++) {
		struct lane l = b->lanes.lane[i];

		l.pid = g->text[l.pid];
		l.tid = g->text[l.tid];
		g->lane[i] = lanes_add(&run->lanes, &l);
	}
}

static void append_column(struct run *run, const struct gathered *g, const struct batch *b,
	enum arg arg, size_t to, size_t n)
{
	size_t size = arg_size(arg_infos[arg].type), i;

	if (!b->args.is_known[arg]) {
		for (i = 0; i < n && run->args.is_known[arg]; i++)
			args_unknown(&run->args, arg, to + i);
		return;
	}
	args_know(&run->args, arg);
	union arg_column dst = run->args.col[arg], src = b->args.col[arg];
	if (arg_infos[arg].type == ARG_SYM) {
		for (i = 0; i < n; i++)
			dst.sym[to + i] = g->text[src.sym[i]];
	} else if (arg_infos[arg].type == ARG_ID && b->ids.wide.n) {
		for (i = 0; i < n; i++)
			dst.id[to + i] =
				src.id[i] & ID_WIDE ? g->id[src.id[i] & ~ID_WIDE] : src.id[i];
	} else {
		memcpy((char *)dst.any + to * size, src.any, n * size);
	}
}

static void map_set_texts(const struct gathered *g, enum args_set which, unsigned char *values)
{
	sym s;

	for (size_t i = 0; i < ARG_COUNT; i++) {
		if (arg_set((enum arg)i) != which || arg_infos[i].type != ARG_SYM)
			continue;
		memcpy(&s, values + arg_offset((enum arg)i), sizeof(s));
		memcpy(values + arg_offset((enum arg)i), &g->text[s], sizeof(s));
	}
}

/* The run's number of each combination of a batch's set.  The array is g's until the next call. */
static const uint32_t *map_set(
	struct run *run, struct gathered *g, const struct batch *b, enum args_set which)
{
	const struct keymap *from = &b->args.set[which].values;
	unsigned char values[SET_MAX_BYTES];

	g->set = array_grow(g->set, &g->set_cap, from->n, sizeof(*g->set));
	for (uint32_t i = 0; i < from->n; i++) {
		memcpy(values, keymap_key(from, i), from->size);
		map_set_texts(g, which, values);
		g->set[i] = keymap_add(&run->args.set[which].values, values);
	}
	return g->set;
}

static void append_sets(struct run *run, struct gathered *g, const struct batch *b)
{
	for (unsigned s = SET_NONE + 1; s < SET_COUNT; s++) {
		enum args_table t = args_table_of_set((enum args_set)s);
		size_t to = run->args.n[t], n = b->args.n[t];

		if (n == 0 || !(b->args.set[s].is_known || run->args.set[s].is_known))
			continue;
		uint32_t *of = args_know_set(&run->args, (enum args_set)s) + to;
		if (!b->args.set[s].is_known) {
			memset(of, 0, n * sizeof(*of));
			continue;
		}
		const uint32_t *map = map_set(run, g, b, (enum args_set)s);
		for (size_t i = 0; i < n; i++)
			of[i] = map[b->args.set[s].of[i]];
	}
}

static void append_args(struct run *run, struct gathered *g, const struct batch *b)
{
	for (size_t t = 1; t < ARGS_TABLE_COUNT; t++)
		args_reserve(&run->args, (enum args_table)t, b->args.n[t]);
	for (size_t i = 0; i < ARG_COUNT; i++) {
		enum args_table of = arg_infos[i].table;

		if (b->args.n[of] && args_keeps(&run->args, (enum arg)i) &&
			arg_set((enum arg)i) == SET_NONE)
			append_column(run, g, b, (enum arg)i, run->args.n[of], b->args.n[of]);
	}
	append_sets(run, g, b);
}

static void append_events(struct run *run, const struct gathered *g, const struct batch *b)
{
	struct events *to = &run->events;
	const struct events *from = &b->events;
	size_t n = from->n, at = to->n;

	events_reserve(to, n);
	if (n) {
		memcpy(to->start + at, from->start, n * sizeof(*to->start));
		memcpy(to->dur + at, from->dur, n * sizeof(*to->dur));
		memcpy(to->kind + at, from->kind, n);
		memcpy(to->flags + at, from->flags, n);
	}
	for (size_t i = 0; i < n; i++) {
		to->name[at + i] = g->text[from->name[i]];
		to->lane[at + i] = g->lane[from->lane[i]];
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t base = (uint32_t)run->args.n[args_table_of((enum kind)from->kind[i])];

		to->args[at + i] = from->args[i] ? from->args[i] + base : NO_ARGS;
	}
	to->n += n;
}

static size_t cat_hash(sym cat, bool has_cat, char ph)
{
	uint64_t h = ((uint64_t)cat << 9 | (uint64_t)has_cat << 8 | (unsigned char)ph) *
		0x9e3779b97f4a7c15u;

	return (size_t)(h >> 32);
}

static void rehash_cats(const struct run *run, struct gathered *g)
{
	free(g->cat_slot);
	g->ncat_slot = g->ncat_slot ? g->ncat_slot * 2 : 64;
	g->cat_slot = xcalloc(g->ncat_slot, sizeof(*g->cat_slot));
	for (size_t i = 0; i < run->ncat; i++) {
		const struct cat_count *c = &run->cat[i];
		size_t at = cat_hash(c->cat, c->has_cat, c->ph);

		while (g->cat_slot[at & (g->ncat_slot - 1)])
			at++;
		g->cat_slot[at & (g->ncat_slot - 1)] = (uint32_t)i + 1;
	}
}

/* The counter of (cat, ph), new or old. */
static struct cat_count *cat_count(
	struct run *run, struct gathered *g, sym cat, bool has_cat, char ph)
{
	struct cat_count *c;
	size_t at = cat_hash(cat, has_cat, ph);

	if (run->ncat * 2 >= g->ncat_slot)
		rehash_cats(run, g);
	for (; g->cat_slot[at & (g->ncat_slot - 1)]; at++) {
		c = &run->cat[g->cat_slot[at & (g->ncat_slot - 1)] - 1];
		if (c->cat == cat && c->ph == ph && c->has_cat == has_cat)
			return c;
	}
	c = PUSH(run->cat, run->ncat, run->cat_cap, (struct cat_count){ cat, has_cat, ph, 0 });
	g->cat_slot[at & (g->ncat_slot - 1)] = (uint32_t)run->ncat;
	return c;
}

static void add_counts(struct run *run, struct gathered *g, const struct batch *b)
{
	for (size_t i = 0; i < b->ncat; i++)
		for (size_t ph = 0; ph < 128; ph++)
			if (b->cat[i].count[ph])
				cat_count(run, g, g->text[b->cat[i].name], b->cat[i].present,
					(char)ph)
					->count += b->cat[i].count[ph];
	for (size_t i = 0; i < KIND_COUNT; i++)
		run->kind_count[i] += b->kind_count[i];
	run->nevent += b->nevent;
	run->saw_window_end |= b->saw_window_end;
	if (b->first < run->first_ns)
		run->first_ns = b->first;
	if (b->last > run->last_ns)
		run->last_ns = b->last;
}

static void add_names(struct gathered *g, const struct batch *b)
{
	for (EACH(const struct batch_name, n, b->name, b->nname)) {
		struct lane key = { .pid = g->text[n->pid], .device = -1, .stream = -1 };

		key.tid = n->has_tid ? g->text[n->tid] : UINT32_MAX;
		uint32_t at = lanes_add(&g->names.of, &key);
		struct lane *l = &g->names.of.lane[at];
		if (n->what == NAME_PROCESS)
			l->process_name = g->text[n->value];
		else if (n->what == NAME_LABELS)
			l->process_labels = g->text[n->value];
		else if (n->what == NAME_THREAD)
			l->thread_name = g->text[n->value];
		else
			PUSH(g->homes.v, g->homes.n, g->homes.cap,
				((struct home){ key.pid, key.tid, g->text[n->value] }));
	}
}

enum status merge_batch(struct run *run, struct gathered *g, const struct batch *b, struct err *e)
{
	if (run->events.n + b->events.n >= NO_ROW)
		return err_set(e, E_LIMIT, -1, "more than %u events", NO_ROW - 1);
	map_texts(run, g, b);
	map_lanes(run, g, b);
	g->id = array_grow(g->id, &g->id_cap, b->ids.wide.n, sizeof(*g->id));
	for (size_t i = 0; i < b->ids.wide.n; i++)
		g->id[i] = ids_pack(&run->ids, ids_wide(&b->ids, i));
	append_args(run, g, b);
	append_events(run, g, b);
	for (size_t t = 1; t < ARGS_TABLE_COUNT; t++)
		run->args.n[t] += b->args.n[t];
	add_counts(run, g, b);
	add_names(g, b);
	for (size_t i = 0; i < b->arrows.n; i++) {
		struct arrow a = b->arrows.v[i];

		a.pid = g->text[a.pid];
		a.tid = g->text[a.tid];
		PUSH(g->arrows.v, g->arrows.n, g->arrows.cap, a);
	}
	for (size_t i = 0; i < b->nmember && g->nmember < LIMIT_META_ENTRIES; i++) {
		PUSH(g->member, g->nmember, g->member_cap,
			batch_member_copy(&b->member[i], &g->mem));
	}
	tally_merge(&run->tally, &b->tally);
	g->saw_begin_end |= b->saw_begin_end;
	if (b->bare_first < g->bare_first)
		g->bare_first = b->bare_first;
	if (b->bare_last > g->bare_last)
		g->bare_last = b->bare_last;
	if (b->zero_last > g->zero_last)
		g->zero_last = b->zero_last;
	return OK;
}
