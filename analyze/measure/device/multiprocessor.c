/* Multiprocessors: limits by compute capability and by deviceProperties. */
#include "analyze/measure/device/multiprocessor.h"

#include "analyze/trace/run.h"

enum { WARP = 32, PARTITIONS = 4, REGISTER_UNIT = 256 };

/* Blocks at once, where these are not 32. */
static const struct {
	int64_t major, minor, blocks;
} fewer[] = {
	{ 7, 5, 16 },
	{ 8, 6, 16 },
	{ 8, 7, 16 },
	{ 8, 9, 24 },
	{ 12, 0, 24 },
	{ 12, 1, 24 },
};
enum { BLOCKS = 32, FIRST_MAJOR = 5, FIRST_RESERVED_MAJOR = 8 };

static int64_t blocks_of(const struct gpu *g)
{
	return FIND_VALUE(i, COUNT_OF(fewer),
		fewer[i].major == g->major && fewer[i].minor == g->minor, fewer[i].blocks, BLOCKS);
}

static bool one_of(const struct gpu *g, struct multiprocessor *mp)
{
	bool is_new = g->major >= FIRST_RESERVED_MAJOR;

	*mp = (struct multiprocessor){ .threads = g->max_threads_per_sm,
		.blocks = blocks_of(g),
		.registers = g->registers_per_sm,
		.shared = g->shared_per_sm,
		.shared_unit = is_new ? 128 : 256,
		.shared_reserved = is_new ? 1024 : 0 };
	return g->warp_size == WARP && g->major >= FIRST_MAJOR && mp->threads >= WARP &&
		mp->registers > 0 && mp->shared > 0;
}

bool multiprocessor_of(const struct meta *m, struct multiprocessor *mp)
{
	struct multiprocessor other;

	if (m->ngpu == 0 || !one_of(&m->gpu[0], mp))
		return false;
	for (size_t i = 1; i < m->ngpu; i++)
		if (!one_of(&m->gpu[i], &other) || other.threads != mp->threads ||
			other.blocks != mp->blocks || other.registers != mp->registers ||
			other.shared != mp->shared || other.shared_reserved != mp->shared_reserved)
			return false;
	return true;
}

static int64_t round_up(int64_t n, int64_t unit)
{
	return saturate_add(n, unit - 1) / unit * unit;
}

static int64_t least(int64_t a, int64_t b)
{
	return MIN(a, b);
}

int64_t multiprocessor_holds(
	const struct multiprocessor *mp, int64_t threads, int64_t registers, int64_t shared)
{
	int64_t most = mp->blocks;

	if (threads <= 0 || registers < 0 || shared < 0 || threads > mp->threads ||
		registers > mp->registers || shared > mp->shared)
		return 0;
	int64_t warps = round_up(threads, WARP) / WARP;
	most = least(most, mp->threads / WARP / warps);
	if (registers > 0) { /* a warp's are in one of the partitions */
		int64_t warp = round_up(saturate_times(registers, WARP), REGISTER_UNIT);

		most = least(most, mp->registers / PARTITIONS / warp * PARTITIONS / warps);
	}
	int64_t bytes = round_up(shared, mp->shared_unit) + mp->shared_reserved;
	return bytes > 0 ? least(most, mp->shared / bytes) : most;
}
