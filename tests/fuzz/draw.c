/* Choices out of bytes. */
#include "tests/fuzz/draw.h"

#include "tests/fuzz/words.h"

struct draw draw_part(const uint8_t *data, size_t size, size_t at, size_t n)
{
	struct draw d = { .p = data, .n = 0 };

	if (at < size) {
		d.p = data + at;
		d.n = size - at < n ? size - at : n;
	}
	return d;
}

unsigned draw_byte(const struct draw *d, size_t at)
{
	return at < d->n ? d->p[at] : 0;
}

size_t draw_below(struct draw *d, size_t n)
{
	return draw_byte(d, d->at++) % n;
}

static uint32_t weight(const char *name, unsigned value)
{
	uint32_t h = 2166136261u ^ value;

	for (h *= 16777619u; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	h ^= h >> 15;
	h *= 0x85ebca6bu;
	return h ^ h >> 13;
}

/* Each name has a weight by the value; the heaviest one is meant. */
const char *draw_name(struct draw *d, const struct words *names)
{
	unsigned value = (unsigned)draw_below(d, 256) * 256;
	const char *best = "";
	uint32_t most = 0;
	size_t i;

	value += (unsigned)draw_below(d, 256);
	for (i = 0; i < names->n; i++) {
		uint32_t w = weight(names->v[i], value);

		if (i == 0 || w > most) {
			best = names->v[i];
			most = w;
		}
	}
	return best;
}

void draw_seed(struct draw *d, uint64_t seed)
{
	d->state = seed * 2654435769u + 1;
}

int64_t draw_chance(struct draw *d, int64_t low, int64_t high)
{
	return low + (int64_t)words_below(&d->state, (size_t)(high - low) + 1);
}
