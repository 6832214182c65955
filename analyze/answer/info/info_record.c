/*
 * `info`: what the artifacts of a run hold.
 */
#include "analyze/answer/info/info.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"

enum { SERIES_SHOWN = 40, SCALARS_SHOWN = 40 };

static const char *const axes[] = { "row", "step", "time", "repeat" };

static void put_files(struct info *f, const struct record *r)
{
	static const char *const states[] = { "read", "left out", "read", "not known", "damaged" };
	struct table *t;
	size_t i;

	if (!r->is_folder)
		return;
	t = perrun_table(f->at, &info_docs[INFO_FILES]);
	for (i = 0; i < r->nfile; i++) {
		const struct record_file *file = &r->file[i];

		table_row(t);
		table_text(t, FILES_NAME, span_of(file->name));
		if (file->kind[0]) {
			table_text(t, FILES_KIND, span_of(file->kind));
			table_text(t, FILES_TITLE, span_of(file->title));
		}
		table_int(t, FILES_BYTES, file->bytes);
		table_text(t, FILES_STATE, span_of(states[file->state]));
		if (file->why[0])
			table_text(t, FILES_WHY, span_of(file->why));
	}
}

static void put_artifacts(struct info *f, const struct record *r)
{
	struct table *t = perrun_table(f->at, &info_docs[INFO_ARTIFACTS]);
	size_t i;

	for (i = 0; i < r->nartifact; i++) {
		const struct record_artifact *a = &r->artifact[i];

		table_row(t);
		table_int(t, ARTIFACTS_INDEX, (int64_t)i);
		table_text(t, ARTIFACTS_PATH, span_of(a->path));
		table_text(t, ARTIFACTS_KIND, span_of(a->kind));
		table_text(t, ARTIFACTS_TITLE, span_of(a->title));
		info_count(t, ARTIFACTS_FILE, a->file_bytes);
		table_int(t, ARTIFACTS_TEXT, a->text_bytes);
		if (a->rows)
			table_int(t, ARTIFACTS_ROWS, a->rows);
		table_bool(t, ARTIFACTS_COMPLETE, a->is_complete);
	}
}

static void put_series(struct table *t, const struct series *s)
{
	table_row(t);
	table_text(t, SERIES_NAME, s->name);
	if (s->group.n)
		table_text(t, SERIES_GROUP, s->group);
	if (s->measure != MEASURE_NONE)
		table_text(t, SERIES_UNIT, span_of(measure_infos[s->measure].word));
	table_int(t, SERIES_COUNT, s->n);
	if (s->nan + s->inf)
		table_int(t, SERIES_ODD, s->nan + s->inf);
	if (s->missing)
		table_int(t, SERIES_MISSING, s->missing);
	table_text(t, SERIES_AXIS, span_of(axes[s->axis]));
	table_int(t, SERIES_ARTIFACT, s->artifact);
	table_bool(t, SERIES_EXACTLY, series_is_exact(s));
	if (s->n == 0)
		return;
	table_real(t, SERIES_LATEST, s->last.y);
	table_real(t, SERIES_MEAN, s->mean);
	table_real(t, SERIES_LOWEST, s->min);
	table_real(t, SERIES_HIGHEST, s->max);
}

static void put_all_series(struct info *f, const struct record *r)
{
	size_t i, limit = rows_limit(f->at->q, f->o->limit, SERIES_SHOWN, SIZE_MAX);
	struct table *t;

	if (r->nseries == 0)
		return;
	t = perrun_table(f->at, &info_docs[INFO_SERIES]);
	for (i = 0; i < r->nseries && i < limit; i++)
		put_series(t, r->series[i]);
	rows_cut(t, SERIES_NAME, r->nseries > limit ? r->nseries - limit : 0);
}

static void put_sheets(struct info *f, const struct record *r)
{
	struct table *t;
	size_t i;

	if (r->nsheet == 0 || f->at->q->for_people)
		return;
	t = perrun_table(f->at, &info_docs[INFO_SHEETS]);
	for (i = 0; i < r->nsheet; i++) {
		const struct sheet *s = r->sheet[i];

		table_row(t);
		table_text(t, SHEETS_ID, span_of(s->table.id));
		table_text(t, SHEETS_TITLE, span_of(s->table.title));
		table_int(t, SHEETS_ROWS, (int64_t)s->table.nrow);
		if (s->left_out)
			table_int(t, SHEETS_LEFT_OUT, s->left_out);
		table_int(t, SHEETS_ARTIFACT, s->artifact);
	}
}

static void put_scalar(struct table *t, const char *of, const struct scalar *s)
{
	table_row(t);
	table_text(t, SCALARS_OF, span_of(of));
	table_text(t, SCALARS_KEY, s->key);
	if (s->type != SCALAR_NULL)
		table_text(t, SCALARS_VALUE, s->text);
	if (s->type == SCALAR_NUMBER)
		table_real(t, SCALARS_NUMBER, s->number);
	if (s->measure != MEASURE_NONE)
		table_text(t, SCALARS_UNIT, span_of(measure_infos[s->measure].word));
	table_int(t, SCALARS_ARTIFACT, s->artifact);
}

static void put_scalars(struct info *f, const struct record *r)
{
	const struct {
		const char *of;
		const struct scalars *in;
	} lists[] = { { "config", &r->config }, { "env", &r->env }, { "value", &r->scalars } };
	size_t limit = rows_limit(f->at->q, f->o->limit, SCALARS_SHOWN, SIZE_MAX), i, k, cut = 0;
	struct table *t;

	if (r->config.n + r->env.n + r->scalars.n == 0)
		return;
	t = perrun_table(f->at, &info_docs[INFO_SCALARS]);
	for (k = 0; k < COUNT_OF(lists); k++)
		for (i = 0; i < lists[k].in->n; i++) {
			if (t->nrow < limit)
				put_scalar(t, lists[k].of, &lists[k].in->v[i]);
			else
				cut++;
		}
	rows_cut(t, SCALARS_KEY, cut);
}

void info_record_tables(struct info *f)
{
	const struct record *r = f->at->run->record;

	put_files(f, r);
	if (r->nartifact == 0)
		return;
	put_artifacts(f, r);
	put_all_series(f, r);
	put_sheets(f, r);
	info_sheet_tables(f);
	info_snapshot_table(f);
	put_scalars(f, r);
}
