/* Real numbers that should be equal. */
#pragma once

/* Fails unless |got - want| <= 1e-12 + relative * |want|; both NaN, or the same infinity, are
 * equal. */
#define near(got, want, relative) near_at((got), (want), (relative), #got, __FILE__, __LINE__)
void near_at(
	double got, double want, double relative, const char *what, const char *file, int line);

/* Numbers in [0, 1) that are the same on every machine (xorshift64); *state is not 0. */
double near_random(unsigned long *state);

struct rng;
/* Standard normal, by inversion. */
double near_normal(struct rng *r);
