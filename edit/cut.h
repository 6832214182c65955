/* Cutting: a trace to a smaller one, in two readings, with its events' text as it was. */
#pragma once

#include <stdatomic.h>

#include "edit/out/writer.h"
#include "edit/survey.h"

enum { CUT_CHANGES = 4 + COMPANIONS_MAX };

/* Zero-initialise; companions and changes are set by the caller before cut_survey, and applied in
 * their order. */
struct cut {
	struct companion companion[COMPANIONS_MAX];
	size_t ncompanion;
	struct change change[CUT_CHANGES];
	size_t nchange;
	struct str more; /* what cut_more made; owned */
	int64_t nmore;
	struct survey survey;
	struct choice choice;
	int64_t kept;                /* events written, without more */
	_Atomic int64_t nunreadable; /* left out, as a change asks */
};

/* Looks at the file once; cut_write may follow.  cut_clear in any case.  As survey_make. */
enum status cut_survey(struct cut *c, const char *path, const struct cut_want *want,
	const struct load_options *o, struct err *e) MUST_CHECK;

/* Writes the events kept between writer_begin and writer_end, which are the caller's.  The file is
 * read again: E_IO when it is no longer as it was. */
enum status cut_write(struct cut *c, const char *path, const struct cut_want *want,
	const struct load_options *o, struct writer *w, struct err *e) MUST_CHECK;

/* The document of what is written, its members changed; valid as long as c. */
struct document cut_document(struct cut *c);

/* An event that comes behind all others, changed as they are; text: JSON. */
void cut_more(struct cut *c, char ph, struct span text);

/* A member of its own that the document gets, as the changes have it; in its memory. */
struct span cut_member(struct cut *c, struct span key, struct span value);

/* Clears its companions, too. */
void cut_clear(struct cut *c);
