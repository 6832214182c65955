/* Partitions of time, against every nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/gaps/partition.h"

enum { SPAN_NS = 120, KINDS = 4, RANGES = 3, ROUNDS = 2000 };

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* The slot of a nanosecond in which these kinds (a bit set) are active. */
static unsigned slot_of(unsigned set, bool is_by_set)
{
	unsigned i = 0;

	if (is_by_set)
		return set;
	while (i < KINDS && !(set >> i & 1))
		i++;
	return i;
}

static void assert_sums(
	const struct partition_sums *sums, const uint8_t *set, nsec start, nsec end, bool is_by_set)
{
	struct partition_sums want = { 0 };

	for (; start < end; start++)
		want.ns[slot_of(set[start], is_by_set)]++;
	assert_memory_equal(sums, &want, sizeof(want));
}

static void one_round(uint64_t *seed, bool is_by_set)
{
	struct partition_sums range[RANGES] = { 0 };
	struct partition_edges edges;
	struct partition p;
	SCOPED_ARENA mem = { 0 };
	uint8_t set[2 * SPAN_NS] = { 0 };
	nsec start[RANGES], end[RANGES], t;
	size_t i;

	for (i = 0; i < RANGES; i++) {
		start[i] = (nsec)(next_random(seed) % SPAN_NS);
		end[i] = start[i] + (nsec)(next_random(seed) % SPAN_NS);
	}
	partition_edges_init(&edges, start, end, RANGES, &mem);
	partition_init(&p, &edges, range, KINDS, is_by_set);
	for (t = 0; t < SPAN_NS; t += (nsec)(next_random(seed) % 20)) {
		unsigned kind = (unsigned)(next_random(seed) % KINDS);
		nsec until = t + (nsec)(next_random(seed) % 40), at;

		partition_add(&p, kind, t, until);
		for (at = t; at < until; at++)
			set[at] |= (uint8_t)(1u << kind);
	}
	partition_end(&p);
	for (i = 0; i < RANGES; i++)
		assert_sums(&range[i], set, start[i], end[i], is_by_set);
}

/* By set and by the first kind; intervals that hide, touch, repeat and are empty. */
static void against_every_ns(void **state)
{
	uint64_t seed = 1;
	int i;

	(void)state;
	for (i = 0; i < ROUNDS; i++)
		one_round(&seed, i % 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(against_every_ns) };

	return cmocka_run_group_tests_name("partition", tests, NULL, NULL);
}
