/*
 * How far the op that computes longest is from what the device can do (roof.h).
 *
 * Of the verdict's device, in the steps that count.  Calls of one name are taken together; what
 * could be gained is the time of its calls above their roofs.  And how much of the matrix work is
 * done in FP32 or TF32 where the device does formats of 16 bits faster.
 */
#pragma once

#include "analyze/answer/diagnose/profile.h"

/*
 * Sets x->top_roof, "aten::mm, 20.1% of that, runs at 61.7% of its roof (bf16, 989 TFLOP/s): at
 * most 1.553 ms/step to gain" in the profile's memory: NULL where peaks or shapes are not known,
 * where it is less than a tenth of computing or more than a tenth of its time has no roof, and
 * where it is above its roof: the peaks are not those of what it runs on, then.  And x->wide. O(n).
 */
void toproof_find(struct profile *x);
