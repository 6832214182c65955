/* The capture command's own grammar: its options end where the program begins. */
#ifndef CMD_CAPTURE_CAPTURE_H
#define CMD_CAPTURE_CAPTURE_H

#include <stddef.h>

/*
 * The index in argv of the first word that is no option of capture nor an option's value: the
 * program, or "--", or argc.
 */
size_t capture_program_at(int argc, char *const *argv);

#endif
