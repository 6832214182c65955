/* What nearly every file works with: C's own types, memory, texts and numbers; errors, arenas and
 * strings of this program; letters and digits, words that go with a number; the smaller of two, how
 * two compare, where something is in an array, sums that do not overflow, shares.  Whoever needs
 * one of these includes this header and none of them by name.  It stands on rarely changed ground:
 * what is new gets a header of its own. */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/compare3.h"
#include "base/compiler.h"
#include "base/err.h"
#include "base/minmax.h"
#include "base/plural.h"
#include "base/ratio.h"
#include "base/real.h"
#include "base/saturate.h"
#include "base/search.h"
#include "base/str.h"
#include "base/xalloc.h"
#include "base/zeroed.h"
