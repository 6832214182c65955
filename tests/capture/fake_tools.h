/* What the fake CUPTI does because of other users of it in the process, and because of how new it
 * is: the traits of the real one that capture met as surprises. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Functions with and without _v2: a process has the one or the other. */
enum fake_generation { FAKE_PLAIN = 1, FAKE_V2 };

/* What a function of a generation answers because of the one that is in use: 0, or a code.  The
 * first call decides which that is. */
int tools_mixed(enum fake_generation wanted);

/* The subscriber is gone: either may begin again. */
void tools_forget(void);

/* The time of a clock that somebody registered; false when nobody has. */
bool tools_clock(int64_t *ns);

/* Callbacks of API functions: switched, and whether one is on.  domain: CB_DRIVER, CB_RUNTIME. */
void tools_listen(int domain, uint32_t id, bool on);
bool tools_listens(int domain, uint32_t id);

/* External ids of the calling thread: a stack for each kind of them. */
enum { TOOLS_EXTERNAL_KINDS = 8 };
bool tools_push(int kind, uint64_t id);
bool tools_pop(int kind, uint64_t *id);
/* The innermost of a kind; false when there is none. */
bool tools_external(int kind, uint64_t *id);
