/* The heap in large pages, for a program that reads files of a few megabytes in milliseconds: half
 * of what that takes is the kernel's, who hands out memory page by page.
 *
 * To be called once, before memory is asked for.  Where the system gives no large pages, or too
 * little memory, nothing changes. */
#pragma once

void heap_prepare(void);
