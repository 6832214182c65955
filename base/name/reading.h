/* A name as it was read, for one that is shortened and for those that must differ. */
#pragma once

#include "base/base.h"
#include "base/name/tree.h"

struct reading {
	struct span text;       /* as given, or what it is mangled of */
	struct name_node *tree; /* NULL: it is no C++ */
	int32_t levels;
	/* "op (kernel) [[2, 3]]": what is before the kernel and behind it, brackets included. */
	struct span op, behind;
};

/* What stands for what is left out, and the columns it takes. */
struct omission {
	const char *mark;
	size_t width;
};

struct omission name_omission(bool utf8);

/* The reading's memory is mem's and the name's. */
void name_read(struct arena *mem, struct span name, struct reading *r);

/* Appends it in at most width columns. */
void name_put(struct str *b, const struct reading *r, size_t width, bool utf8);

/* The first letters in at most width columns. */
struct span name_head(struct span s, size_t width);
