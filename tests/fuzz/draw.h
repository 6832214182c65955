/* Choices out of a fuzzer's bytes: the same bytes are the same choices, each has its own place, and
 * where there are no bytes each choice is the first, which is the plain one. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct words;

struct draw {
	const uint8_t *p;
	size_t n, at;
	uint64_t state; /* of numbers that need no byte of their own */
};

/* Those of n bytes from `at` on, or what the data have of them. */
struct draw draw_part(const uint8_t *data, size_t size, size_t at, size_t n);

/* Byte `at`; 0 where there is none. */
unsigned draw_byte(const struct draw *d, size_t at);

/* The next choice below n (at most 256). */
size_t draw_below(struct draw *d, size_t n);

/* The name that two bytes stand for: few of them mean another one when a name is added. */
const char *draw_name(struct draw *d, const struct words *names);

/* By chance, from low to high; what chance gives begins with draw_seed. */
void draw_seed(struct draw *d, uint64_t seed);
int64_t draw_chance(struct draw *d, int64_t low, int64_t high);
