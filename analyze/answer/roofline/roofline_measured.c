/* `roofline`: what hardware counters say of steps that were sampled beside the trace. */
#include "analyze/answer/roofline/roofline.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run_steps.h"

/* Sums of a step's time on all devices that worked; how much time that is. */
static nsec add_step(const struct roofline *x, const struct hwcounters *c, size_t step,
	struct hwcounter_means *to)
{
	const struct step *s = &x->p->run->steps->step[step];
	nsec all = 0;

	for (size_t i = 0; i < x->roof.devices.n; i++) {
		if (x->roof.busy[i] == 0)
			continue;
		hwcounters_add(c, to, x->roof.devices.id[i], s->start, s->end);
		saturate_onto(&all, saturate_sub(s->end, s->start));
	}
	return all;
}

static double real_of(const struct table *t, size_t row, size_t col)
{
	const union cell *v = table_cell(t, row, col);

	return v ? v->r : NAN;
}

/* A row beside row `at` of the table of steps. */
static void put_row(struct table *t, const struct table *steps, size_t at,
	const struct hwcounter_means *m, nsec all)
{
	const union cell *number = table_cell(steps, at, RSTEP_NUMBER);

	TABLE_ROW(t, [RMEAS_WHAT] = cell_text(table_cell(steps, at, RSTEP_WHAT)->s),
		[RMEAS_NS] = cell_int(table_cell(steps, at, RSTEP_NS)->i),
		[RMEAS_MFU] = cell_real(real_of(steps, at, RSTEP_MFU)),
		[RMEAS_HFU] = cell_real(real_of(steps, at, RSTEP_HFU)),
		[RMEAS_KNOWN] = cell_real(real_of(steps, at, RSTEP_KNOWN)),
		[RMEAS_COVERED] = cell_ratio(m->seen, all));
	if (number)
		table_int(t, RMEAS_NUMBER, number->i);
	hwcounters_put(t, RMEAS_SM, m);
}

void roofline_measured_table(struct roofline *x, const struct table *steps)
{
	struct hwcounter_means all = { 0 };
	struct hwcounters c;
	size_t n = 0, most;
	nsec time = 0;

	if (!steps || !hwcounters_init(&c, x->p->run, &x->p->mem))
		return;
	most = steps->nrow - steps->nfoot;
	struct table *t = perrun_table_seen(x->p, &roofline_docs[ROOFLINE_MEASURED],
		~(hwcounters_missing(&c, RMEAS_SM) | COLUMN_SET(RMEAS_NUMBER)));
	for (size_t i = 0; i < x->roof.nstep; i++) {
		struct hwcounter_means one = { 0 };

		if (x->p->view.step && !x->p->view.step[i])
			continue;
		saturate_onto(&time, add_step(x, &c, i, &all));
		nsec ns = add_step(x, &c, i, &one);
		if (n++ < most)
			put_row(t, steps, n - 1, &one, ns);
	}
	rows_cut_of(t, RMEAS_WHAT, n > most ? n - most : 0, "step");
	if (n > 1) {
		put_row(t, steps, steps->nrow - 1, &all, time);
		t->nfoot++;
	}
}
