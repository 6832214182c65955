/* Collectives of a digest (collectives.h). */
#include "analyze/job/match/collectives.h"

#include "analyze/job/match/collpieces.h"
#include "analyze/job/digest/digest_gather.h"
#include "analyze/measure/device/devices.h"
#include "analyze/measure/device/sweep.h"
#include "analyze/trace/commname.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"
#include "base/base.h"

/* Later times are since 1970 (this one is in 2001), as all times of Kineto before 2024. */
static const nsec epoch_from = INT64_C(1000000000000000000);
static const uint64_t seed = 0x636f6c6c65637421u;

struct kind_key {
	int64_t bytes, nrank, src, dst;
	sym group, desc, ranks; /* of the run */
	sym dtype;              /* of gathering.texts */
	uint32_t op, zero;
};
_Static_assert(sizeof(struct kind_key) == 4 * 8 + 6 * 4, "no padding");

struct split_key {
	sym in, out;
};

struct found {
	struct collective c;
	uint32_t row;
};

struct gathering {
	const struct digest_view *v;
	const struct run *run;
	struct collpieces pieces;
	struct strings texts; /* names of types */
	struct keymap kinds, splits;
	struct found *found;
	size_t n, cap;
	nsec base;
};

/* What is said of who meets, in the device's side table or in that of the op. */
enum said { SEQ, DESC, RANKS, IN, OUT, SRC, DST, SAID_COUNT };
static const enum arg of_device[SAID_COUNT] = { ARG_DEVICE_SEQ, ARG_DEVICE_GROUP_DESC,
	ARG_DEVICE_GROUP_RANKS, ARG_DEVICE_IN_SPLIT, ARG_DEVICE_OUT_SPLIT, ARG_DEVICE_SOURCE,
	ARG_DEVICE_DESTINATION };
static const enum arg of_op[SAID_COUNT] = { ARG_OP_SEQ, ARG_OP_GROUP_DESC, ARG_OP_GROUP_RANKS,
	ARG_OP_IN_SPLIT, ARG_OP_OUT_SPLIT, ARG_OP_SOURCE, ARG_OP_DESTINATION };

/* Side rows of a device event and of the op that launched it; NO_ROW: there is none. */
struct sides_of {
	const struct args *args;
	uint32_t device, op;
};

static struct sides_of sides_of(const struct run *r, uint32_t row)
{
	struct sides_of s = { &r->args, NO_ROW, NO_ROW };
	enum args_table table = args_table_of((enum kind)r->events.kind[row]);

	if (r->events.args[row] == NO_ARGS)
		return s;
	if (table == ARGS_OP)
		s.op = r->events.args[row] - 1;
	if (table != ARGS_DEVICE)
		return s;
	s.device = r->events.args[row] - 1;
	uint32_t op = r->links->op[s.device];
	if (op != NO_ROW && r->events.args[op] != NO_ARGS &&
		args_table_of((enum kind)r->events.kind[op]) == ARGS_OP)
		s.op = r->events.args[op] - 1;
	return s;
}

static sym text_of(const struct sides_of *s, enum said what)
{
	sym text = s->device == NO_ROW ? 0 : args_sym(s->args, of_device[what], s->device);

	return text || s->op == NO_ROW ? text : args_sym(s->args, of_op[what], s->op);
}

static int64_t number_of(const struct sides_of *s, enum said what)
{
	int64_t n =
		s->device == NO_ROW ? ARG_UNKNOWN : args_i64(s->args, of_device[what], s->device);

	if (n < 0 && s->op != NO_ROW)
		n = args_i64(s->args, of_op[what], s->op);
	return n < 0 ? ARG_UNKNOWN : n; /* -1 is PyTorch's word for it */
}

static uint32_t kind_of(struct gathering *g, uint32_t row, const struct sides_of *s)
{
	const struct comm_call call = commclass_call(g->run, row);
	const struct kind_key key = { .bytes = call.bytes,
		.nrank = call.ranks,
		.src = number_of(s, SRC),
		.dst = number_of(s, DST),
		.group = call.group,
		.desc = text_of(s, DESC),
		.ranks = text_of(s, RANKS),
		.dtype = strings_intern(&g->texts, call.dtype_text),
		.op = (uint32_t)call.op };

	return keymap_add(&g->kinds, &key);
}

/* The next number of a list such as "[1, 2]"; false at its end. */
static bool next_number(struct span *s, int64_t *n)
{
	bool is_any = false;

	*n = 0;
	for (; s->n > 0; s->p++, s->n--) {
		int digit = *s->p - '0';

		if (digit >= 0 && digit <= 9) {
			*n = saturate_add(saturate_times(*n, 10), digit);
			is_any = true;
		} else if (is_any) {
			break;
		}
	}
	return is_any;
}

/* Whether a list has elements, and all of them: Kineto leaves the middle of long ones out. */
static bool is_list(struct span s)
{
	int64_t n;

	return !span_has(s, "...") && next_number(&s, &n);
}

static uint32_t split_of(struct gathering *g, const struct sides_of *s)
{
	const struct split_key key = { text_of(s, IN), text_of(s, OUT) };

	if (!is_list(strings_get(&g->run->strings, key.in)) &&
		!is_list(strings_get(&g->run->strings, key.out)))
		return 0;
	return keymap_add(&g->splits, &key) + 1;
}

static void add(struct gathering *g, uint32_t row, uint32_t step)
{
	const struct events *ev = &g->run->events;
	const struct sides_of s = sides_of(g->run, row);

	struct found *f = PUSH(g->found, g->n, g->cap,
		(struct found){
			.c = { .start = saturate_add(ev->start[row], g->base),
				.dur = ev->dur[row],
				.seq = number_of(&s, SEQ),
				.kind = kind_of(g, row, &s),
				.step = COLL_NO_STEP,
				.lane = ev->lane[row],
				.split = split_of(g, &s) },
			.row = row,
		});
	if (step != NO_ROW && g->v->place[step])
		f->c.step = g->v->place[step] - 1;
	collpieces_show(&g->pieces, &f->c, ev->start[row]);
}

/* Work of any stream hides, as in the ledger; copies do not. */
static void hide(struct gathering *g, int64_t device, struct arena *mem)
{
	const struct events *ev = &g->run->events;
	struct sweep sweep;
	uint32_t row;

	collpieces_begin(&g->pieces);
	sweep_device(&sweep, g->run, device, mem);
	while (sweep_next(&sweep, &row)) {
		enum devclass class = classes_of(g->v->classes, row);

		if (class == CLASS_COMPUTE || class == CLASS_MEMSET)
			collpieces_hide(&g->pieces, ev->start[row], events_end(ev, row));
	}
}

static uint32_t step_of(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];

	return side == NO_ARGS ? NO_ROW : r->steps->of_device[side - 1];
}

static void gather_device(struct gathering *g, int64_t device, struct arena *mem)
{
	const bool *lane = g->v->view->lane;
	struct sweep sweep;
	uint32_t row;

	hide(g, device, mem);
	sweep_device(&sweep, g->run, device, mem);
	while (sweep_next(&sweep, &row))
		if (classes_of(g->v->classes, row) == CLASS_COMM &&
			(!lane || lane[g->run->events.lane[row]]))
			add(g, row, step_of(g->run, row));
}

/* ---- what the host carries out itself ---- */

/* What a name is. */
enum host_name { NAME_OTHER, NAME_COMM, NAME_ON_HOST };

struct host_row {
	nsec start, end;
	uint32_t row;
};

ORDER(by_begin, struct host_row, compare3(a->start, b->start), compare3(a->row, b->row))

struct host_rows {
	const struct gathering *g;
	const uint8_t *is; /* by name: enum host_name */
	struct host_row *v;
	size_t n;
};

/* Collectives of a thread, the outermost of each. */
static void find_collectives(struct host_rows *h, size_t from, size_t to)
{
	const struct events *ev = &h->g->run->events;
	nsec end = INT64_MIN;

	for (size_t i = from; i < to; i++) {
		uint32_t row = h->g->run->order->host[i];

		if (h->is[ev->name[row]] != NAME_ON_HOST || ev->start[row] < end)
			continue;
		end = events_end(ev, row);
		h->v[h->n++] = (struct host_row){ ev->start[row], end, row };
	}
}

/* Ops of a thread that call no other, which is where a host computes; those that communicate aside.
 */
static void find_computing(struct host_rows *h, size_t from, size_t to)
{
	const struct events *ev = &h->g->run->events;
	size_t first = h->n;

	for (size_t i = from; i < to; i++) {
		uint32_t row = h->g->run->order->host[i];

		if (ev->kind[row] != KIND_OP)
			continue;
		if (h->n > first && h->v[h->n - 1].end > ev->start[row])
			h->n--;
		if (h->is[ev->name[row]] == NAME_OTHER)
			h->v[h->n++] =
				(struct host_row){ ev->start[row], events_end(ev, row), row };
	}
}

/* Of all threads, by start. */
static void find_rows(struct host_rows *h, void (*find)(struct host_rows *, size_t, size_t))
{
	const struct order *o = h->g->run->order;

	h->n = 0;
	for (size_t i = 0; i < h->g->run->lanes.n; i++)
		find(h, o->host_begin[i], o->host_begin[i + 1]);
	sort_rows(h->v, h->n, sizeof(*h->v), by_begin);
}

static const uint8_t *name_kinds(const struct strings *names, struct arena *mem, bool *any)
{
	uint8_t *is = arena_array(mem, names->n, sizeof(*is));

	for (size_t i = 0; i < names->n; i++) {
		struct span name = strings_get(names, (sym)i);

		is[i] = commname_is_on_host(name)                          ? NAME_ON_HOST
			: commname_is_op(name) || commname_is_record(name) ? NAME_COMM
									   : NAME_OTHER;
		*any |= is[i] == NAME_ON_HOST;
	}
	return is;
}

/* Where no device has any: what the host does in them, while the first device computes or not, or
 * without one the host itself. */
static void gather_host(struct gathering *g, const struct devices *devices, struct arena *mem)
{
	struct host_rows h = { .g = g };
	bool is_any = false;

	h.is = name_kinds(&g->run->strings, mem, &is_any);
	if (!is_any)
		return;
	h.v = arena_array(mem, g->run->order->host_begin[g->run->lanes.n], sizeof(*h.v));
	if (devices->n > 0)
		hide(g, devices->id[0], mem);
	else
		find_rows(&h, find_computing);
	for (EACH(const struct host_row, op, h.v, h.n))
		collpieces_hide(&g->pieces, op->start, op->end);
	find_rows(&h, find_collectives);
	for (EACH(const struct host_row, coll, h.v, h.n))
		add(g, coll->row, steps_at(g->run->steps, coll->start));
}

/* Lanes that have collectives get numbers from 0, by device and stream: alike on alike ranks. */
static void number_lanes(struct gathering *g, struct arena *mem)
{
	const struct lanes *lanes = &g->run->lanes;
	uint32_t *number = arena_array(mem, lanes->n, sizeof(*number));
	struct lane_place *p = arena_array(mem, lanes->n, sizeof(*p));
	size_t n = 0;

	for (size_t i = 0; i < g->n; i++) {
		uint32_t lane = g->found[i].c.lane;

		if (number[lane]++ == 0)
			p[n++] = lane_place(lanes, lane);
	}
	lane_places_sort(p, n);
	for (size_t i = 0; i < n; i++)
		number[p[i].lane] = (uint32_t)i;
	for (EACH(struct found, found, g->found, g->n))
		found->c.lane = number[found->c.lane];
}

ORDER(by_start, struct found, compare3(a->c.start, b->c.start), compare3(a->c.lane, b->c.lane),
	compare3(a->row, b->row))

static struct span keep(struct arena *mem, struct span s)
{
	return (struct span){ arena_copy(mem, s.p, s.n), s.n };
}

static void put_kinds(const struct gathering *g, struct collectives *out, struct arena *mem)
{
	const struct strings *texts = &g->run->strings;

	out->nkind = g->kinds.n;
	out->kind = arena_array(mem, out->nkind, sizeof(*out->kind));
	for (size_t i = 0; i < out->nkind; i++) {
		const struct kind_key *key = keymap_key(&g->kinds, (uint32_t)i);

		out->kind[i] = (struct coll_kind){
			.group = keep(mem, strings_get(texts, key->group)),
			.desc = keep(mem, strings_get(texts, key->desc)),
			.ranks = keep(mem, strings_get(texts, key->ranks)),
			.dtype = keep(mem, strings_get(&g->texts, key->dtype)),
			.op = (enum comm_op)key->op,
			.bytes = key->bytes,
			.nrank = key->nrank,
			.src = key->src,
			.dst = key->dst,
		};
	}
}

/* The numbers of a list; NULL and 0 for one with parts left out. */
static const int64_t *numbers(struct span s, size_t *n, struct arena *mem)
{
	struct span rest = s;
	int64_t value, *v;

	*n = 0;
	if (span_has(s, "..."))
		return NULL;
	while (next_number(&rest, &value))
		++*n;
	v = arena_array(mem, *n, sizeof(*v));
	for (size_t i = 0; i < *n; i++)
		(void)next_number(&s, &v[i]);
	return v;
}

static void put_splits(const struct gathering *g, struct collectives *out, struct arena *mem)
{
	const struct strings *texts = &g->run->strings;

	out->nsplit = g->splits.n;
	out->split = arena_array(mem, out->nsplit, sizeof(*out->split));
	for (size_t i = 0; i < out->nsplit; i++) {
		const struct split_key *key = keymap_key(&g->splits, (uint32_t)i);
		struct coll_split *s = &out->split[i];

		s->in = numbers(strings_get(texts, key->in), &s->nin, mem);
		s->out = numbers(strings_get(texts, key->out), &s->nout, mem);
	}
}

static struct collectives *put(struct gathering *g, struct arena *mem)
{
	struct collectives *out = arena_alloc(mem, sizeof(*out));
	uint32_t *row = arena_array(mem, g->n, sizeof(*row));

	sort_rows(g->found, g->n, sizeof(*g->found), by_start);
	out->n = g->n;
	out->v = arena_array(mem, out->n, sizeof(*out->v));
	for (size_t i = 0; i < out->n; i++) {
		out->v[i] = g->found[i].c;
		row[i] = g->found[i].row;
	}
	out->row = row;
	out->npiece = g->pieces.n;
	out->piece = arena_array(mem, out->npiece, sizeof(*out->piece));
	if (out->npiece)
		memcpy(out->piece, g->pieces.piece, out->npiece * sizeof(*out->piece));
	put_kinds(g, out, mem);
	put_splits(g, out, mem);
	out->has_epoch = g->run->meta.has_base || (out->n > 0 && out->v[0].start >= epoch_from);
	return out;
}

/* Whether any kernel can be a collective: without one there is nothing to sweep for. */
static bool may_communicate(const struct gathering *g)
{
	const struct events *ev = &g->run->events;
	const struct order *o = g->run->order;
	size_t n = o->device_begin[g->run->lanes.n];

	return ANY(i, n, classes_may_be_comm(g->v->classes, ev->name[o->device[i]]));
}

void digest_collectives(struct digest_view *v)
{
	struct gathering g = { .v = v, .run = v->run };
	struct devices devices;

	if (!v->o->collectives)
		return;
	g.base = v->run->meta.has_base ? v->run->meta.base_ns : 0;
	strings_init(&g.texts, seed);
	keymap_init(&g.kinds, sizeof(struct kind_key));
	keymap_init(&g.splits, sizeof(struct split_key));
	devices_init(&devices, v->run, &v->scratch);
	for (size_t i = 0; i < devices.n && may_communicate(&g); i++)
		gather_device(&g, devices.id[i], &v->scratch);
	if (g.n == 0)
		gather_host(&g, &devices, &v->scratch);
	number_lanes(&g, &v->scratch);
	v->d->collectives = put(&g, &v->d->mem);
	free(g.found);
	collpieces_clear(&g.pieces);
	keymap_clear(&g.kinds);
	keymap_clear(&g.splits);
	strings_clear(&g.texts);
}
