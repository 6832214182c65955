/* What repairs of a job would bring: which are said, and what saves most. */
#include "analyze/analysis/job_repairs.h"

#include "base/table_row.h"
#include "base/unit.h"

#define TABLES_DEF     "analyze/analysis/job_repairs_tables.def"
#define TABLES_LINKAGE /* columns_... are shared */
#include "base/table_rows_impl.h"

static const double EXPLAINED = 0.9;     /* of the steps, by work alone: gaps may be dropped */
static const double HOST_LEAST = 0.1;    /* of what ranks idle, by their hosts: they may not */
static const double LEAST_GAPS = 0.05;   /* of the steps: that is said for itself */
static const double LEAST_SAVED = 0.005; /* of the steps: a repair that is said */

/* Whether hardly any idle time is the hosts': all else was launched before. */
static bool is_launched(const struct job_ledgers *l)
{
	double idle = 0, dependency = 0;

	for (size_t i = 0; i < l->n; i++) {
		for (int p = PART_IDLE_DATA; p < PART_COUNT; p++)
			idle += l->v[i].part[p];
		dependency += l->v[i].part[PART_IDLE_DEPENDENCY];
	}
	return idle - dependency < HOST_LEAST * idle;
}

/* What a repair saves where gaps are dropped; 0: it is not known. */
static nsec saves_most(const struct job_repairs *j, enum job_repair r)
{
	const struct job_bounds *b = &j->bounds;
	bool is_told = b->is_known &&
		((double)b->dropped[JOB_REPAIR_NONE] >= EXPLAINED * (double)b->now ||
			is_launched(&j->facts->ledgers));

	return is_told ? MAX(b->now - b->dropped[r], 0) : 0;
}

/* A row: what is saved from and to, `to` 0 if it is not known. */
static void put_if(struct job_repairs *j, nsec saves, nsec most)
{
	const double steps = (double)j->bounds.nstep;

	if (!j->table)
		j->table = result_table_of(j->out, &repairs_docs[REPAIRS_JOB]);
	TABLE_ROW(j->table, [RREPAIR_SAVES] = cell_int(saves),
		[RREPAIR_SAVES_STEP] = cell_real((double)saves / steps),
		[RREPAIR_SHARE] = cell_ratio(saves, j->bounds.now),
		[RREPAIR_NOW] = cell_real((double)j->bounds.now / steps),
		[RREPAIR_THEN] = cell_real((double)(j->bounds.now - saves) / steps));
	if (most > 0)
		TABLE_CELLS(j->table, [RREPAIR_MOST] = cell_int(most),
			[RREPAIR_MOST_STEP] = cell_real((double)most / steps),
			[RREPAIR_MOST_SHARE] = cell_ratio(most, j->bounds.now),
			[RREPAIR_MOST_THEN] = cell_real((double)(j->bounds.now - most) / steps));
}

/* Slow ranks as fast as the others.  stragglers: it is them, and what it saves is kept. */
static void put_change(struct job_repairs *j, const struct job_as_fast *fast, uint32_t first,
	size_t n, bool stragglers)
{
	nsec saves = MAX(j->bounds.kept[JOB_REPAIR_NONE] - fast->then, 0);
	nsec most = stragglers ? saves_most(j, JOB_REPAIR_SLOW) : 0;

	if (fast->compared <= 0 && most <= 0)
		return;
	most = most > 0 ? MAX(saves, most) : 0;
	put_if(j, saves, most);
	TABLE_CELLS(j->table, [RREPAIR_RANK] = cell_count(j->facts->job->rank[first].rank),
		[RREPAIR_COMPARED] = cell_real(fast->compared),
		[RREPAIR_SAYS] = n > 1
			? cell_textf(j->table, "the %zu slow ranks as fast as the others", n)
			: cell_textf(j->table, "rank %" PRId64 " as fast as the others",
				  j->facts->job->rank[first].rank));
	if (!stragglers)
		return;
	j->nslow = n;
	j->saves = saves;
	j->most = most;
}

/* Whether a repair is said: one that was asked for, else that of a stage, to machines all, and to
 * people each that saves more than dropping gaps does alone, and that if it saves much. */
static bool is_said(const struct job_repairs *j, enum job_repair r, nsec saves, nsec most)
{
	nsec more = r == JOB_REPAIR_NONE ? most : most - saves_most(j, JOB_REPAIR_NONE);
	double least = r == JOB_REPAIR_NONE ? LEAST_GAPS : LEAST_SAVED;

	if (r == JOB_REPAIR_SLOW || (r == JOB_REPAIR_STAGE && j->bounds.stage == JOB_NO_STAGE))
		return false;
	if (j->is_asked)
		return j->asked >> r & 1;
	return r == JOB_REPAIR_STAGE || !j->for_people ||
		MAX(saves, more) >= saturate_whole(least * (double)j->bounds.now);
}

/* The straggler, and the rank by itself if that is another. */
void job_repairs_put(struct job_repairs *j, struct result *out, struct arena *mem)
{
	bool *slow = arena_array(mem, j->facts->job->nrank, sizeof(*slow));
	const struct job_why *w = job_why_straggler(j->why);
	bool is_there = w->state == JOB_STRAGGLER && w->rank < j->facts->job->nrank;

	j->out = out;
	if (!j->for_people)
		j->table = result_table_of(out, &repairs_docs[REPAIRS_JOB]);
	if (is_there) {
		slow[w->rank] = true;
		for (size_t i = 0; i < w->nalso; i++)
			slow[w->also[i]] = true;
	}
	job_bounds(&j->bounds, j->facts, j->work, slow, j->alone, j->threads, mem);
	if (!j->bounds.is_known)
		return;
	if (is_there && (!j->is_asked || j->asked >> JOB_REPAIR_SLOW & 1))
		put_change(j, &j->bounds.slow, w->rank, 1 + w->nalso, true);
	for (int r = JOB_REPAIR_NONE; r < JOB_REPAIR_COUNT; r++) {
		nsec most = saves_most(j, (enum job_repair)r);
		nsec saves = MAX(j->bounds.kept[JOB_REPAIR_NONE] - j->bounds.kept[r], 0);
		if (!is_said(j, (enum job_repair)r, saves, most))
			continue;
		put_if(j, saves, most > 0 ? MAX(saves, most) : 0);
		TABLE_CELLS(j->table,
			[RREPAIR_SAYS] = r == JOB_REPAIR_STAGE
				? cell_textf(j->table, "stage %u computes as the mean one",
					  (unsigned)j->bounds.stage)
				: cell_word(job_repair_what((enum job_repair)r)));
	}
	if (j->alone < j->facts->job->nrank && (j->is_asked ? j->is_alone_asked : !slow[j->alone]))
		put_change(j, &j->bounds.alone, j->alone, 1, false);
}

/* "between 0.2% and 49.3% less (81.72 ms to 22.85 s a step): ...; 49.3% if idle ..." */
bool job_repairs_say(struct str *b, const struct job_repairs *j)
{
	const double now = (double)j->bounds.now, steps = (double)j->bounds.nstep;
	nsec most = MAX(j->saves, j->most);
	bool has_both = (double)(j->most - j->saves) >= LEAST_SAVED * now;

	if (most <= 0)
		return false;
	if (has_both)
		str_addf(b, "between %s and ", IN_PERCENT((double)j->saves / now));
	str_addf(b, "%s less (", IN_PERCENT((double)most / now));
	if (has_both)
		str_addf(b, "%s to ", IN_TIME((double)j->saves / steps));
	str_addf(b, "%s%s): the slow %s as fast as the others", IN_TIME((double)most / steps),
		j->facts->job->rank[0].digest->has_steps ? " a step" : "",
		plural(j->nslow, "rank", "ranks"));
	if (has_both)
		str_addf(b, "; %s if idle of the others is only waiting for %s",
			IN_PERCENT((double)most / now), plural(j->nslow, "it", "them"));
	return true;
}
