/*
 * Other users of the fake CUPTI.
 *
 *   FAKE_MIXED_RC   what functions of two generations called in one process answer [39]
 */
#include "tests/capture/fake_tools.h"

#include <stdatomic.h>

#include "capture/cupti_abi.h"
#include "tests/capture/fake_lanes.h"

/*
 * From 13.2 on the functions without _v2 and those with it exclude each other in a process (CUPTI
 * 13.3's user guide, "V1 to V2 API Migration": 39 for both).  OpenXLA's profiler met 14 instead
 * (openxla/xla pull request 44322).  13.0 and 13.1 have cuptiSubscribe_v2 alone, which goes with
 * all others (the exported names of libcupti 13.0).
 */
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
