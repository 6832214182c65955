/* An account: where the time of a step, or of some, goes on one device. */
#pragma once

#include "analyze/measure/gaps/ledger.h"
#include "analyze/measure/gaps/step_gap_causes.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* Where time goes on one device: of one step, or of the window. */
struct account {
	int64_t id;
	struct ledger ledger;       /* summed over its steps */
	nsec wait[GAP_CAUSE_COUNT]; /* adds up to ledger.idle */
	nsec long_host;             /* of GAP_CAUSES_HOST: in gaps of GAP_CAUSES_LONG_NS or more */
	nsec behind, late;          /* see struct step_waits */
	nsec ns;                    /* ledger.total less unrecorded: what shares are of */
	nsec outside;               /* busy time that lies in no step of the run at all ... */
	nsec busy_all;              /* ... of so much in the whole run */
	nsec between, busy_run;     /* idle between steps, and busy, of window.run */
};

/* Where one step goes on one device (index in the ledgers); ns is the step's. */
struct account account_of_step(
	const struct ledgers *l, const struct step_gap_causes *w, size_t device, size_t step);

/* Its ns, of what else is in it. */
void account_close(struct account *a);

/* GPU busy of one device; NaN for no time. */
double account_busy(const struct account *a);
