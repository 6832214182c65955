/* Whether the second of two files says anything else. */
#include "analyze/input/load_twice.h"

#include "analyze/input/folder_file.h"
#include "analyze/input/load_file.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/runpath.h"
#include "analyze/trace/columns/strings.h"

static bool same_points(const struct series *a, const struct series *b)
{
	if (a->n != b->n || !number_same(a->sum, b->sum) || !number_same(a->m2, b->m2))
		return false;
	for (int64_t i = 0; a->point && b->point && i < a->n; i++)
		if (!number_same(a->point[i].y, b->point[i].y))
			return false;
	return true;
}

/* Whether all that b has is in a. */
static bool has_series(const struct record *a, const struct record *b)
{
	for (size_t i = 0; i < b->nseries; i++) {
		const struct series *s = b->series[i];
		const struct series *of = record_known_series(a, 0, s->name, s->group);

		if (!of || !same_points(of, s))
			return false;
	}
	return true;
}

static bool same_sheet(const struct table *a, const struct table *b)
{
	if (a->nrow != b->nrow || a->col != b->col)
		return false;
	for (size_t row = 0; row < a->nrow; row++)
		for (size_t col = 0; col < a->ncol; col++)
			if (a->col[col].type == CELL_TEXT
					? !span_eq(table_text_at(a, row, col),
						  table_text_at(b, row, col))
					: !number_same(table_number_at(a, row, col),
						  table_number_at(b, row, col)))
				return false;
	return true;
}

static bool same_sheets(const struct record *a, const struct record *b)
{
	if (a->nsheet != b->nsheet)
		return false;
	return !ANY(i, a->nsheet,
		a->sheet[i]->kind != b->sheet[i]->kind ||
			!same_sheet(&a->sheet[i]->table, &b->sheet[i]->table));
}

/* When it was written, and how many stages it lists, is no figure of the run. */
static bool is_of_file(const struct record *r, const struct scalar *s)
{
	const struct sheet *stages = record_find_sheet(r, SHEET_STAGES);

	return span_is(s->key, "timestamp") ||
		(span_is(s->key, "total_stages") && stages &&
			number_same(s->number, (double)stages->table.nrow));
}

/* Whether a has the scalars of b, which are of the record r. */
static bool has_scalars(const struct scalars *a, const struct scalars *b, const struct record *r)
{
	const struct scalar **of = zeroed(a->n + 1, sizeof(const void *)); /* by key */
	struct strings keys;
	bool is = true;

	strings_init(&keys, (uint64_t)(uintptr_t)of);
	for (EACH(const struct scalar, scalar, a->v, a->n))
		of[strings_intern(&keys, scalar->key)] = scalar;
	for (size_t i = 0; i < b->n && is; i++) {
		sym key = strings_find(&keys, b->v[i].key);

		is = is_of_file(r, &b->v[i]) ||
			(key != UINT32_MAX && of[key] && of[key]->type == b->v[i].type &&
				number_same(of[key]->number, b->v[i].number) &&
				span_eq(of[key]->text, b->v[i].text));
	}
	strings_clear(&keys);
	free(of);
	return is;
}

/* Whether a record says all that another does. */
static bool says_all(const struct record *a, const struct record *b)
{
	return has_series(a, b) && same_sheets(a, b) && has_scalars(&a->scalars, &b->scalars, b) &&
		has_scalars(&a->config, &b->config, b) && has_scalars(&a->env, &b->env, b);
}

/* --- those of one name --- */

/* What says something that those before it did not. */
struct event_spool {
	const struct folder_file *file;
	struct run run;
};

static bool read_one(struct event_spool *s, const struct folder_file *file, const char *inflate)
{
	const struct load_options o = { .inflate = inflate, .threads = 1 };
	struct err e;

	err_clear(&e);
	s->file = file;
	load_begin(&s->run, file->path, &o);
	return load_end(&s->run, &o, load_file(file->path, &o, &s->run, &e), &e) == OK;
}

/* The one of v[0..n) that says all that the last does, or NULL. */
static const struct folder_file *original(
	const struct event_spool *v, size_t n, const struct event_spool *last)
{
	for (EACH(const struct event_spool, spool, v, n))
		if (spool->run.record && last->run.record &&
			says_all(spool->run.record, last->run.record))
			return spool->file;
	return NULL;
}

/* Those behind the same first one, in their order. */
static void settle(struct folder_file *const *file, size_t n, const char *inflate)
{
	struct event_spool *v = zeroed(n + 1, sizeof(*v));
	size_t said = read_one(&v[0], file[0]->twin->of, inflate);

	for (size_t i = 0; i < n; i++) {
		struct folder_twin *twin = file[i]->twin;
		const struct folder_file *of = NULL;

		if (read_one(&v[said], file[i], inflate)) {
			of = original(v, said, &v[said]);
			if (of)
				run_clear(&v[said].run);
			else
				said++;
		}
		twin->is_other = !of;
		twin->of = of ? of : twin->of;
	}
	while (said-- > 0)
		run_clear(&v[said].run);
	free(v);
}

ORDER(by_first_and_turn, struct folder_file *const, compare3((*a)->twin->of, (*b)->twin->of),
	compare3((*a)->twin->turn, (*b)->twin->turn))

void twice_settle(struct folder *f, const char *inflate)
{
	struct folder_file **v = arena_array(&f->mem, f->n, sizeof(*v));
	size_t n = 0, end;

	for (size_t i = 0; i < f->n; i++)
		if (f->file[i].what == FOLDER_TWICE && f->file[i].kind)
			v[n++] = &f->file[i];
	sort_rows(v, n, sizeof(struct folder_file *), by_first_and_turn);
	for (size_t i = 0; i < n; i = end) {
		end = FIRST_FROM(k, i + 1, n, v[k]->twin->of != v[i]->twin->of);
		settle(v + i, end - i, inflate);
	}
}

/* --- in words --- */

bool twice_is_read(const struct folder_file *file)
{
	return file->what == FOLDER_TRACE || file->what == FOLDER_ARTIFACT ||
		(file->what == FOLDER_TWICE && file->twin->is_other);
}

bool twice_put(const struct folder_file *file, struct str *out)
{
	const struct folder_twin *twin = file->twin;
	const char *of = twin->of->name +
		(twin->of->run && *twin->of->run ? runpath_folder(twin->of->name) : 0);
	bool is_same = twin->of->bytes == file->bytes;

	if (twin->is_other) {
		str_addf(out, "its figures are not all those of %s: both are read", of);
		return true;
	}
	str_addf(out, "%s is read instead", of);
	if (file->kind) {
		str_adds(out, ": the figures are the same");
		return true;
	}
	str_adds(out,
		is_same ? ": a copy, same name and size" : ": another size, so another recording");
	return is_same;
}
