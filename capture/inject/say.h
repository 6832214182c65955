/*
 * Words to the person from inside a program that is not ours: one line each to stderr, "traceq:
 * capture: ...", by one write(2); never through stdio, whose buffers are the program's.
 */
#ifndef CAPTURE_INJECT_SAY_H
#define CAPTURE_INJECT_SAY_H

void inject_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
