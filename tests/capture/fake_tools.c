/* Other users of the fake CUPTI.
 *
 *   FAKE_MIXED_RC   what functions of two generations called in one process answer [39] */
#include "tests/capture/fake_tools.h"

#include <stdatomic.h>

#include "capture/cupti_abi.h"
#include "tests/capture/fake_lanes.h"

/* ---- two generations of functions ---- */

/* From 13.2 on the functions without _v2 and those with it exclude each other in a process (CUPTI
 * 13.3's user guide, "V1 to V2 API Migration": 39 for both).  OpenXLA's profiler met 14 instead
 * (openxla/xla pull request 44322).  13.0 and 13.1 have cuptiSubscribe_v2 alone, which goes with
 * all others (the exported names of libcupti 13.0). */
enum { MIXED_SINCE = 130200 };

static atomic_int in_use;

int tools_mixed(enum fake_generation wanted)
{
	int none = 0;

	if (lanes_version() < MIXED_SINCE ||
		atomic_compare_exchange_strong(&in_use, &none, (int)wanted) || none == (int)wanted)
		return 0;
	return (int)lanes_setting("FAKE_MIXED_RC", CUPTI_OTHER_TOOL);
}

void tools_forget(void)
{
	atomic_store(&in_use, 0);
}

/* ---- a clock of somebody's ---- */

static _Atomic(uint64_t (*)(void)) clock_of_theirs;

/* One for the process: whoever registers last decides what all records' times are (the header's
 * words on cuptiActivityRegisterTimestampCallback). */
__attribute__((visibility("default"))) int cuptiActivityRegisterTimestampCallback(
	uint64_t (*clock)(void));
int cuptiActivityRegisterTimestampCallback(uint64_t (*clock)(void))
{
	atomic_store(&clock_of_theirs, clock);
	return 0;
}

bool tools_clock(int64_t *ns)
{
	uint64_t (*clock)(void) = atomic_load(&clock_of_theirs);

	if (!clock)
		return false;
	*ns = (int64_t)clock();
	return true;
}

/* ---- callbacks ---- */

enum { IDS = 1024 };

static atomic_bool listened[2][IDS];

void tools_listen(int domain, uint32_t id, bool on)
{
	if ((domain == CB_DRIVER || domain == CB_RUNTIME) && id < IDS)
		atomic_store(&listened[domain == CB_RUNTIME][id], on);
}

bool tools_listens(int domain, uint32_t id)
{
	return id < IDS && atomic_load(&listened[domain == CB_RUNTIME][id]);
}

/* ---- external ids ---- */

enum { DEPTH = 256 };

/* Each kind is a stack of its own (the header's words on cuptiActivityPushExternalCorrelationId).
 */
static _Thread_local struct {
	uint64_t id[DEPTH];
	int n;
} stacks[TOOLS_EXTERNAL_KINDS];

bool tools_push(int kind, uint64_t id)
{
	if (kind < 0 || kind >= TOOLS_EXTERNAL_KINDS || stacks[kind].n == DEPTH)
		return false;
	stacks[kind].id[stacks[kind].n++] = id;
	return true;
}

bool tools_pop(int kind, uint64_t *id)
{
	bool is_there = tools_external(kind, id);

	stacks[kind].n -= is_there;
	return is_there;
}

bool tools_external(int kind, uint64_t *id)
{
	if (kind < 0 || kind >= TOOLS_EXTERNAL_KINDS || !stacks[kind].n)
		return false;
	*id = stacks[kind].id[stacks[kind].n - 1];
	return true;
}
