/* Records as CUPTI of a version writes them, made from a description: for the fake CUPTI and for
 * tests that need no process. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/capture/fake.h"

enum { FAKE_RECORD_MAX = 512, FAKE_CONTEXT = 1 };

struct fake_api {
	uint32_t id;
	bool is_runtime;
	const char *name; /* as cuptiGetCallbackName gives it */
};

/* The call behind a piece of work. */
const struct fake_api *fake_api_of(const struct fake_work *w);
/* NULL when there is no such id. */
const char *fake_api_name(bool is_runtime, uint32_t id);

/* The size of a record; 0 for a kind the fake does not write.  With FAKE_TAIL each is so many bytes
 * longer, as records of a CUPTI to come are: they only ever grew at their ends. */
size_t fake_size(uint32_t kind, uint32_t version);

/* How many bytes of a record are that tail. */
size_t fake_tail(void);

/* cuptiActivityGetNextRecord of that version. */
int fake_next(uint8_t *buffer, size_t valid, uint8_t **record, uint32_t version);

/* The kind of record device work gets, or 0 for none. */
int fake_kind_of(const struct fake_work *w, bool graphs_whole);

/* Each fills a zeroed record of FAKE_RECORD_MAX bytes. */
void fake_device_work(unsigned char *r, const struct fake_work *w, int kind, int64_t start,
	uint32_t correlation, uint32_t tid);
void fake_call(unsigned char *r, int kind, uint32_t id, int64_t start, int64_t end, uint32_t tid,
	uint32_t correlation, int failed);
void fake_external(unsigned char *r, int kind, uint64_t external, uint32_t correlation);
void fake_context(unsigned char *r);
/* The name is the reader's to free in the headers of the first update of 13.0 and later; what the
 * library of 13.0 itself does is not known, so the one here is not on the heap. */
void fake_device(unsigned char *r, uint32_t version);
/* Takes the device's time of a CUDA event away. */
void fake_without_event_time(unsigned char *r);
/* Takes a kernel's times away. */
void fake_without_times(unsigned char *r);
