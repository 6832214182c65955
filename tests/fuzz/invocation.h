/* A whole command line and its files as one input of a fuzz target.
 *
 *     plot AB memory-curve --device=0     the command, its operands, its own word, its options
 *     === a.json                          a file: its name, then what is in it
 *     {...}
 *     === b.csv                           the next one
 *
 * Words that are no names choose one all the same, so that every change of a byte is a command line
 * again.  What a command writes goes into a folder of the process's own, whatever the words are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "cmd/verb.h"

enum { INVOCATION_ARGS = 24, INVOCATION_FILES = 4, INVOCATION_PATH = 160 };

struct invocation {
	struct verb verb;
	int argc;
	char *argv[INVOCATION_ARGS + 1]; /* into text */
	char text[INVOCATION_ARGS][INVOCATION_PATH];
	char path[INVOCATION_FILES][INVOCATION_PATH];
	size_t nfile;
	bool is_json, is_quiet; /* what stdout must be; whether stderr may be empty */
};

/* Makes the folder of the process; it is removed at exit.  False: no room for it. */
bool invocation_open(void);

/* Reads an input and writes its files; false when it names no file.  Cost: the bytes. */
bool invocation_read(struct invocation *v, const uint8_t *data, size_t size);

/* Runs the command; returns its exit code. */
int invocation_run(struct invocation *v);

/* Appends what the run wrote into a file of its folder of outputs; false: there is none. */
bool invocation_written(const char *name, struct str *out);

/* Removes the files of the run and what it wrote. */
void invocation_clear(void);
