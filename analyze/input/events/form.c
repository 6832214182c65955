/* A row like another, but for its time and some numbers. */
#include "analyze/input/events/form.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/raw.h"

bool form_begin(struct form *f, const struct batch *b, const struct raw_event *raw, uint32_t row,
	nsec start)
{
	enum kind kind =
		row == NO_ROW ? b->cat[raw->kind_cat - 1].kind : (enum kind)b->events.kind[row];

	*f = (struct form){ .row = row, .cat = raw->kind_cat - 1, .kind = (uint8_t)kind };
	if (row != NO_ROW && b->events.args[row] != NO_ARGS)
		f->table = (uint8_t)args_table_of(kind);
	return start != 0 && (row != NO_ROW || kind != KIND_OTHER);
}

/* A number goes into that column; false: there is no room. */
static bool put_column(struct form *f, uint8_t arg)
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

static bool is_whole(enum arg_type type)
{
	return type == ARG_ID || type == ARG_I64;
}

int form_number(struct form *f, const struct plan *plan, const struct raw_event *raw, uint8_t key)
{
	unsigned found = 0;

	if (key == plan->key_device || key == plan->key_stream || key == plan->key_finished ||
		f->nnumber == FORM_NUMBERS)
		return FORM_FIXED;
	for (unsigned i = 0; f->table && i < plan->nset[f->table]; i++)
		if (plan->set[plan->set_of[f->table][i]].keys >> key & 1)
			return FORM_FIXED;
	for (unsigned i = 0; f->table && i < plan->ncolumn[f->table]; i++) {
		const struct plan_column *c = &plan->column[f->table][i];

		if (raw_key(raw, c) != key)
			continue;
		if (!is_whole(arg_infos[c->arg].type) || !put_column(f, c->arg))
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
static uint32_t add_args(const struct form *f, const struct plan *plan, struct batch *b,
	size_t from, const uint64_t *number)
{
	enum args_table t = (enum args_table)f->table;
	size_t row = b->args.n[t];

	if (UNLIKELY(row >= b->args.cap[t]))
		args_reserve(&b->args, t, 1);
	b->args.n[t]++;
	for (unsigned i = 0; i < plan->ncolumn[t]; i++)
		copy_value(b->args.col[plan->column[t][i].arg], plan->column[t][i].size, row, from);
	for (unsigned i = 0; i < plan->nset[t]; i++) {
		uint32_t *of = b->args.set[plan->set_of[t][i]].of;

		of[row] = of[from];
	}
	for (unsigned i = 0; i < f->ncolumn; i++) {
		union arg_column col = b->args.col[f->column[i].arg];
		uint64_t v = number[f->column[i].number];

		if (arg_infos[f->column[i].arg].type == ARG_ID)
			col.id[row] = LIKELY(v < ID_WIDE) ? (uint32_t)v : ids_pack(&b->ids, v);
		else
			col.i64[row] = (int64_t)v;
	}
	return (uint32_t)row + 1;
}

uint32_t form_add(const struct form *f, const struct plan *plan, struct batch *b, nsec start,
	const uint64_t *number)
{
	struct batch_cat *cat = &b->cat[f->cat];
	struct events *e = &b->events;
	size_t row = e->n;

	b->nevent++;
	cat->count['X']++;
	b->kind_count[f->kind]++;
	if (f->kind != KIND_SPAN)
		batch_widen(b, cat->present, start, start);
	if (f->row == NO_ROW)
		return NO_ROW;
	if (UNLIKELY(row >= e->cap))
		events_reserve(e, 1);
	e->start[row] = start;
	e->dur[row] = 0;
	e->name[row] = e->name[f->row];
	e->lane[row] = e->lane[f->row];
	e->args[row] = f->table ? add_args(f, plan, b, e->args[f->row] - 1, number) : NO_ARGS;
	e->kind[row] = f->kind;
	e->flags[row] = e->flags[f->row];
	e->n++;
	return (uint32_t)row;
}
