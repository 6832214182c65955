/* `comms` without a trace: collectives as NCCL's Inspector and Ascend's profiler wrote them. */
#include "analyze/analysis/row_limit.h"
#include "analyze/answer/comms/comms.h"
#include "analyze/trace/columns/record.h"
#include "base/unit.h"

enum { PEOPLE_ROWS = 20 };

/* A rank that spends so much less of the mean than each other in the same calls came last. */
#define CLEARLY 0.1

/* A row of a sheet; of one collective those of its ranks lie side by side. */
struct recorded_row {
	const struct table *t;
	size_t row;
	double ns;
};

static struct span text_of(const struct recorded_row *r, size_t col)
{
	return table_text_at(r->t, r->row, col);
}

static int64_t whole_of(const struct recorded_row *r, size_t col)
{
	return table_int_at(r->t, r->row, col, -1);
}

ORDER(by_time, struct recorded_row, compare3(b->ns, a->ns),
	span_cmp(text_of(a, MCOMM_GROUP), text_of(b, MCOMM_GROUP)),
	span_cmp(text_of(a, MCOMM_OP), text_of(b, MCOMM_OP)),
	compare3(whole_of(a, MCOMM_BYTES), whole_of(b, MCOMM_BYTES)),
	compare3(whole_of(a, MCOMM_RANK), whole_of(b, MCOMM_RANK)))

ORDER(by_collective, struct recorded_row,
	span_cmp(text_of(a, MCOMM_GROUP), text_of(b, MCOMM_GROUP)),
	span_cmp(text_of(a, MCOMM_OP), text_of(b, MCOMM_OP)),
	compare3(whole_of(a, MCOMM_BYTES), whole_of(b, MCOMM_BYTES)), compare3(a->ns, b->ns),
	compare3(whole_of(a, MCOMM_RANK), whole_of(b, MCOMM_RANK)))

static bool is_same(const struct recorded_row *a, const struct recorded_row *b)
{
	return span_eq(text_of(a, MCOMM_GROUP), text_of(b, MCOMM_GROUP)) &&
		span_eq(text_of(a, MCOMM_OP), text_of(b, MCOMM_OP)) &&
		whole_of(a, MCOMM_BYTES) == whole_of(b, MCOMM_BYTES);
}

/* What nobody wrote is not seen. */
static uint64_t visible_columns(const struct recorded_row *r, size_t n)
{
	uint64_t seen = ~COLUMN_SET(MCOMM_MIN, MCOMM_MAX, MCOMM_TIMING);

	for (size_t col = 0; col < MCOMM_COLUMNS; col++)
		if (!ANY(i, n, table_cell(r[i].t, r[i].row, col) != NULL))
			seen &= ~(UINT64_C(1) << col);
	return seen;
}

/* All ranks of the collective are there, once, with as many calls. */
static bool is_whole(const struct recorded_row *r, size_t n)
{
	return n > 1 && whole_of(r, MCOMM_RANKS) == (int64_t)n && whole_of(r, MCOMM_RANK) >= 0 &&
		ALL(i, n,
			whole_of(&r[i], MCOMM_CALLS) == whole_of(r, MCOMM_CALLS) &&
				(i == 0 ||
					whole_of(&r[i], MCOMM_RANK) !=
						whole_of(&r[i - 1], MCOMM_RANK)));
}

static double mean_of(const struct recorded_row *r, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += r[i].ns;
	return sum / (double)n;
}

/* Of one collective, its ranks by time; a send has no other rank in it, and some files do not say
 * how many there are. */
static void say_last(struct perrun *at, const struct recorded_row *r, size_t n)
{
	struct span op = text_of(r, MCOMM_OP), group = text_of(r, MCOMM_GROUP);

	if (commclass_of(op) == COMM_SEND || commclass_of(op) == COMM_RECV ||
		whole_of(r, MCOMM_RANKS) < 0)
		return;
	if (!is_whole(r, n)) {
		result_note(at->out, NOTE_INFO, "last_unknown", at->input, (int64_t)n,
			"%.*s of %.*s: %zu of %lld ranks are there, or with other counts of calls: "
			"which comes last is not known",
			(int)op.n, op.p, (int)group.n, group.p, n,
			(long long)whole_of(r, MCOMM_RANKS));
		return;
	}
	double less = (r[1].ns - r[0].ns) / (double)whole_of(r, MCOMM_CALLS);
	if (!(r[1].ns - r[0].ns > CLEARLY * mean_of(r, n))) {
		result_note(at->out, NOTE_INFO, "last_unknown", at->input, (int64_t)n,
			"%.*s of %.*s: no rank spends clearly less time in it than the others: none "
			"comes last by that",
			(int)op.n, op.p, (int)group.n, group.p);
		return;
	}
	result_note(at->out, NOTE_INFO, "comes_last", at->input, whole_of(r, MCOMM_RANK),
		"%.*s of %.*s: rank %lld comes last: in the same %lld calls it spends %s less a call "
		"than any other rank, and those wait for it; start times are not recorded",
		(int)op.n, op.p, (int)group.n, group.p, (long long)whole_of(r, MCOMM_RANK),
		(long long)whole_of(r, MCOMM_CALLS), unit_time(&at->mem, less));
}

enum status comms_record(struct perrun *at, const struct comms_options *o)
{
	const struct record *rec = at->run->record;
	struct recorded_row *r = NULL;
	size_t n = 0, cap = 0, end;

	for (size_t i = 0; i < rec->nsheet; i++)
		for (size_t k = 0;
			rec->sheet[i]->kind == SHEET_COMMS && k < rec->sheet[i]->table.nrow; k++)
			ARENA_PUSH(&at->mem, r, n, cap,
				(struct recorded_row){ &rec->sheet[i]->table, k,
					table_number_at(&rec->sheet[i]->table, k, MCOMM_TOTAL) });
	if (n == 0) {
		(void)err_set(at->e, E_NODATA, -1, "%s has no trace and no table of collectives",
			at->run->path);
		return record_hint(rec, false, at->e);
	}
	qsort(r, n, sizeof(*r), by_time);
	struct table *t = perrun_table_seen(at, &comms_docs[COMMS_RECORDED], visible_columns(r, n));
	size_t limit = rows_limit(at->q, o->limit, PEOPLE_ROWS, SIZE_MAX);
	for (size_t i = 0; i < n && i < limit; i++)
		table_row_of(t, r[i].t, r[i].row);
	if (n > limit)
		rows_cut(t, MCOMM_OP, n - limit);
	qsort(r, n, sizeof(*r), by_collective);
	for (size_t i = 0; i < n; i = end) {
		end = FIRST_FROM(k, i + 1, n, !is_same(&r[i], &r[k]));
		say_last(at, r + i, end - i);
	}
	return OK;
}
