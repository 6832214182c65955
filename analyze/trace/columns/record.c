/* Records: storage only. */
#include "analyze/trace/figure.h"
#include "analyze/trace/columns/record.h"

#include <stdio.h>

#include "analyze/trace/memsnap.h"

#define NAMES_SEED 0x7265636f7264u

struct record *record_new(void)
{
	struct record *r = xcalloc(1, sizeof(*r));

	strings_init(&r->names, NAMES_SEED);
	return r;
}

void record_free(struct record *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->nseries; i++)
		series_clear(r->series[i]);
	for (size_t i = 0; i < r->nsnapshot; i++)
		memsnap_free(r->snapshot[i]);
	strings_clear(&r->names);
	arena_clear(&r->mem);
	free(r);
}

int record_artifact(struct record *r, const char *path, const char *kind, const char *title)
{
	ARENA_PUSH(&r->mem, r->artifact, r->nartifact, r->artifact_cap,
		(struct record_artifact){
			.path = arena_copy(&r->mem, path, strlen(path)),
			.kind = kind,
			.title = title,
			.file_bytes = -1,
			.is_complete = true,
			.issue = "it ends too early",
		});
	return (int)r->nartifact - 1;
}

void record_file(struct record *r, const struct record_file *file)
{
	struct record_file *f = ARENA_PUSH(&r->mem, r->file, r->nfile, r->file_cap, *file);
	f->name = arena_copy(&r->mem, file->name, strlen(file->name));
	f->why = arena_copy(&r->mem, file->why, strlen(file->why));
}

static bool has_rows(const struct record *r, enum sheet_table kind)
{
	return ANY(i, r->nsheet, r->sheet[i]->kind == kind && r->sheet[i]->table.nrow);
}

static bool has_smi(const struct record *r)
{
	return ANY(i, r->nseries,
		span_starts(span_of(r->artifact[r->series[i]->artifact].kind), "smi_"));
}

static bool has_metrics(const struct record *r)
{
	return ANY(i, r->nseries,
		       !span_starts(span_of(r->artifact[r->series[i]->artifact].kind), "smi_")) ||
		has_rows(r, SHEET_STAGES) || has_rows(r, SHEET_SCORES) ||
		has_rows(r, SHEET_SAMPLES) || has_rows(r, SHEET_SUMMARIES);
}

/* The distinct titles of what was read. */
static void add_titles(struct str *b, const struct record *r)
{
	enum { TITLES = 4 };
	size_t k, n = 0;

	for (size_t i = 0; i < r->nartifact; i++) {
		k = FIRST(j, i, r->artifact[j].title == r->artifact[i].title);
		if (k < i)
			continue;
		if (n++ < TITLES)
			str_addf(b, "%s%s", n > 1 ? "; " : "", r->artifact[i].title);
	}
	if (n > TITLES)
		str_addf(b, "; and others");
}

const char *record_command(const struct record *r, bool has_trace, size_t i)
{
	const struct {
		bool is_there;
		const char *command;
	} answers[] = { { has_metrics(r), "metrics" }, { has_rows(r, SHEET_OPS), "top" },
		{ has_rows(r, SHEET_KERNELS), "kernels" }, { has_rows(r, SHEET_STACKS), "stacks" },
		{ has_rows(r, SHEET_SWEEP), "batch" }, { has_smi(r), "smi" },
		{ has_rows(r, SHEET_PGROUPS) || has_rows(r, SHEET_MEMBERS), "hang" },
		{ has_rows(r, SHEET_COMMS), "comms" }, { r->nsnapshot > 0, "memory" },
		{ has_trace, "summary" }, { true, "info" } };

	for (size_t k = 0; k < COUNT_OF(answers); k++)
		if (answers[k].is_there && i-- == 0)
			return answers[k].command;
	return NULL;
}

const char *record_beyond(int64_t beyond, const char *what, struct arena *mem)
{
	const char *many = plural_s(beyond);

	if (beyond == 0)
		return what;
	return arena_printf(mem,
		"%lld file%s or folder%s beyond the first 10,000 %s not looked at; without %s: %s",
		(long long)beyond, many, many, plural(beyond, "was", "were"),
		plural(beyond, "it", "them"), what);
}

void record_say_beyond(int64_t beyond, struct err *e)
{
	SCOPED_ARENA mem = { 0 };

	if (beyond == 0)
		return;
	(void)err_set(e, e->status, e->offset, "%s", record_beyond(beyond, e->text, &mem));
	(void)err_hint(e, "give a folder that has less in it, or the files themselves");
}

enum status record_hint(const struct record *r, bool has_trace, struct err *e)
{
	SCOPED_STR b = { 0 };
	const char *command;

	record_say_beyond(r->beyond, e);
	if (r->beyond && r->nartifact == 0 && !has_trace)
		return e->status;
	if (r->nartifact == 0 && !has_trace)
		return err_hint(
			e, "there is nothing readable in it; 'traceq info' lists what is there");
	add_titles(&b, r);
	for (size_t i = 0; (command = record_command(r, has_trace, i)) != NULL; i++)
		str_addf(&b, "%s'traceq %s'", i ? ", " : "; try ", command);
	(void)err_hint(e, "it was read as: %s", b.s);
	return e->status;
}

struct span record_text(struct record *r, struct span text)
{
	size_t n = MIN(text.n, RECORD_TEXT);

	return (struct span){ arena_copy(&r->mem, text.p, n), n };
}

/* A series' key in the table of names. */
struct series_key {
	char text[sizeof(int) + sizeof(size_t) + 2 * RECORD_TEXT];
	size_t n;
};

static void make_key(struct series_key *k, int artifact, struct span name, struct span group)
{
	char *p = k->text;

	memcpy(p, &artifact, sizeof(artifact));
	p += sizeof(artifact);
	/* How long the group is, for both texts may hold any byte. */
	memcpy(p, &group.n, sizeof(group.n));
	p += sizeof(group.n);
	memcpy(p, group.p, group.n);
	p += group.n;
	memcpy(p, name.p, name.n);
	k->n = (size_t)(p + name.n - k->text);
}

static struct span cut(struct span t)
{
	return (struct span){ t.p, MIN(t.n, RECORD_TEXT) };
}

struct series *record_known_series(
	const struct record *r, int artifact, struct span name, struct span group)
{
	struct series_key k;

	make_key(&k, artifact, cut(name), cut(group));
	sym id = strings_find(&r->names, (struct span){ k.text, k.n });
	return id == UINT32_MAX || id == 0 ? NULL : r->series[id - 1];
}

struct series *record_series(struct record *r, int artifact, struct span name, struct span group)
{
	struct series *s = record_known_series(r, artifact, name, group);
	struct series_key k;

	if (s)
		return s;
	if (r->artifact[artifact].nseries >= RECORD_SERIES) {
		r->series_left_out++;
		return NULL;
	}
	make_key(&k, artifact, cut(name), cut(group));
	(void)strings_intern(&r->names, (struct span){ k.text, k.n });
	s = arena_alloc(&r->mem, sizeof(*s));
	series_init(s, record_text(r, name), record_text(r, group));
	s->artifact = artifact;
	s->measure = measure_of_key(name);
	ARENA_PUSH(&r->mem, r->series, r->nseries, r->series_cap, s);
	r->artifact[artifact].nseries++;
	return s;
}

static void name_series(struct record *r)
{
	struct series_key k;

	strings_clear(&r->names);
	strings_init(&r->names, NAMES_SEED);
	for (size_t i = 0; i < r->nseries; i++) {
		make_key(&k, r->series[i]->artifact, r->series[i]->name, r->series[i]->group);
		(void)strings_intern(&r->names, (struct span){ k.text, k.n });
	}
}

void record_drop_cleared(struct record *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->nseries; i++)
		if (r->series[i]->name.p)
			r->series[n++] = r->series[i];
	r->nseries = n;
	name_series(r);
}

void record_take_back(struct record *r, const struct record *before)
{
	for (; r->nseries > before->nseries; r->nseries--)
		series_clear(r->series[r->nseries - 1]);
	r->nartifact = before->nartifact - 1;
	r->nsheet = before->nsheet;
	r->nnote = before->nnote;
	r->scalars.n = before->scalars.n;
	r->config.n = before->config.n;
	r->env.n = before->env.n;
	name_series(r);
}

const struct series *record_find_series(const struct record *r, const char *name)
{
	return FIND_VALUE(i, r->nseries, span_is(r->series[i]->name, name), r->series[i], NULL);
}

struct sheet *record_sheet(struct record *r, int artifact, enum sheet_table kind)
{
	return *ARENA_PUSH(
		&r->mem, r->sheet, r->nsheet, r->sheet_cap, sheet_new(&r->mem, kind, artifact));
}

struct memsnap *record_snapshot(struct record *r, int artifact)
{
	return *ARENA_PUSH(
		&r->mem, r->snapshot, r->nsnapshot, r->snapshot_cap, memsnap_new(artifact));
}

int record_find_artifact(const struct record *r, const char *kind)
{
	return FIND_VALUE(i, r->nartifact, strcmp(r->artifact[i].kind, kind) == 0, (int)i, -1);
}

const struct sheet *record_sheet_of(const struct record *r, int artifact, enum sheet_table kind)
{
	return FIND_VALUE(i, r->nsheet,
		r->sheet[i]->artifact == artifact && r->sheet[i]->kind == kind, r->sheet[i], NULL);
}

const struct sheet *record_find_sheet(const struct record *r, enum sheet_table kind)
{
	return FIND_VALUE(i, r->nsheet, r->sheet[i]->kind == kind, r->sheet[i], NULL);
}

bool record_row(struct sheet *s)
{
	if (s->table.nrow >= (s->kind == SHEET_SAMPLES ? RECORD_SAMPLES : RECORD_ROWS)) {
		s->left_out++;
		return false;
	}
	table_row(&s->table);
	return true;
}

void record_scalar(struct record *r, struct scalars *to, const struct scalar *s)
{
	if (to->n >= RECORD_SCALARS) {
		to->left_out++;
		return;
	}
	struct scalar *v = ARENA_PUSH(&r->mem, to->v, to->n, to->cap, *s);
	v->key = record_text(r, s->key);
	v->text = record_text(r, s->text);
}

const struct scalar *record_find(const struct scalars *in, const char *key)
{
	return FIND(i, in->v, in->n, span_is(in->v[i].key, key));
}

const char *record_why_broken(const struct record *r, struct arena *mem)
{
	const struct scalar *what = record_find(&r->scalars, "broken.what");
	double step = scalar_number(record_find(&r->scalars, "broken.step"));

	if (!what)
		return NULL;
	return arena_printf(mem, "line %.0f%s: \"%.*s\"",
		scalar_number(record_find(&r->scalars, "broken.line")),
		isnan(step) ? "" : arena_printf(mem, ", after step %.0f", step), (int)what->text.n,
		what->text.p);
}

double scalar_number(const struct scalar *s)
{
	return s && s->type == SCALAR_NUMBER ? s->number : (double)NAN;
}

struct note *record_note(struct record *r, int artifact, enum note_level level, const char *id,
	int64_t count, const char *fmt, ...)
{
	char text[1024];

	PRINTF_TO(text, fmt);
	struct note *n = ARENA_PUSH(&r->mem, r->note, r->nnote, r->note_cap,
		(struct note){ level, id, artifact, count, -1, -1,
			arena_copy(&r->mem, text, strlen(text)), false });
	return n;
}
