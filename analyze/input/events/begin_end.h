/*
 * Begin and end: B and E events joined to slices.
 */
#ifndef ANALYZE_INPUT_EVENTS_BEGIN_END_H
#define ANALYZE_INPUT_EVENTS_BEGIN_END_H

struct run;

/*
 * Joins EVENT_BEGIN and EVENT_END rows thread by thread (pid and tid, whatever the category), last
 * in first out, in order of time (file order where equal); E rows disappear.  An E with a name
 * closes the innermost B of that name.  A B without E lasts to the E of what is around it, else to
 * the lane's last timestamp, and is marked unfinished; an E without B is counted.
 * Source: Trace Event Format, "Duration Events"; names as in Perfetto's slice tracker.
 */
void pairs_join(struct run *run);

#endif
