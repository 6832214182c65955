/* Charts of the ranks of a job: who makes the others wait, when, and whom. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"
#include "report/chart/figures.h"

static const char ranks[] = "ranks";
static const char no_job[] = "no collectives that several ranks have in common";
static const char verdict[] = "findings";

enum { COLUMNS_MAX = 240, MATRIX_MAX = 64, NUMBERS_MAX = 12, LAST_MAX = 5, BARS_MAX = 24 };

static const char *rank_name(struct chart *c, const struct chart_rows *r, size_t i)
{
	return arena_printf(&c->mem, "rank %.0f", rows_number(r, i, "rank"));
}

/* ---- rank by step ---- */

/* The number of each step in the rows, one behind the other, and of each row which of these it is
 * of.  Returns how many steps; what is not of one, as in a job without steps, is one, too. */
static size_t steps_of(struct chart *c, const struct chart_rows *r, double **step, size_t **of)
{
	size_t n = 0;

	*step = arena_array(&c->mem, r->n, sizeof(**step));
	*of = arena_array(&c->mem, r->n, sizeof(**of));
	for (size_t i = 0; i < r->n; i++) {
		if (i == 0 || !rows_same(r, i - 1, i, "step"))
			(*step)[n++] = rows_number(r, i, "step");
		(*of)[i] = n - 1;
	}
	return n;
}

/* A column for each step, or for several neighbours, of which the highest value is seen. */
static bool draw_steps(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows who = chart_rows(c, in, ask, "ranks", 0);
	struct chart_rows r = chart_rows(c, in, ask, "rank_steps", 0);
	size_t *of, row;
	bool is_any = false;
	double *step;
	size_t nstep = steps_of(c, &r, &step, &of);

	if (nstep == 0)
		return chart_refuse(c, no_job);
	size_t each = (nstep + COLUMNS_MAX - 1) / COLUMNS_MAX;
	struct chart_panel *p = chart_heat(c, who.n, (nstep + each - 1) / each);
	for (p->nrow = 0; p->nrow < who.n; p->nrow++)
		p->row[p->nrow] = rank_name(c, &who, p->nrow);
	p->x.title = "step";
	p->z = AXIS("what others wait for it", UNIT_NS, .from_zero = true);
	for (size_t i = 0; i < nstep; i += each)
		chart_name(c, p, i / each,
			span_of(isnan(step[i]) ? "all" : arena_printf(&c->mem, "%.0f", step[i])));
	for (size_t i = 0; i < r.n; i++) {
		double v = rows_number(&r, i, "caused_ns");

		if (!rows_find(&who, "rank", rows_number(&r, i, "rank"), &row))
			continue;
		double *cell = &p->cell[row * p->nname + of[i] / each];
		*cell = MAX(v, *cell);
		is_any |= v > 0;
	}
	return is_any || chart_refuse(c, "nobody waits for anybody");
}

const struct chart_kind chart_kind_rank_steps = {
	.id = "rank-steps",
	.title = "Whom the others wait for, step by step",
	.doc = "A row for each rank, a column for each step: the darker, the longer others wait for "
	       "this rank, all of them together. A dark row is a straggler; dark cells here and "
	       "there are an imbalance that moves.",
	.source = "docs/definitions.md, ranks",
	.ask = { ranks },
	.note = verdict,
	.draw = draw_steps,
};

/* ---- rank by rank ---- */

/* What a matrix is made of: a table of pairs of ranks, its columns, and what it shows. */
struct matrix {
	const char *table, *row, *column, *value;
	const char *rows, *columns, *what; /* titles */
	enum unit unit;
	const char *why;
};

/* The ranks of a matrix, its rows and its columns. */
struct members {
	double *rank, *sum; /* what of the matrix is in their rows and columns */
	size_t n, all;
};

static void add_member(struct members *m, double rank, double v)
{
	size_t k;

	if (isnan(rank))
		return;
	if (!numbers_find(m->rank, m->n, rank, &k)) {
		m->rank[k] = rank;
		m->n++;
	}
	m->sum[k] += v;
}

/* All of them by number.  The one with the least gives way until few enough are left. */
static struct members members_of(
	struct chart *c, const struct chart_rows *r, const struct matrix *x)
{
	struct members m = { .n = 0 };
	size_t k, least;

	m.rank = arena_array(&c->mem, 2 * r->n + 1, sizeof(*m.rank));
	m.sum = arena_array(&c->mem, 2 * r->n + 1, sizeof(*m.sum));
	for (size_t i = 0; i < r->n; i++) {
		add_member(&m, rows_number(r, i, x->row), rows_number(r, i, x->value));
		add_member(&m, rows_number(r, i, x->column), rows_number(r, i, x->value));
	}
	for (m.all = m.n; m.n > MATRIX_MAX; m.n--) {
		for (least = 0, k = 1; k < m.n; k++)
			least = m.sum[k] < m.sum[least] ? k : least;
		m.rank[least] = m.rank[m.n - 1];
		m.sum[least] = m.sum[m.n - 1];
	}
	chart_sort(m.rank, m.n);
	return m;
}

static struct chart_panel *open_matrix(
	struct chart *c, const struct matrix *x, const struct members *m)
{
	struct chart_panel *p = chart_heat(c, m->n, m->n);

	p->x.title = x->columns;
	p->y.title = x->rows;
	p->z = AXIS(x->what, x->unit, .from_zero = true);
	p->is_plain = m->n > NUMBERS_MAX;
	p->nrow = m->n;
	for (size_t i = 0; i < m->n; i++) {
		p->row[i] = arena_printf(&c->mem, "rank %.0f", m->rank[i]);
		chart_name(c, p, i, span_of(arena_printf(&c->mem, "%.0f", m->rank[i])));
	}
	return p;
}

static bool draw_matrix(
	const struct answers *in, struct chart *c, const char *ask, const struct matrix *x)
{
	struct chart_rows r = chart_rows(c, in, ask, x->table, 0);
	struct members m = members_of(c, &r, x);

	if (m.n == 0)
		return chart_refuse(c, "%s", x->why);
	struct chart_panel *p = open_matrix(c, x, &m);
	for (size_t i = 0; i < r.n; i++) {
		size_t row, column;

		if (numbers_find(m.rank, m.n, rows_number(&r, i, x->row), &row) &&
			numbers_find(m.rank, m.n, rows_number(&r, i, x->column), &column))
			p->cell[row * m.n + column] += rows_number(&r, i, x->value);
	}
	if (m.n < m.all)
		chart_note(c, "%zu of %zu ranks, those with most", m.n, m.all);
	return true;
}

static bool draw_pairs(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows who = chart_rows(c, in, ask, "ranks", 0);
	const struct matrix waits = { "pairs", "rank", "for", "wait_ns", "who waits", "for whom",
		"waiting in a step", UNIT_NS, who.n ? "nobody waits for anybody" : no_job };

	return draw_matrix(in, c, ask, &waits);
}

const struct chart_kind chart_kind_rank_pairs = {
	.id = "rank-pairs",
	.title = "Who waits for whom",
	.doc = "A row for each rank that waits, a column for each that it waits for: the darker, the "
	       "longer, in the mean step and as far as nothing hides it. A dark column is a straggler; "
	       "a dark block is a group that waits for another. Of more than 64 ranks those that "
	       "wait or are waited for most.",
	.source = "docs/definitions.md, ranks",
	.ask = { ranks },
	.note = verdict,
	.draw = draw_pairs,
};

static bool draw_parts(const struct answers *in, struct chart *c, const char *ask)
{
	static const struct matrix parts = { "experts", "from", "to", "tokens", "from rank",
		"to rank", "tokens, all steps", UNIT_COUNT,
		"no all_to_all whose parts differ by rank" };

	if (!draw_matrix(in, c, ask, &parts))
		return false;
	/* Whose experts most tokens go to. */
	const struct chart_panel *p = &c->panel[0];
	size_t most = 0;
	double *to = arena_array(&c->mem, p->nname, sizeof(*to)), all = 0;
	for (size_t i = 0; i < p->nname; i++) {
		to[i] = SUM(double, k, p->nrow, p->cell[k * p->nname + i]);
		all += to[i];
		most = to[i] > to[most] ? i : most;
	}
	chart_note(c, "rank %s receives most: %.2f times the mean", p->whole[most],
		to[most] / all * (double)p->nname);
	return true;
}

const struct chart_kind chart_kind_a2a_heatmap = {
	.id = "a2a-heatmap",
	.title = "What all_to_all moves between each two ranks",
	.doc = "Tokens (rows) that go from the rank of the row to that of the column, as the split sizes of "
	       "all_to_all say: with experts there and back. A dark column has the experts "
	       "that most tokens go to.",
	.source = "docs/definitions.md, ranks",
	.ask = { ranks },
	.draw = draw_parts,
};

/* ---- ledgers ---- */

/* "rank 3, slow": what the answer says of it, too. */
static struct span call_rank(struct chart *c, const struct chart_rows *r, size_t i)
{
	struct span what = rows_word(r, i, "what");

	return span_of(arena_printf(&c->mem, "%s%s%.*s", rank_name(c, r, i), what.n ? ", " : "",
		(int)what.n, what.n ? what.p : ""));
}

const struct chart_kind chart_kind_rank_ledger = {
	.id = "rank-ledger",
	.title = "Where the step of each rank goes",
	.doc = "Each rank's mean step: compute, exposed communication divided into waiting for other "
	       "ranks and transfer, exposed copies, and idle time by what the host did. Who waits "
	       "least is who the others wait for; what it has more of than they is why.",
	.source = "docs/definitions.md, ranks",
	.ask = { ranks },
	.bars = { { "ranks", NULL, no_job, "time in the mean step", UNIT_NS,
		{ { "compute_ns", "compute", COLOR_COMPUTE },
			{ "wait_ns", "waiting for others", COLOR_WAIT },
			{ "transfer_ns", "transfer", COLOR_COMM },
			{ "exposed_memcpy_ns", "exposed copies", COLOR_COPY },
			{ "idle_dataloader_ns", "idle, data loader", COLOR_DATA },
			{ "idle_host_ns", "idle, host", COLOR_HOST },
			{ "idle_sync_ns", "idle, sync", COLOR_SYNC },
			{ "idle_other_ns", "idle, other", COLOR_IDLE } },
		.call = call_rank, .things = "ranks", .most = BARS_MAX, .is_bare = true } },
	.note = verdict,
};

const struct chart_kind chart_kind_dist_sync = {
	.id = "dist-sync",
	.title = "Transfer and waiting inside of collectives",
	.doc = "What each rank's exposed communication is, in the mean step: waiting until the last "
	       "rank has come to the collective, and the transfer from then on.",
	.source = "torch_tb_profiler, distributed view, synchronizing and communication",
	.ask = { ranks },
	.bars = { { "ranks", NULL, no_job, "exposed communication in the mean step", UNIT_NS,
		{ { "transfer_ns", "transfer", COLOR_COMM },
			{ "wait_ns", "waiting for others", COLOR_WAIT } },
		.call = call_rank, .things = "ranks", .most = BARS_MAX } },
	.note = verdict,
};

/* ---- collectives over time ---- */

/* A collective of several ranks. */
struct meet {
	double at, skew, last; /* when its last rank came, how long the first waited, who it was */
};

/* Collectives to whom the same rank came last. */
struct last {
	double rank;
	size_t n;
};

ORDER(by_often, struct last, compare3_down(a->n, b->n), compare3(a->rank, b->rank))

/* Rows of a collective follow each other. */
static size_t meets_of(struct chart *c, const struct chart_rows *r, struct meet **v)
{
	size_t n = 0;

	*v = arena_array(&c->mem, r->n, sizeof(**v));
	for (size_t i = 0; i < r->n; i++) {
		if (i == 0 || !rows_same(r, i - 1, i, "number"))
			(*v)[n++] = (struct meet){ NAN, 0, NAN };
		struct meet *m = &(*v)[n - 1];
		m->skew = fmax(m->skew, rows_number(r, i, "wait_ns"));
		if (!(rows_number(r, i, "is_last") > 0))
			continue;
		m->at = rows_number(r, i, "start_ns");
		m->last = rows_number(r, i, "rank");
	}
	return n;
}

static size_t count_last(struct chart *c, const struct meet *v, size_t n, struct last **last)
{
	size_t nlast = 0;

	*last = arena_array(&c->mem, n + 1, sizeof(**last));
	for (size_t i = 0; i < n; i++) {
		if (isnan(v[i].last))
			continue;
		size_t k = FIRST(w, nlast, (*last)[w].rank == v[i].last);
		(*last)[k].rank = v[i].last;
		(*last)[k].n++;
		nlast += k == nlast;
	}
	qsort(*last, nlast, sizeof(**last), by_often);
	return nlast;
}

/* Dots of the collectives to which a named rank came last, or, behind these, any other. */
static void put_dots(struct chart *c, struct chart_panel *p, const struct meet *v, size_t n,
	const struct last *named, size_t nnamed, size_t which)
{
	const char *title = which < nnamed
		? arena_printf(&c->mem, "rank %.0f comes last", named[which].rank)
		: "another comes last";
	struct chart_series *s = chart_series(
		c, p, MARK_POINTS, title, which < nnamed ? theme_series(which) : COLOR_IDLE, n);

	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (isnan(v[i].last) || FIRST(k, nnamed, named[k].rank == v[i].last) != which)
			continue;
		s->x[s->n] = v[i].at;
		s->y[s->n++] = v[i].skew;
	}
}

static bool draw_skew(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "arrivals", 0);
	struct meet *meet;
	struct last *last;
	size_t n = meets_of(c, &r, &meet), nlast = count_last(c, meet, n, &last);
	size_t named = MIN(nlast, LAST_MAX);

	if (nlast == 0)
		return chart_refuse(c, n ? "nobody comes last to any collective" : no_job);
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);
	p->x = AXIS("time since the first arrival", UNIT_NS);
	p->y = AXIS("from the first arrival to the last", UNIT_NS, .from_zero = true);
	for (size_t i = 0; i < named + (nlast > named); i++)
		put_dots(c, p, meet, n, last, named, i);
	chart_note(c, "rank %.0f comes last to %zu of %zu collectives", last[0].rank, last[0].n, n);
	return true;
}

const struct chart_kind chart_kind_arrival_skew = {
	.id = "arrival-skew",
	.title = "How far apart ranks come to collectives",
	.doc = "A dot for each collective of several ranks: when its last rank came, how long the first "
	       "had waited, and who was the last; the five that come last most often are named. One "
	       "colour on top is a straggler, many are an imbalance that moves.",
	.source = "TraceLens, collectives, skew in start time",
	.ask = { "ranks --list=arrivals" },
	.draw = draw_skew,
};

/* ---- who is waited for ---- */

static const struct bars in_collectives = {
	.axis = "time in collectives, summed",
	.unit = UNIT_NS,
	.part = { { "device_sum_ns", NULL, COLOR_COMM } },
};

/* Whom the job says; else of two the shorter one, where the difference is one, of more those that
 * stand out below. */
static bool is_straggler(
	const struct figures *f, size_t i, const struct answers *in, const struct chart_rows *r)
{
	int input = r->t[i]->input;
	bool is_slow;

	if (input >= 0 && answers_rank(in, r->result->input[input], &is_slow))
		return is_slow;
	if (f->s.nknown == 2)
		return i == standings_lowest(&f->s) && i != standings_highest(&f->s) &&
			f->v[standings_highest(&f->s)] - f->v[i] > figures_least(f);
	return f->v[i] < f->s.median && standings_is_out(&f->s, i);
}

static void note_straggler(struct chart *c, const struct figures *f, size_t n, size_t i)
{
	double others = f->s.nknown == 2 ? f->v[standings_highest(&f->s)] : f->s.median;

	if (n == 0)
		chart_note(c, "nobody is far below the others: no rank alone is waited for");
	else if (n > 1)
		chart_note(c, "%zu stragglers: the others wait for them", n);
	else if (others > f->v[i])
		chart_note(c, "%s is the straggler: it comes last, the others wait %s for it",
			f->name[i], chart_figure(c, others - f->v[i], UNIT_NS));
	else /* in another stage of a pipeline they wait for other things, too */
		chart_note(c, "%s is the straggler: the others wait for it", f->name[i]);
}

/* Stragglers' bars become those of a series of their own. */
static void mark(struct chart *c, struct chart_panel *p, const struct answers *in,
	const struct chart_rows *r)
{
	struct figures f;

	if (in->about.nleft > 0)
		chart_note(c,
			"%zu further ranks are not here: who is waited for, 'traceq ranks' says of all",
			in->about.nleft);
	if (in->about.nleft > 0 && in->about.nslow == 0) /* of a part nobody can tell */
		return;
	size_t n = 0, which = 0;

	figures_init(c, &f, 1, p->nname, UNIT_NS);
	struct chart_series *late = chart_series(
		c, p, MARK_LINE, "straggler: the others wait for it", COLOR_DATA, p->nname);
	struct chart_series *all = &p->series[0];
	for (size_t i = 0; i < p->nname; i++) {
		f.name[i] = p->whole[i];
		f.v[i] = all->y[i];
	}
	figures_judge(c, &f);
	for (size_t i = 0; i < p->nname; i++) {
		if (!is_straggler(&f, i, in, r))
			continue;
		late->y[i] = all->y[i];
		all->y[i] = NAN;
		which = i;
		n++;
	}
	p->is_stacked = true;
	if (n == 0)
		p->nseries--;
	note_straggler(c, &f, n, which);
}

static bool draw_straggler(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "devices", 0);
	size_t known = SUM(size_t, i, r.n, rows_number(&r, i, "device_sum_ns") > 0);

	if (known < 2)
		return chart_refuse(c,
			known ? "collectives of one rank only; give the traces of several ranks"
			      : "no collectives");
	struct chart_panel *p = bars_panel(c, PANEL_ROWS, &r, &in_collectives);
	p->things = "devices";
	mark(c, p, in, &r);
	return true;
}

const struct chart_kind chart_kind_straggler = {
	.id = "straggler",
	.title = "Time in collectives by rank",
	.doc = "A collective begins on each rank when that rank comes to it and ends for all of them "
	       "together: the rank that spends the least time in collectives is the one the "
	       "others wait for. It is marked where it is far from the others. It needs no common "
	       "clock.",
	.source = "TraceLens, straggler analysis",
	.ask = { "comms" },
	.draw = draw_straggler,
};
