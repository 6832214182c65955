/*
 * The index of words: glossary, columns and tables of all analyses, problems of files, commands.
 */
#include "cmd/help/words.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/measure/verdict.h"
#include "analyze/analysis/analysis.h"
#include "analyze/analysis/job_words.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/rule/list.h"
#include "analyze/trace/columns/tally.h"
#include "base/opt.h"
#include "base/setting.h"
#include "base/xalloc.h"
#include "cmd/command.h"
#include "cmd/formats.h"
#include "cmd/help/glossary.h"
#include "report/chart/charts.h"
#include "report/documents/forms.h"
#include "report/format/renderer.h"

static const struct {
	const char *name, *title;
} kinds[WORD_KINDS] = {
	[WORD_TERM] = { "term", "terms" },
	[WORD_COLUMN] = { "column", "columns" },
	[WORD_TABLE] = { "table", "tables" },
	[WORD_CHECK] = { "check", "checks and rules" },
	[WORD_NOTE] = { "note", "notes" },
	[WORD_CHART] = { "chart", "charts" },
	[WORD_COMMAND] = { "command", "commands" },
	[WORD_FORMAT] = { "format", "formats" },
};

/* The notes that several answers make, or none. */
static const struct note_doc common_notes[] = {
#define NOTE(id, meaning) { id, meaning },
#include "analyze/analysis/notes.def"
#undef NOTE
	{ NULL, NULL },
};

/* What a problem's weight means for the numbers. */
static const char *const weights[] = {
	[WEIGHT_INFO] = "Nothing is lost by it.",
	[WEIGHT_REPAIRED] = "Read as it was meant; it is in the numbers.",
	[WEIGHT_LOST] = "What it concerns is not in the numbers.",
	[WEIGHT_BROKEN] = "The file itself is damaged; an error with --strict.",
};

const char *words_kind_title(enum word_kind k)
{
	return kinds[k].title;
}

const char *words_kind_name(enum word_kind k)
{
	return kinds[k].name;
}

static struct word *add_word(struct words *w, enum word_kind kind, const char *name)
{
	w->v = array_grow(w->v, &w->cap, w->n + 1, sizeof(*w->v));
	w->v[w->n] = (struct word){ .kind = kind, .word = name };
	return &w->v[w->n++];
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* The column of that key and definition that is there already, or NULL. */
static struct word *find_column(const struct words *w, const struct column *c)
{
	size_t i;

	for (i = 0; i < w->n; i++)
		if (w->v[i].kind == WORD_COLUMN && strcmp(w->v[i].word, c->key) == 0 &&
			same_text(w->v[i].definition, c->doc))
			return &w->v[i];
	return NULL;
}

/* of: the answer whose table it is, or what has it. */
static void add_columns(
	struct words *w, const char *of, const char *source, const struct table_doc *t)
{
	size_t i;

	for (i = 0; i < t->ncol; i++) {
		const struct column *c = &t->col[i];
		struct word *word = find_column(w, c);

		if (word) {
			word->where = arena_printf(&w->mem, "%s, %s.%s", word->where, of, t->id);
			continue;
		}
		word = add_word(w, WORD_COLUMN, c->key);
		word->title = c->title;
		word->definition = c->doc;
		word->source = c->source ? c->source : source;
		word->where = arena_printf(&w->mem, "%s.%s", of, t->id);
	}
}

static const char *column_names(struct words *w, const struct table_doc *t)
{
	const char *all = "Columns:";
	size_t i;

	for (i = 0; i < t->ncol; i++)
		all = arena_printf(&w->mem, "%s%s %s", all, i ? "," : "", t->col[i].key);
	return arena_printf(&w->mem, "%s.", all);
}

/* The documents of the field: which there are, and how to call them. */
static void add_documents(struct words *w)
{
	struct word *word = add_word(w, WORD_TERM, "documents");
	const char *text =
		"The guides, scripts and notebooks on profiling whose formulas, words and layouts "
		"traceq knows: a figure \"of the documents\" is computed as they print it, so that it "
		"can be compared, also where it counts time twice. The figure beside it does "
		"not.\n\n"
		"What their scripts print is printed here by --format seed, line for line, with "
		"the same headings, columns and number formats, from traceq's figures, so that "
		"their page and this one can be laid beside each other. Nothing else is in it; "
		"the other formats hold the whole answer:";
	size_t i, n;
	const struct document *const *all = document_all(&n);

	for (i = 0; i < n; i++)
		text = arena_printf(&w->mem, "%s\n\n  %s\n%s.", text, all[i]->call, all[i]->about);
	word->also = "seed|source documents";
	word->definition = arena_printf(&w->mem,
		"%s\n\n  traceq report RUN --format seed\nAll of these that the files of a run have.\n\n"
		"  traceq report RESULTS --style week1 --format seed\nThe summary report of week 1; "
		"without --format seed it says more.",
		text);
}

static void add_terms(struct words *w)
{
	size_t i, n;
	const struct glossary_entry *g = glossary_all(&n);

	for (i = 0; i < n; i++) {
		struct word *word = add_word(w, WORD_TERM, g[i].word);

		word->also = g[i].also;
		word->definition = g[i].definition;
		word->source = g[i].source;
	}
}

/* The words a run is called by, and what its device waited for. */
static void add_verdicts(struct words *w)
{
	const struct verdict_doc *d;
	size_t i;
	int k;

	for (i = 0; (d = verdict_doc(i)) != NULL; i++) {
		struct word *word = add_word(w, WORD_TERM, d->word);

		word->definition = arena_printf(&w->mem,
			"A verdict: what 'diagnose', 'summary' and 'report' call a run. It is so when "
			"%s.",
			d->doc);
		word->where = "diagnose.verdict, summary.overview";
	}
	for (k = 0; k < GAP_CAUSE_COUNT; k++) {
		struct word *word = add_word(w, WORD_TERM, gap_cause_word((enum gap_cause)k));

		word->definition = arena_printf(&w->mem, "What an idle device waited for: %s.",
			gap_cause_doc((enum gap_cause)k));
		word->where = "idle.devices, steps.steps, diagnose.ledger";
	}
}

/* Up to the NULL id. */
static void add_note_docs(struct words *w, const struct note_doc *note)
{
	for (; note->id; note++)
		add_word(w, WORD_NOTE, note->id)->definition = note->meaning;
}

static void add_notes(struct words *w)
{
	size_t i, n;
	const struct analysis *const *all = analysis_all(&n);

	add_note_docs(w, common_notes);
	add_note_docs(w, jobpage_notes);
	for (i = 0; i < n; i++)
		add_note_docs(w, all[i]->help.notes);
}

static void add_tables(struct words *w)
{
	size_t i, k, n;
	const struct analysis *const *all = analysis_all(&n);

	for (i = 0; i < n; i++)
		for (k = 0; k < all[i]->help.ntables; k++)
			add_columns(w, all[i]->name, all[i]->help.source, &all[i]->help.tables[k]);
	for (i = 0; i < n; i++)
		for (k = 0; k < all[i]->help.ntables; k++) {
			const struct table_doc *t = &all[i]->help.tables[k];
			struct word *word = add_word(w, WORD_TABLE, t->id);

			word->title = t->title;
			word->where = all[i]->name;
			word->definition = column_names(w, t);
		}
}

/* The definition of a check, and below it the settings that are its own: ANALYSIS.ID.*. */
static const char *with_settings(
	struct words *w, const struct analysis *a, const struct analysis_word *from)
{
	const char *prefix = arena_printf(&w->mem, "%s.%s.", a->name, from->id);
	const char *text = from->doc;
	const struct setting *s;
	size_t i;

	for (i = 0; a->options.setting && (s = a->options.setting(i)); i++) {
		if (strncmp(s->key, prefix, strlen(prefix)) != 0)
			continue;
		text = arena_printf(&w->mem, "%s\n\n%s [%s]: %s", text, s->key, s->preset, s->help);
	}
	return text;
}

static void add_check(struct words *w, const struct analysis *a, const struct analysis_word *from)
{
	struct word *word = add_word(w, WORD_CHECK, from->id);

	word->title = from->text;
	word->where = a->name;
	word->definition = with_settings(w, a, from);
	word->source = from->source ? from->source : a->help.source;
}

static void add_checks(struct words *w)
{
	size_t i, k, n;
	const struct analysis *const *all = analysis_all(&n);
	const struct analysis_word *from;
	const struct rule *rule;

	for (i = 0; i < n; i++) {
		for (k = 0; (rule = rules_at(all[i]->help.rules, k)); k++)
			add_check(w, all[i], &rule->word);
		for (k = 0; all[i]->help.word && (from = all[i]->help.word(k)); k++)
			add_check(w, all[i], from);
	}
}

/* Tables and findings of every answer about ranks of one job. */
static void add_job(struct words *w)
{
	const struct analysis_word *from;
	size_t i;

	for (i = 0; i < JOBPAGE_TABLES; i++) {
		const struct table_doc *t = &jobpage_docs[i];
		struct word *word;

		add_columns(w, "ranks of a job", NULL, t);
		word = add_word(w, WORD_TABLE, t->id);
		word->title = t->title;
		word->where = "ranks of a job";
		word->definition = column_names(w, t);
	}
	for (i = 0; (from = job_word(i)); i++) {
		struct word *word = add_word(w, WORD_CHECK, from->id);

		word->title = from->text;
		word->where = "ranks of a job";
		word->definition = from->doc;
		word->source = from->source;
	}
}

static void add_problems(struct words *w)
{
	int i;

	for (i = 0; i < PROBLEM_COUNT; i++) {
		const struct problem_info *p = &problem_infos[i];
		struct word *word = add_word(w, WORD_NOTE, p->id);

		word->title = p->text;
		word->definition = arena_printf(&w->mem, "%s %s", p->doc, weights[p->weight]);
	}
}

static void add_charts(struct words *w)
{
	size_t i, k, n;
	const struct chart_kind *const *all = chart_all(&n);

	for (i = 0; i < n; i++) {
		struct word *word = add_word(w, WORD_CHART, all[i]->id);
		const char *asks = "";

		for (k = 0; k < CHART_ASKS_MAX && all[i]->ask[k]; k++)
			asks = arena_printf(
				&w->mem, "%s\n\nData: traceq %s --json", asks, all[i]->ask[k]);
		word->title = all[i]->title;
		word->where = "plot";
		word->definition = arena_printf(&w->mem, "%s%s", all[i]->doc, asks);
		word->source = all[i]->source;
	}
}

static void add_commands(struct words *w)
{
	size_t i, n = verb_count();
	struct verb v;

	for (i = 0; i < n; i++) {
		struct word *word;

		verb_get(i, &v);
		word = add_word(w, WORD_COMMAND, v.name);
		word->title = v.summary;
		word->definition = v.doc ? v.doc : v.summary;
		word->source = v.source;
	}
}

/* The analyses that have a special format; NULL: all have it. */
static const char *owners_of(struct words *w, const struct renderer *r)
{
	const char *owners = "";
	size_t i, n;
	const struct analysis *const *all = analysis_all(&n);

	if (r->layout == TABLE_GRID && !r->column)
		return NULL;
	for (i = 0; i < n; i++)
		if (formats_has(&(struct formats){ all[i]->name, all[i] }, r))
			owners = arena_printf(
				&w->mem, "%s%s%s", owners, *owners ? ", " : "", all[i]->name);
	return owners;
}

static void add_formats(struct words *w)
{
	size_t i, n;
	const struct renderer *const *all = renderer_all(&n);

	for (i = 0; i < n; i++) {
		struct word *word;

		if (all[i]->is_silent)
			continue;
		word = add_word(w, WORD_FORMAT, all[i]->name);
		word->where = owners_of(w, all[i]);
		word->definition = all[i]->doc
			? arena_printf(&w->mem, "%s.\n\n%s", all[i]->summary, all[i]->doc)
			: arena_printf(&w->mem, "%s.", all[i]->summary);
	}
}

void words_init(struct words *w)
{
	*w = (struct words){ 0 };
	arena_init(&w->mem);
	add_terms(w);
	add_documents(w);
	add_verdicts(w);
	add_tables(w);
	add_checks(w);
	add_job(w);
	add_notes(w);
	add_problems(w);
	add_charts(w);
	add_commands(w);
	add_formats(w);
}

void words_clear(struct words *w)
{
	free(w->v);
	arena_clear(&w->mem);
	*w = (struct words){ 0 };
}

/* Lower case, and one form for what separates words. */
static char folded(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c + 'a' - 'A');
	return c == ' ' || c == '-' ? '_' : c;
}

/* The n bytes at a are b. */
static bool same_word(const char *a, size_t n, const char *b)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!b[i] || folded(a[i]) != folded(b[i]))
			return false;
	return b[n] == '\0';
}

bool words_match(const struct word *w, const char *text)
{
	const char *p = w->also;

	if (same_word(w->word, strlen(w->word), text))
		return true;
	if (w->kind == WORD_COLUMN && w->title && same_word(w->title, strlen(w->title), text))
		return true;
	while (p) {
		size_t n = strcspn(p, "|");

		if (same_word(p, n, text))
			return true;
		p = p[n] ? p + n + 1 : NULL;
	}
	return false;
}

const char *words_nearest(const struct words *w, const char *text)
{
	const char **names = xcalloc(w->n, sizeof(*names));
	const char *near;
	size_t i;

	for (i = 0; i < w->n; i++)
		names[i] = w->v[i].word;
	near = opt_nearest(text, names, w->n);
	free(names);
	return near;
}
