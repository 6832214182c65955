/* What a timeline has more on a page: details of boxes, findings, the critical path. */
#include "report/chart/kind/chart_timeline.h"

/* ---- details ---- */

/* "op: aten::mm\nshapes: [[64, 512]]\nfrom: ..." */
static const char *more_of(struct chart *c, const struct chart_rows *r, size_t i)
{
	static const struct {
		const char *key, *title;
	} lines[] = { { "op", "op" }, { "shapes", "shapes" }, { "launch_lane", "launched on" },
		{ "stack", "from" } };
	SCOPED_STR b = { 0 };

	for (size_t k = 0; k < COUNT_OF(lines); k++) {
		struct span word = rows_word(r, i, lines[k].key);

		if (word.n)
			str_addf(&b, "%s%s: %s", b.n ? "\n" : "", lines[k].title,
				chart_text(c, word));
	}
	return b.n ? arena_copy(&c->mem, b.s, b.n) : NULL;
}

/* By row of the marks: its row of the details, or SIZE_MAX. */
static const size_t *find_details(
	struct chart *c, const struct lanes *l, const struct chart_rows *details)
{
	size_t *at = arena_array(&c->mem, l->rows.n, sizeof(*at));

	FILL(at, l->rows.n, SIZE_MAX);
	for (size_t i = 0; i < details->n; i++) {
		size_t mark = saturate_size(rows_number(details, i, "mark"));

		if (mark < l->rows.n)
			at[mark] = i;
	}
	return at;
}

void lanes_put_details(struct chart *c, struct chart_panel *p, const struct lanes *l,
	const struct chart_rows *details)
{
	const size_t *at = find_details(c, l, details);
	size_t k = 0;

	for (size_t which = 0; which < TIMELINE_SERIES; which++) {
		size_t n = 0;

		for (size_t i = 0; i < l->rows.n; i++) {
			if (l->lane[i] == SIZE_MAX || l->series[i] != which)
				continue;
			struct chart_series *s = &p->series[k];
			if (n == 0) {
				s->more = arena_array(&c->mem, s->n, sizeof(*s->more));
				s->launch = arena_array(&c->mem, s->n, sizeof(*s->launch));
				s->launch_row = arena_array(&c->mem, s->n, sizeof(*s->launch_row));
				FILL(s->launch, s->n, NAN);
				FILL(s->launch_row, s->n, NAN);
			}
			if (at[i] != SIZE_MAX) {
				struct span lane = rows_word(details, at[i], "launch_lane");
				size_t row = FIRST(r, p->nrow, span_is(lane, p->row[r]));

				s->more[n] = more_of(c, details, at[i]);
				s->launch[n] = rows_number(details, at[i], "launch_at_ns");
				s->launch_row[n] = row < p->nrow ? (double)row : NAN;
			}
			n++;
		}
		k += n > 0;
	}
}

/* ---- findings ---- */

void lanes_put_findings(struct chart *c, struct chart_panel *p, const struct answers *in,
	const struct chart_rows *slices)
{
	struct chart_rows r = chart_rows(c, in, "diagnose", "findings", 0);
	double zero = slices->n
		? rows_number(slices, 0, "start_ns") - rows_number(slices, 0, "at_ns")
		: NAN;

	for (size_t i = 0; i < r.n; i++) {
		double at = rows_number(&r, i, "at_ns") - zero;
		double length = rows_number(&r, i, "longest_ns");
		struct span name = rows_word(&r, i, "name"), rule = rows_word(&r, i, "rule"),
			    finding = rows_word(&r, i, "finding");

		if (isnan(at) || span_is(rows_word(&r, i, "severity"), "ok"))
			continue;
		chart_line(c, p,
			arena_printf(&c->mem, "%.*s %s: %s", (int)rule.n, rule.p,
				chart_text(c, name), chart_text(c, finding)),
			at, true);
		p->line[p->nline - 1].length = fmax(length, 1);
	}
}

/* ---- the critical path ---- */

/* What `critical` calls each lane: "0:7" a stream, "0:" any of a GPU, "/41200" a thread. */
static const char **words_of_lanes(
	struct chart *c, const struct chart_panel *p, const struct lanes *l)
{
	const char **word = arena_array(&c->mem, p->nrow, sizeof(*word));

	for (size_t i = 0; i < l->rows.n; i++) {
		struct span sort = rows_word(&l->rows, i, "sort"),
			    tid = rows_word(&l->rows, i, "tid");
		double device = rows_number(&l->rows, i, "device");

		if (l->lane[i] == SIZE_MAX || word[l->lane[i]])
			continue;
		word[l->lane[i]] = span_is(sort, "thread")
			? arena_printf(&c->mem, "/%.*s", (int)tid.n, tid.p)
			: span_is(sort, "stream") ? arena_printf(&c->mem, "%.0f:%.0f", device,
							    rows_number(&l->rows, i, "stream"))
						  : arena_printf(&c->mem, "%.0f:", device);
	}
	return word;
}

/* nrow: it is not shown. */
static size_t row_of(const char *const *word, size_t nrow, struct span lane)
{
	size_t own = FIRST(r, nrow, word[r] && span_is(lane, word[r]));

	return own < nrow ? own
			  : FIRST(r, nrow,
				    word[r] &&
					    (*word[r] == '/' ? span_ends(lane, word[r])
							     : span_starts(lane, word[r])));
}

/* Pieces of one lane and owner that follow each other are one. */
void lanes_put_path(
	struct chart *c, struct chart_panel *p, const struct answers *in, const struct lanes *l)
{
	struct chart_rows r = chart_rows(c, in, TIMELINE_PATH, "segments", 0);
	const char **word = words_of_lanes(c, p, l);
	struct span last = SPAN("");
	size_t n = 0, row = p->nrow;

	if (r.n == 0)
		return;
	struct chart_series *s = chart_series(c, p, MARK_RANGE, "critical path", COLOR_BLACK, r.n);
	s->label = arena_array(&c->mem, r.n, sizeof(*s->label));
	for (size_t i = 0; i < r.n; i++) {
		struct span lane = rows_word(&r, i, "lane"), owner = rows_word(&r, i, "class");
		double at = rows_number(&r, i, "at_ns");

		if (i == 0 || !span_eq(lane, last))
			row = row_of(word, p->nrow, lane);
		last = lane;
		if (row == p->nrow)
			continue;
		if (n == 0 || s->lo[n - 1] < at || s->y[n - 1] != (double)row ||
			!span_is(owner, s->label[n - 1])) {
			s->x[n] = at;
			s->y[n] = (double)row;
			s->label[n++] = chart_text(c, owner);
		}
		s->lo[n - 1] = at + rows_number(&r, i, "duration_ns");
	}
	s->n = n;
}
