/* Logs of one JSON object a line: W&B, TRL, Hugging Face, hand-written.
 *
 * Lines of one writer look alike: the same keys in the same order with the same blanks.  While they
 * do, a line is read by the order learnt from an earlier one (jsonl_order_read) and nothing is
 * allocated.  A line that does not is taken apart slowly and teaches its own order. */
#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/jsondoc.h"
#include "analyze/input/artifact/logs/log_place.h"
#include "analyze/input/artifact/logs/log_row.h"
#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/logs/log_words.h"
#include "analyze/input/source/alien.h"
#include "analyze/input/text/limits.h"
#include "analyze/input/text/num.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

/* The order of keys in the lines of a log: learnt from one line, then lines that keep to it cost
 * one comparison a key. */

/* A value of a line. */
struct found {
	uint32_t column; /* the caller's number of its key */
	bool missing;    /* null */
	double value;
};

/* The text in front of a value: `, "loss": `. */
struct order_part {
	struct span text;
	bool is_number; /* else a text or true or false, which is passed over */
	uint32_t column;
};

struct jsonl_order {
	struct order_part *part;
	size_t n, cap;
	struct span tail; /* behind the last value */
	char *text;       /* the line learnt from; parts point into it */
	size_t text_cap;
	size_t nfound;
};

/* The quote that ends the string at p, or NULL; strings with escapes are none here. */
static const char *string_end(const char *p, const char *end)
{
	const char *q = memchr(p + 1, '"', (size_t)(end - p - 1));

	return q && !memchr(p, '\\', (size_t)(q - p)) ? q : NULL;
}

/* The quote that ends the key at p, or NULL; escapes in it are as they are written. */
static const char *key_end(const char *p, const char *end)
{
	for (p++; p < end && *p != '"'; p++)
		p += *p == '\\';
	return p < end ? p : NULL;
}

static const char *word_end(const char *p, const char *end)
{
	while (p < end && *p >= 'a' && *p <= 'z')
		p++;
	return p;
}

/* Which rank wrote the line, and what the line is about: lines of others are other series. */
static const char ranks[] = "rank|global_rank|world_rank|process_rank|process_index",
		  phases[] = "phase|split|mode";

struct teacher {
	struct jsonl_order *o;
	const struct found *found;
	size_t nfound, used;
	bool has_rank;              /* and its numbers are not among those found */
	const char *from, *p, *end; /* from: where the part begins */
};

static void add_part(struct teacher *t, const char *value, bool is_number)
{
	struct jsonl_order *o = t->o;

	PUSH(o->part, o->n, o->cap,
		(struct order_part){ { t->from, (size_t)(value - t->from) }, is_number,
			is_number ? t->found[t->used++].column : 0 });
}

/* At a value; false when it cannot be learnt. */
static bool learn_value(struct teacher *t, struct span key)
{
	const char *v = t->p, *q;
	enum measure m = MEASURE_NONE;
	bool missing;
	double d;

	if (*v == '{')
		return true;
	if (*v == '[')
		return false;
	if (*v == '"') {
		q = string_end(v, t->end);
		if (!q || log_value_of(span_between(v + 1, q), key, &m, &d))
			return false;
		t->p = q + 1;
		if (span_in(key, phases) || memchr(key.p, '\\', key.n))
			return true; /* its text stays inside the part */
		add_part(t, v, false);
	} else if (*v == 't' || *v == 'f') {
		add_part(t, v, false);
		t->p = word_end(v, t->end);
	} else {
		bool is_rank = t->has_rank && span_in(key, ranks);
		q = is_rank || t->used < t->nfound ? real_parse(v, t->end, &d, &missing) : NULL;
		if (!q)
			return false;
		if (is_rank) {
			t->p = q;
			return true;
		}
		add_part(t, v, true);
		t->p = q;
	}
	t->from = t->p;
	return true;
}

static bool learn_all(struct teacher *t)
{
	struct span key = { "", 0 };

	while (t->p < t->end) {
		if (*t->p == '"') {
			const char *q = key_end(t->p, t->end);

			if (!q)
				return false;
			key = (struct span){ t->p + 1, (size_t)(q - t->p - 1) };
			t->p = q + 1;
			continue;
		}
		if (*t->p++ != ':')
			continue;
		while (t->p < t->end && *t->p == ' ')
			t->p++;
		if (t->p == t->end || !learn_value(t, key))
			return false;
	}
	return t->used == t->nfound;
}

/* Learns from a line, `found` being its numbers in the order of the line.  Ranks and phases keep
 * their values, too: a line with another value is another order.
 * So do texts of escaped keys, which are kept as they are written, so that another spelling is
 * another order.  A line with lists teaches nothing. */
static void jsonl_order_learn(struct jsonl_order *o, struct span line, const struct found *found,
	size_t nfound, bool has_rank)
{
	struct teacher t = { .o = o, .found = found, .nfound = nfound, .has_rank = has_rank };

	o->text = array_grow(o->text, &o->text_cap, line.n + REAL_PADDING, 1);
	memcpy(o->text, line.p, line.n);
	memset(o->text + line.n, 0, REAL_PADDING);
	t.from = t.p = o->text;
	t.end = o->text + line.n;
	o->n = 0;
	if (!learn_all(&t))
		o->n = 0;
	o->tail = (struct span){ t.from, (size_t)(t.end - t.from) };
	o->nfound = nfound;
}

/* memcmp for the few bytes of a key, eight at a time; both sides have padding behind them. */
HOT_INLINE bool differs(const char *a, const char *b, size_t n)
{
	uint64_t x, y;

	for (; n > 8; n -= 8, a += 8, b += 8) {
		memcpy(&x, a, 8);
		memcpy(&y, b, 8);
		if (x != y)
			return true;
	}
	memcpy(&x, a, 8);
	memcpy(&y, b, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return n && (x ^ y) << (64 - 8 * n);
#else
	return n && (x ^ y) >> (64 - 8 * n);
#endif
}

/* Reads a line of that order into found[0 .. nfound); false at the first difference.  REAL_PADDING
 * bytes behind the line must be readable. */
static bool jsonl_order_read(const struct jsonl_order *o, struct span line, struct found *found)
{
	const char *p = line.p, *end = line.p + line.n;

	if (o->n == 0)
		return false;
	for (size_t i = 0; i < o->n; i++) {
		const struct order_part *part = &o->part[i];

		if ((size_t)(end - p) <= part->text.n || differs(p, part->text.p, part->text.n))
			return false;
		p += part->text.n;
		if (LIKELY(part->is_number)) {
			p = real_parse(p, end, &found->value, &found->missing);
			found++->column = part->column;
		} else if (*p == '"') {
			p = string_end(p, end);
			p = p ? p + 1 : NULL;
		} else {
			p = *p == 't' || *p == 'f' ? word_end(p, end) : NULL;
		}
		if (UNLIKELY(!p))
			return false;
	}
	return (size_t)(end - p) == o->tail.n && memcmp(p, o->tail.p, o->tail.n) == 0;
}

enum {
	KEYS_MAX = 4096, /* distinct keys of a log */
	LINES_LOOKED_AT = 100,
	STAGED = 256 /* values gathered before they go to their series */
};

/* A key of the log, numbers only. */
struct log_column {
	struct span key;      /* unescaped, joined by dots */
	enum measure measure; /* of values that are texts: the first one's */
	struct series *series;
	struct span group;
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
	size_t ncolumn, column_cap;
	size_t next_column; /* where column_of looks first */
	struct jsonl_order order;
	struct found *found; /* of the line at hand */
	size_t nfound, found_cap;
	int step_rank;
	uint32_t step_column;
	uint32_t epoch_column;
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

static uint32_t new_column(struct log *g, struct span key)
{
	struct log_column *c;

	if (g->ncolumn == KEYS_MAX) {
		g->in->record->series_left_out++;
		return NO_COLUMN;
	}
	sym known = strings_intern(&g->keys, key);
	g->column_known =
		array_grow(g->column_known, &g->known_cap, g->keys.n, sizeof(*g->column_known));
	g->column_known[known] = (uint32_t)g->ncolumn;
	g->column =
		array_grow(g->column, &g->column_cap, g->ncolumn + 1, sizeof(struct log_column *));
	c = g->column[g->ncolumn] = xcalloc(1, sizeof(*c));
	c->key = record_text(g->in->record, key);
	int rank = steps_key_rank(key);
	if (rank > g->step_rank) {
		g->step_rank = rank;
		g->step_column = (uint32_t)g->ncolumn;
	}
	if (log_word_is_epoch(key))
		g->epoch_column = (uint32_t)g->ncolumn;
	return (uint32_t)g->ncolumn++;
}

/* The key behind the one before, first: lines keep their order even where it is not learnt. */
static uint32_t column_of(struct log *g, struct span key)
{
	if (g->next_column < g->ncolumn && span_eq(g->column[g->next_column]->key, key))
		return (uint32_t)g->next_column++;
	sym known = strings_find(&g->keys, key);
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
	PUSH(g->found, g->nfound, g->found_cap, (struct found){ column, missing, value });
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
	const struct found *step = NULL;

	for (size_t i = 0; i < g->nfound; i++) {
		const struct found *f = &g->found[i];

		if (f->column == g->step_column && !f->missing)
			step = f;
		if (f->column == g->epoch_column && !f->missing)
			g->place.epoch = f->value;
	}
	if (step)
		(void)log_place_step(&g->place, step->value, 0);
	double x = g->place.has_step ? g->place.x : (double)g->rows;
	for (size_t i = 0; i < g->nfound; i++) {
		const struct found *f = &g->found[i];
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

/* Whose line it is: rank 0's are the run's. */
static void find_rank(struct log *g, struct json_value row)
{
	sym rank = 0;
	double d;

	g->has_rank = false;
	for (struct json_items it = json_members(row); json_more(&it);) {
		if (!span_in(it.key, ranks) || !jsondoc_number(it.v, &d) || !(d >= 0) ||
			d > UINT16_MAX || d != floor(d))
			continue;
		g->has_rank = steps_key_find(row, &(double){ 0 });
		if (g->has_rank && d > 0)
			rank = strings_intern(
				&g->groups, span_of(arena_printf(&g->in->mem, "rank %.0f", d)));
	}
	if (rank != g->rank) {
		g->place_of =
			array_grow(g->place_of, &g->place_cap, g->groups.n, sizeof(*g->place_of));
		while (g->nplace < g->groups.n)
			g->place_of[g->nplace++] = (struct log_place){ 0 };
		g->place_of[g->rank] = g->place;
		g->place = g->place_of[rank];
		g->rank = rank;
	}
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
	if (span_in(key, phases)) {
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
		else if (jsondoc_number(it.v, &d) && !(g->has_rank && span_in(it.key, ranks)))
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
	if (g->order.nfound <= g->found_cap && jsonl_order_read(&g->order, line, g->found)) {
		g->nfound = g->order.nfound;
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
	jsonl_order_learn(&g->order, line, g->found, g->nfound, g->has_rank);
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
	struct log g = {
		.in = in, .group = { "", 0 }, .step_column = NO_COLUMN, .epoch_column = NO_COLUMN
	};
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
	FREE_ALL(g.column_known, g.column, g.found, g.order.part, g.order.text, g.place_of);
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
