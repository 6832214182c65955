/*
 * What the fake CUPTI does because of other users of it in the process, and because of how new it
 * is: the traits of the real one that capture met as surprises.
 */
#ifndef TESTS_CAPTURE_FAKE_TOOLS_H
#define TESTS_CAPTURE_FAKE_TOOLS_H

/* Functions with and without _v2: a process has the one or the other. */
enum fake_generation { FAKE_PLAIN = 1, FAKE_V2 };

/*
 * What a function of a generation answers because of the one that is in use: 0, or a code.  The first
 * call decides which that is.
 */
int tools_mixed(enum fake_generation wanted);

/* The subscriber is gone: either may begin again. */
void tools_forget(void);

#endif
