/* An input in memory, read like a file: what fuzz targets and fault tests give to load_reader. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct args;
struct run;

struct memory_file {
	const uint8_t *data;
	size_t size, at;
	size_t piece; /* most bytes a read gives; 0 = no limit */
};

/* The read function of load_reader; ctx is a struct memory_file. */
ssize_t memory_read(void *ctx, void *buf, size_t n);

/* Adds everything side tables hold to a digest. */
void memory_args_digest(uint64_t *h, const struct args *a);

/* One number for all a run holds: equal runs have equal numbers. */
uint64_t memory_run_digest(const struct run *r);
