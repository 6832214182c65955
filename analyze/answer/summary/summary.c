/*
 * `summary`: a run on one screen.  The order of work.
 */
#include "analyze/answer/summary/summary.h"

#include "analyze/measure/optree.h"
#include "analyze/query/perrun.h"
#include "analyze/query/notes.h"
#include "analyze/query/shared.h"
#include "analyze/trace/run.h"
#include "analyze/trace/steps.h"
#include "base/opt.h"
#include "base/saturate.h"

#define AT(field) offsetof(struct summary_options, field)
static const struct opt options[] = {
	OPT("limit", 'n', OPT_INT, "N", "rows of the table of bottlenecks; 0 = all [3]", AT(limit),
		NULL, "row-limit"),
};
#undef AT

static void set_defaults(void *opts)
{
	((struct summary_options *)opts)->limit = -1;
}

/* Roles over the steps looked at. */
static void sum_roles(struct summary *s)
{
	size_t i;
	int k;

	for (i = 0; i < s->stat.n; i++)
		for (k = 0; k < ROLE_COUNT; k++)
			saturate_onto(&s->role[k], (nsec)s->roles.step[s->stat.step[i]].ns[k]);
}

static void collect(struct summary *s)
{
	struct perrun *at = s->at;
	unsigned kinds = optree_kinds(at->run);
	int k;

	for (k = 0; k < KIND_COUNT; k++)
		s->has_host |= (kinds >> k & 1) && at->run->kind_count[k] > 0;
	stepstat_init(&s->stat, at->run, &at->view, &at->mem);
	classes_init(&s->classes, at->run, &at->mem);
	shared_ledgers(at->shared, &s->ledgers, at->run, &s->classes, &at->view, &at->mem);
	shared_roles(at->shared, &s->roles, at->run, &s->classes, &at->view, &at->mem);
	sum_roles(s);
	summary_collect_device(s);
	summary_collect_host(s);
	summary_judge(s);
}

static enum status answer_run(struct perrun *at)
{
	struct summary s = { .at = at, .o = at->q->opts };

	collect(&s);
	notes_add_steps(at->out, at->run, at->input, &s.ledgers);
	summary_overview_table(&s);
	summary_device_tables(&s);
	summary_phase_table(&s);
	summary_ratio_tables(&s);
	summary_bottleneck_table(&s);
	summary_launch_table(&s);
	return OK;
}

const struct analysis analysis_summary = {
	.name = "summary",
	.summary = "a run on one screen: steps, devices, phases, ratios, the top bottlenecks",
	.help.doc =
		"How long a step takes and how much that varies; what each device does in it (computing, "
		"exposed communication and copies, idle: they add up to the step), and how well kernels "
		"fill it; CPU self time by phase; the CPU/GPU ratio and the share of copies, by the "
		"formulas in use and by ones that count nothing twice; launches; the peak of memory; the "
		"largest bottlenecks.\n\n"
		"The primary bottleneck is the largest of four classes that the time of the steps is "
		"split into. Compute: a kernel runs that computes. Memory: a kernel that only copies or "
		"casts, a set, a copy within the device. I/O: else a copy to or from the host, a "
		"collective, or data loading. CPU: else; runtime calls, operators, or nothing that was "
		"recorded. Kernels go before copies, these before the rest, as in the roles of 'steps'. "
		"Compute is not primary while devices are busy for less than 80% of the steps: then "
		"they wait, and the largest of the others says for what.",
	.help.source = "docs/definitions.md",
	.help.examples = "traceq summary trace.json.gz\ntraceq summary rank*.json.gz --steps 5-9\n"
			 "traceq summary --json trace.json.gz",
	.runs.needs = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS | NEED_KERNEL | NEED_MEMORY,
	.options.ignores = FILTER_MATCH | FILTER_EXCLUDE,
	.shares = SHARED_BIT(ROLES) | SHARED_BIT(LEDGERS) | SHARED_BIT(EFFICIENCY) |
		SHARED_BIT(DEVTIME),
	.weight = 4,
	.runs.min = 1,
	.runs.is_one_by_one = true,
	.runs.max = 0,
	.options.opt = options,
	.options.n = COUNT_OF(options),
	.options.size = sizeof(struct summary_options),
	.options.set_defaults = set_defaults,
	.help.tables = summary_docs,
	.help.ntables = SUMMARY_TABLES,
	.help.notes = summary_notes,
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW },
};
