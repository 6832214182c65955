/* ChromeEventBundle: what Chrome's JSON has around its events becomes members of the document. */
#pragma once

#include "analyze/trace/columns/keymap.h"
#include "base/base.h"

struct emitter;

/* Emits the members that it says; false when some of it is damaged, which is left out. */
bool bundle_emit(struct emitter *m, struct span bundle);

/* Whether it has anything else, events of Chrome's own old kind. */
bool bundle_has_more(struct span bundle);

/* --- words as ids --- */

/* Pids and tids that are no int32 have numbers in traceq's Perfetto traces, and a member of the
 * document says which (docs/formats.md). */
#define IDWORDS_KEY "traceq_ids"

struct idwords {
	struct keymap numbers; /* int64_t */
	struct span *text;     /* by number of that */
	size_t cap;
	struct arena *mem;
};

void idwords_init(struct idwords *w, struct arena *mem);
void idwords_clear(struct idwords *w);

/* Takes in what a bundle of metadata says of it, if it does. */
void idwords_take(struct idwords *w, struct span bundle);

/* The word a number stands for; false: it is itself.  16 readable bytes are behind it. */
bool idwords_find(struct idwords *w, int64_t number, struct span *word);
