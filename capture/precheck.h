/* What a capture would meet on this machine, without running anything under it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { PRECHECK_TEXT_MAX = 1024, PRECHECK_ITEMS_MAX = 16 };

struct precheck_item {
	const char *what;
	bool is_wrong; /* it keeps device work from being recorded */
	char text[PRECHECK_TEXT_MAX];
};

struct precheck {
	struct precheck_item item[PRECHECK_ITEMS_MAX];
	size_t n;
	bool records_gpu; /* nothing is wrong */
};

/* Looks: driver (it is initialised), CUPTI (subscribed to, its kinds switched on and off, and left
 * again), privileges, NVML, other tools, rank.  cupti: the library to load, or "".  Takes as long
 * as cuInit. */
void precheck_look(struct precheck *p, const char *cupti);
