/*
 * What an NVTX call passes: texts, narrow and wide, and attributes.
 */
#ifndef CAPTURE_INJECT_NVTX_TEXT_H
#define CAPTURE_INJECT_NVTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "capture/inject/nvtx_abi.h"
#include "capture/inject/ranges.h"

/* A registered string: a name that is kept for ever; its address is the handle. */
struct nvtx_registered {
	struct nvtx_registered *next; /* of all that are kept */
	size_t n;
	char json[];
};

/* A text's name; NULL is "".  Wide text is cut at 4 KiB of UTF-8. */
struct name nvtx_name_a(struct ranges *r, const char *s, bool *is_owned);
struct name nvtx_name_w(struct ranges *r, const wchar_t *s, bool *is_owned);

/* Such a text as a range's, with nothing else given. */
struct range_text nvtx_text_a(struct ranges *r, const char *s);
struct range_text nvtx_text_w(struct ranges *r, const wchar_t *s);

/* Attributes; those of an unknown, shorter version are ignored. */
struct range_text nvtx_text_of(
	struct ranges *r, const struct range_domain *domain, const struct nvtx_attributes *a);

/* Keeps a name for ever, freeing an owned one; NULL without memory. */
struct nvtx_registered *nvtx_keep(struct ranges *r, struct name name, bool is_owned);

#endif
