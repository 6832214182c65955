/* Convolutions that multiply less than the definition has products: Winograd's, which makes a tile
 * of outputs of a tile of inputs, and by Fourier transforms.  Which one was taken only the names of
 * kernels say, and not all of them say the tile. */
#pragma once

#include "analyze/costmodel/op_work.h"
#include "base/base.h"

enum fastconv_kind { FASTCONV_NONE, FASTCONV_WINOGRAD, FASTCONV_FFT };
/* What is made: outputs (or the gradient of the input), the gradient of the filter. */
enum fastconv_half { FASTCONV_OUTPUTS, FASTCONV_FILTER, FASTCONV_EITHER, FASTCONV_HALVES = 2 };

/* Bytes alone, so that it can be part of a key.  F(out, taps): height and width. */
struct fastconv {
	uint8_t kind;    /* enum fastconv_kind */
	uint8_t half;    /* enum fastconv_half, as far as the name says */
	uint8_t out[2];  /* outputs of a tile; of FFT its extent; 0: the name does not say */
	uint8_t taps[2]; /* of the filter that goes with the tile */
};

/* What a convolution's kernel does, by its name. */
struct fastconv fastconv_of(struct span kernel);

/* One more kernel of a call; how: by half. */
void fastconv_add(struct fastconv how[FASTCONV_HALVES], const struct fastconv *f);

/* Sets w->done, from w->flop, for a call whose kernels say that, by its input and filter; made:
 * what it makes, EITHER: both gradients.  A tile that is not said counts as the least that is in
 * use, and w->is_most is set.  Edges of tiles beyond the outputs are not counted, nor are
 * transforms: at least this is multiplied where the tile is known. Source: Lavin and Gray 2015
 * (Winograd); Mathieu, Henaff, LeCun 2013 (FFT, 8 operations for each of T (T / 2 + 1) complex
 * products). */
void fastconv_work(struct roof_work *w, const struct roof_shape *in,
	const struct roof_shape *filter, enum fastconv_half made,
	const struct fastconv how[FASTCONV_HALVES]);

/* "Winograd F(4x4,3x3)"; of two that differ both; "" where it is none.  Memory is the arena's. */
struct span fastconv_text(const struct fastconv how[FASTCONV_HALVES], struct arena *mem);
