/*
 * `metrics`: the limits of its rules, which configuration and -t set.  Data, and looking them up.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "analyze/answer/metrics/metrics.h"
#include "base/compiler.h"
#include "base/setting.h"

#define PREFIX "metrics."

/* A row; a macro, and no braces, so that clang-format wraps it instead of aligning columns. */
#define ROW(key, type, preset, help)                            \
	{                                                       \
		PREFIX key, SETTING_##type, preset, NULL, help, \
	}
static const struct setting rows[] = {
	ROW("D01.growth", NUMBER, "1.5", "the last 10 losses over the first 10: from this on"),
	ROW("D02.spread", NUMBER, "3",
		"spreads (1.4826 x MAD) of the best window: beyond, it diverged"),
	ROW("D02.p", NUMBER, "0.01", "p of the trend since the best window: below"),
	ROW("D03.change", RATIO, "1%", "change between two windows that is a plateau: below"),
	ROW("D04.spread", NUMBER, "6", "spreads above the median before: from this on a spike"),
	ROW("D04.before", COUNT, "50", "values before that a spike is compared with"),
	ROW("D04.recover", COUNT, "20", "values within which a spike should be over"),
	ROW("D06.growth", NUMBER, "2", "last third of gradient norms over the first: exploding"),
	ROW("D06.spread", NUMBER, "0.5", "deviation over mean of gradient norms: unstable"),
	ROW("D10.growth", NUMBER, "2",
		"KL of the last window over that of the middle: from this on"),
	ROW("D10.slope", NUMBER, "0.01", "KL's change a value over the last 200: from this on"),
	ROW("D11.share", RATIO, "50%", "groups with equal rewards: from this on"),
	ROW("D12.tau", NUMBER, "0.3333", "Kendall's tau of reward and length: from this on"),
	ROW("D13.share", RATIO, "20%", "of an iteration spent waiting for data: from this on"),
	ROW("D14.share", RATIO, "50%", "GPU utilization as written: below"),
	ROW("D15.share", RATIO, "5%", "of an iteration that its stages leave: from this on"),
	ROW("D16.p", NUMBER, "0.01", "p of the change of scores between halves: below"),
	ROW("D17.share", RATIO, "10%", "of scores that are invalid, for sure: from this on"),
	ROW("D20.growth", RATIO, "5%", "growth of step times that is slower: from this on"),
	ROW("D21.share", RATIO, "95%", "of the GPU's memory at the peak: from this on"),
	ROW("D22.growth", RATIO, "10%", "growth over epochs: from this on"),
	ROW("D18.mean", NUMBER, "2", "variance of rewards over the last 100: from this on"),
};

const struct setting *metrics_setting(size_t i)
{
	if (i == COUNT_OF(rows))
		return &peaks_setting;
	return i < COUNT_OF(rows) ? &rows[i] : NULL;
}

/* The value in force in these settings. */
static double number_of(const struct settings *s, const char *key)
{
	struct setting_value built_in;
	struct err e;
	size_t i;

	for (i = 0; i < COUNT_OF(rows) && strcmp(rows[i].key + strlen(PREFIX), key) != 0;)
		i++;
	assert(i < COUNT_OF(rows));
	if (s && settings_get(s, rows[i].key))
		return settings_get(s, rows[i].key)->r;
	return setting_parse(&rows[i], rows[i].preset, &built_in, &e) == OK ? built_in.r : NAN;
}

double metrics_number(const struct metrics *m, const char *key)
{
	return number_of(m->limit->settings, key);
}

enum status metrics_threshold(struct settings *s, const char *text, struct err *e)
{
	const char *eq = strchr(text, '=');
	enum status st;

	if (!eq || eq == text)
		return err_set(
			e, E_USAGE, -1, "-t wants KEY=VALUE, such as D04.spread=8, not '%s'", text);
	st = settings_set(
		s, arena_printf(&s->mem, PREFIX "%.*s", (int)(eq - text), text), eq + 1, "-t", e);
	return st == OK ? OK : err_hint(e, "'traceq config metrics' lists the limits");
}
