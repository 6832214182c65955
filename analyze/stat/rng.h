/* Random numbers that are the same in every run and on every machine.
 *
 * Source: xoshiro256** and splitmix64, Blackman and Vigna 2018. */
#pragma once

#include "base/base.h"

#define RNG_SEED UINT64_C(0x7472616365710001) /* what every resampling starts from */

struct rng {
	uint64_t s[4];
};

void rng_init(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
double rng_unit(struct rng *r);            /* in [0, 1), 53 bits */
size_t rng_below(struct rng *r, size_t n); /* in 0..n-1, evenly; n > 0 */
