/* `hang`: dumps to ranks and groups.  A rank is known by the groups that it alone is in, else by
 * the number in its file's name. */
#include "analyze/answer/hang/hang.h"
#include "analyze/trace/ranklist.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/runpath.h"

struct hang_member *hang_member_of(const struct hang_group *g, int64_t rank)
{
	size_t lo = PARTITION_POINT(i, 0, g->nmember, g->member[i].rank < rank);

	return lo < g->nmember && g->member[lo].rank == rank ? &g->member[lo] : NULL;
}

/* A group is its name and who is in it: split groups may share a name. */
static size_t group_of(struct hang_job *job, struct span name, struct span desc, struct span ranks)
{
	const char *key =
		arena_printf(&job->mem, "%.*s\n%.*s", (int)name.n, name.p, (int)ranks.n, ranks.p);
	size_t id = strings_intern(&job->names, span_of(key));

	if (id <= job->ngroup)
		return id - 1;
	struct hang_group *g = ARENA_PUSH(&job->mem, job->group, job->ngroup, job->group_cap,
		(struct hang_group){ .name = name, .desc = desc, .worst = NOWHERE });
	int64_t *v = ranklist_read(ranks, &job->mem, &g->nmember);
	g->nmember = ranklist_sort(v, g->nmember);
	g->member = arena_array(&job->mem, g->nmember, sizeof(*g->member));
	for (size_t i = 0; i < g->nmember; i++)
		g->member[i] = (struct hang_member){ .rank = v[i],
			.pg_id = NOWHERE,
			.enqueued = NOWHERE,
			.started = NOWHERE,
			.completed = NOWHERE,
			.first = NOWHERE,
			.last = NOWHERE };
	return job->ngroup - 1;
}

static bool is_in_all(const struct hang_job *job, const struct hang_rank *r, int64_t number)
{
	for (size_t i = 0; i < r->ngroup; i++) {
		const struct hang_group *g = &job->group[r->group[i]];

		if (g->nmember && !hang_member_of(g, number))
			return false;
	}
	return true;
}

/* The one rank that is in all of its groups, or NOWHERE. */
static int64_t rank_by_groups(const struct hang_job *job, const struct hang_rank *r)
{
	const struct hang_group *least = NULL;
	int64_t found = NOWHERE;

	for (size_t i = 0; i < r->ngroup; i++) {
		const struct hang_group *g = &job->group[r->group[i]];

		if (g->nmember && (!least || g->nmember < least->nmember))
			least = g;
	}
	for (size_t i = 0; least && i < least->nmember; i++) {
		if (!is_in_all(job, r, least->member[i].rank))
			continue;
		if (found != NOWHERE)
			return NOWHERE;
		found = least->member[i].rank;
	}
	return found;
}

/* The number behind "rank" in the file's name, else the last number in it, else that behind "rank"
 * in the names of its folders; NOWHERE. */
static int64_t rank_by_name(const char *path)
{
	const char *base = path_name(path);
	int64_t rank = runpath_rank(base);
	size_t end = strlen(base), from;

	if (rank >= 0)
		return rank;
	while (end > 0 && !is_digit(base[end - 1]))
		end--;
	for (from = end; from > 0 && is_digit(base[from - 1]);)
		from--;
	if (from == end || end - from > 9)
		return runpath_rank(path);
	for (rank = 0; from < end; from++)
		rank = rank * 10 + (base[from] - '0');
	return rank;
}

static bool find_number(struct hang_job *job, struct hang_rank *r)
{
	int64_t by_name = rank_by_name(r->path);

	r->number = rank_by_groups(job, r);
	if (r->number != NOWHERE && by_name != NOWHERE && by_name != r->number)
		result_note(job->out, NOTE_WARNING, "hang_rank_name", r->input, -1,
			"%s: by its groups it is of rank %" PRId64 ", whatever its name says",
			r->path, r->number);
	if (r->number == NOWHERE && by_name != NOWHERE && is_in_all(job, r, by_name))
		r->number = by_name;
	if (r->number != NOWHERE)
		return true;
	result_note(job->out, NOTE_WARNING, "hang_rank_unknown", r->input, -1,
		"%s is left out: neither its groups nor its name say of which rank it is (name it "
		"_dump_RANK)",
		r->path);
	job->nunknown++;
	return false;
}

static struct hang_rank *add_rank(struct hang_job *job)
{
	return ARENA_PUSH(&job->mem, job->rank, job->nrank, job->rank_cap,
		(struct hang_rank){ .head = NOWHERE, .last = NOWHERE });
}

static void add_dump(struct hang_job *job, const struct record *record, int artifact, int input)
{
	struct hang_rank *r = add_rank(job);

	r->has_dump = true;
	r->record = record;
	r->artifact = artifact;
	r->input = input;
	r->path = record->artifact[artifact].path;
	/* The groups that a dump names. */
	const struct sheet *s = record_sheet_of(r->record, r->artifact, SHEET_PGROUPS);
	size_t cap = 0;
	for (size_t row = 0; s && row < s->table.nrow; row++) {
		struct span name = table_text_at(&s->table, row, PGROUPS_NAME);

		if (!table_cell(&s->table, row, PGROUPS_NAME))
			continue;
		ARENA_PUSH(&job->mem, r->group, r->ngroup, cap,
			group_of(job, name, table_text_at(&s->table, row, PGROUPS_DESC),
				table_text_at(&s->table, row, PGROUPS_RANKS)));
	}
	if (!find_number(job, r)) {
		job->nrank--;
		return;
	}
	for (size_t i = 0; i + 1 < job->nrank; i++)
		if (job->rank[i].number == r->number) {
			result_note(job->out, NOTE_WARNING, "hang_doubled", input, -1,
				"%s is left out: %s is a dump of rank %" PRId64 ", too", r->path,
				job->rank[i].path, r->number);
			job->nrank--;
			return;
		}
	job->ndump++;
}

ORDER(by_number, struct hang_rank, compare3(a->number, b->number))

static size_t rank_at(const struct hang_job *job, size_t n, int64_t number)
{
	return PARTITION_POINT(i, 0, n, job->rank[i].number < number);
}

/* add_absent may have added a rank once for each group. */
static void settle_ranks(struct hang_job *job)
{
	size_t n = 0;

	sort_rows(job->rank, job->nrank, sizeof(*job->rank), by_number);
	for (size_t i = 0; i < job->nrank; i++) {
		if (n && job->rank[n - 1].number == job->rank[i].number) {
			if (job->rank[i].has_dump)
				job->rank[n - 1] = job->rank[i];
		} else {
			job->rank[n++] = job->rank[i];
		}
	}
	job->nrank = n;
	for (size_t i = 0; i < job->ngroup; i++)
		for (size_t k = 0; k < job->group[i].nmember; k++)
			job->group[i].member[k].at = rank_at(job, n, job->group[i].member[k].rank);
}

static void take_status(struct hang_member *m, const struct table *t, size_t row)
{
	m->pg_id = table_int_at(t, row, PGROUPS_PG, NOWHERE);
	m->enqueued = table_int_at(t, row, PGROUPS_ENQUEUED, NOWHERE);
	m->started = table_int_at(t, row, PGROUPS_STARTED, NOWHERE);
	m->completed = table_int_at(t, row, PGROUPS_COMPLETED, NOWHERE);
}

/* What the dump's statuses say of its rank. */
static void read_statuses(struct hang_job *job, const struct hang_rank *r)
{
	const struct sheet *s = record_sheet_of(r->record, r->artifact, SHEET_PGROUPS);
	size_t i = 0;

	for (size_t row = 0; s && row < s->table.nrow; row++) {
		if (!table_cell(&s->table, row, PGROUPS_NAME))
			continue;
		struct hang_member *m = hang_member_of(&job->group[r->group[i++]], r->number);
		if (!m)
			continue;
		m->is_told = true;
		take_status(m, &s->table, row);
	}
}

/* The number that the members whose calls tell it have for the group; NOWHERE: they differ. */
static int64_t usual_id(const struct hang_group *g)
{
	int64_t id = NOWHERE;

	for (EACH(const struct hang_member, member, g->member, g->nmember)) {
		if (member->pg_id == NOWHERE || member->is_guessed)
			continue;
		if (id != NOWHERE && id != member->pg_id)
			return NOWHERE;
		id = member->pg_id;
	}
	return id;
}

/*
 * A rank that waits for nothing has no call that tells which status is of which group.  Groups are
 * made in the same order by their members, mostly, so the number that the others have is its, too.
 */
static void guess_status(struct hang_job *job, struct hang_group *g, int64_t id)
{
	for (EACH(struct hang_member, m, g->member, g->nmember)) {
		const struct hang_rank *r = &job->rank[m->at];

		if (!r->has_dump || m->pg_id != NOWHERE || !m->is_told)
			continue;
		const struct sheet *s = record_sheet_of(r->record, r->artifact, SHEET_PGROUPS);
		for (size_t row = 0; row < s->table.nrow; row++)
			if (!table_cell(&s->table, row, PGROUPS_NAME) &&
				table_int_at(&s->table, row, PGROUPS_PG, NOWHERE) == id) {
				take_status(m, &s->table, row);
				m->is_guessed = true;
				job->nguessed++;
				break;
			}
	}
}

static enum status read_runs(struct hang_job *job, struct err *e)
{
	const struct run *run;

	for (size_t i = 0; i < job->q->nrun; i++) {
		TRY(query_open(job->q, i, &run, e));
		const struct record *r = run ? run->record : NULL;
		for (size_t k = 0; r && k < r->nartifact; k++)
			if (strcmp(r->artifact[k].kind, "flight_recorder") == 0 &&
				record_sheet_of(r, (int)k, SHEET_PGROUPS))
				add_dump(job, r, (int)k, (int)i);
		query_close(job->q, i);
	}
	return OK;
}

/* Dumps that are none, since they are damaged: why the first is. */
static bool say_unreadable(const struct record *r, struct err *e)
{
	for (size_t i = 0; r && i < r->nfile; i++) {
		const struct record_file *f = &r->file[i];

		if (f->state != FILE_DAMAGED || strcmp(f->kind, "flight_recorder") != 0)
			continue;
		(void)err_set(
			e, E_NODATA, -1, "no dump can be read; the first, %s: %s", f->name, f->why);
		(void)err_hint(e, "'traceq info' says what is wrong with each file");
		return true;
	}
	return false;
}

static enum status no_dump(const struct hang_job *job, struct err *e)
{
	const struct run *run;

	if (job->nunknown)
		return err_hinted(e, E_NODATA, "name them by their ranks: _dump_0, _dump_1 ...",
			"none of the dumps says of which rank it is");
	(void)err_set(e, E_NODATA, -1, "there is no dump of PyTorch's flight recorder");
	TRY(query_open(job->q, 0, &run, e));
	const struct record *r = run ? run->record : NULL;
	if (r && r->nartifact) {
		if (!say_unreadable(r, e))
			(void)record_hint(r, run->has_trace, e);
	} else {
		(void)err_hint(e,
			"set TORCH_FR_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1; each rank "
			"writes TORCH_FR_DUMP_TEMP_FILE and its number when a collective times out");
	}
	query_close(job->q, 0);
	return E_NODATA;
}

enum status hang_job_read(struct hang_job *job, struct err *e)
{
	strings_init(&job->names, 1);
	TRY(read_runs(job, e));
	if (job->ndump == 0)
		return no_dump(job, e);
	/* Ranks of groups that left no dump, and the index of each member. */
	size_t k, n;
	sort_rows(job->rank, job->nrank, sizeof(*job->rank), by_number);
	for (size_t i = 0; i < job->ngroup; i++)
		for (n = job->nrank, k = 0; k < job->group[i].nmember; k++) {
			int64_t number = job->group[i].member[k].rank;
			size_t at = rank_at(job, n, number);

			if (at < n && job->rank[at].number == number)
				continue;
			add_rank(job)->number = number;
		}
	settle_ranks(job);
	for (size_t i = 0; i < job->nrank; i++)
		if (job->rank[i].has_dump)
			read_statuses(job, &job->rank[i]);
	for (size_t i = 0; i < job->ngroup; i++) {
		int64_t id = usual_id(&job->group[i]);

		if (id != NOWHERE)
			guess_status(job, &job->group[i], id);
	}
	return OK;
}
