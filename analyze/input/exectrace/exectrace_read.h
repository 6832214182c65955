/* Reading an execution trace: {"schema": "1.1.1-chakra.0.0.4", "nodes": [...]}, of all schemas that
 * PyTorch has written, plain or packed.
 *
 * Until 1.0.1 a node is flat (rf_id, parent, op_schema, inputs); later it has ctrl_deps for its
 * parent, inputs.values beside inputs.shapes and inputs.strides, and the rest in attrs. */
#pragma once

#include "analyze/trace/links/exectrace.h"
#include "base/base.h"

/* Reads a file into et, which exectrace_init has made and exectrace_clear releases, also after a
 * failure.  path is borrowed.  E_IO; E_FORMAT: it is something else; E_SYNTAX, E_TRUNCATED, E_LIMIT
 * with the place. */
enum status exectrace_load(struct exectrace *et, const char *path, struct err *e) MUST_CHECK;

/* The same of a text. */
enum status exectrace_parse(struct exectrace *et, struct span text, struct err *e) MUST_CHECK;
