/* What the parts of the demangler share: the cursor and the pieces of text it makes. */
#pragma once

#include "base/base.h"

/* A piece of the name as text.  What is declared stands between left and right: "void (" ")(int)".
 */
struct piece {
	const char *left, *right;
	bool is_pack;              /* the texts of item in its place, with commas */
	bool is_inner;             /* function or array: a pointer to it needs parentheses */
	const struct piece **item; /* of a pack */
	size_t nitem;
};

struct pieces {
	const struct piece **v;
	size_t n, cap;
};

struct demangler {
	const char *p, *end;
	struct arena *mem;
	struct pieces known;  /* what S_, S0_, ... stand for */
	struct pieces params; /* what T_, T0_, ... stand for */
	size_t made;          /* bytes of text made so far */
	unsigned depth;
	bool in_lambda; /* T_ is what the lambda calls auto */
	bool failed;
};

/* What a name turned out to be, for what follows it. */
struct name_kind {
	bool is_template;  /* a return type stands first in its parameters */
	bool has_no_type;  /* a constructor, destructor or conversion */
	const char *quals; /* " const" of a member function, or "" */
};

/* Each parser moves the cursor behind what it read, and returns a piece that is not NULL; after a
 * failure the piece means nothing and d->failed is set. */
const struct piece *demangle_fail(struct demangler *d);
bool demangle_enter(struct demangler *d); /* false: too deep; goes with demangle_leave */
void demangle_leave(struct demangler *d);

char demangle_peek(const struct demangler *d, size_t at);
bool demangle_take(struct demangler *d, const char *word);
bool demangle_number(struct demangler *d, size_t *n);
/* "_" is 0, "0_" is 1; base 10 or 36. */
bool demangle_sequence(struct demangler *d, unsigned base, size_t *n);

const struct piece *demangle_text(struct demangler *d, const char *left, const char *right);
const struct piece *demangle_joined(
	struct demangler *d, const char *a, const char *b, const char *c);
const char *demangle_flat(struct demangler *d, const struct piece *p);
/* The texts of n pieces with commas, packs unfolded. */
const char *demangle_list(struct demangler *d, const struct piece *const *v, size_t n);
void demangle_keep(struct demangler *d, struct pieces *to, const struct piece *p);

const struct piece *demangle_type(struct demangler *d);
const struct piece *demangle_param(struct demangler *d);
const struct piece *demangle_expression(struct demangler *d);
/* is_own: T_ in what follows is of these arguments. */
const struct piece *demangle_arguments(struct demangler *d, bool is_own);
const struct piece *demangle_name(struct demangler *d, bool is_own, struct name_kind *kind);
/* A function with its parameters, up to the end or an E. */
const struct piece *demangle_encoding(struct demangler *d);
/* The sign of the operator, the number of its operands to *arity; NULL: none (nothing is taken). */
const char *demangle_operator(struct demangler *d, unsigned *arity);
