/* Blocks of a memory snapshot over time, by who allocated them. */
#include "base/unit.h"
#include "report/chart/kind/chart_memory.h"

enum { PLACES = 7 /* with a colour of their own */, OOMS_MAX = 8 };
enum { BEFORE = 1, LEFT = 2 }; /* alive before the history, never freed: blocks.js */

static bool is_same_device(
	const struct chart_rows *a, size_t i, const struct chart_rows *b, size_t k)
{
	return a->t[i]->input == b->t[k]->input &&
		span_eq(rows_word(a, i, "device"), rows_word(b, k, "device"));
}

/* Where there is one: what was reserved and free when memory ran out; else what is listed, where
 * that is near. */
static void put_limit(
	struct chart *c, struct chart_panel *p, double then, double listed, double highest)
{
	double limit = then > 0 ? then : highest >= listed / 2 ? listed : NAN;

	if (!(limit > 0))
		return;
	chart_line(c, p, arena_printf(&c->mem, "limit: %s", chart_figure(c, limit, UNIT_BYTES)),
		limit, false);
	p->y.at_least = fmax(p->y.at_least, 1.1 * limit); /* its name stands above it */
	chart_note(c, "%s",
		then > 0 ? "the limit: what was reserved and free when memory ran out"
			 : "the limit: the GPU's memory");
}

void memory_limits(struct chart *c, struct chart_panel *p, const struct answers *in,
	const char *ask, const struct chart_rows *curve, size_t row)
{
	struct chart_rows oom = chart_rows(c, in, ask, "oom", 0);
	struct chart_rows peaks = chart_rows(c, in, ask, "peaks", 0);
	double then = NAN, listed = NAN, highest = 0;
	size_t n = 0;

	for (size_t i = oom.n; i-- > 0 && n < OOMS_MAX;) { /* the last ones */
		if (!is_same_device(&oom, i, curve, row))
			continue;
		if (n++ == 0)
			then = rows_number(&oom, i, "reserved_bytes") +
				rows_number(&oom, i, "device_free_bytes");
		chart_line(c, p,
			arena_printf(&c->mem, "out of memory: %s asked",
				chart_figure(c, rows_number(&oom, i, "request_bytes"), UNIT_BYTES)),
			rows_number(&oom, i, "at_ns"), true);
	}
	for (size_t i = 0; i < peaks.n; i++)
		if (is_same_device(&peaks, i, curve, row)) {
			listed = rows_number(&peaks, i, "capacity_bytes");
			highest = fmax(rows_number(&peaks, i, "peak_reserved_bytes"),
				rows_number(&peaks, i, "peak_allocated_bytes"));
		}
	put_limit(c, p, then, listed, highest);
}

/* ---- the page ---- */

/* Blocks of one device: rows from..to. */
struct blocks {
	struct chart_rows rows;
	size_t from, to;
	const char *at, *freed; /* times, or entries where there are none */
	double end;
	struct place {
		struct span name;
		double weight; /* bytes by how long */
	} * place;
	size_t nplace;
};

static double begin_of(const struct blocks *b, size_t i)
{
	double at = rows_number(&b->rows, i, b->at);

	return isnan(at) ? 0 : at;
}

static double end_of(const struct blocks *b, size_t i)
{
	double freed = rows_number(&b->rows, i, b->freed);

	return isnan(freed) ? b->end : freed;
}

/* That ran out of memory, else of the highest peak: where its rows begin. */
static size_t choose_device(
	struct chart *c, const struct answers *in, const char *ask, const struct chart_rows *lives)
{
	struct chart_rows oom = chart_rows(c, in, ask, "oom", 0);
	struct chart_rows peaks = chart_rows(c, in, ask, "peaks", 0);
	size_t best = 0, to;
	double highest = -1;

	for (size_t from = 0; from < lives->n; from = to) {
		double peak = 0;

		to = ROWS_END(lives, from, "device");
		for (size_t i = 0; i < peaks.n; i++)
			if (is_same_device(&peaks, i, lives, from))
				peak = rows_number(&peaks, i, "peak_allocated_bytes");
		if (ANY(i, oom.n, is_same_device(&oom, i, lives, from)))
			peak = INFINITY;
		if (peak > highest) {
			best = from;
			highest = peak;
		}
	}
	return best;
}

ORDER(by_weight, struct place, compare3_down(a->weight, b->weight), span_cmp(a->name, b->name))
ORDER(by_name, struct place, span_cmp(a->name, b->name))

/* Who allocated, those that held most for longest first. */
static void find_places(struct chart *c, struct blocks *b)
{
	size_t n = 0;

	b->place = arena_array(&c->mem, b->to - b->from, sizeof(*b->place));
	for (size_t i = b->from; i < b->to; i++)
		b->place[i - b->from] = (struct place){ rows_word(&b->rows, i, "where"),
			rows_number(&b->rows, i, "bytes") * (end_of(b, i) - begin_of(b, i)) };
	sort_rows(b->place, b->to - b->from, sizeof(*b->place), by_name);
	for (EACH(const struct place, p, b->place, b->to - b->from)) {
		if (n && span_eq(b->place[n - 1].name, p->name))
			b->place[n - 1].weight += p->weight;
		else
			b->place[n++] = *p;
	}
	b->nplace = n;
	sort_rows(b->place, n, sizeof(*b->place), by_weight);
}

static size_t place_of(const struct blocks *b, size_t i)
{
	size_t most = MIN(b->nplace, PLACES);
	struct span name = rows_word(&b->rows, i, "where");

	return FIRST(k, most, span_eq(b->place[k].name, name));
}

/* "forward (model.py:31)\nroot;...;leaf" */
static const char *words_of(struct chart *c, const struct blocks *b, size_t i)
{
	struct span where = rows_word(&b->rows, i, "where"),
		    frames = rows_word(&b->rows, i, "frames");

	return arena_printf(&c->mem, "%s\n%s",
		where.n ? chart_text(c, where) : "(no stack recorded)",
		frames.n ? chart_text(c, frames) : "");
}

/* Of places; they are no kinds of work, and so many that shades would not do. */
static const enum theme_color hues[] = { COLOR_COMPUTE, COLOR_DATA, COLOR_HOST, COLOR_COMM,
	COLOR_SYNC, COLOR_LAUNCH, COLOR_PYTHON, COLOR_WAIT };

static void put_place(struct chart *c, struct chart_panel *p, const struct blocks *b, size_t place)
{
	size_t most = MIN(b->nplace, PLACES), n = 0;
	bool is_rest = place == most;

	for (size_t i = b->from; i < b->to; i++)
		n += place_of(b, i) == place;
	if (n == 0)
		return;
	const char *title = is_rest ? arena_printf(&c->mem, "%zu other places", b->nplace - most)
		: b->place[place].name.n ? chart_text(c, b->place[place].name)
					 : "(no stack recorded)";
	struct chart_series *s = chart_series(
		c, p, MARK_TILE, title, is_rest ? COLOR_IDLE : hues[place % COUNT_OF(hues)], n);
	for (size_t i = b->from; i < b->to; i++) {
		if (place_of(b, i) != place)
			continue;
		size_t k = s->n - n--;
		s->x[k] = begin_of(b, i);
		s->lo[k] = end_of(b, i);
		s->y[k] = rows_number(&b->rows, i, "bytes");
		s->hi[k] = (isnan(rows_number(&b->rows, i, "entry")) ? BEFORE : 0) +
			(isnan(rows_number(&b->rows, i, "freed_entry")) ? LEFT : 0);
		s->label[k] = words_of(c, b, i);
	}
}

static void put_curve(struct chart *c, struct chart_panel *p, const struct chart_rows *r,
	size_t from, size_t to, const char *key, const char *title, enum theme_color color)
{
	struct chart_series *s = chart_series(c, p, MARK_STEP, title, color, to - from);

	rows_fill(s->x, r, from, to, "at_ns");
	rows_fill(s->y, r, from, to, key);
}

static void say_which(struct chart *c, const struct blocks *b)
{
	size_t n = 0, to;

	for (size_t from = 0; from < b->rows.n; from = to, n++)
		to = ROWS_END(&b->rows, from, "device");
	chart_note(c, "%s%s", rows_input(c, &b->rows, b->from),
		chart_text(c, rows_word(&b->rows, b->from, "device")));
	if (n > 1)
		chart_note(c, "--device shows another of %zu", n);
	if (b->rows.t[b->from]->ncut)
		chart_note(c, "the %zu largest blocks; %zu smaller ones are grey", b->to - b->from,
			b->rows.t[b->from]->ncut);
}

bool memory_blocks(
	struct chart *c, const struct answers *in, const char *ask, const struct chart_rows *curve)
{
	struct blocks b = { .rows = chart_rows(c, in, ask, "lives", 0) };
	struct chart_rows history = chart_rows(c, in, ask, "history", 0);
	bool is_timed;

	if (b.rows.n == 0)
		return false;
	b.from = choose_device(c, in, ask, &b.rows);
	b.to = ROWS_END(&b.rows, b.from, "device");
	size_t at = FIRST(i, curve->n, is_same_device(curve, i, &b.rows, b.from));
	size_t to = at < curve->n ? ROWS_END(curve, at, "device") : at;
	is_timed = rows_known(curve, at, to, "at_ns");
	b.at = is_timed ? "at_ns" : "entry";
	b.freed = is_timed ? "freed_ns" : "freed_entry";
	for (size_t i = 0; i < history.n; i++)
		if (is_same_device(&history, i, &b.rows, b.from))
			b.end = rows_number(&history, i, is_timed ? "length_ns" : "entries");
	for (size_t i = b.from; i < b.to; i++) {
		b.end = fmax(b.end, begin_of(&b, i));
		b.end = fmax(b.end, end_of(&b, i));
	}
	find_places(c, &b);
	struct chart_panel *p = chart_panel(c, PANEL_BLOCKS, NULL);
	p->x = AXIS(
		"time since the first entry", is_timed ? UNIT_NS : UNIT_COUNT, .at_least = b.end);
	p->y = AXIS("memory", UNIT_BYTES, .from_zero = true);
	p->nrow = 1;
	p->nmore = b.rows.t[b.from]->ncut;
	for (size_t k = 0; k <= MIN(b.nplace, PLACES); k++)
		put_place(c, p, &b, k);
	if (is_timed) {
		put_curve(c, p, curve, at, to, "allocated_bytes", "allocated", COLOR_BLACK);
		put_curve(c, p, curve, at, to, "reserved_bytes", "reserved", COLOR_COPY);
		memory_limits(c, p, in, ask, curve, at);
	}
	say_which(c, &b);
	return true;
}
