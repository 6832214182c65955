/* Owners: whose call each piece of device work belongs to, so that none is counted twice.
 *
 * Ops call ops: aten::linear calls aten::addmm, which launches.  The owner of a launch is, of the
 * ops around it on its thread,
 *
 *	1. the outermost with a formula for all that is done below it (ROOF_WHOLE, ROOF_PART),
 *	2. else the innermost with a formula for what it launches itself (ROOF_DIRECT),
 *	3. else the innermost.
 *
 *	  aten::convolution_backward      whole: owns both kernels
 *	    aten::sum              k
 *	                           k
 *	  aten::scaled_dot_product...     composite, no formula: does not stand in the way
 *	    aten::bmm              k      whole: owns its kernel
 *	    aten::_softmax         k      whole: owns its kernel
 *
 * Around a kernel of a graph's replay are the ops around the graph's launch, and inside of these
 * those that were captured (trace/replay.h): each replay is a call of its own. */
#pragma once

#include "analyze/costmodel/op.h"
#include "analyze/measure/device/devtime.h"
#include "analyze/measure/phase.h"
#include "base/base.h"

enum { ROOF_NO_SITE = UINT32_MAX };

/* A call that owns device work. */
struct roof_site {
	uint32_t row;  /* its event */
	uint32_t args; /* the event whose arguments are its: itself but for ROOF_PART */
	uint32_t host; /* row in the trees of the host: its own, or the launch of the replay */
	sym about;     /* the innermost annotation around it that says lengths; 0: none */
	uint16_t op;   /* 1 + its row in roof_ops; 0: no formula */
	uint8_t phase; /* enum phase */
	bool is_again; /* forward work while going backward: an activation checkpoint */
};

struct roof_owners {
	struct roof_site *site;
	size_t n, cap;
	struct devtime of;  /* which op rows have device work */
	uint32_t *by_rank;  /* by bit of `of`: its site, or ROOF_NO_SITE */
	uint32_t *replayed; /* by device side row: the site by what was captured, or ROOF_NO_SITE;
	                       NULL: no capture */
};

/* Of device work that passes v.  of: devtime_init of the same, which is theirs from then on, or
 * NULL. Needs order and links.  O(n).  Released by roof_owners_clear. */
void roof_owners_init(struct roof_owners *o, const struct run *r, const struct filter_view *v,
	const struct devtime *of, struct arena *mem);
void roof_owners_clear(struct roof_owners *o);

/* The site of a device row, or ROOF_NO_SITE.  O(1). */
uint32_t roof_owners_site(const struct roof_owners *o, const struct run *r, uint32_t row);

/* Modules: in which torch.nn.Module a call was made.
 *
 * The innermost call of a module around it, from Python functions (with_stack=True); else what its
 * Module Hierarchy says (with_modules=True).  Of a captured call the
 * functions around it in the capture, then those around the launch of the replay.  Backward runs on
 * a thread of its own, in no module. */

/* By site: the module's name, 0 for none.  Needs NEED_PYTHON, NEED_STACKS.  Memory is the arena's.
 */
sym *roof_modules(const struct roof_owners *o, const struct run *r, struct arena *mem);
