/* Signals that end the program: its temporary files go first. */
#pragma once

/* From now on each signal that ends a program and can be caught, also one of a limit (ulimit -t) or
 * of a fault of our own, removes the temporary files and then ends this one as it would have
 * without, so that its parent sees which one it was.  What was ignored before (nohup) or is caught
 * stays so.  A file larger than allowed (ulimit -f) is an error of write and no signal. */
void signals_watch(void);
