/*
 * Signals that end the program: its temporary files go first.
 */
#ifndef CMD_SIGNALS_H
#define CMD_SIGNALS_H

/*
 * From now on INT, TERM, HUP and PIPE remove the temporary files and then end the program as they
 * would have without, so that its parent sees which one it was.  What was ignored before (nohup)
 * stays ignored.  A file larger than allowed (ulimit -f) is an error of write and no signal.
 */
void signals_watch(void);

#endif
