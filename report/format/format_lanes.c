/*
 * Lanes over time on a terminal.
 */
#include "report/format/format_lanes.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "base/unit.h"
#include "base/width.h"
#include "report/answers.h"
#include "report/escape.h"
#include "report/format/grid.h"
#include "report/format/format_lanes_line.h"
#include "report/kind_looks.h"

enum { WIDTH_USUAL = 160, NAME_PART = 4, NAME_MIN = 12, CELLS_MIN = 20, BLOCKS = 7 };

/* Less of a device's column than this is nothing, and more than that is shown as all of it. */
static const double NOTHING = 0.005, MOST = 0.75;

/* Not the whole of a letter's height, so that lanes stay apart. */
#define FULL  "\u2587"
#define FAINT "\u2591"

struct picture {
	const struct table *t;
	const struct render *how;
	double first, last;                             /* ns */
	size_t names, cells;                            /* columns of names, and of time */
	bool is_drawn[WORK_KINDS], is_idle[WORK_KINDS]; /* for the key */
	struct arena mem;
};

static bool is_lane(const struct table *t, size_t row)
{
	return table_word(t, row, "lane").n > 0;
}

static bool is_device(const struct table *t, size_t row)
{
	return span_is(table_word(t, row, "sort"), "device");
}

static size_t end_of_lane(const struct table *t, size_t from)
{
	struct span name = table_word(t, from, "lane");
	size_t to = from + 1;

	while (to < t->nrow && span_eq(table_word(t, to, "lane"), name))
		to++;
	return to;
}

/* "GPU 0"; "  stream 7" below it; of a thread the number alone where there is no room for more. */
static void lane_name(struct str *b, const struct picture *p, size_t row, size_t most)
{
	struct span name = table_word(p->t, row, "lane");
	const char *comma = memchr(name.p, ',', name.n), *more;
	struct str all = { 0 };

	str_adds(&all, "");
	if (span_is(table_word(p->t, row, "sort"), "stream") && comma) {
		size_t skip = (size_t)(comma - name.p) + 1;

		str_addc(&all, ' ');
		name = (struct span){ name.p + skip, name.n - skip };
	}
	escape_terminal(&all, name, p->how->utf8);
	more = strstr(all.s, " (");
	if (more && width_of((struct span){ all.s, all.n }) > most)
		all.n = (size_t)(more - all.s);
	width_cut(b, (struct span){ all.s, all.n }, most, p->how->utf8);
	str_free(&all);
}

/* How much room names and time have. */
static void lay_out(struct picture *p)
{
	size_t width = p->how->width ? p->how->width : WIDTH_USUAL, most = width / NAME_PART, row;
	struct str b = { 0 };

	most = MAX(most, NAME_MIN);
	for (row = 0; row < p->t->nrow; row++) {
		size_t w;

		if (!is_lane(p->t, row))
			continue;
		str_reset(&b);
		lane_name(&b, p, row, most);
		w = width_of((struct span){ b.s, b.n });
		p->names = MAX(w, p->names);
		row = end_of_lane(p->t, row) - 1;
	}
	str_free(&b);
	p->cells = width > p->names + 1 + CELLS_MIN ? width - p->names - 1 : CELLS_MIN;
}

static double cell_of(const struct picture *p, double ns)
{
	return (ns - p->first) / (p->last - p->first) * (double)p->cells;
}

/* ---- ruler ---- */

/* 1, 2 or 5 times a power of ten of the shown unit, so that its numbers have room. */
static double tick_of(const struct picture *p, const struct unit_scale *scale)
{
	enum { ROOM = 9 };
	double least = (p->last - p->first) / scale->divisor / (double)p->cells * ROOM;
	double power = pow(10, floor(log10(least))), times = least / power;

	return power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
}

static void put_ruler(struct str *out, const struct picture *p)
{
	struct unit_range range = { 0 };
	struct unit_scale scale;
	struct lanes_line line;
	double tick, k;
	struct str b = { 0 };

	unit_range_add(&range, p->last);
	scale = unit_scale_time(range, p->how->unit);
	tick = tick_of(p, &scale);
	lanes_line_init(&line, p->names + 1 + p->cells);
	lanes_line_put(&line, 0, span_of("time"), NULL);
	for (k = ceil(p->first / scale.divisor / tick - 1e-9);; k++) {
		double at = cell_of(p, k * tick * scale.divisor);

		if (at >= (double)p->cells)
			break;
		str_reset(&b);
		str_addf(&b, "|%.10g%s", k == 0 ? 0 : k * tick, scale.suffix);
		at = fmax(at, 0);
		(void)lanes_line_fit(&line, p->names + 1 + saturate_size(at + 1e-6),
			(struct span){ b.s, b.n }, NULL);
	}
	lanes_line_end(&line, out, p->how);
	str_free(&b);
}

static void put_steps(struct str *out, const struct picture *p)
{
	struct lanes_line line;
	struct str b = { 0 };
	bool any = false;
	size_t row;

	lanes_line_init(&line, p->names + 1 + p->cells);
	lanes_line_put(&line, 0, span_of("steps"), NULL);
	for (row = 0; row < p->t->nrow; row++) {
		double at = cell_of(p, table_number(p->t, row, "at_ns"));

		if (!span_is(table_word(p->t, row, "sort"), "step"))
			continue;
		any = true;
		str_reset(&b);
		str_adds(&b, "|#");
		escape_terminal(&b, table_word(p->t, row, "name"), p->how->utf8);
		(void)lanes_line_fit(&line, p->names + 1 + saturate_size(fmax(at, 0) + 1e-6),
			(struct span){ b.s, b.n }, NULL);
	}
	if (any)
		lanes_line_end(&line, out, p->how);
	else
		lanes_line_clear(&line);
	str_free(&b);
}

/* ---- lanes ---- */

/* Adds a mark to the shares of the cells it is in: WORK_KINDS for each cell. */
static void add_mark(const struct picture *p, double *share, size_t row)
{
	size_t kind = work_kind_of(table_word(p->t, row, "kind")), i;
	double at = table_number(p->t, row, "at_ns"), length = table_number(p->t, row, "length_ns");
	double from = cell_of(p, at), to = cell_of(p, at + length);
	double full = length > 0 ? table_number(p->t, row, "busy_ns") / length : 0;

	for (i = from > 0 ? saturate_size(from) : 0; i < p->cells && (double)i < to; i++)
		share[i * WORK_KINDS + kind] +=
			full * (fmin(to, (double)i + 1) - fmax(from, (double)i));
}

/* The kind with most of a cell, of those of work or, of a lane that is no device's, of all. */
static size_t kind_of(const double *share, bool is_idle, bool is_device_lane, double *sum)
{
	const struct work_kind *kinds = work_kinds();
	size_t best = WORK_KINDS, i;

	*sum = 0;
	for (i = 0; i < WORK_KINDS; i++) {
		if ((is_device_lane && kinds[i].is_work == is_idle) || !(share[i] > 0))
			continue;
		*sum += share[i];
		best = best == WORK_KINDS || share[i] > share[best] ? i : best;
	}
	return best;
}

static void put_cell(struct picture *p, struct lanes_line *line, size_t at, const double *share,
	bool is_device_lane)
{
	static const char *const blocks[BLOCKS] = { "\u2581", "\u2582", "\u2583", "\u2584",
		"\u2585", "\u2586", FULL };
	bool has_blocks = p->how->color && p->how->utf8;
	double sum;
	size_t kind = kind_of(share, false, is_device_lane, &sum);
	char letter[2] = "";

	if (kind < WORK_KINDS && (sum > NOTHING || !is_device_lane)) {
		int64_t eighths = saturate_round(fmin(sum, 1) * BLOCKS);

		p->is_drawn[kind] = true;
		letter[0] = (char)(work_kinds()[kind].letter + (sum >= MOST ? 0 : 'a' - 'A'));
		lanes_line_put(line, at,
			span_of(has_blocks ? blocks[eighths > 0 ? eighths - 1 : 0] : letter),
			&work_kinds()[kind]);
		return;
	}
	kind = is_device_lane ? kind_of(share, true, true, &sum) : WORK_KINDS;
	if (kind == WORK_KINDS)
		return;
	p->is_idle[kind] = true;
	lanes_line_put(line, at, span_of(has_blocks ? FAINT : "."), &work_kinds()[kind]);
}

/* "sync 8.2 ms", or "sync", in the middle of a gap that has room for it. */
static void put_cause(const struct picture *p, struct lanes_line *line, size_t row)
{
	struct span word = table_word(p->t, row, "kind");
	double at = table_number(p->t, row, "at_ns"), length = table_number(p->t, row, "length_ns");
	size_t from = saturate_size(ceil(fmax(cell_of(p, at), 0) - 1e-6));
	size_t to = saturate_size(fmin(cell_of(p, at + length), (double)p->cells) + 1e-6);
	size_t kind = work_kind_of(word), room = to > from + 2 ? to - from - 2 : 0;
	struct str b = { 0 };

	if (work_kinds()[kind].is_work)
		return;
	str_addf(&b, " %.*s ", (int)word.n, word.p);
	unit_put_time(&b, length);
	str_addc(&b, ' ');
	if (b.n > room) {
		str_reset(&b);
		str_addf(&b, " %.*s ", (int)word.n, word.p);
	}
	if (b.n <= room)
		lanes_line_put(line, p->names + 1 + from + (to - from - b.n) / 2,
			(struct span){ b.s, b.n }, &work_kinds()[kind]);
	str_free(&b);
}

static void put_lane(struct str *out, struct picture *p, size_t from, size_t to)
{
	struct arena_mark mark = arena_mark(&p->mem);
	double *share = arena_array(&p->mem, p->cells * WORK_KINDS, sizeof(*share));
	bool is_device_lane = is_device(p->t, from);
	struct str name = { 0 };
	struct lanes_line line;
	size_t row, i;

	for (row = from; row < to; row++)
		add_mark(p, share, row);
	lanes_line_init(&line, p->names + 1 + p->cells);
	lane_name(&name, p, from, p->names);
	lanes_line_put(&line, 0, (struct span){ name.s, name.n }, NULL);
	for (i = 0; i < p->cells; i++)
		put_cell(p, &line, p->names + 1 + i, share + i * WORK_KINDS, is_device_lane);
	for (row = from; is_device_lane && row < to; row++)
		put_cause(p, &line, row);
	lanes_line_end(&line, out, p->how);
	str_free(&name);
	arena_reset(&p->mem, mark);
}

/* ---- key ---- */

/* Appends an entry, on a new line where it does not fit; wide: columns of the line so far. */
static void put_entry(struct str *out, const struct picture *p, const struct work_kind *kind,
	const char *sign, const char *word, size_t *wide)
{
	size_t need = 2 + width_of(span_of(word)), limit = p->how->width;

	if (*wide > 0 && limit > 0 && *wide + 2 + need > limit) {
		str_addc(out, '\n');
		*wide = 0;
	}
	str_adds(out, *wide > 0 ? "  " : "");
	*wide += need + (*wide > 0 ? 2 : 0);
	if (kind)
		lanes_color(out, kind, p->how);
	str_adds(out, sign);
	if (kind)
		lanes_color(out, NULL, p->how);
	str_addf(out, " %s", word);
}

static void put_key(struct str *out, struct picture *p)
{
	const struct work_kind *kinds = work_kinds();
	bool has_blocks = p->how->color && p->how->utf8, any_idle = false;
	size_t wide = 0, i;

	for (i = 0; i < WORK_KINDS; i++) {
		char letter[2] = { kinds[i].letter, '\0' };

		any_idle = any_idle || p->is_idle[i];
		if (p->is_drawn[i])
			put_entry(out, p, &kinds[i], has_blocks ? FULL : letter, kinds[i].word,
				&wide);
	}
	for (i = 0; p->how->color && i < WORK_KINDS; i++)
		if (p->is_idle[i])
			put_entry(out, p, &kinds[i], has_blocks ? FAINT : ".",
				arena_printf(&p->mem, "idle: %s", kinds[i].word), &wide);
	if (any_idle && !p->how->color)
		put_entry(out, p, NULL, ".", "idle", &wide);
	if (!has_blocks)
		put_entry(out, p, NULL, "a", "less than 3/4 of the column", &wide);
	str_addc(out, '\n');
}

static bool find_whole(struct picture *p)
{
	size_t row;

	for (row = 0; row < p->t->nrow; row++) {
		if (!span_is(table_word(p->t, row, "sort"), "whole"))
			continue;
		p->first = table_number(p->t, row, "at_ns");
		p->last = p->first + table_number(p->t, row, "length_ns");
		return p->last > p->first;
	}
	return false;
}

void lanes_put(struct str *out, const struct table *t, const struct render *how)
{
	struct picture p = { .t = t, .how = how, .names = sizeof("steps") - 1 };
	size_t from, to;

	if (!find_whole(&p))
		return;
	arena_init(&p.mem);
	lay_out(&p);
	put_steps(out, &p);
	put_ruler(out, &p);
	for (from = 0; from < t->nrow; from = to) {
		to = is_lane(t, from) ? end_of_lane(t, from) : from + 1;
		if (is_lane(t, from))
			put_lane(out, &p, from, to);
	}
	put_key(out, &p);
	lanes_gaps(out, t, how);
	arena_clear(&p.mem);
}
