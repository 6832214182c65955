/* Learning a line's shape, and reading others by it. */
#include "analyze/input/artifact/logs/log_shapes.h"

#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/input/text/num.h"
#include "base/ascii.h"
#include "base/base.h"

static bool is_in_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || c == '/' || c == '.' || c == '-' ||
		c == '@' || c == '#';
}

/* Digits [i, end) belong to a word with letters in it, as those of "val_top5" do. */
static bool is_of_word(struct span line, size_t i, size_t end)
{
	for (; i > 0 && is_in_word(line.p[i - 1]); i--)
		if (is_letter(line.p[i - 1]))
			return true;
	for (; end < line.n && is_in_word(line.p[end]); end++)
		if (is_letter(line.p[end]))
			return true;
	return false;
}

static bool is_of_key(const struct log_figures *g, size_t i)
{
	return ANY(k, g->nnoted,
		i >= g->noted[k].key_at && i < g->noted[k].key_at + g->noted[k].key_n);
}

/* Digits that may be others in a line that means the same: dates, totals, numbers in messages; in a
 * dict, which begins at `dict`, none. */
static bool is_free(struct span line, size_t i, size_t end, const struct log_figures *g,
	const struct log_prefix *prefix, size_t dict)
{
	if (i < prefix->n)
		return prefix->nname == 0 && ALL(k, prefix->nat, prefix->at[k] != i);
	if (g->nnoted == 0) /* "1,23" is none, "1,234" would be a figure */
		return end + 1 >= line.n || line.p[end] != ',' || !is_digit(line.p[end + 1]);
	return i < dict && !is_of_word(line, i, end) && !is_of_key(g, i);
}

static size_t blanks(struct span line, size_t i)
{
	while (i < line.n && line.p[i] == ' ')
		i++;
	return i;
}

/* A number at [i, end), the text in front of it beginning at `from`; false: there is no room. */
static bool add_token(
	struct log_shape *s, struct span line, size_t from, size_t i, size_t end, bool is_figure)
{
	size_t to = i;

	while (to > from && line.p[to - 1] == ' ')
		to--;
	if (s->ntoken == SHAPE_TOKENS)
		return false;
	s->token[s->ntoken] = (struct log_token){ .from = (uint16_t)from,
		.n = (uint16_t)(to - from),
		.blank_before = to < i,
		.blank_after = end < line.n && line.p[end] == ' ',
		.is_figure = is_figure };
	s->ntoken++;
	return true;
}

static size_t number_end(
	struct span line, size_t i, const struct log_figures *g, size_t nth, bool *is_figure)
{
	const char *q;
	double v;

	*is_figure = nth < g->nnoted && g->noted[nth].at == i;
	if (*is_figure) {
		q = log_value_number(line.p + i, line.p + line.n, &v);
		return q ? (size_t)(q - line.p) : i;
	}
	while (i < line.n && is_digit(line.p[i]))
		i++;
	return i;
}

static bool learn(struct log_shape *s, struct span line, const struct log_figures *g,
	const struct log_prefix *prefix, size_t dict)
{
	size_t i = 0, from = 0, nth = 0, end;
	bool is_figure, is_total = false; /* the digits behind a counter are its own */

	if (line.n >= SHAPE_BYTES)
		return false;
	while (i < line.n) {
		end = number_end(line, i, g, nth, &is_figure);
		if (end == i) {
			if (is_figure)
				return false;
			i++;
			continue;
		}
		if (!is_figure && (is_total || !is_free(line, i, end, g, prefix, dict))) {
			is_total = false;
			i = end;
			continue;
		}
		if (!add_token(s, line, from, i, end, is_figure))
			return false;
		is_total = is_figure && g->noted[nth].total > 0;
		nth += is_figure;
		i = from = blanks(line, end);
	}
	s->tail = from;
	s->n = line.n;
	return nth == g->nnoted;
}

static void forget(struct log_shapes *a, struct log_shape *s)
{
	uint16_t me = (uint16_t)(s - a->shape + 1), *at = &a->bucket[s->sign % SHAPE_BUCKETS];

	if (!s->text)
		return;
	for (; *at && *at != me; at = &a->shape[*at - 1].next)
		;
	*at = s->next;
	free(s->figure); /* and what is behind */
	s->text = NULL;
}

/* One that has not been met lately. */
static struct log_shape *room(struct log_shapes *a)
{
	struct log_shape *s;

	do {
		a->hand = (a->hand + 1) % SHAPES;
		s = &a->shape[a->hand];
		s->hits /= 2;
	} while (s->text && s->hits);
	forget(a, s);
	return s;
}

static void *put(char **to, const void *from, size_t n)
{
	char *at = *to;

	memcpy(at, from, n);
	*to += n;
	return at;
}

void log_shapes_learn(struct log_shapes *a, struct span line, const struct log_figures *g,
	const struct log_prefix *prefix, size_t dict)
{
	struct log_shape s = { .sign = a->sign, .token = a->token };
	uint64_t *seen = &a->seen[a->sign % SHAPE_SEEN];

	if (*seen != a->sign || !learn(&s, line, g, prefix, dict)) {
		*seen = a->sign;
		return;
	}
	s.nfigure = g->nnoted;
	s.nbare = g->line_nbare;
	s.rank = g->at;
	s.is_by_epoch = g->rank[g->at].place.is_by_epoch;
	size_t figures = s.nfigure * sizeof(*s.figure), tokens = s.ntoken * sizeof(*s.token);
	char *to = xcalloc(1, figures + tokens + line.n + REAL_PADDING);
	struct log_shape *at = room(a);
	s.text = NULL;
	s.figure = put(&to, g->noted, figures);
	s.token = put(&to, s.token, tokens);
	s.text = put(&to, line.p, line.n);
	uint16_t *bucket = &a->bucket[s.sign % SHAPE_BUCKETS];
	s.next = *bucket;
	*bucket = (uint16_t)(at - a->shape + 1);
	s.hits = 1;
	*at = s;
}

void log_shapes_open(struct log_shapes *a)
{
	uint64_t w = 0;

	memset(a, 0, sizeof(*a));
	for (size_t c = 0; c < COUNT_OF(a->weight); c++) {
		w = (w + c) * UINT64_C(0xd1342543de82ef95) + 1;
		a->weight[c] = strchr("0123456789.+-, \teE", (int)c) ? 0 : w ^ w >> 32;
	}
}

void log_shapes_close(struct log_shapes *a)
{
	for (size_t i = 0; i < SHAPES; i++)
		forget(a, &a->shape[i]);
}

/* --- finding one again --- */

/* n bytes; REAL_PADDING are readable behind both. */
HOT_INLINE bool is_same(const char *a, const char *b, size_t n)
{
	uint64_t x, y;

	for (; n > 8; n -= 8, a += 8, b += 8) {
		memcpy(&x, a, 8);
		memcpy(&y, b, 8);
		if (x != y)
			return false;
	}
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(&x, a, 8);
	memcpy(&y, b, 8);
	return n == 0 || (x ^ y) << (64 - 8 * n) == 0;
#else
	return memcmp(a, b, n) == 0;
#endif
}

HOT_INLINE const char *blanks_end(const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* The number of the token at p: what is behind it and its blanks, or NULL. */
HOT_INLINE const char *take_token(
	const struct log_token *t, const char *p, const char *end, double *value)
{
	const char *q = blanks_end(p, end);

	if ((q > p) != t->blank_before || q == end)
		return NULL;
	p = q;
	if (t->is_figure)
		q = log_value_number(p, end, value);
	else
		while (q < end && is_digit(*q))
			q++;
	if (!q || q == p)
		return NULL;
	p = blanks_end(q, end);
	return (p > q) == t->blank_after ? p : NULL;
}

static bool fits(const struct log_shape *s, struct span line, double *value)
{
	const char *p = line.p, *end = p + line.n;

	for (EACH(const struct log_token, t, s->token, s->ntoken)) {
		if ((size_t)(end - p) < t->n || !is_same(p, s->text + t->from, t->n))
			return false;
		p = take_token(t, p + t->n, end, value);
		if (!p)
			return false;
		value += t->is_figure;
	}
	return (size_t)(end - p) == s->n - s->tail && is_same(p, s->text + s->tail, s->n - s->tail);
}

/* Of what is in the line but its numbers and blanks; in whatever order. */
static uint64_t sign_of(const struct log_shapes *a, struct span line)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < line.n; i++)
		sum += a->weight[(unsigned char)line.p[i]];
	return sum;
}

static const struct log_shape *found(struct log_shapes *a, size_t at)
{
	a->before = a->last;
	a->last = at;
	a->shape[at].hits |= 3;
	return &a->shape[at];
}

const struct log_shape *log_shapes_find(struct log_shapes *a, struct span line, double *value)
{
	uint16_t *guess = &a->follows[(a->before * 31 + a->last) % SHAPE_BUCKETS];

	if (a->shape[*guess].text && fits(&a->shape[*guess], line, value))
		return found(a, *guess);
	a->sign = sign_of(a, line);
	for (size_t i = a->bucket[a->sign % SHAPE_BUCKETS]; i; i = a->shape[i - 1].next) {
		const struct log_shape *s = &a->shape[i - 1];

		if (s->sign != a->sign || !fits(s, line, value))
			continue;
		*guess = (uint16_t)(i - 1);
		return found(a, i - 1);
	}
	return NULL;
}
