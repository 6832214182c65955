/* Emitting events: a raw event is put together and decoded. */
#include "analyze/input/format/emit_events.h"

#include <stdarg.h>
#include <stdio.h>

#include "analyze/input/events/merge_batches.h"

void emitter_init(struct emitter *m, const struct plan *plan)
{
	m->plan = plan;
	m->text_keys = 0;
	memset(m->cat, 0, sizeof(m->cat));
	for (unsigned i = 0; i < ARG_COUNT; i++)
		if (plan->key_of[i] != PLAN_NO_KEY && arg_infos[i].type == ARG_SYM)
			m->text_keys |= UINT64_C(1) << plan->key_of[i];
	batch_init(&m->batch, plan->needs, plan->seed);
	m->batch.is_plain = true;
	m->named = (struct phrase){ 0 };
	batch_reset(&m->batch);
	raw_begin(&m->raw, NULL);
}

void emitter_clear(struct emitter *m)
{
	batch_clear(&m->batch);
}

struct span emit_keep(struct emitter *m, struct span text)
{
	char *p = arena_alloc(&m->batch.mem, text.n + EMIT_PADDING);

	if (text.n)
		memcpy(p, text.p, text.n);
	memset(p + text.n, ' ', EMIT_PADDING);
	return (struct span){ p, text.n };
}

struct span emit_keepf(struct emitter *m, const char *fmt, ...)
{
	va_list ap, again;

	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *p = arena_alloc(&m->batch.mem, (size_t)n + 1 + EMIT_PADDING);
	(void)vsnprintf(p, (size_t)n + 1, fmt, again);
	va_end(again);
	memset(p + n, ' ', EMIT_PADDING);
	return (struct span){ p, (size_t)n };
}

/* Categories are constants of readers, mostly: kept once a batch. */
static struct span kept_category(struct emitter *m, struct span cat)
{
	struct span *kept = &m->cat[((uintptr_t)cat.p >> 2) % EMIT_CATS];

	if (!kept->p || kept->n != cat.n || memcmp(kept->p, cat.p, cat.n) != 0)
		*kept = emit_keep(m, cat);
	return *kept;
}

void emit_begin(struct emitter *m, char ph, struct span cat, struct span name)
{
	raw_begin(&m->raw, NULL);
	m->raw.ph = ph;
	m->raw.have = RAW_PH;
	if (cat.p) {
		m->raw.cat = kept_category(m, cat);
		m->raw.have |= RAW_CAT;
	}
	if (name.p) {
		m->raw.name = name;
		m->raw.have |= RAW_NAME;
	}
}

void emit_category(struct emitter *m, struct span cat)
{
	m->raw.cat = cat;
	m->raw.have |= RAW_CAT;
}

void emit_lane(struct emitter *m, struct span pid, struct span tid)
{
	m->raw.pid = pid;
	m->raw.tid = tid;
	m->raw.have |= RAW_PID | RAW_TID;
}

void emit_lane_memo(struct emitter *m, struct span pid, struct span tid, struct phrase *memo)
{
	emit_lane(m, pid, tid);
	m->raw.placed_by = memo;
}

uint32_t emit_name_number(struct emitter *m, struct span name)
{
	return batch_text(&m->batch, name, -1);
}

void emit_named(struct emitter *m, uint32_t number)
{
	m->named.name_id = number + 1;
	m->raw.named_by = &m->named;
}

static void put(struct emitter *m, uint8_t key, struct span value, bool quoted)
{
	uint64_t bit = UINT64_C(1) << key;

	m->raw.arg[key] = value;
	m->raw.found |= bit;
	if (quoted)
		m->raw.quoted |= bit;
	else
		m->raw.quoted &= ~bit;
}

/* A number's text of n bytes stands in its place in digits; kept where it will be a name. */
static void put_digits(struct emitter *m, uint8_t key, int n)
{
	struct span t = { m->digits[key], (size_t)n };

	put(m, key, m->text_keys >> key & 1 ? emit_keep(m, t) : t, false);
}

/* v in decimal digits; returns how many. */
static int decimal(char *to, uint64_t v, bool negative)
{
	char back[24];
	int n = 0, at = 0;

	do {
		back[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	if (negative)
		to[at++] = '-';
	for (int i = n; i > 0; i--)
		to[at++] = back[i - 1];
	return at;
}

void emit_int(struct emitter *m, uint8_t key, int64_t value)
{
	uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	if (key != PLAN_NO_KEY)
		put_digits(m, key, decimal(m->digits[key], size, value < 0));
}

void emit_uint(struct emitter *m, uint8_t key, uint64_t value)
{
	if (key != PLAN_NO_KEY)
		put_digits(m, key, decimal(m->digits[key], value, false));
}

void emit_real(struct emitter *m, uint8_t key, double value)
{
	if (key != PLAN_NO_KEY && isfinite(value))
		put_digits(m, key, snprintf(m->digits[key], EMIT_DIGITS, "%.17g", value));
}

void emit_text(struct emitter *m, uint8_t key, struct span value)
{
	if (key != PLAN_NO_KEY)
		put(m, key, value, true);
}

void emit_json(struct emitter *m, uint8_t key, struct span value)
{
	if (key != PLAN_NO_KEY)
		put(m, key, value, false);
}

void emit_vec3(struct emitter *m, uint8_t key, int64_t x, int64_t y, int64_t z)
{
	if (key == PLAN_NO_KEY)
		return;
	int n = snprintf(m->digits[key], EMIT_DIGITS, "[%" PRId32 ", %" PRId32 ", %" PRId32 "]",
		(int32_t)x, (int32_t)y, (int32_t)z);
	put_digits(m, key, n);
}

void emit_end(struct emitter *m, nsec start, nsec dur, int64_t offset)
{
	decode_timed(m->plan, &m->batch, &m->raw, start, dur, offset);
}

uint32_t emit_pending(struct emitter *m, nsec start, int64_t offset)
{
	struct batch *b = &m->batch;
	size_t before = b->events.n;

	decode_timed(m->plan, b, &m->raw, start, DECODE_OPEN, offset);
	if (b->events.n > before)
		return (uint32_t)before;
	const struct batch_cat *cat = &b->cat[m->raw.kind_cat - 1];
	if (cat->kind == KIND_SPAN)
		return EMIT_UNKEPT_SPAN;
	return cat->present ? EMIT_UNKEPT : EMIT_UNKEPT_BARE;
}

/* --- a row like another, but for its time and some numbers --- */

bool emit_form_begin(const struct emitter *m, uint32_t answer, nsec start, struct emit_form *f)
{
	const struct batch *b = &m->batch;
	uint32_t row = answer >= EMIT_UNKEPT_FIRST ? NO_ROW : answer, cat = m->raw.kind_cat - 1;
	enum kind kind = row == NO_ROW ? b->cat[cat].kind : (enum kind)b->events.kind[row];

	*f = (struct emit_form){ .row = row, .unkept = answer, .cat = cat, .kind = (uint8_t)kind };
	if (row != NO_ROW && b->events.args[row] != NO_ARGS)
		f->table = (uint8_t)args_table_of(kind);
	return start != 0 && (row != NO_ROW || kind != KIND_OTHER);
}

/* A number goes into that column; false: there is no room. */
static bool put_column(struct emit_form *f, uint8_t arg)
{
	for (unsigned i = 0; i < f->ncolumn; i++)
		if (f->column[i].arg == arg) {
			f->column[i].number = f->nnumber; /* the last of a key counts */
			return true;
		}
	if (f->ncolumn == FORM_NUMBERS)
		return false;
	f->column[f->ncolumn].arg = arg;
	f->column[f->ncolumn++].number = f->nnumber;
	return true;
}

int emit_form_number(const struct emitter *m, struct emit_form *f, uint8_t key)
{
	const struct plan *plan = m->plan;
	unsigned found = 0;

	if (key == plan->key_device || key == plan->key_stream || key == plan->key_finished ||
		f->nnumber == FORM_NUMBERS)
		return FORM_FIXED;
	for (unsigned i = 0; f->table && i < plan->nset[f->table]; i++)
		if (plan->set[plan->set_of[f->table][i]].keys >> key & 1)
			return FORM_FIXED;
	for (unsigned i = 0; f->table && i < plan->ncolumn[f->table]; i++) {
		const struct plan_column *c = &plan->column[f->table][i];

		if (raw_key(&m->raw, c) != key)
			continue;
		if (!(arg_infos[c->arg].type == ARG_ID || arg_infos[c->arg].type == ARG_I64) ||
			!put_column(f, c->arg))
			return FORM_FIXED;
		found++;
	}
	return found ? f->nnumber++ : FORM_UNREAD;
}

static void copy_value(union arg_column col, size_t size, size_t to, size_t from)
{
	char *p = col.any;

	if (size == sizeof(uint32_t))
		col.id[to] = col.id[from];
	else if (size == sizeof(int64_t))
		col.i64[to] = col.i64[from];
	else
		memcpy(p + to * size, p + from * size, size);
}

/* The arguments of that row again, with those numbers. */
static uint32_t add_args(const struct emit_form *f, const struct plan *plan, struct batch *b,
	size_t from, const uint64_t *number)
{
	enum args_table t = (enum args_table)f->table;
	size_t row = b->args.n[t];

	if (UNLIKELY(row >= b->args.cap[t]))
		args_reserve(&b->args, t, 1);
	b->args.n[t]++;
	for (unsigned i = 0; i < plan->ncolumn[t]; i++)
		if (b->args.is_known[plan->column[t][i].arg])
			copy_value(b->args.col[plan->column[t][i].arg], plan->column[t][i].size,
				row, from);
	for (unsigned i = 0; i < plan->nset[t]; i++) {
		const struct arg_set *set = &b->args.set[plan->set_of[t][i]];

		if (set->is_known)
			set->of[row] = set->of[from];
	}
	for (unsigned i = 0; i < f->ncolumn; i++) {
		if (UNLIKELY(!b->args.is_known[f->column[i].arg]))
			args_know(&b->args, (enum arg)f->column[i].arg);
		union arg_column col = b->args.col[f->column[i].arg];
		uint64_t v = number[f->column[i].number];

		if (arg_infos[f->column[i].arg].type == ARG_ID)
			col.id[row] = LIKELY(v < ID_WIDE) ? (uint32_t)v : ids_pack(&b->ids, v);
		else
			col.i64[row] = (int64_t)v;
	}
	return (uint32_t)row + 1;
}

uint32_t emit_like(struct emitter *m, const struct emit_form *f, nsec start, const uint64_t *number)
{
	struct batch *b = &m->batch;
	struct batch_cat *cat = &b->cat[f->cat];
	struct events *e = &b->events;
	size_t row = e->n;

	b->nevent++;
	cat->count['X']++;
	b->kind_count[f->kind]++;
	if (f->kind != KIND_SPAN)
		batch_widen(b, cat->present, start, start);
	if (f->row == NO_ROW)
		return f->unkept;
	if (UNLIKELY(row >= e->cap))
		events_reserve(e, 1);
	e->start[row] = start;
	e->dur[row] = 0;
	e->name[row] = e->name[f->row];
	e->lane[row] = e->lane[f->row];
	e->args[row] = f->table ? add_args(f, m->plan, b, e->args[f->row] - 1, number) : NO_ARGS;
	e->kind[row] = f->kind;
	e->flags[row] = e->flags[f->row];
	e->n++;
	return (uint32_t)row;
}

void emit_counts(struct emitter *m, char ph, struct span cat, uint32_t n)
{
	if (n == 0)
		return;
	emit_begin(m, ph, cat, (struct span){ 0 });
	decode_counted(&m->batch, &m->raw, n);
}

void emit_count(struct emitter *m, char ph, struct span cat)
{
	emit_counts(m, ph, cat, 1);
}

static void add_name(struct emitter *m, enum name_what what, struct span pid,
	const struct span *tid, struct span value)
{
	struct batch *b = &m->batch;
	struct batch_name n = { .what = what, .has_tid = tid != NULL };

	n.pid = batch_text(b, pid, -1);
	n.tid = batch_text(b, tid ? *tid : RAW_NOTHING, -1);
	n.value = batch_text(b, value, -1);
	PUSH(b->name, b->nname, b->name_cap, n);
}

void emit_process_name(struct emitter *m, struct span pid, struct span name)
{
	add_name(m, NAME_PROCESS, pid, NULL, name);
}

void emit_process_labels(struct emitter *m, struct span pid, struct span labels)
{
	add_name(m, NAME_LABELS, pid, NULL, labels);
}

void emit_thread_name(struct emitter *m, struct span pid, struct span tid, struct span name)
{
	add_name(m, NAME_THREAD, pid, &tid, name);
}

void emit_member(struct emitter *m, const char *key, struct span value, bool quoted)
{
	struct batch *b = &m->batch;

	PUSH(b->member, b->nmember, b->member_cap,
		(struct batch_member){ emit_keep(m, span_of(key)), emit_keep(m, value), quoted });
}

void emit_quote(struct str *to, struct span text)
{
	str_addc(to, '"');
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];

		if (c == '"' || c == '\\')
			str_addc(to, '\\');
		str_addc(to, c < 0x20 ? ' ' : (char)c);
	}
	str_addc(to, '"');
}

void emit_gpu_begin(struct str *list, int64_t id, struct span name)
{
	str_addf(list, "%s{\"id\": %" PRId64, list->n ? ", " : "[", id);
	if (name.p) {
		str_adds(list, ", \"name\": ");
		emit_quote(list, name);
	}
}

void emit_gpu_number(struct str *list, const char *key, int64_t value)
{
	str_addf(list, ", \"%s\": %" PRId64, key, value);
}

void emit_gpus(struct emitter *m, struct str *list)
{
	if (list->n) {
		str_addc(list, ']');
		emit_member(m, "deviceProperties", (struct span){ list->s, list->n }, false);
	}
	str_free(list);
}

void emit_problem(struct emitter *m, enum problem p, int64_t offset)
{
	batch_problem(&m->batch, p, offset);
}

enum status emit_merge(struct emit_sink *to, struct emitter *m, struct err *e)
{
	enum status st = merge_batch(to->run, to->g, &m->batch, e);

	batch_reset(&m->batch);
	memset(m->cat, 0, sizeof(m->cat));
	return st;
}
