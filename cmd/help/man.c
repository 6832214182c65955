/*
 * Manual pages: the same tables as --help, as man(7) source.  man(7) rather than mdoc(7): it needs
 * no date and no section keywords, and every roff has it.
 */
#include "cmd/help/man.h"

#include <ctype.h>
#include <string.h>

#include "analyze/query/analysis.h"
#include "base/str.h"
#include "cmd/help/about.h"
#include "cmd/help/text.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/verb.h"
#include "cmd/version.h"

/* Appends one character with roff's special ones escaped; is_start: at the start of a line. */
static void add_char(struct str *out, char c, bool is_start)
{
	if (is_start && (c == '.' || c == '\''))
		str_adds(out, "\\&");
	if (c == '\\')
		str_adds(out, "\\e");
	else if (c == '-')
		str_adds(out, "\\-");
	else if (c == '\'')
		str_adds(out, "\\(aq");
	else if (c == '`')
		str_adds(out, "\\(ga");
	else if (c == '^')
		str_adds(out, "\\(ha");
	else if (c == '~')
		str_adds(out, "\\(ti");
	else
		str_addc(out, c);
}

static void add_text(struct str *out, const char *s)
{
	bool is_start = out->n == 0 || out->s[out->n - 1] == '\n';

	for (; *s; s++) {
		add_char(out, *s, is_start);
		is_start = *s == '\n';
	}
}

/* Paragraphs separated by blank lines; lines that start with a space are examples. */
static void add_paragraphs(struct str *out, const char *text)
{
	bool is_example = false, is_apart = false; /* a .PP was just put */

	while (*text) {
		size_t n = strcspn(text, "\n"), i;

		if ((*text == ' ') != is_example && n > 0) {
			str_adds(out, is_example ? ".EE\n" : is_apart ? ".EX\n" : ".PP\n.EX\n");
			is_example = !is_example;
		}
		is_apart = n == 0 && !is_example;
		str_adds(out, is_apart ? ".PP" : "");
		for (i = 0; i < n; i++)
			add_char(out, text[i], i == 0);
		str_addc(out, '\n');
		text += n + (text[n] == '\n');
	}
	if (is_example)
		str_adds(out, ".EE\n");
}

static void add_title(struct str *out, const char *name)
{
	const char *s;

	str_adds(out, ".TH TRACEQ");
	if (name) {
		str_adds(out, "\\-");
		for (s = name; *s; s++)
			str_addc(out, (char)toupper((unsigned char)*s));
	}
	str_addf(out, " 1 \"\" \"traceq %s\" \"traceq manual\"\n.nh\n.ad l\n", version_release);
}

static void add_option(struct str *out, const struct opt *o)
{
	str_adds(out, ".TP\n");
	if (o->letter)
		str_addf(out, "\\fB\\-%c\\fR", o->letter);
	if (o->name) {
		str_adds(out, o->letter ? ", \\fB\\-\\-" : "\\fB\\-\\-");
		add_text(out, o->name);
		str_adds(out, "\\fR");
	}
	if (o->arg)
		str_addf(out, " \\fI%s\\fR", o->arg);
	str_addc(out, '\n');
	add_text(out, o->help);
	str_adds(out, ".\n");
	if (o->choices) {
		struct str words = { 0 };

		text_choices(&words, o->choices);
		str_addf(out, "\\fI%s\\fR is one of: ", o->arg);
		add_text(out, words.s);
		str_adds(out, ".\n");
		str_free(&words);
	}
	if (o->alias) {
		str_adds(out, "Also \\fB\\-\\-");
		add_text(out, o->alias);
		str_adds(out, "\\fR.\n");
	}
}

/* "0  answered" lines as a list; a line that begins with a blank goes on with the one before. */
static void add_exit_codes(struct str *out, const char *p)
{
	str_adds(out, ".SH EXIT STATUS\n");
	while (*p) {
		size_t n = strcspn(p, "\n"), code = strcspn(p, " "), i;

		if (code) {
			str_adds(out, ".TP\n.B ");
			for (i = 0; i < code; i++)
				add_char(out, p[i], false);
			str_addc(out, '\n');
		}
		for (i = code + strspn(p + code, " "); i < n; i++)
			add_char(out, p[i], false);
		str_addc(out, '\n');
		p += n + (p[n] == '\n');
	}
}

static void add_examples(struct str *out, const char *examples)
{
	str_adds(out, ".SH EXAMPLES\n.EX\n");
	add_text(out, examples);
	if (out->s[out->n - 1] != '\n')
		str_addc(out, '\n');
	str_adds(out, ".EE\n");
}

static void add_heading(struct str *out, const char *title)
{
	const char *s;

	str_adds(out, ".SH ");
	for (s = title; *s; s++)
		str_addc(out, (char)toupper((unsigned char)*s));
	str_addc(out, '\n');
}

/* The tables an analysis makes, column by column. */
static void add_tables(struct str *out, const struct analysis *a)
{
	size_t i, k;

	for (i = 0; i < a->help.ntables; i++) {
		const struct table_doc *t = &a->help.tables[i];

		str_adds(out, ".SH TABLE: ");
		add_text(out, t->id);
		str_addc(out, '\n');
		if (t->title) {
			add_text(out, t->title);
			str_adds(out, ".\n");
		}
		for (k = 0; k < t->ncol; k++) {
			str_adds(out, ".TP\n\\fB");
			add_text(out, t->col[k].key);
			str_adds(out, "\\fR (");
			add_text(out, t->col[k].title);
			str_adds(out, ")\n");
			add_text(out, t->col[k].doc);
			str_addc(out, '\n');
		}
	}
}

static void add_page(struct str *out, const struct verb *v)
{
	size_t i, k;

	add_title(out, v->name);
	str_adds(out, ".SH NAME\ntraceq\\-");
	add_text(out, v->name);
	str_adds(out, " \\- ");
	add_text(out, v->summary);
	str_adds(out, "\n.SH SYNOPSIS\n.B traceq ");
	add_text(out, v->name);
	str_adds(out, "\n[\\fIoptions\\fR]\n");
	str_addf(out, "%s%s%s", v->operands[0] ? "\\fI" : "", v->operands,
		v->operands[0] ? "\\fR\n" : "");
	str_adds(out, ".SH DESCRIPTION\n");
	add_paragraphs(out, v->doc ? v->doc : v->summary);
	for (i = 0; i < v->ngroup; i++) {
		add_heading(out, v->group[i].title);
		for (k = 0; k < v->group[i].n; k++)
			add_option(out, &v->group[i].opt[k]);
	}
	if (v->analysis)
		add_tables(out, v->analysis);
	if (v->source) {
		str_adds(out, ".SH DEFINITIONS\n");
		add_paragraphs(out, v->source);
	}
	add_exit_codes(out, v->exit_codes);
	if (v->examples)
		add_examples(out, v->examples);
	str_adds(out, ".SH SEE ALSO\n.BR traceq (1)\n");
}

static void add_main_page(const struct commands *all, struct str *out)
{
	size_t i, n = verb_count(all);
	struct verb v;

	add_title(out, NULL);
	str_adds(out,
		".SH NAME\ntraceq \\- where the time of GPU programs goes, from their traces\n"
		".SH SYNOPSIS\n.B traceq\n\\fICOMMAND\\fR [\\fIoptions\\fR] \\fIFILE\\fR...\n"
		".SH DESCRIPTION\n");
	add_paragraphs(out, about_files);
	str_adds(out, ".SH COMMANDS\n");
	for (i = 0; i < n; i++) {
		verb_get(all, i, &v);
		str_adds(out, ".TP\n.BR traceq\\-");
		add_text(out, v.name);
		str_adds(out, " (1)\n");
		add_text(out, v.summary);
		str_adds(out, ".\n");
	}
	str_adds(out, ".SH ENVIRONMENT\n");
	for (i = 0; about_environment[i]; i += 2) {
		str_addf(out, ".TP\n.B %s\n", about_environment[i]);
		add_text(out, about_environment[i + 1]);
		str_adds(out, ".\n");
	}
	add_exit_codes(out, about_exit_codes);
	add_examples(out, about_examples);
}

int man_print(const struct commands *all, const char *name)
{
	struct str b = { 0 };
	struct verb v;

	if (!name)
		add_main_page(all, &b);
	else if (verb_find(all, name, &v))
		add_page(&b, &v);
	else
		return say_failure("help: no command '%s'", name);
	return output_text(&b);
}
