/* Cells out of structs: fields, and what is made of two of them. */
#include "analyze/analysis/fields.h"

#include "analyze/trace/columns/args.h"

static const double ns_per_s = 1e9;
static const struct fields_number nothing = { NAN, 0 };

static struct fields_number whole(int64_t v)
{
	return v == ARG_UNKNOWN ? nothing : (struct fields_number){ (double)v, v };
}

static struct fields_number of_other(const struct field_row *row, size_t col)
{
	const union cell *c = table_cell(row->t, row->row, col);

	if (c && row->t->col[col].type == CELL_INT)
		return whole(c->i);
	return (struct fields_number){ table_number_at(row->t, row->row, col), 0 };
}

/* A number among the fields; of a text whether there is one. */
static struct fields_number field(unsigned type, const void *row, size_t at)
{
	const char *p = (const char *)row + at;

	switch ((enum fields_kind)type) {
	case FIELDS_I64: return whole(*(const int64_t *)p);
	case FIELDS_U32: return whole(*(const uint32_t *)p);
	case FIELDS_BOOL: return whole(*(const bool *)p);
	case FIELDS_REAL: return (struct fields_number){ *(const double *)p, 0 };
	case FIELDS_OTHERS: return of_other(row, at);
	case FIELDS_SPAN:
	case FIELDS_WORD:
	case FIELDS_NONE: break;
	}
	return nothing;
}

static struct fields_number second(const struct column_from *from, const void *row)
{
	return field(from->b_type, row, from->b);
}

/* Whether the field that says so says that there is nothing. */
static bool is_absent(const struct column_from *from, const void *row)
{
	return from->b_type != FIELDS_NONE && !(fabs(second(from, row).v) > 0);
}

struct fields_number fields_number(
	const struct column_from *from, const void *row, const struct fields_of *of)
{
	struct fields_number v = field(from->a_type, row, from->a);

	switch ((enum fields_how)from->how) {
	case FIELDS_VALUE: return is_absent(from, row) ? nothing : v;
	case FIELDS_SOME:
		return is_absent(from, row) || (of->for_people && v.whole == 0) ? nothing : v;
	case FIELDS_LESS: return whole(saturate_sub(v.whole, second(from, row).whole));
	case FIELDS_OVER: v.v = ratio_of(v.v, second(from, row).v); break;
	case FIELDS_RATE: v.v = ratio_of(v.v * ns_per_s, second(from, row).v); break;
	case FIELDS_REST:
		v.v = ratio_of((double)(second(from, row).whole - v.whole), second(from, row).v);
		break;
	case FIELDS_SHARE: v.v = is_absent(from, row) ? NAN : ratio_of(v.v, of->whole); break;
	case FIELDS_STEP: v.v = is_absent(from, row) ? NAN : ratio_of(v.v, of->steps); break;
	case FIELDS_BY_HAND:
	case FIELDS_NAME:
	case FIELDS_RUNNING:
	case FIELDS_QUANTILE: return nothing;
	}
	v.whole = 0;
	return v;
}

struct span fields_text(const struct column_from *from, const void *row, const struct fields_of *of)
{
	const char *p = (const char *)row + from->a;
	const struct field_row *other = row;

	if (from->how == FIELDS_BY_HAND || is_absent(from, row))
		return (struct span){ 0 };
	if (from->how == FIELDS_NAME)
		return strings_get(of->names, *(const sym *)p);
	switch ((enum fields_kind)from->a_type) {
	case FIELDS_SPAN: return *(const struct span *)p;
	case FIELDS_WORD:
		return *(const char *const *)p ? span_of(*(const char *const *)p)
					       : (struct span){ 0 };
	case FIELDS_OTHERS:
		if (table_cell(other->t, other->row, from->a))
			return table_text_at(other->t, other->row, from->a);
		break;
	default: break;
	}
	return (struct span){ 0 };
}

void fields_put_one(struct table *t, size_t col, const void *row, const struct fields_of *of)
{
	const struct column *c = &t->col[col];
	struct span text;

	if (c->from.how == FIELDS_BY_HAND)
		return;
	if (c->type == CELL_TEXT) {
		text = fields_text(&c->from, row, of);
		if (text.p)
			table_text(t, col, text);
		return;
	}
	struct fields_number v = fields_number(&c->from, row, of);
	if (isnan(v.v))
		return;
	switch (c->type) {
	case CELL_INT: table_int(t, col, v.whole); break;
	case CELL_BOOL: table_bool(t, col, v.whole != 0); break;
	default: table_real(t, col, v.v); break;
	}
}

void fields_row(struct table *t, const void *row, const struct fields_of *of)
{
	table_row(t);
	for (size_t i = 0; i < t->ncol; i++)
		fields_put_one(t, i, row, of);
}
