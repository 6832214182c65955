/* The end of a lock that is held to the end of a block. */
#include "capture/inject/hold.h"

void hold_end(pthread_mutex_t **mutex)
{
	(void)pthread_mutex_unlock(*mutex);
}
