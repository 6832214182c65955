/*
 * Command lines that fit files: a command, its operands, and options whose values mean something.
 */
#pragma once

#include "cmd/verb.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/valid_beside.h"

struct str;

/* A command and, for plot and baseline, its own word. */
struct valid_verb {
	struct verb v;
	const char *own; /* NULL: it has none */
	size_t row;      /* of a table in valid_line.c */
};

/* Reads what stands for the own word of a command; false: there is no such command here. */
bool valid_line_verb(const char *name, struct draw *d, struct valid_verb *to);

/* The kind of its file `nth`: one of those that it can answer from. */
enum valid_kind valid_line_kind(const struct valid_verb *v, unsigned choice, size_t nth);

/* How many files it wants at least; whether they are repeats of one run, not ranks of one job. */
size_t valid_line_files(const struct valid_verb *v);
bool valid_line_repeats(const struct valid_verb *v);

/* Writes the line, as invocation.h has it, for so many files. */
void valid_line_write(const struct valid_verb *v, struct draw *d, size_t nfile, struct str *out);

/* What can be made of files before a command reads them: by which line, and what that writes. */
struct valid_step {
	const char *line;   /* "cut A --steps=3 --output=.json" */
	const char *writes; /* "output.json", in the folder of what is written */
	const char *name;   /* of the file that it becomes: "a.json" */
};

/* One that the command reads; NULL: the files stay as they are. */
const struct valid_step *valid_line_before(const struct valid_verb *v, unsigned choice);
