/* The arguments of a call of an op, as the profiler wrote them: four texts of JSON, side by side.
 *
 *	Input Dims        [[141, 512], [512, 512], []]          a shape an argument
 *	Input type        ["c10::BFloat16", "float", "Scalar"]  "" is none; "TensorList" a list's
 *	Input Strides     [[512, 1], [1, 512], []]              as Dims; may be absent
 *	Concrete Inputs   ["", "", "1"]                         values; may be absent */
#pragma once

#include "analyze/costmodel/element.h"
#include "base/base.h"

enum { ROOF_DIMS_MAX = 12, ROOF_ARGS_MAX = 64 };

/* Sizes that do not fit, and sums of them. */
#define ROOF_MANY INT64_MAX

struct roof_shape {
	int n; /* dimensions; -1: they are not there, or are no shape */
	int64_t dim[ROOF_DIMS_MAX];
	int64_t stride[ROOF_DIMS_MAX];
	bool has_strides;
};

enum roof_arg_kind { ROOF_ARG_NONE, ROOF_ARG_TENSOR, ROOF_ARG_LIST, ROOF_ARG_SCALAR };

struct roof_arg {
	enum roof_arg_kind kind;
	struct roof_shape shape;            /* of a tensor */
	const struct roof_element *element; /* of it, or of all in the list; NULL: unknown */
	struct roof_shape *member;          /* of a list */
	size_t nmember;
	struct span value; /* concrete; empty: not said */
};

struct roof_call {
	struct span name;
	size_t n; /* arguments */
	struct roof_arg arg[ROOF_ARGS_MAX];
	bool has_values;                 /* Concrete Inputs are there */
	struct span about;               /* the innermost annotation around it; empty: none */
	const struct roof_element *hint; /* of the elements of lists, by a kernel's name, or NULL */
	bool is_replayed; /* values of arguments, as longest lengths, are those of the capture */
};

/* Reads the four texts; an empty one is absent.  False: there are no shapes, or they are no array
 * of arrays.  Arguments beyond ROOF_ARGS_MAX are left out.  Memory of lists is the arena's; values
 * are borrowed.  O(text). */
bool roof_call_read(struct roof_call *c, struct span dims, struct span types, struct span strides,
	struct span values, struct arena *mem);

/* The argument's shape where it is a tensor, or NULL; no argument (-1) is none. */
const struct roof_arg *roof_call_tensor(const struct roof_call *c, int arg);

/* Elements of a shape; ROOF_MANY where they do not fit. */
int64_t roof_elements(const struct roof_shape *s);
/* Those that are stored: a dimension of stride 0 repeats what is there. */
int64_t roof_stored(const struct roof_shape *s);
/* Bytes that are stored of a tensor, or of all in a list; -1: of unknown type. */
int64_t roof_arg_bytes(const struct roof_arg *a);
/* Elements of all in a list, or of a tensor. */
int64_t roof_arg_elements(const struct roof_arg *a);

/* Values: false where it is not said, or is none. */
bool roof_call_int(const struct roof_call *c, int arg, int64_t *v);
bool roof_call_bool(const struct roof_call *c, int arg, bool *v);
/* "[1, 1]", or "1" for a single one; at most `max` of them, -1: not said, or no such list. */
int roof_call_list(const struct roof_call *c, int arg, int64_t *v, int max);
/* "[True, False, True]": the one at `which`; true where nothing is said. */
bool roof_call_mask(const struct roof_call *c, int arg, int which);

/*
 * Shapes of a call for people: "[512] [141,512] .." of "[[512], [141, 512], [512, 512], [], []]".
 */

/* Those of the first tensors, as many as have room, in memory of the arena; "" without any.  It is
 * a text of short words, a shape each, which a narrow line can break. */
struct span roof_shapes_text(struct span dims, struct arena *mem);
