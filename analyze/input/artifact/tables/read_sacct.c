/* What Slurm's accounting prints (sacct -p, -P): a row a job or step, cells between bars.  Figures
 * are series of the job's or step's number and name, in the columns' own units: times as
 * [days-]h:m:s, memory by suffix in powers of 1024, raw energy in joules. */
#include <stdio.h>

#include "analyze/input/artifact/artifact.h"
#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/artifact/tables/csv_cells.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

enum { GROUP_BYTES = 200 };

static const double ENERGY_MAX = 1e18; /* beyond: 2^64 - 2, not known */

enum kind { KIND_TIME, KIND_SECONDS, KIND_BYTES, KIND_COUNT, KIND_ENERGY };

static const struct {
	const char *columns;
	enum kind kind;
} kinds[] = {
	{ "Elapsed|CPUTime|TotalCPU|UserCPU|SystemCPU|AveCPU|MinCPU|Planned|Suspended", KIND_TIME },
	{ "ElapsedRaw|CPUTimeRAW", KIND_SECONDS },
	{ "MaxRSS|AveRSS|MaxVMSize|AveVMSize|MaxDiskRead|AveDiskRead|MaxDiskWrite|AveDiskWrite",
		KIND_BYTES },
	{ "NNodes|AllocNodes|NCPUS|AllocCPUS|NTasks|MaxPages|AvePages", KIND_COUNT },
	{ "ConsumedEnergyRaw", KIND_ENERGY },
};

struct sacct {
	struct reading *in;
	struct csv_row heading;
	char (*name)[64]; /* of the heading's cells */
	size_t n;
	struct passed failed;
};

/* "1-02:03:04.5", "02:03", in seconds. */
static bool time_of(struct span text, double *s)
{
	struct span days, rest, part;
	double v, sum = 0;
	int parts = 0;

	*s = 0;
	if (!span_cut(text, '-', &days, &rest))
		rest = text;
	else if (!real_of(days, s))
		return false;
	for (bool more = true; more; parts++) {
		more = span_cut(rest, ':', &part, &rest);
		if (!real_of(part, &v) || !(v >= 0) || parts == 3)
			return false;
		sum = sum * 60 + v;
	}
	*s = *s * 86400 + sum;
	return parts >= 2;
}

static void put(struct sacct *s, struct span name, struct span group, enum measure m, double v)
{
	reading_repeat(s->in, name, group, m, v);
	reading_artifact(s->in)->rows++;
}

static void take_cell(struct sacct *s, const char *name, struct span cell, struct span group)
{
	size_t k = FIRST(i, COUNT_OF(kinds), span_in(span_of(name), kinds[i].columns));
	enum measure m = MEASURE_BYTE;
	double v = NAN;
	const char *gpus;

	if (span_is(span_of(name), "AllocTRES") &&
		(gpus = memmem(cell.p, cell.n, "gres/gpu=", 9)) &&
		real_of(span_before(span_between(gpus + 9, cell.p + cell.n), ','), &v))
		put(s, SPAN("GPUs"), group, MEASURE_COUNT, v);
	if (k == COUNT_OF(kinds) || cell.n == 0)
		return;
	switch (kinds[k].kind) {
	case KIND_TIME:
		if (time_of(cell, &v)) /* "elapsed" alone is a clock */
			put(s, strcmp(name, "Elapsed") == 0 ? SPAN("Elapsed time") : span_of(name),
				group, MEASURE_S, v);
		return;
	case KIND_BYTES:
		if (log_value_of(cell, SPAN("memory"), &m, &v))
			put(s, span_of(name), group, m, v);
		return;
	case KIND_SECONDS: m = MEASURE_S; break;
	case KIND_COUNT: m = MEASURE_COUNT; break;
	case KIND_ENERGY: m = MEASURE_NONE; break;
	}
	if (!real_of(cell, &v) || v > ENERGY_MAX)
		return;
	put(s, kinds[k].kind == KIND_ENERGY ? SPAN("ConsumedEnergyRaw (J)") : span_of(name), group,
		m, v);
}

static struct span cell_of(const struct sacct *s, const struct csv_row *row, const char *name)
{
	size_t i = FIRST(k, s->n, strcmp(s->name[k], name) == 0);

	return i < row->n && i < s->n ? row->cell[i] : SPAN("");
}

static void take_heading(struct sacct *s, const struct csv_row *row)
{
	s->name = arena_array(&s->in->mem, row->n, sizeof(*s->name));
	for (; s->n < row->n; s->n++)
		(void)snprintf(s->name[s->n], sizeof(s->name[0]), "%.*s",
			(int)MIN(row->cell[s->n].n, sizeof(s->name[0])), row->cell[s->n].p);
}

static void take_job(struct sacct *s, const struct csv_row *row, int64_t offset)
{
	struct span id = cell_of(s, row, "JobID"), name = cell_of(s, row, "JobName");
	struct span state = cell_of(s, row, "State");
	char group[GROUP_BYTES];

	if (id.n == 0)
		id = cell_of(s, row, "JobIDRaw");
	int n = snprintf(group, sizeof(group), "%.*s%s%.*s", (int)MIN(id.n, 64), id.p,
		name.n ? " " : "", (int)MIN(name.n, 100), name.p);
	for (size_t i = 0; i < row->n && i < s->n; i++)
		take_cell(s, s->name[i], row->cell[i], (struct span){ group, (size_t)n });
	if (state.n > 0 && !span_starts_in(state, "COMPLETED|RUNNING|PENDING"))
		passed_add(&s->failed, offset);
}

static enum took take_line(void *ctx, struct span line, const struct lines *l)
{
	struct sacct *s = ctx;
	struct csv_row *row = &s->heading;

	line = span_trim(line);
	if (line.n == 0)
		return TOOK;
	csv_split(line, '|', row, NULL);
	if (s->n == 0)
		take_heading(s, row);
	else if (row->n != s->n)
		return TOOK_ALIEN;
	else
		take_job(s, row, l->offset);
	return TOOK;
}

static void end(void *state)
{
	const struct sacct *s = state;

	reading_passed(s->in, NOTE_WARNING, "failed_jobs", &s->failed,
		"job{|s} or step{|s} did not complete, by what State says; {it is|they are} in the figures");
}

static enum match probe(const struct head *h)
{
	return h->form == HEAD_TEXT && span_has(h->line, "|") &&
			span_has_in(h->line, "JobID|JobIDRaw") &&
			span_has_in(h->line, "State|Elapsed|ConsumedEnergyRaw|MaxRSS")
		? MATCH_STRONG
		: MATCH_NO;
}

const struct artifact artifact_sacct = {
	.name = "sacct",
	.title = "accounting of jobs (Slurm)",
	.summary = "sacct -p or -P: times, memory and energy of jobs and steps",
	.probe = probe,
	TAKES_LINES(struct sacct, take_line),
	.end = end,
	.alien = CSV_ALIEN,
	.none = "no job in it",
};
