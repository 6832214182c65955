/* Disguising texts: words that are known to be public stay, all others become w1, w2, ... by their
 * first sight; the same word always becomes the same.
 *
 * A word is a run of letters, digits, underscores and bytes of no ASCII; a number between
 * underscores parts it (Linear_0, execute_new_5).  Public are the words of public_words.def, names
 * of arguments that analyses read, numbers, and what a namespace of PyTorch stands before (aten::);
 * addresses of the network and long hexadecimal ids are private, though they are numbers. */
#pragma once

#include "base/base.h"

struct disguise;

struct disguise *disguise_new(void);
void disguise_free(struct disguise *d);

/* A piece of a text: words that stay and what is between them, or one private word. */
struct disguise_piece {
	struct span text;
	bool is_private;
};

/* Where the reading of a text is: zero-initialise but for text. */
struct disguise_reader {
	struct span text;
	size_t at;
	bool in_namespace; /* a public namespace and "::" were right before */
	bool is_device;    /* names of models of devices are public: H100, 80GB */
};

/* The next piece; false at the end.  Any thread. */
bool disguise_next(
	const struct disguise *d, struct disguise_reader *r, struct disguise_piece *piece);

/* Numbers a private word, new or old.  One thread, and none in disguise_put. */
void disguise_note(struct disguise *d, struct span word);

/* A whole text that stays as it is where marks of traceq's own say it again; the same. */
void disguise_keep(struct disguise *d, struct span text);
bool disguise_keeps(const struct disguise *d, struct span text);

/* How many private words there are. */
size_t disguise_count(const struct disguise *d);

/* Whether a text has no private word. */
bool disguise_is_public(const struct disguise *d, struct span text);

/* Appends the text, disguised; words that were never noted become w0.  Any thread. */
void disguise_put(const struct disguise *d, struct span text, bool is_device, struct str *out);
