/* Marks as events. */
#include "edit/annotate.h"

#include "base/unit.h"
#include "edit/time_range.h"
#include "report/escape.h"

/* Above what Linux gives processes, and below what merging moves them by (merge.h). */
enum { OWN_PID = 4999999 };

/* ---- events ---- */

static void put(struct annotating *a, char ph)
{
	cut_more(a->c, ph, (struct span){ a->text.s, a->text.n });
}

static void begin(struct annotating *a, char ph)
{
	str_reset(&a->text);
	str_addf(&a->text, "{\"ph\": \"%c\", \"cat\": \"" OWN_CAT "\", \"name\": ", ph);
}

static void add_place(struct annotating *a, int64_t tid)
{
	str_addf(&a->text, ", \"pid\": %" PRId64 ", \"tid\": %" PRId64, a->pid, tid);
}

/* An M event: what of a row or process (tid 0) has that value. */
static void put_name(struct annotating *a, const char *what, int64_t tid, const char *name)
{
	begin(a, 'M');
	str_addf(&a->text, "\"%s\"", what);
	add_place(a, tid);
	str_adds(&a->text, ", \"args\": {\"name\": ");
	escape_json(&a->text, span_of(name));
	str_adds(&a->text, "}}");
	put(a, 'M');
}

static void put_order(struct annotating *a, const char *what, int64_t tid, int64_t order)
{
	begin(a, 'M');
	str_addf(&a->text, "\"%s\"", what);
	add_place(a, tid);
	str_addf(&a->text, ", \"args\": {\"sort_index\": %" PRId64 "}}", order);
	put(a, 'M');
}

/* ---- rows ---- */

static size_t add_row(struct annotating *a, const char *lane, unsigned again)
{
	SCOPED_STR name = { 0 };
	size_t at = a->nrow;

	PUSH(a->row, a->nrow, a->row_cap,
		(struct annotate_row){
			.lane = arena_copy(&a->mem, lane, strlen(lane)), .again = again });
	str_adds(&name, lane);
	if (again > 0)
		str_addf(&name, " (%u)", again + 1);
	put_name(a, "thread_name", (int64_t)at + 1, name.s);
	put_order(a, "thread_sort_index", (int64_t)at + 1, (int64_t)at);
	return at;
}

/* Whether a mark nests in what is open there, which it then is part of. */
static bool nests(struct annotate_row *row, nsec start, nsec end)
{
	while (row->nend > 0 && row->end[row->nend - 1] <= start)
		row->nend--;
	if (row->nend > 0 && end > row->end[row->nend - 1])
		return false;
	PUSH(row->end, row->nend, row->end_cap, end);
	return true;
}

/* The row of that lane in which the mark tears nothing. */
static size_t row_of(struct annotating *a, const struct mark *m)
{
	nsec end = saturate_add(m->start, m->dur);
	unsigned again = 0;
	size_t i;

	for (i = 0; i < a->nrow; i++) {
		if (strcmp(a->row[i].lane, m->lane) != 0)
			continue;
		if (nests(&a->row[i], m->start, end))
			return i;
		again++;
	}
	i = add_row(a, m->lane, again);
	(void)nests(&a->row[i], m->start, end);
	return i;
}

/* ---- marks ---- */

static void add_number(struct str *out, double v)
{
	if (!isfinite(v))
		str_adds(out, "null");
	else if (v == floor(v) && fabs(v) < 9e15)
		str_addf(out, "%.0f", v);
	else
		str_addf(out, "%.9g", v);
}

static void add_args(struct annotating *a, const struct mark *m)
{
	const char *comma = "";

	str_adds(&a->text, ", \"args\": {");
	if (m->id.n) {
		str_adds(&a->text, "\"id\": ");
		escape_json(&a->text, m->id);
		comma = ", ";
	}
	for (EACH(const struct mark_arg, v, m->arg, m->narg)) {
		str_adds(&a->text, comma);
		escape_json(&a->text, span_of(v->key));
		str_adds(&a->text, ": ");
		if (v->text.p)
			escape_json(&a->text, v->text);
		else
			add_number(&a->text, v->number);
		comma = ", ";
	}
	str_adds(&a->text, "}}");
}

/* What stands on the slice: of gaps how long they are, why, and what the CPU was in. */
static void add_title(struct annotating *a, enum mark_source s, const struct mark *m)
{
	SCOPED_STR title = { 0 };

	if (s == MARK_IDLE) {
		str_adds(&title, "idle ");
		unit_put_time(&title, (double)m->dur);
		str_adds(&title, ": ");
	}
	str_add(&title, m->name.p, m->name.n);
	if (s == MARK_IDLE && m->row != NO_ROW) {
		struct span in = run_name(a->run, m->row);

		str_adds(&title, " (");
		str_add(&title, in.p, in.n);
		str_addc(&title, ')');
	}
	escape_json(&a->text, (struct span){ title.s, title.n });
}

static void put_mark(struct annotating *a, enum mark_source s, const struct mark *m, size_t row)
{
	static const char phase[] = {
		[MARK_SLICE] = 'X', [MARK_INSTANT] = 'i', [MARK_COUNTER] = 'C'
	};
	char ph = phase[m->kind];
	int64_t tid = m->kind == MARK_COUNTER ? 0 : (int64_t)row + 1;

	begin(a, ph);
	add_title(a, s, m);
	add_place(a, tid);
	number_put(&a->text, "ts", m->start);
	if (ph == 'X')
		number_put(&a->text, "dur", m->dur);
	if (ph == 'i')
		str_adds(&a->text, ", \"s\": \"t\"");
	add_args(a, m);
	put(a, ph);
}

static bool is_kept(const struct annotating *a, const struct mark *m)
{
	return keep_ranges_meets(&a->c->choice.hull, m->start, saturate_add(m->start, m->dur));
}

/* ---- arrows ---- */

static void add_id(struct str *out, struct span id)
{
	if (lane_number(id) != LANE_NO_NUMBER)
		str_add(out, id.p, id.n);
	else
		escape_json(out, id);
}

/* Whether an arrow's end is at the work that the mark is about, and that stays. */
static bool has_work(const struct annotating *a, const struct mark *m, nsec at)
{
	const struct events *ev = &a->run->events;
	const struct choice *c = &a->c->choice;

	return m->row != NO_ROW && m->on == ev->lane[m->row] && !c->is_filtered &&
		!(c->no_python && ev->kind[m->row] == KIND_PYTHON) && at >= ev->start[m->row] &&
		at < events_end(ev, m->row) &&
		keep_ranges_meets(&c->hull, ev->start[m->row], events_end(ev, m->row));
}

/* One end of an arrow: at a moment of the work, else of the mark's own slice. */
static void put_end(struct annotating *a, const struct mark *m, char ph, nsec at, size_t row)
{
	const struct strings *texts = &a->run->strings;
	bool at_work = has_work(a, m, at);

	begin(a, ph);
	str_addf(&a->text, "\"critical path\", \"id\": \"" OWN_CAT " %" PRId64 ".%" PRId64 "\"",
		a->number, a->nflow);
	if (at_work) {
		const struct lane *on = &a->run->lanes.lane[m->on];

		str_adds(&a->text, ", \"pid\": ");
		add_id(&a->text, strings_get(texts, on->pid));
		str_adds(&a->text, ", \"tid\": ");
		add_id(&a->text, strings_get(texts, on->tid));
	} else {
		add_place(a, (int64_t)row + 1);
	}
	number_put(&a->text, "ts", at);
	str_adds(&a->text, ph == 'f' ? ", \"bp\": \"e\"}" : "}");
	put(a, ph);
}

static void put_flows(struct annotating *a, const struct marks *m, const size_t *row)
{
	for (size_t i = 0; i < m->nflow; i++) {
		const struct mark *from = &m->v[m->flow[i].from], *to = &m->v[m->flow[i].to];

		if (!is_kept(a, from) || !is_kept(a, to))
			continue;
		a->nflow++;
		/* The last moment that is in the slice, not the end that is behind it. */
		put_end(a, from, 's', saturate_add(from->start, from->dur > 0 ? from->dur - 1 : 0),
			row[m->flow[i].from]);
		put_end(a, to, 'f', to->start, row[m->flow[i].to]);
	}
}

/* ---- all ---- */

static int64_t free_pid(const struct run *r)
{
	int64_t pid = OWN_PID;

	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->lanes.lane[i].pid_number == pid) {
			pid--;
			i = SIZE_MAX;
		}
	return pid;
}

void annotate_begin(struct annotating *a, struct cut *c, const struct run *run, int64_t number)
{
	*a = (struct annotating){ .c = c, .run = run, .number = number, .pid = free_pid(run) };
	put_name(a, "process_name", 0, OWN_CAT);
	put_order(a, "process_sort_index", 0, -1);
}

void annotate_put(struct annotating *a, enum mark_source s, const struct marks *m)
{
	size_t *row = arena_array(&a->mem, m->n ? m->n : 1, sizeof(*row));

	for (size_t i = 0; i < m->n; i++) {
		if (!is_kept(a, &m->v[i]))
			continue;
		row[i] = m->v[i].kind == MARK_COUNTER ? 0 : row_of(a, &m->v[i]);
		put_mark(a, s, &m->v[i], row[i]);
	}
	put_flows(a, m, row);
}

void annotate_end(struct annotating *a)
{
	for (size_t i = 0; i < a->nrow; i++)
		free(a->row[i].end);
	free(a->row);
	str_free(&a->text);
	arena_clear(&a->mem);
}
