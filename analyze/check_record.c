/*
 * `check`: whether a run folder has what a profiled run leaves, in the words of the documents'
 * validator.
 *
 * What differs from it: files are known by content, wherever they are; a folder is invalid when
 * nothing at all could be read, not when two names are missing in its root; and what the run's own
 * summary says it wrote is compared with what is there.
 */
#include "analyze/check.h"

#include <stdio.h>
#include <string.h>

#include "analyze/store/record.h"
#include "analyze/whole.h"

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

enum run_verdict { RUN_OK, RUN_NOTE, RUN_WARNING, RUN_BAD };

struct folder_check {
	struct check *c;
	struct table *t;
	int64_t count[4];
	const char *why; /* of the worst */
	enum run_verdict worst;
};

/* A path without the folder in front. */
static const char *below_folder(const struct run *r, const char *path)
{
	size_t n = strlen(r->path);

	if (!r->record->is_folder || strncmp(path, r->path, n) != 0)
		return path;
	path += n;
	return path + (*path == '/');
}

static void add(struct folder_check *k, enum run_verdict v, const char *artifact, const char *what,
	const char *file, const char *text)
{
	static const char *const words[] = { "ok", "note", "warning", "bad" };

	table_row(k->t);
	table_text(k->t, RUN_VERDICT, span_of(words[v]));
	table_text(k->t, RUN_ARTIFACT, span_of(artifact));
	table_text(k->t, RUN_WHAT, span_of(what));
	if (file)
		table_text(k->t, RUN_FILE, span_of(below_folder(k->c->run, file)));
	if (text)
		table_text(k->t, RUN_TEXT, span_of(text));
	k->count[v]++;
	if (v > k->worst) {
		k->worst = v;
		k->why = text;
	}
}

/* About the whole folder: this says best why. */
static void add_whole(struct folder_check *k, enum run_verdict v, const char *text)
{
	add(k, v, "run", "The whole folder", NULL, text);
	if (v == k->worst)
		k->why = text;
}

static const char *artifact_with(const struct record *r, enum sheet_kind kind)
{
	const struct sheet *s = record_find_sheet(r, kind);

	return s ? r->artifact[s->artifact].path : NULL;
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
	case WANT_OPS: return artifact_with(r, SHEET_OPS);
	case WANT_STAGES: return artifact_with(r, SHEET_STAGES);
	default: break;
	}
	file = artifact_with_peak(r);
	if (!file)
		file = artifact_with(r, SHEET_MEMORY);
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

static void check_wanted(struct folder_check *k)
{
	const struct run *run = k->c->run;
	struct arena *mem = &k->c->out->mem;
	int i;

	for (i = 0; i < WANTED; i++) {
		const char *file = found(run, i);

		if (file)
			add(k, RUN_OK, wanted[i].name, wanted[i].what, file, NULL);
		else if (was_written(run->record, wanted[i].said))
			add(k, RUN_WARNING, wanted[i].name, wanted[i].what, NULL,
				arena_printf(mem,
					"Missing artifact: %s (%s), although the run's summary says "
					"it was written",
					wanted[i].name, wanted[i].what));
		else
			add(k, RUN_WARNING, wanted[i].name, wanted[i].what, NULL,
				arena_printf(mem, "Missing artifact: %s (%s)", wanted[i].name,
					wanted[i].what));
	}
}

/* Files that should be readable and are not, and artifacts that were cut off. */
static void check_damage(struct folder_check *k)
{
	const struct record *r = k->c->run->record;
	struct arena *mem = &k->c->out->mem;
	size_t i;

	for (i = 0; i < r->nfile; i++)
		if (r->file[i].state == FILE_DAMAGED)
			add(k, RUN_WARNING, r->file[i].kind[0] ? r->file[i].kind : "file",
				r->file[i].title[0] ? r->file[i].title : "Not readable",
				r->file[i].name,
				arena_printf(mem,
					"Artifact %s exists but has validation issues: %s",
					r->file[i].name, r->file[i].why));
	for (i = 0; i < r->nartifact; i++)
		if (!r->artifact[i].is_complete)
			add(k, RUN_WARNING, r->artifact[i].kind, r->artifact[i].title,
				r->artifact[i].path,
				arena_printf(mem,
					"Artifact %s exists but has validation issues: it "
					"ends too early",
					r->artifact[i].path));
}

static void check_others(struct folder_check *k)
{
	const struct record *r = k->c->run->record;
	size_t i;

	for (i = 0; i < r->nartifact; i++)
		add(k, RUN_OK, r->artifact[i].kind, r->artifact[i].title, r->artifact[i].path,
			NULL);
	for (i = 0; i < r->nfile; i++)
		if (r->file[i].state == FILE_LEFT_OUT)
			add(k, RUN_NOTE, "trace", "A further trace", r->file[i].name,
				r->file[i].why);
}

static void check_whole(struct folder_check *k)
{
	const struct run *run = k->c->run;
	bool trace = found(run, WANT_TRACE) != NULL, stages = found(run, WANT_STAGES) != NULL;

	if (!run->has_trace && run->record->nartifact == 0)
		add_whole(k, RUN_BAD,
			"nothing usable was recorded: no trace and no artifact could be read");
	else if (!trace && !stages && !found(run, WANT_OPS) && !found(run, WANT_MEMORY))
		add_whole(k, RUN_WARNING, "No profiler data found - profiling may have failed");
	else if (!trace && stages)
		add_whole(k, RUN_WARNING,
			"Chrome trace not available - only stage timing data collected");
}

/* The line above, for a run that has no trace: a trace's own verdict stands there otherwise. */
static void put_verdict(struct folder_check *k, struct table *t)
{
	t->title = NULL;
	t->layout = TABLE_LIST;
	table_row(t);
	table_text(t, VERDICT_RELIABLE,
		k->worst == RUN_BAD               ? SPAN("no")
			: k->worst == RUN_WARNING ? SPAN("with care")
						  : SPAN("yes"));
	if (k->worst >= RUN_WARNING && k->why)
		table_text(t, VERDICT_WHY, span_of(k->why));
	table_int(t, VERDICT_BAD, k->count[RUN_BAD]);
	table_int(t, VERDICT_WARNINGS, k->count[RUN_WARNING]);
	table_int(t, VERDICT_NOTES, k->count[RUN_NOTE]);
	if (k->c->q->for_people)
		whole_drop_unknown(t);
}

void check_record_tables(struct check *c)
{
	struct folder_check k = { .c = c };
	struct table *verdict = c->run->has_trace ? NULL : check_table(c, CHECK_VERDICT);

	k.t = check_table(c, CHECK_RUN);
	if (c->run->record->is_folder) {
		check_wanted(&k);
		check_whole(&k);
	}
	check_damage(&k);
	check_others(&k);
	if (verdict)
		put_verdict(&k, verdict);
	if (k.worst != RUN_BAD)
		return;
	*c->is_unreliable = true;
	result_note(c->out, NOTE_ERROR, "nothing_recorded", c->input, -1,
		"nothing usable was recorded: no trace and no artifact could be read");
}
