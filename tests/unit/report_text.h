/* What the tests of the renderers share: a result to a string, and hostile names. */
#pragma once

#include <stdbool.h>

#include "base/table.h"
#include "report/format/renderer.h"

/* The result in that format, malloc'ed; NULL when the renderer is unknown or fails. */
char *report_text(const char *format, const struct result *r, struct render how);

/* A column; doc and source are of no interest to renderers. */
#define COLUMN(key, title, type, unit, flag)                      \
	{                                                         \
		key, title, "", NULL, type, unit, .flags = (flag) \
	}

/* Names that try to break out of a format, or to steer a terminal. */
extern const struct span HOSTILE[];
extern const size_t HOSTILE_COUNT;

/* Whether s is valid UTF-8 and holds no control character but those in `allowed`. */
bool is_harmless(const char *s, const char *allowed);

/* A repeatable random number; *state is any start. */
unsigned random_next(unsigned *state);
