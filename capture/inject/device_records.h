/* What CUPTI's records say of devices. */
#ifndef CAPTURE_INJECT_DEVICE_RECORDS_H
#define CAPTURE_INJECT_DEVICE_RECORDS_H

#include "capture/inject/record_state.h"

/*
 * Keeps what a DEVICE record says.  owns: the name in it is ours to free where the library's
 * version says so; the record forgets it then.
 */
void device_records_see(struct records *r, unsigned char *record, bool owns);

/* Only the devices of a buffer: the head of the file needs them before the first event. */
void device_records_find(
	struct records *r, records_next_fn next, uint8_t *buffer, size_t valid, bool owns);

/*
 * Asks the driver in this process for what the records lack: how much shared memory a block may
 * ask for.  Not from within cuInit.
 */
void device_records_ask_driver(struct emit *e);

#endif
