/* Logs of one JSON object a line: W&B, TRL, Hugging Face, hand-written.
 *
 * Lines of one writer look alike: the same keys in the same order with the same blanks.  While they
 * do, a line is read by the order learnt from an earlier one (jsonl_order_read) and nothing is
 * allocated.  A line that does not is taken apart slowly and teaches its own order. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/logs/jsonl_order.h"
#include "analyze/input/artifact/logs/log_place.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/source/alien.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

enum {
	KEYS_MAX = 4096, /* distinct keys of a log */
	LINES_LOOKED_AT = 100,
	STAGED = 256, /* values gathered before they go to their series */
	ORDERS = 64   /* of lines that take turns: as many ranks, and phases */
};

/* A key of the log, numbers only. */
struct log_column {
	struct span key;      /* unescaped, joined by dots */
	enum measure measure; /* of values that are texts: the first one's */
	struct series *series;
	struct span group;
	sym rank;      /* whose it is, as log.rank */
	int step_rank; /* above 0: it may say the step */
	bool is_epoch;
	struct point staged[STAGED];
	size_t nstaged;
};

struct log {
	struct reading *in;
	struct lines lines;
	struct log_column **column;
	struct strings keys;    /* of the columns */
	uint32_t *column_known; /* by sym of keys: its column, or NO_COLUMN */
	size_t known_cap;
	struct strings groups;
	struct str name;
	size_t ncolumn, column_cap;
	size_t next_column; /* where column_of looks first */
	struct {
		struct jsonl_order keys;
		struct span group; /* of its lines */
		sym rank;
	} order[ORDERS];
	size_t norder, last_order; /* the one that fitted last, or was learnt */
	struct jsonl_found *found; /* of the line at hand */
	size_t nfound, found_cap;
	int step_rank; /* the best of all columns */
	struct log_place place;
	struct log_place *place_of; /* by group of a rank: where it was */
	size_t place_cap, nplace;
	sym rank;      /* of the line at hand: its group; 0: none, or 0 */
	bool has_rank; /* it says one, and a step: without it "rank" is anything */
	int64_t rows;
	struct passed alien, torn; /* torn: the last line */
	struct span group;         /* of the line at hand */
	struct sheet *samples;
};

#define NO_COLUMN UINT32_MAX

/* A key of a rank's lines; valid until the next call. */
static struct span name_of(struct log *g, struct span key)
{
	if (!g->rank)
		return key;
	str_reset(&g->name);
	str_add(&g->name, (const char *)&g->rank, sizeof(g->rank));
	str_add(&g->name, key.p, key.n);
	return (struct span){ g->name.s, g->name.n };
}

static uint32_t new_column(struct log *g, struct span key)
{
	struct log_column *c;

	if (g->ncolumn == KEYS_MAX) {
		g->in->record->series_left_out++;
		return NO_COLUMN;
	}
	sym known = strings_intern(&g->keys, name_of(g, key));
	g->column_known =
		array_grow(g->column_known, &g->known_cap, g->keys.n, sizeof(*g->column_known));
	g->column_known[known] = (uint32_t)g->ncolumn;
	g->column =
		array_grow(g->column, &g->column_cap, g->ncolumn + 1, sizeof(struct log_column *));
	c = g->column[g->ncolumn] = xcalloc(1, sizeof(*c));
	c->key = record_text(g->in->record, key);
	c->rank = g->rank;
	c->step_rank = steps_key_rank(key);
	c->is_epoch = log_word_is_epoch(key);
	g->step_rank = MAX(c->step_rank, g->step_rank);
	return (uint32_t)g->ncolumn++;
}

/* The key behind the one before, first: lines keep their order even where it is not learnt. */
static uint32_t column_of(struct log *g, struct span key)
{
	if (g->next_column < g->ncolumn && g->column[g->next_column]->rank == g->rank &&
		span_eq(g->column[g->next_column]->key, key))
		return (uint32_t)g->next_column++;
	sym known = strings_find(&g->keys, name_of(g, key));
	if (known == UINT32_MAX || g->column_known[known] == NO_COLUMN)
		return new_column(g, key);
	g->next_column = g->column_known[known] + 1;
	return g->column_known[known];
}

/* --- values of a line --- */

static void add_found(struct log *g, uint32_t column, double value, bool missing)
{
	if (column == NO_COLUMN)
		return;
	PUSH(g->found, g->nfound, g->found_cap, (struct jsonl_found){ column, missing, value });
}

static void unstage(struct log_column *c)
{
	if (c->nstaged && c->series)
		series_add_many(c->series, c->staged, c->nstaged);
	c->nstaged = 0;
}

static void choose_series(struct log *g, struct log_column *c)
{
	unstage(c);
	c->series = record_series(g->in->record, g->in->artifact, c->key, g->group);
	c->group = g->group;
	if (c->series && g->place.has_step)
		c->series->axis = AXIS_STEP;
	if (c->series && c->measure != MEASURE_NONE)
		c->series->measure = c->measure;
}

/* Everything found in the line goes to its series, at the line's step. */
static void end_line(struct log *g)
{
	const struct jsonl_found *step = NULL;

	for (size_t i = 0; i < g->nfound; i++) {
		const struct jsonl_found *f = &g->found[i];

		const struct log_column *c = g->column[f->column];

		if (c->step_rank > 0 && c->step_rank == g->step_rank && !f->missing)
			step = f;
		if (c->is_epoch && !f->missing)
			g->place.epoch = f->value;
	}
	if (step)
		(void)log_place_step(&g->place, step->value, 0);
	double x = g->place.has_step ? g->place.x : (double)g->rows;
	for (size_t i = 0; i < g->nfound; i++) {
		const struct jsonl_found *f = &g->found[i];
		struct log_column *c = g->column[f->column];

		if (UNLIKELY(!c->series || c->group.p != g->group.p))
			choose_series(g, c);
		if (UNLIKELY(f->missing)) {
			if (c->series)
				series_add_missing(c->series);
			continue;
		}
		if (c->nstaged == STAGED)
			unstage(c);
		c->staged[c->nstaged++] = (struct point){ x, f->value };
	}
	g->rows++;
}

/* --- the slow way --- */

/* The group of that name, at one address for each, so that comparing addresses is enough. */
static struct span group_of(struct log *g, struct span text)
{
	return strings_get(&g->groups, strings_intern(&g->groups, text));
}

static void take_object(struct log *g, struct span prefix, struct json_value object, int depth);

/* Lines of that rank follow, from where it was. */
static void be_of_rank(struct log *g, sym rank)
{
	if (rank == g->rank)
		return;
	g->place_of = array_grow(g->place_of, &g->place_cap, g->groups.n, sizeof(*g->place_of));
	while (g->nplace < g->groups.n)
		g->place_of[g->nplace++] = (struct log_place){ 0 };
	g->place_of[g->rank] = g->place;
	g->place = g->place_of[rank];
	g->rank = rank;
}

/* The line by the order of an earlier one: that behind the last, as where ranks take turns, or any.
 */
static bool take_known(struct log *g, struct span line)
{
	for (size_t i = 0; i < g->norder; i++) {
		size_t at = i == 0 ? g->last_order : (g->last_order + i) % g->norder;
		const struct jsonl_order *o = &g->order[at].keys;

		if (o->nfound > g->found_cap || !jsonl_order_read(o, line, g->found))
			continue;
		be_of_rank(g, g->order[at].rank);
		g->group = g->order[at].group;
		g->nfound = o->nfound;
		g->last_order = at;
		return true;
	}
	return false;
}

static void learn(struct log *g, struct span line)
{
	size_t at = g->norder < ORDERS ? g->norder++ : (g->last_order + 1) % ORDERS;

	g->order[at].rank = g->rank;
	g->order[at].group = g->group;
	g->last_order = at;
	jsonl_order_learn(&g->order[at].keys, line, g->found, g->nfound, g->has_rank);
}

/* Whose line it is: rank 0's are the run's. */
static void find_rank(struct log *g, struct json_value row)
{
	sym rank = 0;
	double d;

	g->has_rank = false;
	for (struct json_items it = json_members(row); json_more(&it);) {
		if (!span_in(it.key, JSONL_RANKS) || !jsondoc_number(it.v, &d) || !(d >= 0) ||
			d > UINT16_MAX || d != floor(d))
			continue;
		g->has_rank = steps_key_find(row, &(double){ 0 });
		if (g->has_rank && d > 0)
			rank = strings_intern(
				&g->groups, span_of(arena_printf(&g->in->mem, "rank %.0f", d)));
	}
	be_of_rank(g, rank);
	g->group = rank ? strings_get(&g->groups, rank) : (struct span){ "", 0 };
}

/* "{'kl': 0.01}": a dict as Python prints it; false for other texts. */
static bool take_dict(struct log *g, struct span key, struct span text, int depth)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	struct span rest;

	if (!span_starts(text, "{'") || depth >= LIMIT_JSON_DEPTH)
		return false;
	char *copy = arena_copy(&g->in->mem, text.p, text.n);
	for (size_t i = 0; i < text.n; i++)
		if (copy[i] == '\'')
			copy[i] = '"';
	struct json_value v = json_value((struct span){ copy, text.n }, &rest);
	if (v.type == JSON_OBJECT)
		take_object(g, key, v, depth + 1);
	arena_reset(&g->in->mem, mark);
	return v.type == JSON_OBJECT;
}

static bool take_figure(struct log *g, struct span key, struct span text)
{
	enum measure m = MEASURE_NONE;
	double v;
	uint32_t at = log_value_of(text, key, &m, &v) ? column_of(g, key) : NO_COLUMN;

	if (at == NO_COLUMN || !log_value_of(text, key, &g->column[at]->measure, &v))
		return false;
	add_found(g, at, v, false);
	return true;
}

static void add_text(struct log *g, struct span key, struct json_value v, int depth)
{
	if (take_dict(g, key, v.text, depth) || take_figure(g, key, v.text))
		return;
	if (span_in(key, JSONL_PHASES)) {
		struct span phase = v.escaped ? json_unescape(v.text, &g->in->mem, NULL) : v.text;

		if (g->rank)
			phase = span_of(arena_printf(&g->in->mem, "%.*s %.*s", (int)g->group.n,
				g->group.p, (int)phase.n, phase.p));
		g->group = group_of(g, phase);
	} else if (g->rows == 0)
		jsondoc_flatten(g->in, &g->in->record->scalars, key, v);
}

static void add_samples(struct log *g, struct span key, struct json_value list)
{
	if (!g->samples)
		g->samples = record_sheet(g->in->record, g->in->artifact, SHEET_SAMPLES);
	jsondoc_samples(g->samples, record_text(g->in->record, key), list,
		g->place.has_step ? g->place.x : (double)g->rows);
}

static void take_object(struct log *g, struct span prefix, struct json_value object, int depth)
{
	struct arena_mark mark = arena_mark(&g->in->mem);
	double d;

	for (struct json_items it = json_items(object); json_more(&it);
		arena_reset(&g->in->mem, mark)) {
		it.key = jsondoc_key(g->in, prefix, it.key);
		if (it.v.type == JSON_OBJECT && depth < LIMIT_JSON_DEPTH)
			take_object(g, it.key, it.v, depth + 1);
		else if (it.v.type == JSON_ARRAY)
			add_samples(g, it.key, it.v);
		else if (jsondoc_number(it.v, &d) && !(g->has_rank && span_in(it.key, JSONL_RANKS)))
			add_found(g, column_of(g, it.key), d, false);
		else if (it.v.type == JSON_WORD && span_is(it.v.text, "null"))
			add_found(g, column_of(g, it.key), 0, true);
		else if (it.v.type == JSON_STRING)
			add_text(g, it.key, it.v, depth);
	}
}

static struct span trimmed(struct span t)
{
	t = json_blanks_off(t);
	while (t.n && (unsigned char)t.p[t.n - 1] <= 0x20)
		t.n--;
	return t;
}

static void alien_line(struct log *g, struct span line)
{
	bool is_torn = g->lines.is_torn && line.p[0] == '{';

	passed_add(is_torn ? &g->torn : &g->alien, g->lines.offset);
}

static void take_line(struct log *g, struct span line)
{
	struct span rest;

	line = trimmed(line);
	if (line.n == 0)
		return;
	g->nfound = 0;
	if (take_known(g, line)) {
		end_line(g);
		return;
	}
	struct json_value v = json_value(line, &rest);
	double d;
	if (v.type != JSON_OBJECT) {
		alien_line(g, line);
		return;
	}
	struct arena_mark mark = arena_mark(&g->in->mem);
	find_rank(g, v);
	arena_reset(&g->in->mem, mark);
	if (jsondoc_number(json_get(v, "epoch"), &d))
		g->place.epoch = d;
	if (steps_key_find(v, &d))
		(void)log_place_step(&g->place, d, 0);
	take_object(g, (struct span){ "", 0 }, v, 0);
	learn(g, line);
	end_line(g);
}

static void say(struct log *g)
{
	reading_passed(g->in, NOTE_WARNING, "alien_lines", &g->alien,
		"line{|s} that {is|are} no JSON object, passed over");
	if (g->torn.n)
		reading_torn(g->in, g->torn.at);
}

static enum status read_log(struct reading *in, struct err *e)
{
	struct log g = { .in = in, .group = { "", 0 } };
	struct span line;

	strings_init(&g.keys, 0x6b657973u);
	strings_init(&g.groups, 0x67726f757073u);
	g.column_known = array_grow(NULL, &g.known_cap, g.keys.n, sizeof(*g.column_known));
	g.column_known[0] = NO_COLUMN; /* the empty key */
	lines_open(&g.lines, in);
	while (lines_next(&g.lines, &line))
		take_line(&g, line);
	enum status st = lines_end(&g.lines, e);
	for (size_t i = 0; i < g.ncolumn; i++) {
		unstage(g.column[i]);
		free(g.column[i]);
	}
	strings_clear(&g.keys);
	strings_clear(&g.groups);
	for (size_t i = 0; i < g.norder; i++)
		jsonl_order_clear(&g.order[i].keys);
	str_free(&g.name);
	FREE_ALL(g.column_known, g.column, g.found, g.place_of);
	reading_artifact(in)->rows = g.rows;
	say(&g);
	return st;
}

/* One of the first objects is a row of metrics: a log may begin with how it was set up. */
static bool has_row(const struct head *h)
{
	struct span text = h->text, line, rest;

	bool has = false;

	for (int n = 0; !has && n < LINES_LOOKED_AT && span_line(&text, &line); n++)
		has = log_row_has_number(json_value(line, &rest));
	return has;
}

static enum match probe(const struct head *h)
{
	struct span behind;
	bool is_before;
	/* The second is a log of one line so far. */
	bool is_log = h->form == HEAD_LINES && h->nkey > 0 ? has_row(h)
							   : h->is_whole &&
			head_is_row(h, &behind) && behind.n == 0 && log_row_stands_alone(h->first);

	return is_log && !alien_text(h->text, &is_before) ? MATCH_WEAK : MATCH_NO;
}

const struct artifact artifact_jsonl_log = {
	.name = "jsonl_log",
	.title = "training log, one JSON object a line",
	.summary = "JSONL metrics logs: W&B history, TRL, Hugging Face, train.jsonl, metrics.jsonl",
	.probe = probe,
	.read = read_log,
	.none = "no line is a JSON object",
};
