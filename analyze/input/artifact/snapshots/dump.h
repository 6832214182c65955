/* What PyTorch dumps: a pickle, or the same as JSON. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/input/value/compact.h"
#include "base/base.h"

/* The document being read; bytes behind it are noted.  Errors as pickle_read, jsondoc_read say. */
enum status dump_read(
	struct reading *in, struct compact *c, compact_value *document, struct err *e) MUST_CHECK;
