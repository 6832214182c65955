/* Locks that are held to the end of a block, however it is left. */
#pragma once

#include <pthread.h>

/* One in a block. */
#define HOLD(mutex)                                                                  \
	pthread_mutex_t *held_ __attribute__((cleanup(hold_end), unused)) = (mutex); \
	(void)pthread_mutex_lock(held_)

void hold_end(pthread_mutex_t **mutex);
