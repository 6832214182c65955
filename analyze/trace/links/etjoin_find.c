/*
 * Sequences of names.
 */
#include "analyze/trace/links/etjoin_find.h"

#include <stdlib.h>

#include "base/minmax.h"
#include "base/zeroed.h"

void find_table(struct names what, uint32_t *fail)
{
	uint32_t k = 0;
	size_t i;

	if (what.n)
		fail[0] = 0;
	for (i = 1; i < what.n; i++) {
		while (k > 0 && what.v[i] != what.v[k])
			k = fail[k - 1];
		k += what.v[i] == what.v[k];
		fail[i] = k;
	}
}

size_t find_next(struct names what, const uint32_t *fail, struct names in, size_t from)
{
	size_t i, k = 0;

	for (i = from; i < in.n; i++) {
		while (k > 0 && in.v[i] != what.v[k])
			k = fail[k - 1];
		k += in.v[i] == what.v[k];
		if (k == what.n)
			return i + 1 - k;
	}
	return in.n;
}

/* What is in the middle: lengths of the longest from each place on, a row for each of a's. */
static size_t find_middle(struct names a, struct names b, size_t place, uint32_t *pair)
{
	size_t wide = b.n + 1, i, k, n = 0;
	uint32_t *len = zeroed((a.n + 1) * wide, sizeof(*len));

	for (i = a.n; i-- > 0;)
		for (k = b.n; k-- > 0;) {
			uint32_t *at = &len[i * wide + k];

			if (a.v[i] == b.v[k])
				*at = at[wide + 1] + 1;
			else
				*at = MAX(at[wide], at[1]);
		}
	for (i = k = 0; i < a.n && k < b.n;) {
		const uint32_t *at = &len[i * wide + k];

		if (a.v[i] == b.v[k]) {
			pair[i++] = (uint32_t)(place + k++);
			n++;
		} else if (at[wide] >= at[1]) {
			i++;
		} else {
			k++;
		}
	}
	free(len);
	return n;
}

size_t find_common(struct names a, struct names b, size_t *cells, uint32_t *pair)
{
	size_t i, front = 0, back = 0, least = MIN(a.n, b.n);

	for (i = 0; i < a.n; i++)
		pair[i] = UINT32_MAX;
	for (; front < least && a.v[front] == b.v[front]; front++)
		pair[front] = (uint32_t)front;
	for (; back < least - front && a.v[a.n - 1 - back] == b.v[b.n - 1 - back]; back++)
		pair[a.n - 1 - back] = (uint32_t)(b.n - 1 - back);
	a = (struct names){ a.v + front, a.n - front - back };
	b = (struct names){ b.v + front, b.n - front - back };
	if (a.n == 0 || b.n == 0)
		return front + back;
	if (a.n + 1 > *cells / (b.n + 1))
		return 0;
	*cells -= (a.n + 1) * (b.n + 1);
	return front + back + find_middle(a, b, front, pair + front);
}
