/* Logs line by line.  A progress bar rewrites its line by carriage returns; what was written last
 * counts as a line of its own. */
#include "analyze/input/artifact/logs/text_log.h"

#include <stdio.h>

#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/logs/log_bars.h"
#include "analyze/input/artifact/logs/log_breaks.h"
#include "analyze/input/artifact/logs/log_figures.h"
#include "analyze/input/artifact/logs/log_items.h"
#include "analyze/input/artifact/logs/log_left.h"
#include "analyze/input/artifact/logs/log_pairs.h"
#include "analyze/input/artifact/logs/log_prefix.h"
#include "analyze/input/artifact/logs/log_restarts.h"
#include "analyze/input/artifact/logs/log_shapes.h"
#include "analyze/input/artifact/logs/log_source.h"
#include "analyze/input/artifact/logs/log_table.h"
#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/artifact/logs/log_wrapped.h"
#include "analyze/input/artifact/tables/nsys_tables.h"
#include "analyze/input/artifact/tables/op_table.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/figure.h"

enum { PROCESSES = 32 };

struct text_log {
	struct reading *in;
	struct lines lines;
	struct op_table table;
	struct nsys_tables *nsys; /* NULL: there was none yet */
	struct log_figures figures;
	struct log_breaks breaks;
	const struct log_form *form; /* of the newest line that had one */
	struct label_heading heading;
	struct span_pairs letters; /* of the line at hand */
	bool is_below;             /* it is indented */
	enum measure unit;         /* of indented lines below "time across ranks (ms):", */
	size_t unit_indent;        /* which is indented by so much itself */
	struct log_shapes shapes;
	struct log_prefix prefix;     /* of the line at hand */
	struct log_prefix first_part; /* of what stands in the line before its first return */
	bool is_source;               /* the lines at hand are */
	bool is_part;                 /* the line at hand stands behind one */
	bool is_behind;               /* behind a bar */
	char first[LOG_WHO], process[PROCESSES][LOG_WHO]; /* of each name the first */
	const char *dict; /* of the line at hand: where its dict begins; NULL: it has none */
	bool is_fixed;    /* of the line at hand: another such line means the same */
	struct str raw, plain, scratch;
	struct str bar;       /* the newest bar, until one of another position comes, */
	struct bar_read kept; /* taken apart; n < 0: there is none */
	struct log_bars bars;
	struct log_table rows;
	struct log_entries entries;
	size_t bar_rank;           /* who wrote it */
	int64_t bar_at;            /* how many figures there were when it came */
	struct log_left odd, bare; /* lines without a figure, and such with numbers that are none */
	int64_t flags, count;
	bool is_known; /* options of the run are among them */
};

/* --- what a line holds --- */

/* The word is in the line at hand, or in that part of it. */
static bool has(const struct text_log *g, struct span part, struct span word)
{
	return span_may_have(&g->letters, word) && span_has(part, word.p);
}

/* --- figures --- */

static bool take_form(struct text_log *g, struct span text)
{
	const struct log_form *f = log_form_find(text, g->form);
	struct log_pairs pairs;

	if (!f)
		return false;
	g->form = f;
	log_pairs_find(&pairs, text);
	if (!f->is_event)
		return log_figures_pairs(&g->figures, &pairs, f);
	if (pairs.n)
		log_figures_step(&g->figures, pairs.v[pairs.n - 1].value, 0);
	log_figures_add(&g->figures, span_of(f->as[0].name),
		&(struct log_pair){ .value = 1, .measure = MEASURE_COUNT });
	return true;
}

/* A line in front of others that are in its unit: "(min, max) time across ranks (ms):". */
static void take_unit(struct text_log *g, struct span line, struct span text)
{
	struct span t = span_trim_end(span_trim(text), ":"), name, unit;
	const char *open = memrchr(t.p, '(', t.n);
	size_t n = log_indent(line, text);
	g->is_below = n > (g->unit != MEASURE_NONE ? g->unit_indent : 0) + 1;
	if (!g->is_below && t.p + t.n < text.p + text.n) /* another heading */
		g->unit = MEASURE_NONE;
	if (!open || t.p + t.n == text.p + text.n ||
		!span_bracketed(span_between(open, t.p + t.n), '(', &name, &unit) ||
		measure_of_unit(unit) == MEASURE_NONE)
		return;
	g->unit = measure_of_unit(unit);
	g->unit_indent = n;
	g->is_fixed = false;
}

/* The text with what it is indented by behind its prefix. */
static struct span with_blanks(const struct text_log *g, struct span line, struct span text)
{
	const char *from = g->is_below ? text.p - (g->prefix.n > 0) : text.p;

	return g->prefix.n ? span_between(from, text.p + text.n) : line;
}

static enum measure unit_of(const struct text_log *g, const struct log_pair *p)
{
	return p->measure == MEASURE_NONE && g->is_below && !log_word_is_count(p->key) ? g->unit
										       : p->measure;
}

/* "rank 0: 100.5" below a heading that names it. */
static bool take_of_rank(struct text_log *g, struct span text)
{
	struct log_pair pair = { .key = span_of(g->heading.text), .is_fixed = true };
	const char *end = text.p + text.n, *p = log_blanks(text.p, end);
	struct log_value v;

	if (g->heading.n == 0 || g->prefix.rank < 0 || !log_begins_number(p, end) ||
		log_value(&v, p, end, pair.key) != end)
		return false;
	log_pair_fill(&pair, &v, g->unit);
	g->is_fixed = false;
	log_figures_add(&g->figures, pair.key, &pair);
	return true;
}

static bool take_label(struct text_log *g, struct span line, struct span text)
{
	struct log_pairs one;
	struct log_pair *p = &one.v[0];

	*p = (struct log_pair){ .is_alone = true };
	if (!label_figure(text, &p->key, &p->value, &p->measure) || log_word_is_placed(p->key))
		return false;
	one.n = 1;
	one.nsigned = one.nbare = one.nremarks = 0;
	one.has_rest = false;
	if (p->measure == MEASURE_BYTE && figure_kind(p->key, UNIT_NONE)->better != BETTER_LOWER)
		return false; /* "Model parameters: 7.24B" */
	const char *end = text.p + text.n;
	p->at = log_blanks((const char *)memchr(text.p, ':', text.n) + 1, end);
	p->mark = log_value_mark(
		span_trim_end((struct span){ p->at, strspn(p->at, "+-.,0123456789") }, ".,"));
	p->is_fixed = memchr(p->at, ',', (size_t)(end - p->at)) != NULL; /* "2,51" and "2,515" */
	if (log_word_is_count(p->key) && p->measure == MEASURE_NONE)
		return log_figures_pairs(&g->figures, &one, NULL);
	p->measure = unit_of(g, p);
	struct span name = log_word_name(span_trim_end(p->key, " ."));
	log_figures_add(&g->figures, label_below(&g->heading, with_blanks(g, line, text), name), p);
	return true;
}

/* The line is a heading of a table, or a row of it. */
static bool take_row(struct text_log *g, struct span text)
{
	struct log_pairs pairs;
	struct span label;

	if (log_table_heading(&g->rows, text, false)) {
		g->is_fixed = false;
		return true;
	}
	if (!log_table_row(&g->rows, text, &pairs, &label))
		return false;
	if (label.n)
		log_figures_below(&g->figures, label);
	return log_figures_pairs(&g->figures, &pairs, NULL);
}

/* All of a table of entries are at the step that one of them says. */
static void take_entries(struct text_log *g)
{
	if (g->entries.pairs.n)
		(void)log_figures_pairs(&g->figures, &g->entries.pairs, NULL);
	g->entries.n = g->entries.pairs.n = 0;
}

static bool take_pairs(struct text_log *g, struct span text)
{
	struct log_pairs pairs;

	log_pairs_find(&pairs, text);
	bool are_rates = log_pairs_are_rates(&pairs) ||
		(pairs.n == 1 && !pairs.has_rest && pairs.v[0].measure == MEASURE_PER_S);
	for (size_t i = 0; i < pairs.n; i++) {
		pairs.v[i].measure = unit_of(g, &pairs.v[i]);
		pairs.v[i].is_alone = are_rates;
	}
	return log_pairs_are_figures(&pairs) && log_figures_pairs(&g->figures, &pairs, NULL);
}

/* "Latency:" above lines that are indented; "Step 10:" is where they are. */
static bool take_heading(struct text_log *g, struct span line)
{
	struct log_pairs pairs;

	if (!label_is_heading(&g->heading, line))
		return false;
	g->is_fixed = false;
	log_pairs_find(&pairs, line);
	if (pairs.n == 1 && !pairs.has_rest && log_pairs_have_count(&pairs)) {
		g->heading.n = 0;
		(void)log_figures_pairs(&g->figures, &pairs, NULL);
	}
	return true;
}

/* --- bars --- */

/* Figures of a bar are at its own position; the steps of other lines go on behind. */
static void take_bar(struct text_log *g)
{
	struct log_bar bar = g->kept.bar;
	struct log_pairs *pairs = &g->kept.pairs, *more = &g->kept.more;

	if (bar.n < 0)
		return;
	g->kept.bar.n = -1;
	g->shapes.pinned = NULL;
	log_figures_line(&g->figures, NULL);
	bool is_said = more->n > log_pairs_have_count(more); /* figures stand in front of it */
	if (bar.title.n && !pairs->n && !is_said && !log_word_is_quantity(bar.title) &&
		!log_bar_is_judging(bar.title))
		return;
	bar.title = is_said ? SPAN("") : bar.title;
	size_t at = g->figures.at;
	g->figures.at = g->bar_rank;
	struct bar_kind *k = log_bars_kind(&g->bars, &bar, g->bar_rank);
	if (!k->is_main)
		log_figures_below(&g->figures, span_of(k->group));
	struct log_rank *r = &g->figures.rank[g->figures.at], before = *r;
	r->place = k->place;
	bool is_again = log_bars_is_again(k, &bar); /* behind a validation's, say */
	for (EACH(const struct log_pair, pair, more->v, more->n))
		if (log_word_is_epoch(pair->key))
			r->place.epoch = pair->value;
	log_figures_step(&g->figures, bar.n, bar.total);
	k->place = r->place;
	if (is_said)
		(void)log_figures_pairs(&g->figures, more, NULL);
	if (bar.per_s > 0 && !is_again)
		log_figures_add(&g->figures, span_of(bar.rate),
			&(struct log_pair){ .value = bar.per_s, .measure = MEASURE_PER_S });
	log_figures_unwritten(&g->figures, pairs, is_again ? 0 : g->bar_at);
	bool is_named = log_figures_name_step(&g->figures, pairs);
	r->place = is_named ? k->named : r->place;
	(void)log_figures_pairs(&g->figures, pairs, NULL);
	k->named = is_named ? r->place : k->named;
	*r = before;
	g->figures.at = at;
}

/* Room for the bar, in front of which one of another position is taken. */
static void begin_bar(struct text_log *g, const struct log_bar *bar)
{
	const struct log_bar *old = &g->kept.bar;

	if (!(old->n == bar->n && span_eq(old->title, bar->title) && g->bar_rank == g->figures.at))
		take_bar(g);
	if (old->n < 0)
		g->bar_at = g->figures.n;
	g->bar_rank = g->figures.at;
	g->shapes.pinned = NULL;
}

static bool take_text(struct text_log *g, struct span line);

/* A line that was printed behind a bar, of whom the bar is. */
static void take_behind(struct text_log *g, struct span text)
{
	if (!g->is_part || g->prefix.nat + g->prefix.ntag > 0)
		g->first_part = g->prefix;
	g->is_behind = g->is_part = true;
	(void)take_text(g, text);
	g->is_behind = g->is_fixed = false;
}

static bool keep_bar(struct text_log *g, struct span line, size_t prefix)
{
	struct log_table heading;
	struct log_bar bar;
	struct span label;

	if (!log_bar_find(&bar, span_from(line, prefix)))
		return false;
	g->is_fixed = false;
	if (log_table_heading(&heading, bar.title, true)) {
		take_bar(g);
		g->rows = heading;
		return true;
	}
	begin_bar(g, &bar);
	str_reset(&g->bar);
	str_add(&g->bar, line.p, line.n);
	str_add(&g->bar, "\0\0\0\0\0\0\0\0", REAL_PADDING);
	struct bar_read *kept = &g->kept;
	struct span copy = { g->bar.s, line.n };
	(void)log_bar_find(&kept->bar, span_from(copy, prefix));
	log_pairs_find(&kept->pairs, kept->bar.postfix);
	if (!log_table_row(&g->rows, kept->bar.title, &kept->more, &label))
		log_pairs_find(&kept->more, kept->bar.title);
	if (bar.behind.n && !g->is_behind)
		take_behind(g, bar.behind);
	else if (g->rows.n == 0 && kept->more.n <= log_pairs_have_count(&kept->more))
		log_shapes_learn(&g->shapes, copy, &g->figures, &g->prefix, line.n, kept);
	g->figures.nnoted = 0;
	return true;
}

/* A bar by its shape. */
static void keep_shape(
	struct text_log *g, const struct log_shape *s, const double *value, struct span line)
{
	struct log_bar bar = { .n = value[0], .title = s->bar->bar.title };

	g->figures.line_nbare = 0;
	g->figures.at = s->rank;
	begin_bar(g, &bar);
	log_shape_bar(s, value, &g->kept);
	g->shapes.pinned = s;
	if (g->figures.line_nbare)
		log_left_keep(&g->bare, &g->lines, line);
}

/* --- lines --- */

static bool take_dict(struct text_log *g, struct span text)
{
	return log_dict_take(&g->figures, text, &g->scratch, &g->dict);
}

static bool take_options(struct text_log *g, struct span text)
{
	bool any = has(g, text, SPAN("--")) && log_flags_take(g->in, text, &g->flags);

	g->is_known = g->is_known || (any && log_flags_is_known(text));
	g->is_fixed = g->is_fixed && !any;
	return any;
}

/* "Worker pid=12" in front of a line that names no rank: of several Workers all but the first are
 * writers of their own. */
static void find_process(struct text_log *g, struct span line)
{
	struct span tag = { line.p + g->prefix.tag, MIN(g->prefix.ntag, LOG_WHO - 1) };
	struct span name = { tag.p, FIRST(i, tag.n, span_starts(span_from(tag, i), "pid=")) + 4 };

	if (g->prefix.ntag == 0 || g->prefix.who[0])
		return;
	char *first = FIND_VALUE(i, PROCESSES,
		g->process[i][0] == '\0' || memcmp(g->process[i], name.p, MIN(name.n, tag.n)) == 0,
		g->process[i], NULL);
	bool is_new = first && first[0] == '\0';

	if (!first || is_new || !span_is(tag, first))
		(void)snprintf(is_new ? first : g->prefix.who, LOG_WHO, "%.*s", (int)tag.n, tag.p);
}

/* Services that compose names: the first of them is the run's own. */
static void take_writer(struct text_log *g)
{
	const char *who = g->prefix.who;
	size_t n = g->prefix.nname;

	if (n && g->first[0] == '\0')
		memcpy(g->first, who, n);
	if (n && strncmp(who, g->first, n) == 0 && g->first[n] == '\0')
		who += n + (who[n] == ' ');
	log_figures_group(&g->figures, span_of(who), who[0] != '\0');
}

/* False: there is nothing in the line that is known. */
static bool take_text(struct text_log *g, struct span line)
{
	log_prefix_find(&g->prefix, line);
	struct span text = (struct span){ line.p + g->prefix.n, line.n - g->prefix.n };
	g->dict = NULL;
	g->figures.line_nbare = 0;
	find_process(g, line);
	g->is_fixed = g->prefix.n > 0 || g->heading.n == 0;
	if (!g->is_part)
		g->first_part = g->prefix;
	/* "[rank1]:" of all of it */
	if (g->is_part && g->prefix.nat == 0 && g->first_part.nat + g->first_part.ntag) {
		memcpy(g->prefix.who, g->first_part.who, sizeof(g->prefix.who));
		g->prefix.nname = g->first_part.nname;
		g->is_fixed = false;
	}
	if (has(g, line, SPAN("NCCL INFO ")) || has(g, line, SPAN("NCCL TRACE ")) ||
		has(g, line, SPAN(" HTTP/1.")) || has(g, line, SPAN(" HTTP/2")))
		return false;
	g->is_source = g->is_source && g->prefix.n == 0;
	if (log_breaks_frame(&g->breaks, log_indent(line, text), text) ||
		(g->prefix.n == 0 && log_source_line(&g->is_source, line))) {
		g->is_fixed = false;
		return false;
	}
	if (log_word_is_rule(text)) {
		log_figures_line(&g->figures, NULL);
		take_entries(g);
		g->is_fixed = false;
		return true;
	}
	take_writer(g);
	struct span judge = log_word_judge(span_between(line.p, text.p), text);
	if (judge.n)
		log_figures_below(&g->figures, judge);
	log_figures_line(&g->figures, line.p);
	take_unit(g, line, text);
	if (log_table_entry(&g->entries, text)) {
		g->is_fixed = false;
		return true;
	}
	return take_dict(g, text) || keep_bar(g, line, g->prefix.n) || take_form(g, text) ||
		take_row(g, text) || take_label(g, line, text) ||
		take_heading(g, with_blanks(g, line, text)) || take_options(g, text) ||
		take_pairs(g, text) || take_of_rank(g, text);
}

/* The line read by the shape of an earlier one; false: by none. */
static bool take_shape(struct text_log *g, struct span line)
{
	double value[LOG_PAIRS];

	g->shapes.sign = 0;
	if (g->table.state != TABLE_OUTSIDE || g->heading.n || g->is_source ||
		(g->nsys && nsys_tables_inside(g->nsys)))
		return false;
	if (g->is_part ? g->first_part.nat + g->first_part.ntag > 0 : g->lines.goes_on)
		return false; /* who wrote the first part wrote all */
	const struct log_shape *s = log_shapes_find(&g->shapes, line, value);
	if (!s)
		return false;
	bool is_other = s->is_by_epoch != g->figures.rank[s->rank].place.is_by_epoch;
	if (s->bar ? g->rows.n > 0 : s->nfigure && is_other)
		return false;
	op_table_title(&g->table, line);
	if (s->nfigure && !s->bar && !(line.n > 1 && line.p[0] == ' ' && line.p[1] == ' '))
		g->unit = MEASURE_NONE;
	if (s->bar) {
		keep_shape(g, s, value, line);
		return true;
	}
	if (s->nfigure)
		log_figures_again(&g->figures, s->rank, s->figure, value, s->nfigure);
	else
		g->odd.n++;
	g->bare.n += s->nbare > 0;
	g->figures.nbare += (int64_t)s->nbare;
	return true;
}

/* Of whoever wrote last that names one. */
static double newest_step(const struct text_log *g)
{
	const struct log_rank *r = &g->figures.rank[g->figures.at];

	return r->place.has_step ? r->place.step : NAN;
}

static void take_line(struct text_log *g, struct span line)
{
	g->count++;
	if (line.n == 0 && g->table.state == TABLE_OUTSIDE && g->entries.n == 0) {
		op_table_title(&g->table, line);
		if (!g->is_part) /* what a return begins is of nobody */
			g->first_part = (struct log_prefix){ .rank = -1 };
		return;
	}
	if (take_shape(g, line))
		return;
	struct span plain = log_plain(line, &g->plain);
	if ((plain.p != line.p && take_shape(g, plain)) || op_table_line(&g->table, plain))
		return;
	if (!g->nsys && nsys_is_printed(plain))
		g->nsys = nsys_tables_open(g->in);
	if (g->nsys && nsys_tables_line(g->nsys, plain))
		return;
	line = plain;
	g->letters = span_pairs_of(line);
	if (log_breaks_line(&g->breaks, line, &g->letters, g->lines.number, g->figures.nstep,
		    newest_step(g))) {
		log_left_keep(&g->odd, &g->lines, line);
		return;
	}
	bool any = take_text(g, line);
	if (any && !g->is_below && !span_has(line, "%|") && !span_ends(span_trim(line), ":"))
		g->unit = MEASURE_NONE;
	if (g->figures.line_nbare)
		log_left_keep(&g->bare, &g->lines, line);
	if (!any)
		log_left_keep(&g->odd, &g->lines, line);
	if (g->is_fixed && g->figures.is_noted && any == (g->figures.nnoted > 0))
		log_shapes_learn(&g->shapes, line, &g->figures, &g->prefix,
			g->dict ? (size_t)(g->dict - line.p) : line.n, NULL);
}

/* What Docker keeps as one line may have returns in it. */
static void take_parts(struct text_log *g, struct span line)
{
	do {
		struct span part = span_before(line, '\r');

		take_line(g, part);
		g->is_part = part.n < line.n;
		line = span_from(line, part.n + 1);
	} while (line.n);
}

static void take_lines(struct text_log *g)
{
	struct span line, part;

	for (g->is_part = false; lines_next(&g->lines, &line); g->is_part = g->lines.goes_on) {
		part = line.n && line.p[0] == '{' ? log_unwrapped(line, &g->raw) : line;
		if (part.p == line.p)
			take_line(g, line);
		else
			take_parts(g, part);
	}
	take_bar(g);
	take_entries(g);
	if (g->nsys)
		g->table.tables += nsys_tables_close(g->nsys) > 0;
}

static void say(struct text_log *g)
{
	log_figures_say(&g->figures);
	log_breaks_say(&g->breaks, g->in, g->figures.nstep);
	if (g->table.state == TABLE_ROWS) {
		reading_artifact(g->in)->is_complete = false;
		reading_note(g->in, NOTE_WARNING, "torn_table", 1, g->lines.offset,
			"the table of operations has no end: the text is cut off");
	}
	log_left_say_lines(&g->odd, g->in, g->count);
	log_left_say_bare(&g->bare, g->in, g->figures.nbare);
}

static void close_log(struct text_log *g)
{
	op_table_close(&g->table);
	log_figures_close(&g->figures);
	log_shapes_close(&g->shapes);
	str_free(&g->raw);
	str_free(&g->plain);
	str_free(&g->scratch);
	str_free(&g->bar);
}

static enum status read_log(struct text_log *g, struct err *e)
{
	op_table_open(&g->table, g->in);
	log_figures_open(&g->figures, g->in);
	log_shapes_open(&g->shapes);
	g->kept.bar.n = -1;
	lines_open(&g->lines, g->in);
	g->lines.by_return = true;
	take_lines(g);
	enum status st = lines_end(&g->lines, e);
	log_figures_settle(&g->figures);
	log_restarts_join(&g->figures);
	say(g);
	/* Of a table by itself its operations count, of a log its lines. */
	struct record_artifact *a = reading_artifact(g->in);
	a->rows = strcmp(a->kind, "op_table") == 0 ? g->table.rows : g->count;
	if (st == OK && !g->form && g->table.tables + g->is_known == 0 &&
		!log_figures_are_run(&g->figures))
		st = err_set(e, E_NODATA, 0,
			g->figures.n
				? "no log of a run: none of its figures is a loss, a time of a "
				  "step or the like, and none has three values at steps"
				: "no table of operations, no metrics and no options in this text");
	close_log(g);
	return st;
}

enum status text_log_read(struct reading *in, struct err *e)
{
	struct text_log *g = xcalloc(1, sizeof(*g));

	g->in = in;
	enum status st = read_log(g, e);
	free(g);
	return st;
}
