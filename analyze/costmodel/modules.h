/*
 * Modules: in which torch.nn.Module a call was made.
 *
 * The innermost call of a module around it, from Python functions (with_stack=True); else what its
 * Module Hierarchy says (with_modules=True).  Of a captured call the
 * functions around it in the capture, then those around the launch of the replay.  Backward runs on
 * a thread of its own, in no module.
 */
#ifndef ANALYZE_COSTMODEL_MODULES_H
#define ANALYZE_COSTMODEL_MODULES_H

#include "analyze/costmodel/owners.h"
#include "base/arena.h"

struct run;

/* By site: the module's name, 0 for none.  Needs NEED_PYTHON, NEED_STACKS.  Memory is the arena's.
 */
sym *roof_modules(const struct roof_owners *o, const struct run *r, struct arena *mem);

#endif
