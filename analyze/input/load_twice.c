/*
 * Whether the second of two files says anything else.
 */
#include "analyze/input/load_twice.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/input/folder_file.h"
#include "analyze/input/load_file.h"
#include "analyze/trace/record.h"
#include "analyze/trace/runpath.h"
#include "analyze/trace/strings.h"
#include "base/str.h"
#include "base/zeroed.h"

static bool same_number(double a, double b)
{
	return isnan(a) == isnan(b) && !(a < b || a > b);
}

static bool same_points(const struct series *a, const struct series *b)
{
	int64_t i;

	if (a->n != b->n || !same_number(a->sum, b->sum) || !same_number(a->m2, b->m2))
		return false;
	for (i = 0; a->point && b->point && i < a->n; i++)
		if (!same_number(a->point[i].y, b->point[i].y))
			return false;
	return true;
}

static bool same_series(const struct record *a, const struct record *b)
{
	size_t i;

	if (a->nseries != b->nseries)
		return false;
	for (i = 0; i < a->nseries; i++) {
		const struct series *s = a->series[i];
		const struct series *t = record_known_series(b, 0, s->name, s->group);

		if (!t || !same_points(s, t))
			return false;
	}
	return true;
}

static bool same_sheet(const struct table *a, const struct table *b)
{
	size_t row, col;

	if (a->nrow != b->nrow || a->col != b->col)
		return false;
	for (row = 0; row < a->nrow; row++)
		for (col = 0; col < a->ncol; col++)
			if (a->col[col].type == CELL_TEXT
					? !span_eq(table_text_at(a, row, col),
						  table_text_at(b, row, col))
					: !same_number(table_number_at(a, row, col),
						  table_number_at(b, row, col)))
				return false;
	return true;
}

static bool same_sheets(const struct record *a, const struct record *b)
{
	size_t i;

	if (a->nsheet != b->nsheet)
		return false;
	for (i = 0; i < a->nsheet; i++)
		if (a->sheet[i]->kind != b->sheet[i]->kind ||
			!same_sheet(&a->sheet[i]->table, &b->sheet[i]->table))
			return false;
	return true;
}

static bool same_scalar(const struct scalar *a, const struct scalar *b)
{
	return a->type == b->type && same_number(a->number, b->number) && span_eq(a->text, b->text);
}

/* Of what both say; when they were written is no figure. */
static bool same_scalars(const struct scalars *a, const struct scalars *b)
{
	const struct scalar **of = zeroed(b->n + 1, sizeof(const void *)); /* by key */
	struct strings keys;
	bool is = true;
	size_t i;

	strings_init(&keys, (uint64_t)(uintptr_t)of);
	for (i = 0; i < b->n; i++)
		of[strings_intern(&keys, b->v[i].key)] = &b->v[i];
	for (i = 0; i < a->n && is; i++) {
		sym key = strings_find(&keys, a->v[i].key);

		if (key != UINT32_MAX && of[key] && !span_is(a->v[i].key, "timestamp"))
			is = same_scalar(&a->v[i], of[key]);
	}
	strings_clear(&keys);
	free(of);
	return is;
}

static bool same_figures(const struct record *a, const struct record *b)
{
	return same_series(a, b) && same_sheets(a, b) && same_scalars(&a->scalars, &b->scalars) &&
		same_scalars(&a->config, &b->config);
}

static enum status read_one(
	const char *path, const struct load_options *o, struct run *run, struct err *e)
{
	load_begin(run, path, o);
	return load_end(run, o, load_file(path, o, run, e), e);
}

static bool reads_the_same(
	const struct folder_file *file, const char *inflate, struct str *out, bool *is_read)
{
	const struct load_options o = { .inflate = inflate, .threads = 1 };
	struct run a, b;
	struct err e;
	bool is = false;

	err_clear(&e);
	*is_read = false;
	if (read_one(file->twin->path, &o, &a, &e) != OK)
		return false;
	if (read_one(file->path, &o, &b, &e) == OK) {
		*is_read = true;
		is = a.record && b.record && same_figures(a.record, b.record);
		run_clear(&b);
	} else {
		str_addf(out, ": this one cannot be read: %s", e.text);
	}
	run_clear(&a);
	return is;
}

static const char *below_its_run(const struct folder_file *file)
{
	return file->name + (file->run && *file->run ? runpath_folder(file->name) : 0);
}

bool twice_put(const struct folder_file *file, const char *inflate, struct str *out)
{
	bool is_same = file->bytes == file->twin->bytes, is_read = true;

	str_addf(out, "%s is read instead", below_its_run(file->twin));
	if (file->twin->what == FOLDER_TRACE) {
		str_adds(out,
			is_same ? ": a copy, same name and size"
				: ": another size, so another recording");
		return is_same;
	}
	is_same = reads_the_same(file, inflate, out, &is_read);
	if (is_read)
		str_adds(out, is_same ? ": the figures are the same" : ": the figures differ");
	return is_same;
}
