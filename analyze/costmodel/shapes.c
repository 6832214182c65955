/*
 * Input Dims as a text for people.
 */
#include "analyze/costmodel/shapes.h"

#include <stdbool.h>
#include <string.h>

enum { SHAPES_WIDTH = 30 };

struct span roof_shapes_text(struct span dims, struct arena *mem)
{
	char *to = arena_alloc(mem, SHAPES_WIDTH + 8);
	size_t n = 0, whole = 0, i;
	bool is_inside = false;

	for (i = 0; i < dims.n && n < SHAPES_WIDTH; i++) {
		bool is_digit = dims.p[i] >= '0' && dims.p[i] <= '9';

		if (is_digit && !is_inside) {
			memcpy(to + n, " [", 2);
			n += 2;
			is_inside = true;
		}
		if (is_digit || (dims.p[i] == ',' && is_inside))
			to[n++] = dims.p[i];
		if (dims.p[i] != ']' || !is_inside)
			continue;
		to[n++] = ']';
		whole = n;
		is_inside = false;
	}
	if (i < dims.n) {
		memcpy(to + whole, " ..", 3);
		whole += 3;
	}
	return whole > 0 ? (struct span){ to + 1, whole - 1 } : SPAN("");
}
