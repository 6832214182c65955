/* Learning a line's shape, and reading others by it. */
#include "analyze/input/artifact/logs/log_shapes.h"

#include "analyze/input/artifact/logs/log_value.h"
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
	struct log_token *t = &s->token[s->ntoken];
	size_t to = i;

	while (to > from && line.p[to - 1] == ' ')
		to--;
	if (s->ntoken == SHAPE_TOKENS)
		return false;
	*t = (struct log_token){ .from = (uint16_t)from,
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
	bool is_figure;

	s->ntoken = 0;
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
		if (!is_figure && !is_free(line, i, end, g, prefix, dict)) {
			i = end;
			continue;
		}
		if (!add_token(s, line, from, i, end, is_figure))
			return false;
		nth += is_figure;
		i = from = blanks(line, end);
	}
	memcpy(s->text, line.p, line.n);
	s->tail = from;
	s->n = line.n;
	return nth == g->nnoted;
}

void log_shapes_learn(struct log_shapes *a, struct span line, const struct log_figures *g,
	const struct log_prefix *prefix, size_t dict)
{
	size_t at = g->nnoted ? a->learnt++ % SHAPES_FIGURES
			      : SHAPES_FIGURES + a->learnt_other++ % SHAPES_OTHER;
	struct log_shape *s = &a->shape[at];

	if (!learn(s, line, g, prefix, dict)) {
		s->n = 0;
		return;
	}
	memcpy(s->figure, g->noted, g->nnoted * sizeof(g->noted[0]));
	s->nfigure = g->nnoted;
	s->nbare = g->line_nbare;
	s->rank = g->at;
}

/* The number of the token at p: what is behind it and its blanks, or NULL. */
static const char *take_token(
	const struct log_token *t, const char *p, const char *end, double *value)
{
	const char *q = p;

	while (p < end && *p == ' ')
		p++;
	if ((p > q) != t->blank_before || p == end)
		return NULL;
	q = p;
	if (t->is_figure)
		q = log_value_number(p, end, value);
	else
		while (q < end && is_digit(*q))
			q++;
	if (!q || q == p)
		return NULL;
	p = q;
	while (p < end && *p == ' ')
		p++;
	return (p > q) == t->blank_after ? p : NULL;
}

static bool fits(const struct log_shape *s, struct span line, double *value)
{
	const char *p = line.p, *end = p + line.n;

	for (EACH(const struct log_token, t, s->token, s->ntoken)) {
		if ((size_t)(end - p) < t->n || memcmp(p, s->text + t->from, t->n) != 0)
			return false;
		p = take_token(t, p + t->n, end, value);
		if (!p)
			return false;
		value += t->is_figure;
	}
	return (size_t)(end - p) == s->n - s->tail &&
		memcmp(p, s->text + s->tail, s->n - s->tail) == 0;
}

const struct log_shape *log_shapes_find(struct log_shapes *a, struct span line, double *value)
{
	size_t guess = a->follows[a->last];

	if (a->shape[guess].n && fits(&a->shape[guess], line, value)) {
		a->last = guess;
		return &a->shape[guess];
	}
	for (size_t i = 0; i < COUNT_OF(a->shape); i++)
		if (i != guess && a->shape[i].n && fits(&a->shape[i], line, value)) {
			a->follows[a->last] = i;
			a->last = i;
			return &a->shape[i];
		}
	return NULL;
}
