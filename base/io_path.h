/*
 * Names of files: what they lead to, and what is open already.
 */
#ifndef BASE_IO_PATH_H
#define BASE_IO_PATH_H

/* The file that path means, its links followed, be it there or not; malloc'ed. */
char *io_target(const char *path);

/* The folder path lies in, "." for one without; malloc'ed. */
char *io_folder(const char *path);

/* The number of the open file that path stands for (/dev/stdout, /dev/fd/3), or -1. */
int io_own_fd(const char *path);

#endif
