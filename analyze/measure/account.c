/* Accounts of steps. */
#include "analyze/measure/account.h"

void account_close(struct account *a)
{
	a->ns = saturate_sub(a->ledger.total, a->wait[GAP_CAUSE_UNRECORDED]);
}

struct account account_of_step(
	const struct ledgers *l, const struct step_gap_causes *w, size_t device, size_t step)
{
	struct account a = { .id = l->device[device].id, .ledger = ledger_step(l, device, step) };

	struct step_waits waits = { 0 };

	step_gap_causes_add(w, a.id, step, &waits);
	for (size_t k = 0; k < GAP_CAUSE_COUNT; k++)
		a.wait[k] = waits.ns[k];
	a.long_host = waits.long_host;
	a.behind = waits.behind;
	a.late = waits.late;
	account_close(&a);
	return a;
}

double account_busy(const struct account *a)
{
	return a->ns > 0 ? (double)a->ledger.busy / (double)a->ns : NAN;
}
