/* The plot command: one chart, its script and its data, drawn by gnuplot. */

#include "base/door.h"
#include "cmd/command.h"
#include "cmd/inquiry.h"
#include "cmd/output.h"
#include "cmd/picture.h"
#include "cmd/say.h"
#include "report/chart/charts.h"
#include "report/escape.h"

struct plot_options {
	const char *output, *allow_env;
	struct look_options look;
	bool is_list;
	bool is_quiet, is_forced;
};

#define AT(field) offsetof(struct plot_options, field)
static const struct opt own_opts[] = {
	TEXT_OPT("output", 'o', "FILE", AT(output),
		"the picture: FILE.svg, .png or .pdf; script (.gp) and data (.dat) are kept beside "
		"it; FILE.html: a page of its own [CHART.svg]"),
	FLAG_OPT("list", 'l', AT(is_list),
		"which charts the inputs allow, and why not the others; no chart is named then"),
	LOOK_TITLE(struct plot_options, look),
	LOOK_SIZE(struct plot_options, look),
	LOOK_LIMIT(struct plot_options, look),
	LOOK_THEME(struct plot_options, look),
	FLAG_OPT("force", 0, AT(is_forced), DOOR_FORCE_HELP),
	OPTION_ALLOW_ENV(AT(allow_env)),
	OPTION_QUIET(AT(is_quiet)),
};
#undef AT

static const struct opt_group groups[] = {
	{ "Options", own_opts, COUNT_OF(own_opts), NULL },
};

struct plot {
	struct plot_options o;
	struct inquiry inquiry;
	const char *chart;
	struct chart_look look;
	struct err err;
};

/* The picture and what is kept beside it; without -o the chart gives the names. */
static enum status plan(struct plot *p)
{
	struct picture_to to = { .path = p->o.output, .option = "-o" };
	SCOPED_STR name = { 0 };

	door_force(p->o.is_forced);
	TRY(inquiry_will_write(&p->inquiry, NULL, 0, &p->err));
	if (!p->chart || !chart_find(p->chart))
		return OK;
	if (!to.path) {
		str_addf(&name, "%s.svg", p->chart);
		to = (struct picture_to){ .path = name.s, .beside = "the chart" };
	}
	return picture_plan(&to, &p->err);
}

static enum status parse(struct plot *p, const struct command_line *line)
{
	struct opt_group group[1 + INQUIRY_GROUPS];

	group[0] = (struct opt_group){ "Options", own_opts, COUNT_OF(own_opts), &p->o };
	size_t n = 1 + inquiry_groups(group + 1, &p->inquiry);
	TRY(options_parse(group, n, NULL, line, &p->inquiry.path, &p->inquiry.npath, &p->err));
	p->inquiry.is_quiet = p->o.is_quiet;
	p->inquiry.allow_env = p->o.allow_env;
	TRY(look_read(&p->look, &p->o.look, &p->err));
	p->look.is_page = p->o.output && picture_is_page(p->o.output);
	p->inquiry.limit = p->look.limit;
	if (!p->o.is_list && p->inquiry.npath > 0) {
		p->chart = p->inquiry.path[0];
		p->inquiry.npath--;
		memmove(p->inquiry.path, p->inquiry.path + 1,
			p->inquiry.npath * sizeof(*p->inquiry.path));
	}
	if (p->inquiry.npath > 0)
		return plan(p);
	if (p->chart && !chart_find(p->chart))
		return OK; /* a file where a chart should be: draw() says so */
	return err_hinted(&p->err, E_USAGE,
		"usage: traceq plot CHART FILE..., traceq plot --list FILE...",
		p->chart || p->o.is_list ? "no file given" : "no chart and no file given");
}

/* One that is known, but not drawn. */
static bool is_absent(struct plot *p)
{
	size_t n;
	const struct chart_absent *all = chart_absent_all(&n);

	const struct chart_absent *absent = FIND(i, all, n, strcmp(all[i].id, p->chart) == 0);

	if (absent)
		(void)err_hinted(
			&p->err, E_USAGE, absent->why, "chart '%s' is not drawn", p->chart);
	return absent != NULL;
}

static void unknown_chart(struct plot *p)
{
	const char *name[64];
	size_t n, i;
	const struct chart_kind *const *all = chart_all(&n);

	for (i = 0; i < n && i < COUNT_OF(name); i++)
		name[i] = all[i]->id;
	(void)err_hinted(&p->err, E_USAGE, "'traceq plot --list FILE...' says which there are",
		"unknown chart '%s'%s", p->chart, opt_mean(opt_nearest(p->chart, name, i), "").s);
}

static void ask_for(struct inquiry *g, const struct chart_kind *k, const struct chart_look *look)
{
	const char *const *ask = chart_asks(k, look);

	for (size_t i = 0; i < CHART_ASKS_MAX && ask[i]; i++)
		inquiry_ask(g, ask[i]);
}

/* What the charts ask, answered; where: as inquiry_run's. */
static enum status find_answers(struct plot *p, struct answers *answers, const char **where)
{
	TRY(inquiry_configure(&p->inquiry, NULL, &p->err));
	inquiry_choose(&p->inquiry);
	TRY(inquiry_run(&p->inquiry, where, &p->err));
	inquiry_say_notes(&p->inquiry);
	*answers = inquiry_answers(&p->inquiry);
	*where = NULL;
	return OK;
}

static int draw(struct plot *p)
{
	const struct chart_kind *kind = chart_find(p->chart);
	SCOPED_STR fallback = { 0 };
	const char *where = NULL;
	struct answers answers;

	if (!kind) {
		if (!is_absent(p))
			unknown_chart(p);
		return say_usage("plot", &p->err);
	}
	ask_for(&p->inquiry, kind, &p->look);
	str_addf(&fallback, "%s.svg", kind->id);
	enum status st = find_answers(p, &answers, &where);
	THEN(st,
		picture_draw(kind, &answers, &p->look, p->o.output ? p->o.output : fallback.s,
			false, &p->err));
	return st == OK ? EXIT_ANSWERED : say_refusal("plot", where ? where : "plot", &p->err);
}

static void list_absent(struct str *out)
{
	size_t n;
	const struct chart_absent *all = chart_absent_all(&n);

	for (EACH(const struct chart_absent, absent, all, n))
		str_addf(out, "  no   %-20s %s: %s\n", absent->id, absent->title, absent->why);
}

static int list(struct plot *p)
{
	const char *where = NULL;
	struct answers answers;
	struct str out = { 0 };
	size_t n;
	const struct chart_kind *const *all = chart_all(&n);

	for (size_t i = 0; i < n; i++)
		ask_for(&p->inquiry, all[i], NULL);
	if (find_answers(p, &answers, &where) != OK)
		return say_error(where ? where : "plot", &p->err);
	for (size_t i = 0; i < n; i++) {
		struct chart c;
		if (chart_draw(all[i], &answers, NULL, &c)) {
			str_addf(&out, "  yes  %-20s %s\n", all[i]->id, all[i]->title);
		} else {
			str_addf(&out, "  no   %-20s %s: ", all[i]->id, all[i]->title);
			escape_terminal(&out, span_of(c.why), true);
			str_addc(&out, '\n');
		}
		chart_clear(&c);
	}
	list_absent(&out);
	return output_text(&out);
}

static int run(const struct command_line *line)
{
	struct plot p = { 0 };
	int exit_code;

	err_clear(&p.err);
	inquiry_init(&p.inquiry, &line->all->analyses);
	if (parse(&p, line) != OK)
		exit_code = say_usage("plot", &p.err);
	else
		exit_code = p.o.is_list ? list(&p) : draw(&p);
	inquiry_clear(&p.inquiry);
	return exit_code;
}

static void words(const struct commands *all UNUSED, struct str *out)
{
	size_t n;
	const struct chart_kind *const *chart = chart_all(&n);

	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s\n", chart[i]->id);
}

COMMAND(plot) = {
	.name = "plot",
	.summary = "a chart of what the inputs hold, drawn by gnuplot",
	.operands = "CHART FILE...",
	.doc = "Draws one chart as SVG, PNG or PDF. The picture's script and data are kept beside "
	       "it and run by themselves: edit the script and run gnuplot on it.\n\n"
	       "The data are those of an analysis; the script names which. Values of long curves "
	       "are thinned so that every peak stays. --list says which charts the inputs allow. "
	       "Without gnuplot, script and data are written all the same; the exit code is 2.",
	.examples = "traceq plot --list trace.json.gz\n"
		    "traceq plot memory-curve trace.json.gz -o memory.png",
	COMMAND_HAS(group, groups),
	.words = words,
	.run = run,
};
