/* Convolutions by Winograd's algorithms and by Fourier transforms: names, and how much less they
 * multiply. */
#include "analyze/costmodel/fastconv.h"

enum { NUMBERS = 4, TILE_MAX = 255 };

/* The least tiles that are in use, of those that a name does not say. */
enum { LEAST_WINOGRAD = 2, LEAST_FFT = 16 };

/* The first numbers behind a word, "4x4" or "_2_2_3_3", in a row; 0: none, or not that word. */
static int numbers_after(struct span name, const char *word, int *v)
{
	const char *p = memmem(name.p, name.n, word, strlen(word)), *end = name.p + name.n;
	int n = 0;

	if (!p)
		return 0;
	for (p += strlen(word); p < end && !is_digit(*p);)
		p++;
	for (; n < NUMBERS && p < end && is_digit(*p); n++) {
		for (v[n] = 0; p < end && is_digit(*p); p++)
			v[n] = MIN(10 * v[n] + (*p - '0'), TILE_MAX);
		p += p < end && (*p == 'x' || *p == '_');
	}
	return n;
}

static void set_tile(struct fastconv *f, const int *out, const int *taps)
{
	for (int i = 0; i < 2; i++) {
		f->out[i] = (uint8_t)out[i];
		f->taps[i] = (uint8_t)taps[i];
	}
}

/* "_f2x3_" of the names of MIOpen's kernels. */
static bool read_pair(struct span name, int *out, int *taps)
{
	for (size_t i = 0; i + 5 <= name.n; i++) {
		const char *p = name.p + i;

		if (p[0] != '_' || p[1] != 'f' || !is_digit(p[2]) || p[3] != 'x' || !is_digit(p[4]))
			continue;
		out[0] = out[1] = p[2] - '0';
		taps[0] = taps[1] = p[4] - '0';
		return true;
	}
	return false;
}

/* cuDNN: between transforms "winogradForwardData4x4", which is F(4x4,3x3), and "...9x9_5x5", inputs
 * and taps, so F(5x5,5x5); in one kernel F(2x2,3x3) alone (Yan, Wang, Chu 2020).  MIOpen: "_f2x3_",
 * and "WinogradXformData_2_2_3_3", outputs and taps. */
static struct fastconv winograd_of(struct span name)
{
	struct fastconv f = { .kind = FASTCONV_WINOGRAD, .half = FASTCONV_OUTPUTS };
	int v[NUMBERS] = { 0 }, n = numbers_after(name, "winogradForward", v);
	int out[2] = { 2, 2 }, taps[2] = { 3, 3 };

	if (n == 0) {
		n = numbers_after(name, "winogradWgrad", v);
		f.half = n > 0 ? FASTCONV_FILTER : FASTCONV_EITHER;
	}
	if (n >= 2 && (n < NUMBERS || (v[0] > v[2] && v[1] > v[3]))) {
		for (int i = 0; i < 2; i++) {
			taps[i] = n == NUMBERS ? v[2 + i] : 3;
			out[i] = n == NUMBERS ? v[i] - v[2 + i] + 1 : v[i];
		}
		set_tile(&f, out, taps);
	} else if (numbers_after(name, "WinogradXform", v) == NUMBERS) {
		set_tile(&f, v, v + 2);
	} else if (read_pair(name, out, taps)) {
		set_tile(&f, out, taps);
	} else if (span_has(name, "cudnn_winograd_") || span_has(name, "winograd3x3Kernel") ||
		span_has(name, "generateWinogradTiles")) {
		f.half = FASTCONV_OUTPUTS;
		set_tile(&f, out, taps);
	}
	return f;
}

struct fastconv fastconv_of(struct span kernel)
{
	struct fastconv f = { 0 };
	int v[NUMBERS];

	if (span_has_nocase(kernel, "winograd") || span_has(kernel, "Sp3AsmConv"))
		return winograd_of(kernel);
	if (!span_has_nocase(kernel, "fft"))
		return f;
	f = (struct fastconv){ .kind = FASTCONV_FFT, .half = FASTCONV_EITHER };
	if (numbers_after(kernel, "fft2d_r2c_", v) >= 2 ||
		numbers_after(kernel, "fft2d_c2r_", v) >= 2)
		set_tile(&f, v, (const int[]){ 0, 0 });
	return f;
}

static bool same_tile(const struct fastconv *a, const struct fastconv *b)
{
	return a->kind == b->kind && memcmp(a->out, b->out, sizeof(a->out)) == 0 &&
		memcmp(a->taps, b->taps, sizeof(a->taps)) == 0;
}

/* A second one that could be of either half is of the other. */
void fastconv_add(struct fastconv how[FASTCONV_HALVES], const struct fastconv *f)
{
	struct fastconv *to = &how[f->half == FASTCONV_FILTER];

	if (f->half == FASTCONV_EITHER && to->out[0] && f->out[0] && !same_tile(to, f))
		to = &how[FASTCONV_FILTER];
	if (to->out[0] == 0 && (to->kind == FASTCONV_NONE || f->out[0]))
		*to = *f;
}

/* How many products of the definition one of Winograd's stands for, in one dimension. */
static double by_winograd(double filter, double out, double taps)
{
	return out * filter / ((out + taps - 1) * ceil(filter / taps));
}

/* The same of both dimensions, of tiles that are no larger than the input. */
static double by_fft(const int64_t *filter, const int64_t *in, const uint8_t *tile)
{
	double direct = 2, y = tile[0] ? tile[0] : LEAST_FFT, x = tile[1] ? tile[1] : LEAST_FFT;
	const double extent[2] = { y, x };

	for (int i = 0; i < 2; i++)
		direct *= (double)filter[i] *
			MAX(MIN(extent[i] - (double)filter[i] + 1, (double)in[i]), 0);
	return direct / (8 * y * (x / 2 + 1));
}

/* At least 1: nothing multiplies more than the definition, as far as is said here. */
static double times_less(const struct fastconv *f, const struct roof_shape *in,
	const struct roof_shape *filter, bool is_filter)
{
	const int64_t *taps = filter->dim + filter->n - 2, *extent = in->dim + in->n - 2;
	bool is_known = f->out[0] > 0, is_turned = is_filter && f->half != FASTCONV_FILTER;
	double n = 1;

	if (f->kind == FASTCONV_NONE || filter->n < 3 || in->n != filter->n)
		return 1;
	if (f->kind == FASTCONV_FFT)
		return filter->n < 4 ? 1 : MAX(by_fft(taps, extent, f->out), 1);
	/* What a filter's gradient has as outputs are its taps, and the other way round. */
	for (int i = filter->n < 4; i < 2; i++) {
		double out = is_turned ? f->taps[i] : f->out[i];
		double tile_taps = is_turned ? f->out[i] : f->taps[i];

		n *= by_winograd((double)taps[i], is_known ? out : LEAST_WINOGRAD,
			is_known ? tile_taps : (double)MAX(taps[i], 1));
	}
	return MAX(n, 1);
}

void fastconv_work(struct roof_work *w, const struct roof_shape *in,
	const struct roof_shape *filter, enum fastconv_half made,
	const struct fastconv how[FASTCONV_HALVES])
{
	bool is_both = made == FASTCONV_EITHER;
	double share = 0;
	int halves = 0;

	if (w->flop < 0)
		return;
	for (int i = 0; i < FASTCONV_HALVES; i++) {
		bool is_none = how[i].kind == FASTCONV_NONE;

		if (is_none && !is_both)
			continue;
		share += 1 /
			times_less(
				&how[i], in, filter, (is_both ? i : (int)made) == FASTCONV_FILTER);
		halves++;
		w->is_most |= !is_none &&
			(how[i].out[0] == 0 || (is_both && how[i].half == FASTCONV_EITHER));
	}
	if (halves > 0)
		w->done = saturate_round((double)w->flop * share / halves);
}

static void add_text(struct str *b, const struct fastconv *f)
{
	str_adds(b, b->n > 0 ? " and " : "");
	if (f->out[0] == 0)
		str_addf(b, "%s, tile not said", f->kind == FASTCONV_FFT ? "FFT" : "Winograd");
	else if (f->kind == FASTCONV_FFT)
		str_addf(b, "FFT %dx%d", f->out[0], f->out[1]);
	else
		str_addf(
			b, "Winograd F(%dx%d,%dx%d)", f->out[0], f->out[1], f->taps[0], f->taps[1]);
}

struct span fastconv_text(const struct fastconv how[FASTCONV_HALVES], struct arena *mem)
{
	SCOPED_STR b = { 0 };

	for (int i = 0; i < FASTCONV_HALVES; i++)
		if (how[i].kind != FASTCONV_NONE)
			add_text(&b, &how[i]);
	return (struct span){ arena_copy(mem, b.s, b.n), b.n };
}
