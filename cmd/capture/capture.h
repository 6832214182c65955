/* The capture command's own grammar: its options end where the program begins. */
#pragma once

#include "base/base.h"

/* The index in argv of the first word that is no option of capture nor an option's value: the
 * program, or "--", or argc. */
size_t capture_program_at(int argc, char *const *argv);
