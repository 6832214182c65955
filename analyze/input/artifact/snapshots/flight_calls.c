/* The flight recorder's entries: which are kept, and what is said of each. */

#include "analyze/input/artifact/snapshots/flight_record.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"

/* --- members, and process groups by name --- */

compact_value flight_get(const struct flight *f, compact_value map, const char *key)
{
	return compact_get(&f->doc, map, key);
}

struct span flight_text(const struct flight *f, compact_value map, const char *key)
{
	return compact_to_text(&f->doc, flight_get(f, map, key));
}

bool flight_int(const struct flight *f, compact_value v, int64_t *i)
{
	return compact_to_int(&f->doc, v, i) || num_i64(compact_to_text(&f->doc, v), i);
}

struct flight_group *flight_group_of(struct flight *f, struct span name)
{
	size_t id = strings_intern(&f->names, name);

	if (name.n == 0)
		id = strings_intern(&f->names, SPAN(" "));
	if (id > f->ngroup) {
		ARENA_PUSH(&f->in->mem, f->group, f->ngroup, f->group_cap,
			(struct flight_group){ .name = name, .pg_id = -1 });
	}
	return &f->group[id - 1];
}

/* --- calls --- */

enum { NS_OF_MS = 1000000, TYPES_NAMED = 8 };

/* An entry, as far as all of them are looked at. */
struct call {
	compact_value entry;
	struct flight_group *group;
	struct span op, meta; /* "send", "0->3" */
	struct span state;
	int64_t record, pg_id, seq;
	bool is_p2p, is_completed;
};

static int64_t int_of(const struct flight *f, compact_value map, const char *key)
{
	int64_t v;

	return flight_int(f, flight_get(f, map, key), &v) ? v : -1;
}

/* "nccl:send 0->3": what was called, and between whom. */
static void split_name(const struct flight *f, struct call *c)
{
	struct span name = flight_text(f, c->entry, "profiling_name");
	struct span library, rest;

	(void)span_cut(span_cut(name, ':', &library, &rest) ? rest : name, ' ', &c->op, &c->meta);
}

static struct span group_name(const struct flight *f, compact_value entry)
{
	return compact_to_text(
		&f->doc, compact_item(&f->doc, flight_get(f, entry, "process_group"), 0));
}

static void look(struct flight *f, struct call *c, compact_value entry, size_t nmember)
{
	*c = (struct call){ .entry = entry };
	split_name(f, c);
	c->state = flight_text(f, entry, "state");
	c->is_completed = span_is(c->state, "completed");
	c->is_p2p = compact_is_true(flight_get(f, entry, "is_p2p")) || span_is(c->op, "send") ||
		span_is(c->op, "recv");
	c->record = int_of(f, entry, "record_id");
	c->pg_id = int_of(f, entry, "pg_id");
	const char *seq = c->is_p2p ? "p2p_seq_id" : "collective_seq_id";
	c->seq = int_of(f, entry, flight_get(f, entry, seq) ? seq : "seq_id");
	c->group = flight_group_of(f, group_name(f, entry));
	if (c->pg_id >= 0)
		c->group->pg_id = c->pg_id;
	f->looked_at += (int64_t)nmember;
}

/* Calls inside a batch have no state of their own: theirs is that of the entry that ends it, which
 * has their number and group. */
static void settle_batches(struct call *c, size_t n, const struct flight *f, struct arena *mem)
{
	const struct call **end = arena_array(mem, 2 * f->ngroup + 1, sizeof(*end));

	for (size_t i = n; i > 0; i--) {
		struct call *at = &c[i - 1];
		const struct call **slot = &end[2 * (size_t)(at->group - f->group) + at->is_p2p];

		if (span_ends(at->op, "coalesced")) {
			*slot = at;
		} else if (*slot && (*slot)->seq == at->seq) {
			at->state = (*slot)->state;
			at->is_completed = (*slot)->is_completed;
		}
	}
}

/* A text that is there, kept. */
static void put_text(struct flight *f, struct table *t, size_t col, const struct str *text)
{
	if (text->n)
		table_text(t, col, record_text(f->in->record, (struct span){ text->s, text->n }));
}

/* "4027x5120, 8"; *count: elements of all of them. */
static void put_sizes(
	struct flight *f, struct table *t, size_t col, size_t count_col, compact_value sizes)
{
	SCOPED_STR text = { 0 };
	int64_t all = 0, one, v;
	size_t k;

	for (size_t i = 0; i < compact_count(&f->doc, sizes) && f->looked_at <= LIMIT_VALUES; i++) {
		compact_value dims = compact_item(&f->doc, sizes, i);
		size_t ndim = compact_count(&f->doc, dims);

		str_adds(&text, i ? ", " : "");
		for (one = 1, k = 0; k < ndim; k++) {
			if (!flight_int(f, compact_item(&f->doc, dims, k), &v))
				v = 0;
			str_addf(&text, "%s%lld", k ? "x" : "", (long long)v);
			if (__builtin_mul_overflow(one, v, &one))
				one = INT64_MAX;
		}
		str_adds(&text, ndim ? "" : "scalar");
		if (__builtin_add_overflow(all, one, &all))
			all = INT64_MAX;
		f->looked_at += (int64_t)ndim + 1;
	}
	put_text(f, t, col, &text);
	if (text.n)
		table_int(t, count_col, all);
}

/* Types, each once. */
static void put_types(struct flight *f, struct table *t, size_t col, compact_value types)
{
	struct span seen[TYPES_NAMED];
	SCOPED_STR text = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < compact_count(&f->doc, types) && n < TYPES_NAMED; i++) {
		struct span type = compact_to_text(&f->doc, compact_item(&f->doc, types, i));

		if (type.n == 0 || ANY(k, n, span_eq(seen[k], type)))
			continue;
		seen[n++] = type;
		str_adds(&text, text.n ? ", " : "");
		str_add(&text, type.p, type.n);
	}
	f->looked_at += (int64_t)compact_count(&f->doc, types);
	put_text(f, t, col, &text);
}

static bool is_of_torch(struct span file)
{
	return span_has(file, "/torch/") || span_starts(file, "torch/") ||
		span_has(file, "/torch\\") || file.n == 0 || span_has(file, "<frozen");
}

static void put_frame(const struct flight *f, struct str *out, compact_value frame)
{
	struct span name = flight_text(f, frame, "name");
	struct span file = flight_text(f, frame, "filename");
	int64_t line = int_of(f, frame, "line");

	str_add(out, name.p, name.n);
	str_adds(out, " (");
	str_add(out, file.p, file.n);
	if (line >= 0)
		str_addf(out, ":%lld", (long long)line);
	str_adds(out, ")");
}

/* The stack, and its innermost frame outside of PyTorch; else the innermost. */
static void put_frames(struct flight *f, struct table *t, compact_value frames)
{
	compact_value own = COMPACT_NONE;
	SCOPED_STR text = { 0 };

	for (size_t i = 0; i < compact_count(&f->doc, frames) && text.n < RECORD_TEXT; i++) {
		compact_value frame = compact_item(&f->doc, frames, i);

		if (!own && !is_of_torch(flight_text(f, frame, "filename")))
			own = frame;
		str_adds(&text, i ? ";" : "");
		put_frame(f, &text, frame);
		f->looked_at++;
	}
	put_text(f, t, CALLS_STACK, &text);
	str_reset(&text);
	if (own || compact_count(&f->doc, frames))
		put_frame(f, &text, own ? own : compact_item(&f->doc, frames, 0));
	put_text(f, t, CALLS_WHERE, &text);
}

/* A time that is there: JSON has 0 for none, a pickle None. */
static void put_time(const struct flight *f, struct table *t, size_t col, compact_value entry,
	const char *key, int64_t factor)
{
	int64_t v = int_of(f, entry, key);

	if (v > 0 && v <= INT64_MAX / factor)
		table_int(t, col, v * factor);
}

/* "0->3" of a send, "0<-3" of a receive: the number behind the arrow. */
static void put_peer(struct table *t, struct span meta)
{
	const char *arrow = memchr(meta.p, span_has(meta, "->") ? '>' : '-', meta.n);
	int64_t peer = 0;
	size_t at = arrow ? (size_t)(arrow - meta.p) + 1 : meta.n;

	if (at >= meta.n)
		return;
	for (; at < meta.n && meta.p[at] >= '0' && meta.p[at] <= '9' && peer < INT32_MAX; at++)
		peer = peer * 10 + (meta.p[at] - '0');
	if (at == meta.n)
		table_int(t, CALLS_PEER, peer);
}

static void put_words(struct flight *f, struct table *t, const struct call *c)
{
	struct span thread = flight_text(f, c->entry, "thread_name");

	table_text(t, CALLS_GROUP, record_text(f->in->record, c->group->name));
	table_text(t, CALLS_OP, record_text(f->in->record, c->op));
	table_text(t, CALLS_STATE, record_text(f->in->record, c->state));
	if (thread.n)
		table_text(t, CALLS_THREAD, record_text(f->in->record, thread));
}

static void put_call(struct flight *f, struct sheet *s, const struct call *c)
{
	compact_value entry = c->entry;
	struct table *t = &s->table;

	if (!record_row(s))
		return;
	put_words(f, t, c);
	if (c->record >= 0)
		table_int(t, CALLS_RECORD, c->record);
	if (c->pg_id >= 0)
		table_int(t, CALLS_PG, c->pg_id);
	if (c->seq >= 0)
		table_int(t, CALLS_SEQ, c->seq);
	table_bool(t, CALLS_IS_P2P, c->is_p2p);
	if (c->is_p2p && int_of(f, entry, "collective_seq_id") >= 0)
		table_int(t, CALLS_BEFORE, int_of(f, entry, "collective_seq_id"));
	table_bool(t, CALLS_RETIRED, compact_is_true(flight_get(f, entry, "retired")));
	put_peer(t, c->meta);
	put_time(f, t, CALLS_CREATED, entry, "time_created_ns", 1);
	put_time(f, t, CALLS_STARTED, entry, "time_discovered_started_ns", 1);
	put_time(f, t, CALLS_COMPLETED, entry, "time_discovered_completed_ns", 1);
	put_time(f, t, CALLS_TIMEOUT, entry, "timeout_ms", NS_OF_MS);
	put_sizes(f, t, CALLS_IN, CALLS_IN_COUNT, flight_get(f, entry, "input_sizes"));
	put_sizes(f, t, CALLS_OUT, CALLS_OUT_COUNT, flight_get(f, entry, "output_sizes"));
	put_types(f, t, CALLS_IN_TYPE, flight_get(f, entry, "input_dtypes"));
	put_types(f, t, CALLS_OUT_TYPE, flight_get(f, entry, "output_dtypes"));
	put_frames(f, t, flight_get(f, entry, "frames"));
}

/* The last completed call of each group, of collectives and of the others: by its number. */
static const struct call **find_last(
	const struct call *c, size_t n, const struct flight *f, struct arena *mem)
{
	const struct call **last = arena_array(mem, 2 * f->ngroup + 1, sizeof(*last));

	for (EACH(const struct call, call, c, n)) {
		const struct call **slot =
			&last[2 * (size_t)(call->group - f->group) + call->is_p2p];

		if (call->is_completed && (!*slot || call->seq >= (*slot)->seq))
			*slot = call;
	}
	return last;
}

/* All entries; groups may move while they are looked at, so their places are found again. */
static struct call *look_at_all(struct flight *f, compact_value entries, size_t *n)
{
	size_t all = compact_count(&f->doc, entries), nmember, i;
	struct call *c = arena_array(&f->in->mem, all, sizeof(*c));
	int64_t odd = 0;

	for (*n = 0, i = 0; i < all && f->looked_at <= LIMIT_VALUES; i++) {
		compact_value entry = compact_item(&f->doc, entries, i);

		if (compact_pairs(&f->doc, entry, &nmember) && flight_text(f, entry, "state").n)
			look(f, &c[(*n)++], entry, nmember);
		else
			odd++;
	}
	for (i = 0; i < *n; i++)
		c[i].group = flight_group_of(f, group_name(f, c[i].entry));
	if (odd)
		reading_note(f->in, NOTE_WARNING, "flight_entries", odd, -1,
			"%lld entries without a state are left out", (long long)odd);
	return c;
}

void flight_calls(struct flight *f)
{
	struct sheet *s = record_sheet(f->in->record, f->in->artifact, SHEET_CALLS);
	size_t n;
	struct call *c = look_at_all(f, flight_get(f, f->dump, "entries"), &n);

	settle_batches(c, n, f, &f->in->mem);
	const struct call **last = find_last(c, n, f, &f->in->mem);
	for (size_t i = 0; i < n && f->looked_at <= LIMIT_VALUES; i++)
		if (!c[i].is_completed ||
			last[2 * (size_t)(c[i].group - f->group) + c[i].is_p2p] == &c[i])
			put_call(f, s, &c[i]);
	reading_artifact(f->in)->rows += (int64_t)n;
}
