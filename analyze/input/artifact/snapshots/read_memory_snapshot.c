/* Memory snapshots of PyTorch: a pickle, read in constant memory beside what is kept, or the same
 * as JSON. */
#include "analyze/input/artifact/snapshots/snapshot_take.h"

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/snapshots/dump.h"
#include "analyze/input/value/pickle.h"
#include "base/base.h"
#include "base/unit.h"

/* --- frames, stacks, entries, blocks and segments out of lists and dicts --- */

enum { ROW_FRAME, ROW_STACK, ROW_PAIR, ROW_ENTRY, ROW_BLOCK, ROW_SEGMENT };
enum { DEVICES = 1024 };

/* The value of a key, the last of that name; COMPACT_NONE: there is none. */
static compact_value find(const compact_value *pair, size_t n, enum snapshot_word key)
{
	for (size_t i = n; i > 0; i--)
		if (compact_to_sym(pair[2 * i - 2]) == (sym)key)
			return pair[2 * i - 1];
	return COMPACT_NONE;
}

static bool has(const compact_value *pair, size_t n, enum snapshot_word key)
{
	return find(pair, n, key) != COMPACT_NONE;
}

static int64_t number(
	const struct compact *c, const compact_value *pair, size_t n, enum snapshot_word key)
{
	int64_t v;

	return compact_to_int(c, find(pair, n, key), &v) ? v : MEMSNAP_UNKNOWN;
}

/* What is no size is unknown. */
static int64_t size_of(
	const struct compact *c, const compact_value *pair, size_t n, enum snapshot_word key)
{
	int64_t v = number(c, pair, n, key);

	return v < 0 ? MEMSNAP_UNKNOWN : v;
}

static uint32_t stack_of(const compact_value *pair, size_t n)
{
	uint64_t stack;

	return compact_is_row(find(pair, n, SNAPSHOT_FRAMES), ROW_STACK, &stack) ? (uint32_t)stack
										 : 0;
}

static size_t word_of(const sym *words, size_t n, compact_value v)
{
	sym s = compact_to_sym(v);

	for (size_t i = n; s && i > 0; i--)
		if (words[i - 1] == s)
			return i - 1;
	return 0;
}

/* What is written, over what was known: older keys stay where the new ones do not say. */
static void fill_entry(struct snapshot_take *t, struct memsnap_entry *to, const struct compact *c,
	const compact_value *pair, size_t n)
{
	int64_t v;

	if (has(pair, n, SNAPSHOT_ACTION))
		to->action = (enum memsnap_action)word_of(
			t->action, MEMSNAP_ACTION_COUNT, find(pair, n, SNAPSHOT_ACTION));
	if (compact_to_int(c, find(pair, n, SNAPSHOT_ADDR), &v) ||
		compact_to_int(c, find(pair, n, SNAPSHOT_DEVICE_FREE), &v))
		to->addr = v;
	if (compact_to_int(c, find(pair, n, SNAPSHOT_SIZE), &v))
		to->size = v;
	if (compact_to_int(c, find(pair, n, SNAPSHOT_STREAM), &v))
		to->stream = v;
	if (compact_to_int(c, find(pair, n, SNAPSHOT_TIME_US), &v))
		to->time_us = v;
	if (has(pair, n, SNAPSHOT_FRAMES))
		to->stack = stack_of(pair, n);
}

static compact_value take_entry(
	struct snapshot_take *t, const struct compact *c, const compact_value *pair, size_t n)
{
	struct memsnap_entry entry = { MEMSNAP_OTHER, MEMSNAP_UNKNOWN, MEMSNAP_UNKNOWN,
		MEMSNAP_UNKNOWN, MEMSNAP_UNKNOWN, 0 };

	fill_entry(t, &entry, c, pair, n);
	return compact_row(ROW_ENTRY, memsnap_add_entry(t->m, &entry));
}

static compact_value take_block(
	struct snapshot_take *t, const struct compact *c, const compact_value *pair, size_t n)
{
	struct memsnap_block b = { .address = number(c, pair, n, SNAPSHOT_ADDRESS),
		.size = size_of(c, pair, n, SNAPSHOT_SIZE),
		.requested = size_of(c, pair, n, SNAPSHOT_REQUESTED_SIZE),
		.stack = stack_of(pair, n) };

	b.state = (uint8_t)word_of(t->state, MEMSNAP_STATE_COUNT, find(pair, n, SNAPSHOT_STATE));
	if (b.size == MEMSNAP_UNKNOWN) {
		b.size = 0;
		t->nbad++;
	}
	return compact_row(ROW_BLOCK, memsnap_add_block(t->m, &b));
}

/* Rows of a kind that a list is: an empty one was taken as a stack of no frames. */
static bool rows_of(
	const struct compact *c, compact_value list, unsigned kind, uint64_t *first, size_t *n)
{
	uint64_t stack;

	*first = *n = 0;
	return (compact_is_row(list, ROW_STACK, &stack) && stack == 0) ||
		compact_run(c, list, kind, first, n);
}

/* No two have the same rows: what is written once is looked at once. */
static bool are_new(size_t *seen, uint64_t first, size_t n)
{
	if (n && first < *seen)
		return false;
	*seen = n ? (size_t)first + n : *seen;
	return true;
}

/* Older versions do not write where blocks are: one behind the other. */
static void place_blocks(struct memsnap *m, const struct memsnap_segment *s)
{
	int64_t at = s->address;

	for (size_t i = s->block; i < s->block + s->nblock; i++) {
		if (m->block[i].address == MEMSNAP_UNKNOWN)
			m->block[i].address = at;
		at = at == MEMSNAP_UNKNOWN ? at
					   : saturate_add(m->block[i].address, m->block[i].size);
	}
}

static enum status take_segment(struct snapshot_take *t, const struct compact *c,
	const compact_value *pair, size_t n, compact_value *row, struct err *e)
{
	struct memsnap_segment s = { .device = number(c, pair, n, SNAPSHOT_DEVICE),
		.address = number(c, pair, n, SNAPSHOT_ADDRESS),
		.total = size_of(c, pair, n, SNAPSHOT_TOTAL_SIZE),
		.stream = number(c, pair, n, SNAPSHOT_STREAM),
		.allocated = size_of(c, pair, n, SNAPSHOT_ALLOCATED_SIZE),
		.active = size_of(c, pair, n, SNAPSHOT_ACTIVE_SIZE),
		.requested = size_of(c, pair, n, SNAPSHOT_REQUESTED_SIZE),
		.stack = stack_of(pair, n),
		.is_large = compact_to_sym(find(pair, n, SNAPSHOT_SEGMENT_TYPE)) == SNAPSHOT_LARGE,
		.is_expandable = compact_is_true(find(pair, n, SNAPSHOT_IS_EXPANDABLE)) };
	uint64_t first, pool;
	size_t nblock;

	if (!rows_of(c, find(pair, n, SNAPSHOT_BLOCKS), ROW_BLOCK, &first, &nblock) ||
		!are_new(&t->nblock, first, nblock))
		return err_set(e, E_SYNTAX, -1,
			"malformed snapshot: a segment whose blocks are none, or not its own");
	if (s.total == MEMSNAP_UNKNOWN) {
		s.total = 0;
		t->nbad++;
	}
	if (compact_is_row(find(pair, n, SNAPSHOT_POOL_ID), ROW_PAIR, &pool))
		s.pool = (uint32_t)pool;
	s.block = (uint32_t)first;
	s.nblock = (uint32_t)nblock;
	place_blocks(t->m, &s);
	*row = compact_row(ROW_SEGMENT, memsnap_add_segment(t->m, &s));
	return OK;
}

static compact_value take_frame(
	struct snapshot_take *t, const struct compact *c, const compact_value *pair, size_t n)
{
	return compact_row(ROW_FRAME,
		memsnap_frame(t->m, compact_to_sym(find(pair, n, SNAPSHOT_NAME)),
			compact_to_sym(find(pair, n, SNAPSHOT_FILENAME)),
			number(c, pair, n, SNAPSHOT_LINE)));
}

static enum status take_map(void *ctx, struct compact *c, const compact_value *pair, size_t n,
	compact_value *row, struct err *e)
{
	struct snapshot_take *t = ctx;
	uint64_t at;

	if (compact_is_row(*row, ROW_ENTRY, &at)) {
		struct memsnap_entry entry = memsnap_entry(t->m, (uint32_t)at);

		fill_entry(t, &entry, c, pair, n);
		memsnap_set_entry(t->m, (uint32_t)at, &entry);
	} else if (*row) {
		return OK;
	} else if (has(pair, n, SNAPSHOT_ACTION)) {
		*row = take_entry(t, c, pair, n);
	} else if (has(pair, n, SNAPSHOT_BLOCKS) && has(pair, n, SNAPSHOT_TOTAL_SIZE)) {
		return take_segment(t, c, pair, n, row, e);
	} else if (has(pair, n, SNAPSHOT_STATE) && has(pair, n, SNAPSHOT_SIZE)) {
		*row = take_block(t, c, pair, n);
	} else if (has(pair, n, SNAPSHOT_NAME) && has(pair, n, SNAPSHOT_FILENAME)) {
		*row = take_frame(t, c, pair, n);
	}
	return OK;
}

/* Frames are a stack, two numbers a pool's id. */
static enum status take_list(void *ctx, struct compact *c, const compact_value *item, size_t n,
	compact_value *row, struct err *e UNUSED)
{
	struct snapshot_take *t = ctx;
	int64_t a, b;
	uint64_t frame;

	if (n == 2 && compact_to_int(c, item[0], &a) && compact_to_int(c, item[1], &b)) {
		*row = compact_row(ROW_PAIR, memsnap_pair(t->m, a, b));
		return OK;
	}
	t->frame = array_grow(t->frame, &t->frame_cap, n + 1, sizeof(*t->frame));
	for (size_t i = 0; i < n; i++) {
		if (!compact_is_row(item[i], ROW_FRAME, &frame))
			return OK;
		t->frame[i] = (uint32_t)frame;
	}
	*row = compact_row(ROW_STACK, memsnap_stack(t->m, t->frame, n));
	return OK;
}

void snapshot_take_init(struct snapshot_take *t, struct memsnap *m)
{
	static const char *const words[] = { "",
#define X(name, word) word,
		SNAPSHOT_WORDS(X)
#undef X
	};

	*t = (struct snapshot_take){ .m = m,
		.taker = { t, 1 << ROW_ENTRY | 1 << ROW_BLOCK | 1 << ROW_SEGMENT, take_map,
			take_list } };
	for (size_t i = 0; i < SNAPSHOT_WORD_COUNT; i++)
		(void)strings_intern(&m->names, span_of(words[i]));
	for (size_t i = 0; i < MEMSNAP_ACTION_COUNT; i++)
		t->action[i] = strings_intern(
			&m->names, span_of(memsnap_action_word((enum memsnap_action)i)));
	for (size_t i = 0; i < MEMSNAP_STATE_COUNT; i++)
		t->state[i] = strings_intern(
			&m->names, span_of(memsnap_state_word((enum memsnap_state)i)));
	compact_init(&t->compact, &m->names, &t->taker);
}

void snapshot_take_clear(struct snapshot_take *t)
{
	compact_clear(&t->compact);
	free(t->frame);
}

static enum status is_none(struct err *e)
{
	(void)err_set(e, E_FORMAT, 0,
		"no memory snapshot: a dict with \"segments\" and \"device_traces\" was expected");
	return err_hint(e, "torch.cuda.memory._dump_snapshot writes what is read here");
}

/* Lists of entries, by device. */
static enum status take_traces(struct snapshot_take *t, compact_value traces, struct err *e)
{
	const struct compact *c = &t->compact;
	size_t n;

	for (size_t i = 0; i < compact_count(c, traces); i++) {
		uint64_t first;

		if (!rows_of(c, compact_item(c, traces, i), ROW_ENTRY, &first, &n) ||
			!are_new(&t->nentry, first, n))
			return err_set(e, E_SYNTAX, -1,
				"malformed snapshot: device_traces[%zu] is not a list of its "
				"own entries",
				i);
		if (n && t->m->ntrace == DEVICES)
			return err_set(e, E_LIMIT, -1,
				"the snapshot has a history of more than %d devices", (int)DEVICES);
		if (n)
			memsnap_add_trace(t->m, (int64_t)i, (size_t)first, n);
	}
	return OK;
}

static void take_setting(struct snapshot_take *t, struct reading *in, sym key, compact_value v)
{
	struct span name = strings_get(&t->m->names, key);
	SCOPED_STR written = { 0 };
	struct scalars *to = &in->record->config;
	int64_t i;

	if (key == SNAPSHOT_EXPANDABLE_SEGMENTS && compact_type(v) == COMPACT_BOOL)
		t->m->expandable = compact_is_true(v);
	if (compact_type(v) == COMPACT_OBJECT || compact_type(v) == COMPACT_ROW ||
		name.n > RECORD_TEXT)
		return;
	struct span path =
		span_of(arena_printf(&in->mem, "allocator_settings.%.*s", (int)name.n, name.p));
	bool is_whole = compact_to_int(&t->compact, v, &i);
	double number = is_whole ? (double)i : NAN;
	if (compact_type(v) == COMPACT_TEXT) {
		reading_text(in, to, path, compact_to_text(&t->compact, v));
	} else if (compact_to_real(&t->compact, v, &number) || is_whole) {
		unit_put_real(&written, number);
		reading_number(
			in, to, path, MEASURE_NONE, number, (struct span){ written.s, written.n });
	} else {
		bool is_bool = compact_type(v) == COMPACT_BOOL, is = compact_is_true(v);

		record_scalar(in->record, to,
			&(struct scalar){ path, is_bool ? SCALAR_BOOL : SCALAR_NULL, is,
				span_of(!is_bool     ? ""
						: is ? "True"
						     : "False"),
				MEASURE_NONE, in->artifact });
	}
}

static void take_settings(struct snapshot_take *t, struct reading *in, compact_value settings)
{
	size_t i, n = 0;

	const compact_value *pair = compact_pairs(&t->compact, settings, &n);
	for (i = 0; i < n; i++)
		if (compact_to_sym(pair[2 * i]))
			take_setting(t, in, compact_to_sym(pair[2 * i]), pair[2 * i + 1]);
}

/* The document as a whole into the snapshot, its settings into in->record->config.  E_FORMAT: it is
 * none. */
static enum status snapshot_take_all(
	struct snapshot_take *t, struct reading *in, compact_value document, struct err *e)
{
	const struct compact *c = &t->compact;
	uint64_t first;
	size_t n, nsegment;
	const compact_value *pair = compact_pairs(c, document, &n);

	if (!pair)
		return compact_count(c, document) &&
				rows_of(c, document, ROW_SEGMENT, &first, &nsegment)
			? OK
			: is_none(e);
	if (!has(pair, n, SNAPSHOT_SEGMENTS) ||
		!rows_of(c, find(pair, n, SNAPSHOT_SEGMENTS), ROW_SEGMENT, &first, &nsegment))
		return is_none(e);
	TRY(take_traces(t, find(pair, n, SNAPSHOT_DEVICE_TRACES), e));
	take_settings(t, in, find(pair, n, SNAPSHOT_SETTINGS));
	return OK;
}

/* Its keys stand in a pickle as they are; the history's may be behind all segments. */
static enum match probe(const struct head *h)
{
	bool is_it;

	if (h->form == HEAD_OBJECT)
		is_it = head_has(h, "segments") &&
			(head_has(h, "device_traces") || head_mentions(h, "total_size"));
	else if (h->form == HEAD_ARRAY)
		is_it = head_count(h, "address total_size blocks segment_type") >= 3;
	else
		is_it = pickle_is(h->text) &&
			((span_has(h->text, "segments") && span_has(h->text, "device_traces")) ||
				(span_has(h->text, "total_size") && span_has(h->text, "blocks")));
	return is_it && !head_has(h, "traceEvents") ? MATCH_STRONG : MATCH_NO;
}

/* Entries that are none: without a known action they tell nothing, without a size neither. */
static void drop_bad(struct snapshot_take *t)
{
	struct memsnap *m = t->m;

	for (size_t i = 0; i < m->nentry; i++) {
		bool is_sized = m->action[i] >= MEMSNAP_ALLOC && m->action[i] <= MEMSNAP_OOM;

		m->nother += m->action[i] == MEMSNAP_OTHER;
		if (!is_sized || (m->size[i] >= 0 && m->addr[i] != MEMSNAP_UNKNOWN))
			continue;
		m->action[i] = MEMSNAP_OTHER;
		t->nbad++;
	}
}

static void say(struct reading *in, const struct snapshot_take *t)
{
	if (t->m->nother)
		reading_note(in, NOTE_INFO, "snapshot_other", (int64_t)t->m->nother, -1,
			"%zu entr%s of the history with an action that is not known here; passed over",
			t->m->nother, plural(t->m->nother, "y", "ies"));
	if (t->nbad)
		reading_note(in, NOTE_WARNING, "snapshot_bad", (int64_t)t->nbad, -1,
			"%zu of its blocks, segments and entries without size or address; passed over",
			t->nbad);
}

static enum status read_snapshot(struct reading *in, struct err *e)
{
	struct memsnap *m = record_snapshot(in->record, in->artifact);
	compact_value document = COMPACT_NONE;
	struct snapshot_take t;

	snapshot_take_init(&t, m);
	enum status st = dump_read(in, &t.compact, &document, e);
	THEN(st, snapshot_take_all(&t, in, document, e));
	drop_bad(&t);
	if (st == OK)
		say(in, &t);
	reading_artifact(in)->rows = (int64_t)(m->nblock + m->nentry);
	snapshot_take_clear(&t);
	return st;
}

const struct artifact artifact_memory_snapshot = {
	.name = "memory_snapshot",
	.title = "PyTorch memory snapshot",
	.summary = "torch.cuda.memory._dump_snapshot: segments, blocks and history of the caching "
		   "allocator, as pickle or JSON; for 'traceq memory'",
	.probe = probe,
	.read = read_snapshot,
};
