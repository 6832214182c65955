/* `info`: what the artifacts of a run hold. */
#include "analyze/answer/info/info.h"

#include "analyze/analysis/row_limit.h"
#include "analyze/measure/memory/snapreplay.h"
#include "analyze/measure/memory/snapstate.h"
#include "analyze/trace/columns/record.h"

/* the tables that artifacts hold, row by row.  People see the columns in which something
 * stands, and the first rows. */

enum { ROWS_SHOWN = 10 };

_Static_assert(INFO_SHEET_MEMBERS - INFO_SHEET_OPS == SHEET_MEMBERS, "in the order of the sheets");

/* Which columns are shown; returns how many. */
static size_t choose(const struct info *f, const struct table *from, size_t *shown)
{
	size_t n = 0;

	for (size_t col = 0; col < from->ncol; col++)
		if (!f->at->q->for_people || ANY(row, from->nrow, table_cell(from, row, col)))
			shown[n++] = col;
	return n;
}

static void copy_row(struct table *t, const struct table *from, size_t row, const size_t *shown)
{
	table_row(t);
	for (size_t i = 0; i < t->ncol; i++) {
		const union cell *c = table_cell(from, row, shown[i]);

		if (!c)
			continue;
		t->cell[(t->nrow - 1) * t->ncol + i] = *c;
		t->known[(t->nrow - 1) * t->ncol + i] = true;
	}
}

static void put_sheet(struct info *f, const struct sheet *s)
{
	const struct record *r = f->at->run->record;
	const struct table *from = &s->table;
	struct table *t = perrun_table(f->at, &info_docs[INFO_SHEET_OPS + s->kind]);
	size_t *shown = arena_array(t->mem, from->ncol, sizeof(*shown));
	size_t n = choose(f, from, shown),
	       limit = rows_limit(f->at->q, f->o->limit, ROWS_SHOWN, SIZE_MAX), i;
	struct column *col = arena_array(t->mem, n, sizeof(*col));

	for (i = 0; i < n; i++)
		col[i] = from->col[shown[i]];
	t->col = col;
	t->ncol = n;
	if (r->nartifact > 1)
		t->title = arena_printf(t->mem, "%s: %s", t->title,
			run_below(f->at->run, r->artifact[s->artifact].path));
	for (i = 0; i < from->nrow && i < limit; i++)
		copy_row(t, from, i, shown);
	for (i = 0; i < n && col[i].type != CELL_TEXT; i++)
		;
	if (from->nrow > limit && i < n)
		rows_cut(t, i, from->nrow - limit);
	else if (from->nrow > limit)
		t->ncut = from->nrow - limit;
}

/* Of many dumps of a flight recorder people see the list: `hang` says what is in them. */
static bool is_of_many(const struct info *f, const struct sheet *s)
{
	const struct record *r = f->at->run->record;

	return f->at->q->for_people && r->nartifact > 1 &&
		(s->kind == SHEET_CALLS || s->kind == SHEET_PGROUPS);
}

/* ---- memory snapshots, and whether their history reaches back to the begin ---- */

static void put_device(struct table *t, const struct memsnap *m, int64_t device,
	const struct snapsum *sum, const struct memsnap_trace *trace)
{
	int64_t blocks = 0;

	TABLE_ROW(t, [SNAPS_ARTIFACT] = cell_int(m->artifact),
		[SNAPS_DEVICE] = cell_known(device, MEMSNAP_UNKNOWN));
	for (size_t i = 0; sum && i < MEMSNAP_STATE_COUNT; i++)
		blocks += sum->blocks[i];
	if (sum)
		TABLE_CELLS(t, [SNAPS_SEGMENTS] = cell_int(sum->segments),
			[SNAPS_BLOCKS] = cell_int(blocks),
			[SNAPS_RESERVED] = cell_int(sum->reserved));
	if (trace) {
		struct snapreplay r;
		snapreplay_init(&r, m, trace);
		TABLE_CELLS(t, [SNAPS_ENTRIES] = cell_size(trace->n),
			[SNAPS_FROM_BEGIN] = cell_bool(r.before == 0),
			[SNAPS_BEFORE] = cell_int(r.before));
		snapreplay_clear(&r);
	}
}

static void put_snapshot(struct table *t, const struct memsnap *m)
{
	struct snapstate s;

	snapstate_init(&s, m);
	for (EACH(const struct snapgroup, snapgroup, s.device, s.ndevice))
		put_device(t, m, snapgroup->device, &snapgroup->sum,
			FIND(i, m->trace, m->ntrace, m->trace[i].device == snapgroup->device));
	for (EACH(const struct memsnap_trace, trace, m->trace, m->ntrace))
		if (!snapstate_of(&s, trace->device))
			put_device(t, m, trace->device, NULL, trace);
	snapstate_clear(&s);
}

static void info_snapshot_table(struct info *f)
{
	const struct record *r = f->at->run->record;

	if (r->nsnapshot == 0)
		return;
	struct table *t = perrun_table(f->at, &info_docs[INFO_SNAPSHOTS]);
	for (size_t i = 0; i < r->nsnapshot; i++)
		put_snapshot(t, r->snapshot[i]);
}

/* ---- what the artifacts of a run hold ---- */

enum { SERIES_SHOWN = 40, SCALARS_SHOWN = 40 };

static const char *const axes[] = { "row", "step", "time", "repeat" };

static void put_files(struct info *f, const struct record *r)
{
	static const char *const states[] = { "read", "left out", "read", "not known", "damaged" };

	if (!r->is_folder)
		return;
	struct table *t = perrun_table(f->at, &info_docs[INFO_FILES]);
	for (EACH(const struct record_file, file, r->file, r->nfile)) {
		TABLE_ROW(t, [FILES_NAME] = cell_word(file->name));
		if (file->kind[0])
			TABLE_CELLS(t, [FILES_KIND] = cell_word(file->kind),
				[FILES_TITLE] = cell_word(file->title));
		TABLE_CELLS(t, [FILES_BYTES] = cell_int(file->bytes),
			[FILES_STATE] = cell_word(states[file->state]),
			[FILES_WHY] = CELL_IF(file->why[0], cell_word(file->why)));
	}
}

static void put_series(struct table *t, const struct series *s)
{
	TABLE_ROW(t, [SERIES_NAME] = cell_text(s->name), [SERIES_GROUP] = cell_name(s->group),
		[SERIES_UNIT] = CELL_IF(
			s->measure != MEASURE_NONE, cell_word(measure_infos[s->measure].word)),
		[SERIES_COUNT] = cell_int(s->n),
		[SERIES_ODD] = CELL_IF(s->nan + s->inf, cell_int(s->nan + s->inf)),
		[SERIES_MISSING] = CELL_IF(s->missing, cell_int(s->missing)),
		[SERIES_AXIS] = cell_word(axes[s->axis]), [SERIES_ARTIFACT] = cell_int(s->artifact),
		[SERIES_EXACTLY] = cell_bool(series_is_exact(s)));
	if (s->n == 0)
		return;
	TABLE_CELLS(t, [SERIES_LATEST] = cell_real(s->last.y), [SERIES_MEAN] = cell_real(s->mean),
		[SERIES_LOWEST] = cell_real(s->min), [SERIES_HIGHEST] = cell_real(s->max));
}

static void put_all_series(struct info *f, const struct record *r)
{
	size_t limit = rows_limit(f->at->q, f->o->limit, SERIES_SHOWN, SIZE_MAX);

	if (r->nseries == 0)
		return;
	struct table *t = perrun_table(f->at, &info_docs[INFO_SERIES]);
	for (size_t i = 0; i < r->nseries && i < limit; i++)
		put_series(t, r->series[i]);
	rows_cut(t, SERIES_NAME, r->nseries > limit ? r->nseries - limit : 0);
}

static void put_sheets(struct info *f, const struct record *r)
{
	if (r->nsheet == 0 || f->at->q->for_people)
		return;
	struct table *t = perrun_table(f->at, &info_docs[INFO_SHEETS]);
	for (size_t i = 0; i < r->nsheet; i++) {
		const struct sheet *s = r->sheet[i];

		TABLE_ROW(t, [SHEETS_ID] = cell_word(s->table.id),
			[SHEETS_TITLE] = cell_word(s->table.title),
			[SHEETS_ROWS] = cell_size(s->table.nrow),
			[SHEETS_LEFT_OUT] = CELL_IF(s->left_out, cell_int(s->left_out)),
			[SHEETS_ARTIFACT] = cell_int(s->artifact));
	}
}

static void put_scalar(struct table *t, const char *of, const struct scalar *s)
{
	TABLE_ROW(t, [SCALARS_OF] = cell_word(of), [SCALARS_KEY] = cell_text(s->key),
		[SCALARS_VALUE] = CELL_IF(s->type != SCALAR_NULL, cell_text(s->text)),
		[SCALARS_NUMBER] = CELL_IF(s->type == SCALAR_NUMBER, cell_real(s->number)),
		[SCALARS_UNIT] = CELL_IF(
			s->measure != MEASURE_NONE, cell_word(measure_infos[s->measure].word)),
		[SCALARS_ARTIFACT] = cell_int(s->artifact));
}

static void put_scalars(struct info *f, const struct record *r)
{
	const struct {
		const char *of;
		const struct scalars *in;
	} lists[] = { { "config", &r->config }, { "env", &r->env }, { "value", &r->scalars } };
	size_t limit = rows_limit(f->at->q, f->o->limit, SCALARS_SHOWN, SIZE_MAX), i, k, cut = 0;

	if (r->config.n + r->env.n + r->scalars.n == 0)
		return;
	struct table *t = perrun_table(f->at, &info_docs[INFO_SCALARS]);
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
	struct table *t = perrun_table(f->at, &info_docs[INFO_ARTIFACTS]);
	for (size_t i = 0; i < r->nartifact; i++) {
		const struct record_artifact *a = &r->artifact[i];

		TABLE_ROW(
			t, [ARTIFACTS_INDEX] = cell_size(i), [ARTIFACTS_PATH] = cell_word(a->path),
			[ARTIFACTS_KIND] = cell_word(a->kind),
			[ARTIFACTS_TITLE] = cell_word(a->title),
			[ARTIFACTS_FILE] = cell_count(a->file_bytes),
			[ARTIFACTS_TEXT] = cell_int(a->text_bytes),
			[ARTIFACTS_ROWS] = CELL_IF(a->rows, cell_int(a->rows)),
			[ARTIFACTS_COMPLETE] = cell_bool(a->is_complete));
	}
	put_all_series(f, r);
	put_sheets(f, r);
	/* tables of run->record, which is there. */
	for (size_t i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->table.nrow > 0 && !is_of_many(f, r->sheet[i]))
			put_sheet(f, r->sheet[i]);
	info_snapshot_table(f);
	put_scalars(f, r);
}
