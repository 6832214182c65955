/* Programs of the machine. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

/*
 * The program of that name in PATH, malloc'ed; NULL: there is none.  Folders that are named from
 * the current one are passed over: what lies beside an input is not run.
 */
char *program_find(const char *name);

#endif
