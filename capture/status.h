/*
 * The status line of a recording process, as its launcher reads it: a JSON object that
 * inject/status.c wrote, one level deep.
 */
#ifndef CAPTURE_STATUS_H
#define CAPTURE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of the object; `otherwise` when it is not there. */
int64_t status_number(const char *text, const char *key, int64_t otherwise);

/* A text of the object, unescaped, into to[size]; "" when it is not there or does not fit. */
void status_text(const char *text, const char *key, char *to, size_t size);

#endif
