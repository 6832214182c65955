/* `check`: whether a run folder has what its documents say it leaves, in the words of their
 * validators.
 *
 * What differs from them: files are known by content, wherever they are, and what the run's own
 * summary says it wrote is compared with what is there. */
#include "analyze/answer/check/check.h"
#include "analyze/measure/memory/snapreplay.h"
#include "analyze/trace/columns/record.h"

struct folder_check {
	struct check *c;
	struct table *t;
	const char *why; /* what the worst found */
	enum severity worst;
	int64_t count[SEVERITY_COUNT]; /* of verdicts */
};

static void add_artifact(struct folder_check *k, enum severity v, const char *artifact,
	const char *what, const char *file, const char *text)
{
	TABLE_ROW(k->t, [RUN_VERDICT] = cell_word(check_word(v)),
		[RUN_ARTIFACT] = cell_word(artifact), [RUN_WHAT] = cell_word(what),
		[RUN_FILE] = CELL_IF(file, cell_word(run_below(k->c->at->run, file))),
		[RUN_TEXT] = cell_word(text));
	k->count[v]++;
	if (v > k->worst) {
		k->worst = v;
		k->why = text;
	}
}

/* About the whole folder: this says best why. */
static void add_whole(struct folder_check *k, enum severity v, const char *text)
{
	add_artifact(k, v, "run", "The whole folder", NULL, text);
	if (v == k->worst)
		k->why = text;
}

/* The run's own summary says that it was written. */
static bool was_written(const struct record *r, const char *said)
{
	for (size_t i = 0; i < r->scalars.n; i++) {
		const struct scalar *s = &r->scalars.v[i];

		if (s->type == SCALAR_BOOL && s->number >= 0.5 && span_ends(s->key, said))
			return true;
	}
	return false;
}

static const char *missing_text(struct folder_check *k, const struct wanted *w, bool said)
{
	return arena_printf(&k->c->at->out->mem, "Missing artifact: %s (%s)%s", w->name, w->what,
		said ? ", although the run's summary says it was written" : "");
}

static void check_one(struct folder_check *k, const struct wanted *w)
{
	const struct run *run = k->c->at->run;
	const char *file = check_wanted_file(run, w);
	bool said = w->said && was_written(run->record, w->said);

	if (file)
		add_artifact(k, SEVERITY_OK, w->name, w->what, file, NULL);
	else if (!check_wanted_is_damaged(run->record, w))
		add_artifact(k, said || !run->has_trace ? w->missing : w->missing_beside_trace,
			w->name, w->what, NULL, missing_text(k, w, said));
}

/* Files that should be readable and are not, and artifacts that were cut off. */
static void check_damage(struct folder_check *k)
{
	const struct record *r = k->c->at->run->record;
	struct arena *mem = &k->c->at->out->mem;
	const char *broken = record_why_broken(r, mem);

	if (broken)
		add_artifact(k, SEVERITY_CRIT, "run", "The run broke", NULL,
			arena_printf(mem, "the run broke, %s", broken));

	for (size_t i = 0; i < r->nfile; i++)
		if (r->file[i].state == FILE_DAMAGED)
			add_artifact(k, SEVERITY_WARN,
				r->file[i].kind[0] ? r->file[i].kind : "file",
				r->file[i].title[0] ? r->file[i].title : "Not readable",
				r->file[i].name,
				arena_printf(mem,
					"Artifact %s exists but has validation issues: %s",
					r->file[i].name, r->file[i].why));
	for (size_t i = 0; i < r->nartifact; i++)
		if (!r->artifact[i].is_complete)
			add_artifact(k, SEVERITY_WARN, r->artifact[i].kind, r->artifact[i].title,
				r->artifact[i].path,
				arena_printf(mem,
					"Artifact %s exists but has validation issues: %s",
					run_below(k->c->at->run, r->artifact[i].path),
					r->artifact[i].issue));
}

/* How many values of an artifact are NaN or infinite, and the key of the first. */
static int64_t not_finite(const struct record *r, int artifact, struct span *key)
{
	int64_t n = 0;

	for (size_t i = 0; i < r->nseries; i++) {
		const struct series *s = r->series[i];

		if (s->artifact != artifact || s->nan + s->inf == 0)
			continue;
		*key = n == 0 ? s->name : *key;
		n += s->nan + s->inf;
	}
	for (size_t i = 0; i < r->scalars.n; i++) {
		const struct scalar *s = &r->scalars.v[i];

		if (s->artifact != artifact || s->type != SCALAR_NUMBER || isfinite(s->number))
			continue;
		*key = n == 0 ? s->key : *key;
		n++;
	}
	return n;
}

/* Of a memory snapshot: how far its history reaches. */
static const char *history_text(struct folder_check *k, const struct memsnap *m)
{
	size_t early = 0;

	for (size_t i = 0; i < m->ntrace; i++) {
		struct snapreplay r;

		snapreplay_init(&r, m, &m->trace[i]);
		early += r.nearly;
		snapreplay_clear(&r);
	}
	if (m->ntrace == 0)
		return "no history is recorded in it";
	if (early == 0)
		return arena_printf(&k->c->at->out->mem,
			"a history of %zu entries, from the first allocation on", m->nentry);
	return arena_printf(&k->c->at->out->mem,
		"a history of %zu entries, without its begin: %zu blocks were alive before it",
		m->nentry, early);
}

static const struct memsnap *snapshot_of(const struct record *r, size_t artifact)
{
	return FIND_VALUE(
		i, r->nsnapshot, r->snapshot[i]->artifact == (int)artifact, r->snapshot[i], NULL);
}

/* An artifact that is whole.  What of it is no number is worth a look. */
static void check_whole(struct folder_check *k, size_t i)
{
	const struct record_artifact *a = &k->c->at->run->record->artifact[i];
	const struct memsnap *snapshot = snapshot_of(k->c->at->run->record, i);
	struct span key = SPAN("");
	int64_t n = not_finite(k->c->at->run->record, (int)i, &key);

	if (snapshot) {
		add_artifact(k, SEVERITY_OK, a->kind, a->title, a->path, history_text(k, snapshot));
		return;
	}
	add_artifact(k, n ? SEVERITY_WARN : SEVERITY_OK, a->kind, a->title, a->path,
		n ? arena_printf(&k->c->at->out->mem,
			    "%" PRId64 " value%s NaN or infinite, the first of %.*s", n,
			    plural(n, " is", "s are"), (int)key.n, key.p)
		  : NULL);
}

/* The figure by which a finished week is known. */
static void check_figure(struct folder_check *k, const struct wanted_list *list)
{
	const struct record *r = k->c->at->run->record;
	struct arena *mem = &k->c->at->out->mem;

	if (!list->figure || !check_wanted_file(k->c->at->run, &list->wanted[WANTED_METRICS]))
		return;
	const struct scalar *s = record_find(&r->scalars, list->figure);
	if (isnan(scalar_number(s)))
		add_artifact(k, SEVERITY_CRIT, "accuracy", "Accuracy of the full data set", NULL,
			arena_printf(mem, "no %s", list->figure));
	else
		add_artifact(k, SEVERITY_OK, "accuracy", "Accuracy of the full data set",
			r->artifact[s->artifact].path,
			arena_printf(mem, "%.4g; the document expects about %.2f", scalar_number(s),
				list->expected));
}

static void check_folder(struct folder_check *k)
{
	const struct wanted_list *list = check_wanted_list(k->c->at->run->record);

	for (size_t i = 0; i < list->n; i++)
		check_one(k, &list->wanted[i]);
	/* At least so many stages in its table, as the sibling kit's acceptance has it. */
	size_t n = check_wanted_stages(k->c->at->run->record);
	if (list->stages > 0)
		add_artifact(k, n < list->stages ? SEVERITY_CRIT : SEVERITY_OK, "stages",
			"Stages in the table", NULL,
			arena_printf(&k->c->at->out->mem, "%zu stage%s of at least %zu", n,
				plural_s(n), list->stages));
	check_figure(k, list);
	/* What check_profile.py asks of the whole folder: a trace, or times of stages. */
	if (list->is_profiled) {
		const struct run *run = k->c->at->run;
		bool trace = check_wanted_is_there(run, &list->wanted[WANTED_TRACE]);
		if (!trace && !check_wanted_is_there(run, &list->wanted[WANTED_STAGES]))
			add_whole(k, SEVERITY_CRIT,
				record_beyond(
					run->record->beyond, CHECK_NOTHING, &k->c->at->out->mem));
		else if (!trace)
			add_whole(k, SEVERITY_WARN, CHECK_ONLY_STAGES);
	}
}

/* Why the file that has it is not whole, or NULL. */
static const char *issue_of(const struct run *run, const struct wanted *w, const char *file)
{
	const struct record *r = run->record;

	for (size_t i = 0; i < r->nfile && !file; i++)
		if (r->file[i].state == FILE_DAMAGED &&
			strcmp(run_below(run, r->file[i].name), w->name) == 0)
			return r->file[i].why;
	for (size_t i = 0; file && i < r->nartifact; i++)
		if (strcmp(r->artifact[i].path, file) == 0 && !r->artifact[i].is_complete)
			return r->artifact[i].issue;
	for (size_t i = 0; file && w->by == BY_TRACE && i < PROBLEM_COUNT; i++)
		if (run->tally.count[i] > 0 && problem_infos[i].weight == WEIGHT_BROKEN)
			return problem_infos[i].text;
	return NULL;
}

/* The four of check_profile.py, whatever else the folder is; none where it is not there. */
static void put_profiled(const struct check *c)
{
	const struct wanted_list *list = &check_wanted_profiled;
	const struct run *run = c->at->run;
	struct table *t = perrun_table(c->at, &check_docs[CHECK_PROFILED]);

	for (size_t i = 0; i < list->n && !run->record->is_missing; i++) {
		const struct wanted *w = &list->wanted[i];
		const char *file = check_wanted_file(run, w), *issue = issue_of(run, w, file);

		TABLE_ROW(t, [PROFILED_ARTIFACT] = cell_word(w->name),
			[PROFILED_WHAT] = cell_word(w->what),
			[PROFILED_THERE] = cell_bool(check_wanted_is_there(run, w)),
			[PROFILED_FILE] = cell_word(file), [PROFILED_ISSUE] = cell_word(issue));
	}
}

void check_record_tables(struct check *c)
{
	struct folder_check k = { .c = c };

	k.t = perrun_table(c->at, &check_docs[CHECK_RUN]);
	check_damage(&k);
	if (c->at->run->record->is_missing)
		add_whole(&k, SEVERITY_CRIT,
			arena_printf(&c->at->out->mem, CHECK_NO_FOLDER, c->at->run->path));
	else if (c->at->run->record->is_folder)
		check_folder(&k);
	const struct record *r = k.c->at->run->record;
	for (size_t i = 0; i < r->nartifact; i++)
		if (r->artifact[i].is_complete)
			check_whole(&k, i);
	for (size_t i = 0; i < r->nfile; i++)
		if (r->file[i].state == FILE_LEFT_OUT || r->file[i].state == FILE_FURTHER)
			add_artifact(&k, SEVERITY_OK, r->file[i].kind,
				strcmp(r->file[i].kind, "trace") == 0 ? "A further trace"
								      : r->file[i].title,
				r->file[i].name, r->file[i].why);
	if (c->at->run->record->is_folder && !c->at->q->for_people)
		put_profiled(c);
	for (enum severity v = SEVERITY_CRIT; v > SEVERITY_OK; v--)
		check_judge(c, v, k.count[v], k.why);
	if (k.worst == SEVERITY_CRIT && !record_find(&c->at->run->record->scalars, "broken.what"))
		result_note(
			c->at->out, NOTE_ERROR, "nothing_recorded", c->at->input, -1, "%s", k.why);
}
