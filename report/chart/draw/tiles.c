/* The page around boxes in rows, and their numbers as columns for its script. */
#include "report/chart/draw/tiles.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zlib.h>

#include "base/unit.h"
#include "report/chart/draw/svg.h"
#include "report/escape.h"

/* A file of this folder as bytes of the program. */
#define FILE_AS(name, path)                                                               \
	__asm__(".pushsection .rodata\n" #name ": .incbin \"" path "\"\n" #name "_end:\n" \
		".byte 0\n.popsection");                                                  \
	extern const char name[] __attribute__((visibility("hidden")));                   \
	extern const char name##_end[] __attribute__((visibility("hidden")))

FILE_AS(page_script, "report/chart/draw/page.js");
FILE_AS(tiles_script, "report/chart/draw/tiles.js");
FILE_AS(blocks_script, "report/chart/draw/blocks.js");
FILE_AS(tiles_style, "report/chart/draw/tiles.css");

/* Of their bytes; the oracle `tiles` says what they should be. */
#define PAGE_HASH   "sha256-JytAuaNh3aJIcPw+FJmUAjWXGaRSzGABQGAobg5wNvg="
#define TILES_HASH  "sha256-YnTod7VwOX0c/ATUHi5M2qg0jfz5Mi80mQJoYKTJkX8="
#define BLOCKS_HASH "sha256-6h/cjT4AncmyY5vVIy5laricg3Cgkkugh2kLMIO/0CY="

const char tiles_hashes[] = "'" PAGE_HASH "' '" TILES_HASH "'";

/* ---- boxes, a row after the other ---- */

struct tile {
	double from, to;
	size_t row;
	const char *name;
	uint32_t id; /* of the name */
	double size; /* of a block of memory; what a compared box was */
	uint8_t series, high;
	uint32_t at; /* in its series */
};

struct tiles {
	const struct chart *c;
	const struct chart_panel *p;
	struct tile *v;
	size_t n;
	double zero; /* what the axis counts from */
};

static int by_row(const void *a, const void *b)
{
	const struct tile *x = a, *y = b;

	return x->row != y->row ? compare3(x->row, y->row) : compare3(x->from, y->from);
}

/* Blocks: what is said of them; lanes: how much of a row's height. */
static uint8_t high_of(const struct chart_panel *p, const struct chart_series *s, size_t k)
{
	double high = p->kind == PANEL_FLAME ? 1 : s->hi[k];

	if (p->kind == PANEL_BLOCKS)
		return (uint8_t)saturate_size(fmin(high, 255));
	return high > 0 ? (uint8_t)(1 + saturate_whole(fmin(high, 1) * 254)) : 0;
}

static void take_tiles(struct tiles *t)
{
	const struct chart_panel *p = t->p;
	bool is_blocks = p->kind == PANEL_BLOCKS;

	t->v = xmalloc(SUM(size_t, i, p->nseries, p->series[i].n) * sizeof(*t->v) + 1);
	t->zero = INFINITY;
	for (size_t i = 0; i < p->nseries; i++) {
		const struct chart_series *s = &p->series[i];

		for (size_t k = 0; s->mark == MARK_TILE && k < s->n; k++) {
			if (!(s->lo[k] >= s->x[k]) || !(s->y[k] >= 0))
				continue;
			t->zero = fmin(t->zero, s->x[k]);
			t->v[t->n++] = (struct tile){ .from = s->x[k],
				.to = s->lo[k],
				.row = is_blocks ? 0 : saturate_size(s->y[k]),
				.name = s->label[k],
				.size = p->is_compared ? s->size[k] : s->y[k],
				.series = (uint8_t)i,
				.high = high_of(p, s, k),
				.at = (uint32_t)k };
		}
	}
	t->zero = t->n && !is_blocks ? floor(t->zero) : 0;
	sort_rows(t->v, t->n, sizeof(*t->v), by_row);
}

/* ---- the head ---- */

static void put_json(struct str *b, const char *key, const char *text)
{
	str_addf(b, "%s\"%s\":", b->s[b->n - 1] == '{' ? "" : ",", key);
	escape_json(b, span_of(text ? text : ""));
}

/* The place of a name among those of slot, or a free one. */
static size_t slot_of(const struct tile *const *slot, size_t nslot, const char *name)
{
	size_t at = XXH3_64bits(name, strlen(name)) & (nslot - 1);

	while (slot[at] && strcmp(slot[at]->name, name) != 0)
		at = (at + 1) & (nslot - 1);
	return at;
}

/* Each name once; boxes get its number. */
static void put_names(struct str *b, struct tiles *t)
{
	size_t nslot = 2;
	uint32_t n = 0;

	while (nslot < 2 * t->n)
		nslot *= 2;
	const struct tile **slot = zeroed(nslot, sizeof(struct tile *));
	str_adds(b, ",\"names\":[");
	for (EACH(struct tile, v, t->v, t->n)) {
		size_t at = slot_of(slot, nslot, v->name);

		if (!slot[at]) {
			str_adds(b, n ? "," : "");
			escape_json(b, span_of(v->name));
			v->id = n++;
			slot[at] = v;
		}
		v->id = slot[at]->id;
	}
	str_addc(b, ']');
	free(slot);
}

static void put_series(struct str *b, const struct chart_panel *p)
{
	str_adds(b, ",\"series_of\":[");
	for (size_t i = 0; i < p->nseries && p->series[i].mark == MARK_TILE; i++) {
		const struct chart_series *s = &p->series[i];

		str_adds(b, i ? ",{" : "{");
		put_json(b, "title", s->title);
		str_addf(b, ",\"color\":%d,\"faint\":%s,\"waits\":%s}", (int)s->color,
			s->is_faint ? "true" : "false", s->is_waiting ? "true" : "false");
	}
	str_addc(b, ']');
}

static void put_lines(struct str *b, const struct tiles *t)
{
	str_adds(b, ",\"lines\":[");
	for (size_t i = 0; i < t->p->nline; i++) {
		str_adds(b, i ? ",{" : "{");
		put_json(b, "title", t->p->line[i].title);
		str_addf(b, ",\"at\":%.0f,\"length\":%.0f,\"upright\":%s}",
			t->p->line[i].at - t->zero, t->p->line[i].length,
			t->p->line[i].is_upright ? "true" : "false");
	}
	str_addc(b, ']');
}

static void put_values(struct str *b, const char *key, const double *v, size_t n)
{
	str_addf(b, ",\"%s\":[", key);
	for (size_t i = 0; i < n; i++)
		str_addf(b, "%s%.0f", i ? "," : "", v[i]);
	str_addc(b, ']');
}

/* Steps that go over blocks; the others, behind them, are lines. */
static void put_curves(struct str *b, const struct chart_panel *p)
{
	str_adds(b, ",\"curves\":[");
	for (size_t i = 0, n = 0; i < p->nseries; i++) {
		const struct chart_series *s = &p->series[i];

		if (s->mark == MARK_TILE)
			continue;
		str_adds(b, n++ ? ",{" : "{");
		put_json(b, "title", s->title);
		str_addf(b, ",\"color\":%d", (int)s->color);
		put_values(b, "x", s->x, s->n);
		put_values(b, "y", s->y, s->n);
		str_addc(b, '}');
	}
	str_addc(b, ']');
}

/* What more is known of boxes: [its number, lines, when and in which row it was launched]. */
static void put_more(struct str *b, const struct tiles *t)
{
	bool any = false;

	str_adds(b, ",\"more\":[");
	for (size_t i = 0; i < t->n; i++) {
		const struct chart_series *s = &t->p->series[t->v[i].series];
		size_t k = t->v[i].at;

		if (!s->more || !s->more[k])
			continue;
		str_addf(b, "%s[%zu,", any ? "," : "", i);
		escape_json(b, span_of(s->more[k]));
		if (!isnan(s->launch[k]) && !isnan(s->launch_row[k]))
			str_addf(b, ",%.0f,%.0f", s->launch[k] - t->zero, s->launch_row[k]);
		str_addc(b, ']');
		any = true;
	}
	str_addc(b, ']');
}

/* The series of a path through lanes; NULL: there is none. */
static const struct chart_series *path_of(const struct chart_panel *p)
{
	const struct chart_series *last = p->nseries ? &p->series[p->nseries - 1] : NULL;

	return p->kind == PANEL_LANES && last && last->mark != MARK_TILE ? last : NULL;
}

/* What its pieces are called, each once: more are called as the last. */
enum { PATH_WORDS = 64 };

struct path_words {
	const char *v[PATH_WORDS];
	size_t n;
};

static size_t word_of(struct path_words *w, const char *word)
{
	size_t at = FIRST(i, w->n, strcmp(w->v[i], word) == 0);

	if (at < w->n || w->n == PATH_WORDS)
		return MIN(at, PATH_WORDS - 1);
	w->v[w->n++] = word;
	return at;
}

static void put_path_head(struct str *b, const struct chart_panel *p)
{
	const struct chart_series *s = path_of(p);
	struct path_words w = { .n = 0 };

	for (size_t i = 0; s && i < s->n; i++)
		(void)word_of(&w, s->label[i]);
	str_addf(b, ",\"path\":%zu,\"path_words\":[", s ? s->n : 0);
	for (size_t i = 0; i < w.n; i++) {
		str_adds(b, i ? "," : "");
		escape_json(b, span_of(w.v[i]));
	}
	str_addc(b, ']');
}
/* [the number of a name, that of the layer it is one of], each once. */
static void put_layers(struct str *b, const struct tiles *t)
{
	uint32_t said = 0; /* names come in order where they are new */
	bool any = false;

	str_addf(b, ",\"threads\":%zu,\"layers\":[", t->p->waiting);
	for (EACH(const struct tile, v, t->v, t->n)) {
		const struct chart_series *s = &t->p->series[v->series];

		if (v->id < said)
			continue;
		said = v->id + 1;
		if (!s->more || !s->more[v->at])
			continue;
		str_addf(b, "%s[%u,", any ? "," : "", v->id);
		escape_json(b, span_of(s->more[v->at]));
		str_addc(b, ']');
		any = true;
	}
	str_addc(b, ']');
}

static void put_gone(struct str *b, const struct chart_panel *p)
{
	put_values(b, "was", p->was, p->ngone);
	str_adds(b, ",\"gone\":[");
	for (size_t i = 0; i < p->ngone; i++) {
		str_adds(b, i ? "," : "");
		escape_json(b, span_of(p->gone[i]));
	}
	str_addc(b, ']');
}

static void put_head(struct str *b, struct tiles *t)
{
	const struct chart_panel *p = t->p;
	bool is_blocks = p->kind == PANEL_BLOCKS;

	str_addc(b, '{');
	put_json(b, "kind", p->kind == PANEL_FLAME ? "flame" : is_blocks ? "blocks" : "lanes");
	put_json(b, "unit",
		p->x.unit == UNIT_NS              ? "ns"
			: p->x.unit == UNIT_BYTES ? "bytes"
						  : "count");
	str_addf(b, ",\"icicle\":%s,\"rows\":%zu,\"base\":%.0f,\"most\":%.0f,\"nothing\":%d",
		p->is_icicle ? "true" : "false", p->nrow, t->zero, fmax(p->x.at_least - t->zero, 1),
		(int)COLOR_IDLE);
	if (is_blocks) {
		str_addf(b, ",\"more\":%zu", p->nmore);
		put_curves(b, p);
	}
	if (p->kind == PANEL_LANES) {
		str_addf(b, ",\"pinned\":%zu", p->npinned);
		put_more(b, t);
		put_path_head(b, p);
	}
	if (p->is_compared)
		put_gone(b, p);
	put_series(b, p);
	put_lines(b, t);
	put_names(b, t);
	if (p->kind == PANEL_FLAME)
		put_layers(b, t);
	str_adds(b, ",\"names_of_rows\":");
	str_adds(b, p->row ? "[" : "null");
	for (size_t i = 0; p->row && i < p->nrow; i++) {
		str_adds(b, i ? "," : "");
		escape_json(b, span_of(p->row[i]));
	}
	str_adds(b, p->row ? "]}" : "}");
}

/* ---- the columns: 7 bits a byte, the lowest first ---- */

static void put_number(struct str *b, double v)
{
	size_t left = saturate_size(v);

	for (; left > 127; left >>= 7)
		str_addc(b, (char)(left | 128));
	str_addc(b, (char)left);
}

static void put_columns(struct str *b, const struct tiles *t)
{
	size_t i = 0;

	for (size_t r = 0; r < t->p->nrow; r++) {
		size_t from = i;

		while (i < t->n && t->v[i].row == r)
			i++;
		put_number(b, (double)(i - from));
	}
	for (i = 0; i < t->n; i++) {
		bool is_first = i == 0 || t->v[i - 1].row != t->v[i].row;

		put_number(b, round(t->v[i].from) - (is_first ? t->zero : round(t->v[i - 1].from)));
	}
	for (i = 0; i < t->n; i++)
		put_number(b, round(t->v[i].to) - round(t->v[i].from));
	for (i = 0; i < t->n; i++)
		put_number(b, t->v[i].id);
	for (i = 0; i < t->n; i++)
		put_number(b, t->v[i].series);
	for (i = 0; i < t->n; i++)
		put_number(b, t->v[i].high);
	for (i = 0; (t->p->kind == PANEL_BLOCKS || t->p->is_compared) && i < t->n; i++)
		put_number(b, t->v[i].size);
}

/* From the end of the one before, length, row, word. */
static void put_path(struct str *b, const struct tiles *t)
{
	const struct chart_series *s = path_of(t->p);
	struct path_words w = { .n = 0 };
	double end = t->zero;

	for (size_t i = 0; s && i < s->n; i++) {
		double from = fmax(end, s->x[i]), to = fmax(from, s->lo[i]);

		put_number(b, from - end);
		put_number(b, to - from);
		put_number(b, s->y[i]);
		put_number(b, (double)word_of(&w, s->label[i]));
		end = to;
	}
}

/* Appends the bytes deflated (zlib), in base 64. */
static void put_packed(struct str *out, const struct str *b)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uLongf n = compressBound(b->n);
	Bytef *v = xmalloc(n + 2);

	if (compress2(v, &n, (const Bytef *)b->s, b->n, 6) != Z_OK)
		n = 0; /* there is room for all of it: cannot be */
	v[n] = v[n + 1] = 0;
	for (size_t i = 0; i < n; i += 3) {
		uint32_t three = (uint32_t)v[i] << 16 | (uint32_t)v[i + 1] << 8 | v[i + 2];

		str_addc(out, digits[three >> 18]);
		str_addc(out, digits[three >> 12 & 63]);
		str_addc(out, i + 1 < n ? digits[three >> 6 & 63] : '=');
		str_addc(out, i + 2 < n ? digits[three & 63] : '=');
	}
	free(v);
}

static void put_data(struct str *out, const struct chart *c)
{
	struct tiles t = { .c = c, .p = &c->panel[0] };
	SCOPED_STR head = { 0 }, all = { 0 };

	take_tiles(&t);
	put_head(&head, &t);
	for (unsigned i = 0; i < 4; i++)
		str_addc(&all, (char)(head.n >> 8 * i));
	str_add(&all, head.s, head.n);
	put_columns(&all, &t);
	put_path(&all, &t);
	put_packed(out, &all);
	free(t.v);
}

/* ---- the page ---- */

/* What a kind of page has of its own: its script, words of its table, and its help. */
struct page_form {
	const char *script, *script_end;
	const char *hashes, *heads, *help;
};

static void put_colors(struct str *out, enum theme_mode mode)
{
	const struct theme_paper *paper = theme_paper(mode);
	const char *ink = paper->text;
	bool is_dark = mode == THEME_DARK;

	str_addf(out,
		":root{color-scheme:%s;--bg:%s;--fg:%s;--soft:%s;--line:%s;--mild:%s;--link:%s",
		is_dark ? "dark" : "light", paper->background, ink, paper->faint, paper->grid,
		is_dark ? "#202329" : "#f4f5f7", is_dark ? "#8ab4f8" : "#0b57d0");
	svg_colors(out, mode);
	str_adds(out, "}\n");
}

static void put_element(struct str *out, const char *open, const char *text, const char *close)
{
	if (!text)
		return;
	str_adds(out, open);
	escape_html(out, span_of(text));
	str_adds(out, close);
}

static void put_start(struct str *out, const struct chart *c, const struct page_form *form)
{
	str_addf(out, TILES_MARK "%s -->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		c->id);
	str_addf(out,
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
		"style-src 'unsafe-inline';script-src %s;base-uri 'none';form-action 'none'\">\n",
		form ? form->hashes : "'none'");
	put_element(out, "<title>", c->title, "</title>\n<style>\n");
	put_colors(out, c->look.mode);
	if (c->look.mode == THEME_LIGHT) { /* what nobody chose follows its reader's system */
		str_adds(out, "@media(prefers-color-scheme:dark){");
		put_colors(out, THEME_DARK);
		str_adds(out, "}\n");
	}
	str_add(out, tiles_style, (size_t)(tiles_style_end - tiles_style));
	if (!form)
		svg_style(out);
	str_adds(out, "</style>\n</head>\n<body>\n");
}

static void put_heading(struct str *out, const struct chart *c)
{
	put_element(out, "<h1>", c->title, "</h1>\n");
	put_element(out, "<p class=\"sub\">", c->subtitle, "</p>\n");
	put_element(out, "<p class=\"note\">", c->note, "</p>\n");
}

static void put_tools(struct str *out, const struct page_form *form)
{
	static const char before[] =
		"<div class=\"bar\"><input id=\"search\" type=\"search\" placeholder=\"search: name or "
		"regular expression\" aria-label=\"search\"><span id=\"found\" role=\"status\"></span>"
		"<button type=\"button\" id=\"in\">zoom in</button><button type=\"button\" "
		"id=\"out\">zoom out</button><button type=\"button\" id=\"all\">all</button><span "
		"id=\"where\">unpacking ...</span></div>\n<div class=\"bar\" id=\"key\"></div>\n"
		"<div class=\"canvas\"><canvas id=\"canvas\" role=\"img\" aria-describedby=\"over\">"
		"</canvas></div>\n<p id=\"what\" role=\"status\"></p>\n<div id=\"tip\" hidden></div>\n"
		"<table><caption id=\"over\"></caption><thead><tr>";

	str_adds(out, before);
	str_adds(out, form->heads);
	str_adds(out,
		"</tr></thead><tbody id=\"sums\"></tbody></table>\n<p id=\"help\" "
		"class=\"note\">Wheel or <kbd>w</kbd> <kbd>s</kbd>: zoom. Drag or "
		"<kbd>a</kbd> <kbd>d</kbd>: move. <kbd>/</kbd>: search, then <kbd>n</kbd> "
		"<kbd>N</kbd>. <kbd>0</kbd>: all. ");
	str_adds(out, form->help);
	str_adds(out,
		"</p>\n<noscript><p>This page needs its script; -o x.svg draws the same as "
		"a picture.</p></noscript>\n");
}

/* NULL: a picture. */
static const struct page_form *form_of(const struct chart *c)
{
	static const struct page_form tiles = { tiles_script, tiles_script_end, tiles_hashes,
		"<th class=\"n\">time</th><th class=\"n\">share</th><th class=\"n\">boxes</th>"
		"<th>name</th>",
		"Shift and drag: sums of an area. Double click: to a box. <kbd>[</kbd> "
		"<kbd>]</kbd>: to a step. <kbd>n</kbd> <kbd>p</kbd>: to a finding or long gap. "
		"<kbd>j</kbd> <kbd>k</kbd>: along the critical path. <kbd>c</kbd> in a flame "
		"graph: callers and callees of what is chosen." };
	static const struct page_form blocks = { blocks_script, blocks_script_end,
		"'" PAGE_HASH "' '" BLOCKS_HASH "'",
		"<th class=\"n\">size</th><th class=\"n\">share</th><th class=\"n\">blocks</th>"
		"<th>allocated in</th>",
		"Click: a block, and what was held at that moment. Shift and wheel: zoom the "
		"height. Shift and drag: what an area left allocated. Double click: to a block. "
		"<kbd>p</kbd>: the peak; <kbd>[</kbd> <kbd>]</kbd>: where memory ran out." };

	if (c->npanel != 1)
		return NULL;
	switch (c->panel[0].kind) {
	case PANEL_FLAME:
	case PANEL_LANES: return &tiles;
	case PANEL_BLOCKS: return &blocks;
	default: return NULL;
	}
}

static void put_script(struct str *out, const char *from, const char *to)
{
	str_adds(out, "<script>");
	str_add(out, from, (size_t)(to - from));
	str_adds(out, "</script>\n");
}

void tiles_page(struct str *out, const struct chart *c)
{
	const struct page_form *form = form_of(c);

	put_start(out, c, form);
	put_heading(out, c);
	if (form) {
		put_tools(out, form);
		str_adds(out, "<script type=\"application/octet-stream\" id=\"tiles\">");
		put_data(out, c);
		str_adds(out, "</script>\n");
		put_script(out, page_script, page_script_end);
		put_script(out, form->script, form->script_end);
	} else {
		svg_chart(out, c);
	}
	str_adds(out, "</body>\n</html>\n");
}
