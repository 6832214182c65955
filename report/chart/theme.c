/* The theme of charts, as data. */
#include "report/chart/theme.h"

const char theme_font[] = "DejaVu Sans";

static const struct theme_paper papers[THEME_MODES] = {
	[THEME_LIGHT] = { "#ffffff", "#222222", "#5a5a5a", "#888888", "#dddddd" },
	[THEME_DARK] = { "#161a1f", "#e8e8e8", "#a8adb3", "#80868d", "#343a41" },
};

const struct theme_paper *theme_paper(enum theme_mode mode)
{
	return &papers[mode];
}

/* On light paper and on dark: grey is fainter than the rest on both, black stands out most. */
static const struct {
	const char *word;
	const char *color[THEME_MODES], *letters[THEME_MODES];
} colors[THEME_COLORS] = {
	[COLOR_COMPUTE] = { "compute", { "#0072b2", "#1f86c7" }, { "#0072b2", "#5eb0e5" } },
	[COLOR_COPY] = { "copy", { "#e69f00", "#e69f00" }, { "#8a5f00", "#e69f00" } },
	[COLOR_COMM] = { "comm", { "#cc79a7", "#cc79a7" }, { "#a04a7d", "#d995ba" } },
	[COLOR_IDLE] = { "idle", { "#c8c8c8", "#5b626a" }, { "#6b6b6b", "#a8adb3" } },
	[COLOR_HOST] = { "host", { "#009e73", "#00a37a" }, { "#007a59", "#2cc29a" } },
	[COLOR_DATA] = { "data", { "#d55e00", "#d55e00" }, { "#b34d00", "#f08a3c" } },
	[COLOR_OTHER] = { "other", { "#56b4e9", "#56b4e9" }, { "#1f78ad", "#7cc7f2" } },
	[COLOR_EIGHTH] = { "eighth", { "#f0e442", "#f0e442" }, { "#776e00", "#f0e442" } },
	[COLOR_BLACK] = { "black", { "#222222", "#e8e8e8" }, { "#222222", "#e8e8e8" } },
};

static const enum theme_color series[] = { COLOR_COMPUTE, COLOR_COPY, COLOR_HOST, COLOR_COMM,
	COLOR_OTHER, COLOR_DATA, COLOR_EIGHTH, COLOR_IDLE };

const char *theme_color(enum theme_mode mode, size_t i)
{
	return colors[i % THEME_COLORS].color[mode];
}

const char *theme_letters(enum theme_mode mode, size_t i)
{
	return colors[i % THEME_COLORS].letters[mode];
}

const char *theme_word(size_t i)
{
	return colors[i % THEME_COLORS].word;
}

enum theme_color theme_series(size_t i)
{
	return series[i % COUNT_OF(series)];
}

const char *const *theme_heat(enum theme_mode mode, size_t *n)
{
	static const char *const steps[THEME_MODES][5] = {
		[THEME_LIGHT] = { "#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b" },
		[THEME_DARK] = { "#1d2733", "#1d4a75", "#2b7bba", "#6baed6", "#d3e6f5" },
	};

	*n = COUNT_OF(steps[mode]);
	return steps[mode];
}

unsigned theme_font_px(unsigned width, unsigned height, size_t across, size_t down)
{
	bool is_alone = across < 2 && down < 2;
	double wide = across > 1 ? (double)across * THEME_CELL_WIDTH_PX : THEME_WIDTH_PX;
	double high = down > 1 ? (double)down * THEME_CELL_HEIGHT_PX : THEME_HEIGHT_PX;
	double part = MIN(width / wide, height / high);
	double px = THEME_FONT_PX * part;
	unsigned least = is_alone ? THEME_FONT_MIN_PX : THEME_CELL_FONT_MIN_PX;

	return px < least                ? least
		: px > THEME_FONT_MAX_PX ? THEME_FONT_MAX_PX
					 : (unsigned)saturate_size(px);
}

/* ---- kinds of work and of waiting ---- */

static const struct work_kind kinds[] = {
	{ "compute", 'C', COLOR_COMPUTE, true },
	{ "comm", 'X', COLOR_COMM, true },
	{ "copy", 'M', COLOR_COPY, true },
	{ "CPU op", 'O', COLOR_HOST, false },
	{ "runtime call", 'R', COLOR_EIGHTH, false },
	{ "launch", 'L', COLOR_EIGHTH, false },
	{ "allocator", 'A', COLOR_EIGHTH, false },
	{ "compiling", 'B', COLOR_EIGHTH, false },
	{ "sync", 'S', COLOR_OTHER, false },
	{ "full queue", 'F', COLOR_OTHER, false },
	{ "data loader", 'D', COLOR_DATA, false },
	{ "checkpoint", 'K', COLOR_DATA, false },
	{ "logging", 'J', COLOR_DATA, false },
	{ "garbage collection", 'G', COLOR_HOST, false },
	{ "Python", 'P', COLOR_HOST, false },
	{ "dependency", 'W', COLOR_IDLE, false },
	{ "nothing recorded", 'N', COLOR_IDLE, false },
	{ "unrecorded", 'Q', COLOR_IDLE, false },
	{ "unknown launch", 'U', COLOR_IDLE, false },
};
_Static_assert(COUNT_OF(kinds) == WORK_KINDS, "as many as the header says");

const struct work_kind *work_kinds(void)
{
	return kinds;
}

size_t work_kind_of(struct span word)
{
	size_t i = 0;

	while (i + 1 < COUNT_OF(kinds) && !span_is(word, kinds[i].word))
		i++;
	return i;
}
