/* What the system is asked on both sides of a recording: clocks, small files, functions by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNUSED __attribute__((unused)) /* behind a parameter */

/* ns of CLOCK_REALTIME, of CLOCK_MONOTONIC. */
int64_t system_realtime(void);
int64_t system_monotonic(void);

/* The beginning of a file as a text in text[size]; false, and "", where there is none. */
bool system_read(const char *path, char *text, size_t size);

/* A function of an open library by its name into *function, a pointer to one; NULL: it has none. */
void system_symbol(void *library, const char *name, void *function);
