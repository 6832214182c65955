/* `timeline` of a job: what each of its ranks computes when, on one clock. */
#include "analyze/answer/timeline/timeline.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/analysis/pagecells.h"
#include "base/unit.h"

/* Rows of one device in a rank's own table. */
struct rank_lane {
	const struct table *t;
	size_t from, to;
	uint32_t rank; /* place in job.rank */
	nsec first, last;
};

struct rank_lanes {
	const struct job *job;
	struct rank_lane *v;
	size_t n;
	nsec first, last;
	bool is_common; /* all are on one clock */
	nsec uncertainty;
};

static bool is_one_clock(const struct job *j, nsec *uncertainty)
{
	*uncertainty = 0;
	for (size_t i = 0; i < j->nrank; i++) {
		const struct job_clock *c = &j->rank[i].clock;

		if (!c->is_known || c->island != j->rank[0].clock.island)
			return false;
		*uncertainty = MAX(c->uncertainty, *uncertainty);
	}
	return true;
}

/* When a slice begins: on the clock of all, else since the first work of its own device. */
static nsec begin_of(const struct rank_lanes *l, const struct rank_lane *lane, size_t row)
{
	if (!l->is_common)
		return table_int_at(lane->t, row, TLINE_AT, 0);
	return job_time(
		&l->job->rank[lane->rank].clock, table_int_at(lane->t, row, TLINE_CLOCK, 0));
}

/* The devices of a rank's table. */
static void add_table(struct rank_lanes *l, const struct table *t, uint32_t rank)
{
	size_t to;

	for (size_t from = 0; from < t->nrow; from = to) {
		for (to = from + 1; to < t->nrow &&
			table_int_at(t, to, TLINE_DEVICE, 0) ==
				table_int_at(t, from, TLINE_DEVICE, 0);
			to++)
			continue;
		struct rank_lane *lane = &l->v[l->n++];
		*lane = (struct rank_lane){ .t = t, .from = from, .to = to, .rank = rank };
		lane->first = begin_of(l, lane, from);
		lane->last = saturate_add(
			begin_of(l, lane, to - 1), table_int_at(t, to - 1, TLINE_LENGTH, 0));
		l->first = l->n == 1 || lane->first < l->first ? lane->first : l->first;
		l->last = l->n == 1 || lane->last > l->last ? lane->last : l->last;
	}
}

static bool find_rank(const struct jobpage *p, int input, uint32_t *place)
{
	if (input < 0 || (size_t)input >= p->n || p->rank[input] == FOLD_NO_RANK)
		return false;
	for (uint32_t i = 0; i < p->job.nrank; i++) {
		if (p->job.rank[i].rank == p->rank[input]) {
			*place = i;
			return true;
		}
	}
	return false;
}

/* A share over all of the lane's slices. */
static double mean_of(const struct rank_lane *lane, size_t col)
{
	double sum = 0, length = 0;

	for (size_t row = lane->from; row < lane->to; row++) {
		double ns = (double)table_int_at(lane->t, row, TLINE_LENGTH, 0);

		sum += ns * table_number_at(lane->t, row, col);
		length += ns;
	}
	return length > 0 ? sum / length : NAN;
}

/* "what runs when, in 285.0 ms, on one clock +- 504 ns" */
static const char *title_of(const struct rank_lanes *l, struct result *out)
{
	struct arena *mem = &out->keep;
	const char *length = unit_time(mem, (double)saturate_sub(l->last, l->first));

	if (l->is_common)
		return arena_printf(mem, "what runs when, in %s, on one clock +- %s", length,
			unit_time(mem, (double)l->uncertainty));
	return arena_printf(mem, "what runs when, in %s, each since its own first work", length);
}

/* ---- the picture ---- */

/* A row of a rank's marks, on the clock of all. */
static void copy_mark(const struct rank_lanes *l, const struct table *from, size_t row,
	uint32_t rank, struct table *t)
{
	static const size_t same[] = { TMARK_SORT, TMARK_KIND, TMARK_NAME, TMARK_LENGTH, TMARK_BUSY,
		TMARK_PIECES };
	nsec at = table_int_at(from, row, TMARK_AT, 0);
	struct span lane = table_text_at(from, row, TMARK_LANE);

	if (l->is_common)
		at = job_time(&l->job->rank[rank].clock, table_int_at(from, row, TMARK_CLOCK, 0));
	TABLE_ROW(t,
		[TMARK_LANE] = CELL_IF(lane.n > 0,
			cell_textf(t, "rank %" PRId64 ", %.*s", l->job->rank[rank].rank,
				(int)lane.n, lane.p)));
	for (size_t i = 0; i < COUNT_OF(same); i++)
		pagecells_copy(t, same[i], from, row, same[i]);
	table_int(t, TMARK_AT, saturate_sub(at, l->first));
}

static void put_picture(const struct jobpage *p, const struct rank_lanes *l,
	const struct result *kept, struct result *out)
{
	const struct table_doc *doc = &timeline_docs[TIMELINE_MARKS];
	struct table *t = result_table(out, doc->id, title_of(l, out), doc->col, doc->ncol);
	bool is_first = true;
	uint32_t rank;

	t->input = -1;
	t->layout = TABLE_LANES;
	TABLE_ROW(t, [TMARK_SORT] = cell_word("whole"), [TMARK_AT] = cell_int(0),
		[TMARK_LENGTH] = cell_int(saturate_sub(l->last, l->first)));
	for (size_t i = 0; i < kept->ntable; i++) {
		if (strcmp(kept->table[i]->id, doc->id) != 0 ||
			!find_rank(p, kept->table[i]->input, &rank))
			continue;
		/* Devices of a rank; steps of the first one, which the others have at about that
		 * time. */
		for (size_t row = 0; row < kept->table[i]->nrow; row++) {
			struct span sort = table_text_at(kept->table[i], row, TMARK_SORT);
			if (span_is(sort, "device") || (is_first && span_is(sort, "step")))
				copy_mark(l, kept->table[i], row, rank, t);
		}
		is_first = false;
	}
}

void timeline_put_ranks(const struct jobpage *p, const struct result *kept, struct result *out)
{
	struct rank_lanes l = { .job = &p->job };
	uint32_t rank;

	l.is_common = is_one_clock(&p->job, &l.uncertainty);
	size_t rows = SUM(size_t, i, kept->ntable, kept->table[i]->nrow);
	l.v = arena_array(&out->mem, rows, sizeof(*l.v));
	for (size_t i = 0; i < kept->ntable; i++)
		if (strcmp(kept->table[i]->id, timeline_docs[TIMELINE_DEVICES].id) == 0 &&
			find_rank(p, kept->table[i]->input, &rank))
			add_table(&l, kept->table[i], rank);
	if (l.n == 0)
		return;
	struct table *t = result_table_of(out, &timeline_docs[TIMELINE_RANKS]);
	t->input = -1;
	for (size_t i = 0; i < l.n; i++)
		TABLE_ROW(t, [TRANKS_RANK] = cell_int(l.job->rank[l.v[i].rank].rank),
			[TRANKS_WHAT] =
				CELL_IF(job_why_is_slow(&p->why, l.v[i].rank), cell_word("slow")),
			[TRANKS_DEVICE] =
				cell_int(table_int_at(l.v[i].t, l.v[i].from, TLINE_DEVICE, 0)),
			[TRANKS_COMPUTE] = cell_real(mean_of(&l.v[i], TLINE_COMPUTE)),
			[TRANKS_COMM] = cell_real(mean_of(&l.v[i], TLINE_COMM)),
			[TRANKS_AT] = cell_int(saturate_sub(l.v[i].first, l.first)));
	put_picture(p, &l, kept, out);
}
