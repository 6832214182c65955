/* Numbers to text.  All times come in as nanoseconds, all sizes as bytes, all shares as ratios.
 *
 * The same number gives the same text in every locale.  A person's column is written in one unit
 * and with one number of decimals (struct unit_scale), so that it compares down the column;
 * machines get exact texts.  Everything appends to a struct str. */
#pragma once

#include "base/base.h"

/* What a scale is chosen from.  Start with {0}; add each value. */
struct unit_range {
	double max;      /* largest magnitude; 0 when nothing was added */
	double min;      /* smallest magnitude that is not 0; 0 when there is none */
	bool fractional; /* a value had a fraction */
};

/* NaN and infinities are passed over. */
void unit_range_add(struct unit_range *g, double v);

/* How the numbers of one column are written. */
struct unit_scale {
	double divisor;     /* base units in one of the shown ones */
	int decimals;       /* after the point; -1: four significant digits, each as it comes */
	const char *suffix; /* " ms", "%" or "" */
};

/* Scales for a range: the largest unit in which the largest value is at least 1, one smaller where
 * the smallest value would lose its digits and the largest has four before the point at most;
 * decimals for four significant digits of the largest value, more (5 digits in all) where the
 * smallest needs them for three, and another one where it would be 0. */
/* ns, us, ms, s.  forced is one of these words, or NULL; a forced unit may show more decimals. */
struct unit_scale unit_scale_time(struct unit_range g, const char *forced);
/* B, KiB, MiB, GiB, TiB. */
struct unit_scale unit_scale_bytes(struct unit_range g);
/* Bytes per second, powers of ten: B/s, kB/s, MB/s, GB/s, TB/s. */
struct unit_scale unit_scale_rate(struct unit_range g);
/* Operations: powers of ten, k to P. */
struct unit_scale unit_scale_flops(struct unit_range g);
/* Energy from nJ: nJ to MJ. */
struct unit_scale unit_scale_energy(struct unit_range g);
/* Ratio to per cent with one decimal. */
struct unit_scale unit_scale_percent(void);
/* Numbers without a unit; whole numbers get no decimals. */
struct unit_scale unit_scale_plain(struct unit_range g);

/* v as the scale says, suffix included. */
void unit_put(struct str *b, double v, struct unit_scale s);

/* One number on its own, in the unit that suits it: 62.40 ms, 31.20 GiB, 65.3%. */
void unit_put_time(struct str *b, double ns);
/* "2025-11-30", of seconds since 1970, UTC; nothing where no calendar has that day. */
void unit_put_day(struct str *b, int64_t seconds);
void unit_put_bytes(struct str *b, double bytes);
void unit_put_percent(struct str *b, double ratio);

/*
 * The same as texts, for a sentence that is printed in one piece:
 * str_addf(b, "%s of %s", IN_BYTES(used), IN_BYTES(all)).  They are there until that call is over.
 */
struct unit_text {
	char s[352]; /* what the longest double takes */
};
struct unit_text unit_text(void (*put)(struct str *b, double v), double v);
#define IN_TIME(ns)       (unit_text(unit_put_time, (ns)).s)
#define IN_BYTES(bytes)   (unit_text(unit_put_bytes, (bytes)).s)
#define IN_PERCENT(ratio) (unit_text(unit_put_percent, (ratio)).s)

/* The same, there as long as the arena. */
const char *unit_time(struct arena *mem, double ns);
const char *unit_bytes(struct arena *mem, double bytes);
const char *unit_percent(struct arena *mem, double ratio);

/* 132,152 */
void unit_put_count(struct str *b, int64_t v);

/* Fixed-point text with that many decimals (0..17), "inf" or "nan". */
void unit_put_fixed(struct str *b, double v, int decimals);

/* The shortest text that reads back as the same double; -0 as 0. */
void unit_put_real(struct str *b, double v);

/* Exact: v units of 10^-decimals (0..18), such as ns as us: unit_put_exact(b, 1234567, 3) =
 * 1234.567 */
void unit_put_exact(struct str *b, int64_t v, int decimals);

/* torch's own formats, from torch/autograd/profiler_util.py: _format_time (1.234ms; unit is "us",
 * "ms", "s" or NULL), _format_memory (1.50 KB), _format_time_share (12.34%; "NaN" when the total is
 * 0). */
void unit_torch_time(struct str *b, double ns, const char *unit);
void unit_torch_bytes(struct str *b, int64_t bytes);
void unit_torch_share(struct str *b, double part, double total);
