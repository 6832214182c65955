/* `diagnose` of a job's ranks: what the job's verdict means for what the ranks have by themselves.
 *
 * A rank that waits for a slow one communicates while nothing computes: what it waits is the job's
 * finding, and what is left to its own is what transfers cost. */
#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/jobpage.h"

struct explained {
	const struct diagnose *d;
	const struct jobpage *job;
	double most; /* share that a rank could save */
};

static const struct job_ledger *ledger_of(const struct jobpage *p, int input)
{
	return FIND(i, p->facts.ledgers.v, p->job.nrank, p->job.rank[i].rank == p->rank[input]);
}

/* v: what a rank could save, and its share: of its own no more than what is left to transfers. */
static bool keep_transfer(void *ctx, int input, double *v)
{
	struct explained *x = ctx;
	const struct job_ledger *l = ledger_of(x->job, input);

	if (!l || isnan(v[0]))
		return true;
	double left = fmin(v[0], l->transfer);
	double share = v[0] > 0 ? v[1] * left / v[0] : 0;
	v[0] = left;
	v[1] = share;
	x->most = fmax(x->most, share);
	return share > settings_get(&x->d->settings, "diagnose.G13.warn")->r;
}

void diagnose_settle(void *ctx, const struct jobpage *job, struct fold *findings)
{
	struct diagnose *d = ctx;
	struct explained x = { d, job, 0 };

	for (const struct job_why *w = &job->why; w; w = w->next)
		d->is_critical |= jobpage_is_critical(w);
	fold_change(findings, "rule", "G13", keep_transfer, &x);
	if (x.most <= settings_get(&d->settings, "diagnose.G13.crit")->r)
		fold_relabel(findings, "rule", "G13", "severity", "WARN");
}
