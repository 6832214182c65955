/*
 * Times as traces write them.
 */
#ifndef EDIT_NUMBER_H
#define EDIT_NUMBER_H

#include <stddef.h>

#include "analyze/trace/columns/events.h"

enum { NUMBER_US_MAX = 32 };

/* t in microseconds with three digits behind the point; returns how many characters. */
size_t number_us(char to[NUMBER_US_MAX], nsec t);

#endif
