/* Mangled C++ names, as linkers know functions, back to what was written. */
#pragma once

#include "base/base.h"

/*
 * Appends the function that `_Z...` names, with its template arguments and its parameters and
 * without its return type.  False, and nothing is appended, where the name is none of the Itanium
 * C++ ABI, has in it what is not understood, or would become longer than 64 KiB.  A suffix that a
 * compiler put behind the name (".kd", ".isra.0") is dropped.
 */
bool demangle(struct str *b, struct span mangled);
