/*
 * Begin and end: B and E events joined to slices.
 */
#ifndef ANALYZE_INPUT_PAIRS_H
#define ANALYZE_INPUT_PAIRS_H

struct run;

/*
 * Joins EVENT_BEGIN and EVENT_END rows lane by lane, last in first out, in order of time (file
 * order where equal); E rows disappear.  A B without E lasts to the lane's last timestamp and is
 * marked unfinished; an E without B is counted.  Source: Trace Event Format, "Duration Events".
 */
void pairs_join(struct run *run);

#endif
