/* Dumps of PyTorch's flight recorder: a pickle, or the same as JSON. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/snapshots/flight_record.h"
#include "analyze/input/artifact/snapshots/dump.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/value/pickle.h"
#include "analyze/trace/ranklist.h"
#include "base/base.h"

/* --- groups --- */

static void list_groups(struct flight *f)
{
	size_t n = 0;
	const compact_value *pair = compact_pairs(&f->doc, flight_get(f, f->dump, "pg_config"), &n);

	for (size_t i = 0; i < n; i++)
		flight_group_of(f, compact_to_text(&f->doc, pair[2 * i]))->config = pair[2 * i + 1];
}

/* The numbers in a text: "[0, 1, 2]". */
static size_t numbers_of(struct flight *f, struct span text, int64_t *v, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n && n < most; i++) {
		if (!is_digit(text.p[i]))
			continue;
		for (v[n] = 0; i < text.n && is_digit(text.p[i]); i++)
			if (v[n] < INT32_MAX)
				v[n] = v[n] * 10 + (text.p[i] - '0');
		n++;
	}
	f->looked_at += (int64_t)text.n;
	return n;
}

/* The ranks of a group, as text or as a list of numbers; in mem. */
static int64_t *ranks_of(struct flight *f, compact_value ranks, size_t *n)
{
	struct span text = compact_to_text(&f->doc, ranks);
	size_t listed = compact_count(&f->doc, ranks), most = text.n / 2 + 1 + listed;

	*n = 0;
	if (f->looked_at > LIMIT_VALUES)
		return NULL;
	int64_t *v = arena_array(&f->in->mem, most, sizeof(*v));
	*n = numbers_of(f, text, v, most);
	for (size_t i = 0; i < listed; i++)
		*n += flight_int(f, compact_item(&f->doc, ranks, i), &v[*n]);
	f->looked_at += (int64_t)listed;
	*n = ranklist_sort(v, *n);
	return v;
}

static void put_ranks(struct flight *f, struct table *t, compact_value ranks)
{
	struct arena_mark mark = arena_mark(&f->in->mem);
	struct str text = { 0 };
	size_t n;
	const int64_t *v = ranks_of(f, ranks, &n);

	ranklist_put(&text, v, n, false);
	if (text.n)
		table_text(t, PGROUPS_RANKS,
			(struct span){ arena_copy(&f->in->record->mem, text.s, text.n), text.n });
	str_free(&text);
	arena_reset(&f->in->mem, mark);
}

/* A number of a status.  What is not known is -1 there. */
static void put_status(
	const struct flight *f, struct table *t, size_t col, compact_value status, const char *key)
{
	int64_t v;

	if (flight_int(f, flight_get(f, status, key), &v) && v >= 0)
		table_int(t, col, v);
}

static void put_group(struct flight *f, struct sheet *s, const struct flight_group *g,
	int64_t pg_id, compact_value status)
{
	struct table *t = &s->table;
	struct span desc;

	if (!record_row(s))
		return;
	if (g) {
		desc = flight_text(f, g->config, "desc");
		table_text(t, PGROUPS_NAME, record_text(f->in->record, g->name));
		if (desc.n)
			table_text(t, PGROUPS_DESC, record_text(f->in->record, desc));
		put_ranks(f, t, flight_get(f, g->config, "ranks"));
	}
	if (pg_id >= 0)
		table_int(t, PGROUPS_PG, pg_id);
	put_status(f, t, PGROUPS_ENQUEUED, status, "last_enqueued_collective");
	put_status(f, t, PGROUPS_STARTED, status, "last_started_collective");
	put_status(f, t, PGROUPS_COMPLETED, status, "last_completed_collective");
}

/* A row to be: JSON has its keys sorted as texts, a pickle by number, so rows have an order of
 * their own. */
struct status_row {
	int64_t pg_id;
	const struct flight_group *group; /* NULL: no call names it */
	bool has_status;
	compact_value status;
};

static int by_number(const void *pa, const void *pb)
{
	const struct status_row *a = pa, *b = pb;

	if (a->has_status != b->has_status)
		return a->has_status ? -1 : 1;
	if (a->pg_id != b->pg_id)
		return compare3(a->pg_id, b->pg_id);
	if (!a->group || !b->group)
		return !!b->group - !!a->group;
	return span_cmp_natural(a->group->name, b->group->name);
}

/* The group of that number, if no other status is its. */
static const struct flight_group *group_numbered(struct flight *f, int64_t pg_id, bool *is_put)
{
	f->looked_at += (int64_t)f->ngroup;
	for (size_t i = 0; i < f->ngroup; i++)
		if (f->group[i].pg_id == pg_id && !is_put[i]) {
			is_put[i] = true;
			return &f->group[i];
		}
	return NULL;
}

/* Statuses by the group's number, then groups without one. */
static void put_groups(struct flight *f)
{
	struct sheet *s = record_sheet(f->in->record, f->in->artifact, SHEET_PGROUPS);
	size_t n = 0, nstatus = 0;
	const compact_value *all =
		compact_pairs(&f->doc, flight_get(f, f->dump, "pg_status"), &nstatus);
	bool *is_put = arena_array(&f->in->mem, f->ngroup, sizeof(*is_put));
	struct status_row *row = arena_array(&f->in->mem, nstatus + f->ngroup, sizeof(*row));

	for (size_t k = 0; k < nstatus && f->looked_at <= LIMIT_VALUES; k++)
		if (flight_int(f, all[2 * k], &row[n].pg_id)) {
			row[n].group = group_numbered(f, row[n].pg_id, is_put);
			row[n].has_status = true;
			row[n++].status = all[2 * k + 1];
		}
	for (size_t i = 0; i < f->ngroup; i++)
		if (!is_put[i])
			row[n++] = (struct status_row){ .pg_id = f->group[i].pg_id,
				.group = &f->group[i] };
	if (n > 1)
		qsort(row, n, sizeof(*row), by_number);
	for (EACH(const struct status_row, r, row, n))
		put_group(f, s, r->group, r->pg_id, r->status);
}

/* What it was recorded with. */
static void put_version(struct flight *f, const char *key, struct span text)
{
	if (text.n)
		reading_text(f->in, &f->in->record->env, span_of(key), text);
}

static enum status want_version(const struct flight *f, struct err *e)
{
	struct span version = flight_text(f, f->dump, "version");

	if (span_starts(version, "2."))
		return OK;
	if (version.n)
		(void)err_set(e, E_FORMAT, 0,
			"a flight recorder dump of version %.*s, where 2.x was expected",
			(int)MIN(version.n, 32), version.p);
	else
		(void)err_set(e, E_FORMAT, 0,
			"no flight recorder dump: a dict with a \"version\" was expected");
	return err_hint(e, "PyTorch 2.5 and later write what is read here");
}

/* Fills in->record from the dump; E_FORMAT when it is none of version 2, E_LIMIT. */
static enum status flight_record_take(struct flight *f, struct err *e)
{
	struct span nccl = flight_text(f, f->dump, "nccl_version");

	TRY(want_version(f, e));
	list_groups(f);
	flight_calls(f);
	put_groups(f);
	if (nccl.n == 0)
		nccl = flight_text(f, f->dump, "comm_lib_version");
	put_version(f, "flight_recorder.version", flight_text(f, f->dump, "version"));
	put_version(f, "nccl_version", nccl);
	if (f->looked_at > LIMIT_VALUES)
		return err_set(e, E_LIMIT, -1,
			"the dump repeats its values too often: more than %d are to be looked at",
			(int)LIMIT_VALUES);
	return OK;
}

/* --- the dump --- */

/* Its calls: the others of its keys may stand behind all of them, sorted. */
static bool mentions_calls(struct span text)
{
	return span_has(text, "profiling_name") && span_has(text, "time_created_ns") &&
		span_has(text, "process_group");
}

/* Its keys stand in a pickle as they are. */
static enum match probe(const struct head *h)
{
	bool is_it;

	if (h->form == HEAD_OBJECT)
		is_it = (head_has(h, "version") &&
				head_count(h, "pg_config pg_status entries") >= 2) ||
			(head_has(h, "entries") && mentions_calls(h->text));
	else
		is_it = pickle_is(h->text) &&
			((span_has(h->text, "pg_config") && span_has(h->text, "version")) ||
				mentions_calls(h->text));
	return is_it && !head_has(h, "traceEvents") ? MATCH_STRONG : MATCH_NO;
}

static enum status read_dump(struct reading *in, struct err *e)
{
	struct flight f = { .in = in };

	strings_init(&f.texts, 1);
	strings_init(&f.names, 1);
	compact_init(&f.doc, &f.texts, NULL);
	enum status st = dump_read(in, &f.doc, &f.dump, e);
	THEN(st, flight_record_take(&f, e));
	compact_clear(&f.doc);
	strings_clear(&f.names);
	strings_clear(&f.texts);
	return st;
}

const struct artifact artifact_flight_recorder = {
	.name = "flight_recorder",
	.title = "PyTorch flight recorder dump",
	.summary =
		"nccl_trace_rank_N, _dump_N: the collectives a rank called last, as pickle or JSON; "
		"for 'traceq hang'",
	.probe = probe,
	.read = read_dump,
};
