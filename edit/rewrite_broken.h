/* Events whose text was broken, written anew from what could be read of them. */
#ifndef EDIT_REWRITE_BROKEN_H
#define EDIT_REWRITE_BROKEN_H

#include "base/str.h"

struct tap_event;

/* Appends the event as JSON: its own members, and the arguments that were read. */
void rewrite_broken(const struct tap_event *event, struct str *out);

#endif
