/* Stacks: folded ("frame;frame;frame value", one line a row, for flamegraph.pl and its like; only
 * for tables with a text column "stack", the value being the first integer column, in its base
 * unit), and speedscope's calls as they come, or tables of stacks as profiles of samples. */
#include "report/format/format_stacks.h"

#include "report/cells.h"
#include "report/escape.h"

#define STACK_COLUMN "stack"

struct stack_columns {
	size_t stack; /* the text column STACK_COLUMN: frames, root first, semicolons between them
	               */
	size_t value; /* the first integer column */
};

/* ---- which columns are stacks ---- */

/* false when the table is another. */
static bool stack_columns_find(const struct table *t, struct stack_columns *c)
{
	c->stack = c->value = t->ncol;
	for (size_t i = t->ncol; i-- > 0;) {
		if (t->col[i].type == CELL_TEXT && strcmp(t->col[i].key, STACK_COLUMN) == 0)
			c->stack = i;
		if (t->col[i].type == CELL_INT)
			c->value = i;
	}
	return c->stack < t->ncol && c->value < t->ncol;
}

/* Whether the row has both. */
static bool stack_columns_are_known(
	const struct table *t, size_t row, const struct stack_columns *c)
{
	return table_cell(t, row, c->stack) && table_cell(t, row, c->value);
}

/* E_USAGE: there is no such table. */
static enum status stack_columns_refuse(const char *format, struct err *e)
{
	return err_hinted(e, E_USAGE, "'traceq stacks' makes them",
		"--format %s is for stacks, and there are none here", format);
}

/* ---- folded ---- */

static enum status put_folded(
	FILE *out, const struct result *r, const struct render *how UNUSED, struct err *e)
{
	struct stack_columns c;
	SCOPED_STR line = { 0 };
	bool any = false;

	for (size_t i = 0; i < r->ntable; i++) {
		if (!stack_columns_find(r->table[i], &c))
			continue;
		any = true;
		/* The stack has no semicolons in names: its analysis sees to that. */
		for (size_t row = 0; row < r->table[i]->nrow - r->table[i]->nfoot; row++) {
			if (!stack_columns_are_known(r->table[i], row, &c))
				continue;
			escape_folded(&line, table_text_at(r->table[i], row, c.stack));
			str_addc(&line, ' ');
			cells_put_exact(&line, &r->table[i]->col[c.value],
				table_cell(r->table[i], row, c.value));
			str_addc(&line, '\n');
			cells_flush(out, &line);
		}
	}
	return any ? cells_done(out, e) : stack_columns_refuse("folded", e);
}

const struct renderer renderer_folded = {
	.name = "folded",
	.summary = "folded stacks, the input of flame graphs",
	.doc = "A line a stack: the frames, root first, joined by semicolons, and its time in ns; of "
	       "memory snapshots its bytes at the peak. "
	       "flamegraph.pl, inferno and speedscope read it.",
	.suffix = ".folded",
	.column = STACK_COLUMN,
	.put = put_folded,
};

/* ---- speedscope ---- */

enum { BUFFER_BYTES = 1 << 16 };

/* ---- as it comes ---- */

static void flush_full(struct speedscope *w)
{
	if (w->b.n >= BUFFER_BYTES)
		cells_flush(w->out, &w->b);
}

void speedscope_begin(struct speedscope *w, FILE *out, struct span name)
{
	*w = (struct speedscope){ .out = out };
	str_adds(&w->b,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		"\"exporter\":\"traceq\",\n\"name\":");
	escape_json(&w->b, name);
	str_adds(&w->b, ",\n\"activeProfileIndex\":0,\n\"profiles\":[");
}

static void begin_profile(
	struct speedscope *w, const char *type, struct span name, const char *unit)
{
	str_addf(&w->b, "%s\n{\"type\":\"%s\",\"name\":", w->nprofile++ ? "," : "", type);
	escape_json(&w->b, name);
	str_addf(&w->b, ",\"unit\":\"%s\"", unit);
	w->nevent = 0;
}

void speedscope_profile(struct speedscope *w, struct span name)
{
	begin_profile(w, "evented", name, "nanoseconds");
	str_adds(&w->b, ",\"events\":[");
}

void speedscope_event(struct speedscope *w, bool is_open, uint32_t frame, int64_t at)
{
	str_addf(&w->b, "%s\n{\"type\":\"%c\",\"frame\":%" PRIu32 ",\"at\":%" PRId64 "}",
		w->nevent++ ? "," : "", is_open ? 'O' : 'C', frame, at);
	flush_full(w);
}

void speedscope_profile_end(struct speedscope *w, int64_t start, int64_t end)
{
	str_addf(&w->b, "],\"startValue\":%" PRId64 ",\"endValue\":%" PRId64 "}", start, end);
	flush_full(w);
}

static void begin_frames(struct speedscope *w)
{
	if (w->nframe == 0)
		str_adds(&w->b, "],\n\"shared\":{\"frames\":[");
}

void speedscope_frame(struct speedscope *w, struct span name)
{
	begin_frames(w);
	str_adds(&w->b, w->nframe++ ? ",\n{\"name\":" : "\n{\"name\":");
	escape_json(&w->b, name);
	str_addc(&w->b, '}');
	flush_full(w);
}

enum status speedscope_end(struct speedscope *w, struct err *e)
{
	begin_frames(w);
	str_adds(&w->b, "]}}\n");
	cells_flush(w->out, &w->b);
	str_free(&w->b);
	return cells_done(w->out, e);
}

/* ---- tables of stacks ---- */

/* The frames of all stacks, each once, sorted. */
struct frames {
	struct span *v;
	size_t n, cap;
};

static bool next_frame(struct span *rest, struct span *frame)
{
	if (!rest->n)
		return false;
	*frame = span_before(*rest, ';');
	*rest = span_from(*rest, frame->n + (frame->n < rest->n));
	return true;
}

ORDER(by_text, struct span, span_cmp(*a, *b))

static void put_sample(
	struct speedscope *w, const struct frames *f, struct span stack, bool is_first)
{
	struct span frame;
	size_t n = 0;

	str_adds(&w->b, is_first ? "\n[" : ",\n[");
	while (next_frame(&stack, &frame)) {
		const struct span *at = bsearch(&frame, f->v, f->n, sizeof(*f->v), by_text);

		str_addf(&w->b, "%s%zu", n++ ? "," : "", (size_t)(at - f->v));
	}
	str_addc(&w->b, ']');
	flush_full(w);
}

static const char *unit_word(enum unit unit)
{
	return unit == UNIT_NS ? "nanoseconds" : unit == UNIT_BYTES ? "bytes" : "none";
}

static void put_table(struct speedscope *w, const struct frames *f, const struct result *r,
	const struct table *t, const struct stack_columns *c)
{
	size_t row, n = t->nrow - t->nfoot, k = 0;
	SCOPED_STR name = { 0 };
	int64_t all = 0;

	if (t->input >= 0 && r->ninput > 1)
		str_addf(&name, "%s: ", r->input[t->input]);
	str_adds(&name, t->title ? t->title : t->id);
	begin_profile(
		w, "sampled", (struct span){ name.s, name.n }, unit_word(t->col[c->value].unit));
	str_adds(&w->b, ",\"samples\":[");
	for (row = 0; row < n; row++)
		if (stack_columns_are_known(t, row, c))
			put_sample(w, f, table_text_at(t, row, c->stack), k++ == 0);
	str_adds(&w->b, "],\"weights\":[");
	for (row = 0, k = 0; row < n; row++) {
		const union cell *v = table_cell(t, row, c->value);

		if (!stack_columns_are_known(t, row, c))
			continue;
		str_addf(&w->b, "%s\n%" PRId64, k++ ? "," : "", v->i);
		saturate_onto(&all, v->i);
		flush_full(w);
	}
	speedscope_profile_end(w, 0, all);
}

static enum status put_speedscope(
	FILE *out, const struct result *r, const struct render *how UNUSED, struct err *e)
{
	struct frames f = { 0 };
	struct stack_columns c;
	struct speedscope w;
	bool any = false;

	for (size_t i = 0; i < r->ntable; i++)
		if (stack_columns_find(r->table[i], &c)) {
			for (size_t row = 0; row < r->table[i]->nrow - r->table[i]->nfoot; row++) {
				struct span rest = table_text_at(r->table[i], row, c.stack), frame;
				while (next_frame(&rest, &frame))
					PUSH(f.v, f.n, f.cap, frame);
			}
			any = true;
		}
	if (!any) {
		free(f.v);
		return stack_columns_refuse("speedscope", e);
	}
	size_t n = 0;
	sort_rows(f.v, f.n, sizeof(*f.v), by_text);
	for (size_t i = 0; i < f.n; i++)
		if (n == 0 || !span_eq(f.v[n - 1], f.v[i]))
			f.v[n++] = f.v[i];
	f.n = n;
	speedscope_begin(&w, out, span_of(r->ninput ? r->input[0] : ""));
	for (size_t i = 0; i < r->ntable; i++)
		if (stack_columns_find(r->table[i], &c))
			put_table(&w, &f, r, r->table[i], &c);
	for (size_t i = 0; i < f.n; i++)
		speedscope_frame(&w, f.v[i]);
	enum status st = speedscope_end(&w, e);
	free(f.v);
	return st;
}

const struct renderer renderer_speedscope = {
	.name = "speedscope",
	.summary = "calls over time, or stacks, for www.speedscope.app",
	.doc = "The JSON that https://www.speedscope.app opens (drop the file there; it stays on the "
	       "machine). Of a trace a profile for each thread and stream, its calls in order of "
	       "time, in ns since the first of them; what begins inside a call and ends after it is "
	       "in a profile of its own behind, numbered (2). Of a sampled profile or a memory "
	       "snapshot its stacks with their weights.",
	.suffix = ".speedscope.json",
	.column = STACK_COLUMN,
	.is_of_calls = true,
	.put = put_speedscope,
};
