/* Formats of commands.  Which special ones an analysis has follows from what it lays out and from
 * its tables.  Nothing is listed a second time. */
#include "cmd/command_formats.h"

#include <strings.h>

#include "analyze/analysis/analysis.h"
#include "base/opt.h"
#include "report/documents/layout.h"
#include "report/format/renderer.h"
#include "report/sink/sink.h"

enum { SUFFIX_MAX = 10 };

/* ---- what there is ---- */

static bool has_column(const struct analysis *a, const char *key)
{
	for (EACH(const struct table_doc, doc, a->help.tables, a->help.ntables))
		for (size_t k = 0; k < doc->ncol; k++)
			if (strcmp(doc->col[k].key, key) == 0)
				return true;
	return false;
}

bool formats_has(const struct formats *f, const struct renderer *r)
{
	if (r->layout == TABLE_TEXT)
		return f->analysis && document_of(f->analysis->name);
	if (r->layout != TABLE_GRID)
		return f->analysis && f->analysis->options.layouts >> r->layout & 1;
	return !r->column || (f->analysis && has_column(f->analysis, r->column));
}

/* The formats one after the other, or their suffixes. */
static void add_all(struct str *out, const struct formats *f, const char *between, bool is_suffixes)
{
	size_t n;
	const struct renderer *const *all = renderer_all(&n);
	size_t start = out->n;

	for (size_t i = 0; i < n; i++)
		if (formats_has(f, all[i]) && !all[i]->is_silent &&
			(!is_suffixes || all[i]->suffix))
			str_addf(out, "%s%s", out->n > start ? between : "",
				is_suffixes ? all[i]->suffix : all[i]->name);
}

/* All suffixes -o may have, ", " between them. */
static void add_suffixes(struct str *out, const struct formats *f)
{
	size_t n;
	const struct sink *const *all = sink_all(&n);

	add_all(out, f, ", ", true);
	for (size_t i = 0; f->analysis && f->analysis->has_verdict && i < n; i++)
		if (all[i]->suffix)
			str_addf(out, ", %s", all[i]->suffix);
}

void formats_choices(struct str *out, const struct formats *f)
{
	add_all(out, f, "|", false);
}

/* ---- by the word ---- */

static const char *nearest(const struct formats *f, const char *word)
{
	const char *name[RENDERER_COUNT];
	size_t n, k = 0;
	const struct renderer *const *all = renderer_all(&n);

	for (size_t i = 0; i < n; i++)
		if (formats_has(f, all[i]))
			name[k++] = all[i]->name;
	return opt_nearest(word, name, k);
}

enum status formats_find(
	const struct formats *f, const char *word, const struct renderer **r, struct err *e)
{
	const struct renderer *known = renderer_find(word);
	const char *near = known ? NULL : nearest(f, word);
	SCOPED_STR has = { 0 }, owners = { 0 };

	*r = known;
	if (known && formats_has(f, known))
		return OK;
	/* The analyses whose format that is: "'traceq memory', 'traceq stacks' have". */
	if (known) {
		size_t k = 0;
		for (size_t i = 0; i < f->all->n; i++)
			if (formats_has(&(struct formats){ .analysis = f->all->v[i] }, known))
				str_addf(&owners, "%s'traceq %s'", k++ ? ", " : "",
					f->all->v[i]->name);
		if (k)
			str_adds(&owners, plural(k, " has", " have"));
	}
	add_all(&has, f, ", ", false);
	if (known)
		(void)err_set(e, E_USAGE, -1, "there is no format '%s' here", word);
	else
		(void)err_set(e, E_USAGE, -1, "option '--format': unknown FORMAT '%s'%s", word,
			opt_mean(near, "").s);
	if (owners.n)
		(void)err_hint(e, "known are: %s; %s %s", has.s, owners.s, word);
	else if (!near)
		(void)err_hint(e, "known are: %s", has.s);
	return E_USAGE;
}

/* ---- by the suffix ---- */

const char *formats_suffix(const char *path)
{
	const char *name = path_name(path);
	const char *dot = strrchr(name, '.');

	if (!dot || dot == name || !is_letter(dot[1]) || strlen(dot) > SUFFIX_MAX)
		return "";
	for (const char *p = dot + 1; *p; p++)
		if (!is_letter(*p) && !(*p >= '0' && *p <= '9'))
			return "";
	return dot;
}

static bool ends_in(const char *path, const char *suffix)
{
	size_t n = strlen(path), k = strlen(suffix);

	return n > k && strcasecmp(path + n - k, suffix) == 0;
}

/* What else writes files that are called so. */
static const struct {
	const char *suffix, *command, *what;
} elsewhere[] = {
	{ ".svg", "plot", "draws charts" },
	{ ".png", "plot", "draws charts" },
	{ ".pdf", "plot", "draws charts" },
	{ ".html", "report", "writes HTML" },
	{ ".xml", "gate", "writes JUnit XML" },
};

enum status formats_refuse(const char *command, const char *path, const char *has, struct err *e)
{
	const char *suffix = formats_suffix(path);

	(void)err_set(e, E_USAGE, -1, "-o %s: %s does not write '%s'; it has %s", path, command,
		suffix, has);
	for (size_t i = 0; i < COUNT_OF(elsewhere); i++)
		if (strcasecmp(suffix, elsewhere[i].suffix) == 0 &&
			strcmp(elsewhere[i].command, command) != 0)
			return err_hint(
				e, "'traceq %s' %s", elsewhere[i].command, elsewhere[i].what);
	return err_hint(e, "--format says how, whatever the file is called");
}

enum status formats_of_path(
	const struct formats *f, const char *path, const struct renderer **r, struct err *e)
{
	const char *suffix = formats_suffix(path);
	SCOPED_STR has = { 0 };
	size_t n;
	const struct renderer *const *all = renderer_all(&n);

	*r = NULL;
	if (!suffix[0])
		return OK;
	/* The longest: .speedscope.json is no .json. */
	for (size_t i = 0; i < n; i++)
		if (all[i]->suffix && ends_in(path, all[i]->suffix) && formats_has(f, all[i]) &&
			(!*r || strlen(all[i]->suffix) > strlen((*r)->suffix)))
			*r = all[i];
	if (*r)
		return OK;
	add_suffixes(&has, f);
	(void)formats_refuse(f->command, path, has.s, e);
	return E_USAGE;
}
