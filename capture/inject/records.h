/* CUPTI's records to events: the worker's main work.
 *
 * A buffer is walked twice: first for what other records need (which thread called, which range it
 * was in, which device a context is on), then for the events.  Records that wait for one in a later
 * buffer are held back, but not for ever. */
#pragma once

#include "capture/inject/record_state.h"

/* False without memory.  All pointers in r that are borrowed must be set before or after. */
bool records_init(struct records *r);
void records_free(struct records *r);

/* The events of one buffer.  `valid` bytes as CUPTI returned them.  Device names, which the client
 * owns, are freed when `owns` is set (a test's records own nothing). */
void records_buffer(
	struct records *r, records_next_fn next, uint8_t *buffer, size_t valid, bool owns);

/* Writes what was held too long and the ranges of the device that are over; all of them when
 * is_last. */
void records_settle(struct records *r, int64_t now_ns, bool is_last);

/* Only the devices of a buffer: the head of the file needs them before the first event. */
void device_records_find(
	struct records *r, records_next_fn next, uint8_t *buffer, size_t valid, bool owns);

/* Asks the driver in this process for what the records lack: how much shared memory a block may
 * ask for.  Not from within cuInit. */
void device_records_ask_driver(struct emit *e);
