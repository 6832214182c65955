/*
 * The sandbox: what the kernel itself keeps this process from (Landlock, Linux 5.13).
 */
#ifndef CMD_MCP_SANDBOX_H
#define CMD_MCP_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/*
 * From now on this process and its children open files below the n folders only, read the libraries
 * of the system, and connect to no TCP port where the kernel can see to that.  Nothing undoes it;
 * it can be narrowed once more.  can_write: also make files there.  False where the kernel cannot,
 * or does not want to.
 */
bool sandbox_enter(const char *const *folder, size_t n, bool can_write);

#endif
