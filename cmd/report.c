/* The report command: several analyses, one document. */
#include <errno.h>
#include <sys/stat.h>

#include "analyze/input/load_kept.h"
#include "base/io.h"
#include "base/reach.h"
#include "cmd/command.h"
#include "cmd/command_formats.h"
#include "cmd/inquiry.h"
#include "cmd/load/load_history.h"
#include "cmd/output.h"
#include "cmd/screen.h"
#include "cmd/pasted.h"
#include "cmd/picture.h"
#include "cmd/say.h"
#include "cmd/version.h"
#include "report/chart/draw/tiles.h"
#include "report/page/section/section.h"

struct report_options {
	const char *style, *format, *output, *plots, *title, *allow_env;
	struct look_options look; /* its title is that of the document */
	bool is_quiet, is_unpaged, is_forced;
};

/* Choices made from the lists: every word with a bar before it. */
#define X(name) "|" #name
static const char bar_styles[] = STYLES(X), bar_formats[] = PAGE_FORMATS(X),
		  bar_hidden_formats[] = PAGE_FORMATS(X) "|seed";
#undef X

#define AT(field) offsetof(struct report_options, field)
static const struct opt own_opts[] = {
	CHOICE_OPT("style", "STYLE", AT(style), bar_styles + 1,
		"which document [run; diff for two sides, nightly for a store of runs]"),
	CHOICE_OPT("format", "FORMAT", AT(format), bar_formats + 1,
		"how it is written [by the suffix of -o, else txt]"),
	TEXT_OPT("output", 'o', "FILE", AT(output),
		"write the document to FILE (.txt, .md, .html), which appears when it is complete"),
	TEXT_OPT("plots", 0, "DIR", AT(plots), "draw its charts into that folder by gnuplot, too"),
	LOOK_SIZE(struct report_options, look),
	LOOK_THEME(struct report_options, look),
	FLAG_OPT("force", 0, AT(is_forced), DOOR_FORCE_HELP),
	TEXT_OPT("title", 0, "TEXT", AT(title), "title of the document [what the style says]"),
	OPTION_ALLOW_ENV(AT(allow_env)),
	OPTION_NO_PAGER(AT(is_unpaged), ""),
	OPTION_QUIET(AT(is_quiet)),
};

/* Before the one that help shows. */
static const struct opt hidden_opts[] = {
	CHOICE_OPT("format", "FORMAT", AT(format), bar_hidden_formats + 1, NULL),
};
#undef AT

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
};

struct report {
	struct report_options o;
	struct inquiry inquiry;
	const struct style *style;
	const struct page_format *format;
	bool is_seed, has_charts;
	bool is_guess; /* the style is diff because there are two sides */
	bool is_run;   /* that was a wrong guess */
	struct chart_look look;
	struct answers answers;
	struct page page;
	struct str work[SECTION_CHARTS_MAX]; /* pages to work in */
	size_t nwork;
	struct err err;
	struct err plot_err; /* why pictures are missing */
};

static enum status format_of_path(struct report *r)
{
	r->format = page_format_of_path(r->o.output);
	if (r->format || !*formats_suffix(r->o.output))
		return OK;
	return formats_refuse("report", r->o.output, ".txt, .md, .html", &r->err);
}

static enum status choose_format(struct report *r)
{
	const char *format = r->o.format;

	r->is_seed = format && strcmp(format, "seed") == 0;
	if (r->is_seed && !r->style->document)
		return err_set(
			&r->err, E_USAGE, -1, "--format seed is a layout of --style run and week1");
	if (format && !r->is_seed)
		r->format = page_format_find(format);
	else if (r->o.output && !r->is_seed)
		TRY(format_of_path(r));
	if (!r->format)
		r->format = page_format_find("txt");
	r->has_charts = !r->is_seed && (r->o.plots || r->format->draws_charts);
	return OK;
}

/* Two paths, or "vs" between several: what is compared. */
static bool has_sides(const struct report *r)
{
	return ANY(i, r->inquiry.npath, strcmp(r->inquiry.path[i], "vs") == 0) ||
		r->inquiry.npath == 2;
}

/* The style that was asked for; of two sides and of a store of runs its own, else that of a run. */
static const char *style_of(const struct report *r)
{
	const char *path = r->inquiry.npath == 1 ? r->inquiry.path[0] : NULL;

	if (r->o.style)
		return r->o.style;
	if (r->is_guess)
		return "diff";
	if (!path || !history_is_at(path))
		return "run";
	/* A store has one file and no more; a run with a store in it has others. */
	return !folder_is(path) || reach_count(path, 2) < 2 ? "nightly" : "run";
}

/* Pictures of a given size and theme are files; those inside of a page are as its reader has it. */
static enum status read_look(struct report *r)
{
	TRY(look_read(&r->look, &r->o.look, &r->err));
	if ((r->o.look.size || r->o.look.theme) && !r->o.plots)
		return err_set(&r->err, E_USAGE, -1,
			"--size and --theme are about the charts of --plots DIR");
	return OK;
}

static enum status parse(struct report *r, const struct command_line *line)
{
	struct opt_group group[2 + INQUIRY_GROUPS];
	struct str pasted = { 0 };

	group[0] = (struct opt_group){ NULL, hidden_opts, COUNT_OF(hidden_opts), &r->o };
	group[1] = (struct opt_group){ "Options", own_opts, COUNT_OF(own_opts), &r->o };
	size_t n = 2 + inquiry_groups(group + 2, &r->inquiry);
	TRY(options_parse(group, n, NULL, line, &r->inquiry.path, &r->inquiry.npath, &r->err));
	pasted_command(&pasted, group, n, line->argc, line->argv, NULL);
	r->page.command = page_printf(&r->page, "%s", pasted.s);
	str_free(&pasted);
	if (r->o.is_unpaged)
		pager_turn_off();
	r->inquiry.is_quiet = r->o.is_quiet;
	r->inquiry.allow_env = r->o.allow_env;
	TRY(read_look(r));
	r->is_guess = !r->o.style && !r->is_run && has_sides(r);
	r->style = style_find(style_of(r));
	door_force(r->o.is_forced);
	TRY(inquiry_will_write(&r->inquiry,
		&(struct door_output){ .option = "-o", .path = r->o.output }, 1, &r->err));
	TRY(choose_format(r));
	if (r->inquiry.npath > 0)
		return OK;
	return err_hinted(&r->err, E_USAGE, "usage: traceq report [options] PATH...",
		"no file or folder given");
}

/* ---- asking ---- */

static void ask_list(struct inquiry *q, const char *const *ask, size_t most)
{
	for (size_t i = 0; i < most && ask[i]; i++)
		inquiry_ask(q, ask[i]);
}

/* Of a chart to work in. */
static const struct chart_look inside = { .is_page = true, .is_inside = true };

static void ask_all(struct report *r)
{
	/* For the header.  Who asks it wants runs, and a history is none. */
	if (r->format->draws_charts && strcmp(r->style->name, "nightly") != 0)
		inquiry_ask(&r->inquiry, ask_info);
	if (r->is_seed) {
		r->inquiry.is_per_run = true;
		ask_list(&r->inquiry, r->style->document_ask, SECTION_ASKS_MAX);
		return;
	}
	for (size_t i = 0; r->style->section[i]; i++) {
		const struct section *s = r->style->section[i];

		ask_list(&r->inquiry, s->ask, SECTION_ASKS_MAX);
		for (size_t k = 0; r->has_charts && s->chart[k]; k++)
			ask_list(&r->inquiry, chart_find(s->chart[k])->ask, CHART_ASKS_MAX);
		for (size_t k = 0; r->format->draws_charts && s->page[k]; k++)
			ask_list(&r->inquiry, chart_asks(chart_find(s->page[k]), &inside),
				CHART_ASKS_MAX);
	}
}

/* ---- writing ---- */

static const char *link_to(struct report *r, const char *id)
{
	SCOPED_STR folder = { 0 };

	relative_folder(&folder, r->o.plots, r->o.output);
	return page_printf(&r->page, "%s/%s.svg", folder.s, id);
}

/* The picture of a chart in the folder of plots, as the document links it; NULL: not drawn. */
static const char *draw_picture(struct report *r, const struct chart_kind *kind)
{
	const char *path = page_printf(&r->page, "%s/%s.svg", r->o.plots, kind->id);
	const struct picture_to to = { .path = path,
		.beside = page_printf(&r->page, "--plots %s", r->o.plots) };
	struct err e;

	if (picture_plan(&to, &e) == OK &&
		picture_draw(kind, &r->answers, &r->look, path, false, &e) == OK)
		return link_to(r, kind->id);
	if (r->plot_err.status == OK || (e.status == E_USAGE && r->plot_err.status != E_USAGE))
		r->plot_err = e;
	return NULL;
}

static void put_chart(struct report *r, const char *id)
{
	const struct chart_kind *kind = chart_find(id);
	const char *picture = NULL;
	struct chart c;

	if (!chart_draw(kind, &r->answers, NULL, &c)) {
		chart_clear(&c);
		return;
	}
	if (r->o.plots) {
		picture = draw_picture(r, kind);
		if (!picture)
			page_item(&r->page, TONE_UNKNOWN, "chart %s is missing: %s", kind->id,
				r->plot_err.text);
	}
	page_chart(&r->page, &c, picture);
}

/* Documents are sent by mail: what is to be worked in has this many bytes of one at most. */
enum { WORK_MAX = 14 << 20 };

static void put_work(struct report *r, const char *id)
{
	const struct chart_kind *kind = chart_find(id);
	struct str *out = &r->work[r->nwork];
	struct chart c;

	if (r->nwork < COUNT_OF(r->work) && chart_draw(kind, &r->answers, &inside, &c)) {
		tiles_page(out, &c);
		if (SUM(size_t, i, r->nwork + 1, r->work[i].n) <= WORK_MAX) {
			page_work(&r->page, kind->id, c.title, out->s);
			r->nwork++;
		} else {
			page_text(&r->page,
				"%s is left out, as it has %zu MiB: 'traceq plot', with %s and -o "
				"x.html, writes it by itself.",
				c.title, out->n >> 20, id);
			str_free(out);
		}
	}
	chart_clear(&c);
}

/* What was odd about the inputs belongs into the document, too. */
static void put_notes(struct report *r)
{
	const struct answer *a = r->answers.n ? &r->answers.v[0] : NULL;
	bool has_heading = false;

	for (size_t i = 0; a && a->result && i < a->result->nnote; i++) {
		const struct note *n = &a->result->note[i];
		struct span input = { "", 0 };

		if (n->level == NOTE_INFO)
			continue;
		if (!has_heading)
			page_heading(&r->page, "Notes about the inputs");
		has_heading = true;
		if (n->input >= 0 && (size_t)n->input < a->result->ninput)
			input = input_name(a->result->input[n->input]);
		page_item(&r->page, TONE_WARN, "%.*s%s%s", (int)input.n, input.p,
			input.n ? ": " : "", n->text);
	}
}

static const char *subtitle(struct report *r)
{
	const char *const *path = r->inquiry.path;

	if (r->inquiry.npath == 1)
		return load_shown(path[0], &r->inquiry.mem);
	if (r->inquiry.npath == 2 && strcmp(r->style->name, "diff") == 0)
		return page_printf(&r->page, "%s against %s", path[1], path[0]);
	return page_printf(&r->page, "%s and %zu more", path[0], r->inquiry.npath - 1);
}

/* What a window is called by: the inputs without their folders. */
static const char *about(struct report *r)
{
	const char *const *path = r->inquiry.path;
	size_t n = r->inquiry.npath;
	struct span last = input_name(path[n - 1]), first = input_name(path[0]);

	if (n == 1)
		return page_printf(&r->page, "%.*s", (int)first.n, first.p);
	if (n == 2 && strcmp(r->style->name, "diff") == 0)
		return page_printf(
			&r->page, "%.*s against %.*s", (int)last.n, last.p, (int)first.n, first.p);
	return page_printf(&r->page, "%.*s and %zu more", (int)first.n, first.p, n - 1);
}

enum { INPUTS = 8 };

/* When and on what the inputs were recorded, which they are, and by what program this was written.
 * Never when: the same inputs give the same bytes. */
static void put_origin(struct report *r)
{
	const char *text = "";
	size_t n = r->inquiry.npath;
	bool are_said = n == 1 || (n == 2 && strcmp(r->style->name, "diff") == 0);

	r->page.about = about(r);
	section_put_origin(&r->answers, &r->page);
	for (size_t i = 0; !are_said && i < n && i < INPUTS; i++)
		text = page_printf(&r->page, "%s%s%s", text, i ? ", " : "", r->inquiry.path[i]);
	if (!are_said && n > INPUTS)
		text = page_printf(&r->page, "%s and %zu more", text, n - INPUTS);
	if (!are_said)
		page_origin(&r->page, "inputs", "%s", text);
	page_origin(&r->page, "written by", "traceq %s", version_release);
}

static bool has_chart(const struct page *d, const char *id)
{
	return ANY(i, d->n, d->block[i].chart && strcmp(d->block[i].chart->id, id) == 0);
}

static void write_page(struct report *r)
{
	if (r->is_seed) {
		r->style->document(&r->answers, &r->page);
		return;
	}
	r->page.title = r->o.title ? r->o.title : r->style->title;
	r->page.subtitle = subtitle(r);
	put_origin(r);
	for (size_t i = 0; r->style->section[i]; i++) {
		const struct section *s = r->style->section[i];
		size_t before = r->page.n;

		section_write(s, &r->answers, &r->page);
		for (size_t k = 0; r->has_charts && r->page.n > before && s->chart[k]; k++)
			if (!has_chart(&r->page, s->chart[k]))
				put_chart(r, s->chart[k]);
		for (size_t k = 0; r->format->draws_charts && r->page.n > before && s->page[k]; k++)
			put_work(r, s->page[k]);
	}
	if (!ANY(i, r->page.n,
		    r->page.block[i].kind == PAGE_WORK &&
			    strcmp(r->page.block[i].id, "timeline-lanes") == 0))
		page_forget_marks(&r->page);
}

/* A document of headings alone is no answer: why not, if what the style is about says so. */
static enum status check_page(struct report *r)
{
	const struct section *first = r->style->section[0];
	const struct answer *a = first->ask[0] ? answers_find(&r->answers, first->ask[0]) : NULL;

	if (r->is_seed ? r->page.n > 0 : page_says_something(&r->page))
		return OK;
	if (r->is_seed)
		return err_hinted(&r->err, E_NODATA, "without --format seed it may say more",
			"%s: nothing in it that the guides lay out", r->inquiry.path[0]);
	if (a && !a->result && a->why) {
		(void)err_set(&r->err, E_NODATA, -1, "--style %s: %s", r->style->name, a->why);
		/* an option of its own command is none of ours, but that one */
		if (a->hint && (a->hint[0] != '-' || strncmp(a->hint, "--allow-env", 11) == 0))
			return err_hint(&r->err, "%s", a->hint);
	} else {
		(void)err_set(&r->err, E_NODATA, -1, "%s: nothing in it that --style %s is about",
			r->inquiry.path[0], r->style->name);
	}
	return err_hint(&r->err, "'traceq info' says what is in it; other styles: --help");
}

/* With the pictures, which wait. */
static int write_out(struct report *r)
{
	struct str out = { 0 };
	enum status st = OK;

	r->format->put(&out, &r->page);
	if (!r->o.output || strcmp(r->o.output, "-") == 0) {
		if (io_release(&r->err) == OK)
			return output_text(&out);
		str_free(&out);
		return say_refusal("report", NULL, &r->err);
	}
	st = io_put(r->o.output, &out, &r->err);
	str_free(&out);
	if (st == OK)
		st = io_release(&r->err);
	else
		io_drop();
	return st == OK ? EXIT_ANSWERED : say_refusal("report", NULL, &r->err);
}

static enum status make_folder(struct report *r)
{
	struct stat st;

	if (!r->o.plots || mkdir(r->o.plots, 0777) == 0)
		return OK;
	if (errno == EEXIST && stat(r->o.plots, &st) == 0 && S_ISDIR(st.st_mode))
		return OK;
	return err_set(
		&r->err, E_IO, -1, "%s: cannot make the folder: %s", r->o.plots, strerror(errno));
}

/* Why the inputs could not be read; a history that was taken for a run is told what it is. */
static int refuse(struct report *r, const char *where)
{
	struct history h;
	struct err e;

	if (!r->o.style && r->inquiry.npath == 1 && r->err.status == E_FORMAT) {
		if (history_load(&h, r->inquiry.path[0], true, &e) == OK)
			(void)err_hint(
				&r->err, "it is a history of runs: --style nightly is about those");
		history_clear(&h);
	}
	return say_error(where ? where : "report", &r->err);
}

static bool has_trace(const struct side *s)
{
	return ANY(i, s->nrun, s->run[i].nrank > 0);
}

/* Two paths that are a trace and its log, or files of one run, are no sides; two folders are. */
static bool is_wrong_guess(const struct report *r)
{
	const struct sides *s = &r->inquiry.sides;

	if (!r->is_guess || s->nside < 2)
		return false;
	if (has_trace(&s->side[0]) != has_trace(&s->side[1]))
		return r->inquiry.ask[0].status != OK || !folder_is(r->inquiry.path[0]) ||
			!folder_is(r->inquiry.path[1]);
	return !has_trace(&s->side[0]) && r->inquiry.ask[0].status != OK;
}

enum { ASK_AGAIN = -100 };

/* The exit code; ASK_AGAIN: the paths are no sides, and nothing was written. */
static int answer(struct report *r)
{
	const char *where = NULL;

	ask_all(r);
	inquiry_choose(&r->inquiry);
	if (inquiry_configure(&r->inquiry, NULL, &r->err) != OK ||
		inquiry_run(&r->inquiry, &where, &r->err) != OK)
		return refuse(r, where);
	if (is_wrong_guess(r))
		return ASK_AGAIN;
	if (make_folder(r) != OK)
		return say_error("report", &r->err);
	inquiry_say_notes(&r->inquiry);
	r->answers = inquiry_answers(&r->inquiry);
	io_hold();
	write_page(r);
	if (r->plot_err.status == E_USAGE || check_page(r) != OK) {
		io_drop();
		return r->plot_err.status == E_USAGE ? say_usage("report", &r->plot_err)
						     : say_error("report", &r->err);
	}
	put_notes(r);
	int exit_code = write_out(r);
	if (exit_code == EXIT_ANSWERED && r->plot_err.status != OK)
		return say_error("report", &r->plot_err);
	return exit_code;
}

static int attempt(const struct command_line *line, bool is_run)
{
	struct report r = { .is_run = is_run };

	err_clear(&r.err);
	err_clear(&r.plot_err);
	inquiry_init(&r.inquiry, &line->all->analyses);
	page_init(&r.page);
	int exit_code = parse(&r, line) == OK ? answer(&r) : say_usage("report", &r.err);
	page_clear(&r.page);
	for (size_t i = 0; i < r.nwork; i++)
		str_free(&r.work[i]);
	inquiry_clear(&r.inquiry);
	return exit_code;
}

static int run(const struct command_line *line)
{
	int exit_code = attempt(line, false);

	return exit_code == ASK_AGAIN ? attempt(line, true) : exit_code;
}

COMMAND(report) = {
	.name = "report",
	.summary = "a document about a run: text, Markdown or HTML",
	.operands = "PATH...",
	.doc = "Puts what several analyses answer into one document: the verdict, where the time "
	       "goes, findings with evidence, what could be done, and what was not recorded. The "
	       "inputs are read once.\n\n"
	       "--style run is about any trace, week1 the baseline summary of a results folder, "
	       "diff explains a change and is what two paths mean, nightly a history. Markdown "
	       "pastes into a pull request; HTML is one file that loads nothing, with its charts "
	       "inside. --plots draws the charts by gnuplot, too.\n\n"
	       "The same inputs give the same bytes.",
	.examples = "traceq report trace.json.gz\n"
		    "traceq report trace.json.gz -o report.html\n"
		    "traceq report results/ --style week1 -o week1.md --plots charts",
	COMMAND_HAS(group, groups),
	.run = run,
};
