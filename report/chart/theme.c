/* The theme of charts, as data. */
#include "report/chart/theme.h"

const char theme_font[] = "DejaVu Sans";
const char theme_browser_font[] = "sans-serif";

static const struct theme_paper papers[THEME_MODES] = {
	[THEME_LIGHT] = { "#ffffff", "#222222", "#5a5a5a", "#888888", "#dddddd" },
	[THEME_DARK] = { "#161a1f", "#e8e8e8", "#a8adb3", "#80868d", "#343a41" },
};

const struct theme_paper *theme_paper(enum theme_mode mode)
{
	return &papers[mode];
}

/* On light paper and on dark. */
static const struct {
	const char *word;
	const char *color[THEME_MODES], *letters[THEME_MODES];
} colors[THEME_COLORS] = {
	[COLOR_COMPUTE] = { "compute", { "#0b63d8", "#5c90ff" }, { "#0b63d8", "#5c90ff" } },
	[COLOR_COPY] = { "copy", { "#bd8a00", "#f59a0a" }, { "#976d00", "#f59a0a" } },
	[COLOR_COMM] = { "comm", { "#74208c", "#b890c2" }, { "#74208c", "#b890c2" } },
	[COLOR_OVERLAP] = { "overlap", { "#1d1560", "#8544cc" }, { "#1d1560", "#a763ee" } },
	[COLOR_IDLE] = { "idle", { "#988e86", "#808280" }, { "#7b726a", "#838583" } },
	[COLOR_HOST] = { "host", { "#117057", "#0cbf80" }, { "#117057", "#0cbf80" } },
	[COLOR_PYTHON] = { "python", { "#ad8c58", "#f2dcc4" }, { "#8f703e", "#f2dcc4" } },
	[COLOR_CALL] = { "call", { "#00414f", "#007888" }, { "#00414f", "#2f8fa0" } },
	[COLOR_LAUNCH] = { "launch", { "#5a0a16", "#a84c54" }, { "#5a0a16", "#c8686f" } },
	[COLOR_SYNC] = { "sync", { "#029ed2", "#4fe6fa" }, { "#007da7", "#4fe6fa" } },
	[COLOR_WAIT] = { "wait", { "#d0459a", "#ffb8c6" }, { "#c73c92", "#ffb8c6" } },
	[COLOR_DATA] = { "data", { "#b23a0c", "#e24a06" }, { "#b23a0c", "#e9500e" } },
	[COLOR_WORSE] = { "worse", { "#68001e", "#ff3145" }, { "#68001e", "#ff3145" } },
	[COLOR_BETTER] = { "better", { "#009b28", "#73f7bf" }, { "#008721", "#73f7bf" } },
	[COLOR_SHADE] = { "shade", { "#6a95bd", "#47739a" }, { "#4a7299", "#7ba3c8" } },
	[COLOR_SHADE_2] = { "shade2", { "#567aa3", "#698bb6" }, { "#4d6e95", "#698bb6" } },
	[COLOR_SHADE_3] = { "shade3", { "#45618a", "#89a3d0" }, { "#45618a", "#89a3d0" } },
	[COLOR_SHADE_4] = { "shade4", { "#344971", "#a9bbea" }, { "#344971", "#a9bbea" } },
	[COLOR_SHADE_5] = { "shade5", { "#243259", "#cdd4fd" }, { "#243259", "#cdd4fd" } },
	[COLOR_SHADE_6] = { "shade6", { "#121b3f", "#f0efff" }, { "#121b3f", "#f0efff" } },
	[COLOR_BLACK] = { "black", { "#222222", "#e8e8e8" }, { "#222222", "#e8e8e8" } },
};

static const enum theme_color series[] = { COLOR_SHADE_4, COLOR_SHADE, COLOR_SHADE_6, COLOR_SHADE_3,
	COLOR_SHADE_5, COLOR_SHADE_2 };

/* Relative luminance, as WCAG 2 defines it. */
static double luminance(const char *color)
{
	static const double weight[] = { 0.2126, 0.7152, 0.0722 };
	unsigned long rgb = strtoul(color + 1, NULL, 16); /* lint: allow strtoul: ours */
	double sum = 0;

	for (size_t i = 0; i < COUNT_OF(weight); i++) {
		double v = (double)(rgb >> (16 - 8 * i) & 255) / 255;

		sum += weight[i] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

/* As far from white as from black, by contrast. */
static const double MIDDLE = 0.1791;

const char *theme_ink(enum theme_mode mode, size_t i)
{
	return luminance(theme_color(mode, i)) > MIDDLE ? "#000000" : "#ffffff";
}

static double extreme(const char *color)
{
	return fabs(log((luminance(color) + 0.05) / (MIDDLE + 0.05)));
}

const char *theme_middle(size_t i)
{
	const char *light = theme_color(THEME_LIGHT, i), *dark = theme_color(THEME_DARK, i);

	return extreme(light) <= extreme(dark) ? light : dark;
}

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

const char theme_cell[] = "#56b4e9";

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
	{ "runtime call", 'R', COLOR_CALL, false },
	{ "launch", 'L', COLOR_LAUNCH, false },
	{ "allocator", 'A', COLOR_CALL, false },
	{ "compiling", 'B', COLOR_CALL, false },
	{ "sync", 'S', COLOR_SYNC, false },
	{ "full queue", 'F', COLOR_SYNC, false },
	{ "data loader", 'D', COLOR_DATA, false },
	{ "checkpoint", 'K', COLOR_DATA, false },
	{ "logging", 'J', COLOR_DATA, false },
	{ "garbage collection", 'G', COLOR_PYTHON, false },
	{ "Python", 'P', COLOR_PYTHON, false },
	{ "dependency", 'W', COLOR_WAIT, false },
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
