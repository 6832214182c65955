/*
 * Lines of a picture of lanes.
 */
#include "report/format/format_lanes_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/width.h"
#include "report/format/grid.h"

void lanes_line_init(struct lanes_line *l, size_t n)
{
	size_t cap = 0, i;

	l->n = n;
	l->v = array_grow(NULL, &cap, n + 1, sizeof(*l->v));
	for (i = 0; i <= n; i++)
		l->v[i] = (struct lanes_place){ .glyph = "" };
}

void lanes_line_clear(struct lanes_line *l)
{
	free(l->v);
	*l = (struct lanes_line){ 0 };
}

/* Bytes of the letter that begins at p. */
static size_t letter_at(const char *p, const char *end)
{
	size_t n = 1;

	while (p + n < end && ((unsigned char)p[n] & 0xC0) == 0x80)
		n++;
	return n;
}

void lanes_line_put(struct lanes_line *l, size_t at, struct span text, const struct work_kind *kind)
{
	const char *p = text.p, *end = text.p + text.n;

	while (p < end && at < l->n) {
		size_t n = letter_at(p, end), w = width_of((struct span){ p, n });
		struct lanes_place *to = &l->v[at];

		if (w > 0 && at + w <= l->n && n < sizeof(to->glyph)) {
			*to = (struct lanes_place){ .kind = kind };
			memcpy(to->glyph, p, n);
			if (w == 2)
				l->v[at + 1] = (struct lanes_place){ .is_behind = true };
		}
		at += w;
		p += n;
	}
}

bool lanes_line_fit(struct lanes_line *l, size_t at, struct span text, const struct work_kind *kind)
{
	size_t n = width_of(text), i;

	if (at + n > l->n)
		return false;
	for (i = at > 0 ? at - 1 : 0; i < at + n; i++)
		if (l->v[i].glyph[0])
			return false;
	lanes_line_put(l, at, text, kind);
	return true;
}

/* "#0072b2" in the palette of 256 colours: a cube of six steps of each. */
static unsigned palette(const char *hex)
{
	unsigned long v = strtoul(hex + 1, NULL, 16); /* lint: allow strtoul: a theme's constant */
	unsigned red = (unsigned)(v >> 16 & 255), green = (unsigned)(v >> 8 & 255);
	unsigned blue = (unsigned)(v & 255);

	return 16 + 36 * ((red * 5 + 127) / 255) + 6 * ((green * 5 + 127) / 255) +
		(blue * 5 + 127) / 255;
}

void lanes_color(struct str *out, const struct work_kind *kind, const struct render *how)
{
	if (!how->color)
		return;
	if (kind)
		str_addf(out, "\033[38;5;%um", palette(theme_color(THEME_LIGHT, kind->color)));
	else
		str_adds(out, SGR_OFF);
}

void lanes_line_end(struct lanes_line *l, struct str *out, const struct render *how)
{
	const struct work_kind *now = NULL;
	size_t n = l->n, i;

	while (n > 0 && !l->v[n - 1].glyph[0] && !l->v[n - 1].is_behind)
		n--;
	for (i = 0; i < n; i++) {
		const struct lanes_place *v = &l->v[i];

		if (v->is_behind)
			continue;
		if (v->kind != now)
			lanes_color(out, v->kind, how);
		now = v->kind;
		str_adds(out, v->glyph[0] ? v->glyph : " ");
	}
	if (now)
		lanes_color(out, NULL, how);
	str_addc(out, '\n');
	lanes_line_clear(l);
}
