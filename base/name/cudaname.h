/* Names as NVIDIA's compiler writes them out (cu++filt, Nsight Systems), in the words of the
 * others. */
#pragma once

#include "base/base.h"

/* Appends the name with "(anonymous namespace)" for "<unnamed>", "{lambda(int)#1}" for
 * "[lambda(int) (instance 1)]", 4 for "(int)4", "T*" for "T *".  False, and nothing is appended,
 * where it has nothing of this. */
bool cudaname_read(struct str *b, struct span name);
