/* Stacks of a memory snapshot as text. */
#pragma once

#include "analyze/trace/memsnap.h"
#include "base/base.h"

/* "forward (model.py:88)": the innermost Python frame that is not PyTorch's; else the node of
 * autograd, "MmBackward0 (autograd)"; else the innermost frame that is not PyTorch's; else that is
 * no allocator's and no recorder's; else the innermost.  Nothing of a stack without frames. */
void snapstack_where(struct str *out, const struct memsnap *m, uint32_t stack);

/* Gradients, or what an optimizer keeps: they come once and stay. */
bool snapstack_is_state(const struct memsnap *m, uint32_t stack);

/* All frames like that, root first, joined by ';', which is ',' in names.  The outermost are left
 * out beyond some 16 KiB. */
void snapstack_text(struct str *out, const struct memsnap *m, uint32_t stack);
