/*
 * Buffers of the fake CUPTI: asked for on the program's threads, one in flight for each, flushed
 * from anywhere.
 */
#ifndef TESTS_CAPTURE_FAKE_LANES_H
#define TESTS_CAPTURE_FAKE_LANES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/cupti.h"

/* One thread's buffer. */
struct lane {
	_Atomic bool is_there; /* its lock may be taken */
	pthread_mutex_t lock;
	uint8_t *buffer;
	size_t size, used;
	uint32_t tid;
};

/* A number of the environment, and FAKE_CUPTI_VERSION. */
long lanes_setting(const char *name, long otherwise);
uint32_t lanes_version(void);

/* Who lends buffers and takes them back; before that nothing is recorded. */
void lanes_start(cupti_request_fn request, cupti_complete_fn complete);
bool lanes_are_ready(void);
/* A buffer goes to whoever takes them back. */
void lanes_complete(uint8_t *buffer, size_t size, size_t valid);
/* From now on nothing is recorded or flushed. */
void lanes_end(void);

/* This thread's. */
struct lane *lanes_mine(void);
/* Adds a record of the size its kind has in this version. */
void lanes_put(struct lane *l, const unsigned char *record);
/* Gives all buffers back; false after the end. */
bool lanes_flush(void);

#endif
