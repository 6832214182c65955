/* `hang` without dumps: what NCCL's RAS says of the ranks of communicators.  It knows who answers
 * and how many collectives each has called; in which call they are it does not know. */
#include "analyze/analysis/row_limit.h"
#include "analyze/answer/hang/hang.h"
#include "analyze/trace/columns/record.h"

enum { PEOPLE_ROWS = 20, RANKS_SAID = 8 };

struct member {
	const struct table *t;
	size_t row;
	int64_t rank, behind;
	bool is_missing;
};

static int64_t trouble(const struct member *m)
{
	return m->is_missing ? INT64_MAX : m->behind;
}

/* Who is missing first, then who is furthest behind. */
ORDER(by_trouble, struct member, compare3(trouble(b), trouble(a)),
	span_cmp(table_text_at(a->t, a->row, MEMBER_GROUP),
		table_text_at(b->t, b->row, MEMBER_GROUP)),
	compare3(a->rank, b->rank))

static struct member *list_members(struct hang_job *job, size_t *n)
{
	const struct run *run;
	struct member *v = NULL;
	size_t cap = 0;

	*n = 0;
	for (size_t i = 0; i < job->q->nrun; i++) {
		if (query_open(job->q, i, &run, &(struct err){ 0 }) != OK)
			continue;
		const struct record *r = run ? run->record : NULL;
		for (size_t k = 0; r && k < r->nsheet; k++)
			for (size_t row = 0;
				r->sheet[k]->kind == SHEET_MEMBERS && row < r->sheet[k]->table.nrow;
				row++) {
				const struct table *t = &r->sheet[k]->table;

				ARENA_PUSH(&job->mem, v, *n, cap,
					(struct member){ t, row,
						table_int_at(t, row, MEMBER_RANK, -1),
						table_int_at(t, row, MEMBER_BEHIND, 0),
						!span_is(table_text_at(t, row, MEMBER_STATE),
							"answers") });
			}
		query_close(job->q, i);
	}
	return v;
}

/* What there is to say of ranks, one list each. */
enum trouble { MISSING, BEHIND, ODD };

/* The text of it; empty: this rank is none of these. */
static struct span trouble_text(const struct member *m, enum trouble what)
{
	const struct span none = { "", 0 };

	switch (what) {
	case MISSING: return m->is_missing ? table_text_at(m->t, m->row, MEMBER_STATE) : none;
	case BEHIND:
		return !m->is_missing && m->behind > 0 ? table_text_at(m->t, m->row, MEMBER_OP)
						       : none;
	case ODD: return table_text_at(m->t, m->row, MEMBER_ERROR);
	}
	return none;
}

/* "rank 1 of 0xae94 (dead)", "rank 2 of 0xae94 (5 AllReduce fewer)"; how many there are. */
static size_t say(struct str *b, const struct member *v, size_t n, enum trouble what)
{
	size_t said = 0;

	for (EACH(const struct member, m, v, n)) {
		struct span group = table_text_at(m->t, m->row, MEMBER_GROUP);
		struct span text = trouble_text(m, what);

		if (text.n == 0 || said++ >= RANKS_SAID)
			continue;
		str_addf(b, "%srank %lld of %.*s (", said > 1 ? ", " : "", (long long)m->rank,
			(int)group.n, group.p);
		if (what == BEHIND)
			str_addf(b, "%lld ", (long long)m->behind);
		str_addf(b, "%.*s%s)", (int)text.n, text.p, what == BEHIND ? " fewer" : "");
	}
	if (said > RANKS_SAID)
		str_addf(b, " and %zu more", said - RANKS_SAID);
	return said;
}

static void put_verdict(struct hang_job *job, const struct member *v, size_t n)
{
	static const struct {
		const char *kind, *one, *many;
	} words[] = {
		[MISSING] = { "missing", " does not answer", " do not answer" },
		[BEHIND] = { "late", " has called fewer than others",
			" have called fewer than others" },
		[ODD] = { "status", " is not as it should be", " are not as they should be" },
	};
	struct table *t = result_table_of(job->out, &hang_docs[HANG_CAUSES]);

	t->layout = TABLE_LINE;
	for (size_t i = 0; i < COUNT_OF(words); i++) {
		SCOPED_STR ranks = { 0 };
		size_t found = say(&ranks, v, n, (enum trouble)i);

		if (found == 0)
			continue;
		table_row(t);
		table_textf(t, CAUSE_VERDICT, "%s%s", ranks.s,
			found > 1 ? words[i].many : words[i].one);
		table_text(t, CAUSE_KIND, span_of(words[i].kind));
	}
	if (t->nrow > 0)
		return;
	table_row(t);
	table_textf(t, CAUSE_VERDICT,
		"all %zu ranks answer, and have called as many collectives as the others", n);
	table_text(t, CAUSE_KIND, SPAN("none"));
}

bool hang_put_members(struct hang_job *job)
{
	const struct hang_options *o = job->q->opts;
	size_t n, limit = rows_limit(job->q, o->limit, PEOPLE_ROWS, SIZE_MAX);
	struct member *v = list_members(job, &n);

	if (n == 0)
		return false;
	qsort(v, n, sizeof(*v), by_trouble);
	put_verdict(job, v, n);
	struct table *t = result_table_of(job->out, &hang_docs[HANG_MEMBERS]);
	for (size_t i = 0; i < n && i < limit; i++)
		table_row_of(t, v[i].t, v[i].row);
	if (n > limit)
		rows_cut(t, MEMBER_STATE, n - limit);
	result_note(job->out, NOTE_INFO, "hang_of_ras", -1, -1,
		"NCCL's RAS says who answers and how many collectives each rank has called, at one "
		"moment; in which call it is, and whether one that is behind still goes on, is in "
		"no file here");
	return true;
}
