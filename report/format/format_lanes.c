/* Lanes over time on a terminal. */
#include "report/format/format_lanes.h"

#include "base/width.h"
#include "report/chart/theme.h"
#include "report/escape.h"
#include "report/format/grid.h"

struct lanes_place {
	char glyph[8]; /* one letter in UTF-8; empty: a space */
	const struct work_kind *kind;
	bool is_behind; /* the second column of a wide letter, or marks put on the one before */
};

struct lanes_line {
	struct lanes_place *v;
	size_t n;
};

/* ---- one line ---- */

/* A line of n spaces; v is released by lanes_line_end, or by free. */
static void lanes_line_init(struct lanes_line *l, size_t n)
{
	*l = (struct lanes_line){ xcalloc(n + 1, sizeof(*l->v)), n };
}

/* Bytes of the letter that begins at p. */
static size_t letter_at(const char *p, const char *end)
{
	size_t n = 1;

	while (p + n < end && ((unsigned char)p[n] & 0xC0) == 0x80)
		n++;
	return n;
}

/* Writes the text, letter by letter, from a place on, as far as the line goes; kind: or NULL. */
static void lanes_line_put(
	struct lanes_line *l, size_t at, struct span text, const struct work_kind *kind)
{
	const char *p = text.p, *end = text.p + text.n;

	while (p < end && at < l->n) {
		size_t n = letter_at(p, end), w = width_of((struct span){ p, n });
		struct lanes_place *to = &l->v[at];

		if (w > 0 && at + w <= l->n && n < sizeof(to->glyph)) {
			*to = (struct lanes_place){ .kind = kind };
			memcpy(to->glyph, p, n);
			if (w == 2)
				l->v[at + 1] = (struct lanes_place){ .is_behind = true };
		}
		at += w;
		p += n;
	}
}

/* Writes it where it fits, nothing stands yet, nor in the place before it. */
static void lanes_line_fit(struct lanes_line *l, size_t at, struct span text)
{
	size_t n = width_of(text), from = at > 0 ? at - 1 : 0;

	if (at + n <= l->n && ALL(i, at + n - from, !l->v[from + i].glyph[0]))
		lanes_line_put(l, at, text, NULL);
}

/* "#0072b2" in the palette of 256 colours: a cube of six steps of each. */
static unsigned palette(const char *hex)
{
	unsigned long v = strtoul(hex + 1, NULL, 16); /* lint: allow strtoul: a theme's constant */
	unsigned red = (unsigned)(v >> 16 & 255), green = (unsigned)(v >> 8 & 255);
	unsigned blue = (unsigned)(v & 255);

	return 16 + 36 * ((red * 5 + 127) / 255) + 6 * ((green * 5 + 127) / 255) +
		(blue * 5 + 127) / 255;
}

/* Appends the sequence for the colour of a kind, or with NULL for none; nothing without colours. */
static void lanes_color(struct str *out, const struct work_kind *kind, const struct render *how)
{
	if (!how->color)
		return;
	if (kind)
		str_addf(out, "\033[38;5;%um", palette(theme_middle(kind->color)));
	else
		str_adds(out, SGR_OFF);
}

/* Appends the line, without spaces at its end, and a new line; releases it. */
static void lanes_line_end(struct lanes_line *l, struct str *out, const struct render *how)
{
	const struct work_kind *now = NULL;
	size_t n = l->n;

	while (n > 0 && !l->v[n - 1].glyph[0] && !l->v[n - 1].is_behind)
		n--;
	for (EACH(const struct lanes_place, v, l->v, n)) {
		if (v->is_behind)
			continue;
		if (v->kind != now)
			lanes_color(out, v->kind, how);
		now = v->kind;
		str_adds(out, v->glyph[0] ? v->glyph : " ");
	}
	if (now)
		lanes_color(out, NULL, how);
	str_addc(out, '\n');
	free(l->v);
}

/* ---- the longest gaps ---- */

enum { GAPS_LISTED = 3, NAME_LETTERS = 40 };

static bool is_device(const struct table *t, size_t row)
{
	return span_is(table_word(t, row, "sort"), "device");
}

/* Whether there is more than one, so that a gap has to say where it is. */
static bool has_devices(const struct table *t)
{
	struct span first = SPAN("");

	for (size_t i = 0; i < t->nrow; i++) {
		struct span name = table_word(t, i, "lane");

		if (!is_device(t, i))
			continue;
		if (first.n > 0 && !span_eq(first, name))
			return true;
		first = name;
	}
	return false;
}

/* Places of the longest gaps of devices, the longest first; returns how many. */
static size_t longest_gaps(const struct table *t, size_t row[GAPS_LISTED])
{
	size_t n = 0, k;

	for (size_t i = 0; i < t->nrow; i++) {
		struct span kind = table_word(t, i, "kind");
		double length = table_number(t, i, "length_ns");

		if (!is_device(t, i) || work_kinds()[work_kind_of(kind)].is_work)
			continue;
		k = n < GAPS_LISTED ? n++ : GAPS_LISTED;
		for (; k > 0 && table_number(t, row[k - 1], "length_ns") < length; k--)
			if (k < GAPS_LISTED)
				row[k] = row[k - 1];
		if (k < GAPS_LISTED)
			row[k] = i;
	}
	return n;
}

/* "longest gaps: 8.2 ms at 12.3 ms: sync, cudaStreamSynchronize; ..." */
/* The three longest gaps of devices, with their causes and what the launching thread was in. */
static void lanes_gaps(struct str *out, const struct table *t, const struct render *how)
{
	size_t row[GAPS_LISTED], n = longest_gaps(t, row);
	bool has_several = has_devices(t);
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < n; i++) {
		struct span kind = table_word(t, row[i], "kind");
		struct span name = table_word(t, row[i], "name");
		SCOPED_STR full = { 0 };

		str_adds(&b, i ? "; " : n > 1 ? "longest gaps: " : "gap: ");
		unit_put_time(&b, table_number(t, row[i], "length_ns"));
		str_adds(&b, " at ");
		unit_put_time(&b, table_number(t, row[i], "at_ns"));
		if (has_several) {
			str_adds(&b, " on ");
			escape_terminal(&b, table_word(t, row[i], "lane"), how->utf8);
		}
		str_addf(&b, ": %.*s", (int)kind.n, kind.p);
		if (name.n > 0 && !span_starts(name, "ProfilerStep#")) {
			escape_terminal(&full, name, how->utf8);
			str_adds(&b, ", ");
			width_cut(&b, (struct span){ full.s, full.n }, NAME_LETTERS, how->utf8);
		}
	}
	width_wrap(out, (struct span){ b.s, b.n }, how->width, 2);
	if (n > 0)
		str_addc(out, '\n');
}

/* ---- the picture ---- */

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

static size_t end_of_lane(const struct table *t, size_t from)
{
	struct span name = table_word(t, from, "lane");

	return FIRST_FROM(i, from + 1, t->nrow, !span_eq(table_word(t, i, "lane"), name));
}

/* "GPU 0"; "  stream 7" below it; of a thread the number alone where there is no room for more. */
static void lane_name(struct str *b, const struct picture *p, size_t row, size_t most)
{
	struct span name = table_word(p->t, row, "lane");
	const char *comma = memchr(name.p, ',', name.n);
	SCOPED_STR all = { 0 };

	str_adds(&all, "");
	if (span_is(table_word(p->t, row, "sort"), "stream") && comma) {
		str_addc(&all, ' ');
		name = span_from(name, (size_t)(comma - name.p) + 1);
	}
	escape_terminal(&all, name, p->how->utf8);
	const char *more = strstr(all.s, " (");
	if (more && width_of((struct span){ all.s, all.n }) > most)
		all.n = (size_t)(more - all.s);
	width_cut(b, (struct span){ all.s, all.n }, most, p->how->utf8);
}

/* How much room names and time have. */
static void lay_out(struct picture *p)
{
	size_t width = p->how->width ? p->how->width : WIDTH_USUAL;
	SCOPED_STR b = { 0 };

	for (size_t row = 0; row < p->t->nrow; row++) {
		if (!is_lane(p->t, row))
			continue;
		str_reset(&b);
		lane_name(&b, p, row, MAX(width / NAME_PART, NAME_MIN));
		size_t w = width_of((struct span){ b.s, b.n });
		p->names = MAX(w, p->names);
		row = end_of_lane(p->t, row) - 1;
	}
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
	struct lanes_line line;
	SCOPED_STR b = { 0 };

	unit_range_add(&range, p->last);
	struct unit_scale scale = unit_scale_time(range, p->how->unit);
	double tick = tick_of(p, &scale);
	lanes_line_init(&line, p->names + 1 + p->cells);
	lanes_line_put(&line, 0, span_of("time"), NULL);
	for (double k = ceil(p->first / scale.divisor / tick - 1e-9);; k++) {
		double at = cell_of(p, k * tick * scale.divisor);

		if (at >= (double)p->cells)
			break;
		str_reset(&b);
		str_addf(&b, "|%.10g%s", k == 0 ? 0 : k * tick, scale.suffix);
		at = fmax(at, 0);
		lanes_line_fit(
			&line, p->names + 1 + saturate_size(at + 1e-6), (struct span){ b.s, b.n });
	}
	lanes_line_end(&line, out, p->how);
}

static void put_steps(struct str *out, const struct picture *p)
{
	struct lanes_line line;
	SCOPED_STR b = { 0 };
	bool any = false;

	lanes_line_init(&line, p->names + 1 + p->cells);
	lanes_line_put(&line, 0, span_of("steps"), NULL);
	for (size_t row = 0; row < p->t->nrow; row++) {
		double at = cell_of(p, table_number(p->t, row, "at_ns"));

		if (!span_is(table_word(p->t, row, "sort"), "step"))
			continue;
		any = true;
		str_reset(&b);
		str_adds(&b, "|#");
		escape_terminal(&b, table_word(p->t, row, "name"), p->how->utf8);
		lanes_line_fit(&line, p->names + 1 + saturate_size(fmax(at, 0) + 1e-6),
			(struct span){ b.s, b.n });
	}
	if (any)
		lanes_line_end(&line, out, p->how);
	else
		free(line.v);
}

/* ---- lanes ---- */

/* Adds a mark to the shares of the cells it is in: WORK_KINDS for each cell. */
static void add_mark(const struct picture *p, double *share, size_t row)
{
	size_t kind = work_kind_of(table_word(p->t, row, "kind"));
	double at = table_number(p->t, row, "at_ns"), length = table_number(p->t, row, "length_ns");
	double from = cell_of(p, at), to = cell_of(p, at + length);
	double full = length > 0 ? table_number(p->t, row, "busy_ns") / length : 0;

	for (size_t i = from > 0 ? saturate_size(from) : 0; i < p->cells && (double)i < to; i++)
		share[i * WORK_KINDS + kind] +=
			full * (fmin(to, (double)i + 1) - fmax(from, (double)i));
}

/* The kind with most of a cell, of those of work or, of a lane that is no device's, of all. */
static size_t kind_of(const double *share, bool is_idle, bool is_device_lane, double *sum)
{
	const struct work_kind *kinds = work_kinds();
	size_t best = WORK_KINDS;

	*sum = 0;
	for (size_t i = 0; i < WORK_KINDS; i++) {
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
	SCOPED_STR b = { 0 };

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
}

static void put_lane(struct str *out, struct picture *p, size_t from, size_t to)
{
	struct arena_mark mark = arena_mark(&p->mem);
	double *share = arena_array(&p->mem, p->cells * WORK_KINDS, sizeof(*share));
	bool is_device_lane = is_device(p->t, from);
	SCOPED_STR name = { 0 };
	struct lanes_line line;

	for (size_t row = from; row < to; row++)
		add_mark(p, share, row);
	lanes_line_init(&line, p->names + 1 + p->cells);
	lane_name(&name, p, from, p->names);
	lanes_line_put(&line, 0, (struct span){ name.s, name.n }, NULL);
	for (size_t i = 0; i < p->cells; i++)
		put_cell(p, &line, p->names + 1 + i, share + i * WORK_KINDS, is_device_lane);
	for (size_t row = from; is_device_lane && row < to; row++)
		put_cause(p, &line, row);
	lanes_line_end(&line, out, p->how);
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
	bool has_blocks = p->how->color && p->how->utf8;
	size_t wide = 0;

	for (size_t i = 0; i < WORK_KINDS; i++) {
		char letter[2] = { kinds[i].letter, '\0' };

		if (p->is_drawn[i])
			put_entry(out, p, &kinds[i], has_blocks ? FULL : letter, kinds[i].word,
				&wide);
	}
	for (size_t i = 0; p->how->color && i < WORK_KINDS; i++)
		if (p->is_idle[i])
			put_entry(out, p, &kinds[i], has_blocks ? FAINT : ".",
				arena_printf(&p->mem, "idle: %s", kinds[i].word), &wide);
	if (!p->how->color && ANY(i, WORK_KINDS, p->is_idle[i]))
		put_entry(out, p, NULL, ".", "idle", &wide);
	if (!has_blocks)
		put_entry(out, p, NULL, "a", "less than 3/4 of the column", &wide);
	str_addc(out, '\n');
}

static bool find_whole(struct picture *p)
{
	size_t row;

	if (!table_find_word(p->t, "sort", SPAN("whole"), &row))
		return false;
	p->first = table_number(p->t, row, "at_ns");
	p->last = p->first + table_number(p->t, row, "length_ns");
	return p->last > p->first;
}

void lanes_put(struct str *out, const struct table *t, const struct render *how)
{
	struct picture p = { .t = t, .how = how, .names = sizeof("steps") - 1 };
	size_t to;

	if (!find_whole(&p))
		return;
	lay_out(&p);
	put_steps(out, &p);
	put_ruler(out, &p);
	for (size_t from = 0; from < t->nrow; from = to) {
		to = is_lane(t, from) ? end_of_lane(t, from) : from + 1;
		if (is_lane(t, from))
			put_lane(out, &p, from, to);
	}
	put_key(out, &p);
	lanes_gaps(out, t, how);
	arena_clear(&p.mem);
}
