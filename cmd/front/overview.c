/* The overview command, which `traceq FILE` is short for: what a run is, where its steps go, what
 * is wrong and what to type next, from one reading. */
#include <sys/stat.h>

#include "analyze/trace/columns/record.h"
#include "base/door.h"
#include "base/shell.h"
#include "cmd/answer.h"
#include "cmd/command.h"
#include "cmd/command_formats.h"
#include "cmd/front/brief.h"
#include "cmd/front/next.h"
#include "cmd/inquiry.h"
#include "cmd/output.h"
#include "cmd/screen.h"
#include "cmd/say.h"
#include "report/format/renderer.h"

static const char ask_diagnose[] = "diagnose", ask_top[] = "top", ask_summary[] = "summary";

/* Tables of answers, in the order in which they are shown. */
static const struct pick {
	const char *ask, *table; /* NULL: all of the answer's */
	bool is_of_one;          /* where there is one run only */
	bool is_long;            /* only with --all */
} picks[] = {
	{ ask_top, "totals", true, false },
	{ ask_diagnose, NULL, false, false },
	{ ask_summary, "bottlenecks", true, true },
};

struct overview {
	struct output_options output;
	bool is_csv; /* --csv */
	bool is_all;
	const char *path;    /* the first of its files, as an operand */
	const char *machine; /* a format for programs, which was asked for, or NULL */
	struct inquiry inquiry;
	const struct renderer *renderer;
	struct result next; /* tables of our own */
	struct result view; /* what is written; borrows from the answers and from next */
	struct err err;
	const struct command_line *line;
};

/* Those at the end are no formats of it: what is asked for is told where it is. */
enum { OWN_OPTS_HIDDEN = 2 };
#define AT(member) offsetof(struct overview, output.member)
static const struct opt own_opts[] = {
	OPT("format", 0, OPT_TEXT, "FORMAT", "how it is written [by the suffix of -o, else table]",
		AT(format), "table|md", NULL),
	TEXT_OPT("output", 'o', "FILE", AT(path),
		"write it to FILE, which appears when it is complete; .txt or .md"),
	FLAG_OPT("all", 'a', offsetof(struct overview, is_all),
		"all findings, all parts of a step, and the top bottlenecks: more than a screen"),
	OPTION_COLOR(AT(color)),
	OPTION_WIDE(AT(is_wide)),
	OPTION_ASCII(AT(is_ascii)),
	OPTION_NO_PAGER(AT(is_unpaged), ""),
	OPTION_QUIET(AT(is_quiet)),
	FLAG_OPT("json", 0, AT(is_json), NULL),
	FLAG_OPT("csv", 0, offsetof(struct overview, is_csv), NULL),
};
#undef AT

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts) - OWN_OPTS_HIDDEN, NULL },
};

/* The format for programs that is asked for, by its option or the suffix of -o; NULL: none. */
static const char *machine_format(const struct overview *o)
{
	static const char *const words[] = { "json", "csv", "tsv" };
	const char *word = o->output.format ? o->output.format
		: o->output.path            ? formats_suffix(o->output.path)
					    : "";

	if (o->output.is_json)
		word = "json";
	if (o->is_csv)
		word = "csv";
	return FIND_VALUE(
		i, COUNT_OF(words), strcmp(word + (word[0] == '.'), words[i]) == 0, words[i], NULL);
}

static enum status choose_format(struct overview *o)
{
	const char *path = o->output.path, *suffix = path ? formats_suffix(path) : "";
	bool is_md =
		o->output.format ? strcmp(o->output.format, "md") == 0 : strcmp(suffix, ".md") == 0;

	if (o->output.format && !is_md && strcmp(o->output.format, "table") != 0)
		return err_hinted(&o->err, E_USAGE, "known are: table, md",
			"option '--format': unknown FORMAT '%s'", o->output.format);
	o->renderer = renderer_find(is_md ? "md" : "table");
	if (o->output.format || !*suffix || is_md || strcmp(suffix, ".txt") == 0)
		return OK;
	return formats_refuse("overview", path, ".txt, .md", &o->err);
}

static enum status parse(struct overview *o)
{
	struct opt_group group[2 + INQUIRY_GROUPS];
	struct inquiry *g = &o->inquiry;

	group[0] = (struct opt_group){ "Options", own_opts, COUNT_OF(own_opts), o };
	group[1] = options_runs;
	group[1].into = &o->output;
	size_t n = 2 + inquiry_groups(group + 2, g);
	TRY(options_parse(group, n, NULL, o->line, &g->path, &g->npath, &o->err));
	if (g->npath == 0)
		return err_hinted(&o->err, E_USAGE, "usage: traceq overview [options] FILE...",
			"no file or folder given");
	o->machine = machine_format(o);
	if (o->machine)
		return err_hinted(&o->err, E_USAGE, "what it is made of has that format:",
			"it is for people, and has no --format %s", o->machine);
	if (o->output.is_unpaged)
		pager_turn_off();
	g->is_quiet = o->output.is_quiet;
	g->is_per_run = o->output.is_per_run;
	g->for_people = true;
	TRY(choose_format(o));
	return inquiry_will_write(
		g, &(struct door_output){ .option = "-o", .path = o->output.path }, 1, &o->err);
}

static const struct inquiry_ask *answer_to(const struct overview *o, const char *text)
{
	return FIND(i, o->inquiry.ask, o->inquiry.nask, strcmp(o->inquiry.ask[i].text, text) == 0);
}

static const struct result *result_of(const struct overview *o, const char *text)
{
	const struct inquiry_ask *a = answer_to(o, text);

	return a && a->status == OK ? &a->result : NULL;
}

/* The tables that are shown. */
static void view_tables(struct overview *o)
{
	struct result *v = &o->view;
	size_t room = o->next.ntable;

	for (size_t i = 0; i < o->inquiry.nask; i++)
		room += o->inquiry.ask[i].result.ntable;
	v->table = arena_array(&o->inquiry.mem, room, sizeof(struct table *));
	for (size_t i = 0; i < COUNT_OF(picks); i++) {
		const struct result *r = result_of(o, picks[i].ask);

		for (size_t k = 0; r && k < r->ntable; k++) {
			struct table *t = r->table[k];

			if ((picks[i].table && strcmp(t->id, picks[i].table) != 0) ||
				(picks[i].is_of_one && r->ninput > 1) ||
				(picks[i].is_long && !o->is_all))
				continue;
			if (!o->is_all && !picks[i].table)
				t = brief_of(&o->next, t, r);
			if (t)
				v->table[v->ntable++] = t;
		}
	}
	if (o->next.table[0]->nrow)
		v->table[v->ntable++] = o->next.table[0];
}

static bool is_said(const struct result *v, const struct note *n)
{
	return ANY(
		i, v->nnote, v->note[i].input == n->input && strcmp(v->note[i].text, n->text) == 0);
}

/* Whether a note is but about tables that are not shown. */
static bool is_beside(const struct overview *o, const struct pick *p, const struct result *first,
	const struct note *n)
{
	return p->is_long && !o->is_all && result_of(o, p->ask) != first && brief_is(first) &&
		n->level == NOTE_INFO;
}

/* All notes, each once. */
static void view_notes(struct overview *o, const struct result *first)
{
	struct result *v = &o->view;
	size_t room = SUM(size_t, i, o->inquiry.nask, o->inquiry.ask[i].result.nnote);

	v->note = arena_array(&o->inquiry.mem, room, sizeof(*v->note));
	for (size_t i = 0; i < COUNT_OF(picks); i++) {
		const struct result *r = result_of(o, picks[i].ask);

		for (size_t k = 0; r && k < r->nnote; k++)
			if (!is_said(v, &r->note[k]) &&
				!is_beside(o, &picks[i], first, &r->note[k]))
				v->note[v->nnote++] = r->note[k];
	}
}

/* The run, where there is one, and it is no trace. */
static const struct run *lone_record(const struct overview *o)
{
	const struct run *r = o->inquiry.inputs.n == 1 ? o->inquiry.inputs.run[0] : NULL;

	return r && !r->has_trace && r->record ? r : NULL;
}

/* The trace that can be cut, as an operand; NULL: there is not one, or but what was kept of it. */
static const char *trace_of(const struct overview *o, struct arena *mem, const char *path)
{
	const struct run *run = o->inquiry.inputs.n == 1 ? o->inquiry.inputs.run[0] : NULL;
	const struct record *r = run ? run->record : NULL;
	struct stat at;
	size_t n = strlen(path);

	if (!run || !run->has_trace || run->kept)
		return NULL;
	for (size_t i = 0; r && r->is_folder && i < r->nfile; i++) {
		const struct record_file *f = &r->file[i];

		if (f->state == FILE_READ && strcmp(f->kind, "trace") == 0) {
			path = arena_printf(
				mem, "%s%s%s", path, path[n - 1] == '/' ? "" : "/", f->name);
			break;
		}
	}
	return stat(path, &at) == 0 && S_ISREG(at.st_mode) ? path : NULL;
}

static void make_next(struct overview *o)
{
	const struct inquiry *g = &o->inquiry;
	struct result *r = &o->next;
	struct table *t = next_table(r);
	const char *path = o->path;
	const struct result *diagnose = result_of(o, ask_diagnose);
	bool is_brief = !o->is_all && diagnose && brief_is(diagnose) && !lone_record(o);

	if (g->npath > 1 || strcmp(g->path[0], "-") == 0)
		return;
	if (is_brief)
		NEXT(t, "all findings", "diagnose", path);
	else
		next_of_answers(t, path, trace_of(o, &r->mem, path), diagnose);
	/* What has more to say of figures without a trace. */
	const struct run *run = lone_record(o);
	const char *command;
	for (size_t i = 0; run && (command = record_command(run->record, false, i)) != NULL; i++)
		NEXT(t, analysis_find(o->inquiry.all, command)->summary, command, path);
	NEXT(t, "a page of it, with charts", "report", path, "-o",
		next_output(&r->mem, "report", ".html"));
	if (is_brief)
		next_plain(t);
}

/* Where nothing of this answers: the command that is about such a file does, if there is one; else
 * why diagnose does not, which takes whatever can be read. */
static int pass_on(struct overview *o)
{
	const struct inquiry_ask *a = answer_to(o, ask_diagnose);
	const struct run *run = lone_record(o);
	const char *command = run ? record_command(run->record, false, 0) : NULL;

	if (!command || strcmp(command, "info") == 0 || o->inquiry.npath > 1)
		return say_error(o->inquiry.path[0], &a->err);
	return answer_run(analysis_find(o->inquiry.all, command), o->line);
}

static int write_out(struct overview *o)
{
	const struct result *first = result_of(o, ask_diagnose);

	if (!first)
		first = result_of(o, ask_top);
	if (!first)
		first = result_of(o, ask_summary);
	if (!first)
		return pass_on(o);
	o->path = next_file(o->line->all, &o->next.mem, o->inquiry.path[0]);
	make_next(o);
	o->view = (struct result){
		.schema = "traceq.overview/1", .input = first->input, .ninput = first->ninput
	};
	view_notes(o, first);
	if (!o->output.is_quiet)
		say_notes_of(&o->view, "run_broke");
	view_tables(o);
	if (output_put(&o->output, o->renderer, &o->view, &o->err) != OK)
		return say_error(NULL, &o->err);
	if (!o->output.is_quiet)
		say_notes(&o->view, !o->renderer->shows_notes);
	return o->inquiry.inputs.nfailed ? EXIT_NO_ANSWER : EXIT_ANSWERED;
}

static int answer(struct overview *o)
{
	const char *where = NULL;

	inquiry_ask(&o->inquiry, ask_diagnose); /* first: it carries the job that runs are ranks of
	                                         */
	inquiry_ask_whole(&o->inquiry, ask_top);
	if (o->is_all)
		inquiry_ask(&o->inquiry, ask_summary);
	if (inquiry_configure(&o->inquiry, NULL, &o->err) != OK)
		return say_error(NULL, &o->err);
	inquiry_choose(&o->inquiry);
	if (inquiry_run(&o->inquiry, &where, &o->err) != OK)
		return say_refusal("overview", where, &o->err);
	return write_out(o);
}

static int run(const struct command_line *line)
{
	struct overview o = { .line = line };

	err_clear(&o.err);
	inquiry_init(&o.inquiry, &line->all->analyses);
	result_init(&o.next, "");
	int exit_code = parse(&o) == OK ? answer(&o) : say_usage("overview", &o.err);
	/* What has that format of what is shown here: the lines to type. */
	if (o.machine) {
		const struct inquiry *g = &o.inquiry;
		bool is_json = strcmp(o.machine, "json") == 0;
		const char **word = arena_array(&o.next.mem, g->npath + 4, sizeof(*word));
		for (size_t i = 0; i < g->npath; i++)
			word[i + 1] = strcmp(g->path[i], "-") == 0
				? "-"
				: shell_operand(&o.next.mem, g->path[i]);
		word[g->npath + 1] = is_json ? "--json" : "--format";
		word[g->npath + 2] = is_json ? NULL : o.machine;
		for (size_t i = 0; i < COUNT_OF(picks); i++) {
			word[0] = picks[i].ask;
			say_command(shell_command(&o.next.mem, word));
		}
	}
	result_clear(&o.next);
	inquiry_clear(&o.inquiry);
	return exit_code;
}

/* The groups that need more than constants, for help. */
static size_t help_groups(struct opt_group *to, struct opt *filter UNUSED)
{
	to[0] = options_runs;
	return 1 + inquiry_groups(to + 1, NULL);
}

COMMAND(overview) = {
	.name = "overview",
	.summary = "what a run is, where its steps go, what is wrong, what to type next",
	.operands = "FILE...",
	.doc = "'traceq FILE' is short for it. One screen about a run, from one reading: what it is, "
	       "the verdict and what it stands on, where a step goes, what three changes would save "
	       "and how they are made, which findings are serious, and commands that look further. "
	       "--all shows the rest.\n\n"
	       "A folder of ranks is one job: who makes the others wait comes first. Several runs "
	       "are put side by side.\n\n"
	       "It is for people. The same for programs: diagnose, summary and top with --json.",
	.examples = "traceq trace.json.gz\n"
		    "traceq overview run/ --steps 5-9\n"
		    "traceq overview trace.json.gz -o overview.md\n",
	COMMAND_HAS(group, groups),
	.more_groups = help_groups,
	.run = run,
};
