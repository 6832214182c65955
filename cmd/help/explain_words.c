/* The index of words: glossary, columns and tables of all analyses, problems of files, commands. */
#include "cmd/help/explain_words.h"

#include "analyze/measure/verdict.h"
#include "analyze/analysis/job_words.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/rule/list.h"
#include "cmd/command_formats.h"
#include "cmd/verb.h"
#include "report/chart/charts.h"
#include "report/documents/layout.h"
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

static struct word *put(struct words *w, enum word_kind kind, const char *word, const char *title,
	const char *where, const char *definition, const char *source)
{
	return PUSH(w->v, w->n, w->cap,
		(struct word){ kind, word, title, NULL, where, definition, source });
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && *a == *b && strcmp(a, b) == 0);
}

/* The column of that key and definition that is there already, or NULL.  Most have another's. */
static struct word *find_column(const struct words *w, const struct column *c)
{
	return FIND(i, w->v, w->n,
		w->v[i].kind == WORD_COLUMN && same_text(w->v[i].definition, c->doc) &&
			strcmp(w->v[i].word, c->key) == 0);
}

/* of: the answer whose table it is, or what has it. */
static void add_columns(
	struct words *w, const char *of, const char *source, const struct table_doc *t)
{
	for (EACH(const struct column, c, t->col, t->ncol)) {
		struct word *word = find_column(w, c);

		if (word) {
			word->where = arena_printf(&w->mem, "%s, %s.%s", word->where, of, t->id);
			continue;
		}
		(void)put(w, WORD_COLUMN, c->key, c->title,
			arena_printf(&w->mem, "%s.%s", of, t->id), c->doc,
			c->source ? c->source : source);
	}
}

static void add_table(struct words *w, const char *of, const struct table_doc *t)
{
	const char *columns = "Columns:";

	for (size_t i = 0; i < t->ncol; i++)
		columns = arena_printf(&w->mem, "%s%s %s", columns, i ? "," : "", t->col[i].key);
	(void)put(w, WORD_TABLE, t->id, t->title, of, arena_printf(&w->mem, "%s.", columns), NULL);
}

/* The guides of the field: which there are, and how to call them. */
static void add_documents(struct words *w)
{
	const char *text =
		"The guides, scripts and notebooks on profiling whose formulas, words and layouts "
		"traceq knows: a figure \"of the guides\" is computed as they print it, so that it "
		"can be compared, also where it counts time twice. The figure beside it does "
		"not.\n\n"
		"What their scripts print is printed here by --format seed, line for line, with "
		"the same headings, columns and number formats, from traceq's figures, so that "
		"their page and this one can be laid beside each other. Nothing else is in it; "
		"the other formats hold the whole answer:";
	size_t n;
	const struct document *const *all = document_all(&n);

	for (size_t i = 0; i < n; i++)
		text = arena_printf(&w->mem, "%s\n\n  %s\n%s.", text, all[i]->call, all[i]->about);
	text = arena_printf(&w->mem,
		"%s\n\n  traceq report RUN --format seed\nAll of these that the files of a run have.\n\n"
		"  traceq report RESULTS --style week1 --format seed\nThe summary report of week 1; "
		"without --format seed it says more.",
		text);
	put(w, WORD_TERM, "guides", NULL, NULL, text, NULL)->also =
		"documents|seed|source documents";
}

static void add_terms(struct words *w)
{
	size_t n;
	const struct glossary_entry *g = glossary_all(&n);

	for (EACH(const struct glossary_entry, entry, g, n))
		put(w, WORD_TERM, entry->word, NULL, NULL, entry->definition, entry->source)->also =
			entry->also;
}

/* The words a run is called by, and what its device waited for. */
static void add_verdicts(struct words *w)
{
	const struct verdict_doc *d;

	for (size_t i = 0; (d = verdict_doc(i)) != NULL; i++)
		(void)put(w, WORD_TERM, d->word, NULL, "diagnose.verdict, summary.overview",
			arena_printf(&w->mem,
				"A verdict: what 'diagnose', 'summary' and 'report' call a run. It is so "
				"when %s.%s",
				d->doc,
				i < PART_OF_COUNT
					? " Where several words fit it is the one by "
					  "which a change saves most: 'traceq diagnose' lists them."
					: ""),
			NULL);
	for (int k = 0; k < GAP_CAUSE_COUNT; k++)
		(void)put(w, WORD_TERM, gap_cause_word((enum gap_cause)k), NULL,
			"idle.devices, steps.steps, diagnose.ledger",
			arena_printf(&w->mem, "What an idle GPU waited for: %s.",
				gap_cause_doc((enum gap_cause)k)),
			NULL);
}

/* Up to the NULL id. */
static void add_note_docs(struct words *w, const struct note_doc *note)
{
	for (; note->id; note++)
		(void)put(w, WORD_NOTE, note->id, NULL, NULL, note->meaning, NULL);
}

static void add_notes(struct words *w)
{
	const struct analyses *all = &w->all->analyses;

	add_note_docs(w, common_notes);
	add_note_docs(w, jobpage_notes);
	for (size_t i = 0; i < all->n; i++)
		add_note_docs(w, all->v[i]->help.notes);
}

static void add_tables(struct words *w)
{
	const struct analyses *all = &w->all->analyses;

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->v[i]->help.ntables; k++)
			add_columns(w, all->v[i]->name, all->v[i]->help.source,
				&all->v[i]->help.tables[k]);
	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < all->v[i]->help.ntables; k++)
			add_table(w, all->v[i]->name, &all->v[i]->help.tables[k]);
}

/* The definition of a check, and below it the settings that are its own: ANALYSIS.ID.*. */
static const char *with_settings(
	struct words *w, const struct analysis *a, const struct analysis_word *from)
{
	const char *prefix = arena_printf(&w->mem, "%s.%s.", a->name, from->id);
	const char *text = from->doc;
	const struct setting *s;

	for (size_t i = 0; a->options.setting && (s = a->options.setting(i)); i++) {
		if (strncmp(s->key, prefix, strlen(prefix)) != 0)
			continue;
		text = arena_printf(&w->mem, "%s\n\n%s [%s]: %s", text, s->key, s->preset, s->help);
	}
	return text;
}

static void add_check(struct words *w, const struct analysis *a, const struct analysis_word *from)
{
	(void)put(w, WORD_CHECK, from->id, from->text, a->name, with_settings(w, a, from),
		from->source ? from->source : a->help.source);
}

static void add_checks(struct words *w)
{
	const struct analysis_word *from;
	const struct rule *rule;

	for (size_t i = 0; i < w->all->analyses.n; i++) {
		const struct analysis *a = w->all->analyses.v[i];

		for (size_t k = 0; (rule = rules_at(a->help.rules, k)); k++)
			add_check(w, a, &rule->word);
		for (size_t k = 0; a->help.word && (from = a->help.word(k)); k++)
			add_check(w, a, from);
	}
}

/* Tables and findings of every answer about ranks of one job. */
static void add_job(struct words *w)
{
	static const char where[] = "ranks of a job";
	const struct analysis_word *from;

	for (size_t i = 0; i < JOBPAGE_TABLES; i++) {
		add_columns(w, where, NULL, &jobpage_docs[i]);
		add_table(w, where, &jobpage_docs[i]);
	}
	for (size_t i = 0; (from = job_word(i)); i++)
		(void)put(w, WORD_CHECK, from->id, from->text, where, from->doc, from->source);
}

static void add_charts(struct words *w)
{
	size_t n;
	const struct chart_kind *const *all = chart_all(&n);

	for (size_t i = 0; i < n; i++) {
		const char *text = all[i]->doc;

		for (size_t k = 0; k < CHART_ASKS_MAX && all[i]->ask[k]; k++)
			text = arena_printf(
				&w->mem, "%s\n\nData: traceq %s --json", text, all[i]->ask[k]);
		(void)put(w, WORD_CHART, all[i]->id, all[i]->title, "plot", text, all[i]->source);
	}
}

static void add_commands(struct words *w)
{
	struct verb v;

	for (size_t i = 0; verb_get(w->all, i, &v); i++)
		(void)put(w, WORD_COMMAND, v.name, v.summary, NULL, v.doc ? v.doc : v.summary,
			v.source);
}

/* The analyses that have a special format; NULL: all have it. */
static const char *owners_of(struct words *w, const struct renderer *r)
{
	const struct analyses *all = &w->all->analyses;
	const char *owners = "";

	if (r->layout == TABLE_GRID && !r->column)
		return NULL;
	for (size_t i = 0; i < all->n; i++)
		if (formats_has(&(struct formats){ .analysis = all->v[i] }, r))
			owners = arena_printf(
				&w->mem, "%s%s%s", owners, *owners ? ", " : "", all->v[i]->name);
	return owners;
}

static void add_formats(struct words *w)
{
	size_t n;
	const struct renderer *const *all = renderer_all(&n);

	for (size_t i = 0; i < n; i++)
		if (!all[i]->is_silent)
			(void)put(w, WORD_FORMAT, all[i]->name, NULL, owners_of(w, all[i]),
				all[i]->doc ? arena_printf(&w->mem, "%s.\n\n%s", all[i]->summary,
						      all[i]->doc)
					    : arena_printf(&w->mem, "%s.", all[i]->summary),
				NULL);
}

void words_init(struct words *w, const struct commands *all)
{
	*w = (struct words){ .all = all };
	add_terms(w);
	add_documents(w);
	add_verdicts(w);
	add_tables(w);
	add_checks(w);
	add_job(w);
	add_notes(w);
	for (const struct problem_info *p = problem_infos; p < problem_infos + PROBLEM_COUNT; p++)
		(void)put(w, WORD_NOTE, p->id, p->text, NULL,
			arena_printf(&w->mem, "%s %s", p->doc, weights[p->weight]), NULL);
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
	return !ANY(i, n, !b[i] || folded(a[i]) != folded(b[i])) && b[n] == '\0';
}

bool words_match(const struct word *w, const char *text)
{
	const char *also = w->also;

	if (same_word(w->word, strlen(w->word), text))
		return true;
	if (w->kind == WORD_COLUMN && w->title && same_word(w->title, strlen(w->title), text))
		return true;
	for (struct span word; span_words(&also, &word);)
		if (same_word(word.p, word.n, text))
			return true;
	return false;
}

const char *words_nearest(const struct words *w, const char *text)
{
	const char **names = xcalloc(w->n, sizeof(*names));

	for (size_t i = 0; i < w->n; i++)
		names[i] = w->v[i].word;
	const char *near = opt_nearest(text, names, w->n);
	free(names);
	return near;
}
