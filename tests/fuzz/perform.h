/* A command run in this process, its streams held, and what must be so whatever its options and
 * files are: it ends with 0, 1 or 2; never without a word; what it prints holds no control
 * characters, and is UTF-8 where it says JSON. */
#pragma once

struct invocation;
struct str;

/* Runs it and returns its exit code; ends the program where something is not so.  said: receives
 * what went to stderr; or NULL. */
int perform(struct invocation *v, struct str *said);
