/* Learning a line's shape, and reading others by it. */
#include "analyze/input/artifact/logs/log_shapes.h"

#include "analyze/input/artifact/logs/log_value.h"
#include "base/base.h"

static bool is_in_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_' || c == '/' || c == '.' || c == '-' ||
		c == '@' || c == '#';
}

/* The digits at i belong to a word with letters in front of them, as those of "val_top5" do. */
static bool is_of_word(struct span line, size_t i)
{
	for (; i > 0 && is_in_word(line.p[i - 1]); i--)
		if (is_letter(line.p[i - 1]))
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
	const struct log_prefix *prefix, size_t dict, const struct bar_read *bar)
{
	if (i < prefix->n)
		return prefix->nname == 0 && i - prefix->tag >= prefix->ntag &&
			ALL(k, prefix->nat, prefix->at[k] != i);
	if (bar && line.p + i < bar->bar.title.p + bar->bar.title.n)
		return false;
	if (g->nnoted == 0) /* "1,23" is none, "1,234" would be a figure */
		return end + 1 >= line.n || line.p[end] != ',' || !is_digit(line.p[end + 1]);
	return i < dict && !is_of_word(line, i) && !is_of_key(g, i);
}

static size_t blanks(struct span line, size_t i)
{
	i = FIRST_FROM(k, i, line.n, line.p[k] != ' ');
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
		.is_figure = is_figure,
		.has_comma = memchr(line.p + i, ',', end - i) != NULL,
		.is_masked = memchr(s->mask + from, 0xff, to - from) != NULL };
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
	i = FIRST_FROM(k, i, line.n, !is_digit(line.p[k]));
	return i;
}

static bool learn(struct log_shape *s, struct span line, const struct log_figures *g,
	const struct log_prefix *prefix, size_t dict, const struct bar_read *bar)
{
	size_t drawn = bar ? (size_t)(bar->bar.drawn.p - line.p) : line.n;
	size_t i = 0, from = 0, nth = 0, end;
	bool is_figure, is_total = false; /* the digits behind a counter are its own */

	if (line.n >= SHAPE_BYTES)
		return false;
	memset(s->mask, 0, line.n);
	while (i < line.n) {
		if (i == drawn) {
			end = i + bar->bar.drawn.n;
			if (!add_token(s, line, from, i, end, false))
				return false;
			s->token[s->ntoken - 1].is_drawn = true;
			i = from = end;
		}
		end = number_end(line, i, g, nth, &is_figure);
		if (end == i) {
			if (is_figure)
				return false;
			i++;
			continue;
		}
		if (!is_figure && (is_total || !is_free(line, i, end, g, prefix, dict, bar))) {
			is_total = false;
			i = end;
			continue;
		}
		if (i < prefix->n) { /* dates are of one length */
			memset(s->mask + i, 0xff, end - i);
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
	FREE_ALL(s->figure, s->bar); /* and what is behind */
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
	} while (s->text && (s->hits || s == a->pinned));
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

/* The line of that sign is worth to be learnt: one like it was there, and those learnt were found.
 */
static bool is_worth(struct log_shapes *a)
{
	struct log_sign *s = &a->seen[a->sign % SHAPE_SEEN];

	if (s->sign != a->sign || a->sign == 0) {
		*s = (struct log_sign){ .sign = a->sign };
		return false;
	}
	if (s->learnt >= SHAPES_ALIKE && s->found / 4 < s->learnt)
		return false;
	s->learnt++;
	return true;
}

static void note_bar(struct log_figures *g, const char *line, const char *at, double total,
	const struct log_pair *pair)
{
	struct log_noted *n = &g->noted[g->nnoted++];

	*n = (struct log_noted){ .at = (size_t)(at - line), .total = total };
	if (pair && !pair->is_unnamed) {
		n->key_at = (size_t)(pair->key.p - line);
		n->key_n = pair->key.n;
	}
}

/* The bar's numbers are noted; false: some are not what they look like. */
static bool note_bars(struct log_figures *g, struct span line, const struct bar_read *b)
{
	const char *end = line.p + line.n;
	double v = 0;

	g->nnoted = 0;
	if (!log_value_number(b->bar.n_at, end, &v) || v != b->bar.n || b->pairs.n + 2 > LOG_PAIRS)
		return false;
	note_bar(g, line.p, b->bar.n_at, 1, NULL);
	if (b->bar.per_s > 0) {
		if (!log_value_number(b->bar.per_s_at, end, &v) ||
			(v != b->bar.per_s && 1 / v != b->bar.per_s))
			return false;
		note_bar(g, line.p, b->bar.per_s_at, 0, NULL);
	}
	for (EACH(const struct log_pair, p, b->pairs.v, b->pairs.n)) {
		if (p->is_fixed || log_figures_value(g, p) != p->value ||
			log_commas_are_decimal(&g->commas))
			return false;
		note_bar(g, line.p, p->at, p->total, p);
	}
	return true;
}

/* What was in `from` is in `to`. */
static void move(struct span *t, struct span from, const char *to)
{
	if (t->p >= from.p && t->p < from.p + from.n)
		t->p = to + (t->p - from.p);
}

static struct bar_read *keep_bar(const struct bar_read *b, struct span line, const char *text)
{
	struct bar_read *to = xmalloc(sizeof(*to));
	double v;

	*to = *b;
	const char *end = line.p + line.n;
	to->is_per_it = b->bar.per_s > 0 &&
		span_starts(
			span_between(
				log_blanks(log_value_number(b->bar.per_s_at, end, &v), end), end),
			"s/");
	move(&to->bar.title, line, text);
	for (size_t i = 0; i < to->pairs.n; i++) {
		move(&to->pairs.v[i].key, line, text);
		move(&to->pairs.v[i].rate, line, text);
	}
	for (size_t i = 0; i < to->more.n; i++) {
		move(&to->more.v[i].key, line, text);
		move(&to->more.v[i].rate, line, text);
	}
	return to;
}

void log_shape_bar(const struct log_shape *s, const double *value, struct bar_read *to)
{
	const struct bar_read *b = s->bar;

	to->bar = b->bar;
	to->bar.n = *value++;
	if (b->bar.per_s > 0)
		to->bar.per_s = *value++;
	if (b->is_per_it)
		to->bar.per_s = to->bar.per_s > 0 ? 1 / to->bar.per_s : 0;
	to->pairs.n = b->pairs.n;
	to->pairs.nsigned = b->pairs.nsigned;
	to->pairs.nbare = b->pairs.nbare;
	memcpy(to->pairs.v, b->pairs.v, b->pairs.n * sizeof(b->pairs.v[0]));
	for (size_t i = 0; i < to->pairs.n; i++)
		to->pairs.v[i].value = value[i];
	to->more.n = b->more.n;
	to->more.nsigned = b->more.nsigned;
	to->more.nbare = b->more.nbare;
	memcpy(to->more.v, b->more.v, b->more.n * sizeof(b->more.v[0]));
}

void log_shapes_learn(struct log_shapes *a, struct span line, struct log_figures *g,
	const struct log_prefix *prefix, size_t dict, const struct bar_read *bar)
{
	struct log_shape s = { .sign = a->sign, .token = a->token, .mask = a->mask };

	if (!is_worth(a) || (bar && !note_bars(g, line, bar)) ||
		!learn(&s, line, g, prefix, dict, bar))
		return;
	s.nfigure = g->nnoted;
	s.nbare = g->line_nbare;
	s.rank = g->at;
	s.is_by_epoch = g->rank[g->at].place.is_by_epoch;
	size_t figures = s.nfigure * sizeof(*s.figure), tokens = s.ntoken * sizeof(*s.token);
	char *to = xcalloc(1, figures + tokens + 2 * (line.n + REAL_PADDING));
	struct log_shape *at = room(a);
	s.figure = put(&to, g->noted, figures);
	s.token = put(&to, s.token, tokens);
	s.text = put(&to, line.p, line.n);
	to += REAL_PADDING;
	s.mask = put(&to, s.mask, line.n);
	s.bar = bar ? keep_bar(bar, line, s.text) : NULL;
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
		a->weight[c] = strchr("#0123456789.+-, \teE", (int)c) || c >= 128 ? 0 : w ^ w >> 32;
	}
}

void log_shapes_close(struct log_shapes *a)
{
	for (size_t i = 0; i < SHAPES; i++)
		forget(a, &a->shape[i]);
}

/* --- finding one again --- */

/* n bytes as those of the text, but for digits where the mask is set.  REAL_PADDING are readable
 * behind. */
HOT_INLINE bool is_alike(const char *p, const char *text, const char *mask, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const uint64_t zeros = UINT64_C(0x3030303030303030), low = UINT64_C(0x7f7f7f7f7f7f7f7f);
	uint64_t x, y, m;

	for (size_t i = 0; i < n; i += 8) {
		memcpy(&x, p + i, 8);
		memcpy(&y, text + i, 8);
		memcpy(&m, mask + i, 8);
		uint64_t other = x ^ zeros; /* above 9: no digit */
		other = (other | ((other & low) + UINT64_C(0x7676767676767676))) & ~low;
		uint64_t wrong = ((x ^ y) & ~m) | (other & m);
		if (i + 8 > n)
			wrong <<= 8 * (i + 8 - n);
		if (wrong)
			return false;
	}
	return true;
#else
	return ALL(i, n, mask[i] ? is_digit(p[i]) : p[i] == text[i]);
#endif
}

/* n bytes as those of the text; REAL_PADDING are readable behind. */
HOT_INLINE bool is_same(const char *p, const char *text, size_t n)
{
	uint64_t x, y;

	for (; n >= sizeof(x); p += sizeof(x), text += sizeof(x), n -= sizeof(x)) {
		memcpy(&x, p, sizeof(x));
		memcpy(&y, text, sizeof(y));
		if (x != y)
			return false;
	}
	if (n == 0)
		return true;
	memcpy(&x, p, sizeof(x));
	memcpy(&y, text, sizeof(y));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return (x ^ y) << (64 - 8 * n) == 0;
#else
	return (x ^ y) >> (64 - 8 * n) == 0;
#endif
}

/* The number of the token at p: what is behind it and its blanks, or NULL.  No blank is at `end`.
 */
HOT_INLINE const char *take_token(
	const struct log_token *t, const char *p, const char *end, double *value)
{
	const char *q;

	if (t->is_drawn)
		return memchr(p, '|', (size_t)(end - p));
	if ((*p == ' ') != t->blank_before)
		return NULL;
	while (*p == ' ')
		p++;
	if (t->is_figure) {
		q = real_short(p, value);
		if (UNLIKELY(!q) &&
			(p >= end || !(q = log_value_number(p, end, value)) ||
				(!t->has_comma && memchr(p, ',', (size_t)(q - p)))))
			return NULL;
	} else {
		for (q = p; is_digit(*q); q++)
			;
	}
	if (q == p || (*q == ' ') != t->blank_after)
		return NULL;
	while (*q == ' ')
		q++;
	return q <= end ? q : NULL;
}

static bool fits(const struct log_shape *s, struct span line, double *value)
{
	const char *p = line.p, *end = p + line.n;

	for (EACH(const struct log_token, t, s->token, s->ntoken)) {
		if ((size_t)(end - p) < t->n ||
			!(t->is_masked ? is_alike(p, s->text + t->from, s->mask + t->from, t->n)
				       : is_same(p, s->text + t->from, t->n)))
			return false;
		p = take_token(t, p + t->n, end, value);
		if (!p)
			return false;
		value += t->is_figure;
	}
	return (size_t)(end - p) == s->n - s->tail &&
		is_alike(p, s->text + s->tail, s->mask + s->tail, s->n - s->tail);
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
	struct log_shape *s = &a->shape[at];
	struct log_sign *sign = &a->seen[s->sign % SHAPE_SEEN];

	s->hits |= 3;
	sign->found += sign->sign == s->sign;
	return s;
}

const struct log_shape *log_shapes_find(struct log_shapes *a, struct span line, double *value)
{
	uint16_t *guess = &a->follows[(a->before * 31 + a->last) % SHAPE_BUCKETS];

	if (a->shape[*guess].text && fits(&a->shape[*guess], line, value))
		return found(a, *guess);
	a->sign = sign_of(a, line) | 1;
	for (size_t i = a->bucket[a->sign % SHAPE_BUCKETS]; i; i = a->shape[i - 1].next) {
		const struct log_shape *s = &a->shape[i - 1];

		if (s->sign != a->sign || !fits(s, line, value))
			continue;
		*guess = (uint16_t)(i - 1);
		return found(a, i - 1);
	}
	return NULL;
}
