/* Loaders: threads that load data while the main thread waits for it.
 *
 *	main      [data loader          ][ops ...     ][data loader         ]
 *	loader    [aten::stack][aten::to ][aten::stack]  ...  [aten::stack  ]
 *
 * A thread other than the main one is a loader's where it is in operators or calls for more than
 * half of the time in which the main one is in the data loader.  Whatever it does is loading. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct gap_words;
struct phases;
struct pyframes;

/* By lane: whether it is a loader's; NULL: none is.  main_lane: where the loop runs, or NO_ROW.
 * Needs order.  Memory is the arena's.  O(calls), O(1) of one thread. */
bool *loaders_find(uint32_t main_lane, struct gap_words *words, struct phases *phases,
	struct pyframes *functions, struct arena *mem);
