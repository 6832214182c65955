/* Times as traces write them. */
#ifndef EDIT_NUMBER_H
#define EDIT_NUMBER_H

#include "analyze/trace/columns/events.h"
#include "base/str.h"

enum { NUMBER_US_MAX = 32 };

/* t in microseconds with three digits behind the point; returns how many characters. */
size_t number_us(char to[NUMBER_US_MAX], nsec t);

/* Appends it as a further member of an event: `, "ts": 12.345`. */
void number_put(struct str *out, const char *key, nsec t);

#endif
