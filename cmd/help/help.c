/* Help for people in a terminal.  The same tables give the man pages (man.c) and completion. */
#include "cmd/help/help.h"

#include <ctype.h>
#include <stdio.h>

#include "base/shell.h"
#include "cmd/elsewhere.h"
#include "cmd/help/text.h"
#include "cmd/output.h"
#include "cmd/say.h"
#include "cmd/verb.h"
#include "cmd/version.h"

/* ---- manual pages, as man(7) source ----
 *
 * man(7) rather than mdoc(7): it needs no date and no section keywords, and every roff has it. */

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
		size_t n = strcspn(text, "\n");

		if ((*text == ' ') != is_example && n > 0) {
			str_adds(out, is_example ? ".EE\n" : is_apart ? ".EX\n" : ".PP\n.EX\n");
			is_example = !is_example;
		}
		is_apart = n == 0 && !is_example;
		str_adds(out, is_apart ? ".PP" : "");
		for (size_t i = 0; i < n; i++)
			add_char(out, text[i], i == 0);
		str_addc(out, '\n');
		text += n + (text[n] == '\n');
	}
	if (is_example)
		str_adds(out, ".EE\n");
}

static void add_capitals(struct str *out, const char *s)
{
	for (; *s; s++)
		str_addc(out, (char)toupper((unsigned char)*s));
}

static void add_title(struct str *out, const char *name)
{
	str_add_by(out, add_capitals, name ? ".TH TRACEQ\\-%s" : ".TH TRACEQ", name);
	str_addf(out, " 1 \"\" \"traceq %s\" \"traceq manual\"\n.nh\n.ad l\n", version_release);
}

static void man_option(struct str *out, const struct opt *o)
{
	struct str words = { 0 };

	str_adds(out, ".TP\n");
	if (o->letter)
		str_addf(out, "\\fB\\-%c\\fR", o->letter);
	if (o->name)
		str_add_by(out, add_text, o->letter ? ", \\fB\\-\\-%s\\fR" : "\\fB\\-\\-%s\\fR",
			o->name);
	if (o->arg)
		str_addf(out, " \\fI%s\\fR", o->arg);
	str_add_by(out, add_text, "\n%s.\n", o->help);
	if (o->choices) {
		text_choices(&words, o->choices);
		str_addf(out, "\\fI%s\\fR is one of: ", o->arg);
		str_add_by(out, add_text, "%s.\n", words.s);
		str_free(&words);
	}
	if (o->alias)
		str_add_by(out, add_text, "Also \\fB\\-\\-%s\\fR.\n", o->alias);
}

/* "0  answered" lines as a list; a line that begins with a blank goes on with the one before. */
static void add_exit_codes(struct str *out, const char *p)
{
	str_adds(out, ".SH EXIT STATUS\n");
	while (*p) {
		size_t n = strcspn(p, "\n"), code = strcspn(p, " ");

		if (code) {
			str_adds(out, ".TP\n.B ");
			for (size_t i = 0; i < code; i++)
				add_char(out, p[i], false);
			str_addc(out, '\n');
		}
		for (size_t i = code + strspn(p + code, " "); i < n; i++)
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

static void add_page(struct str *out, const struct verb *v)
{
	add_title(out, v->name);
	str_add_by(out, add_text,
		".SH NAME\ntraceq\\-%s \\- %s\n.SH SYNOPSIS\n.B traceq %s\n[\\fIoptions\\fR]\n",
		v->name, v->summary, v->name);
	str_addf(out, "%s%s%s", v->operands[0] ? "\\fI" : "", v->operands,
		v->operands[0] ? "\\fR\n" : "");
	str_adds(out, ".SH DESCRIPTION\n");
	add_paragraphs(out, v->doc ? v->doc : v->summary);
	for (EACH(const struct opt_group, group, v->group, v->ngroup)) {
		str_add_by(out, add_capitals, ".SH %s\n", group->title);
		for (size_t k = 0; k < group->n; k++)
			man_option(out, &group->opt[k]);
	}
	/* The tables an analysis makes, column by column. */
	if (v->analysis)
		for (EACH(const struct table_doc, t, v->analysis->help.tables,
			     v->analysis->help.ntables)) {
			str_add_by(out, add_text, ".SH TABLE: %s\n", t->id);
			if (t->title)
				str_add_by(out, add_text, "%s.\n", t->title);
			for (size_t k = 0; k < t->ncol; k++)
				str_add_by(out, add_text, ".TP\n\\fB%s\\fR (%s)\n%s\n",
					t->col[k].key, t->col[k].title, t->col[k].doc);
		}
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
	struct verb v;

	add_title(out, NULL);
	str_adds(out,
		".SH NAME\ntraceq \\- where the time of GPU programs goes, from their traces\n"
		".SH SYNOPSIS\n.B traceq\n\\fICOMMAND\\fR [\\fIoptions\\fR] \\fIFILE\\fR...\n"
		".SH DESCRIPTION\n");
	add_paragraphs(out, about_files);
	str_adds(out, ".SH COMMANDS\n");
	for (size_t i = 0; verb_get(all, i, &v); i++)
		str_add_by(out, add_text, ".TP\n.BR traceq\\-%s (1)\n%s.\n", v.name, v.summary);
	str_adds(out, ".SH ENVIRONMENT\n");
	for (size_t i = 0; about_environment[i]; i += 2) {
		str_addf(out, ".TP\n.B %s\n", about_environment[i]);
		str_add_by(out, add_text, "%s.\n", about_environment[i + 1]);
	}
	add_exit_codes(out, about_exit_codes);
	add_examples(out, about_examples);
}

/* traceq-NAME(1), or traceq(1) when name is NULL; the exit code. */
static int man_print(const struct commands *all, const char *name)
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

enum {
	OPTION_COLUMN = 24,
	COMMAND_COLUMN = 14,
	VARIABLE_COLUMN = 18,
	SHORT_EXAMPLES = 3,
	SHORT_FILTERS = 16
};

/* ---- for people in a terminal ---- */

static const char tagline[] = "traceq: where the time of GPU programs goes, from their traces\n"
			      "usage: traceq COMMAND [options] FILE...\n\n";

static void add_group(struct str *out, const struct opt_group *g, bool is_full)
{
	str_addf(out, "\n%s\n", g->title);
	for (size_t i = 0; i < g->n; i++) {
		SCOPED_STR label = { 0 }, text = { 0 };
		/* Appends what users type: "-n, --limit N". */
		if (g->opt[i].letter)
			str_addf(&label, "-%c", g->opt[i].letter);
		else
			str_adds(&label, "   ");
		if (g->opt[i].name)
			str_addf(&label, "%s--%s", g->opt[i].letter ? ", " : " ", g->opt[i].name);
		if (g->opt[i].arg)
			str_addf(&label, " %s", g->opt[i].arg);
		str_adds(&text, g->opt[i].help);
		if (is_full && g->opt[i].choices) {
			str_addf(&text, "; %s: ", g->opt[i].arg);
			text_choices(&text, g->opt[i].choices);
		}
		if (is_full && g->opt[i].alias)
			str_addf(&text, "; also --%s", g->opt[i].alias);
		text_item(out, label.s, text.s, OPTION_COLUMN);
	}
}

static void add_short(struct str *out, const struct verb *v)
{
	if (v->examples) {
		str_adds(out, "\nExamples\n");
		text_lines(out, v->examples, SHORT_EXAMPLES, 2);
	}
	for (size_t i = 0; i < v->nown; i++)
		add_group(out, &v->group[i], false);
	/* What the short help leaves out. */
	if (v->ngroup > v->nown) {
		struct str list = { 0 };
		size_t i;
		str_adds(out, "\nMore: ");
		for (i = 0; i < v->nfilter && list.n < SHORT_FILTERS; i++) {
			if (v->filter[i].letter)
				str_addf(&list, " -%c", v->filter[i].letter);
			else
				str_addf(&list, " --%s", v->filter[i].name);
		}
		if (v->nfilter > 0)
			str_addf(out, "filters (%s%s), ", list.s + 1, i < v->nfilter ? " ..." : "");
		str_free(&list);
		str_adds(out, "--format, -o FILE, -q, --strict\n");
	}
	str_addf(out, "'traceq %s --help' explains everything\n", v->name);
}

static void add_full(struct str *out, const struct verb *v)
{
	if (v->doc) {
		str_addc(out, '\n');
		text_wrap(out, v->doc, 0);
	}
	for (size_t i = 0; i < v->ngroup; i++)
		add_group(out, &v->group[i], true);
	if (v->examples) {
		str_adds(out, "\nExamples\n");
		text_lines(out, v->examples, SIZE_MAX, 2);
	}
	str_adds(out, "\nExit code\n");
	text_lines(out, v->exit_codes, SIZE_MAX, 2);
	if (v->source) {
		str_adds(out, "\nDefinitions\n");
		text_wrap(out, v->source, 2);
	}
}

static int no_command(const struct commands *all, const char *name)
{
	const struct elsewhere *w = elsewhere_find(name);
	SCOPED_ARENA mem = { 0 };

	if (w) {
		(void)say_failure("help: no command '%s'; %s", name, elsewhere_text(w, all, &mem));
		say_command(shell_command(&mem, (const char *const[]){ "help", w->command, NULL }));
		return EXIT_NO_ANSWER;
	}
	return say_failure("help: no command '%s'%s", name,
		opt_mean(verb_nearest(all, name), "; 'traceq --help' lists them").s);
}

int help_verb(const struct commands *all, const char *name, bool is_full)
{
	struct str b = { 0 };
	struct verb v;

	if (!verb_find(all, name, &v))
		return no_command(all, name);
	str_addf(&b, "usage: traceq %s%s%s%s\n", v.name, v.ngroup ? " [options]" : "",
		v.operands[0] ? " " : "", v.operands);
	str_addf(&b, "\n%s\n", v.summary);
	if (is_full)
		add_full(&b, &v);
	else
		add_short(&b, &v);
	return output_text(&b);
}

int help_all(const struct commands *all, bool is_full, bool is_misuse)
{
	SCOPED_STR b = { 0 };

	str_adds(&b, tagline);
	struct verb v;
	str_adds(&b, "Commands\n");
	for (size_t i = 0; verb_get(all, i, &v); i++)
		text_item(&b, v.name, v.summary, COMMAND_COLUMN);
	str_adds(&b, "\nExamples\n");
	text_lines(&b, about_examples, SHORT_EXAMPLES, 2);
	if (is_full) {
		str_adds(&b, "\nFiles\n");
		text_wrap(&b, about_files, 2);
		str_adds(&b, "\nExit code\n");
		text_lines(&b, about_exit_codes, SIZE_MAX, 2);
		str_adds(&b, "\nEnvironment\n");
		for (size_t i = 0; about_environment[i]; i += 2)
			text_item(&b, about_environment[i], about_environment[i + 1],
				VARIABLE_COLUMN);
	}
	str_adds(&b,
		"\n'traceq help COMMAND' explains one; 'traceq explain WORD' any word in an "
		"answer\n");
	if (is_misuse) {
		(void)fwrite(b.s, 1, b.n, stderr);
		return EXIT_NO_ANSWER;
	}
	return output_text(&b);
}

struct command_options {
	bool is_man;
};

static const struct opt own_opts[] = {
	FLAG_OPT("man", 0, offsetof(struct command_options, is_man),
		"the manual page, as roff source: 'traceq help --man top | man -l -'"),
};

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
};

static void add_words(const struct commands *all, struct str *out)
{
	struct verb v;

	for (size_t i = 0; verb_get(all, i, &v); i++)
		str_addf(out, "%s\n", v.name);
}

static int explain(const struct command_line *line, void *ctx, const char **word, size_t n)
{
	const struct command_options *o = ctx;

	if (n > 1)
		return say_failure("help: one command at a time");
	if (o->is_man)
		return man_print(line->all, n ? word[0] : NULL);
	return n ? help_verb(line->all, word[0], true) : help_all(line->all, true, false);
}

static int run(const struct command_line *line)
{
	struct command_options o = { 0 };

	return options_run("help", groups, COUNT_OF(groups), (void *[]){ &o }, line, explain, &o);
}

COMMAND(help) = {
	.name = "help",
	.summary = "explain a command: its options, examples and exit codes",
	.operands = "[COMMAND]",
	.doc = "Without COMMAND, lists all of them. 'traceq COMMAND -h' is one screen, 'traceq "
	       "COMMAND --help' the same as 'traceq help COMMAND'.",
	.examples = "traceq help top\n"
		    "traceq help --man top | man -l -\n",
	COMMAND_HAS(group, groups),
	.words = add_words,
	.run = run,
};
