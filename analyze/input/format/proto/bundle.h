/*
 * ChromeEventBundle: what Chrome's JSON has around its events becomes members of the document.
 */
#ifndef ANALYZE_INPUT_FORMAT_PROTO_BUNDLE_H
#define ANALYZE_INPUT_FORMAT_PROTO_BUNDLE_H

#include <stdbool.h>

#include "base/str.h"

struct emitter;

/* Emits the members that it says; false when some of it is damaged, which is left out. */
bool bundle_emit(struct emitter *m, struct span bundle);

/* Whether it has anything else, events of Chrome's own old kind. */
bool bundle_has_more(struct span bundle);

#endif
