/* The file format of speedscope (https://www.speedscope.app/file-format-schema.json), written as it
 * comes: nothing is kept but what is not yet a whole buffer, and which frames there are is said at
 * the end.
 *
 *	speedscope_begin  (speedscope_profile  speedscope_event...  speedscope_profile_end)...
 *	speedscope_frame...  speedscope_end */
#pragma once

#include <stdio.h>

#include "base/base.h"

struct speedscope {
	FILE *out; /* borrowed */
	struct str b;
	size_t nprofile, nframe, nevent; /* nevent: of the profile */
};

/* name: of all of it, the file it came from. */
void speedscope_begin(struct speedscope *w, FILE *out, struct span name);

/* A profile of opens and closes, in ns. */
void speedscope_profile(struct speedscope *w, struct span name);
/* Properly nested, `at` never before that of the event before it; frame: its number. */
void speedscope_event(struct speedscope *w, bool is_open, uint32_t frame, int64_t at);
/* What its axis is to show; no event lies outside. */
void speedscope_profile_end(struct speedscope *w, int64_t start, int64_t end);

/* The frames, in the order of their numbers, after all profiles. */
void speedscope_frame(struct speedscope *w, struct span name);

/* Ends the text and flushes; releases what w holds, also where nothing but begin was called.  E_IO.
 */
enum status speedscope_end(struct speedscope *w, struct err *e) MUST_CHECK;
