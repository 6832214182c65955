/* A C++ name as a tree: scopes, template arguments, what is local to what. */
#pragma once

#include "base/base.h"

enum name_sort {
	NAME_WORDS,   /* text that is taken as it is: a number, a built-in type, an expression */
	NAME_TYPE,    /* what numbers are stored in: float, c10::BFloat16 */
	NAME_HELPER,  /* a type that says how, not what: Array, OffsetCalculator, TensorInfo */
	NAME_FRAME,   /* what does nothing by itself: gpu_kernel_impl, BinaryFunctor, Kernel2 */
	NAME_SPEAKING /* another function or type */
};

enum { NAME_NEVER = INT32_MAX };

struct name_node;

/* Between "::": identifier<arguments>(parameters). */
struct name_part {
	struct span ident;
	struct name_node **arg;
	size_t narg;
	bool has_params;
};

struct name_node {
	enum name_sort sort;
	struct span text;          /* all of it */
	struct span before, after; /* "&", " const*" */
	struct name_part *part;    /* none for NAME_WORDS */
	size_t npart;
	size_t main;  /* the part that says what it is; those after it are local to it */
	size_t place; /* which it is, from the left of the name */
	/* The level of shortening from which on it is left out: all of it, its scopes, what is
	 * local, and everything but `core`, its telling argument. */
	int32_t hide, hide_scopes, hide_tail, hide_frame;
	struct name_node *core; /* or NULL */
};

/* The tree of a C++ function's name, or of a type's; NULL where the text is neither.  Cut off
 * names are read as if all that is open were closed.  Memory is mem's and the text's. */
struct name_node *name_tree(struct arena *mem, struct span text);

/* The levels of shortening there are; sets them in the tree. */
int32_t name_tree_rank(struct arena *mem, struct name_node *top);

/* Appends the name as it is at a level; mark: what stands for what is left out. */
void name_tree_put(struct str *b, const struct name_node *top, int32_t level, const char *mark);

/* Its own identifier. */
struct span name_tree_ident(const struct name_node *top);

/* What can tell a name from others of its identifier, into v: of each argument from the left its
 * identifier, then the scopes; returns how many, at most `most`. */
size_t name_tree_labels(const struct name_node *top, struct span *v, size_t most);

/* The identifier of an argument, its text where it has none. */
struct span name_tree_label(const struct name_node *node);

/* What the name is known by beside its identifier, of a frame; or NULL. */
const struct name_node *name_tree_core(const struct name_node *top);
