/* Columns become rows of the store again, in the order that they had. */
#include "analyze/input/format/parquet/restore.h"

#include "analyze/input/format/emit_events.h"
#include "analyze/trace/digest/digest_file.h"
#include "analyze/trace/digest/digest_wire.h"
#include "analyze/trace/digest/run_facts.h"
#include "analyze/trace/run.h"

/* The version of analyze/columns/schema.h that is read. */
enum { SCHEMA_READ = 1 };

/* Events that memory is asked for, beside those that are there, for what the table leaves out. */
enum { LEFT_OUT_MAX = 64, LEFT_OUT_MORE = 1 << 20 };

struct restoring {
	const struct parquet_in *p;
	const struct restore_sides *sides;
	struct emit_sink *out;
	struct run *run;
	uint32_t *row;     /* by row of the table: that of the run; NO_ROW: it is not kept */
	uint32_t *of;      /* by number of the event: the same */
	size_t nevent;     /* numbers there may be */
	int64_t *external; /* by row of the table: its external id; INT64_MIN: it has no arguments
	                    */
	struct strings name;
	const char *odd; /* what does not fit; NULL */
};

/* ---- what can be answered ---- */

/* What columns do not hold, and the kind of events without which a trace has none of it. */
static const struct {
	unsigned need;
	enum kind of;
	const char *what;
} lacking[] = {
	{ NEED_SHAPES | NEED_TYPES | NEED_INPUTS, KIND_COUNT, "shapes and types of operands" },
	{ NEED_STACKS, KIND_COUNT, "call stacks and modules" },
	{ NEED_PYTHON, KIND_PYTHON, "calls of Python functions" },
	{ NEED_COMM | NEED_PEERS, KIND_COUNT, "messages of collectives" },
	{ NEED_AUTOGRAD, KIND_COUNT, "which operator is the backward of which" },
	{ NEED_MEMORY, KIND_MEMORY, "events of allocators" },
	{ NEED_SYNC, KIND_SYNC, "what a wait waits for" },
	{ NEED_GRAPHS | NEED_CALL_IDS, KIND_COUNT, "graphs and numbers of calls" },
	{ NEED_SAMPLES, KIND_COUNTER, "counters" },
};

static enum status refuse_needs(const struct run *r, struct err *e)
{
	SCOPED_STR list = { 0 };
	const unsigned needs = r->args.needs & ~(r->job ? r->job_needs : 0);

	for (size_t i = 0; i < COUNT_OF(lacking); i++)
		if ((needs & lacking[i].need) &&
			(lacking[i].of == KIND_COUNT || r->kind_count[lacking[i].of] > 0))
			str_addf(&list, "%s%s", list.n ? ", " : "", lacking[i].what);
	if (list.n == 0)
		return OK;
	return err_hinted(e, E_NODATA,
		"give the trace itself; an export answers top, kernels, copies, steps and idle of a "
		"rank, and of a job that was exported as one",
		"an export holds no %s, which this needs", list.s);
}

enum status restore_knows(const struct parquet_in *p, struct err *e)
{
	if (p->table.n == 0 || p->schema < 0)
		return err_hinted(e, E_FORMAT, "'traceq export' writes what can be read again",
			"the table of an answer, which is no export of a trace");
	if (p->schema > SCHEMA_READ)
		return err_hinted(e, E_FORMAT, "read it with that one, or export again",
			"an export of version %" PRId64 " by a later traceq; this one reads %d",
			p->schema, SCHEMA_READ);
	return OK;
}

static enum status take_job(struct run *r, struct span record, struct err *e)
{
	SCOPED_STR bytes = { 0 };

	if (record.n == 0)
		return OK;
	str_add(&bytes, record.p, record.n);
	char *own = bytes.s;
	bytes = (struct str){ 0 };
	return digest_file_open(&r->job, own, record.n, e);
}

static enum status take_facts(struct restoring *x, struct err *e)
{
	struct run *r = x->run;
	struct wire_in w;
	unsigned needs = 0;

	if (x->p->kept.n == 0)
		return err_hinted(e, E_NODATA, "export it again with this version",
			"an export that does not say what its trace was");
	wire_open_sealed(&w, x->p->kept, &r->mem);
	run_facts_walk(&(struct walk){ .in = &w }, r, &needs);
	if (!wire_is_done(&w))
		return parquet_damaged("what is kept of the trace is not what it should be", e);
	TRY(take_job(r, x->p->job, e));
	/* As where JSON is read that has none. */
	r->args.needs &= needs | ~(unsigned)(NEED_FLOPS | NEED_SAMPLES);
	return refuse_needs(r, e);
}

/* ---- which rows ---- */

static bool is_kept(const struct plan *plan, enum kind kind, nsec dur)
{
	return (plan->kinds_kept & KIND_BIT(kind)) ||
		(kind == KIND_PYTHON && plan->keeps_functions && dur >= FUNCTION_MIN_NS);
}

static void odd(struct restoring *x, const char *what)
{
	x->odd = what;
}

/* 1 + the row of the table, by number of the event. */
static void put_number(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->i[i] < 0 || (uint64_t)v->i[i] >= x->nevent || x->of[v->i[i]] != 0)
			odd(x, "numbers of events");
		else
			x->of[v->i[i]] = (uint32_t)(first + i) + 1;
}

static enum kind kind_said(struct span word)
{
	return (enum kind)FIRST(k, KIND_COUNT, span_is(word, kind_word((enum kind)k)));
}

static void put_kind(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	enum kind last = KIND_COUNT;

	for (size_t i = 0; i < v->n; i++) {
		if (i == 0 || v->s[i].p != v->s[i - 1].p)
			last = kind_said(v->s[i]);
		if (last == KIND_COUNT)
			odd(x, "kinds of events");
		else
			x->run->events.kind[first + i] = (uint8_t)last;
	}
}

static void put_dur(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	for (size_t i = 0; i < v->n; i++)
		if (v->i[i] < 0)
			odd(x, "durations");
		else
			x->run->events.dur[first + i] = v->i[i];
}

static void put_external_id(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	memcpy(x->external + first, v->i, v->n * sizeof(*v->i));
}

/* ---- their values ---- */

#define ROWS(x, v, row)                                      \
	size_t i_ = 0, row = 0;                              \
	i_ < (v)->n && ((row) = (x)->row[first + i_], true); \
	i_++

static void put_start(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	for (ROWS(x, v, row))
		if (v->i[i_] == INT64_MIN)
			odd(x, "starts");
		else if (row != NO_ROW)
			x->run->events.start[row] = v->i[i_];
}

static void put_name(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	struct span last = { NULL, 0 };
	sym name = 0;

	for (ROWS(x, v, row)) {
		if (!v->s[i_].p)
			odd(x, "names");
		if (row == NO_ROW || !v->s[i_].p)
			continue;
		if (v->s[i_].p != last.p)
			name = strings_intern(&x->name, last = v->s[i_]);
		x->run->events.name[row] = name;
	}
}

static void put_track(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	const struct run *r = x->run;

	for (ROWS(x, v, row)) {
		if (row == NO_ROW)
			continue;
		if (v->i[i_] < 0 || (uint64_t)v->i[i_] >= r->lanes.n ||
			(kind_is_device((enum kind)r->events.kind[row]) &&
				!r->lanes.lane[v->i[i_]].is_device))
			odd(x, "tracks");
		else
			r->events.lane[row] = (uint32_t)v->i[i_];
	}
}

static void put_flag(
	struct restoring *x, const struct parquet_rows *v, size_t first, enum event_flag flag)
{
	for (ROWS(x, v, row))
		if (row != NO_ROW && v->b[i_])
			x->run->events.flags[row] |= (uint8_t)flag;
}

/* One that is cut is both. */
static void put_unfinished(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	put_flag(x, v, first, EVENT_UNFINISHED);
}

static void put_cut(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	put_flag(x, v, first, EVENT_CUT);
	for (ROWS(x, v, row))
		if (row != NO_ROW && v->b[i_])
			x->run->events.flags[row] &= (uint8_t)~EVENT_UNFINISHED;
}

/* A value of the argument of the table that the event's kind has. */
static void change(
	struct restoring *x, size_t row, const enum arg *arg, size_t n, union arg_value v)
{
	const struct run *r = x->run;
	const enum args_table t = args_table_of((enum kind)r->events.kind[row]);
	size_t i = FIRST(k, n, arg_infos[arg[k]].table == t);

	if (i == n || r->events.args[row] == NO_ARGS)
		odd(x, "arguments of events");
	else if (args_keeps(&r->args, arg[i]))
		args_change(&x->run->args, arg[i], r->events.args[row] - 1, v);
}

static union arg_value id_value(struct restoring *x, int64_t id)
{
	return (union arg_value){ .id = ids_pack(&x->run->ids, (uint64_t)id) };
}

static void put_correlation(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	static const enum arg args[] = { ARG_LAUNCH_CORRELATION, ARG_DEVICE_CORRELATION };

	for (ROWS(x, v, row))
		if (row != NO_ROW && v->i[i_] != INT64_MIN)
			change(x, row, args, COUNT_OF(args), id_value(x, v->i[i_]));
}

static void put_flops(struct restoring *x, const struct parquet_rows *v, size_t first)
{
	static const enum arg flops = ARG_OP_FLOPS;

	for (ROWS(x, v, row))
		if (row != NO_ROW && !isnan(v->r[i_]))
			change(x, row, &flops, 1, (union arg_value){ .f64 = v->r[i_] });
}

/* ---- all columns ---- */

struct wanted {
	const char *name;
	enum parquet_physical type;
	void (*put)(struct restoring *x, const struct parquet_rows *v, size_t first);
	unsigned need; /* 0: always */
};

/* Where rows are, and which are kept; values while they stand as in the table. */
static const struct wanted places[] = {
	{ "event", PARQUET_INT64, put_number, 0 },
	{ "kind", PARQUET_BYTE_ARRAY, put_kind, 0 },
	{ "dur_ns", PARQUET_INT64, put_dur, 0 },
	{ "external_id", PARQUET_INT64, put_external_id, 0 },
};

static const struct wanted values[] = {
	{ "start_ns", PARQUET_INT64, put_start, 0 },
	{ "name", PARQUET_BYTE_ARRAY, put_name, 0 },
	{ "track", PARQUET_INT64, put_track, 0 },
	{ "is_unfinished", PARQUET_BOOLEAN, put_unfinished, 0 },
	{ "is_cut", PARQUET_BOOLEAN, put_cut, 0 },
	{ "correlation", PARQUET_INT64, put_correlation, NEED_LINKS },
	{ "flops", PARQUET_DOUBLE, put_flops, NEED_FLOPS },
};

static enum status read_columns(
	struct restoring *x, const struct wanted *column, size_t n, struct err *e)
{
	struct parquet_rows v = { 0 };
	enum status st = OK;

	for (EACH(const struct wanted, w, column, n)) {
		size_t at, first = 0;

		if (w->need && !(x->run->args.needs & w->need))
			continue;
		st = parquet_find(x->p, w->name, w->type, &at, e);
		for (size_t g = 0; g < x->p->ngroup && st == OK; g++) {
			st = parquet_read(x->p, g, at, &v, e);
			if (st == OK)
				w->put(x, &v, first);
			first += v.n;
			if (st == OK && x->odd)
				st = parquet_damaged(x->odd, e);
		}
		if (st != OK)
			break;
	}
	parquet_rows_clear(&v);
	return st;
}

/* ---- events ---- */

/* The next row of the run; of its arguments, where it has some, with the id that it has. */
static uint32_t place_row(struct restoring *x, enum kind kind, nsec dur, int64_t external)
{
	static const enum arg args[] = { ARG_OP_EXTERNAL_ID, ARG_LAUNCH_EXTERNAL_ID,
		ARG_DEVICE_EXTERNAL_ID };
	struct events *ev = &x->run->events;
	const enum args_table t = args_table_of(kind);
	const uint32_t row = (uint32_t)ev->n++;

	ev->kind[row] = (uint8_t)kind;
	ev->dur[row] = dur;
	ev->flags[row] = 0;
	ev->args[row] =
		t != ARGS_NONE && external != INT64_MIN ? args_row(&x->run->args, t) : NO_ARGS;
	if (ev->args[row] != NO_ARGS && external != 0)
		change(x, row, args, COUNT_OF(args), id_value(x, external));
	return row;
}

/* Rows by number of their events: what was read as the table has it moves to where it was. */
static enum status place_rows(struct restoring *x, struct err *e)
{
	struct events *ev = &x->run->events;
	const size_t n = x->p->nrow;
	uint8_t *kind = xmalloc(n + 1);
	nsec *dur = xmalloc((n + 1) * sizeof(*dur));
	int64_t seen[KIND_COUNT] = { 0 };

	memcpy(kind, ev->kind, n);
	memcpy(dur, ev->dur, n * sizeof(*dur));
	for (size_t i = 0; i < x->nevent; i++) {
		const uint32_t at = x->of[i] - 1;

		if (x->of[i] == 0) {
			x->of[i] = NO_ROW;
			continue;
		}
		seen[kind[at]]++;
		x->of[i] = NO_ROW;
		if (is_kept(x->out->plan, (enum kind)kind[at], dur[at]))
			x->row[at] = x->of[i] =
				place_row(x, (enum kind)kind[at], dur[at], x->external[at]);
	}
	FREE_ALL(kind, dur);
	if (x->odd || ANY(k, KIND_COUNT, seen[k] > x->run->kind_count[k]))
		return parquet_damaged(x->odd ? x->odd : "numbers of events by kind", e);
	return OK;
}

/* Names by their first event, as reading the trace numbers them. */
static void number_names(struct restoring *x)
{
	struct events *ev = &x->run->events;
	sym *number = zeroed(x->name.n + 1, sizeof(*number));

	for (size_t i = 0; i < ev->n; i++) {
		sym was = ev->name[i];

		if (was && !number[was])
			number[was] = strings_intern(&x->run->strings, strings_get(&x->name, was));
		ev->name[i] = number[was];
	}
	free(number);
}

static enum status restore_events(struct restoring *x, struct err *e)
{
	struct events *ev = &x->run->events;
	const size_t n = x->p->nrow;
	const int64_t left = x->run->kind_count[KIND_MEMORY],
		      counters = x->run->kind_count[KIND_COUNTER];

	if ((uint64_t)left > n * LEFT_OUT_MAX + LEFT_OUT_MORE ||
		(uint64_t)counters > n * LEFT_OUT_MAX + LEFT_OUT_MORE)
		return parquet_damaged("numbers of events", e);
	x->nevent = n + (size_t)left + (size_t)counters;
	x->of = zeroed(x->nevent + 1, sizeof(*x->of));
	x->row = xmalloc((n + 1) * sizeof(*x->row));
	x->external = xmalloc((n + 1) * sizeof(*x->external));
	FILL(x->row, n, NO_ROW);
	events_reserve(ev, n);
	TRY(read_columns(x, places, COUNT_OF(places), e));
	TRY(place_rows(x, e));
	TRY(read_columns(x, values, COUNT_OF(values), e));
	number_names(x);
	return OK;
}

/* ---- what other tables say of them ---- */

struct side_column {
	const char *name;
	enum arg arg;
	int part; /* of three */
};

static const struct side_column of_kernels[] = {
	{ "grid_x", ARG_DEVICE_GRID, 0 },
	{ "grid_y", ARG_DEVICE_GRID, 1 },
	{ "grid_z", ARG_DEVICE_GRID, 2 },
	{ "block_x", ARG_DEVICE_BLOCK, 0 },
	{ "block_y", ARG_DEVICE_BLOCK, 1 },
	{ "block_z", ARG_DEVICE_BLOCK, 2 },
	{ "registers", ARG_DEVICE_REGISTERS, 0 },
	{ "shared_bytes", ARG_DEVICE_SHARED, 0 },
	{ "blocks_per_sm", ARG_DEVICE_BLOCKS_PER_SM, 0 },
	{ "est_occupancy_percent", ARG_DEVICE_OCCUPANCY, 0 },
};

static const struct side_column of_copies[] = {
	{ "bytes", ARG_DEVICE_BYTES, 0 },
	{ "details", ARG_DEVICE_COPY, 0 },
};

static const struct side {
	const char *table;
	unsigned kinds, need;
	const struct side_column *column;
	size_t n;
} sides[] = {
	{ "kernels", KIND_BIT(KIND_KERNEL), NEED_KERNEL, of_kernels, COUNT_OF(of_kernels) },
	{ "copies", KIND_BIT(KIND_MEMCPY) | KIND_BIT(KIND_MEMSET), NEED_BYTES, of_copies,
		COUNT_OF(of_copies) },
};

static enum parquet_physical type_of(enum arg arg)
{
	switch (arg_infos[arg].type) {
	case ARG_F64: return PARQUET_DOUBLE;
	case ARG_SYM: return PARQUET_BYTE_ARRAY;
	case ARG_ID:
	case ARG_I64:
	case ARG_VEC3: break;
	}
	return PARQUET_INT64;
}

/* Whether the cell says a value, and which: of a part of three the others stay. */
static bool side_value(struct restoring *x, const struct side_column *c,
	const struct parquet_rows *v, size_t i, size_t side, union arg_value *value)
{
	switch (arg_infos[c->arg].type) {
	case ARG_F64: value->f64 = v->r[i]; return !isnan(v->r[i]);
	case ARG_SYM:
		if (v->s[i].p)
			value->sym = strings_intern(&x->run->strings, v->s[i]);
		return v->s[i].p;
	case ARG_VEC3:
		args_vec3(&x->run->args, c->arg, side, value->vec3);
		value->vec3[c->part] = (uint32_t)v->i[i];
		return v->i[i] != INT64_MIN;
	case ARG_ID:
	case ARG_I64: break;
	}
	value->i64 = v->i[i];
	return v->i[i] != INT64_MIN;
}

/* Rows of the run that the rows of a group are. */
static enum status side_rows(struct restoring *x, const struct side *s,
	const struct parquet_rows *number, uint32_t *row, struct err *e)
{
	const struct events *ev = &x->run->events;

	for (size_t i = 0; i < number->n; i++) {
		const int64_t at = number->i[i];

		row[i] = at < 0 || (uint64_t)at >= x->nevent ? NO_ROW : x->of[at];
		if (row[i] == NO_ROW || !(KIND_BIT(ev->kind[row[i]]) & s->kinds))
			return parquet_damaged("numbers of events of a table", e);
	}
	return OK;
}

static enum status side_group(struct restoring *x, const struct side *s, const struct parquet_in *p,
	size_t g, uint32_t *row, struct err *e)
{
	struct parquet_rows v = { 0 };
	size_t at;
	enum status st = parquet_find(p, "event", PARQUET_INT64, &at, e);

	THEN(st, parquet_read(p, g, at, &v, e));
	THEN(st, side_rows(x, s, &v, row, e));
	for (size_t c = 0; c < s->n && st == OK; c++) {
		st = parquet_find(p, s->column[c].name, type_of(s->column[c].arg), &at, e);
		THEN(st, parquet_read(p, g, at, &v, e));
		for (size_t i = 0; i < v.n && st == OK; i++) {
			const uint32_t side = x->run->events.args[row[i]] - 1;
			union arg_value value = { 0 };

			if (side_value(x, &s->column[c], &v, i, side, &value))
				args_change(&x->run->args, s->column[c].arg, side, value);
		}
	}
	parquet_rows_clear(&v);
	return st;
}

static enum status side_table(struct restoring *x, const struct side *s, struct err *e)
{
	const struct events *ev = &x->run->events;
	const size_t n = SUM(size_t, i, ev->n, (KIND_BIT(ev->kind[i]) & s->kinds) != 0);
	struct parquet_in p = { 0 };

	if (n == 0)
		return OK;
	enum status st = x->sides->open(x->sides->ctx, s->table, &p, e);
	THEN(st, restore_knows(&p, e));
	if (st == OK && (!span_eq(p.run, x->p->run) || p.nrow != n || !span_is(p.table, s->table)))
		st = err_hinted(e, E_SYNTAX, "export the trace again",
			"its table '%s' is not of the same trace as its events", s->table);
	for (size_t g = 0; g < p.ngroup && st == OK; g++) {
		uint32_t *row = xmalloc((p.group[g].n + 1) * sizeof(*row));

		st = side_group(x, s, &p, g, row, e);
		free(row);
	}
	parquet_close(&p);
	return st;
}

static enum status restore_all(struct restoring *x, struct err *e)
{
	TRY(take_facts(x, e));
	TRY(restore_events(x, e));
	for (EACH(const struct side, s, sides, COUNT_OF(sides)))
		if (x->run->args.needs & s->need)
			TRY(side_table(x, s, e));
	return OK;
}

enum status restore_run(const struct parquet_in *events, const struct restore_sides *beside,
	struct emit_sink *out, struct err *e)
{
	struct restoring x = { .p = events, .sides = beside, .out = out, .run = out->run };

	strings_init(&x.name, out->run->strings.seed);
	enum status st = restore_all(&x, e);
	strings_clear(&x.name);
	FREE_ALL(x.row, x.of, x.external);
	return st;
}
