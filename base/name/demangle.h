/* Mangled C++ names, as linkers know functions, back to what was written. */
#pragma once

#include "base/base.h"

/* Appends the function that `_Z...` names, with its template arguments and its parameters and
 * without its return type.  Of a template's name that is not understood, is longer than 4 KiB or
 * would become longer than 64 KiB, and in a build without libiberty: its scopes and its identifier.
 * False, and nothing is appended, where not even these can be read.  A suffix that a compiler put
 * behind the name (".kd", ".isra.0") is dropped. */
bool demangle(struct str *b, struct span mangled);
