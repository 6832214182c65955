/*
 * The theme of charts, as data.
 */
#include "report/chart/theme.h"

#include "base/compiler.h"

const char theme_font[] = "DejaVu Sans";
const char theme_text[] = "#222222";
const char theme_grid[] = "#dddddd";
const char theme_background[] = "#ffffff";

static const char *const colors[THEME_COLORS] = {
	[COLOR_COMPUTE] = "#0072b2",
	[COLOR_COPY] = "#e69f00",
	[COLOR_COMM] = "#cc79a7",
	[COLOR_IDLE] = "#c8c8c8",
	[COLOR_HOST] = "#009e73",
	[COLOR_DATA] = "#d55e00",
	[COLOR_OTHER] = "#56b4e9",
	[COLOR_EIGHTH] = "#f0e442",
	[COLOR_BLACK] = "#222222",
};

static const enum theme_color series[] = {
	COLOR_COMPUTE,
	COLOR_COPY,
	COLOR_HOST,
	COLOR_COMM,
	COLOR_OTHER,
	COLOR_DATA,
	COLOR_EIGHTH,
	COLOR_IDLE,
};

const char *theme_color(size_t i)
{
	return colors[i % COUNT_OF(colors)];
}

const char *theme_letters(size_t i)
{
	static const char *const letters[THEME_COLORS] = {
		[COLOR_COMPUTE] = "#0072b2",
		[COLOR_COPY] = "#946600",
		[COLOR_COMM] = "#a04a7d",
		[COLOR_IDLE] = "#6b6b6b",
		[COLOR_HOST] = "#007a59",
		[COLOR_DATA] = "#b34d00",
		[COLOR_OTHER] = "#3a93c8",
		[COLOR_EIGHTH] = "#7d7400",
		[COLOR_BLACK] = "#222222",
	};

	return letters[i % COUNT_OF(letters)];
}

enum theme_color theme_series(size_t i)
{
	return series[i % COUNT_OF(series)];
}

const char *const *theme_heat(size_t *n)
{
	static const char *const steps[] = { "#f7fbff", "#c6dbef", "#6baed6", "#2171b5",
		"#08306b" };

	*n = COUNT_OF(steps);
	return steps;
}
