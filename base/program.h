/* Programs of the machine. */
#pragma once

/* The program of that name in PATH, malloc'ed; NULL: there is none.  Folders that are named from
 * the current one are passed over: what lies beside an input is not run. */
char *program_find(const char *name);
