/* Changes to documents that keep most of their shape: JSON by its values, tables and logs by lines
 * and cells.  For custom mutators; each call makes a few changes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Puts n bytes in the place of [from, to); returns the new size, or the old one when that would be
 * more than max, nothing being changed then.  The bytes may be part of data. */
size_t mutate_splice(uint8_t *data, size_t size, size_t max, size_t from, size_t to,
	const void *bytes, size_t n);

/* Changes a text of any kind; returns its new size, at most max.  state: of the chances. */
size_t mutate_text(uint8_t *data, size_t size, size_t max, uint64_t *state);
