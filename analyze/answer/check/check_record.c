/*
 * `check`: whether a run folder has what a profiled run leaves, in the words of the documents'
 * validator.
 *
 * What differs from it: files are known by content, wherever they are; a folder is invalid when
 * nothing at all could be read, not when two names are missing in its root; and what the run's own
 * summary says it wrote is compared with what is there.
 */
#include "analyze/answer/check/check.h"

#include <stdio.h>
#include <string.h>

#include "analyze/trace/record.h"

/* What a profiled run leaves. */
enum { WANT_TRACE, WANT_OPS, WANT_STAGES, WANT_MEMORY, WANTED };

static const struct {
	const char *name, *what, *said;
} wanted[WANTED] = {
	{ "trace.json", "Chrome trace file", "artifacts.trace_json" },
	{ "op_stats.csv", "Operation statistics CSV", "artifacts.op_stats_csv" },
	{ "stage_times.json", "Stage timing data", "artifacts.stage_times_json" },
	{ "memory_stats.json", "Memory usage statistics", "artifacts.memory_stats_json" },
};

struct folder_check {
	struct check *c;
	struct table *t;
	const char *why; /* what the worst found */
	enum health worst;
	int64_t count[4]; /* of verdicts */
};

static void add_artifact(struct folder_check *k, enum health v, const char *artifact,
	const char *what, const char *file, const char *text)
{
	static const char *const words[] = { "ok", "note", "warning", "bad" };

	table_row(k->t);
	table_text(k->t, RUN_VERDICT, span_of(words[v]));
	table_text(k->t, RUN_ARTIFACT, span_of(artifact));
	table_text(k->t, RUN_WHAT, span_of(what));
	if (file)
		table_text(k->t, RUN_FILE, span_of(run_below(k->c->at->run, file)));
	if (text)
		table_text(k->t, RUN_TEXT, span_of(text));
	k->count[v]++;
	if (v > k->worst) {
		k->worst = v;
		k->why = text;
	}
}

/* About the whole folder: this says best why. */
static void add_whole(struct folder_check *k, enum health v, const char *text)
{
	add_artifact(k, v, "run", "The whole folder", NULL, text);
	if (v == k->worst)
		k->why = text;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * An artifact with such a sheet: best of the name the documents give it, and what a log prints only
 * where there is no file of its own.
 */
static const char *artifact_with(const struct record *r, enum sheet_table kind, const char *name)
{
	const char *first = NULL, *in_log = NULL;
	size_t i;

	for (i = 0; i < r->nsheet; i++) {
		const struct record_artifact *a = &r->artifact[r->sheet[i]->artifact];

		if (r->sheet[i]->kind != kind || r->sheet[i]->table.nrow == 0)
			continue;
		if (strcmp(base_name(a->path), name) == 0)
			return a->path;
		if (strcmp(a->kind, "text_log") == 0)
			in_log = in_log ? in_log : a->path;
		else
			first = first ? first : a->path;
	}
	return first ? first : in_log;
}

/* The artifact that says how much memory was used at most. */
static const char *artifact_with_peak(const struct record *r)
{
	size_t i;

	for (i = 0; i < r->scalars.n; i++)
		if (span_has(r->scalars.v[i].key, "peak_memory_usage."))
			return r->artifact[r->scalars.v[i].artifact].path;
	return NULL;
}

static const char *trace_file(const struct run *run)
{
	const struct record *r = run->record;
	size_t i;

	for (i = 0; i < r->nfile; i++)
		if (strcmp(r->file[i].kind, "trace") == 0 && r->file[i].state == FILE_READ)
			return r->file[i].name;
	return run->has_trace ? run->path : NULL;
}

/* Where the wanted thing was found, or NULL. */
static const char *found(const struct run *run, int want)
{
	const struct record *r = run->record;
	const char *file = NULL;

	switch (want) {
	case WANT_TRACE: return trace_file(run);
	case WANT_OPS: return artifact_with(r, SHEET_OPS, wanted[want].name);
	case WANT_STAGES: return artifact_with(r, SHEET_STAGES, wanted[want].name);
	default: break;
	}
	file = artifact_with_peak(r);
	if (!file)
		file = artifact_with(r, SHEET_MEMORY, wanted[want].name);
	if (!file && run->kind_count[KIND_MEMORY] > 0)
		file = trace_file(run);
	return file;
}

/* The run's own summary says that it was written. */
static bool was_written(const struct record *r, const char *said)
{
	size_t i;

	for (i = 0; i < r->scalars.n; i++) {
		const struct scalar *s = &r->scalars.v[i];
		struct span tail = s->key;
		size_t n = strlen(said);

		if (s->type != SCALAR_BOOL || s->number < 0.5 || tail.n < n)
			continue;
		tail.p += tail.n - n;
		tail.n = n;
		if (span_is(tail, said))
			return true;
	}
	return false;
}

/* A file of that name is there, but cannot be read: that is said elsewhere. */
static bool is_damaged(const struct record *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->nfile; i++)
		if (r->file[i].state == FILE_DAMAGED &&
			strcmp(base_name(r->file[i].name), name) == 0)
			return true;
	return false;
}

static void check_one(struct folder_check *k, int want)
{
	const struct run *run = k->c->at->run;
	const char *name = wanted[want].name, *what = wanted[want].what, *file = found(run, want);
	bool said = was_written(run->record, wanted[want].said);

	if (file)
		add_artifact(k, VERDICT_OK, name, what, file, NULL);
	else if (!is_damaged(run->record, name))
		add_artifact(k, said || !run->has_trace ? VERDICT_WARNING : VERDICT_NOTE, name,
			what, NULL,
			arena_printf(&k->c->at->out->mem, "Missing artifact: %s (%s)%s", name, what,
				said ? ", although the run's summary says it was written" : ""));
}

static void check_wanted(struct folder_check *k)
{
	int i;

	for (i = 0; i < WANTED; i++)
		check_one(k, i);
}

/* Files that should be readable and are not, and artifacts that were cut off. */
static void check_damage(struct folder_check *k)
{
	const struct record *r = k->c->at->run->record;
	struct arena *mem = &k->c->at->out->mem;
	size_t i;

	for (i = 0; i < r->nfile; i++)
		if (r->file[i].state == FILE_DAMAGED)
			add_artifact(k, VERDICT_WARNING,
				r->file[i].kind[0] ? r->file[i].kind : "file",
				r->file[i].title[0] ? r->file[i].title : "Not readable",
				r->file[i].name,
				arena_printf(mem,
					"Artifact %s exists but has validation issues: %s",
					r->file[i].name, r->file[i].why));
	for (i = 0; i < r->nartifact; i++)
		if (!r->artifact[i].is_complete)
			add_artifact(k, VERDICT_WARNING, r->artifact[i].kind, r->artifact[i].title,
				r->artifact[i].path,
				arena_printf(mem,
					"Artifact %s exists but has validation issues: it "
					"ends too early",
					run_below(k->c->at->run, r->artifact[i].path)));
}

static void check_others(struct folder_check *k)
{
	const struct record *r = k->c->at->run->record;
	size_t i;

	for (i = 0; i < r->nartifact; i++)
		if (r->artifact[i].is_complete)
			add_artifact(k, VERDICT_OK, r->artifact[i].kind, r->artifact[i].title,
				r->artifact[i].path, NULL);
	for (i = 0; i < r->nfile; i++)
		if (r->file[i].state == FILE_LEFT_OUT)
			add_artifact(k, VERDICT_OK, "trace", "A further trace", r->file[i].name,
				r->file[i].why);
}

/* There are figures: more than how the run was set up. */
static bool is_usable(const struct run *run)
{
	const struct record *r = run->record;
	size_t i;

	for (i = 0; i < r->nsheet; i++)
		if (r->sheet[i]->table.nrow > 0)
			return true;
	return run->has_trace || r->nseries > 0 || found(run, WANT_MEMORY);
}

static void check_whole(struct folder_check *k)
{
	static const char nothing[] = "No profiler data found - profiling may have failed";
	const struct run *run = k->c->at->run;
	bool trace = found(run, WANT_TRACE) != NULL, stages = found(run, WANT_STAGES) != NULL;

	if (!run->has_trace && run->record->nartifact == 0)
		add_whole(k, VERDICT_IS_BAD,
			"nothing usable was recorded: no trace and no artifact could be read");
	else if (!is_usable(run))
		add_whole(k, VERDICT_IS_BAD, nothing);
	else if (!trace && !stages && !found(run, WANT_OPS) && !found(run, WANT_MEMORY))
		add_whole(k, VERDICT_WARNING, nothing);
	else if (!trace && stages)
		add_whole(k, VERDICT_WARNING,
			"Chrome trace not available - only stage timing data collected");
}

void check_record_tables(struct check *c)
{
	struct folder_check k = { .c = c };
	enum health v;

	k.t = perrun_table(c->at, &check_docs[CHECK_RUN]);
	check_damage(&k);
	if (c->at->run->record->is_folder) {
		check_wanted(&k);
		check_whole(&k);
	}
	check_others(&k);
	for (v = VERDICT_IS_BAD; v > VERDICT_OK; v--)
		check_judge(c, v, k.count[v], k.why);
	if (k.worst == VERDICT_IS_BAD)
		result_note(
			c->at->out, NOTE_ERROR, "nothing_recorded", c->at->input, -1, "%s", k.why);
}
