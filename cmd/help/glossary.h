/*
 * Words that no table of an analysis explains, for `traceq explain`.
 */
#ifndef CMD_HELP_GLOSSARY_H
#define CMD_HELP_GLOSSARY_H

#include <stddef.h>

struct glossary_entry {
	const char *word;
	const char *also;       /* other words for it, "a|b", or NULL */
	const char *definition; /* sentences */
	const char *source;     /* where the definition comes from, or NULL */
};

/* General terms by topic; *n receives how many.  Constant. */
const struct glossary_entry *glossary_all(size_t *n);

#endif
